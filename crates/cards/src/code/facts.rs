//! What is checked before an ability is declared: facts, which are bits, and checks, which are
//! evaluated.

use super::{CondId, Hooks, QueryId, WhoCode};
use crate::vocabulary::{Adjectives, Phase};

/// What is true for a player right now, one bit each. Most targets and costs of a declaration need
/// nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Facts(pub u64);

/// In whose dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Yours,
    Others,
    Anyones,
}

impl Facts {
    /// Never true.
    pub const NEVER: Facts = Facts(1 << 31);
    pub const HERO_IN_TOWN: Facts = Facts(1);
    /// An action has been declared and has not taken effect yet.
    pub const DECLARED: Facts = Facts(1 << 1);
    pub const CARD_IN_DISCARD: Facts = Facts(1 << 2);
    /// In your hand.
    pub const A_ROOM: Facts = Facts(1 << 3);
    pub const TWO_ROOMS: Facts = Facts(1 << 4);
    pub const A_SPELL: Facts = Facts(1 << 5);
    pub const TWO_SPELLS: Facts = Facts(1 << 6);
    /// In your hoard.
    pub const A_COIN: Facts = Facts(1 << 29);
    /// Players may act now: every declaration needs this.
    pub const A_TIME_TO_ACT: Facts = Facts(1 << 7);
    /// It is the phase.
    pub const BUILD: Facts = Facts(1 << 22);
    pub const ADVENTURE: Facts = Facts(1 << 23);
    /// Not a cancel round for a spell, in which only cancels are declared.
    pub const NO_SPELL_TO_ANSWER: Facts = Facts(1 << 24);
    /// Not a cancel round for a room's ability, in which only a room can be blanked.
    pub const NO_ROOM_TO_ANSWER: Facts = Facts(1 << 25);

    pub const fn hero_inside(whose: Whose) -> Facts {
        Facts(1 << (8 + whose as u32))
    }
    /// In whose scoring area.
    pub const fn soul(whose: Whose) -> Facts {
        Facts(1 << (26 + whose as u32))
    }
    /// An active room of this kind in your dungeon; `kind` is one of the kind hooks.
    pub const fn your_room(kind: Hooks) -> Facts {
        Facts(kind.kinds() << 12)
    }
    /// The same in any dungeon.
    pub const fn room(kind: Hooks) -> Facts {
        Facts(kind.kinds() << (12 + Hooks::KIND_COUNT))
    }
    /// It is one of these phases.
    pub fn in_phase(is_one: impl Fn(Phase) -> bool) -> Facts {
        Facts::default()
            .and_if(!is_one(Phase::Build), Facts::ADVENTURE)
            .and_if(!is_one(Phase::Adventure), Facts::BUILD)
    }
    /// The facts of the lower half. Those that decide most often belong there: half as wide, a whole
    /// row of them is compared at once.
    pub const fn common(self) -> u32 {
        self.0 as u32
    }
    pub const fn and(self, more: Facts) -> Facts {
        Facts(self.0 | more.0)
    }
    // Branch-free: the branch would be unpredictable.
    #[inline]
    pub const fn and_if(self, so: bool, more: Facts) -> Facts {
        Facts(self.0 | more.0 & (so as u64).wrapping_neg())
    }
    pub const fn without(self, less: Facts) -> Facts {
        Facts(self.0 & !less.0)
    }
    /// The needs of both.
    pub const fn shared(self, other: Facts) -> Facts {
        Facts(self.0 & other.0)
    }
    pub const fn meet(self, needs: Facts) -> bool {
        needs.0 & !self.0 == 0
    }
}

/// One condition of a declaration: a requirement, a target that must have a candidate, or a cost
/// that must be payable. The most common selectors have their own variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// `this` is an active room, about to be destroyed.
    ThisActive,
    HeroInThis,
    /// At least `count` active rooms of the kind.
    Rooms {
        adjectives: Adjectives,
        who: WhoCode,
        count: u8,
    },
    Soul(WhoCode),
    Require(CondId),
    /// At least `count` candidates of any other selector.
    Candidates {
        query: QueryId,
        count: u8,
    },
}
