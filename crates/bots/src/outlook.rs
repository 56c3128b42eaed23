//! The chance to win, told from the table at the beginning of a turn. Of any two players a small network says which
//! of them is likelier to win.
//!
//! `outlook.net` was learned from games of bots against themselves, two players, original box
//! (docs/bots.md says how).

mod features;
mod net;

use engine::Game;
use engine::id::SEATS;

pub use features::{Features, SIDE, TABLE};
pub use net::{HIDDEN, Net, SIZE};

/// What planner and search go by.
pub static NET: Net = Net::read(include_bytes!("outlook/outlook.net"));

/// Each seat's chance to win: 1 together, 0 for those who are out.
pub(crate) fn chances(game: &Game, net: &Net) -> [f64; SEATS] {
    let mut chances = [0.0; SEATS];
    if let Some(outcome) = game.outcome() {
        if outcome.winner.exists() {
            chances[outcome.winner.index()] = 1.0;
        }
        return chances;
    }
    let odds = net.odds(game, &Features::of(game));
    // Of several rivals, how one stands against them on average counts.
    let rivals = game.state.seats().count().saturating_sub(1).max(1) as f64;
    let mut sum = 0.0;
    for seat in game.state.seats() {
        let odds = odds[seat.index()].iter().map(|odds| f64::from(*odds)).sum::<f64>();
        let chance = &mut chances[seat.index()];
        *chance = (odds / (2.0 * rivals)).exp();
        sum += *chance;
    }
    chances.map(|chance| chance / sum)
}
