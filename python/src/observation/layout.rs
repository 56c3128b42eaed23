//! Where each number of an observation stands, and what it is called.

use cards::vocabulary::{Landmark, Phase};
use engine::id::SLOTS;
use engine::state::Space;

use super::QUESTIONS;
use crate::cardlist::{CardList, Group};

/// Heroes of a place that are described one by one; the others are only counted.
pub(super) const HEROES: usize = 4;

/// Figures about one hero before its classes and, in town, who would lure it.
pub(super) struct Hero;

impl Hero {
    pub(super) const THERE: usize = 0;
    pub(super) const HEALTH: usize = 1;
    pub(super) const DAMAGE: usize = 2;
    pub(super) const SOULS: usize = 3;
    pub(super) const ITEM: usize = 4;
    pub(super) const CLASSES: usize = 5;
    const NAMES: [&str; Hero::CLASSES] = ["there", "health", "damage", "souls", "item"];
}

/// Figures about a room before which room it is.
pub(super) const ROOM_FIGURES: usize = ROOM.len();
const ROOM: [&str; 9] = [
    "there",
    "facedown",
    "deactivated",
    "damage",
    "counters",
    "coins",
    "cards",
    "advanced",
    "miniboss level",
];
const FIGURES: [&str; 11] = [
    "playing",
    "order",
    "souls",
    "wounds",
    "levelled",
    "coins",
    "hand rooms",
    "hand spells",
    "placed",
    "stacks",
    "damage",
];
pub(super) const LANDMARK_FIGURES: usize = 2;

/// Where the numbers about the whole table begin.
#[derive(Default)]
pub(super) struct Table {
    pub turn: usize,
    pub phase: usize,
    pub active: usize,
    pub asked: usize,
    pub question: usize,
    pub source: usize,
    pub decks: usize,
    pub discard: usize,
    pub town: usize,
    pub town_heroes: usize,
    pub town_items: usize,
    pub carried: usize,
    pub waiting: usize,
    pub newest: usize,
    pub newest_by: usize,
    pub newest_at: usize,
    pub newest_cancelled: usize,
}

/// Those of the town board of Super Boss Monster.
pub(super) struct Board {
    pub market: usize,
    pub landmarks: usize,
    pub at_landmarks: usize,
}

/// Those about one player, counted from the player's first.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    pub figures: usize,
    pub treasure: usize,
    pub boss: usize,
    pub dealt: usize,
    pub hand: usize,
    pub rooms: usize,
    pub entrance: usize,
    pub entrance_heroes: usize,
    pub inside: usize,
    pub inside_heroes: usize,
    pub walks: usize,
    pub souls: usize,
    pub wounds: usize,
    pub items: usize,
    pub items_down: usize,
    pub laid: usize,
    pub minion: usize,
}

pub struct ObservationSpace {
    pub names: Vec<String>,
    pub(super) players: usize,
    pub(super) classes: usize,
    pub(super) table: Table,
    pub(super) board: Option<Board>,
    /// Of a game for one.
    pub(super) score: Option<usize>,
    pub(super) sides: usize,
    pub(super) side_len: usize,
    pub(super) side: Side,
    /// Figures about one room of a dungeon.
    pub(super) room_figures: usize,
}

/// Names one number after another.
struct Names {
    all: Vec<String>,
    /// Blocks are counted from here.
    base: usize,
}

impl Names {
    fn here(&self) -> usize {
        self.all.len() - self.base
    }

    fn block(&mut self, names: impl IntoIterator<Item = String>) -> usize {
        let at = self.here();
        self.all.extend(names);
        at
    }

    fn of(&mut self, what: &str, names: &[&str]) -> usize {
        self.block(names.iter().map(|name| format!("{what}{name}")))
    }

    fn cards(&mut self, what: &str, list: &CardList, group: Group) -> usize {
        self.block(list.names(group).map(|name| format!("{what}: {name}")))
    }
}

/// `you`, `rival1`, `rival2`, ...: rivals sit after you, in the order of seats.
pub fn whom(k: usize) -> String {
    if k == 0 { "you".into() } else { format!("rival{k}") }
}

impl ObservationSpace {
    pub fn new(list: &CardList, players: usize, board: bool) -> ObservationSpace {
        let classes = list.db.classes.iter().count();
        let mut space = ObservationSpace {
            names: Vec::new(),
            players,
            classes,
            table: Table::default(),
            board: None,
            score: None,
            sides: 0,
            side_len: 0,
            side: Side::default(),
            room_figures: ROOM_FIGURES + list.count(Group::Rooms),
        };
        let mut names = Names { all: Vec::new(), base: 0 };
        space.lay_table(&mut names, list, board);
        space.sides = names.here();
        for k in 0..players {
            names.base = names.all.len();
            space.side = space.lay_side(&mut names, list, k, board);
            space.side_len = names.here();
        }
        space.names = names.all;
        space
    }

    fn lay_table(&mut self, names: &mut Names, list: &CardList, board: bool) {
        let seats: Vec<String> = (0..self.players).map(whom).collect();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        let phases: Vec<&str> = Phase::ALL.iter().map(|phase| phase.word()).collect();
        self.table.turn = names.block(["turn".into()]);
        self.table.phase = names.of("phase ", &phases);
        self.table.active = names.of("active ", &seats);
        self.table.asked = names.of("asked ", &seats);
        self.table.question = names.of("question ", &QUESTIONS);
        self.table.source = names.cards("question of", list, Group::All);
        self.table.decks = names.of("deck ", &["rooms", "spells", "heroes", "epic heroes", "items"]);
        self.table.discard = names.cards("discard", list, Group::Held);
        self.table.town = names.cards("town", list, Group::Heroes);
        self.table.town_heroes = self.lay_heroes(names, list, "town", true);
        self.table.town_items = names.cards("item in town", list, Group::Items);
        self.table.carried = names.cards("carried", list, Group::Items);
        self.table.waiting = names.block(["declared".into()]);
        self.table.newest = names.cards("newest", list, Group::All);
        self.table.newest_by = names.of("newest by ", &seats);
        self.table.newest_at = names.of("newest at ", &seats);
        self.table.newest_cancelled = names.block(["newest cancelled".into()]);
        if board {
            let market = names.cards("market", list, Group::Held);
            let figures = Landmark::ALL
                .iter()
                .flat_map(|landmark| ["heroes", "health"].map(|what| format!("{} {what}", landmark.word())));
            let landmarks = names.block(figures);
            let at_landmarks = names.here();
            for landmark in Landmark::ALL {
                names.cards(landmark.word(), list, Group::Heroes);
            }
            self.board = Some(Board { market, landmarks, at_landmarks });
        }
        self.score = (self.players == 1).then(|| names.block(["score".into()]));
    }

    fn lay_heroes(&self, names: &mut Names, list: &CardList, place: &str, lured: bool) -> usize {
        let at = names.here();
        for n in 0..HEROES {
            let what = format!("{place} hero {n} ");
            names.of(&what, &Hero::NAMES);
            names.block(list.db.classes.iter().map(|class| format!("{what}{}", class.word())));
            let seats = if lured { self.players } else { 0 };
            names.block((0..seats).map(|k| format!("{what}lured to {}", whom(k))));
        }
        at
    }

    fn lay_side(&self, names: &mut Names, list: &CardList, k: usize, board: bool) -> Side {
        let who = whom(k);
        Side {
            figures: names.of(&format!("{who} "), &FIGURES),
            treasure: names.block(list.db.classes.iter().map(|class| format!("{who} {}", class.word()))),
            boss: names.cards(&format!("{who} boss"), list, Group::Bosses),
            dealt: names.cards(&format!("{who} dealt"), list, Group::Bosses),
            hand: names.cards(&format!("{who} hand"), list, Group::Held),
            rooms: {
                let at = names.here();
                for slot in 0..SLOTS {
                    names.of(&format!("{who} room {slot} "), &ROOM);
                    names.cards(&format!("{who} room {slot}"), list, Group::Rooms);
                }
                at
            },
            entrance: names.cards(&format!("{who} entrance"), list, Group::Heroes),
            entrance_heroes: self.lay_heroes(names, list, &format!("{who} entrance"), false),
            inside: names.cards(&format!("{who} inside"), list, Group::Heroes),
            inside_heroes: self.lay_heroes(names, list, &format!("{who} inside"), false),
            walks: names.block((0..SLOTS).map(|slot| format!("{who} hero in room {slot}"))),
            souls: names.cards(&format!("{who} soul"), list, Group::Heroes),
            wounds: names.cards(&format!("{who} wound"), list, Group::Heroes),
            items: names.cards(&format!("{who} item"), list, Group::Items),
            items_down: names.cards(&format!("{who} item face down"), list, Group::Items),
            laid: {
                let at = names.here();
                if list.db.scored_spells {
                    names.cards(&format!("{who} laid spell"), list, Group::Held);
                }
                at
            },
            minion: names.block(spaces().filter(|_| board).map(|space| format!("{who} minion at {space}"))),
        }
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Figures about one hero, in town with those who would lure it.
    pub(super) fn hero_figures(&self, in_town: bool) -> usize {
        Hero::CLASSES + self.classes + if in_town { self.players } else { 0 }
    }
}

/// The action spaces of the town board by their numbers; unused numbers have none.
pub fn spaces() -> impl Iterator<Item = String> {
    let named = |n: usize| {
        let found = Space::all().find(|space| space.to_ref().as_number().map(usize::from) == Some(n));
        found.map_or_else(
            || format!("space {n}"),
            |space| format!("{} {}", space.landmark.word(), space.errand.word()),
        )
    };
    let most = Space::all().filter_map(|space| space.to_ref().as_number()).max().unwrap_or(0);
    (0..=usize::from(most)).map(named)
}
