//! The game of a table: the answers so far, and what an answer told whom.
//!
//! Invariant: the game stands where its steps, played from the deal, lead.

use cards::CardDb;
use engine::record::{Fairness, Record, SeatText};
use engine::{Action, Actions, Decision, Event, Game, Illegal, PlaceKind, Seat, SeatSet, Setup};

use crate::hall::Cards;

/// A game, with everything needed to take back what can be taken back.
pub struct Play<'a> {
    pub game: Game<'a>,
    pub setup: Setup,
    pub fairness: Option<Fairness>,
    pub steps: Vec<Step>,
    /// Steps that were there from the start: a game taken up from a record.
    pub given: usize,
}

/// An answer, and why it may not be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub action: Action,
    pub seat: Seat,
    pub by: By,
    pub turn: u16,
    /// Chance decided something, or rooms were revealed.
    settled: bool,
    /// Whose cards somebody else has seen for the first time.
    shown: SeatSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Person,
    Bot,
    /// The table: passing for somebody, or the only possible answer.
    Table,
}

/// Whether a player's last answer can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeback {
    /// To where so many steps had been made.
    Freely(usize),
    ByConsent(usize),
    Nothing,
    /// The game is over.
    Over,
    /// Cards were drawn, shuffled or revealed since.
    Revealed,
}

impl<'a> Play<'a> {
    pub fn deal(
        cards: &'a Cards,
        setup: Setup,
        fairness: Option<Fairness>,
    ) -> Option<(Play<'a>, Vec<Event>)> {
        let mut events = Vec::new();
        let game = Game::new(&cards.db, setup.rules, setup.seed.0, &mut events).ok()?;
        Some((Play { game, setup, fairness, steps: Vec::new(), given: 0 }, events))
    }

    pub fn decision(&self) -> Option<Decision> {
        self.game.decision()
    }

    pub fn legal(&self) -> Actions {
        let mut legal = Actions::new();
        self.game.legal(&mut legal);
        legal
    }

    pub fn apply(&mut self, action: Action, by: By, events: &mut Vec<Event>) -> Result<(), Illegal> {
        let Some(decision) = self.game.decision() else { return Err(Illegal::GameOver) };
        let (turn, seen) = (self.game.state.turn(), Seen::of(&self.game));
        let from = events.len();
        self.game.apply(action, events)?;
        let settled = events[from..].iter().any(is_final);
        let shown = seen.newly(&self.game);
        let (settled, shown) = (settled || shown.is_none(), shown.unwrap_or(SeatSet::EMPTY));
        self.steps.push(Step { action, seat: decision.seat, by, turn, settled, shown });
        Ok(())
    }

    /// What the seat's wish to take back its last answer meets.
    pub fn takeback(&self, seat: Seat) -> Takeback {
        let mine = |step: &Step| step.seat == seat && step.by == By::Person;
        let Some(at) = self.steps[self.given..].iter().rposition(mine).map(|at| at + self.given) else {
            return Takeback::Nothing;
        };
        let since = &self.steps[at..];
        let others = |step: &Step| (0..8).map(Seat).any(|other| other != seat && step.shown.has(other));
        if since.iter().any(|step| step.settled || others(step)) {
            Takeback::Revealed
        } else if since.iter().any(|step| step.seat != seat && step.by == By::Person) {
            Takeback::ByConsent(at)
        } else {
            Takeback::Freely(at)
        }
    }

    /// Back to where so many steps had been made.
    pub fn rewind(&mut self, db: &'a CardDb, steps: usize) {
        let Ok(mut game) = Game::new(db, self.setup.rules, self.setup.seed.0, &mut ()) else { return };
        self.steps.truncate(steps);
        for step in &self.steps {
            if game.apply(step.action, &mut ()).is_err() {
                break;
            }
        }
        self.game = game;
    }

    /// What everybody was told when the step was made.
    pub fn told_at(&self, db: &'a CardDb, step: usize) -> Vec<Event> {
        let mut events = Vec::new();
        let Ok(mut game) = Game::new(db, self.setup.rules, self.setup.seed.0, &mut ()) else { return events };
        for Step { action, .. } in self.steps.iter().take(step + 1) {
            events.clear();
            if game.apply(*action, &mut events).is_err() {
                return Vec::new();
            }
        }
        events
    }

    /// Everything that has happened, from the deal to now.
    pub fn story(&self, db: &'a CardDb) -> Vec<Event> {
        let mut events = Vec::new();
        let Ok(mut game) = Game::new(db, self.setup.rules, self.setup.seed.0, &mut events) else {
            return events;
        };
        for step in &self.steps {
            if game.apply(step.action, &mut events).is_err() {
                break;
            }
        }
        events
    }

    /// The game on paper.
    pub fn record(&self, cards: &'a Cards, seats: Vec<SeatText>) -> Record {
        let Setup { rules, seed, .. } = &self.setup;
        let mut record = Record::new(*rules, *seed, &cards.deck, &cards.db, seats);
        record.fairness = self.fairness.clone();
        if let Ok(mut game) = Game::new(&cards.db, *rules, seed.0, &mut ()) {
            for step in &self.steps {
                if game.apply(step.action, &mut ()).is_err() {
                    break;
                }
                record.push(step.action, &game);
            }
        }
        record
    }
}

fn is_final(event: &Event) -> bool {
    use Event::*;
    matches!(
        event,
        TurnBegins(_)
            | HandDealt { .. }
            | Mulligan(_)
            | Arrives(_)
            | Reshuffled
            | Shuffled(_)
            | Reveals { .. }
            | Random(_)
            | GameOver { .. }
    )
}

/// Who sees which card, and whose hand holds it.
struct Seen(Vec<(SeatSet, Option<Seat>)>);

impl Seen {
    fn of(game: &Game) -> Seen {
        let of = |card| {
            let place = game.state.card(card).place;
            (game.seen_by(card), (place.kind() == PlaceKind::Hand).then(|| place.seat()))
        };
        Seen(game.state.card_ids().map(of).collect())
    }

    /// Whose hands held the cards that somebody else sees now and did not before; `None` if a card came from elsewhere.
    fn newly(&self, after: &Game) -> Option<SeatSet> {
        let mut owners = SeatSet::EMPTY;
        for (card, (was, holder)) in after.state.card_ids().zip(&self.0) {
            let is = after.seen_by(card);
            if is.and(*was) == is {
                continue;
            }
            let holder = holder.filter(|holder| was.has(*holder))?;
            owners = owners.with(holder);
        }
        Some(owners)
    }
}
