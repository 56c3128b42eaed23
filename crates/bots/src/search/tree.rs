//! The search tree: the questions, the answers tried, and how they turned out.
//!
//! Invariant: a node always asks the same seat, whatever the world.

use engine::{Action, Actions, CardId, Game, Seat, Zone};

use crate::rollout::build_gain;

/// How strongly rarely tried answers are preferred.
const EXPLORATION: f64 = 0.5;

/// Nodes by index; the first is the current question.
#[derive(Default)]
pub struct Tree(Vec<Node>);

pub struct Node {
    /// Who is asked.
    pub seat: Seat,
    pub edges: Vec<Edge>,
    /// Where answers lead, by their key and by who is asked next, which may differ between worlds.
    children: Vec<(u64, Seat, usize)>,
    /// The same for players who saw that a room was placed but not which, by what they saw.
    shadows: Vec<(u64, Seat, usize)>,
}

/// Where an answer leads, before it is known who is asked there.
#[derive(Clone, Copy)]
pub struct Link {
    pub from: usize,
    /// The answer's key, or what is seen of it.
    pub key: u64,
    /// For players who have not seen every room that was placed.
    pub shadow: bool,
}

/// An answer that was possible in some world.
pub struct Edge {
    /// What identifies it in any world, and the answer itself in the world where it was first possible.
    pub key: u64,
    pub action: Action,
    /// How promising it looks before any simulation.
    pub prior: f64,
    pub visits: u32,
    /// Simulations in which it was possible.
    available: u32,
    /// The sum of the chances found.
    total: f64,
}

impl Tree {
    /// Starts again with nothing tried.
    pub fn reset(&mut self, seat: Seat) {
        self.0.clear();
        self.0.push(Node::of(seat));
    }

    pub fn root(&self) -> &Node {
        &self.0[0]
    }

    pub fn root_mut(&mut self) -> &mut Node {
        &mut self.0[0]
    }

    pub fn node(&mut self, at: usize) -> &mut Node {
        &mut self.0[at]
    }

    /// The node that a link leads to when this seat is asked next; added if it is new.
    pub fn follow(&mut self, way: Link, seat: Seat) -> usize {
        let next = self.0.len();
        let from = &mut self.0[way.from];
        let list = if way.shadow { &mut from.shadows } else { &mut from.children };
        let found = list.iter().find(|(key, of, _)| (*key, *of) == (way.key, seat)).map(|(.., at)| *at);
        if let Some(found) = found {
            return found;
        }
        list.push((way.key, seat, next));
        self.0.push(Node::of(seat));
        next
    }

    /// Keeps the part of the tree below an answer, if the same seat is asked next. Returns whether it did.
    pub fn advance(&mut self, action: Action) -> bool {
        let Some(root) = self.0.first() else { return false };
        let Some(edge) = root.edges.iter().find(|edge| edge.action == action) else { return false };
        let child = root.children.iter().find(|(key, seat, _)| (*key, *seat) == (edge.key, root.seat));
        let Some((.., child)) = child.copied() else { return false };
        self.0 = subtree(std::mem::take(&mut self.0), child);
        true
    }
}

impl Node {
    fn of(seat: Seat) -> Node {
        Node { seat, edges: Vec::new(), children: Vec::new(), shadows: Vec::new() }
    }

    /// The edge to try next among those possible in this world, and its action here.
    pub fn select(&mut self, game: &Game, legal: &Actions) -> (usize, Action) {
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
            let value = if edge.visits > 0 { edge.mean() } else { mean };
            let bonus = EXPLORATION * edge.prior * f64::from(edge.available).sqrt();
            let score = value + bonus / f64::from(1 + edge.visits);
            if score > best.0 {
                best = (score, index, action);
            }
        }
        (best.1, best.2)
    }

    /// The edge with this key; added if it is new.
    pub fn edge(&mut self, game: &Game, action: Action, key: u64) -> usize {
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
        Edge { key, action, prior, visits: 0, available: 0, total: 0.0 }
    }

    pub fn count(&mut self, chance: f64) {
        self.visits += 1;
        self.total += chance;
    }

    /// The mean chance of winning.
    pub fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

/// Identifies an answer in any world: a card in hand by what is printed on it, any other card by its ID.
pub fn key(game: &Game, action: Action) -> u64 {
    let of = |card: CardId| match game.state.card(card).place.zone() {
        Zone::Hand => 1 << 16 | u64::from(game.def_id(card).0),
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
        Action::Promote { card } => 7 << 32 | of(card),
        Action::Sell { card } => 8 << 32 | of(card),
        Action::TakeBack { card } => 9 << 32 | of(card),
    }
}

/// The part of the tree below a node, which becomes the root.
fn subtree(tree: Vec<Node>, root: usize) -> Vec<Node> {
    let mut old: Vec<Option<Node>> = tree.into_iter().map(Some).collect();
    let mut new = Vec::new();
    let mut queue = std::collections::VecDeque::from([root]);
    let mut next = 1;
    while let Some(index) = queue.pop_front() {
        let Some(mut node) = old.get_mut(index).and_then(Option::take) else { continue };
        for (.., to) in node.children.iter_mut().chain(&mut node.shadows) {
            queue.push_back(*to);
            *to = next;
            next += 1;
        }
        new.push(node);
    }
    new
}
