//! Looks one step ahead: tries each answer on its own view of the table, sees what it leads to when nobody
//! else does anything, and takes the best.

use engine::view::View;
use engine::{Action, Actions, Game, Question, Seat};

use crate::worth::{Weights, worth};
use crate::{Advice, Bot, Dice};

/// Questions that follow from one answer and are thought through.
const DEPTH: u8 = 3;
/// Answers that are tried for each of them.
const BREADTH: usize = 10;
/// Answers of others on the way to the next window.
const SETTLE: u32 = 24;

pub struct Greedy {
    dice: Dice,
    /// The part of the answers that are given without thinking.
    careless: f64,
    weights: Weights,
}

impl Greedy {
    pub fn new(seed: u64) -> Greedy {
        Greedy::careless(seed, 0.0)
    }

    /// One that thinks only now and then.
    pub fn careless(seed: u64, careless: f64) -> Greedy {
        Greedy { dice: Dice::new(seed), careless, weights: Weights::BY_HAND }
    }

    /// One that goes by other weights.
    pub fn by(seed: u64, weights: Weights) -> Greedy {
        Greedy { weights, ..Greedy::new(seed) }
    }

    fn values(&mut self, view: &View, legal: &Actions) -> Vec<(f64, Action)> {
        let Some(seat) = view.decision().map(|decision| decision.seat) else { return Vec::new() };
        let table = view.table();
        let mut values: Vec<(f64, Action)> = Vec::with_capacity(legal.len());
        for action in legal.iter().copied() {
            // A little chance among equals; acting must be worth more than that.
            let whim = self.dice.unit() * 0.4;
            values.push((whim + value_of(&mut self.dice, &self.weights, table, seat, action), action));
        }
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        values
    }
}

impl Bot for Greedy {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        if self.careless > 0.0 && self.dice.unit() < self.careless {
            return legal[self.dice.below(legal.len())];
        }
        self.values(view, legal).first().map_or(legal[0], |(_, action)| *action)
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        self.values(view, legal).into_iter().map(|(_, action)| Advice { action, chance: None }).collect()
    }
}

/// What the answer is worth to the seat.
pub(crate) fn value_of(dice: &mut Dice, weights: &Weights, table: &Game, seat: Seat, action: Action) -> f64 {
    if action == Action::Pass {
        return worth(table, seat, weights) + 0.3;
    }
    let mut next = table.clone();
    match next.apply(action, &mut ()) {
        Ok(()) => follow(dice, weights, next, seat, DEPTH, &mut SETTLE.clone()),
        Err(_) => f64::MIN,
    }
}

/// The worth of the table once everything just begun is done: own questions answered well, the others doing
/// nothing.
fn follow(dice: &mut Dice, weights: &Weights, mut game: Game, seat: Seat, depth: u8, steps: &mut u32) -> f64 {
    let mut legal = Actions::new();
    while let Some(decision) = game.decision() {
        let at_rest = decision.question == Question::Act && game.state.pending().is_empty();
        if at_rest || *steps == 0 {
            break;
        }
        *steps -= 1;
        game.legal(&mut legal);
        let mine = decision.seat == seat && !matches!(decision.question, Question::Act | Question::Cancel);
        if mine && depth > 0 && legal.len() > 1 {
            let from = dice.below(legal.len());
            let tried = (0..legal.len().min(BREADTH)).map(|i| legal[(from + i) % legal.len()]);
            return tried
                .map(|action| {
                    let mut next = game.clone();
                    match next.apply(action, &mut ()) {
                        Ok(()) => follow(dice, weights, next, seat, depth - 1, &mut steps.clone()),
                        Err(_) => f64::MIN,
                    }
                })
                .fold(f64::MIN, f64::max);
        }
        let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
        let Some(answer) = idle.or(legal.first().copied()) else { break };
        if game.apply(answer, &mut ()).is_err() {
            break;
        }
    }
    worth(&game, seat, weights)
}
