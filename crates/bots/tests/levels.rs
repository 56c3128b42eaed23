//! Each level is better than the one below. Deals and dice are fixed, so the same games are played every time;
//! how much better, docs/bots.md says from many more of them.

mod common;

use bots::{Level, Player};
use common::{deal_with, play};
use engine::{Rules, Seat};

/// Games won by the first: every deal twice, with the seats swapped.
fn won(better: &Player, worse: &Player, deals: u64) -> u64 {
    let mut won = 0;
    for deal in 0..deals {
        for first in 0..2 {
            let mut game = deal_with(deal, Rules::classic(2), "bmr");
            let players = if first == 0 { [better, worse] } else { [worse, better] };
            let seated = |(player, seed): (&Player, u64)| player.seat(seed).expect("it comes with us");
            let mut bots: Vec<_> = players.into_iter().zip(deal * 2..).map(seated).collect();
            play(&mut game, &mut bots);
            won += u64::from(game.outcome().is_some_and(|outcome| outcome.winner == Seat(first)));
        }
    }
    won
}

#[test]
fn each_level_beats_the_one_below() {
    let ladder = [Player::Random, Player::Level(Level::Kobold), Player::Level(Level::Minion)];
    let ladder: Vec<_> = ladder.into_iter().chain([Player::Level(Level::MiniBoss)]).collect();
    for pair in ladder.windows(2) {
        let won = won(&pair[1], &pair[0], 30);
        assert!(won >= 36, "{} won {won} of 60 games against {}", pair[1], pair[0]);
    }
    let won = won(&Player::Level(Level::Boss), &Player::Greedy, 40);
    assert!(won >= 50, "the Boss won {won} of 80 games against greedy");
}

/// Levels above the Boss take too long to be played out here: they are these, with many more worlds and simulations.
/// A coin would do as well once in fifty times.
#[test]
fn more_worlds_are_better() {
    let won = won(&Player::Planner(60), &Player::Planner(4), 40);
    assert!(won >= 50, "planner:60 won {won} of 80 games against planner:4");
}

#[test]
fn the_search_beats_the_greedy_bot() {
    let won = won(&Player::Search(300), &Player::Greedy, 15);
    assert!(won >= 22, "the search won {won} of 30 games");
}
