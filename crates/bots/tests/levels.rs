//! Each level is better than the one below. Deals and seeds are fixed, so the same games are played every
//! time. How much better they are, measured over many more games, is in docs/bots.md.

mod common;

use bots::{BotLevel, BotSpec};
use common::{deal_with, play};
use engine::{Rules, Seat};

/// Games won by the first: every deal twice, with the seats swapped.
fn won(better: &BotSpec, worse: &BotSpec, deals: u64) -> u64 {
    let mut won = 0;
    for deal in 0..deals {
        for first in 0..2 {
            let mut game = deal_with(deal, Rules::classic(2), "bmr");
            let players = if first == 0 { [better, worse] } else { [worse, better] };
            let seated = |(player, seed): (&BotSpec, u64)| player.seat(seed).expect("built in");
            let mut bots: Vec<_> = players.into_iter().zip(deal * 2..).map(seated).collect();
            play(&mut game, &mut bots);
            won += u64::from(game.outcome().is_some_and(|outcome| outcome.winner == Seat(first)));
        }
    }
    won
}

#[test]
fn each_level_beats_the_one_below() {
    let ladder = [BotSpec::Random, BotSpec::Level(BotLevel::Kobold), BotSpec::Level(BotLevel::Minion)];
    let ladder: Vec<_> = ladder.into_iter().chain([BotSpec::Level(BotLevel::MiniBoss)]).collect();
    for pair in ladder.windows(2) {
        let won = won(&pair[1], &pair[0], 30);
        assert!(won >= 36, "{} won {won} of 60 games against {}", pair[1], pair[0]);
    }
    let won = won(&BotSpec::Level(BotLevel::Boss), &BotSpec::Greedy, 40);
    assert!(won >= 50, "the Boss won {won} of 80 games against greedy");
}

/// The levels above the Boss take too long to play here: they are these bots with more worlds and
/// simulations. A fair coin passes about once in fifty times.
#[test]
fn more_worlds_are_better() {
    let won = won(&BotSpec::Planner(60), &BotSpec::Planner(4), 40);
    assert!(won >= 50, "planner:60 won {won} of 80 games against planner:4");
}

#[test]
fn the_search_beats_the_greedy_bot() {
    let won = won(&BotSpec::Search(300), &BotSpec::Greedy, 15);
    assert!(won >= 22, "the search won {won} of 30 games");
}

#[test]
fn a_level_has_one_name() {
    for level in BotLevel::ALL {
        let name = level.to_string();
        assert_eq!(serde_json::to_value(level).expect("plain data"), name);
        assert_eq!(name.parse(), Ok(BotSpec::Level(level)));
    }
}

/// A bot that is asked only when a person would be misses little.
#[test]
fn being_asked_less_costs_nothing() {
    let boss = BotSpec::Level(BotLevel::Boss);
    let with_stops: BotSpec = "boss+stops".parse().expect("a bot");
    assert_eq!(with_stops, BotSpec::WithStops(Box::new(boss.clone())));
    assert_eq!(with_stops.to_string(), "boss+stops");
    let won = won(&with_stops, &boss, 40);
    assert!(won >= 30, "the Boss with stops won {won} of 80 games against the Boss");
}
