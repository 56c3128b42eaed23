//! A puzzle at the table in the terminal.

use ::puzzle::{Attempt, Broken, Goal, Puzzle, Stage, kind_of};
use cards::{CardDb, Deck};
use engine::record::{Record, SeatText};
use engine::tell;

use super::*;
use crate::term::BAD;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Solved,
    /// The person at the keyboard left.
    Left,
}

/// Plays the puzzle until it is solved or left; a wrong answer is refuted, and then it begins again.
pub fn play(puzzle: &Puzzle, deck: &Deck, db: &CardDb) -> Result<End, Failure> {
    let broken = |error: Broken| Failure::failed(format!("{}: {error}", puzzle.name()));
    let position = puzzle.position(db).map_err(broken)?;
    say(intro(puzzle))?;
    loop {
        let mut attempt = Attempt::new(puzzle, position.clone());
        let mut session = Session::of_puzzle(puzzle, deck, &attempt);
        while attempt.stage == Stage::Asked {
            session.game = attempt.game.clone();
            say(hands(puzzle, &attempt.game, &session.names))?;
            session.told_by_puzzle = attempt.hint().map(|action| (action, 0));
            match session.ask(puzzle.seat, &attempt.legal())? {
                Reply::Answer(action) => {
                    for played in attempt.answer(action) {
                        session.events.extend(played.events);
                    }
                }
                // Nothing of a puzzle is lost by beginning again.
                Reply::Undo => break,
                Reply::Quit => return Ok(End::Left),
            }
        }
        session.game = attempt.game.clone();
        session.show_news(puzzle.seat)?;
        match attempt.stage {
            Stage::Solved => {
                say(paint(GOOD, "\n  Solved: nothing they could have done would have helped.") + "\n")?;
                return Ok(End::Solved);
            }
            Stage::Failed => {
                let text = "\n  That does not work: above is what they do about it. Once more.";
                say(paint(BAD, text) + "\n\n")?;
            }
            Stage::Asked => say(paint(HEAD, "\n  From the beginning.") + "\n\n")?,
        }
    }
}

/// What the others hold, which the board does not show.
fn hands(puzzle: &Puzzle, game: &Game, names: &[String]) -> String {
    let others = game.state.order().iter().filter(|seat| **seat != puzzle.seat && game.state.in_game(**seat));
    let hand = |seat: &Seat| {
        let cards: Vec<&str> = game.state.hand(*seat).map(|card| game.name(card)).collect();
        let cards = if cards.is_empty() { "nothing".into() } else { cards.join(", ") };
        paragraph("  ", &format!("{} holds {cards}.", names[seat.index()]), DIM)
    };
    others.map(hand).collect()
}

/// What has to be done, in a sentence.
pub fn goal(puzzle: &Puzzle) -> &'static str {
    match (puzzle.goal, puzzle.setup.rules.players) {
        (Goal::Win, _) => "Win the game this turn, whatever the others do.",
        (Goal::Survive, 1) => "Keep the game going past the end of this turn.",
        (Goal::Survive, _) => "Survive: still be in the game when this turn is over.",
    }
}

fn intro(puzzle: &Puzzle) -> String {
    let only = puzzle.only();
    let answers = if only == 1 { "one answer".into() } else { format!("{only} answers") };
    let difficulty = puzzle.rating.difficulty().name();
    let about = format!(
        "{answers} to find, {difficulty}. All hands are open. `hint` helps, `undo` begins again, `quit` leaves."
    );
    let name = paint(HEAD, puzzle.name());
    format!("\n  {name}  {}\n{}", paint(BOLD, goal(puzzle)), paragraph("  ", &about, DIM))
}

impl<'a> Session<'a> {
    fn of_puzzle(puzzle: &Puzzle, deck: &Deck, attempt: &Attempt<'a>) -> Session<'a> {
        let name = |n: u8| if Seat(n) == puzzle.seat { story::YOU.into() } else { format!("p{}", n + 1) };
        let names: Vec<String> = (0..puzzle.setup.rules.players).map(name).collect();
        let seats = names.iter().map(|name| SeatText { name: name.clone(), kind: "person".into() });
        let game = attempt.game.clone();
        let record = Record::new(puzzle.setup.rules, puzzle.setup.seed, deck, game.db, seats.collect());
        let bots = names.iter().map(|_| None).collect();
        let start = SessionStart { game, names, bots, record, save: None, events: Vec::new(), told: 0 };
        let mut session = Session::new(start, String::new());
        session.at_keyboard = Some(puzzle.seat);
        session
    }

    /// First what kind of answer it is, then the answer.
    pub(super) fn hint_of_puzzle(&mut self, table: &Game, seat: Seat) -> Result<(), Failure> {
        let Some((action, asked)) = &mut self.told_by_puzzle else { return Ok(()) };
        *asked += 1;
        let words = match (*asked, kind_of(*action)) {
            (1, Some(kind)) => kind.into(),
            _ => tell::action(table, &self.names[..], Reader::Seat(seat), *action),
        };
        Ok(say(paragraph("  Hint: ", &words, GOOD))?)
    }
}
