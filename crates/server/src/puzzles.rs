//! Puzzles as browsers play them: the client has the answers given so far, and everything follows from them.
//!
//! Invariants: nothing is kept between two answers; what solves a puzzle is told only to whoever asks for a hint or the
//! solution; the search behind a request is limited.

use engine::record::ActionText;
use engine::tell::{self, Reader};
use engine::{CardId, Game, Luck, Seat};
use puzzle::{Attempt, Broken, Difficulty, Goal, Played, Puzzle, Stage, kind_of, step};
use thiserror::Error;
use wire::{CardText, Choice, Decision, Event, Start, Table, seat_number};

use crate::hall::PlayableDeck;
use crate::table::preview;
use crate::wire::{
    Preview, PuzzleDifficulty, PuzzleGoal, PuzzleHint, PuzzleInfo, PuzzleMove, PuzzlePosition, PuzzleReason,
    PuzzleReply, PuzzleSolution, PuzzleStage, PuzzleStep, YourQuestion,
};

/// More answers than any line has.
pub const MOST_ANSWERS: usize = 200;

#[derive(Debug, Error)]
pub enum PuzzleError {
    #[error("this puzzle does not hold with the cards of this server: {0}")]
    Broken(#[from] Broken),
    #[error("no puzzle takes more than {MOST_ANSWERS} answers")]
    TooMany,
    #[error("answer {0} is not possible there: begin again")]
    NoSuchAnswer(usize),
    #[error("this attempt is over: nothing can be answered")]
    Over,
}

type Result<T, E = PuzzleError> = std::result::Result<T, E>;

/// An attempt, and in which words it is told.
struct Told<'a> {
    puzzle: &'a Puzzle,
    attempt: Attempt<'a>,
    /// By seat.
    names: Vec<String>,
    /// What the last answer led to.
    moves: Vec<Played<'a>>,
}

/// An entry of the list.
pub fn info(puzzle: &Puzzle, cards: &PlayableDeck) -> Result<PuzzleInfo> {
    Ok(info_of(puzzle, &puzzle.position(&cards.db)?))
}

fn info_of(puzzle: &Puzzle, position: &Game) -> PuzzleInfo {
    let boss = position.boss(puzzle.seat).map(|boss| position.def_id(boss));
    let boss = boss.map(|face| CardText::of(face.0, position.db.def(face), position.db.classes));
    PuzzleInfo {
        name: puzzle.name(),
        deck: puzzle.deck().into(),
        ruleset: puzzle.setup.rules.ruleset().name().into(),
        players: puzzle.setup.rules.players,
        turn: position.state.turn(),
        seat: seat_number(puzzle.seat),
        boss,
        goal: match puzzle.goal {
            Goal::Win => PuzzleGoal::Win,
            Goal::Survive => PuzzleGoal::Survive,
        },
        answers: puzzle.only() as u8,
        missed: puzzle.rating.missed() as u8,
        difficulty: match puzzle.rating.difficulty() {
            Difficulty::Easy => PuzzleDifficulty::Easy,
            Difficulty::Tricky => PuzzleDifficulty::Tricky,
            Difficulty::Hard => PuzzleDifficulty::Hard,
            Difficulty::Fiendish => PuzzleDifficulty::Fiendish,
        },
    }
}

pub fn position(puzzle: &Puzzle, cards: &PlayableDeck) -> Result<PuzzlePosition> {
    let told = Told::after(puzzle, cards, &[])?;
    let view = told.attempt.game.view(Some(puzzle.seat));
    Ok(PuzzlePosition {
        puzzle: info_of(puzzle, &told.attempt.game),
        start: Start::of(&view),
        view: Table::of(&view),
        ask: told.ask().ok_or(PuzzleError::Over)?,
        names: told.names,
    })
}

/// What comes of the last of these answers.
pub fn attempt(puzzle: &Puzzle, cards: &PlayableDeck, answers: &[u16]) -> Result<PuzzleReply> {
    let told = Told::after(puzzle, cards, answers)?;
    Ok(PuzzleReply {
        stage: match told.attempt.stage {
            Stage::Asked => PuzzleStage::Asked,
            Stage::Solved => PuzzleStage::Solved,
            Stage::Failed => PuzzleStage::Refuted,
        },
        moves: told.moves.iter().map(|played| told.tell(played)).collect(),
        view: Table::of(&told.attempt.game.view(Some(puzzle.seat))),
        ask: told.ask(),
    })
}

/// What another answer would do if nobody responded; its `seq` is the number of answers before it.
pub fn look(puzzle: &Puzzle, cards: &PlayableDeck, answers: &[u16], index: u16) -> Result<Preview> {
    let told = Told::after(puzzle, cards, answers)?;
    let action = told.attempt.legal().get(usize::from(index)).copied();
    let action = action.ok_or(PuzzleError::NoSuchAnswer(answers.len() + 1))?;
    Ok(preview(&told.attempt.game, puzzle.seat, &told.names, answers.len() as u32, index.into(), action))
}

/// Why a card cannot be used.
pub fn why(puzzle: &Puzzle, cards: &PlayableDeck, answers: &[u16], card: u16) -> Result<PuzzleReason> {
    let told = Told::after(puzzle, cards, answers)?;
    let (view, card) = (told.attempt.game.view(Some(puzzle.seat)), CardId(card));
    let words = match view.why_not(card) {
        Some(why) => tell::why_not(view.table(), &told.names[..], Reader::Seat(puzzle.seat), card, why),
        None => String::new(),
    };
    Ok(PuzzleReason { words })
}

pub fn hint(puzzle: &Puzzle, cards: &PlayableDeck, answers: &[u16]) -> Result<PuzzleHint> {
    let mut told = Told::after(puzzle, cards, answers)?;
    let action = told.attempt.hint().ok_or(PuzzleError::Over)?;
    let index = told.attempt.legal().iter().position(|other| *other == action).ok_or(PuzzleError::Over)?;
    let words = Choice::of(&told.attempt.game, &told.names[..], Reader::Seat(puzzle.seat), action).words;
    Ok(PuzzleHint { kind: kind_of(action).map(String::from), index: index as u16, words })
}

/// The whole line in words.
pub fn solution(puzzle: &Puzzle, cards: &PlayableDeck) -> Result<PuzzleSolution> {
    let mut game = puzzle.position(&cards.db)?;
    let names = names(puzzle, &game);
    let mut line = Vec::new();
    for next in &puzzle.line {
        let seat = game.decision().map_or(puzzle.seat, |decision| decision.seat);
        if !game.is_legal(next.action) {
            let nth = puzzle.moves.len() + line.len() + 1;
            return Err(Broken::Move(nth, ActionText(next.action).to_string()).into());
        }
        let words = Choice::of(&game, &names[..], Reader::Seat(puzzle.seat), next.action).words;
        line.push(PuzzleStep { seat: seat_number(seat), words, only: next.only });
        game = step(&game, next.action, &Luck::default(), puzzle.seat).0;
    }
    Ok(PuzzleSolution { line })
}

/// The players go by the names of their bosses.
fn names(puzzle: &Puzzle, game: &Game) -> Vec<String> {
    let name = |n: u8| match game.boss(Seat(n)) {
        Some(boss) => game.def(boss).face.short().into(),
        None => format!("player {}", n + 1),
    };
    (0..puzzle.setup.rules.players).map(name).collect()
}

impl<'a> Told<'a> {
    fn after(puzzle: &'a Puzzle, cards: &'a PlayableDeck, answers: &[u16]) -> Result<Told<'a>> {
        if answers.len() > MOST_ANSWERS {
            return Err(PuzzleError::TooMany);
        }
        let position = puzzle.position(&cards.db)?;
        let names = names(puzzle, &position);
        let mut told = Told { puzzle, attempt: Attempt::new(puzzle, position), names, moves: Vec::new() };
        for (nth, index) in (1..).zip(answers) {
            let action = told.attempt.legal().get(usize::from(*index)).copied();
            told.moves = told.attempt.answer(action.ok_or(PuzzleError::NoSuchAnswer(nth))?);
        }
        Ok(told)
    }

    fn reader(&self) -> Reader {
        Reader::Seat(self.puzzle.seat)
    }

    fn ask(&self) -> Option<YourQuestion> {
        let (game, names) = (&self.attempt.game, &self.names[..]);
        let legal = self.attempt.legal();
        let decision = game.decision().filter(|_| !legal.is_empty())?;
        Some(YourQuestion {
            decision: Decision::of(game, names, self.reader(), decision),
            legal: legal.iter().map(|action| Choice::of(game, names, self.reader(), *action)).collect(),
            armed: None,
        })
    }

    fn tell(&self, played: &Played) -> PuzzleMove {
        let (before, names) = (&played.before, &self.names[..]);
        let words = match played.action {
            engine::Action::Pass => String::new(),
            action => Choice::of(before, names, self.reader(), action).words,
        };
        PuzzleMove {
            seat: seat_number(played.seat),
            words,
            events: Event::all(before.db, names, self.reader(), &played.events),
        }
    }
}
