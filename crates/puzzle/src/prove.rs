//! Proves what can be reached this turn: an exhaustive search in which one seat chooses its own answers, and
//! everybody else and chance do whatever hurts most.
//!
//! Invariant: `Reached` and `Missed` hold for every answer of the others and however chance falls. What was
//! not settled within the limit is `Open`, and never counted as either.

use std::collections::HashMap;

use engine::{Action, Actions, Chance, Ending, Game, Luck, Seat};

/// What the solver has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// Win the game this turn.
    Win,
    /// Still be in the game when this turn is over.
    Survive,
}

impl Goal {
    pub const ALL: [Goal; 2] = [Goal::Win, Goal::Survive];

    pub fn name(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Survive => "survive",
        }
    }

    pub fn from_name(name: &str) -> Option<Goal> {
        Goal::ALL.into_iter().find(|goal| goal.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Reached,
    Missed,
    /// Not settled within the limit.
    Open,
}

/// Answers that may be tried until a position counts as too hard. Playing and checking a puzzle cost no more.
pub const NODES: u32 = 600;
/// How many ways chance may fall in one step.
const LUCKS: usize = 400;

pub struct Prover {
    pub seat: Seat,
    pub goal: Goal,
    turn: u16,
    limit: u32,
    nodes: u32,
    known: HashMap<[u8; 16], bool>,
    legal: Actions,
}

impl Prover {
    /// Answers one after the other that are looked at.
    pub const DEPTH: u32 = 120;

    /// For the present turn of the game.
    pub fn new(game: &Game, seat: Seat, goal: Goal, limit: u32) -> Prover {
        let turn = game.state.turn();
        Prover { seat, goal, turn, limit, nodes: 0, known: HashMap::new(), legal: Actions::new() }
    }

    /// Steps taken so far.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Whether the goal was reached, once the turn or the game is over.
    pub fn end(&self, game: &Game) -> Option<bool> {
        if let Some(outcome) = game.outcome().filter(|outcome| outcome.reason != Ending::Stopped) {
            // A game for one ends with a score; what can be saved there is that it goes on.
            return Some(outcome.winner == self.seat && game.state.rules().players > 1);
        }
        let stopped = game.outcome().is_some();
        let over = stopped || game.state.turn() != self.turn || !game.state.in_game(self.seat);
        over.then(|| self.goal == Goal::Survive && game.state.in_game(self.seat))
    }

    /// Can the solver reach the goal from here, whatever happens?
    pub fn verdict(&mut self, game: &Game) -> Verdict {
        self.settle(game, 0)
    }

    /// Can the solver still reach the goal after this answer, whoever gives it and however chance falls?
    pub fn after(&mut self, game: &Game, action: Action) -> Verdict {
        self.try_answer(game, action, 0).0
    }

    /// The same, with the luck that is bad for the solver if there is any.
    pub fn worst_luck(&mut self, game: &Game, action: Action) -> (Verdict, Luck) {
        self.try_answer(game, action, 0)
    }

    fn settle(&mut self, game: &Game, depth: u32) -> Verdict {
        if let Some(reached) = self.end(game) {
            return if reached { Verdict::Reached } else { Verdict::Missed };
        }
        let Some(decision) = game.decision() else { return Verdict::Open };
        if depth > Prover::DEPTH {
            return Verdict::Open;
        }
        let key = game.position_key(self.seat);
        if let Some(reached) = self.known.get(&key) {
            return if *reached { Verdict::Reached } else { Verdict::Missed };
        }
        // The solver looks for one good answer, the others for one that spoils it.
        let own = decision.seat == self.seat;
        let wanted = if own { Verdict::Reached } else { Verdict::Missed };
        let mut found = if own { Verdict::Missed } else { Verdict::Reached };
        for action in self.answers(game) {
            match self.try_answer(game, action, depth).0 {
                verdict if verdict == wanted => {
                    found = wanted;
                    break;
                }
                Verdict::Open => found = Verdict::Open,
                _ => {}
            }
            if self.nodes >= self.limit {
                return Verdict::Open;
            }
        }
        if found != Verdict::Open {
            self.known.insert(key, found == Verdict::Reached);
        }
        found
    }

    /// Different answers, acting before passing: most that decides anything is done, not left.
    pub fn answers(&mut self, game: &Game) -> Vec<Action> {
        game.legal(&mut self.legal);
        let mut answers: Vec<(Action, Action)> = Vec::with_capacity(self.legal.len());
        for action in self.legal.iter().copied() {
            let first = alike(game, action);
            if answers.iter().all(|(_, other)| *other != first) {
                answers.push((action, first));
            }
        }
        answers.sort_by_key(|(action, _)| matches!(action, Action::Pass | Action::No));
        answers.into_iter().map(|(action, _)| action).collect()
    }

    fn try_answer(&mut self, game: &Game, action: Action, depth: u32) -> (Verdict, Luck) {
        let (mut found, mut tried) = (Verdict::Reached, 0);
        let mut outcomes = Outcomes::new(game, action, self.seat);
        while let Some((after, luck)) = outcomes.next() {
            self.nodes += 1;
            tried += 1;
            if self.nodes >= self.limit || tried > LUCKS {
                return (Verdict::Open, Luck::default());
            }
            match self.settle(&after, depth + 1) {
                Verdict::Missed => return (Verdict::Missed, luck),
                Verdict::Open => found = Verdict::Open,
                Verdict::Reached => {}
            }
        }
        if outcomes.unclear {
            found = Verdict::Open;
        }
        (found, Luck::default())
    }
}

/// Every way an answer can turn out.
pub struct Outcomes<'g, 'a> {
    game: &'g Game<'a>,
    action: Action,
    seat: Seat,
    left: Vec<Luck>,
    /// There are others, which cannot be followed.
    pub unclear: bool,
}

impl<'g, 'a> Outcomes<'g, 'a> {
    pub fn new(game: &'g Game<'a>, action: Action, seat: Seat) -> Outcomes<'g, 'a> {
        Outcomes { game, action, seat, left: vec![Luck::default()], unclear: false }
    }

    pub fn next(&mut self) -> Option<(Box<Game<'a>>, Luck)> {
        while let Some(luck) = self.left.pop() {
            let mut after = Box::new(self.game.clone());
            match after.step_under(self.action, &luck, self.seat, &mut Vec::new()) {
                Ok(Chance::None) => {
                    after.open_hands(self.seat);
                    return Some((after, luck));
                }
                Ok(Chance::Pick(candidates)) => self.left.extend((0..candidates).map(|nth| {
                    let mut more = luck.clone();
                    more.picks.push(nth);
                    more
                })),
                Ok(Chance::Card(card)) => {
                    let defs = self.game.could_be(card, self.seat, &luck);
                    self.left.extend(defs.into_iter().map(|def| {
                        let mut more = luck.clone();
                        more.cards.push((card, def));
                        more
                    }));
                }
                Ok(Chance::Shuffle) | Err(_) => self.unclear = true,
            }
        }
        None
    }
}

/// The first of the answers that differ only in which of two equal cards of a hand is meant.
pub fn alike(game: &Game, action: Action) -> Action {
    let first = |card: engine::CardId| {
        let place = game.state.card(card).place;
        if place.zone() != engine::Zone::Hand {
            return card;
        }
        let same = |id: &engine::CardId| game.def_id(*id) == game.def_id(card);
        game.state.pile(place).filter(same).min().unwrap_or(card)
    };
    match action {
        Action::Use { ability, card } => Action::Use { ability, card: first(card) },
        Action::Build { spot, card } => Action::Build { spot, card: first(card) },
        Action::Promote { card } => Action::Promote { card: first(card) },
        Action::Sell { card } => Action::Sell { card: first(card) },
        Action::Pick(r) => match game.state.present(r) {
            Some(card) => Action::Pick(game.state.ref_of(first(card))),
            None => action,
        },
        other => other,
    }
}
