//! Monte-Carlo tree search over what is not known: every simulation deals the unseen cards anew
//! (`View::sample`), goes down one tree shared by all these worlds, plays the turn to its end quickly, and asks
//! `outlook` for the chances. Edges count how often they were possible, so that a card the others may not hold
//! is not missed for that; and a card of a hand is known by its print, for in every world another one lies there.
//!
//! The budget is a number of simulations, never a time: the same seed gives the same answer anywhere.

use engine::view::View;
use engine::{Action, Actions, CardId, Game, PlaceKind, Seat};

use crate::greedy::value_of;
use crate::outlook::{NET, Net, chances};
use crate::rollout::{build_gain, play_turn};
use crate::worth::Weights;
use crate::{Advice, Bot, Dice};

/// How much is thought about one answer: at most, for it stops once nothing can change the answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub simulations: u32,
}

/// How strongly what was tried little is tried again.
const CURIOSITY: f64 = 0.5;
/// An answer is settled when it leads by this part of the simulations that are left: another one would have to get
/// two thirds of them.
const SETTLED: u32 = 3;
/// How much worth at first sight makes an answer nearly three times as promising.
const FIRST_SIGHT: f64 = 6.0;

pub struct Search {
    budget: Budget,
    net: &'static Net,
    weights: Weights,
    dice: Dice,
    tree: Vec<Node>,
    /// The decision the tree stands at, if it can be gone on with.
    next: Option<u32>,
    legal: Actions,
}

struct Node {
    seat: Seat,
    edges: Vec<Edge>,
}

struct Edge {
    /// What it means in any world, and the answer itself where it was first met.
    key: u64,
    action: Action,
    /// How good it looks before anything is known.
    prior: f64,
    visits: u32,
    /// Simulations in which it was possible.
    available: u32,
    /// Chances to win that were found, all together.
    total: f64,
    child: Option<usize>,
}

impl Search {
    pub fn new(seed: u64, budget: Budget) -> Search {
        Search::by(seed, budget, &NET)
    }

    /// One that has learned the chances elsewhere.
    pub fn by(seed: u64, budget: Budget, net: &'static Net) -> Search {
        let dice = Dice::new(seed);
        Search {
            budget,
            net,
            weights: Weights::BY_PLAY,
            dice,
            tree: Vec::new(),
            next: None,
            legal: Actions::new(),
        }
    }

    /// Thinks, and gives the edges from the present question, best first.
    fn think(&mut self, view: &View) -> Vec<(Action, u32, f64)> {
        let Some(decision) = view.decision() else { return Vec::new() };
        if self.next != Some(view.state().decisions()) {
            self.tree.clear();
            self.tree.push(Node { seat: decision.seat, edges: Vec::new() });
        }
        self.next = None;
        self.look_first(view, decision.seat);
        for left in (1..=self.budget.simulations).rev() {
            if left % 16 == 0 && self.is_decided(left) {
                break;
            }
            let seed = self.dice.seed();
            self.simulate(view.sample(seed));
        }
        let edges = self.tree[0].edges.iter();
        let mut found: Vec<_> = edges
            .map(|edge| (edge.action, edge.visits, edge.total / f64::from(edge.visits.max(1))))
            .collect();
        found.sort_by_key(|(_, visits, _)| std::cmp::Reverse(*visits));
        found
    }

    /// The answer tried most often is given: is it as good as certain that it will be no other?
    fn is_decided(&self, left: u32) -> bool {
        let (mut most, mut second) = (0, 0);
        for edge in &self.tree[0].edges {
            if edge.visits > most {
                (most, second) = (edge.visits, most);
            } else {
                second = second.max(edge.visits);
            }
        }
        most > second + left / SETTLED
    }

    /// What the answers promise at first sight, as the greedy bot sees it.
    fn look_first(&mut self, view: &View, seat: Seat) {
        let table = view.table();
        let mut legal = Actions::new();
        view.legal(&mut legal);
        let values: Vec<f64> = legal
            .iter()
            .map(|action| value_of(&mut self.dice, &self.weights, &table, seat, *action))
            .collect();
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = values.iter().map(|value| ((value - best) / FIRST_SIGHT).exp()).collect();
        let sum: f64 = weights.iter().sum();
        // A tree gone on with has also what was possible in other worlds.
        let keys: Vec<u64> = legal.iter().map(|action| key(&table, *action)).collect();
        self.tree[0].edges.retain(|edge| keys.contains(&edge.key));
        for ((action, key), weight) in legal.iter().zip(keys).zip(weights) {
            let index = self.tree[0].edge(&table, *action, key);
            // In another world it may have been another card of the same print.
            self.tree[0].edges[index].action = *action;
            self.tree[0].edges[index].prior = weight / sum;
        }
    }

    fn simulate(&mut self, mut game: Game) {
        let mut path: Vec<(usize, usize)> = Vec::with_capacity(32);
        let mut at = 0;
        while let Some(decision) = game.decision() {
            game.legal(&mut self.legal);
            if self.legal.len() == 1 {
                let only = self.legal[0];
                if game.apply(only, &mut ()).is_err() {
                    return;
                }
                continue;
            }
            if self.tree[at].seat == Seat::NONE {
                self.tree[at].seat = decision.seat;
            } else if self.tree[at].seat != decision.seat {
                // In this world somebody else is asked here: the tree cannot tell, so the game is played out.
                break;
            }
            let (chosen, action) = self.tree[at].select(&game, &self.legal);
            path.push((at, chosen));
            let edge = &self.tree[at].edges[chosen];
            let (fresh, child) = (edge.visits == 0, edge.child);
            if game.apply(action, &mut ()).is_err() {
                return;
            }
            if fresh {
                break;
            }
            at = child.unwrap_or_else(|| {
                self.tree.push(Node { seat: Seat::NONE, edges: Vec::new() });
                let child = self.tree.len() - 1;
                self.tree[at].edges[chosen].child = Some(child);
                child
            });
        }
        play_turn(&mut game, &mut self.legal, &mut self.dice);
        let chances = chances(&game, self.net);
        for (node, edge) in path {
            let seat = self.tree[node].seat;
            let edge = &mut self.tree[node].edges[edge];
            edge.visits += 1;
            edge.total += chances[seat.index()];
        }
    }

    /// Goes on with the part of the tree below the answer, if the next question should be ours as well.
    fn keep(&mut self, view: &View, action: Action) {
        let edge = self.tree.first().and_then(|root| root.edges.iter().find(|edge| edge.action == action));
        let Some(child) = edge.and_then(|edge| edge.child) else { return };
        let seat = self.tree[0].seat;
        if self.tree[child].seat != seat {
            return;
        }
        self.tree = below(std::mem::take(&mut self.tree), child);
        self.next = Some(view.state().decisions() + 1);
    }
}

impl Bot for Search {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if legal.len() < 2 {
            return legal[0];
        }
        let found = self.think(view);
        let best = found.iter().find(|(action, ..)| legal.contains(action));
        let action = best.map_or(legal[0], |(action, ..)| *action);
        self.keep(view, action);
        action
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        let found = self.think(view).into_iter().filter(|(action, ..)| legal.contains(action));
        // Of what was never tried nothing is known.
        found
            .map(|(action, visits, chance)| Advice { action, chance: (visits > 0).then_some(chance) })
            .collect()
    }
}

impl Node {
    /// The edge to try next among those possible in this world, and what it is here.
    fn select(&mut self, game: &Game, legal: &Actions) -> (usize, Action) {
        let mut best = (f64::MIN, 0, Action::Pass);
        let (mut visits, mut total) = (0, 0.0);
        for edge in &self.edges {
            visits += edge.visits;
            total += edge.total;
        }
        let mean = if visits > 0 { total / f64::from(visits) } else { 0.5 };
        for action in legal.iter().copied() {
            let index = self.edge(game, action, key(game, action));
            let edge = &mut self.edges[index];
            edge.available += 1;
            let value = if edge.visits > 0 { edge.total / f64::from(edge.visits) } else { mean };
            let bonus = CURIOSITY * edge.prior * f64::from(edge.available).sqrt();
            let score = value + bonus / f64::from(1 + edge.visits);
            if score > best.0 {
                best = (score, index, action);
            }
        }
        (best.1, best.2)
    }

    /// The edge with this key; a new one if there is none.
    fn edge(&mut self, game: &Game, action: Action, key: u64) -> usize {
        self.edges.iter().position(|edge| edge.key == key).unwrap_or_else(|| {
            self.edges.push(Edge::new(game, action, key));
            self.edges.len() - 1
        })
    }
}

impl Edge {
    fn new(game: &Game, action: Action, key: u64) -> Edge {
        let prior = match action {
            Action::Build { .. } => (0.15 + 0.03 * f64::from(build_gain(game, action))).clamp(0.03, 0.6),
            Action::Pass | Action::No => 0.35,
            _ => 0.25,
        };
        Edge { key, action, prior, visits: 0, available: 0, total: 0.0, child: None }
    }
}

/// What an answer means in any world: a card of a hand is what is printed on it, any other is itself.
fn key(game: &Game, action: Action) -> u64 {
    let of = |card: CardId| match game.state.card(card).place.kind() {
        PlaceKind::Hand => 1 << 16 | u64::from(game.def_id(card).0),
        _ => u64::from(card.0),
    };
    match action {
        Action::Pass => 0,
        Action::Use { ability, card } => 1 << 32 | u64::from(ability) << 24 | of(card),
        Action::Build { spot, card } => 2 << 32 | u64::from(spot.0) << 24 | of(card),
        Action::Pick(picked) => match picked.as_card() {
            Some(card) => 3 << 32 | of(card),
            None => 4 << 32 | u64::from(picked.0),
        },
        Action::Yes => 5 << 32,
        Action::No => 6 << 32,
    }
}

/// The part of the tree that hangs on a node, which becomes the first.
fn below(tree: Vec<Node>, root: usize) -> Vec<Node> {
    let mut old: Vec<Option<Node>> = tree.into_iter().map(Some).collect();
    let mut new = Vec::new();
    let mut queue = std::collections::VecDeque::from([root]);
    let mut next = 1;
    while let Some(index) = queue.pop_front() {
        let Some(mut node) = old.get_mut(index).and_then(Option::take) else { continue };
        for edge in &mut node.edges {
            if let Some(child) = edge.child {
                queue.push_back(child);
                edge.child = Some(next);
                next += 1;
            }
        }
        new.push(node);
    }
    new
}
