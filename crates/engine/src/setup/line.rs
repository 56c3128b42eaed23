//! A game by name, in one line: `--players 4 --deck official-combo --variant hard,machinations --seed 42`.
//! Commands take it, records store it.
//!
//! Invariant: what is printed reads back as the same value, and equal lines are equal games.

use std::fmt;
use std::str::{FromStr, SplitWhitespace};

use cards::deck::{DeckId, NotADeckId};
use cards::library;
use thiserror::Error;

use crate::api::record::Hex;
use crate::setup::{PLAYERS, Rules, Ruleset, TABLES, UnknownRuleset, UnknownVariant};

/// Everything that is settled before the first card is dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub rules: Rules,
    pub deck: DeckId,
    pub seed: Seed,
}

/// Decides every shuffle and every random pick. People write a number; 64 hexadecimal digits give
/// it in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

#[derive(Debug, Error, PartialEq, Eq)]
pub enum SetupLineError {
    #[error(
        "`{0}` is not part of a setup: that is --players, --deck, --ruleset, --solo, --challenge, --variant and --seed"
    )]
    Word(String),
    #[error("`{0}` has no value: write it after the option")]
    Alone(String),
    #[error("`{0}` is written twice: keep one")]
    Twice(String),
    #[error("`{0}` is not a valid number of players: write {least} to {most}", least = PLAYERS.start(), most = PLAYERS.end())]
    Players(String),
    #[error("`{0}` is not a valid turn: write a number from 1 on")]
    Turn(String),
    #[error("the setup has no seed: write --seed and a number")]
    NoSeed,
    #[error(transparent)]
    Seed(#[from] NotASeed),
    #[error(transparent)]
    Deck(#[from] NotADeckId),
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    #[error(transparent)]
    Ruleset(#[from] UnknownRuleset),
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a valid seed: write a number, or 64 hexadecimal digits")]
pub struct NotASeed(String);

impl Setup {
    /// Two players, the first deck, no variant.
    pub fn new(seed: Seed) -> Setup {
        let deck = DeckId::preset(library::DECKS[0].0);
        Setup { rules: Rules::classic(*TABLES.start()), deck, seed }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { rules, deck, seed } = self;
        write!(f, "--players {} --deck {deck}", rules.players)?;
        if rules.ruleset() != Ruleset::default() {
            write!(f, " --ruleset {}", rules.ruleset().name())?;
        }
        let variants: Vec<&str> = rules.variants().map(|variant| variant.name()).collect();
        if !variants.is_empty() {
            write!(f, " --variant {}", variants.join(","))?;
        }
        if rules.last_turn > 0 {
            write!(f, " --last-turn {}", rules.last_turn)?;
        }
        if rules.ask_all {
            f.write_str(" --ask-all")?;
        }
        if rules.cover {
            f.write_str(" --cover")?;
        }
        write!(f, " --seed {seed}")
    }
}

impl FromStr for Setup {
    type Err = SetupLineError;

    fn from_str(line: &str) -> Result<Setup, SetupLineError> {
        let mut setup = Setup::new(Seed([0; 32]));
        let mut seen: Vec<&str> = Vec::new();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            if seen.contains(&word) {
                return Err(SetupLineError::Twice(word.into()));
            }
            setup.read(word, &mut words)?;
            seen.push(word);
        }
        let ruleset = setup.rules.ruleset();
        if !seen.contains(&"--players") {
            setup.rules.players = ruleset.usual_players();
        }
        if !seen.contains(&"--deck") {
            setup.deck = DeckId::preset(ruleset.row().deck);
        }
        if seen.contains(&"--seed") { Ok(setup) } else { Err(SetupLineError::NoSeed) }
    }
}

impl Setup {
    fn read(&mut self, word: &str, rest: &mut SplitWhitespace) -> Result<(), SetupLineError> {
        let mut value = || {
            let value = rest.next().filter(|value| !value.starts_with("--"));
            value.ok_or_else(|| SetupLineError::Alone(word.into()))
        };
        let rules = &mut self.rules;
        match word {
            "--players" => {
                let text = value()?;
                let players = text.parse().ok().filter(|n| PLAYERS.contains(n));
                rules.players = players.ok_or_else(|| SetupLineError::Players(cut(text)))?;
            }
            "--deck" => self.deck = value()?.parse()?,
            "--ruleset" => {
                // `--ruleset super --solo` and `--solo --ruleset super` are the same.
                let ruleset: Ruleset = value()?.parse()?;
                let said = rules.ruleset().is_for_one() && ruleset.row().has_board();
                if !said || ruleset.is_for_one() {
                    *rules = rules.with_ruleset(ruleset);
                }
            }
            "--solo" => {
                if !rules.ruleset().is_for_one() {
                    *rules = rules.with_ruleset(Ruleset::for_one(false));
                }
            }
            "--challenge" => *rules = rules.with_ruleset(Ruleset::for_one(true)),
            "--variant" => {
                for name in value()?.split(',') {
                    *rules = rules.with(name.parse()?);
                }
            }
            "--last-turn" => {
                let text = value()?;
                let turn = text.parse().ok().filter(|n| *n > 0);
                rules.last_turn = turn.ok_or_else(|| SetupLineError::Turn(cut(text)))?;
            }
            "--ask-all" => rules.ask_all = true,
            "--cover" => rules.cover = true,
            "--seed" => self.seed = value()?.parse()?,
            _ => return Err(SetupLineError::Word(cut(word))),
        }
        Ok(())
    }
}

/// Long words are cut.
fn cut(word: &str) -> String {
    word.chars().take(40).collect()
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Seed(key)
    }
}

impl Seed {
    /// The number it was made from, or the first part of it.
    pub fn number(self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|i| self.0[i]))
    }

    /// The seed of one of many games.
    pub fn nth(self, game: u64) -> Seed {
        let mut key = self.0;
        key[8..16].iter_mut().zip(game.to_le_bytes()).for_each(|(byte, of_game)| *byte ^= of_game);
        Seed(key)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Seed::from(self.number()) {
            return write!(f, "{}", self.number());
        }
        Hex(self.0).fmt(f)
    }
}

impl FromStr for Seed {
    type Err = NotASeed;

    fn from_str(text: &str) -> Result<Seed, NotASeed> {
        let key = text.parse::<Hex<32>>().ok().map(|hex| Seed(hex.0));
        let is_number = text.bytes().all(|b| b.is_ascii_digit());
        let number = || text.parse::<u64>().ok().filter(|_| is_number).map(Seed::from);
        key.or_else(number).ok_or_else(|| NotASeed(cut(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn setup(line: &str) -> Setup {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn a_line_reads_and_prints() {
        let line = "--players 4 --deck official-combo --variant hard,machinations --seed 42";
        let read = setup(line);
        assert_eq!(read.to_string(), line);
        assert_eq!((read.rules.players, read.deck.name(), read.seed), (4, "official-combo", 42.into()));
        assert!(read.rules.has(Variant::Hard) && !read.rules.has(Variant::Classic));
        for line in [
            "--players 2 --deck bmr --seed 0",
            "--players 6 --deck friday@00ff11ee22dd33cc --variant unlimited-lives --seed 18446744073709551615",
            "--players 3 --deck tnl --last-turn 7 --ask-all --seed 1",
            "--players 2 --deck bmr --cover --seed 1",
            "--players 5 --deck bmr --ruleset crash --variant machinations --seed 1",
            "--players 4 --deck sbm --ruleset super --seed 1",
            "--players 1 --deck sbm-solo --ruleset solo --seed 1",
            "--players 1 --deck sbm-solo --ruleset challenge --seed 1",
            "--players 2 --deck bmr --seed 0000000000000001000000000000000000000000000000000000000000000001",
        ] {
            assert_eq!(setup(line).to_string(), line);
        }
    }

    #[test]
    fn what_is_not_said_is_usual_and_the_order_is_free() {
        assert_eq!(setup("--seed 7").to_string(), "--players 2 --deck bmr --seed 7");
        assert_eq!(
            setup("--ruleset super --seed 7").to_string(),
            "--players 2 --deck sbm --ruleset super --seed 7"
        );
        let alone = "--players 1 --deck sbm-solo --ruleset solo --seed 7";
        for line in ["--solo --seed 7", "--ruleset super --solo --seed 7", "--seed 7 --solo --ruleset super"]
        {
            assert_eq!(setup(line).to_string(), alone, "{line}");
        }
        let harder = "--players 1 --deck sbm-solo --ruleset challenge --seed 7";
        for line in ["--challenge --seed 7", "--solo --challenge --seed 7", "--challenge --solo --seed 7"] {
            assert_eq!(setup(line).to_string(), harder, "{line}");
        }
        let line = "  --seed 7  --variant machinations,hard,hard --players 3";
        assert_eq!(setup(line).to_string(), "--players 3 --deck bmr --variant hard,machinations --seed 7");
    }

    #[test]
    fn every_seed_is_written_in_one_way() {
        let key: Vec<String> = ["0", "18446744073709551615"].map(String::from).into();
        for text in key {
            assert_eq!(text.parse::<Seed>().map(|seed| seed.to_string()), Ok(text));
        }
        let long = format!("{:064x}", 5);
        assert_eq!(long.parse::<Seed>().map(|seed| seed.to_string()), Ok(long));
        let small = format!("05{:062x}", 0);
        assert_eq!(small.parse::<Seed>().map(|seed| seed.to_string()), Ok("5".into()));
        assert_eq!(Seed::from(9).nth(0), 9.into());
        assert_ne!(Seed::from(9).nth(1), Seed::from(9).nth(2));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_the_reason() {
        for (line, reason) in [
            ("", "no seed"),
            ("--players 2", "no seed"),
            ("--seed", "`--seed` has no value"),
            ("--deck --seed 3", "`--deck` has no value"),
            ("--seed 1 --seed 1", "written twice"),
            ("--seed -1", "`-1` is not a valid seed"),
            ("--seed 18446744073709551616", "is not a valid seed"),
            ("--players 7 --seed 1", "write 1 to 6"),
            ("--players two --seed 1", "`two` is not a valid number of players"),
            ("--colour red --seed 1", "`--colour` is not part of a setup"),
            ("--variant hard,easy --seed 1", "there is no variant `easy`"),
            ("--variant crash-split --seed 1", "part of the ruleset `crash`"),
            ("--ruleset modern --seed 1", "there is no ruleset `modern`"),
            ("--deck ../x.deck --seed 1", "is not a deck name"),
            ("--deck x@12 --seed 1", "is not a deck name"),
            ("--deck x@+0ff11ee22dd33cc --seed 1", "is not a deck name"),
            ("--last-turn 0 --seed 1", "`0` is not a valid turn"),
        ] {
            let error = line.parse::<Setup>().expect_err(line).to_string();
            assert!(error.contains(reason), "`{line}`: {error}");
        }
    }

    #[test]
    fn variants_count_whether_they_are_written_before_the_ruleset_or_after() {
        let (before, after) = ("--variant hard --ruleset crash", "--ruleset crash --variant hard");
        assert_eq!(setup(&format!("{before} --seed 1")), setup(&format!("{after} --seed 1")));
        assert!(!setup(&format!("{before} --seed 1")).rules.edition().easy_heroes);
    }
}
