//! What happened, one small value at a time. Events are complete; `for_viewer` blanks what a viewer may
//! not see, so log, client and bots share one source.

use cards::code::DefId;
use cards::db::CardDb;
use cards::tree::Class;

use crate::id::*;
use crate::state::{Ending, Phase};

/// A card in an event: what it is, and who may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub card: CardId,
    pub def: DefId,
    pub seen: SeatSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    TurnBegins(u16),
    PhaseBegins(Phase),
    /// A player's time to place, or to process heroes, begins.
    Active(Seat),
    BossChosen {
        seat: Seat,
        boss: Shown,
    },
    HandDealt {
        seat: Seat,
        rooms: u8,
        spells: u8,
    },
    Mulligan(Seat),
    /// A hero comes from a hero deck to town.
    Arrives(Shown),
    Draws {
        seat: Seat,
        card: Shown,
    },
    /// The room or spell deck ran out: the discard pile went back into both.
    Reshuffled,
    Shuffled(Place),
    /// Face down, in the dungeon of `at`, at this place from the boss.
    Places {
        seat: Seat,
        card: Shown,
        at: Seat,
        slot: u8,
    },
    /// A face-down room is turned up.
    Reveals {
        seat: Seat,
        card: Shown,
    },
    /// Built face up by an effect.
    Builds {
        seat: Seat,
        card: Shown,
        slot: u8,
    },
    LevelsUp {
        seat: Seat,
        boss: Shown,
    },
    /// A spell is cast or an ability used; its targets and costs follow.
    Uses {
        seat: Seat,
        card: Shown,
    },
    Chooses {
        seat: Seat,
        card: Shown,
    },
    ChoosesPlayer {
        seat: Seat,
        player: Seat,
    },
    /// The declared action waits for the active player and the others.
    Waits {
        seat: Seat,
        card: Shown,
    },
    Cancelled(Shown),
    /// The target is gone: no effect.
    Fizzles(Shown),
    /// A "when" ability begins.
    Triggers {
        seat: Seat,
        card: Shown,
    },
    /// Picked at random.
    Random(Shown),
    Looks {
        seat: Seat,
        at: Place,
    },
    Discards {
        seat: Seat,
        card: Shown,
    },
    Takes {
        seat: Seat,
        card: Shown,
        from: Place,
    },
    /// Shown to all, and back into the hand.
    Shows {
        seat: Seat,
        card: Shown,
    },
    /// A treasure type is chosen.
    ChoosesType {
        seat: Seat,
        class: Class,
    },
    /// A hero has lost its damage.
    Recovers(Shown),
    Destroyed {
        seat: Seat,
        card: Shown,
    },
    Deactivated(Shown),
    Upright(Shown),
    Removed(Shown),
    Swapped {
        seat: Seat,
        a: Shown,
        b: Shown,
    },
    Healed {
        seat: Seat,
        hero: Shown,
    },
    Lured {
        seat: Seat,
        hero: Shown,
    },
    /// Nobody is ahead: the hero stays in town.
    StaysInTown(Shown),
    /// To town, to an entrance, or into a dungeon.
    HeroGoes {
        hero: Shown,
        to: Place,
    },
    /// It may not go in and waits.
    HeroWaits(Shown),
    Enters {
        hero: Shown,
        room: Shown,
    },
    Damaged {
        hero: Shown,
        amount: u8,
    },
    Dies {
        seat: Seat,
        hero: Shown,
    },
    Wounds {
        seat: Seat,
        hero: Shown,
    },
    Eliminated(Seat),
    GameOver {
        winner: Seat,
        reason: Ending,
    },
}

impl Event {
    /// The event as this viewer may know it; `None` is a spectator.
    pub fn for_viewer(mut self, db: &CardDb, viewer: Option<Seat>) -> Event {
        for shown in self.cards_mut().into_iter().flatten() {
            if !shown.seen.shows(viewer) {
                shown.def = db.def(shown.def).kind.blank();
            }
        }
        self
    }

    /// The cards the event names.
    pub fn cards(mut self) -> impl Iterator<Item = Shown> {
        self.cards_mut().map(|shown| shown.copied()).into_iter().flatten()
    }

    fn cards_mut(&mut self) -> [Option<&mut Shown>; 2] {
        use Event::*;
        match self {
            BossChosen { boss: card, .. } | LevelsUp { boss: card, .. } => [Some(card), None],
            Arrives(card)
            | Cancelled(card)
            | Fizzles(card)
            | Random(card)
            | Deactivated(card)
            | Upright(card)
            | Removed(card)
            | StaysInTown(card)
            | HeroWaits(card)
            | Draws { card, .. }
            | Places { card, .. }
            | Reveals { card, .. }
            | Builds { card, .. }
            | Uses { card, .. }
            | Chooses { card, .. }
            | Waits { card, .. }
            | Triggers { card, .. }
            | Discards { card, .. }
            | Takes { card, .. }
            | Shows { card, .. }
            | Recovers(card)
            | Destroyed { card, .. }
            | Healed { hero: card, .. }
            | Lured { hero: card, .. }
            | HeroGoes { hero: card, .. }
            | Damaged { hero: card, .. }
            | Dies { hero: card, .. }
            | Wounds { hero: card, .. } => [Some(card), None],
            Swapped { a, b, .. } | Enters { hero: a, room: b } => [Some(a), Some(b)],
            TurnBegins(_)
            | PhaseBegins(_)
            | Active(_)
            | HandDealt { .. }
            | Mulligan(_)
            | Reshuffled
            | Shuffled(_)
            | ChoosesPlayer { .. }
            | ChoosesType { .. }
            | Looks { .. }
            | Eliminated(_)
            | GameOver { .. } => [None, None],
        }
    }
}

/// Where events go. `()` takes none and costs nothing.
pub trait Log {
    const ON: bool;
    fn event(&mut self, event: Event);
}

impl Log for () {
    const ON: bool = false;
    fn event(&mut self, _: Event) {}
}

impl Log for Vec<Event> {
    const ON: bool = true;
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}
