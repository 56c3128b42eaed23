//! Tries each answer in several possible worlds: games that look the same to this player but differ in the
//! hidden cards. In each, the turn is played to its end, and the resulting chances are compared.
//!
//! All answers meet the same worlds, so it shows early which of them are worse: these are tried no further.

mod race;

use std::sync::Arc;

use engine::view::View;
use engine::{Action, Actions, Game, Seat, SeatSet};

use crate::evaluate::Weights;
use crate::greedy::{Lookahead, without_thinking};
use crate::network::{Net, Nets, chances};
use crate::rollout::play_turn_by;
use crate::scratch::BuildScratch;
use crate::{Advice, Bot, BotRng, Pace};
use race::Race;

/// The most answers tried. If there are more, the greedy evaluation picks the most promising.
const BREADTH: usize = 12;

pub struct Planner {
    rng: BotRng,
    /// Worlds tried per answer and opponent: every opponent hides more cards.
    worlds: u32,
    nets: Nets,
    /// In its worlds everybody's rooms are chosen by the network: slower, but better.
    guided: bool,
    /// The share of answers given without thinking.
    careless: f64,
    /// For the shortlist.
    weights: Weights,
    pace: Option<Arc<dyn Pace>>,
}

impl Planner {
    pub fn new(seed: u64, worlds: u32) -> Planner {
        Planner {
            rng: BotRng::new(seed),
            worlds,
            nets: Nets::PLANNER,
            guided: false,
            careless: 0.0,
            weights: Weights::SELF_PLAY,
            pace: None,
        }
    }

    /// Gives this share of its answers without thinking.
    pub fn careless(seed: u64, worlds: u32, careless: f64) -> Planner {
        Planner { careless, ..Planner::new(seed, worlds) }
    }

    /// One in whose worlds everybody builds by the network.
    pub fn guided(seed: u64, worlds: u32) -> Planner {
        Planner { guided: true, ..Planner::new(seed, worlds) }
    }

    pub fn with_net(seed: u64, worlds: u32, net: &'static Net) -> Planner {
        Planner { nets: Nets::PLANNER.with(net), ..Planner::new(seed, worlds) }
    }

    fn values(&mut self, view: &View, legal: &Actions) -> Vec<(f64, Action)> {
        let Some(seat) = view.decision().map(|decision| decision.seat) else { return Vec::new() };
        let answers = self.shortlist(view, seat, legal);
        let net = self.nets.at(view.table());
        let (mut world, mut game) = (view.table().clone(), view.table().clone());
        let mut spare = BuildScratch::new(view.table());
        let guided = if self.guided { view.state().seats().collect() } else { SeatSet::EMPTY };
        let trial = Trial { net, seat, guided };
        let mut scratch = Actions::new();
        // All answers get the same worlds and the same luck, so that only the answers differ.
        let opponents = view.state().seats().count().saturating_sub(1).max(1);
        let worlds = self.worlds as usize * opponents;
        let mut race = Race::new(answers.len());
        for _ in 0..worlds {
            if race.is_decided() || self.pace.as_ref().is_some_and(|pace| !pace.go_on()) {
                break;
            }
            let luck = self.rng.seed();
            view.sample_into(luck, &mut world);
            race.next_world(|answer| {
                game.clone_from(&world);
                trial.chance_of(answers[answer], &mut game, luck, &mut scratch, &mut spare)
            });
        }
        race.ranking().into_iter().map(|(chance, answer)| (chance, answers[answer])).collect()
    }

    /// The answers to try; always includes passing.
    fn shortlist(&mut self, view: &View, seat: Seat, legal: &Actions) -> Vec<Action> {
        if legal.len() <= BREADTH {
            return legal.iter().copied().collect();
        }
        let weights = self.weights.at(view.state().rules());
        let mut lookahead = Lookahead::new(&mut self.rng, &weights, seat, view.table());
        let value = |action: &Action| (lookahead.value_of(view.table(), *action), *action);
        let mut values: Vec<(f64, Action)> = legal.iter().map(value).collect();
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        let pass = values.iter().position(|(_, action)| *action == Action::Pass);
        if let Some(pass) = pass.filter(|at| *at >= BREADTH) {
            values.swap(BREADTH - 1, pass);
        }
        values.into_iter().take(BREADTH).map(|(_, action)| action).collect()
    }
}

/// An answer tried in a world.
struct Trial<'n> {
    net: &'n Net,
    /// Who answers.
    seat: Seat,
    /// Who builds by the network in the rest of the turn.
    guided: SeatSet,
}

impl Trial<'_> {
    /// The seat's chance of winning with this answer, as estimated at the end of the turn.
    fn chance_of<'a>(
        &self,
        action: Action,
        game: &mut Game<'a>,
        luck: u64,
        legal: &mut Actions,
        spare: &mut BuildScratch<'a>,
    ) -> f64 {
        if game.apply(action, &mut ()).is_err() {
            return 0.0;
        }
        play_turn_by(self.net, self.guided, game, legal, &mut BotRng::new(luck), spare);
        chances(game, self.net, &mut spare.ahead)[self.seat.index()]
    }
}

impl Bot for Planner {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        if self.careless > 0.0 && self.rng.unit() < self.careless {
            return without_thinking(legal, &mut self.rng);
        }
        self.values(view, legal).first().map_or(legal[0], |(_, action)| *action)
    }

    fn set_pace(&mut self, pace: Arc<dyn Pace>) {
        self.pace = Some(pace);
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        let values = self.values(view, legal).into_iter();
        values.map(|(chance, action)| Advice { action, chance: Some(chance) }).collect()
    }
}
