//! What differs between the editions of the game, as values. Each edition (`classic.rs` and so on)
//! declares all of them, variants change single ones, and the rest of `flow` reads them.

use cards::vocabulary::Phase;

/// The rules of one edition, with its variants. A game keeps its own copy (`Rules::edition`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    pub least_players: u8,
    pub most_players: u8,

    // ---- before the first turn (section 3) ----
    /// Bosses dealt to each player, who keeps one.
    pub bosses_dealt: u8,
    /// Cards that start the discard pile.
    pub opening_discard: Cards,
    pub opening_hand: Cards,
    /// Cards of the opening hand that each player gives up.
    pub opening_cost: u8,
    /// Ordinary heroes with 4 health are included.
    pub easy_heroes: bool,
    /// Five and six players get more heroes from the same sets (3.2).
    pub extra_heroes: bool,

    /// Star heroes of packs without heroes of their own take the places of others (13.6).
    pub stars_replace: bool,

    // ---- the turn ----
    pub phases: Phases,
    pub player_order: PlayerOrder,
    pub priority: Priority,
    /// Heroes that come to town at the beginning of a turn.
    pub arrivals: Arrivals,
    /// Rooms that each player draws at the beginning of a turn.
    pub rooms_drawn: u8,
    pub bait_ties: BaitTies,
    /// A deactivated room loses the counters and coins on it (2.6).
    pub deactivation_clears: bool,
    /// A player who gained no soul this turn may draw a card at its end.
    pub consolation: bool,

    // ---- the end (section 11) ----
    /// This many souls end the game after a turn; `None`: souls alone end nothing.
    pub souls_to_win: Option<u8>,
    pub contest: Contest,
    /// This many wounds eliminate; `None`: nobody is eliminated.
    pub wounds_to_lose: Option<u8>,
    pub last_hero: LastHero,
    pub tie_break: TieBreak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    pub rooms: u8,
    pub spells: u8,
}

/// Rule 4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOrder {
    /// Highest XP first, in every turn.
    ByXp,
    /// Clockwise from the first player, who has the highest XP in the first turn; from then on the first player
    /// is the next one to the left, turn by turn.
    Clockwise,
}

/// When a declared action takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The active player's at once; the others' wait until all have passed, then resolve in player
    /// order (4.5).
    ActiveFirst,
    /// The newest one first, once all have passed (4.6).
    LastInFirstOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// For every player who began the game (5.2).
    EachPlayer(u8),
    /// However many play (15.2).
    InAll(u8),
}

/// What happens to a hero when players are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaitTies {
    /// It stays in town (9.3).
    Stay,
    /// Heroes of one class are shared out, one each (9.6).
    Split,
}

/// Who can win once a player has enough souls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contest {
    /// Players who have enough (11.2).
    Qualified,
    /// Every player (11.6, 14.8).
    Everybody,
}

/// When the game ends because no heroes are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastHero {
    /// The decks are empty, and no hero moves any more (11.5).
    Settled,
    /// A turn ends with the decks empty (11.6).
    Revealed,
}

/// Who wins a tie on souls less wounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    LowestXp,
    HighestXp,
}

/// The phases of a turn, in order; each comes once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    first: Phase,
    next: [Option<Phase>; Phase::COUNT],
}

impl Phases {
    pub const fn new(order: &[Phase]) -> Phases {
        let (mut next, mut at) = ([None; Phase::COUNT], 1);
        while at < order.len() {
            next[order[at - 1] as usize] = Some(order[at]);
            at += 1;
        }
        Phases { first: order[0], next }
    }

    pub fn iter(&self) -> impl Iterator<Item = Phase> + '_ {
        std::iter::successors(Some(self.first), |phase| self.after(*phase))
    }

    pub fn first(&self) -> Phase {
        self.first
    }

    /// The phase that follows this one; `None` after the last.
    #[inline]
    pub fn after(&self, phase: Phase) -> Option<Phase> {
        self.next[phase as usize]
    }
}

impl Edition {
    pub fn takes(&self, players: u8) -> bool {
        (self.least_players..=self.most_players).contains(&players)
    }

    /// Heroes that come to town each turn.
    pub fn heroes_a_turn(&self, players: u8) -> u8 {
        match self.arrivals {
            Arrivals::EachPlayer(heroes) => heroes * players,
            Arrivals::InAll(heroes) => heroes,
        }
    }
}
