//! Lair's workload: games between uniformly random players, without a log.

use std::hint::black_box;

use bots::{Bot, BotRng, Budget, Search};
use cards::CardDb;
use cpu_time::ProcessTime;
use engine::{Actions, Dealer, Rules, State};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Run;

pub fn play(db: &CardDb, rules: Rules, first_seed: u64, games: u64) -> Run {
    let mut rng = Pcg64Mcg::seed_from_u64(first_seed);
    let mut actions = Actions::new();
    let mut decisions = 0;
    let dealer = dealer(db, rules);
    let mut game = dealer.deal(key(first_seed), &mut ());
    let start = ProcessTime::now();
    for seed in first_seed..first_seed + games {
        dealer.deal_again(&mut game, key(seed), &mut ());
        while game.outcome().is_none() {
            game.legal(&mut actions);
            decisions += u64::from(actions.len() > 1);
            let index = (u64::from(rng.next_u32()) * actions.len() as u64) >> 32;
            if game.apply(actions[index as usize], &mut ()).is_err() {
                unreachable!("a listed action is legal");
            }
        }
        black_box(game.outcome());
    }
    Run { games, decisions, seconds: start.elapsed().as_secs_f64() }
}

/// Twenty games, each repeated `times` times in a row, and as many different games: the branch predictor
/// learns its way through the former.
pub fn same_and_different(db: &CardDb, times: u64) -> [Run; 2] {
    let games = 20;
    let all = |seed: fn(u64, u64) -> u64| {
        (0..games * times).fold(Run { games: 0, decisions: 0, seconds: 0.0 }, |sum, turn| {
            let one = play(db, Rules::classic(2), seed(turn, times) << 32, 1);
            let (games, decisions) = (sum.games + one.games, sum.decisions + one.decisions);
            Run { games, decisions, seconds: sum.seconds + one.seconds }
        })
    };
    [all(|turn, times| turn / times), all(|turn, _| turn)]
}

fn dealer(db: &CardDb, rules: Rules) -> Dealer<'_> {
    match Dealer::new(db, rules) {
        Ok(dealer) => dealer,
        Err(error) => unreachable!("{error}"),
    }
}

fn key(seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// Simulations from the first build to the end of the game, each dealing the unseen cards again.
pub fn sims_per_s(db: &CardDb, seed: u64) -> f64 {
    let game = dealer(db, Rules::classic(2)).deal(key(seed), &mut ());
    let (Some(decision), simulations) = (game.decision(), 2_000) else { return 0.0 };
    let (view, mut legal) = (game.view(Some(decision.seat)), Actions::new());
    let mut rng = BotRng::new(seed);
    let start = ProcessTime::now();
    let mut world = view.table().clone();
    for _ in 0..simulations {
        view.sample_into(rng.seed(), &mut world);
        bots::play_out(&mut world, &mut legal, &mut rng);
        black_box(world.outcome());
    }
    f64::from(simulations) / start.elapsed().as_secs_f64()
}

/// Simulations of the search bot at the same decision: down its tree and to the end of the turn.
pub fn turn_sims_per_s(db: &CardDb, seed: u64) -> f64 {
    let game = dealer(db, Rules::classic(2)).deal(key(seed), &mut ());
    let (Some(decision), simulations) = (game.decision(), 2_000) else { return 0.0 };
    let (view, mut legal) = (game.view(Some(decision.seat)), Actions::new());
    view.legal(&mut legal);
    let start = ProcessTime::now();
    black_box(Search::new(seed, Budget { simulations }).choose(&view, &legal));
    f64::from(simulations) / start.elapsed().as_secs_f64()
}

/// Copies of a state into existing states, as a search makes them; more of those than fit in the first
/// cache.
pub fn clone_ns(db: &CardDb) -> f64 {
    let games: Vec<State> =
        (0..8).map(|seed| dealer(db, Rules::classic(2)).deal(key(seed), &mut ()).state).collect();
    let slots = 128;
    let mut ring: Vec<State> = (0..slots).map(|i| games[i % 8].clone()).collect();
    let copies = 20_000;
    let start = ProcessTime::now();
    for i in 0..copies {
        ring[i % slots].clone_from(black_box(&games[i % 8]));
    }
    black_box(&ring);
    start.elapsed().as_secs_f64() * 1e9 / copies as f64
}
