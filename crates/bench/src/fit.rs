//! Trains the networks in `bots::network`: bots play against themselves, and a network learns to predict the
//! winner from the position at the start of every turn. Games and training are determined by seeds.

use std::thread;

use bots::network::{Features, HIDDEN, Net, SIDE, SIZE, TABLE};
use bots::{Bot, BotRng, Budget, Greedy, Planner, Search, Weights};
use cards::CardDb;
use engine::id::SEATS;
use engine::{Actions, Dealer, Rules};

const GREEDY_GAMES: u64 = 25_000;
const FIRST_GAMES: u64 = 8_000;
const OWN_GAMES: u64 = 32_000;
const SEARCHED: Budget = Budget { simulations: 40 };

/// For the network that knows every box.
const BOX_GREEDY_GAMES: u64 = 12_000;
const BOX_GAMES: u64 = 6_000;
const BOX_WORLDS: u32 = 3;

/// One game in this many is held out for validation.
const HELD_OUT: usize = 20;
const BATCH: usize = 128;
/// The initial learning rate; it falls towards the end.
const RATE: f32 = 0.001;
/// Weight decay.
const DECAY: f32 = 0.05;

/// Which game is played.
pub struct Table {
    pub db: CardDb,
    pub rules: Rules,
}

/// A position, with the numbers of the players still in the game.
struct Example {
    seats: Vec<usize>,
    sides: Vec<[f32; SIDE]>,
    table: [f32; TABLE],
}

/// The positions of a game, and who won, by seat.
struct TrainingGame {
    turns: Vec<Example>,
    won: [f32; SEATS],
}

/// Three generations: the first network learns from the greedy bot's games, the second also from searches
/// that use the first, and the third from searches that use the second.
pub fn fit(table: Table) -> Net {
    let tables = [table];
    let mut games =
        played(&tables, 1, GREEDY_GAMES, |seed| Box::new(Greedy::with_weights(seed, Weights::SELF_PLAY)));
    let mut first = untrained(1);
    learn(&mut first, &games, 6, 0.3, 1);
    games.extend(searched(&tables, 2, FIRST_GAMES, first));
    let mut second = untrained(3);
    learn(&mut second, &games, 5, 0.5, 3);
    learn(&mut second, &games[GREEDY_GAMES as usize..], 2, 0.5, 5);
    let own = searched(&tables, 3, OWN_GAMES, second);
    let mut third = untrained(3);
    learn(&mut third, &own, 12, 0.5, 3);
    third
}

/// Two generations over many tables: the first learns from the greedy bot's games, the second also from
/// planners that use the first.
pub fn fit_boxes(tables: &[Table]) -> Net {
    let mut games =
        played(tables, 11, BOX_GREEDY_GAMES, |seed| Box::new(Greedy::with_weights(seed, Weights::SELF_PLAY)));
    let mut first = untrained(11);
    learn(&mut first, &games, 6, 0.3, 11);
    let net: &'static Net = Box::leak(Box::new(first));
    games.extend(played(tables, 12, BOX_GAMES, |seed| Box::new(Planner::with_net(seed, BOX_WORLDS, net))));
    let mut second = untrained(13);
    learn(&mut second, &games, 5, 0.5, 13);
    learn(&mut second, &games[BOX_GREEDY_GAMES as usize..], 4, 0.5, 15);
    second
}

/// Games of a search with this network against itself.
fn searched(tables: &[Table], seed: u64, games: u64, net: Net) -> Vec<TrainingGame> {
    // Bots need a static network, and this one is used until the program ends anyway.
    let net: &'static Net = Box::leak(Box::new(net));
    played(tables, seed, games, |seed| Box::new(Search::with_net(seed, SEARCHED, net)))
}

/// Games of a bot against itself, at each table in turn; in order whatever the number of threads.
fn played(
    tables: &[Table],
    seed: u64,
    games: u64,
    seat: impl Fn(u64) -> Box<dyn Bot> + Sync,
) -> Vec<TrainingGame> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = |first: usize| -> Vec<TrainingGame> {
        let table = |game: u64| &tables[game as usize % tables.len()];
        let games = (first as u64..games).step_by(threads);
        games.map(|game| play(table(game), seed << 44 | game << 20, &seat)).collect()
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

fn play(table: &Table, seed: u64, seat: &impl Fn(u64) -> Box<dyn Bot>) -> TrainingGame {
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut game = match Dealer::new(&table.db, table.rules) {
        Ok(dealer) => dealer.deal(key, &mut ()),
        Err(error) => unreachable!("{error}"),
    };
    let mut bots: Vec<Box<dyn Bot>> = (0..u64::from(table.rules.players))
        .map(|n| seat(if n == 0 { seed } else { !seed ^ (n - 1) }))
        .collect();
    let (mut legal, mut turn, mut turns) = (Actions::new(), 0, Vec::new());
    while let Some(decision) = game.decision() {
        if game.state.turn() != turn {
            turn = game.state.turn();
            let Features { sides, table } = Features::of(&game);
            let seats: Vec<usize> = game.state.seats().map(|seat| seat.index()).collect();
            turns.push(Example { sides: seats.iter().map(|seat| sides[*seat]).collect(), seats, table });
        }
        game.legal(&mut legal);
        let answer = bots[decision.seat.index()].choose(&game.view(Some(decision.seat)), &legal);
        if game.apply(answer, &mut ()).is_err() {
            unreachable!("a bot's answer is legal");
        }
    }
    let mut won = [1.0 / f32::from(table.rules.players); SEATS];
    if let Some(outcome) = game.outcome().filter(|outcome| outcome.winner.exists()) {
        won = [0.0; SEATS];
        won[outcome.winner.index()] = 1.0;
    }
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
    let mut targets: Vec<Vec<[f32; SEATS]>> =
        games.iter().map(|game| vec![game.won; game.turns.len()]).collect();
    let mut adam = Adam { mean: vec![0.0; SIZE], square: vec![0.0; SIZE], time: 0 };
    let all = (epochs as usize * training.len().div_ceil(BATCH)) as f32;
    for epoch in 1..=epochs {
        if epoch > 1 {
            for (game, targets) in games.iter().zip(&mut targets) {
                let mut target = game.won;
                for (example, slot) in game.turns.iter().zip(targets).rev() {
                    *slot = target;
                    let opinion = Forward::of(net, example).chances;
                    target.iter_mut().for_each(|target| *target *= 1.0 - trust);
                    for (seat, chance) in example.seats.iter().zip(opinion) {
                        target[*seat] += trust * chance;
                    }
                }
            }
        }
        for i in (1..training.len()).rev() {
            training.swap(i, rng.below(i + 1));
        }
        for batch in training.chunks(BATCH) {
            let mut gradient = vec![0.0; SIZE];
            for (game, turn) in batch {
                backpropagate(net, &games[*game].turns[*turn], &targets[*game][*turn], &mut gradient);
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
            let chances = Forward::of(net, example).chances;
            let won = |i: usize| game.won[example.seats[i]];
            for (i, chance) in chances.iter().enumerate() {
                loss -= f64::from(won(i) * chance.clamp(1e-4, 1.0 - 1e-4).ln());
            }
            let best = (0..chances.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b])).unwrap_or(0);
            correct += f64::from(u8::from(won(best) > 0.5));
            many += 1.0;
        }
    }
    (loss / many, correct / many)
}

/// What a network makes of a position.
struct Forward {
    /// What the hidden units get from the table, and from each player as oneself and as a rival.
    table: [f32; HIDDEN],
    own: Vec<[f32; HIDDEN]>,
    rival: Vec<[f32; HIDDEN]>,
    /// By player still in the game.
    chances: Vec<f32>,
}

impl Forward {
    fn of(net: &Net, example: &Example) -> Forward {
        let mut table = net.bias;
        for (number, weights) in example.table.iter().zip(&net.table) {
            add(&mut table, *number, weights);
        }
        let sum = |layer: &[[f32; HIDDEN]; SIDE], side: &[f32; SIDE]| {
            let mut units = [0.0; HIDDEN];
            side.iter().zip(layer).for_each(|(number, weights)| add(&mut units, *number, weights));
            units
        };
        let own: Vec<_> = example.sides.iter().map(|side| sum(&net.own, side)).collect();
        let rival: Vec<_> = example.sides.iter().map(|side| sum(&net.rival, side)).collect();
        let mut forward = Forward { table, own, rival, chances: Vec::new() };
        let many = example.sides.len();
        let rivals = many.saturating_sub(1).max(1) as f32;
        let mut scores = vec![0.0; many];
        for (me, other) in pairs(many) {
            let units = forward.units(me, other);
            let view: f32 = units.iter().zip(&net.out).map(|(unit, weight)| unit.max(0.0) * weight).sum();
            scores[me] += view / (2.0 * rivals);
            scores[other] -= view / (2.0 * rivals);
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let odds: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f32 = odds.iter().sum();
        forward.chances = odds.into_iter().map(|odds| odds / sum).collect();
        forward
    }

    /// The hidden units when one player looks at another.
    fn units(&self, me: usize, other: usize) -> [f32; HIDDEN] {
        std::array::from_fn(|unit| self.table[unit] + self.own[me][unit] + self.rival[other][unit])
    }
}

/// Every player with every other, both ways round.
fn pairs(many: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..many).flat_map(move |me| (0..many).filter(move |other| *other != me).map(move |other| (me, other)))
}

fn add(sum: &mut [f32], times: f32, row: &[f32]) {
    if times != 0.0 {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += times * x);
    }
}

/// Adds the gradient of the loss for one example.
fn backpropagate(net: &Net, example: &Example, target: &[f32; SEATS], gradient: &mut [f32]) {
    let forward = Forward::of(net, example);
    let many = example.sides.len();
    let rivals = many.saturating_sub(1).max(1) as f32;
    let wrong: Vec<f32> =
        forward.chances.iter().zip(&example.seats).map(|(chance, seat)| chance - target[*seat]).collect();
    let (mut own, mut rival) = (vec![[0.0; HIDDEN]; many], vec![[0.0; HIDDEN]; many]);
    let mut table = [0.0; HIDDEN];
    let (rows, out) = gradient.split_at_mut(SIZE - HIDDEN);
    for (me, other) in pairs(many) {
        let units = forward.units(me, other);
        let wrong = (wrong[me] - wrong[other]) / (2.0 * rivals);
        for unit in 0..HIDDEN {
            out[unit] += wrong * units[unit].max(0.0);
            let delta = if units[unit] > 0.0 { wrong * net.out[unit] } else { 0.0 };
            own[me][unit] += delta;
            rival[other][unit] += delta;
            table[unit] += delta;
        }
    }
    // In the order of the network's weights: own, rival, table, bias.
    let mut rows = rows.chunks_exact_mut(HIDDEN);
    for deltas in [&own, &rival] {
        let layer: Vec<&mut [f32]> = rows.by_ref().take(SIDE).collect();
        for (number, row) in layer.into_iter().enumerate() {
            for (side, deltas) in example.sides.iter().zip(deltas) {
                add(row, side[number], deltas);
            }
        }
    }
    for (number, row) in example.table.iter().chain([&1.0]).zip(rows) {
        add(row, *number, &table);
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
