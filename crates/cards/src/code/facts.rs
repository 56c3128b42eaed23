//! What is asked before an ability is declared: what can be told at a glance, and what must be looked into.

use super::{Adjectives, CondId, Hooks, QueryId, WhoCode};
use crate::tree::Phase;

/// What a player can tell of the table at a glance, one bit each: most targets and costs of a declaration
/// need no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Facts(pub u32);

/// In whose dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Yours,
    Others,
    Anyones,
}

impl Facts {
    /// What is so at no time.
    pub const NEVER: Facts = Facts(1 << 31);
    pub const HERO_IN_TOWN: Facts = Facts(1);
    /// Something has been declared and waits or is about to take effect.
    pub const DECLARED: Facts = Facts(1 << 1);
    pub const CARD_IN_DISCARD: Facts = Facts(1 << 2);
    /// In your hand.
    pub const A_ROOM: Facts = Facts(1 << 3);
    pub const TWO_ROOMS: Facts = Facts(1 << 4);
    pub const A_SPELL: Facts = Facts(1 << 5);
    pub const TWO_SPELLS: Facts = Facts(1 << 6);
    /// It is a time to act at all: every declaration needs that.
    pub const A_TIME_TO_ACT: Facts = Facts(1 << 7);
    /// It is the phase.
    pub const BUILD: Facts = Facts(1 << 22);
    pub const ADVENTURE: Facts = Facts(1 << 23);
    /// It is not the time in which only cancels are declared,
    pub const NO_SPELL_TO_ANSWER: Facts = Facts(1 << 24);
    /// nor that in which only a room is blanked.
    pub const NO_ROOM_TO_ANSWER: Facts = Facts(1 << 25);

    pub const fn hero_inside(whose: Whose) -> Facts {
        Facts(1 << (8 + whose as u32))
    }
    /// In whose scoring area.
    pub const fn soul(whose: Whose) -> Facts {
        Facts(1 << (26 + whose as u32))
    }
    /// An active room in your dungeon, of this kind: one of those among the hooks.
    pub const fn your_room(kind: Hooks) -> Facts {
        Facts(kind.kinds() << 12)
    }
    /// The same in any dungeon.
    pub const fn room(kind: Hooks) -> Facts {
        Facts(kind.kinds() << (12 + Hooks::KINDS))
    }
    /// That it is one of these phases.
    pub fn in_phase(is_one: impl Fn(Phase) -> bool) -> Facts {
        Facts::default()
            .and_if(!is_one(Phase::Build), Facts::ADVENTURE)
            .and_if(!is_one(Phase::Adventure), Facts::BUILD)
    }
    pub const fn and(self, more: Facts) -> Facts {
        Facts(self.0 | more.0)
    }
    // Without a branch: nobody could foresee it.
    #[inline]
    pub const fn and_if(self, so: bool, more: Facts) -> Facts {
        Facts(self.0 | more.0 & (so as u32).wrapping_neg())
    }
    pub const fn without(self, less: Facts) -> Facts {
        Facts(self.0 & !less.0)
    }
    /// What both need.
    pub const fn shared(self, other: Facts) -> Facts {
        Facts(self.0 & other.0)
    }
    pub const fn meet(self, needs: Facts) -> bool {
        needs.0 & !self.0 == 0
    }
}

/// One condition of a declaration: a requirement, a target that must have a candidate, or a cost that must be
/// payable. The commonest selectors have a word of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// `this` is an active room, about to be destroyed.
    ThisActive,
    HeroInThis,
    /// So many active rooms of the kind.
    Rooms {
        adjectives: Adjectives,
        who: WhoCode,
        count: u8,
    },
    Soul(WhoCode),
    Require(CondId),
    /// So many candidates of any other selector.
    Candidates {
        query: QueryId,
        count: u8,
    },
}
