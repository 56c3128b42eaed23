//! Each level is better than the one below. Deals and seeds are fixed, so the same games are played every
//! time. How much better they are, measured over many more games, is in docs/bots.md.

mod common;

use bots::{Bot, BotLevel, BotSpec};
use common::{deal_with, play};
use engine::view::View;
use engine::{Action, Actions, Rules, Seat};

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
    let levels = BotLevel::ALL.into_iter().filter(|level| *level <= BotLevel::TotalBoss).map(BotSpec::Level);
    let ladder: Vec<_> = [BotSpec::Random].into_iter().chain(levels).collect();
    for pair in ladder.windows(2) {
        let won = won(&pair[1], &pair[0], 40);
        assert!(won >= 46, "{} won {won} of 80 games against {}", pair[1], pair[0]);
    }
}

/// A player who does nothing that need not be done lures nobody, and outlives whoever lures too many.
#[test]
fn passing_does_not_beat_the_mini_boss() {
    let mut won = 0;
    for deal in 0..40 {
        for first in 0..2 {
            let mut game = deal_with(deal, Rules::classic(2), "bmr");
            let mini_boss = BotSpec::Level(BotLevel::MiniBoss).seat(deal).expect("built in");
            let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(Passes)];
            bots.insert(first, mini_boss);
            play(&mut game, &mut bots);
            won += u64::from(game.outcome().is_some_and(|outcome| outcome.winner == Seat(first as u8)));
        }
    }
    assert!(won >= 46, "the Mini Boss won {won} of 80 games against a player who only passes");
}

struct Passes;

impl Bot for Passes {
    fn choose(&mut self, _: &View, legal: &Actions) -> Action {
        if legal.contains(&Action::Pass) { Action::Pass } else { legal[0] }
    }
}

/// The Grand Boss takes too long to play here: it is these bots with more worlds and simulations. A fair coin
/// passes about once in fifty times.
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
    let planner = BotSpec::Planner(8);
    let with_stops: BotSpec = "planner:8+stops".parse().expect("a bot");
    assert_eq!(with_stops, BotSpec::WithStops(Box::new(planner.clone())));
    assert_eq!(with_stops.to_string(), "planner:8+stops");
    let won = won(&with_stops, &planner, 40);
    assert!(won >= 30, "the planner with stops won {won} of 80 games against the same without");
}
