//! How a network learns: gradient descent on games that were played, some of which are held out to see how well
//! it does on games it has not learned from. Everything follows from seeds.

use bots::BotRng;
use bots::network::{HIDDEN, Net, SIDE, SIZE};
use engine::id::SEATS;

use super::games::{Example, TrainingGame};

/// One game in this many is held out: no divisor of the number of tables, so that each has some.
const HELD_OUT: usize = 19;
const BATCH: usize = 128;
/// The initial learning rate; it falls towards the end.
const RATE: f32 = 0.001;
/// Weight decay.
const DECAY: f32 = 0.05;

/// How to learn from games.
#[derive(Clone, Copy)]
pub struct Lesson {
    pub epochs: u32,
    /// The target of a position is the result, mixed with the network's opinion of the later turns; this is the
    /// share of the latter.
    pub trust: f32,
    pub seed: u64,
}

/// How a network did on the games held out, after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub epoch: u32,
    pub loss: f64,
    /// How often it names the winner.
    pub correct: f64,
}

/// Learns from the games, in another order in each epoch. Stops early, and says so, if `go_on` does.
pub fn learn(
    net: &mut Net,
    games: &[TrainingGame],
    lesson: Lesson,
    mut go_on: impl FnMut(Progress) -> bool,
) -> bool {
    let Lesson { epochs, trust, seed } = lesson;
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
        if !go_on(Progress { epoch, loss, correct }) {
            return false;
        }
    }
    true
}

/// The loss on games it has not learned from, and how often it predicts the winner.
fn validate<'a>(net: &Net, games: impl Iterator<Item = &'a TrainingGame>) -> (f64, f64) {
    let (mut loss, mut correct, mut many, mut guesses) = (0.0, 0.0, 0.0, 0.0f64);
    for game in games {
        for example in &game.turns {
            let chances = Forward::of(net, example).chances;
            let won = |i: usize| game.won[example.seats[i]];
            for (i, chance) in chances.iter().enumerate() {
                loss -= f64::from(won(i) * chance.clamp(1e-4, 1.0 - 1e-4).ln());
            }
            if game.solo {
                // The rest of the same loss; nobody else wins.
                loss -= f64::from((1.0 - won(0)) * (1.0 - chances[0]).clamp(1e-4, 1.0).ln());
                many += 1.0;
                continue;
            }
            let best = (0..chances.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b])).unwrap_or(0);
            guesses += 1.0;
            correct += f64::from(u8::from(won(best) > 0.5));
            many += 1.0;
        }
    }
    (loss / many, correct / guesses.max(1.0))
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
        if many == 1 {
            let units = forward.units(0, None);
            let odds: f32 = units.iter().zip(&net.out).map(|(unit, weight)| unit.max(0.0) * weight).sum();
            forward.chances = vec![1.0 / (1.0 + (-odds).exp())];
            return forward;
        }
        let rivals = many.saturating_sub(1).max(1) as f32;
        let mut scores = vec![0.0; many];
        for (me, other) in pairs(many) {
            let units = forward.units(me, Some(other));
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

    /// The hidden units when one player looks at another, or is alone.
    fn units(&self, me: usize, other: Option<usize>) -> [f32; HIDDEN] {
        let rival = |unit: usize| other.map_or(0.0, |other| self.rival[other][unit]);
        std::array::from_fn(|unit| self.table[unit] + self.own[me][unit] + rival(unit))
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
    let meetings: Vec<(usize, Option<usize>)> = match many {
        1 => vec![(0, None)],
        _ => pairs(many).map(|(me, other)| (me, Some(other))).collect(),
    };
    for (me, other) in meetings {
        let units = forward.units(me, other);
        let wrong = match other {
            Some(other) => (wrong[me] - wrong[other]) / (2.0 * rivals),
            None => wrong[me],
        };
        for unit in 0..HIDDEN {
            out[unit] += wrong * units[unit].max(0.0);
            let delta = if units[unit] > 0.0 { wrong * net.out[unit] } else { 0.0 };
            own[me][unit] += delta;
            if let Some(other) = other {
                rival[other][unit] += delta;
            }
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
pub fn untrained(seed: u64) -> Net {
    let mut rng = BotRng::new(seed);
    let mut net = Net::EMPTY;
    net.numbers().for_each(|number| *number = (rng.unit() as f32 - 0.5) * 0.3);
    net.bias = [0.0; HIDDEN];
    net
}
