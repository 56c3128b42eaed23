//! From a proof to a puzzle: is there exactly one line that reaches the goal?
//!
//! Invariant: a `Solution` is made of settled verdicts alone, and however chance falls on its lines, nothing is
//! left to find after that.

use std::collections::HashMap;

use engine::{Action, Chance, Game, Luck, Seat};
use thiserror::Error;

use crate::prove::{Goal, NODES, Outcomes, Prover, Verdict};

/// One answer on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub action: Action,
    /// The solver's only answer that works. Otherwise it is somebody else's, or every answer works.
    pub only: bool,
}

/// The line against the longest resistance, to the end of the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub line: Vec<Step>,
    /// What the proof took.
    pub nodes: u32,
}

impl Solution {
    /// How many answers have to be found.
    pub fn only(&self) -> usize {
        self.line.iter().filter(|step| step.only).count()
    }
}

/// Why a position is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    #[error("no answer reaches the goal against every reply")]
    NoSolution,
    #[error("{} answers reach the goal", .0.len())]
    Several(Vec<Action>),
    #[error("every answer reaches the goal")]
    NothingToFind,
    #[error("the line branches: later on, several answers work and others do not")]
    Branches,
    #[error("after something was left to chance, there is more to find")]
    Chance,
    #[error("it could not be settled within {NODES} steps")]
    Unsettled,
    #[error("another player is asked, or nobody")]
    NotAsked,
}

/// What the solver's answers are worth.
pub struct Sorted {
    pub works: Vec<Action>,
    pub fails: Vec<Action>,
}

/// Sorts the solver's answers. Gives up if one of them cannot be settled.
pub fn sort_answers(prover: &mut Prover, game: &Game) -> Result<Sorted, Flaw> {
    let (mut works, mut fails) = (Vec::new(), Vec::new());
    for action in prover.answers(game) {
        match prover.after(game, action) {
            Verdict::Reached => works.push(action),
            Verdict::Missed => fails.push(action),
            Verdict::Open => return Err(Flaw::Unsettled),
        }
        // Nothing that follows could make it a puzzle.
        if works.len() > 1 && !fails.is_empty() {
            return Err(Flaw::Several(works));
        }
    }
    Ok(Sorted { works, fails })
}

/// The game after an answer, and what that left to chance.
pub fn step<'a>(game: &Game<'a>, action: Action, luck: &Luck, seat: Seat) -> (Game<'a>, Chance) {
    let mut after = game.clone();
    let chance = after.step_under(action, luck, seat, &mut Vec::new()).unwrap_or(Chance::Shuffle);
    after.open_hands(seat);
    (after, chance)
}

/// Proves that the position is a puzzle, or says what is wrong with it. The game must be one with open hands.
pub fn solve(game: &Game, seat: Seat, goal: Goal) -> Result<Solution, Flaw> {
    if game.decision().is_none_or(|decision| decision.seat != seat) {
        return Err(Flaw::NotAsked);
    }
    let mut prover = Prover::new(game, seat, goal, NODES);
    let sorted = sort_answers(&mut prover, game)?;
    match (sorted.works.len(), sorted.fails.len()) {
        (0, _) => return Err(Flaw::NoSolution),
        (_, 0) => return Err(Flaw::NothingToFind),
        _ => {}
    }
    let mut lines = Lines { prover, known: HashMap::new() };
    lines.from(game, 0)?;
    let (mut line, mut at) = (Vec::new(), game.clone());
    while let Some(next) = lines.known.get(&at.position_key(seat)).and_then(|link| link.next) {
        line.push(next);
        at = step(&at, next.action, &Luck::default(), seat).0;
    }
    Ok(Solution { line, nodes: lines.prover.nodes() })
}

#[derive(Clone, Copy)]
struct Link {
    /// Answers to be found from here on.
    only: u32,
    next: Option<Step>,
}

/// Looks at every reply to the line, so the line is the only one whatever the others do.
struct Lines {
    prover: Prover,
    known: HashMap<[u8; 16], Link>,
}

impl Lines {
    fn from(&mut self, game: &Game, depth: u32) -> Result<Link, Flaw> {
        const END: Link = Link { only: 0, next: None };
        let asked = game.decision().filter(|_| self.prover.end(game).is_none());
        let Some(decision) = asked else { return Ok(END) };
        if depth > Prover::DEPTH {
            return Err(Flaw::Unsettled);
        }
        let seat = self.prover.seat;
        let key = game.position_key(seat);
        if let Some(link) = self.known.get(&key) {
            return Ok(*link);
        }
        let link = if decision.seat == seat {
            let sorted = match sort_answers(&mut self.prover, game) {
                Err(Flaw::Several(_)) if depth > 0 => return Err(Flaw::Branches),
                sorted => sorted?,
            };
            // Where every answer works, the last one is a pass if there is one.
            let Some(action) = sorted.works.last().copied() else { return Err(Flaw::Unsettled) };
            let only = !sorted.fails.is_empty();
            let rest = self.after(game, action, depth)?;
            Link { only: rest.only + u32::from(only), next: Some(Step { action, only }) }
        } else {
            let mut best: Option<Link> = None;
            for action in self.prover.answers(game) {
                let rest = self.after(game, action, depth)?;
                if best.is_none_or(|best| rest.only > best.only) {
                    best = Some(Link { only: rest.only, next: Some(Step { action, only: false }) });
                }
            }
            best.unwrap_or(END)
        };
        self.known.insert(key, link);
        Ok(link)
    }

    fn after(&mut self, game: &Game, action: Action, depth: u32) -> Result<Link, Flaw> {
        let (after, chance) = step(game, action, &Luck::default(), self.prover.seat);
        if chance != Chance::None {
            let mut outcomes = Outcomes::new(game, action, self.prover.seat);
            while let Some((after, _)) = outcomes.next() {
                if self.from(&after, depth + 1)?.only > 0 {
                    return Err(Flaw::Chance);
                }
            }
            if outcomes.unclear {
                return Err(Flaw::Chance);
            }
        }
        self.from(&after, depth + 1)
    }
}
