//! Compares bots. A round is one deal, played once in every seating, so that neither cards nor seats favour
//! anyone.
//!
//! Two bots at a table for two: each deal twice, with the seats swapped. As many entrants as seats: each deal
//! once in every rotation. More entrants than seats: all combinations, each in every rotation. Fewer: they
//! sit in turn (A B A B), starting with each of them. Confidence intervals are computed over rounds, because
//! the games of one round are not independent.

mod deals;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use bots::{BotRng, BotSpec};
use engine::{Dealer, Seat, SeatSet, Setup};
use serde::{Deserialize, Serialize};

use crate::rating::{Interval, Matchup, elo, percentiles, wilson};
use crate::resume::{ResumeError, ResumeFile};
use crate::seated::{GameEnd, SeatedBot, derive_seed, play};
use crate::thinking_time::ThinkingTime;
use crate::workers::{Workers, run_jobs};

pub use deals::{Collected, Deals};

/// Who sits where: an entrant's index for each seat.
pub type Seating = Vec<u8>;
/// How each game of a round ended.
pub type Round = Vec<GameResult>;

/// How one game ended, with a bit for each entrant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct GameResult {
    /// Usually one; otherwise they share the win.
    pub won: u16,
    pub forfeited: u16,
}

pub const MAX_ENTRANTS: usize = 12;
/// How often the rounds are resampled for the confidence intervals, and the seed for that.
const RESAMPLES: usize = 1000;
const RESAMPLE_SEED: u64 = 1;

impl GameResult {
    fn of(end: &GameEnd, seating: &Seating) -> GameResult {
        let entrants = |seats: SeatSet| {
            let at = seating.iter().enumerate().filter(|(seat, _)| seats.has(Seat(*seat as u8)));
            at.fold(0, |all, (_, entrant)| all | 1 << entrant)
        };
        GameResult { won: entrants(end.winners()), forfeited: entrants(end.forfeits) }
    }

    /// Could a game with this seating have ended like this?
    pub(crate) fn is_possible(self, seating: &Seating) -> bool {
        let present = seating.iter().fold(0, |all, entrant| all | 1 << entrant);
        self.won != 0 && (self.won | self.forfeited) & !present == 0
    }
}

impl From<(u16, u16)> for GameResult {
    fn from((won, forfeited): (u16, u16)) -> GameResult {
        GameResult { won, forfeited }
    }
}

impl From<GameResult> for (u16, u16) {
    fn from(played: GameResult) -> (u16, u16) {
        (played.won, played.forfeited)
    }
}

/// The seatings played in every round.
pub fn seatings(entrants: usize, players: usize) -> Vec<Seating> {
    let groups: Vec<Seating> = if entrants > players {
        choices(entrants as u8, players)
    } else {
        let from = |first| (0..players).map(|seat| ((first + seat) % entrants) as u8).collect();
        (0..entrants).map(from).collect()
    };
    let mut all: Vec<Seating> = Vec::new();
    for mut seating in groups {
        for _ in 0..players {
            if !all.contains(&seating) {
                all.push(seating.clone());
            }
            seating.rotate_left(1);
        }
    }
    all
}

/// All ways to choose `many` of the numbers below `n`, in order.
fn choices(n: u8, many: usize) -> Vec<Seating> {
    match (many, n) {
        (0, _) => vec![Vec::new()],
        (_, 0) => Vec::new(),
        _ => {
            let mut all = choices(n - 1, many);
            all.extend(choices(n - 1, many - 1).into_iter().map(|mut chosen| {
                chosen.push(n - 1);
                chosen
            }));
            all.sort();
            all
        }
    }
}

/// Who plays, and what.
pub struct Arena<'a> {
    pub entrants: &'a [BotSpec],
    pub setup: &'a Setup,
    pub dealer: &'a Dealer<'a>,
    pub seatings: Vec<Seating>,
}

/// The outcome of all rounds.
pub struct Results {
    /// Every distinct result of a round, and how often it occurred.
    pub rounds: BTreeMap<Round, u64>,
    /// How long each entrant took per answer, in this run.
    pub thinking: Vec<ThinkingTime>,
}

impl<'a> Arena<'a> {
    pub fn new(entrants: &'a [BotSpec], setup: &'a Setup, dealer: &'a Dealer<'a>) -> Arena<'a> {
        let seatings = seatings(entrants.len(), usize::from(setup.rules.players));
        Arena { entrants, setup, dealer, seatings }
    }

    /// Enough rounds for this many games.
    pub fn rounds_for(&self, games: u64) -> u64 {
        games.div_ceil(self.seatings.len() as u64)
    }

    /// Plays the rounds that the file does not have yet, and appends them to it.
    pub fn run(
        &self,
        rounds: u64,
        mut resume: Option<ResumeFile>,
        workers: Workers,
    ) -> Result<Results, ResumeError> {
        let mut found = BTreeMap::new();
        let mut known = BTreeSet::new();
        let kept = resume.as_mut().map(ResumeFile::take_rounds).unwrap_or_default();
        for (deal, round) in kept.into_iter().filter(|(deal, _)| *deal < rounds) {
            *found.entry(round).or_default() += 1;
            known.insert(deal);
        }
        let resume = Mutex::new((resume, None));
        let worker = || (BTreeMap::new(), vec![ThinkingTime::default(); self.entrants.len()]);
        let each = |(counts, thinking): &mut (BTreeMap<Round, u64>, Vec<ThinkingTime>), deal: u64| {
            if known.contains(&deal) {
                return self.seatings.iter().for_each(|_| (workers.done)());
            }
            let round = self.round(deal, thinking, workers.done);
            let mut resume = resume.lock().unwrap_or_else(|broken| broken.into_inner());
            if let (Some(open), None) = &mut *resume
                && let Err(error) = open.add(deal, &round)
            {
                resume.1 = Some(error);
                workers.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            drop(resume);
            *counts.entry(round).or_default() += 1;
        };
        let mut thinking = vec![ThinkingTime::default(); self.entrants.len()];
        for (counts, times) in run_jobs(rounds, workers, worker, each) {
            counts.into_iter().for_each(|(round, n)| *found.entry(round).or_default() += n);
            thinking.iter_mut().zip(times).for_each(|(sum, of)| sum.add(&of));
        }
        match resume.into_inner().unwrap_or_else(|broken| broken.into_inner()).1 {
            Some(error) => Err(error),
            None => Ok(Results { rounds: found, thinking }),
        }
    }

    fn round(&self, deal: u64, thinking: &mut [ThinkingTime], done: &dyn Fn()) -> Round {
        let seed = self.setup.seed;
        let game = |(number, seating): (usize, &Seating)| {
            let mut game = self.dealer.deal(seed.nth(deal).0, &mut ());
            let seated = |(seat, entrant): (usize, &u8)| {
                let seed = derive_seed(seed.number(), deal, number as u64, seat as u64);
                SeatedBot::new(&self.entrants[usize::from(*entrant)], seed)
            };
            let mut bots: Vec<SeatedBot> = seating.iter().enumerate().map(seated).collect();
            let end = play(&mut game, &mut bots, &mut (), |_, _, seat, took| {
                thinking[usize::from(seating[seat.index()])].note(took);
            });
            done();
            GameResult::of(&end, seating)
        };
        self.seatings.iter().enumerate().map(game).collect()
    }

    pub fn standings(&self, results: &Results) -> Standings {
        let rounds: Vec<(&Round, u64)> = results.rounds.iter().map(|(round, n)| (round, *n)).collect();
        let entrants = self.entrants.len();
        let count: u64 = rounds.iter().map(|(_, n)| n).sum();
        let now = self.score(rounds.iter().copied());
        let mut spread = vec![(Vec::new(), Vec::new()); entrants];
        let mut rng = BotRng::new(RESAMPLE_SEED);
        for _ in 0..if rounds.len() > 1 { RESAMPLES } else { 0 } {
            let again = resample(&rounds, count, &mut rng);
            let score = self.score(rounds.iter().map(|(round, _)| *round).zip(again));
            for (e, (rates, elos)) in spread.iter_mut().enumerate() {
                rates.push(score.rate[e]);
                elos.push(score.elo[e]);
            }
        }
        let standing = |e: usize| {
            let (rates, elos) = &mut spread[e];
            // If every round ended alike for an entrant, resampling shows no spread, but their number does.
            let alike = rates.iter().all(|rate| *rate == rates[0]);
            let by_count = || wilson(now.rate[e] * count as f64, count as f64);
            let rate = if alike { by_count() } else { percentiles(rates) };
            let elo = if elos.is_empty() { None } else { Some(percentiles(elos)) };
            Standing {
                name: self.entrants[e].to_string(),
                games: now.games[e],
                forfeits: now.forfeits[e],
                win_rate: now.rate[e],
                low: rate.low,
                high: rate.high,
                elo: now.elo[e],
                elo_low: elo.map(|elo| elo.low),
                elo_high: elo.map(|elo| elo.high),
            }
        };
        let entrants = (0..entrants).map(standing).collect();
        Standings { rounds: count, games: count * self.seatings.len() as u64, entrants }
    }

    fn score<'r>(&self, rounds: impl Iterator<Item = (&'r Round, u64)>) -> Score {
        let entrants = self.entrants.len();
        // How often each seating ended in which way.
        let mut ends: Vec<BTreeMap<GameResult, u64>> = vec![BTreeMap::new(); self.seatings.len()];
        for (round, n) in rounds {
            for (ends, played) in ends.iter_mut().zip(round) {
                *ends.entry(*played).or_default() += n;
            }
        }
        let mut met: BTreeMap<Seating, Matchup> = BTreeMap::new();
        let (mut games, mut forfeits) = (vec![0u64; entrants], vec![0u64; entrants]);
        let mut won = vec![0.0; entrants];
        for (seating, ends) in self.seatings.iter().zip(ends) {
            let mut group = seating.clone();
            group.sort_unstable();
            let seats = |e| seating.iter().filter(|at| usize::from(**at) == e).count();
            let met = met.entry(group).or_insert_with(|| Matchup {
                seats: (0..entrants).map(|e| seats(e) as f64).collect(),
                won: vec![0.0; entrants],
            });
            for (GameResult { won: winners, forfeited }, n) in ends {
                let share = n as f64 / f64::from(winners.count_ones().max(1));
                for e in (0..entrants).filter(|e| seats(*e) > 0) {
                    games[e] += n;
                    forfeits[e] += n * u64::from(forfeited >> e & 1);
                    if winners >> e & 1 == 1 {
                        won[e] += share;
                        met.won[e] += share;
                    }
                }
            }
        }
        let met: Vec<Matchup> = met.into_values().collect();
        let rate = won.iter().zip(&games).map(|(won, games)| won / (*games).max(1) as f64).collect();
        Score { games, forfeits, rate, elo: elo(&met, entrants) }
    }
}

struct Score {
    games: Vec<u64>,
    forfeits: Vec<u64>,
    rate: Vec<f64>,
    elo: Vec<f64>,
}

/// As many rounds as there were, drawn from them with replacement.
fn resample(rounds: &[(&Round, u64)], count: u64, rng: &mut BotRng) -> Vec<u64> {
    let ends: Vec<u64> = rounds
        .iter()
        .scan(0, |sum, (_, n)| {
            *sum += n;
            Some(*sum)
        })
        .collect();
    let mut again = vec![0; rounds.len()];
    for _ in 0..count {
        let one = rng.below(count as usize) as u64;
        again[ends.partition_point(|end| *end <= one)] += 1;
    }
    again
}

/// How everyone did. Equal seeds and numbers of games give equal standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    pub rounds: u64,
    pub games: u64,
    pub entrants: Vec<Standing>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    pub name: String,
    /// Games this entrant was in.
    pub games: u64,
    /// Games it forfeited.
    pub forfeits: u64,
    pub win_rate: f64,
    pub low: f64,
    pub high: f64,
    /// Zero is the average of all entrants.
    pub elo: f64,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
}

impl Standings {
    /// For two entrants: how far the first one's Elo is above the second's, with its interval.
    pub fn difference(&self) -> Option<(f64, Option<Interval>)> {
        let [first, second] = &self.entrants[..] else { return None };
        // They add up to zero, so the difference is twice the first one's Elo.
        let interval = first.elo_low.zip(first.elo_high);
        let interval = interval.map(|(low, high)| Interval { low: 2.0 * low, high: 2.0 * high });
        Some((first.elo - second.elo, interval))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn everyone_has_every_seat_equally_often() {
        for entrants in 2..=6usize {
            for players in 2..=6usize {
                let all = seatings(entrants, players);
                for seat in 0..players {
                    let times = |e: usize| all.iter().filter(|s| usize::from(s[seat]) == e).count();
                    assert!((1..entrants).all(|e| times(e) == times(0)), "{entrants} {players} {all:?}");
                }
            }
        }
        assert_eq!(seatings(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(3, 2), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(seatings(2, 4), [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert_eq!(seatings(2, 3).len(), 6);
        assert_eq!(seatings(4, 4).len(), 4);
    }

    #[test]
    fn the_median_and_the_longest_are_close() {
        let mut thinking = ThinkingTime::default();
        assert_eq!((thinking.median(), thinking.longest()), (None, None));
        (1..=999).for_each(|n| thinking.note(Duration::from_micros(n)));
        let median = thinking.median().unwrap();
        assert!((0.49..0.51).contains(&median), "{median}");
        let longest = thinking.longest().unwrap();
        assert!((0.97..1.02).contains(&longest), "{longest}");
    }

    const FIRST: GameResult = GameResult { won: 1, forfeited: 0 };
    const SECOND: GameResult = GameResult { won: 2, forfeited: 0 };

    fn standings(players: u8, names: &[&str], rounds: &[(&[GameResult], u64)]) -> Standings {
        let db = cards::library::base();
        let setup = Setup { rules: engine::Rules::classic(players), ..Setup::new(1.into()) };
        let dealer = Dealer::new(&db, setup.rules).unwrap();
        let entrants: Vec<BotSpec> = names.iter().map(|name| name.parse().unwrap()).collect();
        let rounds = rounds.iter().map(|(round, n)| (round.to_vec(), *n)).collect();
        Arena::new(&entrants, &setup, &dealer).standings(&Results { rounds, thinking: Vec::new() })
    }

    /// 100 rounds, 60 won twice and 40 lost twice: the interval is that of 100 samples, not of 200.
    #[test]
    fn the_interval_is_over_rounds() {
        let rounds: [(&[GameResult], u64); 2] = [(&[FIRST, FIRST], 60), (&[SECOND, SECOND], 40)];
        let standings = standings(2, &["greedy", "random"], &rounds);
        let first = &standings.entrants[0];
        assert_eq!((standings.games, first.games, first.win_rate), (200, 200, 0.6));
        let exact = crate::rating::normal(0.6, (0.24f64 / 100.0).sqrt());
        assert!(
            (first.low - exact.low).abs() < 0.012 && (first.high - exact.high).abs() < 0.012,
            "{first:?}"
        );
        let (difference, interval) = standings.difference().unwrap();
        assert!((difference - 400.0 * 1.5f64.log10()).abs() < 1e-6);
        let interval = interval.unwrap();
        let elo = |rate: f64| 400.0 * (rate / (1.0 - rate)).log10();
        assert!((interval.low - elo(first.low)).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - elo(first.high)).abs() < 1e-6, "{interval:?}");
    }

    /// A bot that forfeits wins nothing: the others share what its stand-in won.
    #[test]
    fn a_forfeit_is_shared_among_the_others() {
        let shared = GameResult { won: 0b110, forfeited: 0b001 };
        let standings = standings(3, &["random", "kobold", "greedy"], &[(&[shared, shared, shared], 4)]);
        let [broken, others @ ..] = &standings.entrants[..] else { panic!("{standings:?}") };
        assert_eq!((broken.games, broken.forfeits, broken.win_rate), (12, 12, 0.0));
        assert!(others.iter().all(|other| (other.forfeits, other.win_rate) == (0, 0.5)), "{others:?}");
    }
}
