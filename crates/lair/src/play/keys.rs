//! Reads what a person types, one line at a time.

use std::io::{self, BufRead, IsTerminal};

use crate::term::{BOLD, paint, say};

/// One line, parsed as far as possible without knowing the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The numbers of one or more choices.
    Numbers(Vec<usize>),
    /// An empty line.
    Enter,
    Pass,
    PassOn,
    Yes,
    No,
    Help,
    /// `? dark altar`
    About(String),
    Log {
        all: bool,
    },
    Hand,
    Board,
    Discard,
    Hint,
    Undo,
    Quit,
    /// Anything else: perhaps part of a choice.
    Words(String),
}

impl Typed {
    pub fn of(line: &str) -> Typed {
        let line = line.trim();
        let lower = line.to_lowercase();
        let numbers: Option<Vec<usize>> =
            line.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
        if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
            return Typed::Numbers(numbers);
        }
        if let Some(rest) = line.strip_prefix('?') {
            let rest = rest.trim();
            return if rest.is_empty() { Typed::Help } else { Typed::About(rest.into()) };
        }
        match lower.as_str() {
            "" => Typed::Enter,
            "p" | "pass" => Typed::Pass,
            "pp" => Typed::PassOn,
            "y" | "yes" => Typed::Yes,
            "n" | "no" => Typed::No,
            "h" | "help" => Typed::Help,
            "l" | "log" => Typed::Log { all: false },
            "log all" => Typed::Log { all: true },
            "hand" => Typed::Hand,
            "b" | "board" => Typed::Board,
            "d" | "discard" => Typed::Discard,
            "hint" => Typed::Hint,
            "u" | "undo" => Typed::Undo,
            "q" | "quit" | "exit" => Typed::Quit,
            _ => Typed::Words(lower),
        }
    }
}

pub const HELP: &str = "\
  1, 2, ...      choose a line; `3 2` also answers the next one (where to build)
  dark altar     choose the line that contains these words
  Enter, p       pass                    pp     pass until the phase ends
  y, n           yes, no                        or another player acts
  ? NAME, ? 3    a card's text and rulings, by name or by line number
  hand           your hand, with text    d      the discard pile
  board          show the table again    undo   back to your previous decision
  log, log all   what has happened       hint   what a bot would do, and why
                                         quit   end the game

  C F M T are treasures: cleric, fighter, mage, thief. In the Bait phase each
  hero goes to the player with the most of its treasure; on a tie it stays in
  town. `2+1 dies in ...` is the damage it takes, room by room, if nobody acts;
  a `?` means that a face-down room may change it. ♥ is health; ×2 marks an epic
  hero, worth two. +1 at a room: another lies beneath. Ten souls win, five
  wounds lose.
";

/// Lines from standard input, a terminal or not.
pub struct Keys {
    is_terminal: bool,
}

impl Keys {
    pub fn new() -> Keys {
        Keys { is_terminal: io::stdin().is_terminal() }
    }

    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Asks and reads; `None` at the end of the input.
    pub fn ask(&self, prompt: &str) -> io::Result<Option<String>> {
        say(paint(BOLD, prompt) + " ")?;
        let mut bytes = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            say("\n")?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
        if !self.is_terminal {
            // Scripted input is not echoed by a terminal.
            let shown: String = line.chars().filter(|c| !c.is_control()).collect();
            say(format!("{shown}\n"))?;
        }
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert_eq!(Typed::of(" 3 2 "), Typed::Numbers(vec![3, 2]));
        assert_eq!(Typed::of(""), Typed::Enter);
        assert_eq!(Typed::of("?"), Typed::Help);
        assert_eq!(Typed::of("? Dark Altar"), Typed::About("Dark Altar".into()));
        assert_eq!(Typed::of("Dark"), Typed::Words("dark".into()));
        assert_eq!(Typed::of("99999999999999999999999"), Typed::Words("99999999999999999999999".into()));
    }
}
