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
    /// A hand that is swapped is shown to everybody (14.2).
    pub shows_mulligan: bool,
    /// Heroes are included up to these player icons, however many play (15.1).
    pub hero_icons: Option<HeroIcons>,
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
    /// Cards laid out in a Town phase.
    pub market: Market,
    pub town: Town,
    pub pushed: Pushed,
    /// Items that come to town at the beginning of a turn, by the number of players.
    pub items: [u8; 7],
    /// Rooms that each player draws at the beginning of a turn.
    pub rooms_drawn: u8,
    pub lured: Lured,
    pub bait_ties: BaitTies,
    /// A hero sent to an entrance in the Adventure phase waits for the next one (14.7).
    pub sent_wait: bool,
    /// Counters that a room can hold (15.4).
    pub most_counters: u8,
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
    /// A hero in the Tavern ends the game at once (15.5).
    pub tavern_ends: bool,
    pub tie_break: TieBreak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    pub rooms: u8,
    pub spells: u8,
}

/// The highest player icon of heroes in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeroIcons {
    pub ordinary: u8,
    pub epic: u8,
}

/// Rule 14.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Market {
    /// There is none.
    Closed,
    /// A spell, and as many rooms as players; for six, two spells and five rooms.
    EachPlayer,
    /// However many play (15.2).
    InAll(Cards),
}

/// How many heroes find a place in town; one too many pushes the oldest out (14.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Town {
    /// Any number.
    Open,
    /// As many as players.
    EachPlayer,
    InAll(u8),
}

/// Where a hero goes who is pushed out of town.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// To the landmark of its icon (14.3).
    ByIcon,
    /// To the first free landmark from the left (15.2).
    FirstFree,
}

/// What lures a hero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lured {
    /// The most treasure (9.2).
    ByMost,
    /// Enough treasure for its place in town: this much for the first, one more for each after it
    /// (15.3).
    ByPlace { first: u8 },
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

    /// Items that come to town each turn (8.1).
    pub fn items_a_turn(&self, players: u8) -> u8 {
        self.items.get(usize::from(players)).copied().unwrap_or(0)
    }

    /// Heroes that come to town each turn.
    pub fn heroes_a_turn(&self, players: u8) -> u8 {
        match self.arrivals {
            Arrivals::EachPlayer(heroes) => heroes * players,
            Arrivals::InAll(heroes) => heroes,
        }
    }

    /// Cards laid out in each Town phase.
    pub fn market_cards(&self, players: u8) -> Cards {
        match self.market {
            Market::Closed => Cards { rooms: 0, spells: 0 },
            Market::EachPlayer if players == 6 => Cards { rooms: 5, spells: 2 },
            Market::EachPlayer => Cards { rooms: players, spells: 1 },
            Market::InAll(cards) => cards,
        }
    }

    /// Places in town; `None` if it has no board.
    pub fn town_places(&self, players: u8) -> Option<u8> {
        match self.town {
            Town::Open => None,
            Town::EachPlayer => Some(players),
            Town::InAll(places) => Some(places),
        }
    }

    /// The treasure that lures the hero at this place in town, counted from 0; `None`: the most
    /// treasure does.
    pub fn treasure_needed(&self, place: usize) -> Option<i32> {
        match self.lured {
            Lured::ByMost => None,
            Lured::ByPlace { first } => Some(i32::from(first) + place as i32),
        }
    }

    /// Is the hero with this player icon in the game?
    pub fn includes_hero(&self, epic: bool, icon: u8, players: u8) -> bool {
        let most = self.hero_icons.map_or(players, |icons| if epic { icons.epic } else { icons.ordinary });
        icon <= most
    }
}
