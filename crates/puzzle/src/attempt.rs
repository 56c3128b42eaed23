//! A puzzle being played: your answers, and what comes back.
//!
//! Invariant: what becomes of an answer depends on the puzzle and the answers so far alone, so a server need
//! not remember anything between two of them.

use engine::{Action, Actions, Event, Game, Luck, Seat};

use crate::prove::{NODES, Prover, Verdict, alike};
use crate::puzzle::Puzzle;

/// One attempt may take as much as so many proofs: what leaves the line is searched step by step.
const SEARCHES: u32 = 8;

/// How the attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// You are asked.
    Asked,
    /// The goal is reached.
    Solved,
    /// The last answer was wrong, and what followed has shown why.
    Failed,
}

/// One answer of anybody, and what happened.
#[derive(Clone)]
pub struct Played<'a> {
    pub seat: Seat,
    pub action: Action,
    pub before: Game<'a>,
    pub events: Vec<Event>,
    pub after: Game<'a>,
}

/// What kind of answer it is: a hint that leaves something to find.
pub fn kind_of(action: Action) -> Option<&'static str> {
    match action {
        Action::Pass => Some("It is best to leave something undone."),
        Action::Use { .. } => Some("A spell or an ability does it."),
        Action::Build { .. } => Some("It takes a room."),
        _ => None,
    }
}

pub struct Attempt<'a> {
    puzzle: &'a Puzzle,
    pub game: Game<'a>,
    pub stage: Stage,
    prover: Prover,
    /// How far along the line of the puzzle it is; `None` once it has left it.
    on_line: Option<usize>,
}

impl<'a> Attempt<'a> {
    /// `position` is the puzzle's.
    pub fn new(puzzle: &'a Puzzle, position: Game<'a>) -> Attempt<'a> {
        let prover = Prover::new(&position, puzzle.seat, puzzle.goal, SEARCHES * NODES);
        Attempt { puzzle, game: position, stage: Stage::Asked, prover, on_line: Some(0) }
    }

    /// Your answers; empty when it is over.
    pub fn legal(&self) -> Actions {
        let mut legal = Actions::new();
        if self.stage == Stage::Asked {
            self.game.legal(&mut legal);
        }
        legal
    }

    /// An answer that works: the line's, or off the line the first that does.
    pub fn hint(&mut self) -> Option<Action> {
        if self.stage != Stage::Asked {
            return None;
        }
        if let Some(step) = self.on_line.and_then(|at| self.puzzle.line.get(at)) {
            return Some(step.action);
        }
        let answers = self.prover.answers(&self.game);
        answers.into_iter().find(|answer| self.prover.after(&self.game, *answer) == Verdict::Reached)
    }

    /// Gives an answer, which must be legal, and plays on until you are asked again or it is over. A wrong
    /// answer is followed by everything up to the end of the turn, your own part as well.
    pub fn answer(&mut self, action: Action) -> Vec<Played<'a>> {
        let mut played = Vec::new();
        if self.stage != Stage::Asked || !self.game.is_legal(action) {
            return played;
        }
        let here = self.on_line.and_then(|at| self.puzzle.line.get(at)).map(|step| step.action);
        let line = here.filter(|line| alike(&self.game, *line) == alike(&self.game, action));
        // What follows on the line names the line's own card, not one that is equal to it.
        let (action, is_line) = (line.unwrap_or(action), line.is_some());
        let (verdict, luck) = match line {
            Some(_) => (Verdict::Reached, Luck::default()),
            None => self.prover.worst_luck(&self.game, action),
        };
        if verdict != Verdict::Reached {
            self.stage = Stage::Failed;
        }
        self.play(action, &luck, is_line, &mut played);
        while self.prover.end(&self.game).is_none() {
            let Some(decision) = self.game.decision() else { break };
            if decision.seat == self.puzzle.seat && self.stage == Stage::Asked && !self.is_found() {
                return played;
            }
            let (action, luck) = self.next();
            let before = played.len();
            self.play(action, &luck, true, &mut played);
            if played.len() == before {
                break;
            }
        }
        if self.stage == Stage::Asked {
            self.stage =
                if self.prover.end(&self.game) == Some(true) { Stage::Solved } else { Stage::Failed };
        }
        played
    }

    /// Nothing of the line is left to be found.
    fn is_found(&self) -> bool {
        self.on_line.is_some_and(|at| self.puzzle.line.iter().skip(at).all(|step| !step.only))
    }

    /// What follows when nobody need decide: the line, or what refutes the wrong answer.
    fn next(&mut self) -> (Action, Luck) {
        if let Some(step) = self.on_line.and_then(|at| self.puzzle.line.get(at)) {
            return (step.action, Luck::default());
        }
        let own = self.game.decision().is_some_and(|decision| decision.seat == self.puzzle.seat);
        let answers = self.prover.answers(&self.game);
        if self.stage == Stage::Failed && !own {
            for action in &answers {
                let (verdict, luck) = self.prover.worst_luck(&self.game, *action);
                if verdict == Verdict::Missed {
                    return (*action, luck);
                }
            }
        }
        let last = answers.last().copied().unwrap_or(Action::Pass);
        let luck = if self.stage == Stage::Failed {
            self.prover.worst_luck(&self.game, last).1
        } else {
            Luck::default()
        };
        (last, luck)
    }

    fn play(&mut self, action: Action, luck: &Luck, on_line: bool, played: &mut Vec<Played<'a>>) {
        let seat = self.game.decision().map_or(self.puzzle.seat, |decision| decision.seat);
        let (before, mut events) = (self.game.clone(), Vec::new());
        if self.game.step_under(action, luck, self.puzzle.seat, &mut events).is_err() {
            return;
        }
        self.game.open_hands(self.puzzle.seat);
        // Hands are open, so everything that happens with them can be seen.
        for event in &mut events {
            for shown in [&mut event.card, &mut event.cause, &mut event.room].into_iter().flatten() {
                shown.seen = shown.seen.with(self.puzzle.seat);
            }
        }
        self.on_line = self.on_line.filter(|_| on_line && self.stage == Stage::Asked).map(|at| at + 1);
        played.push(Played { seat, action, before, events, after: self.game.clone() });
    }
}
