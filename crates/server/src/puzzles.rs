//! Puzzles as browsers play them: the client has the answers given so far, and everything follows from them.
//!
//! Invariants: nothing is kept between two answers; what solves a puzzle is told only to whoever asks for the
//! solution; the search behind one answer is limited.

use cards::library;
use engine::record::ActionText;
use engine::tell::Reader;
use engine::{Actions, Game, Luck};
use puzzle::{Attempt, Broken, Difficulty, Goal, Puzzle, Stage, shipped, step};
use thiserror::Error;
use wire::{Choice, Decision, Event, Start, Table, seat_number};

use crate::hall::PlayableDeck;
use crate::table::is_window;
use crate::wire::{
    PuzzleDifficulty, PuzzleGoal, PuzzleInfo, PuzzleReply, PuzzleSolution, PuzzleStage, PuzzleStep, Undo,
    UndoAllowed, Update, WaitingFor, YourQuestion,
};

/// More answers than any line has.
pub const MOST_ANSWERS: usize = 200;

#[derive(Debug, Error)]
pub enum PuzzleError {
    #[error("this puzzle does not hold with the cards of this server: {0}")]
    Broken(#[from] Broken),
    #[error("answer {0} is not possible there: begin again")]
    Answer(usize),
}

/// The list, in which nothing is solved yet.
pub fn list(sets: &[cards::tree::Set]) -> Vec<PuzzleInfo> {
    let mut decks: Vec<(&str, String)> = Vec::new();
    let mut title = |name: &'static str| {
        if decks.last().is_none_or(|(last, _)| *last != name) {
            decks.push((name, library::deck(name, sets).map(|deck| deck.title).unwrap_or_default()));
        }
        decks.last().map(|(_, title)| title.clone()).unwrap_or_default()
    };
    let info = |puzzle: &'static Puzzle| PuzzleInfo {
        name: puzzle.name(),
        deck: puzzle.deck().into(),
        title: title(puzzle.deck()),
        goal: match puzzle.goal {
            Goal::Win => PuzzleGoal::Win,
            Goal::Survive => PuzzleGoal::Survive,
        },
        players: puzzle.setup.rules.players,
        seat: seat_number(puzzle.seat),
        answers: puzzle.only() as u8,
        missed: puzzle.rating.missed() as u8,
        difficulty: match puzzle.rating.difficulty() {
            Difficulty::Easy => PuzzleDifficulty::Easy,
            Difficulty::Tricky => PuzzleDifficulty::Tricky,
            Difficulty::Hard => PuzzleDifficulty::Hard,
            Difficulty::Fiendish => PuzzleDifficulty::Fiendish,
        },
        solved: false,
    };
    shipped::ALL.iter().map(info).collect()
}

/// What comes of the last of these answers; without any, the position.
pub fn play(puzzle: &Puzzle, cards: &PlayableDeck, answers: &[u16]) -> Result<PuzzleReply, PuzzleError> {
    let position = puzzle.position(&cards.db)?;
    let mut attempt = Attempt::new(puzzle, position);
    let mut last = Vec::new();
    let mut seq = 1;
    for (at, index) in answers.iter().enumerate() {
        let chosen = attempt.legal().get(usize::from(*index)).copied();
        let action = chosen.ok_or(PuzzleError::Answer(at + 1))?;
        seq += last.len() as u32;
        last = attempt.answer(action);
    }
    let names = names(puzzle);
    let stage = match attempt.stage {
        Stage::Asked => PuzzleStage::Asked,
        Stage::Solved => PuzzleStage::Solved,
        Stage::Failed => PuzzleStage::Failed,
    };
    let reader = Reader::Seat(puzzle.seat);
    if answers.is_empty() {
        let mut start = Start::of(&attempt.game.view(Some(puzzle.seat)));
        cards.mark(&mut start);
        let first = update(puzzle, &attempt.game, &names, seq, true, Vec::new(), Some(&attempt.legal()));
        return Ok(PuzzleReply { stage, start: Some(start), updates: vec![first] });
    }
    let legal = attempt.legal();
    let steps = last.len();
    let updates = (1..).zip(&last).map(|(nth, played)| {
        let events = Event::all(&cards.db, &names[..], reader, &played.events);
        let asked = Some(&legal).filter(|_| nth == steps && stage == PuzzleStage::Asked);
        update(puzzle, &played.after, &names, seq + nth as u32, false, events, asked)
    });
    Ok(PuzzleReply { stage, start: None, updates: updates.collect() })
}

/// The whole line in words.
pub fn solution(puzzle: &Puzzle, cards: &PlayableDeck) -> Result<PuzzleSolution, PuzzleError> {
    let (mut game, names) = (puzzle.position(&cards.db)?, names(puzzle));
    let mut line = Vec::new();
    for next in &puzzle.line {
        let seat = game.decision().map_or(puzzle.seat, |decision| decision.seat);
        if !game.is_legal(next.action) {
            let broken = Broken::Move(puzzle.moves.len() + line.len() + 1, ActionText(next.action).to_string());
            return Err(broken.into());
        }
        let words = Choice::of(&game, &names[..], Reader::Seat(puzzle.seat), next.action).words;
        line.push(PuzzleStep { seat: seat_number(seat), words, only: next.only });
        game = step(&game, next.action, &Luck::default(), puzzle.seat).0;
    }
    Ok(PuzzleSolution { line })
}

fn names(puzzle: &Puzzle) -> Vec<String> {
    (1..=puzzle.setup.rules.players).map(|n| format!("p{n}")).collect()
}

fn update(
    puzzle: &Puzzle,
    game: &Game,
    names: &[String],
    seq: u32,
    fresh: bool,
    events: Vec<Event>,
    asked: Option<&Actions>,
) -> Update {
    let view = game.view(Some(puzzle.seat));
    let (table, reader) = (view.table(), Reader::Seat(puzzle.seat));
    let decision = view.decision().filter(|_| asked.is_some());
    Update {
        seq,
        fresh,
        view: Table::of(&view),
        events,
        waiting: decision.map(|decision| WaitingFor {
            seat: seat_number(decision.seat),
            window: is_window(decision.question),
            left_ms: None,
            held: false,
        }),
        ask: decision.zip(asked).map(|(decision, legal)| YourQuestion {
            decision: Decision::of(table, names, reader, decision),
            legal: legal.iter().map(|action| Choice::of(table, names, reader, *action)).collect(),
            armed: None,
        }),
        armable: Vec::new(),
        undo: Undo { allowed: UndoAllowed::No, words: "Begin the puzzle again instead.".into() },
        over: None,
    }
}
