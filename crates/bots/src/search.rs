//! Monte-Carlo tree search over what is not known: every simulation deals the unseen cards anew
//! (`View::sample`), goes down one tree shared by all these worlds, plays the turn to its end quickly, and asks
//! `outlook` for the chances. Edges count how often they were possible, so that a card the others may not hold
//! is not missed for that; and a card of a hand is known by its print, for in every world another one lies there.
//! Nobody in it answers by what they have not seen: who does not know which room was placed, learns from all of them.
//!
//! The budget is a number of simulations, never a time: the same seed gives the same answer on any machine.

mod tree;

use std::cmp::Ordering;

use engine::view::View;
use engine::{Action, Actions, CardId, Game, Seat, SeatSet};

use crate::greedy::value_of;
use crate::outlook::{self, Net, chances};
use crate::rollout::{play_turn_by, printed_worth};
use crate::worth::Weights;
use crate::{Advice, Bot, Dice};
use tree::{Edge, Tree, Way, key};

/// How much is thought about one answer: at most, for it stops once nothing is likely to change the answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub simulations: u32,
}

/// An answer is settled when it leads by this part of the simulations that are left: another one would have to get
/// two thirds of them.
const SETTLED: u32 = 3;
/// Or when it was tried so often, and what it is better by than any other is so many times what chance may account for.
const TRIED: u32 = 1_000;
const CERTAIN: f64 = 4.0;
/// How far the chances found in two simulations lie apart, at most as a rule: a standard deviation.
const SPREAD: f64 = 0.25;
/// How much worth at first sight makes an answer nearly three times as promising.
const FIRST_SIGHT: f64 = 6.0;

/// The chances of an answer are told if it was tried a so-manieth part as often as the one tried most.
const ENOUGH: u32 = 10;

pub struct Search {
    budget: Budget,
    net: &'static Net,
    weights: Weights,
    dice: Dice,
    tree: Tree,
    /// The decision the tree stands at, if it can be gone on with.
    next: Option<u32>,
    legal: Actions,
    /// Of the present simulation: nodes, and the edges taken there.
    path: Vec<(usize, usize)>,
}

/// Rooms that were placed in a simulation and are not revealed yet.
#[derive(Clone, Copy)]
struct Hidden {
    last: CardId,
    by: SeatSet,
    /// Where everybody else stands in the tree.
    shadow: Way,
}

impl Search {
    pub fn new(seed: u64, budget: Budget) -> Search {
        Search::by(seed, budget, &outlook::SEARCH)
    }

    /// One that has learned the chances elsewhere.
    pub fn by(seed: u64, budget: Budget, net: &'static Net) -> Search {
        Search {
            budget,
            net,
            weights: Weights::BY_PLAY,
            dice: Dice::new(seed),
            tree: Tree::default(),
            next: None,
            legal: Actions::new(),
            path: Vec::new(),
        }
    }

    /// Thinks, and gives the edges from the present question, best first.
    fn think(&mut self, view: &View) -> Vec<(Action, u32, f64)> {
        let Some(decision) = view.decision() else { return Vec::new() };
        if self.next != Some(view.state().decisions()) {
            self.tree.plant(decision.seat);
        }
        self.next = None;
        self.look_first(view, decision.seat);
        let guesses = placed(view.table(), decision.seat).next().is_some();
        for left in (1..=self.budget.simulations).rev() {
            if left % 16 == 0 && self.is_decided(left) {
                break;
            }
            let world =
                if guesses { self.likely(view, decision.seat) } else { view.sample(self.dice.seed()) };
            self.simulate(world);
        }
        let edges = self.tree.root().edges.iter();
        let mut found: Vec<_> = edges.map(|edge| (edge.action, edge.visits, edge.mean())).collect();
        found.sort_by_key(|(_, visits, _)| std::cmp::Reverse(*visits));
        found
    }

    /// Of two worlds the one in which the others have placed better rooms: they will not have placed just any.
    fn likely<'a>(&mut self, view: &View<'a>, me: Seat) -> Game<'a> {
        let [one, other] = [view.sample(self.dice.seed()), view.sample(self.dice.seed())];
        if liking(&other, me) > liking(&one, me) { other } else { one }
    }

    /// The answer tried most often is given: is it as good as certain that it will be no other?
    fn is_decided(&self, left: u32) -> bool {
        let edges = &self.tree.root().edges;
        let Some(best) = edges.iter().max_by_key(|edge| edge.visits) else { return true };
        let mut others = edges.iter().filter(|edge| edge.key != best.key);
        if others.clone().all(|edge| best.visits > edge.visits + left / SETTLED) {
            return true;
        }
        let worse = |edge: &Edge| {
            let error = SPREAD / f64::from(edge.visits.max(1)).sqrt();
            edge.visits > 0 && best.mean() - edge.mean() > CERTAIN * error
        };
        best.visits >= TRIED && others.all(worse)
    }

    /// What the answers promise at first sight, as the greedy bot sees it.
    fn look_first(&mut self, view: &View, seat: Seat) {
        let table = view.table();
        let mut legal = Actions::new();
        view.legal(&mut legal);
        let values: Vec<f64> = legal
            .iter()
            .map(|action| value_of(&mut self.dice, &self.weights, table, seat, *action))
            .collect();
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = values.iter().map(|value| libm::exp((value - best) / FIRST_SIGHT)).collect();
        let sum: f64 = weights.iter().sum();
        // A tree gone on with has also what was possible in other worlds.
        let keys: Vec<u64> = legal.iter().map(|action| key(table, *action)).collect();
        let root = self.tree.root_mut();
        root.edges.retain(|edge| keys.contains(&edge.key));
        for ((action, key), weight) in legal.iter().zip(keys).zip(weights) {
            let index = root.edge(table, *action, key);
            // In another world it may have been another card of the same print.
            root.edges[index].action = *action;
            root.edges[index].prior = weight / sum;
        }
    }

    fn simulate(&mut self, mut game: Game) {
        self.path.clear();
        let mut way: Option<Way> = None;
        let mut hidden: Option<Hidden> = None;
        while let Some(decision) = game.decision() {
            game.legal(&mut self.legal);
            if self.legal.len() == 1 {
                let only = self.legal[0];
                if game.apply(only, &mut ()).is_err() {
                    return;
                }
                continue;
            }
            let at = way.map_or(0, |way| self.tree.follow(way, decision.seat));
            hidden = hidden.filter(|hidden| game.is_facedown(hidden.last));
            let shadow = hidden.map(|hidden| self.tree.follow(hidden.shadow, decision.seat));
            let stands = match (hidden, shadow) {
                (Some(hidden), Some(shadow)) if !hidden.by.has(decision.seat) => shadow,
                _ => at,
            };
            let node = self.tree.node(stands);
            let (chosen, action) = node.select(&game, &self.legal);
            let edge = &node.edges[chosen];
            let (fresh, key) = (edge.visits == 0, edge.key);
            self.path.push((stands, chosen));
            if game.apply(action, &mut ()).is_err() {
                return;
            }
            if fresh {
                break;
            }
            way = Some(Way { from: at, key, shadow: false });
            let from = shadow.unwrap_or(at);
            hidden = match action {
                Action::Build { spot, card } if game.is_facedown(card) => {
                    let by = hidden.map_or(SeatSet::EMPTY, |hidden| hidden.by).with(decision.seat);
                    let shadow = Way { from, key: 1 << 40 | u64::from(spot.0), shadow: true };
                    Some(Hidden { last: card, by, shadow })
                }
                _ => hidden.map(|hidden| Hidden { shadow: Way { from, key, shadow: true }, ..hidden }),
            };
        }
        play_turn_by(self.net, &mut game, &mut self.legal, &mut self.dice);
        let chances = chances(&game, self.net);
        for (node, edge) in &self.path {
            let node = self.tree.node(*node);
            node.edges[*edge].count(chances[node.seat.index()]);
        }
    }
}

/// Rooms the others have placed and not yet revealed.
fn placed<'a>(game: &'a Game, me: Seat) -> impl Iterator<Item = CardId> + 'a {
    let others = game.state.seats().filter(move |seat| *seat != me);
    others.flat_map(|seat| game.state.slots(seat).iter().copied()).filter(|room| game.is_facedown(*room))
}

/// How well the others did to place what they have placed.
fn liking(game: &Game, me: Seat) -> i32 {
    let of = |room: CardId| {
        let def = game.def(room);
        let beneath = game.state.stack(room).nth(1).map(|card| game.def(card));
        // An advanced room lies on another one that shares a treasure with it.
        let fits = !def.advanced || beneath.is_some_and(|beneath| def.shares_icon(beneath));
        if fits { printed_worth(def) } else { i32::from(i8::MIN) }
    };
    placed(game, me).map(of).sum()
}

impl Bot for Search {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        let found = self.think(view);
        let best = found.iter().find(|(action, ..)| legal.contains(action));
        let action = best.map_or(legal[0], |(action, ..)| *action);
        // If the next question should be ours as well, the tree goes on from there.
        self.next = self.tree.step(action).then(|| view.state().decisions() + 1);
        action
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        let found = self.think(view).into_iter().filter(|(action, ..)| legal.contains(action));
        let found: Vec<_> = found.collect();
        // Of what was hardly tried, because it promised little, nothing certain is known.
        let enough = found.first().map_or(0, |(_, visits, _)| visits / ENOUGH).max(1);
        let chance = |(action, visits, chance): (Action, u32, f64)| Advice {
            action,
            chance: (visits >= enough).then_some(chance),
        };
        let mut advice: Vec<Advice> = found.into_iter().map(chance).collect();
        advice.sort_by(|a, b| b.chance.partial_cmp(&a.chance).unwrap_or(Ordering::Equal));
        advice
    }
}
