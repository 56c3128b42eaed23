//! Classic: two to four players, or up to six with unlimited lives.

use crate::flow::edition::*;
use cards::vocabulary::Phase;

pub(super) const CLASSIC: Edition = Edition {
    least_players: 2,
    most_players: 4,
    bosses_dealt: 1,
    opening_discard: Cards { rooms: 4, spells: 2 },
    opening_hand: Cards { rooms: 5, spells: 2 },
    opening_cost: 0,
    shows_mulligan: false,
    hero_icons: None,
    easy_heroes: true,
    extra_heroes: true,
    stars_replace: false,
    phases: Phases::new(&[Phase::Begin, Phase::Build, Phase::Bait, Phase::Adventure, Phase::End]),
    player_order: PlayerOrder::ByXp,
    priority: Priority::ActiveFirst,
    arrivals: Arrivals::EachPlayer(1),
    market: Market::Closed,
    town: Town::Open,
    pushed: Pushed::ByIcon,
    items: [0, 1, 1, 1, 2, 3, 3],
    rooms_drawn: 1,
    lured: Lured::ByMost,
    bait_ties: BaitTies::Stay,
    sent_wait: false,
    most_counters: u8::MAX,
    deactivation_clears: true,
    consolation: false,
    souls_to_win: Some(10),
    contest: Contest::Qualified,
    wounds_to_lose: Some(5),
    last_hero: LastHero::Settled,
    tavern_ends: false,
    tie_break: TieBreak::LowestXp,
};
