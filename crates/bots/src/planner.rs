//! Reads the table as people do: who would lure whom, what would kill whom, and what the cards nobody sees
//! could change. Each answer is tried in several worlds that look like the table; there the turn is played on
//! to its end, and the chances that come of it are compared.

use engine::view::View;
use engine::{Action, Actions, Game, Seat};

use crate::outlook::{self, chances};
use crate::rollout::play_turn;
use crate::worth::Weights;
use crate::{Advice, Bot, Dice};

/// Answers looked at; of more, those that promise most at first sight.
const BREADTH: usize = 12;

pub struct Planner {
    dice: Dice,
    /// Worlds tried for each answer, for every opponent: each of them brings more that nobody sees.
    worlds: u32,
    /// What answers promise at first sight.
    weights: Weights,
}

impl Planner {
    pub fn new(seed: u64, worlds: u32) -> Planner {
        Planner { dice: Dice::new(seed), worlds, weights: Weights::BY_PLAY }
    }

    fn values(&mut self, view: &View, legal: &Actions) -> Vec<(f64, Action)> {
        let Some(seat) = view.decision().map(|decision| decision.seat) else { return Vec::new() };
        let mut values = self.first_sight(view, seat, legal);
        let mut scratch = Actions::new();
        // All answers meet the same worlds and the same luck, so that only the answers differ.
        let opponents = view.state().seats().count().saturating_sub(1).max(1);
        let worlds = self.worlds as usize * opponents;
        values.iter_mut().for_each(|(value, _)| *value = 0.0);
        for _ in 0..worlds {
            let luck = self.dice.seed();
            let world = view.sample(luck);
            for (value, action) in &mut values {
                *value += try_in(world.clone(), seat, *action, luck, &mut scratch);
            }
        }
        values.iter_mut().for_each(|(value, _)| *value /= worlds as f64);
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        values
    }

    /// The answers to look at, and passing.
    fn first_sight(&mut self, view: &View, seat: Seat, legal: &Actions) -> Vec<(f64, Action)> {
        let mut values: Vec<(f64, Action)> = legal.iter().map(|action| (0.0, *action)).collect();
        if values.len() > BREADTH {
            let table = view.table();
            for (value, action) in &mut values {
                *value = crate::greedy::value_of(&mut self.dice, &self.weights, table, seat, *action);
            }
            values.sort_by(|a, b| b.0.total_cmp(&a.0));
            let pass = values.iter().position(|(_, action)| *action == Action::Pass);
            if let Some(pass) = pass.filter(|at| *at >= BREADTH) {
                values.swap(BREADTH - 1, pass);
            }
            values.truncate(BREADTH);
        }
        values
    }
}

/// The chances at the end of the turn.
fn try_in(mut game: Game, seat: Seat, action: Action, luck: u64, legal: &mut Actions) -> f64 {
    if game.apply(action, &mut ()).is_err() {
        return 0.0;
    }
    play_turn(&mut game, legal, &mut Dice::new(luck));
    chances(&game, &outlook::PLANNER)[seat.index()]
}

impl Bot for Planner {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        self.values(view, legal).first().map_or(legal[0], |(_, action)| *action)
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        let values = self.values(view, legal).into_iter();
        values.map(|(chance, action)| Advice { action, chance: Some(chance) }).collect()
    }
}
