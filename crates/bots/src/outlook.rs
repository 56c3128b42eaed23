//! The chance to win, told from the table at the beginning of a turn. Of any two players a small network says which
//! of them is likelier to win.
//!
//! The networks were learned from games of bots against themselves, two players, original box (docs/bots.md says how).

mod features;
mod net;

use engine::id::SEATS;
use engine::{Game, Variant};

use crate::worth::{Weights, worth};

pub use features::{Features, SIDE, TABLE};
pub use net::{HIDDEN, Net, SIZE};

/// What planners go by: learned from the greedy bot's games and some of searches.
pub static PLANNER: Net = Net::read(include_bytes!("outlook/planner.net"));
/// What searches go by: learned from many more of their own games.
pub static SEARCH: Net = Net::read(include_bytes!("outlook/search.net"));

/// Each seat's chance to win: 1 together, 0 for those who are out.
pub(crate) fn chances(game: &Game, net: &Net) -> [f64; SEATS] {
    let mut chances = [0.0; SEATS];
    if let Some(outcome) = game.outcome() {
        if outcome.winner.exists() {
            chances[outcome.winner.index()] = 1.0;
        }
        return chances;
    }
    if game.state.rules().has(Variant::UnlimitedLives) {
        return chances_of_worth(game);
    }
    let odds = net.odds(game, &Features::of(game));
    // Of several rivals, how one stands against them on average counts.
    let rivals = game.state.seats().count().saturating_sub(1).max(1) as f64;
    let mut sum = 0.0;
    for seat in game.state.seats() {
        let odds = odds[seat.index()].iter().map(|odds| f64::from(*odds)).sum::<f64>();
        let chance = &mut chances[seat.index()];
        *chance = libm::exp(odds / (2.0 * rivals));
        sum += *chance;
    }
    chances.map(|chance| chance / sum)
}

/// With unlimited lives (rule 12.5), of which the network has learned nothing: a lead by so much makes the odds e to 1.
/// Guessed, not measured.
const LEAD: f64 = 20.0;

fn chances_of_worth(game: &Game) -> [f64; SEATS] {
    let mut chances = [0.0; SEATS];
    for seat in game.state.seats() {
        chances[seat.index()] = libm::exp(worth(game, seat, &Weights::BY_PLAY) / LEAD);
    }
    let sum: f64 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}

#[cfg(test)]
mod tests {
    use cards::db::DefKind;
    use engine::position::{Position, SeatPosition, Start};
    use engine::{Game, Rules, Variant};

    use super::{SEARCH, chances};

    /// The chance of the first of two players, who has so many wounds; the other has five.
    fn with_wounds(variants: &[Variant], wounds: usize) -> f64 {
        let db = cards::library::base();
        let heroes =
            |n: usize| db.cards().filter(|(_, def)| def.health == 4).map(|(def, _)| def).take(n).collect();
        let rules = variants.iter().fold(Rules::classic(2), |rules, variant| rules.with(*variant));
        let mut seats = vec![SeatPosition::default(); 2];
        (seats[0].wounds, seats[1].wounds) = (heroes(wounds), heroes(5));
        // Something to build, so that somebody is asked.
        let room = db.cards().find(|(_, def)| def.kind == DefKind::Room && !def.advanced).map(|(def, _)| def);
        seats.iter_mut().for_each(|seat| seat.hand = room.into_iter().collect());
        let bare = Position::bare(rules, seats, Start::Build(None));
        let position = Position { hero_deck: heroes(4), ..bare };
        let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        chances(&game, &SEARCH)[0]
    }

    #[test]
    fn with_unlimited_lives_five_wounds_are_no_end() {
        let lives = [Variant::UnlimitedLives];
        let chances = [4, 5, 6, 7].map(|wounds| with_wounds(&lives, wounds));
        assert!(chances.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0.1), "{chances:?}");
    }
}
