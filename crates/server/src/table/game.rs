//! The game in progress: the answers so far, and what each of them revealed. What happened is not kept but replayed
//! when somebody asks: there are many tables, and few newcomers.
//!
//! Invariants: `game` is the state reached by playing `steps` from the deal; a bounded number of them is replayed, since
//! nothing is taken back past the last step that cannot be.

use cards::CardDb;
use engine::record::{Fairness, Record, SeatText};
use engine::{Action, Actions, Decision, Event, Game, Illegal, Seat, SeatSet, Setup, State, What, Zone};

use crate::hall::PlayableDeck;
use crate::own_cards::OwnCards;

/// The most events a newcomer is sent: of a very long game, only the last turns.
const HISTORY: usize = 400;
/// At most so many steps are replayed, and those that can be taken back. Most games are shorter, and keep neither a
/// second state nor events.
const REPLAYED: usize = 256;

/// A game, with everything needed to take answers back.
pub struct LiveGame<'a> {
    /// Boxed: a task that waits would keep room for it in every place that it passes through.
    pub game: Box<Game<'a>>,
    pub setup: Setup,
    pub fairness: Option<Fairness>,
    pub steps: Vec<Step>,
    /// Steps it started with, if it continues a recorded game: they cannot be taken back.
    pub inherited: usize,
    /// Where a replay begins, if not with the deal.
    start: Option<Box<Moment>>,
    most_replayed: usize,
}

/// The game after some steps.
struct Moment {
    steps: usize,
    state: State,
    /// What had happened, as far back as a newcomer is told.
    events: Vec<Event>,
}

/// A live game on its way from one thread to another, without its cards.
pub struct SavedGame {
    state: Box<State>,
    setup: Setup,
    fairness: Option<Fairness>,
    steps: Vec<Step>,
    inherited: usize,
    start: Option<Box<Moment>>,
    most_replayed: usize,
}

impl SavedGame {
    /// With the cards it was played with.
    pub fn with(self, db: &CardDb) -> LiveGame<'_> {
        let SavedGame { state, setup, fairness, steps, inherited, start, most_replayed } = self;
        let game = Box::new(Game { db, state: *state });
        LiveGame { game, setup, fairness, steps, inherited, start, most_replayed }
    }
}

/// An answer, and what may keep it from being taken back.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub action: Action,
    pub seat: Seat,
    pub by: AnsweredBy,
    pub turn: u16,
    /// How many events it caused.
    events: u32,
    /// Chance decided something, or cards were revealed that nobody held.
    irreversible: bool,
    /// Whose hand cards were seen by someone else for the first time.
    exposed: SeatSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    Person,
    Bot,
    /// The table, which passed for a player or gave the only possible answer.
    Table,
}

/// Whether a player's last answer can be taken back; with the number of steps that would remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoOption {
    Free(usize),
    NeedsConsent(usize),
    Nothing,
    /// The game is over.
    Over,
    /// Cards were drawn, shuffled or revealed since.
    Revealed,
}

impl<'a> LiveGame<'a> {
    pub fn deal(
        cards: &'a PlayableDeck,
        setup: Setup,
        fairness: Option<Fairness>,
    ) -> Option<(LiveGame<'a>, Vec<Event>)> {
        let mut events = Vec::new();
        let game = Game::new(&cards.db, setup.rules, setup.seed.0, &mut events).ok()?;
        // Cards of one's own may be slow.
        let most_replayed = if cards.own.is_some() { 0 } else { REPLAYED };
        let (game, steps, start) = (Box::new(game), Vec::new(), None);
        let live = LiveGame { game, setup, fairness, steps, inherited: 0, start, most_replayed };
        Some((live, events))
    }

    /// A game in the middle of which nothing can be taken back yet.
    #[cfg(test)]
    pub fn at(game: Game<'a>, setup: Setup) -> LiveGame<'a> {
        let start = Some(Box::new(Moment { steps: 0, state: game.state.clone(), events: Vec::new() }));
        let (fairness, steps) = (None, Vec::new());
        let game = Box::new(game);
        LiveGame { game, setup, fairness, steps, inherited: 0, start, most_replayed: REPLAYED }
    }

    pub fn save(self) -> SavedGame {
        let LiveGame { game, setup, fairness, steps, inherited, start, most_replayed } = self;
        let state = Box::new(game.state);
        SavedGame { state, setup, fairness, steps, inherited, start, most_replayed }
    }

    pub fn decision(&self) -> Option<Decision> {
        self.game.decision()
    }

    pub fn legal(&self) -> Actions {
        let mut legal = Actions::new();
        self.game.legal(&mut legal);
        legal
    }

    pub fn apply(&mut self, action: Action, by: AnsweredBy, events: &mut Vec<Event>) -> Result<(), Illegal> {
        let Some(decision) = self.game.decision() else { return Err(Illegal::GameOver) };
        let (turn, before) = (self.game.state.turn(), Visibility::of(&self.game));
        let from = events.len();
        self.game.apply(action, events)?;
        let irreversible = events[from..].iter().any(is_irreversible);
        let exposed = before.newly_seen(&self.game);
        let (irreversible, exposed) = (irreversible || exposed.is_none(), exposed.unwrap_or(SeatSet::EMPTY));
        let count = (events.len() - from) as u32;
        self.steps.push(Step { action, seat: decision.seat, by, turn, events: count, irreversible, exposed });
        if irreversible && self.steps.len() - self.replayed_from() >= self.most_replayed {
            let (state, events) = (self.game.state.clone(), self.recent_events());
            self.start = Some(Box::new(Moment { steps: self.steps.len(), state, events }));
        }
        Ok(())
    }

    /// What a newcomer is told: everything that has happened, or the last part of it.
    pub fn recent_events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        self.replayed(self.game.db, self.steps.len(), &mut events);
        events.split_off(events.len().saturating_sub(HISTORY))
    }

    /// What happened last, cut into the steps that caused it; what comes before them is the deal.
    pub fn by_step<'e>(&self, last: &'e [Event]) -> Vec<&'e [Event]> {
        let (mut rest, mut cut) = (last, Vec::new());
        for step in self.steps.iter().rev() {
            if rest.is_empty() {
                break;
            }
            let (before, caused) = rest.split_at(rest.len().saturating_sub(step.events as usize));
            cut.push(caused);
            rest = before;
        }
        cut.push(rest);
        cut.reverse();
        cut
    }

    /// Whether the seat's last answer can be taken back, whatever the table's rule.
    pub fn undo_option(&self, seat: Seat) -> UndoOption {
        let mine = |step: &Step| step.seat == seat && step.by == AnsweredBy::Person;
        let Some(at) = self.steps[self.inherited..].iter().rposition(mine).map(|at| at + self.inherited)
        else {
            return UndoOption::Nothing;
        };
        let since = &self.steps[at..];
        let others = |step: &Step| (0..8).map(Seat).any(|other| other != seat && step.exposed.has(other));
        if since.iter().any(|step| step.irreversible || others(step)) {
            UndoOption::Revealed
        } else if since.iter().any(|step| step.seat != seat && step.by == AnsweredBy::Person) {
            UndoOption::NeedsConsent(at)
        } else {
            UndoOption::Free(at)
        }
    }

    /// Back to the position after this many steps.
    pub fn rewind(&mut self, db: &'a CardDb, steps: usize) {
        if self.replayed_from() > steps {
            self.start = None;
        }
        self.steps.truncate(steps);
        // It was dealt before.
        if let Some(game) = self.replayed(db, self.steps.len(), &mut Vec::new()) {
            *self.game = game;
        }
    }

    /// What happened at one step.
    pub fn events_of_step(&self, db: &'a CardDb, step: usize) -> Vec<Event> {
        let mut events = Vec::new();
        let fixed = self.steps.iter().rposition(|step| step.irreversible).map_or(0, |last| last + 1);
        if (fixed..self.steps.len()).contains(&step) {
            self.replayed(db, step + 1, &mut events);
            events.drain(..events.len().saturating_sub(self.steps[step].events as usize));
        }
        events
    }

    /// The position after this many steps, and what had happened.
    fn replayed(&self, db: &'a CardDb, steps: usize, events: &mut Vec<Event>) -> Option<Game<'a>> {
        let mut game = match &self.start {
            Some(start) => {
                events.extend_from_slice(&start.events);
                Game { db, state: start.state.clone() }
            }
            None => Game::new(db, self.setup.rules, self.setup.seed.0, events).ok()?,
        };
        for step in self.steps.get(self.replayed_from()..steps).unwrap_or_default() {
            if game.apply(step.action, events).is_err() {
                break;
            }
        }
        Some(game)
    }

    fn replayed_from(&self) -> usize {
        self.start.as_ref().map_or(0, |start| start.steps)
    }

    /// The game as a record.
    pub fn record(&self, cards: &'a PlayableDeck, seats: Vec<SeatText>) -> Record {
        let Setup { rules, seed, .. } = &self.setup;
        let mut record = Record::new(*rules, *seed, &cards.deck, &cards.db, seats);
        record.fairness = self.fairness.clone();
        record.homebrew = cards.own.iter().map(OwnCards::recorded).collect();
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

fn is_irreversible(event: &Event) -> bool {
    use What::*;
    matches!(
        event.what,
        TurnBegins { .. }
            | Mulligan { .. }
            | Arrives { .. }
            | Reshuffled { .. }
            | Shuffled
            | Reveals { .. }
            | Random
            | GameOver { .. }
    )
}

/// Who sees which card, and whose hand holds it.
struct Visibility(Vec<(SeatSet, Option<Seat>)>);

impl Visibility {
    fn of(game: &Game) -> Visibility {
        let of = |card| {
            let place = game.state.card(card).place;
            (game.seen_by(card), (place.zone() == Zone::Hand).then(|| place.seat()))
        };
        Visibility(game.state.card_ids().map(of).collect())
    }

    /// The owners of hand cards that someone else sees now and did not before; `None` if a card from anywhere else
    /// became visible.
    fn newly_seen(&self, after: &Game) -> Option<SeatSet> {
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
