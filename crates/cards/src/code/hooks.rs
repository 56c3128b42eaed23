//! By which words a card in play can be found: one bit for each event it hears, each value it
//! changes and each sort of ability it has.

use crate::vocabulary::{EventWord, Stat, Status};

/// What a card in play may affect, one bit each: an event or a value that no card in play affects
/// costs one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Hooks(pub u128);

// Where each sort of hook begins; every sort has room for more than are planned. What is
// looked up by word lies in one half, so that finding its bit takes a single shift.
const TRIGGERS: u32 = 0;
const FORBIDS: u32 = TRIGGERS + 40;
const STATS: u32 = FORBIDS + 40;
const STATUSES: u32 = STATS + 12;
const MARKERS: u32 = STATUSES + 8;
const KINDS: u32 = MARKERS + 16;
const HALF: u32 = u64::BITS;
const _: () = assert!(EventWord::COUNT <= 20 && Stat::COUNT <= 8 && Status::COUNT <= 4);
const _: () = assert!(FORBIDS + EventWord::COUNT as u32 <= HALF && STATS >= HALF);

impl Hooks {
    /// Has abilities that its owner may activate.
    pub const ACTIVATED: Hooks = Hooks::marker(0);
    /// Has abilities that other players may activate.
    pub const OPEN: Hooks = Hooks::marker(1);
    /// Either of the two.
    pub const USED: Hooks = Hooks(Hooks::ACTIVATED.0 | Hooks::OPEN.0);
    /// Has an ability used from the hand.
    pub const FROM_HAND: Hooks = Hooks::marker(2);
    /// Has an `instead of turn draw`.
    pub const REPLACES_DRAW: Hooks = Hooks::marker(3);
    /// Has an `instead of .. discarded`.
    pub const REPLACES_DISCARD: Hooks = Hooks::marker(4);
    /// Has a `when end of turn`.
    pub const END_OF_TURN: Hooks = Hooks::marker(5);
    /// Has a rule that allows building elsewhere.
    pub const ALLOWS: Hooks = Hooks::marker(6);
    /// Its own text says where it may be built.
    pub const BUILT_FREELY: Hooks = Hooks::marker(7);
    /// Copies the text of another boss.
    pub const COPIES: Hooks = Hooks::marker(8);
    /// Has a rule by which heroes ignore the text of rooms.
    pub const IGNORES: Hooks = Hooks::marker(9);
    /// Has a `when start of build`.
    pub const START_OF_BUILD: Hooks = Hooks::marker(10);
    /// Has an `instead of .. killed`.
    pub const REPLACES_KILL: Hooks = Hooks::marker(11);

    // The kinds of rooms, so that a test for rooms in play is a test of hooks.
    pub(super) const KIND_COUNT: u32 = 5;
    pub const ROOM: Hooks = Hooks(1 << KINDS);
    pub const MONSTER: Hooks = Hooks(1 << (KINDS + 1));
    pub const TRAP: Hooks = Hooks(1 << (KINDS + 2));
    pub const ADVANCED: Hooks = Hooks(1 << (KINDS + 3));
    pub const ORDINARY: Hooks = Hooks(1 << (KINDS + 4));

    const fn marker(n: u32) -> Hooks {
        assert!(n < KINDS - MARKERS);
        Hooks(1 << (MARKERS + n))
    }

    const fn lower(bit: u32) -> Hooks {
        Hooks((1_u64 << bit) as u128)
    }

    const fn upper(bit: u32) -> Hooks {
        Hooks(((1_u64 << (bit - HALF)) as u128) << HALF)
    }

    pub(super) const fn kinds(self) -> u64 {
        (self.0 >> KINDS) as u64 & ((1 << Hooks::KIND_COUNT) - 1)
    }

    /// Has an ability that the event may trigger.
    pub const fn triggered_by(word: EventWord) -> Hooks {
        Hooks::lower(TRIGGERS + word as u32)
    }
    /// Has a rule that may forbid the event.
    pub const fn forbids(word: EventWord) -> Hooks {
        Hooks::lower(FORBIDS + word as u32)
    }
    /// Has a rule that may change the stat.
    pub const fn changes(stat: Stat) -> Hooks {
        Hooks::upper(STATS + stat as u32)
    }
    /// Has a rule that may give the status.
    pub const fn gives(status: Status) -> Hooks {
        Hooks::upper(STATUSES + status as u32)
    }
    pub const fn has(self, hook: Hooks) -> bool {
        self.0 & hook.0 != 0
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub const fn contains(self, hooks: Hooks) -> bool {
        self.0 & hooks.0 == hooks.0
    }
    pub fn add(&mut self, hook: Hooks) {
        self.0 |= hook.0;
    }
}
