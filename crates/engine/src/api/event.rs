//! What happened, one small value at a time. An event is self-contained: who, why, which card, from
//! where, to where, how much. Log, animation, statistics and replay need no model of the game
//! beside it.
//!
//! Events are complete; `for_viewer` blanks what a viewer may not see.

use cards::code::DefId;
use cards::db::CardDb;
use cards::vocabulary::{Class, Phase};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::id::*;
use crate::model::state::{Ending, Score, Space};

/// A card in an event: what it is, and who may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub card: CardId,
    pub def: DefId,
    pub seen: SeatSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub what: What,
    /// Who does it; `Seat::NONE` if the rules or a hero do.
    pub actor: Seat,
    /// The card that causes it; none if the rules do.
    pub cause: Option<Shown>,
    /// The card it happens to.
    pub card: Option<Shown>,
    /// The room the hero is in, or the other room of two that change places.
    pub room: Option<Shown>,
    /// The player it happens to: chosen, eliminated, or the winner.
    pub player: Option<Seat>,
    /// Where the card was; for an event about a whole pile, that pile.
    pub from: Option<Where>,
    /// Where the card is now.
    pub to: Option<Where>,
}

/// A place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Where {
    pub place: Place,
    /// In a dungeon: the stack, counted from the boss. For a hero inside: the stack of its room; at a
    /// landmark: which, counted from the left.
    pub slot: Option<u8>,
    /// A room not yet revealed; in a scoring area, a soul.
    pub facedown: bool,
    /// In a scoring area: what it counts after the event.
    pub score: Option<Score>,
}

/// What happened. The wire uses the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    // ---- the course of the game ----
    TurnBegins {
        turn: u16,
    },
    PhaseBegins {
        phase: Phase,
    },
    /// Nothing can happen in it: nobody to lure, nobody to walk. In the Build phase: the actor has built nothing.
    PhaseIdles {
        phase: Phase,
    },
    /// The actor may build now, or the heroes in the actor's dungeon walk now.
    PlayerBegins,
    /// The actor's hand goes back into the decks; a new one is drawn next.
    Mulligan {
        rooms: u8,
        spells: u8,
    },
    /// The discard pile goes back into the decks.
    Reshuffled {
        rooms: u16,
        spells: u16,
    },
    /// The deck it is `from`.
    Shuffled,
    LevelsUp,
    /// The actor's boss, the `cause`, has the text of this one from now on.
    Copies,
    /// All cards of the player leave the game.
    Eliminated {
        souls: u16,
        wounds: u16,
    },
    /// The player, if any, has won.
    GameOver {
        reason: Ending,
    },

    // ---- actions ----
    /// A room's or a boss's ability is used; its targets and costs follow.
    Uses {
        /// Which of the card's abilities, counted from 0.
        ability: u8,
    },
    /// A spell goes from the hand to the table; its targets and costs follow.
    Casts,
    /// A "when" ability begins.
    Triggers,
    /// The declared action waits until everybody has passed.
    Waits,
    /// The spell goes to the discard pile without effect.
    Cancelled,
    /// No target is left: no effect.
    Fizzles,
    /// A resolved spell goes to the discard pile.
    Resolved,
    /// A card is chosen for the `cause`.
    Chooses,
    ChoosesPlayer,
    ChoosesClass {
        class: Class,
    },
    /// The card is picked at random.
    Random,
    /// A die shows this.
    Rolls {
        sides: u8,
        face: u8,
    },
    /// The actor looks at the pile it is `from`.
    Looks,
    /// Shown to everybody; it stays in the hand.
    Shows,

    // ---- cards ----
    /// The actor will play this boss.
    KeepsBoss,
    /// A boss that was not kept.
    SetsAside,
    Draws,
    Discards,
    Takes,
    /// A spell comes to lie in a scoring area.
    LaysDown,
    /// Out of the game.
    Removed,

    // ---- the town board ----
    /// From a deck to the market.
    Stocks,
    /// The actor's minion goes to a space of the board, or onto the card.
    SendsMinion {
        space: Option<Space>,
    },
    /// What it stands on takes effect.
    MinionActs {
        space: Option<Space>,
    },
    /// The card it stands on does not work now.
    MinionIdles,
    MinionsReturn,
    /// Until end of turn.
    GainsTreasure {
        class: Class,
    },
    /// The actor's last room, until end of turn.
    LastRoomGains {
        damage: u8,
    },
    /// The hero finds no place in town and goes to a landmark.
    PushedOut,
    GetsToken {
        token: i8,
        health: i32,
    },
    /// The rooms of a stack are put in a new order, one event for each from the bottom up: the card
    /// comes to the top.
    StackShuffled {
        /// The stack is complete.
        last: bool,
    },
    /// The player comes first from now on.
    BecomesFirst,

    // ---- rooms ----
    /// Face down, in a dungeon.
    Places,
    /// A face-down room is turned up: it is built.
    Reveals {
        /// What it deals now.
        damage: i32,
    },
    /// Built face up by an effect.
    Builds {
        damage: i32,
    },
    Destroyed,
    /// The room has more or fewer counters.
    Counters {
        by: i16,
        /// All that lie on it now.
        counters: u8,
        damage: i32,
    },
    /// The actor has more or fewer coins.
    Coins {
        by: i32,
        /// All in the hoard now.
        coins: u16,
    },
    /// More or fewer coins lie on the room.
    CoinsOn {
        by: i16,
        coins: u8,
        damage: i32,
    },
    /// The actor discards the room for a coin.
    Sells,
    /// The miniboss goes under the `room`, at this level.
    JoinsRoom {
        level: u8,
    },
    /// The miniboss goes up to this level, or falls back to it.
    Level {
        level: u8,
        up: bool,
    },
    /// The actor cannot pay for the miniboss, which is discarded.
    Unpaid,
    /// A number is chosen for the `cause`.
    ChoosesNumber {
        number: u8,
    },
    /// A covered room comes to the top of its stack.
    ComesUp {
        damage: i32,
    },
    /// Until end of turn.
    Deactivated,
    Reactivated,
    /// What the room deals, until end of turn.
    DamageChanges {
        by: i32,
        damage: i32,
    },
    /// The player's treasure of this class counts more or less.
    TreasureChanges {
        class: Class,
        by: i32,
        treasure: i32,
    },
    Swapped,
    /// The player has more or fewer points, though no hero has come or gone; `from` has the score.
    PointsChange {
        souls: i32,
        wounds: i32,
    },

    // ---- items ----
    /// It lies in town now.
    ItemArrives,
    /// The hero, the `room`, carries it.
    Carries {
        /// The hero's.
        health: i32,
    },
    /// Into the actor's scoring area.
    Claims {
        faceup: bool,
    },
    /// An item in a scoring area is turned over.
    TurnsItem {
        faceup: bool,
    },

    // ---- heroes ----
    /// From a hero deck to town.
    Arrives {
        health: i32,
    },
    /// To the entrance of the player who is ahead.
    Lured {
        /// What counts for this hero, of that player and of the next best; alone, what it needed.
        count: i32,
        next: i32,
    },
    /// Nobody is ahead, or it may not be lured.
    StaysInTown {
        count: i32,
        next: i32,
        /// Who is tied for it; one player if a rule keeps it from going there.
        #[serde(skip)]
        tied: SeatSet,
    },
    /// Alone: there is not enough treasure for its place in town, or it may not be lured.
    WantsMore {
        count: i32,
        needed: i32,
    },
    /// To town, to an entrance or to a landmark, by an effect.
    Goes,
    /// It may not go in and waits.
    StaysOut,
    EntersDungeon,
    Enters,
    Damaged {
        amount: u8,
        /// All it has taken so far.
        taken: u8,
        health: i32,
    },
    /// It has lost its damage.
    Recovers,
    /// Until end of turn.
    HealthChanges {
        by: i32,
        health: i32,
    },
    /// It will pass that many rooms.
    SkipsRooms {
        rooms: u8,
    },
    Dies {
        souls: u8,
    },
    /// It has reached the boss.
    Wounds {
        wounds: u8,
    },
    /// Put into a scoring area by an effect.
    Scores {
        points: u8,
    },
    /// A wound becomes a soul.
    Healed {
        points: u8,
    },
    /// A soul becomes a wound.
    TurnedOver {
        points: u8,
    },
}

impl What {
    pub fn by(self, actor: Seat) -> Event {
        Event { actor, ..self.into() }
    }

    pub fn on(self, card: Shown) -> Event {
        Event { card: Some(card), ..self.into() }
    }
}

impl From<What> for Event {
    fn from(what: What) -> Event {
        Event {
            what,
            actor: Seat::NONE,
            cause: None,
            card: None,
            room: None,
            player: None,
            from: None,
            to: None,
        }
    }
}

impl Event {
    pub fn on(self, card: Shown) -> Event {
        Event { card: Some(card), ..self }
    }

    pub fn because_of(self, cause: Option<Shown>) -> Event {
        Event { cause, ..self }
    }

    pub fn in_room(self, room: Option<Shown>) -> Event {
        Event { room, ..self }
    }

    pub fn at(self, place: Where) -> Event {
        Event { from: Some(place), ..self }
    }

    pub fn moved(self, from: Where, to: Where) -> Event {
        Event { from: Some(from), to: Some(to), ..self }
    }

    pub fn player(self, player: Seat) -> Event {
        Event { player: Some(player).filter(|seat| seat.exists()), ..self }
    }

    /// Whose card, dungeon or scoring area it is about, after the event.
    pub fn owner(&self) -> Seat {
        self.to.or(self.from).map_or(Seat::NONE, |at| at.place.seat())
    }

    /// The event as this viewer may see it; `None` is a spectator.
    pub fn for_viewer(mut self, db: &CardDb, viewer: Option<Seat>) -> Event {
        for shown in [&mut self.card, &mut self.room, &mut self.cause].into_iter().flatten() {
            if !shown.seen.shows(viewer) {
                shown.def = db.def(shown.def).kind.blank();
            }
        }
        self
    }

    /// The cards the event names.
    pub fn cards(&self) -> impl Iterator<Item = Shown> {
        [self.card, self.room, self.cause].into_iter().flatten()
    }
}

impl Where {
    pub fn pile(place: Place) -> Where {
        Where { place, slot: None, facedown: false, score: None }
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
