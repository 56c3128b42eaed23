//! The game in progress: the answers so far, and what each of them revealed.
//!
//! Invariants: `game` is the state reached by playing `steps` from the deal; taking back replays a bounded number of
//! them, since nothing is taken back past the last step that cannot be.

use cards::CardDb;
use engine::record::{Fairness, Record, SeatText};
use engine::{Action, Actions, Decision, Event, Game, Illegal, Seat, SeatSet, Setup, State, What, Zone};

use crate::hall::PlayableDeck;
use crate::own_cards::OwnCards;

/// The most events a newcomer is sent: of a very long game, only the last turns.
const HISTORY: usize = 400;
/// Taking back replays so many steps, and those that can be taken back. Most games are shorter, and need not keep a
/// second state.
const REPLAYED: usize = 128;

/// A game, with everything needed to take answers back. Boxed: a task that waits would keep room for every place it
/// passes through.
pub struct LiveGame<'a> {
    pub game: Game<'a>,
    pub setup: Setup,
    pub fairness: Option<Fairness>,
    pub steps: Vec<Step>,
    /// Steps it started with, if it continues a recorded game: they cannot be taken back.
    pub inherited: usize,
    /// What happened, as far back as a newcomer is told.
    history: Vec<Event>,
    start: Start,
}

/// Where a replay begins.
enum Start {
    Deal,
    /// The state after this many steps.
    At(usize, Box<State>),
}

impl Start {
    fn steps(&self) -> usize {
        match self {
            Start::Deal => 0,
            Start::At(steps, _) => *steps,
        }
    }
}

/// A live game on its way from one thread to another, without its cards.
pub struct SavedGame {
    state: State,
    setup: Setup,
    fairness: Option<Fairness>,
    steps: Vec<Step>,
    inherited: usize,
    history: Vec<Event>,
    start: Start,
}

impl SavedGame {
    /// With the cards it was played with.
    pub fn with(self: Box<Self>, db: &CardDb) -> Box<LiveGame<'_>> {
        let SavedGame { state, setup, fairness, steps, inherited, history, start } = *self;
        let game = Game { db, state };
        Box::new(LiveGame { game, setup, fairness, steps, inherited, history, start })
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
    ) -> Option<(Box<LiveGame<'a>>, Vec<Event>)> {
        let mut events = Vec::new();
        let game = Game::new(&cards.db, setup.rules, setup.seed.0, &mut events).ok()?;
        let (history, steps, start) = (events.clone(), Vec::new(), Start::Deal);
        let live = LiveGame { game, setup, fairness, steps, inherited: 0, history, start };
        Some((Box::new(live), events))
    }

    /// A game in the middle of which nothing can be taken back yet.
    #[cfg(test)]
    pub fn at(game: Game<'a>, setup: Setup) -> Box<LiveGame<'a>> {
        let start = Start::At(0, Box::new(game.state.clone()));
        let (steps, history) = (Vec::new(), Vec::new());
        Box::new(LiveGame { game, setup, fairness: None, steps, inherited: 0, history, start })
    }

    pub fn save(self: Box<Self>) -> Box<SavedGame> {
        let LiveGame { game, setup, fairness, steps, inherited, history, start } = *self;
        Box::new(SavedGame { state: game.state, setup, fairness, steps, inherited, history, start })
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
        self.remember(&events[from..]);
        if irreversible {
            let steps = self.steps.len();
            if steps - self.start.steps() >= REPLAYED {
                self.start = Start::At(steps, Box::new(self.game.state.clone()));
            }
        }
        Ok(())
    }

    fn remember(&mut self, events: &[Event]) {
        self.history.extend_from_slice(events);
        // A little more than is shown, so that enough is left when something is taken back.
        if self.history.len() > HISTORY + 200 {
            self.history.drain(..self.history.len() - HISTORY - 100);
        }
    }

    /// What a newcomer is told: everything that has happened, or the last part of it.
    pub fn recent_events(&self) -> &[Event] {
        &self.history[self.history.len().saturating_sub(HISTORY)..]
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
        if self.start.steps() > steps {
            self.start = Start::Deal;
        }
        let undone: u32 = self.steps.iter().skip(steps).map(|step| step.events).sum();
        self.history.truncate(self.history.len().saturating_sub(undone as usize));
        self.steps.truncate(steps);
        // It was dealt before.
        if let Some(game) = self.replayed(db, self.steps.len(), &mut Vec::new()) {
            self.game = game;
        }
    }

    /// What happened at one step.
    pub fn events_of_step(&self, db: &'a CardDb, step: usize) -> Vec<Event> {
        let mut events = Vec::new();
        let fixed = self.steps.iter().rposition(|step| step.irreversible).map_or(0, |last| last + 1);
        if (fixed..self.steps.len()).contains(&step) {
            self.replayed(db, step + 1, &mut events);
        }
        events
    }

    /// The position after this many steps, with the events of the last of them.
    fn replayed(&self, db: &'a CardDb, steps: usize, events: &mut Vec<Event>) -> Option<Game<'a>> {
        let mut game = match &self.start {
            Start::At(_, state) => Game { db, state: State::clone(state) },
            Start::Deal => Game::new(db, self.setup.rules, self.setup.seed.0, &mut ()).ok()?,
        };
        for step in self.steps.get(self.start.steps()..steps).unwrap_or_default() {
            events.clear();
            if game.apply(step.action, events).is_err() {
                break;
            }
        }
        Some(game)
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
