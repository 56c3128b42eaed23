//! Looks one step ahead: tries each answer on its own view of the game, looks at the result if nobody
//! else does anything, and takes the best.

use engine::view::View;
use engine::{Action, Actions, Game, Question, Seat};

use crate::evaluate::{Weights, evaluate};
use crate::scratch::EvalScratch;
use crate::{Advice, Bot, BotRng};

/// How many follow-up questions of its own it thinks through.
const DEPTH: u8 = 3;
/// Answers tried for each of them.
const BREADTH: usize = 10;
/// The most answers played out until the game settles.
const SETTLE: u32 = 24;

pub struct Greedy {
    rng: BotRng,
    /// The share of answers given without thinking.
    careless: f64,
    /// Those it was given; otherwise the table's.
    weights: Option<Weights>,
}

impl Greedy {
    pub fn new(seed: u64) -> Greedy {
        Greedy::careless(seed, 0.0)
    }

    /// Gives this share of its answers without thinking.
    pub fn careless(seed: u64, careless: f64) -> Greedy {
        Greedy { rng: BotRng::new(seed), careless, weights: None }
    }

    pub fn with_weights(seed: u64, weights: Weights) -> Greedy {
        Greedy { weights: Some(weights), ..Greedy::new(seed) }
    }

    fn values(&mut self, view: &View, legal: &Actions) -> Vec<(f64, Action)> {
        let Some(seat) = view.decision().map(|decision| decision.seat) else { return Vec::new() };
        let mut values: Vec<(f64, Action)> = Vec::with_capacity(legal.len());
        let weights = self.weights.unwrap_or_else(|| Weights::HAND_SET.at(view.state().rules()));
        let mut lookahead = Lookahead::new(&mut self.rng, &weights, seat, view.table());
        for action in legal.iter().copied() {
            // Noise decides between equals; acting must gain more than that.
            let noise = lookahead.rng.unit() * 0.4;
            values.push((noise + lookahead.value_of(view.table(), action), action));
        }
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        values
    }
}

/// Any room is built, and nothing else is done that need not be: a random answer would often destroy a room for
/// nothing.
pub(crate) fn without_thinking(legal: &Actions, rng: &mut BotRng) -> Action {
    let builds: Vec<Action> =
        legal.iter().copied().filter(|action| matches!(action, Action::Build { .. })).collect();
    match legal.contains(&Action::Pass) {
        true if builds.is_empty() => Action::Pass,
        true => builds[rng.below(builds.len())],
        false => legal[rng.below(legal.len())],
    }
}

impl Bot for Greedy {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        if self.careless > 0.0 && self.rng.unit() < self.careless {
            return without_thinking(legal, &mut self.rng);
        }
        self.values(view, legal).first().map_or(legal[0], |(_, action)| *action)
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        self.values(view, legal).into_iter().map(|(_, action)| Advice { action, chance: None }).collect()
    }
}

/// Finds the value of answers to a seat by playing them out.
pub(crate) struct Lookahead<'t, 'a> {
    rng: &'t mut BotRng,
    weights: &'t Weights,
    seat: Seat,
    /// Unused games to try answers in: copying into one is cheaper than making one.
    spare: Vec<Box<Game<'a>>>,
    ahead: EvalScratch<'a>,
}

impl<'t, 'a> Lookahead<'t, 'a> {
    pub fn new(rng: &'t mut BotRng, weights: &'t Weights, seat: Seat, table: &Game<'a>) -> Lookahead<'t, 'a> {
        Lookahead { rng, weights, seat, spare: Vec::new(), ahead: EvalScratch::new(table) }
    }

    pub fn value_of(&mut self, table: &Game<'a>, action: Action) -> f64 {
        if action == Action::Pass {
            return evaluate(table, self.seat, self.weights, &mut self.ahead) + 0.3;
        }
        self.try_on(table, action, DEPTH, SETTLE)
    }

    fn try_on(&mut self, game: &Game<'a>, action: Action, depth: u8, steps: u32) -> f64 {
        let mut next = match self.spare.pop() {
            Some(mut spare) => {
                (*spare).clone_from(game);
                spare
            }
            None => Box::new(game.clone()),
        };
        let value = match next.apply(action, &mut ()) {
            Ok(()) => self.follow(&mut next, depth, steps),
            Err(_) => f64::MIN,
        };
        self.spare.push(next);
        value
    }

    /// The value once the game settles: its own questions answered well, the others doing nothing.
    fn follow(&mut self, game: &mut Game<'a>, depth: u8, mut steps: u32) -> f64 {
        let mut legal = Actions::new();
        while let Some(decision) = game.decision() {
            let at_rest = decision.question == Question::Act && game.state.pending().is_empty();
            if at_rest || steps == 0 {
                break;
            }
            steps -= 1;
            game.legal(&mut legal);
            let mine =
                decision.seat == self.seat && !matches!(decision.question, Question::Act | Question::Cancel);
            if mine && depth > 0 && legal.len() > 1 {
                let from = self.rng.below(legal.len());
                let tried = (0..legal.len().min(BREADTH)).map(|i| legal[(from + i) % legal.len()]);
                return tried
                    .fold(f64::MIN, |best, action| best.max(self.try_on(game, action, depth - 1, steps)));
            }
            let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
            let Some(answer) = idle.or(legal.first().copied()) else { break };
            if game.apply(answer, &mut ()).is_err() {
                break;
            }
        }
        evaluate(game, self.seat, self.weights, &mut self.ahead)
    }
}
