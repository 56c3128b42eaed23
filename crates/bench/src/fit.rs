//! Trains the network in `bots::network`: bots play against themselves, and it learns to predict the winner
//! from the position at the start of every turn. Games and training are determined by seeds.

use std::thread;

use bots::network::{Features, HIDDEN, Net, SIDE, SIZE, TABLE};
use bots::{Bot, BotRng, Budget, Greedy, Search, Weights};
use cards::CardDb;
use engine::{Actions, Dealer, Rules};

const GREEDY_GAMES: u64 = 25_000;
const FIRST_GAMES: u64 = 8_000;
const OWN_GAMES: u64 = 32_000;
const SEARCHED: Budget = Budget { simulations: 40 };

/// One game in this many is held out for validation.
const HELD_OUT: usize = 20;
const BATCH: usize = 128;
/// The initial learning rate; it falls towards the end.
const RATE: f32 = 0.001;
/// Weight decay.
const DECAY: f32 = 0.05;

/// A position, with the numbers of both players.
struct Example {
    sides: [[f32; SIDE]; 2],
    table: [f32; TABLE],
}

/// The positions of a game, and whether the first player won.
struct TrainingGame {
    turns: Vec<Example>,
    won: f32,
}

/// Three generations: the first network learns from the greedy bot's games, the second also from searches
/// that use the first, and the third from searches that use the second.
pub fn fit(db: &CardDb) -> Net {
    let mut games =
        played(db, 1, GREEDY_GAMES, |seed| Box::new(Greedy::with_weights(seed, Weights::SELF_PLAY)));
    let mut first = untrained(1);
    learn(&mut first, &games, 6, 0.3, 1);
    games.extend(searched(db, 2, FIRST_GAMES, first));
    let mut second = untrained(3);
    learn(&mut second, &games, 5, 0.5, 3);
    learn(&mut second, &games[GREEDY_GAMES as usize..], 2, 0.5, 5);
    let own = searched(db, 3, OWN_GAMES, second);
    let mut third = untrained(3);
    learn(&mut third, &own, 12, 0.5, 3);
    third
}

/// Games of a search with this network against itself.
fn searched(db: &CardDb, seed: u64, games: u64, net: Net) -> Vec<TrainingGame> {
    // Bots need a static network, and this one is used until the program ends anyway.
    let net: &'static Net = Box::leak(Box::new(net));
    played(db, seed, games, |seed| Box::new(Search::with_net(seed, SEARCHED, net)))
}

/// Games of a bot against itself, in order whatever the number of threads.
fn played(
    db: &CardDb,
    seed: u64,
    games: u64,
    seat: impl Fn(u64) -> Box<dyn Bot> + Sync,
) -> Vec<TrainingGame> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = |first: usize| -> Vec<TrainingGame> {
        (first as u64..games).step_by(threads).map(|game| play(db, seed << 44 | game << 20, &seat)).collect()
    };
    let mut parts: Vec<_> = thread::scope(|scope| {
        let part = &part;
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        let finished = workers.into_iter().map(|worker| match worker.join() {
            Ok(games) => games.into_iter(),
            Err(panic) => std::panic::resume_unwind(panic),
        });
        finished.collect()
    });
    (0..games as usize).filter_map(|game| parts[game % threads].next()).collect()
}

fn play(db: &CardDb, seed: u64, seat: &impl Fn(u64) -> Box<dyn Bot>) -> TrainingGame {
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut game = match Dealer::new(db, Rules::classic(2)) {
        Ok(dealer) => dealer.deal(key, &mut ()),
        Err(error) => unreachable!("{error}"),
    };
    let mut bots = [seat(seed), seat(!seed)];
    let (mut legal, mut turn, mut turns) = (Actions::new(), 0, Vec::new());
    while let Some(decision) = game.decision() {
        if game.state.turn() != turn {
            turn = game.state.turn();
            let Features { sides, table } = Features::of(&game);
            turns.push(Example { sides: [sides[0], sides[1]], table });
        }
        game.legal(&mut legal);
        let answer = bots[decision.seat.index()].choose(&game.view(Some(decision.seat)), &legal);
        if game.apply(answer, &mut ()).is_err() {
            unreachable!("a bot's answer is legal");
        }
    }
    let won = game.outcome().map_or(0.5, |outcome| f32::from(u8::from(outcome.winner.index() == 0)));
    TrainingGame { turns, won }
}

/// Trains for this many epochs, each in a different order. The target of a position is the result, mixed
/// with the network's current opinion of the later turns; `trust` is the share of the latter.
fn learn(net: &mut Net, games: &[TrainingGame], epochs: u32, trust: f32, seed: u64) {
    let mut rng = BotRng::new(seed);
    let (held_out, training): (Vec<usize>, Vec<usize>) =
        (0..games.len()).partition(|game| game % HELD_OUT == 0);
    let turns = |game: usize| (0..games[game].turns.len()).map(move |turn| (game, turn));
    let mut training: Vec<(usize, usize)> = training.into_iter().flat_map(turns).collect();
    let mut targets: Vec<Vec<f32>> = games.iter().map(|game| vec![game.won; game.turns.len()]).collect();
    let mut adam = Adam { mean: vec![0.0; SIZE], square: vec![0.0; SIZE], time: 0 };
    let all = (epochs as usize * training.len().div_ceil(BATCH)) as f32;
    for epoch in 1..=epochs {
        if epoch > 1 {
            for (game, targets) in games.iter().zip(&mut targets) {
                let mut target = game.won;
                for (example, slot) in game.turns.iter().zip(targets).rev() {
                    *slot = target;
                    target = trust * forward(net, example).1 + (1.0 - trust) * target;
                }
            }
        }
        for i in (1..training.len()).rev() {
            training.swap(i, rng.below(i + 1));
        }
        for batch in training.chunks(BATCH) {
            let mut gradient = vec![0.0; SIZE];
            for (game, turn) in batch {
                backpropagate(net, &games[*game].turns[*turn], targets[*game][*turn], &mut gradient);
            }
            let rate = RATE * (1.05 - (adam.time + 1) as f32 / all);
            adam.step(net, &gradient, rate);
        }
        let (loss, correct) = validate(net, held_out.iter().map(|game| &games[*game]));
        println!("epoch {epoch} of {epochs}: loss {loss:.4}, {:.1} % correct", correct * 100.0);
    }
}

/// The loss on games it has not learned from, and how often it predicts the winner.
fn validate<'a>(net: &Net, games: impl Iterator<Item = &'a TrainingGame>) -> (f64, f64) {
    let (mut loss, mut correct, mut many) = (0.0, 0.0, 0.0);
    for game in games {
        for example in &game.turns {
            let chance = forward(net, example).1.clamp(1e-4, 1.0 - 1e-4);
            loss -= f64::from(game.won * chance.ln() + (1.0 - game.won) * (1.0 - chance).ln());
            correct += f64::from(u8::from((chance > 0.5) == (game.won > 0.5)));
            many += 1.0;
        }
    }
    (loss / many, correct / many)
}

/// The hidden units from each player's side, and the first player's chance.
fn forward(net: &Net, example: &Example) -> ([[f32; HIDDEN]; 2], f32) {
    let mut units = [net.bias; 2];
    for (number, weights) in example.table.iter().zip(&net.table) {
        units.iter_mut().for_each(|units| add(units, *number, weights));
    }
    for me in 0..2 {
        for ((number, own), rival) in example.sides[me].iter().zip(&net.own).zip(&net.rival) {
            add(&mut units[me], *number, own);
            add(&mut units[1 - me], *number, rival);
        }
    }
    let value = |units: &[f32; HIDDEN]| -> f32 {
        units.iter().zip(&net.out).map(|(unit, weight)| unit.max(0.0) * weight).sum()
    };
    let odds = value(&units[0]) - value(&units[1]);
    (units, 1.0 / (1.0 + (-odds).exp()))
}

fn add(sum: &mut [f32], times: f32, row: &[f32]) {
    if times != 0.0 {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += times * x);
    }
}

/// Adds the gradient of the loss for one example.
fn backpropagate(net: &Net, example: &Example, target: f32, gradient: &mut [f32]) {
    let (units, chance) = forward(net, example);
    let wrong = chance - target;
    let mut deltas = [[0.0; HIDDEN]; 2];
    let (rows, out) = gradient.split_at_mut(SIZE - HIDDEN);
    for (sign, units, delta) in [(wrong, &units[0], 0), (-wrong, &units[1], 1)] {
        for unit in 0..HIDDEN {
            out[unit] += sign * units[unit].max(0.0);
            deltas[delta][unit] = if units[unit] > 0.0 { sign * net.out[unit] } else { 0.0 };
        }
    }
    // In the order of the network's weights: own, rival, table, bias.
    let mut rows = rows.chunks_exact_mut(HIDDEN);
    for (own, rival) in [(0, 1), (1, 0)] {
        for ((a, b), row) in example.sides[0].iter().zip(&example.sides[1]).zip(rows.by_ref()) {
            add(row, *a, &deltas[own]);
            add(row, *b, &deltas[rival]);
        }
    }
    for (number, row) in example.table.iter().chain([&1.0]).zip(rows) {
        add(row, *number, &deltas[0]);
        add(row, *number, &deltas[1]);
    }
}

/// The Adam optimizer.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    time: i32,
}

impl Adam {
    fn step(&mut self, net: &mut Net, gradient: &[f32], rate: f32) {
        self.time += 1;
        let (mean_left, square_left) = (1.0 - 0.9f32.powi(self.time), 1.0 - 0.999f32.powi(self.time));
        for (i, number) in net.numbers().enumerate() {
            let gradient = gradient[i] / BATCH as f32;
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * gradient;
            self.square[i] = 0.999 * self.square[i] + 0.001 * gradient * gradient;
            let step = self.mean[i] / mean_left / ((self.square[i] / square_left).sqrt() + 1e-8);
            *number -= rate * (step + DECAY * *number);
        }
    }
}

/// An untrained network.
fn untrained(seed: u64) -> Net {
    let mut rng = BotRng::new(seed);
    let mut net = Net::EMPTY;
    net.numbers().for_each(|number| *number = (rng.unit() as f32 - 0.5) * 0.3);
    net.bias = [0.0; HIDDEN];
    net
}
