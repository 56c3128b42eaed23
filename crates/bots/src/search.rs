//! Monte-Carlo tree search with hidden information. Every simulation deals the unseen cards again
//! (`View::sample`), descends one tree shared by all these worlds, plays the turn to its end quickly, and
//! asks `network` for the chances.
//!
//! Edges count how often they were possible, so that a card an opponent rarely holds is still explored
//! fairly. Cards in hand are identified by what is printed on them, since every world deals other copies.
//! Players in the tree do not react to rooms they have not seen: they share statistics over all of them.
//!
//! The budget is a number of simulations, not a time, so the same seed gives the same answer anywhere.

mod tree;

use std::cmp::Ordering;
use std::sync::Arc;

use engine::view::View;
use engine::{Action, Actions, CardId, Game, Seat, SeatSet};

use crate::evaluate::Weights;
use crate::greedy::Lookahead;
use crate::network::{Net, Nets, chances};
use crate::rollout::{play_turn_by, printed_value};
use crate::scratch::BuildScratch;
use crate::{Advice, Bot, BotRng, Pace};
use tree::{Edge, Link, Tree, key};

/// The most simulations per answer and opponent, each of whom hides more cards; it stops earlier once the answer is
/// settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub simulations: u32,
}

/// Every simulation adds less than a kilobyte to the tree.
pub(crate) const MOST_SIMULATIONS: u32 = 200_000;

/// An answer is settled when it leads by a third of the remaining simulations: another would need two
/// thirds of them.
const SETTLED: u32 = 3;
/// Or when it has been tried this often and is ahead of every other by this many standard errors.
const TRIED: u32 = 1_000;
const CERTAIN: f64 = 4.0;
/// A standard deviation of the chances found in single simulations.
const SPREAD: f64 = 0.25;
/// The evaluation lead that makes an answer e times as promising at first.
const PRIOR_SCALE: f64 = 6.0;

/// An answer's chance is reported only if it was tried at least a tenth as often as the most tried one.
const ENOUGH: u32 = 10;

pub struct Search {
    budget: Budget,
    nets: Nets,
    weights: Weights,
    rng: BotRng,
    tree: Tree,
    /// The decision the tree's root stands for, if the tree can be reused.
    next: Option<u32>,
    legal: Actions,
    /// The nodes of the current simulation, and the edges taken there.
    path: Vec<(usize, usize)>,
    pace: Option<Arc<dyn Pace>>,
}

/// Rooms placed during a simulation and not yet revealed.
#[derive(Clone, Copy)]
struct Hidden {
    last: CardId,
    by: SeatSet,
    /// Where players who have not seen them stand in the tree.
    shadow: Link,
}

impl Search {
    pub fn new(seed: u64, budget: Budget) -> Search {
        Search {
            budget,
            nets: Nets::SEARCH,
            weights: Weights::SELF_PLAY,
            rng: BotRng::new(seed),
            tree: Tree::default(),
            next: None,
            legal: Actions::new(),
            path: Vec::new(),
            pace: None,
        }
    }

    pub fn with_net(seed: u64, budget: Budget, net: &'static Net) -> Search {
        Search { nets: Nets::SEARCH.with(net), ..Search::new(seed, budget) }
    }

    /// Runs the simulations; returns every answer with its visits and mean chance, best first.
    fn think(&mut self, view: &View) -> Vec<(Action, u32, f64)> {
        let Some(decision) = view.decision() else { return Vec::new() };
        if self.next != Some(view.state().decisions()) {
            self.tree.reset(decision.seat);
        }
        self.next = None;
        let net = self.nets.at(view.table());
        self.set_priors(view, decision.seat);
        let guesses = facedown_rooms(view.table(), decision.seat).next().is_some();
        let mut world = view.table().clone();
        let mut other = guesses.then(|| world.clone());
        let mut spare = BuildScratch::new(&world);
        let opponents = view.state().seats().count().saturating_sub(1).max(1) as u32;
        let simulations = self.budget.simulations.saturating_mul(opponents).min(MOST_SIMULATIONS);
        for left in (1..=simulations).rev() {
            if left % 16 == 0 && (self.is_settled(left) || !self.goes_on()) {
                break;
            }
            view.sample_into(self.rng.seed(), &mut world);
            match &mut other {
                Some(other) => {
                    let world = self.more_plausible(view, decision.seat, &mut world, other);
                    self.simulate(net, world, &mut spare);
                }
                None => self.simulate(net, &mut world, &mut spare),
            }
        }
        let edges = self.tree.root().edges.iter();
        let mut found: Vec<_> = edges.map(|edge| (edge.action, edge.visits, edge.mean())).collect();
        found.sort_by_key(|(_, visits, _)| std::cmp::Reverse(*visits));
        found
    }

    fn goes_on(&self) -> bool {
        self.pace.as_ref().is_none_or(|pace| pace.go_on())
    }

    /// Of two worlds, the one in which opponents have placed better rooms: they do not place just any.
    fn more_plausible<'w, 'a>(
        &mut self,
        view: &View<'a>,
        me: Seat,
        one: &'w mut Game<'a>,
        other: &'w mut Game<'a>,
    ) -> &'w mut Game<'a> {
        view.sample_into(self.rng.seed(), other);
        if plausibility(other, me) > plausibility(one, me) { other } else { one }
    }

    /// Is the most tried answer almost certain to stay the most tried?
    fn is_settled(&self, left: u32) -> bool {
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

    /// Sets how promising each answer looks before any simulation, by the greedy evaluation.
    fn set_priors(&mut self, view: &View, seat: Seat) {
        let table = view.table();
        let mut legal = Actions::new();
        view.legal(&mut legal);
        let weights = self.weights.at(view.state().rules());
        let mut lookahead = Lookahead::new(&mut self.rng, &weights, seat, table);
        let values: Vec<f64> = legal.iter().map(|action| lookahead.value_of(table, *action)).collect();
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = values.iter().map(|value| libm::exp((value - best) / PRIOR_SCALE)).collect();
        let sum: f64 = weights.iter().sum();
        // A reused tree also has answers that were only possible in other worlds.
        let keys: Vec<u64> = legal.iter().map(|action| key(table, *action)).collect();
        let root = self.tree.root_mut();
        root.edges.retain(|edge| keys.contains(&edge.key));
        for ((action, key), weight) in legal.iter().zip(keys).zip(weights) {
            let index = root.edge(table, *action, key);
            // In another world it may have been another copy of the card.
            root.edges[index].action = *action;
            root.edges[index].prior = weight / sum;
        }
    }

    fn simulate<'a>(&mut self, net: &Net, game: &mut Game<'a>, spare: &mut BuildScratch<'a>) {
        self.path.clear();
        let mut way: Option<Link> = None;
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
            let position = match (hidden, shadow) {
                (Some(hidden), Some(shadow)) if !hidden.by.has(decision.seat) => shadow,
                _ => at,
            };
            let node = self.tree.node(position);
            let (chosen, action) = node.select(game, &self.legal);
            let edge = &node.edges[chosen];
            let (fresh, key) = (edge.visits == 0, edge.key);
            self.path.push((position, chosen));
            if game.apply(action, &mut ()).is_err() {
                return;
            }
            if fresh {
                break;
            }
            way = Some(Link { from: at, key, shadow: false });
            let from = shadow.unwrap_or(at);
            hidden = match action {
                Action::Build { spot, card } if game.is_facedown(card) => {
                    let by = hidden.map_or(SeatSet::EMPTY, |hidden| hidden.by).with(decision.seat);
                    let shadow = Link { from, key: 1 << 40 | u64::from(spot.0), shadow: true };
                    Some(Hidden { last: card, by, shadow })
                }
                _ => hidden.map(|hidden| Hidden { shadow: Link { from, key, shadow: true }, ..hidden }),
            };
        }
        // With more than one opponent, theirs would cost more than it brings.
        let (me, two) = (self.tree.root().seat, game.state.seats().count() < 3);
        let guided = if two { game.state.seats().collect() } else { SeatSet::EMPTY.with(me) };
        play_turn_by(net, guided, game, &mut self.legal, &mut self.rng, spare);
        let chances = chances(game, net, &mut spare.ahead);
        for (node, edge) in &self.path {
            let node = self.tree.node(*node);
            node.edges[*edge].count(chances[node.seat.index()]);
        }
    }
}

/// Opponents' face-down rooms.
fn facedown_rooms<'a>(game: &'a Game, me: Seat) -> impl Iterator<Item = CardId> + 'a {
    let others = game.state.seats().filter(move |seat| *seat != me);
    others.flat_map(|seat| game.state.slots(seat).iter().copied()).filter(|room| game.is_facedown(*room))
}

/// How good the opponents' face-down rooms are; impossible placements count heavily against.
fn plausibility(game: &Game, me: Seat) -> i32 {
    let of = |room: CardId| {
        let def = game.def(room);
        let beneath = game.state.stack(room).nth(1).map(|card| game.def(card));
        // An advanced room must lie on a room that shares a treasure icon with it.
        let fits = !def.advanced || beneath.is_some_and(|beneath| def.shares_icon(beneath));
        if fits { printed_value(def) } else { i32::from(i8::MIN) }
    };
    facedown_rooms(game, me).map(of).sum()
}

impl Bot for Search {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        let found = self.think(view);
        let best = found.iter().find(|(action, ..)| legal.contains(action));
        let action = best.map_or(legal[0], |(action, ..)| *action);
        // If the next question is ours as well, the tree is reused from there.
        self.next = self.tree.advance(action).then(|| view.state().decisions() + 1);
        action
    }

    fn set_pace(&mut self, pace: Arc<dyn Pace>) {
        self.pace = Some(pace);
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        let found = self.think(view).into_iter().filter(|(action, ..)| legal.contains(action));
        let found: Vec<_> = found.collect();
        // Little is known about answers that were hardly tried.
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
