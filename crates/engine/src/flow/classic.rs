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
    easy_heroes: true,
    extra_heroes: true,
    stars_replace: false,
    phases: Phases::new(&[Phase::Begin, Phase::Build, Phase::Bait, Phase::Adventure, Phase::End]),
    player_order: PlayerOrder::ByXp,
    priority: Priority::ActiveFirst,
    arrivals: Arrivals::EachPlayer(1),
    rooms_drawn: 1,
    bait_ties: BaitTies::Stay,
    deactivation_clears: true,
    consolation: false,
    souls_to_win: Some(10),
    contest: Contest::Qualified,
    wounds_to_lose: Some(5),
    last_hero: LastHero::Settled,
    tie_break: TieBreak::LowestXp,
};
