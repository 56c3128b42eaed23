//! Teaches the network of `bots::outlook`: bots play against themselves, and from the tables at the beginning of
//! every turn and who won in the end it learns to tell the chances. Games and learning follow from seeds alone.

use std::thread;

use bots::outlook::{Features, HIDDEN, Net, SIDE, SIZE, TABLE};
use bots::{Bot, Budget, Dice, Greedy, Search, Weights};
use cards::CardDb;
use engine::{Actions, Dealer, Rules};

const GREEDY_GAMES: u64 = 25_000;
const FIRST_GAMES: u64 = 8_000;
const OWN_GAMES: u64 = 32_000;
const SEARCHED: Budget = Budget { simulations: 40 };

/// One game in so many is kept to be asked about.
const KEPT: usize = 20;
const BATCH: usize = 128;
/// How far a number moves with a batch at first; less and less towards the end.
const RATE: f32 = 0.001;
/// How much of itself a number loses with a step of its full length.
const DECAY: f32 = 0.05;

/// A table as the two players have it.
struct Lesson {
    sides: [[f32; SIDE]; 2],
    table: [f32; TABLE],
}

/// The turns of a game, and whether the first player won.
struct Played {
    turns: Vec<Lesson>,
    won: f32,
}

/// Three generations. The greedy bot's games teach the first network; with it a search is good enough to play games
/// that teach a better one; and a search with that one plays the games that matter.
pub fn fit(db: &CardDb) -> Net {
    let mut games = played(db, 1, GREEDY_GAMES, |seed| Box::new(Greedy::by(seed, Weights::BY_PLAY)));
    let mut first = newborn(1);
    learn(&mut first, &games, 6, 0.3, 1);
    games.extend(searched(db, 2, FIRST_GAMES, first));
    let mut second = newborn(3);
    learn(&mut second, &games, 5, 0.5, 3);
    learn(&mut second, &games[GREEDY_GAMES as usize..], 2, 0.5, 5);
    let own = searched(db, 3, OWN_GAMES, second);
    let mut third = newborn(3);
    learn(&mut third, &own, 12, 0.5, 3);
    third
}

/// Games of a search with this network against itself.
fn searched(db: &CardDb, seed: u64, games: u64, net: Net) -> Vec<Played> {
    // Bots keep their network for good, and this one is needed to the end of the program anyway.
    let net: &'static Net = Box::leak(Box::new(net));
    played(db, seed, games, |seed| Box::new(Search::by(seed, SEARCHED, net)))
}

/// Games of a bot against itself, in order whatever the number of threads.
fn played(db: &CardDb, seed: u64, games: u64, seat: impl Fn(u64) -> Box<dyn Bot> + Sync) -> Vec<Played> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = |first: usize| -> Vec<Played> {
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

fn play(db: &CardDb, seed: u64, seat: &impl Fn(u64) -> Box<dyn Bot>) -> Played {
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
            turns.push(Lesson { sides: [sides[0], sides[1]], table });
        }
        game.legal(&mut legal);
        let answer = bots[decision.seat.index()].choose(&game.view(Some(decision.seat)), &legal);
        if game.apply(answer, &mut ()).is_err() {
            unreachable!("a bot's answer is legal");
        }
    }
    let won = game.outcome().map_or(0.5, |outcome| f32::from(u8::from(outcome.winner.index() == 0)));
    Played { turns, won }
}

/// Goes through the games so many times, each time in another order. What a turn should have been told to be
/// is who won, mixed with what is thought of the turns after it by now: `trust` is the part of the latter.
fn learn(net: &mut Net, games: &[Played], rounds: u32, trust: f32, seed: u64) {
    let mut dice = Dice::new(seed);
    let (asked, taught): (Vec<usize>, Vec<usize>) = (0..games.len()).partition(|game| game % KEPT == 0);
    let turns = |game: usize| (0..games[game].turns.len()).map(move |turn| (game, turn));
    let mut taught: Vec<(usize, usize)> = taught.into_iter().flat_map(turns).collect();
    let mut aims: Vec<Vec<f32>> = games.iter().map(|game| vec![game.won; game.turns.len()]).collect();
    let mut steps = Steps { mean: vec![0.0; SIZE], square: vec![0.0; SIZE], time: 0 };
    let all = (rounds as usize * taught.len().div_ceil(BATCH)) as f32;
    for round in 1..=rounds {
        if round > 1 {
            for (game, aims) in games.iter().zip(&mut aims) {
                let mut aim = game.won;
                for (lesson, slot) in game.turns.iter().zip(aims).rev() {
                    *slot = aim;
                    aim = trust * forward(net, lesson).1 + (1.0 - trust) * aim;
                }
            }
        }
        for i in (1..taught.len()).rev() {
            taught.swap(i, dice.below(i + 1));
        }
        for batch in taught.chunks(BATCH) {
            let mut slope = vec![0.0; SIZE];
            for (game, turn) in batch {
                back(net, &games[*game].turns[*turn], aims[*game][*turn], &mut slope);
            }
            let rate = RATE * (1.05 - (steps.time + 1) as f32 / all);
            steps.step(net, &slope, rate);
        }
        let (cost, right) = ask(net, asked.iter().map(|game| &games[*game]));
        println!("round {round} of {rounds}: cost {cost:.4}, {:.1} % right", right * 100.0);
    }
}

/// How far off it is about games it has not learned from, and how often it names the winner.
fn ask<'a>(net: &Net, games: impl Iterator<Item = &'a Played>) -> (f64, f64) {
    let (mut cost, mut right, mut many) = (0.0, 0.0, 0.0);
    for game in games {
        for lesson in &game.turns {
            let chance = forward(net, lesson).1.clamp(1e-4, 1.0 - 1e-4);
            cost -= f64::from(game.won * chance.ln() + (1.0 - game.won) * (1.0 - chance).ln());
            right += f64::from(u8::from((chance > 0.5) == (game.won > 0.5)));
            many += 1.0;
        }
    }
    (cost / many, right / many)
}

/// The units as each of the two sees it, and the first one's chance.
fn forward(net: &Net, lesson: &Lesson) -> ([[f32; HIDDEN]; 2], f32) {
    let mut units = [net.bias; 2];
    for (figure, weights) in lesson.table.iter().zip(&net.table) {
        units.iter_mut().for_each(|units| add(units, *figure, weights));
    }
    for me in 0..2 {
        for ((figure, own), rival) in lesson.sides[me].iter().zip(&net.own).zip(&net.rival) {
            add(&mut units[me], *figure, own);
            add(&mut units[1 - me], *figure, rival);
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

/// Adds the slope of what one lesson costs.
fn back(net: &Net, lesson: &Lesson, aim: f32, slope: &mut [f32]) {
    let (units, chance) = forward(net, lesson);
    let wrong = chance - aim;
    let mut deltas = [[0.0; HIDDEN]; 2];
    let (rows, out) = slope.split_at_mut(SIZE - HIDDEN);
    for (sign, units, delta) in [(wrong, &units[0], 0), (-wrong, &units[1], 1)] {
        for unit in 0..HIDDEN {
            out[unit] += sign * units[unit].max(0.0);
            deltas[delta][unit] = if units[unit] > 0.0 { sign * net.out[unit] } else { 0.0 };
        }
    }
    // In the order of the network's numbers: one's own, the rival's, the table's, the bias.
    let mut rows = rows.chunks_exact_mut(HIDDEN);
    for (own, rival) in [(0, 1), (1, 0)] {
        for ((a, b), row) in lesson.sides[0].iter().zip(&lesson.sides[1]).zip(rows.by_ref()) {
            add(row, *a, &deltas[own]);
            add(row, *b, &deltas[rival]);
        }
    }
    for (figure, row) in lesson.table.iter().chain([&1.0]).zip(rows) {
        add(row, *figure, &deltas[0]);
        add(row, *figure, &deltas[1]);
    }
}

/// Adam: every number's steps have a length of their own.
struct Steps {
    mean: Vec<f32>,
    square: Vec<f32>,
    time: i32,
}

impl Steps {
    fn step(&mut self, net: &mut Net, slope: &[f32], rate: f32) {
        self.time += 1;
        let (mean_left, square_left) = (1.0 - 0.9f32.powi(self.time), 1.0 - 0.999f32.powi(self.time));
        for (i, number) in net.numbers().enumerate() {
            let slope = slope[i] / BATCH as f32;
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * slope;
            self.square[i] = 0.999 * self.square[i] + 0.001 * slope * slope;
            let step = self.mean[i] / mean_left / ((self.square[i] / square_left).sqrt() + 1e-8);
            *number -= rate * (step + DECAY * *number);
        }
    }
}

/// A network that knows nothing yet.
fn newborn(seed: u64) -> Net {
    let mut dice = Dice::new(seed);
    let mut net = Net::EMPTY;
    net.numbers().for_each(|number| *number = (dice.unit() as f32 - 0.5) * 0.3);
    net.bias = [0.0; HIDDEN];
    net
}
