//! Super Boss Monster: two to six players around a town board, and the games for one on its back
//! (sections 14 and 15).

use crate::flow::classic::CLASSIC;
use crate::flow::edition::*;
use cards::vocabulary::Phase;

pub(super) const SUPER: Edition = Edition {
    // Five and six need the board's extension, and the explorers on it (14.10).
    most_players: 6,
    bosses_dealt: 2,
    opening_discard: Cards { rooms: 0, spells: 0 },
    shows_mulligan: true,
    extra_heroes: false,
    phases: Phases::new(&[
        Phase::Town,
        Phase::Build,
        Phase::Minion,
        Phase::Bait,
        Phase::Adventure,
        Phase::End,
    ]),
    player_order: PlayerOrder::Clockwise,
    priority: Priority::LastInFirstOut,
    market: Market::EachPlayer,
    town: Town::EachPlayer,
    pushed: Pushed::ByIcon,
    items: [1; 7],
    rooms_drawn: 0,
    deactivation_clears: false,
    sent_wait: true,
    contest: Contest::Everybody,
    wounds_to_lose: None,
    last_hero: LastHero::Revealed,
    tie_break: TieBreak::HighestXp,
    ..CLASSIC
};

pub(super) const SOLO: Edition = Edition {
    least_players: 1,
    most_players: 1,
    hero_icons: Some(HeroIcons { ordinary: 3, epic: 4 }),
    market: Market::InAll(Cards { rooms: 2, spells: 1 }),
    town: Town::InAll(4),
    pushed: Pushed::FirstFree,
    arrivals: Arrivals::InAll(3),
    lured: Lured::ByPlace { first: 1 },
    most_counters: 4,
    souls_to_win: None,
    wounds_to_lose: Some(5),
    tavern_ends: true,
    ..SUPER
};

pub(super) const CHALLENGE: Edition = Edition { lured: Lured::ByPlace { first: 2 }, ..SOLO };
