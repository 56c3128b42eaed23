//! Crash Landing: Classic for five and six players, in which tied players share the heroes and
//! nobody is eliminated.

use crate::flow::classic::CLASSIC;
use crate::flow::edition::*;

pub(super) const CRASH: Edition = Edition {
    least_players: 5,
    most_players: 6,
    // The set has its own heroes.
    extra_heroes: false,
    bait_ties: BaitTies::Split,
    contest: Contest::Everybody,
    wounds_to_lose: None,
    last_hero: LastHero::Revealed,
    ..CLASSIC
};
