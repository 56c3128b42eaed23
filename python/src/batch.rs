//! Many games stepped together, on several threads and without the interpreter lock. A game that ends is
//! followed by the next one at once. Invariant: what happens in a game depends on its seed and the actions
//! given to it, not on the threads; if any action is illegal, nothing is done.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bots::{BotRng, BotSpec, SeatedBot};
use engine::{Seat, Seed};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::crew::Crew;
use crate::error::Failure;
use crate::game::Game;
use crate::given::{self, Number, Words};
use crate::play::{Play, seat_bots};
use crate::table::{Table, Wish};

/// A game takes some 20 000 bytes, and as much again for what is seen of it.
const MOST_GAMES: usize = 100_000;

/// Many games stepped together on several threads, without the interpreter lock.
#[pyclass(module = "lair_env._core")]
pub struct Batch {
    table: Arc<Table>,
    /// Bots may move between threads, but not be shared.
    lanes: Mutex<Vec<Lane>>,
    games: usize,
    crew: Crew,
    shaped: bool,
}

/// One of the games, and those that follow it.
struct Lane {
    play: Box<Play>,
    /// By seat: who plays there, if not the caller. In the next game everybody sits one seat further.
    opponents: Vec<Option<BotSpec>>,
    bots: Vec<Option<SeatedBot>>,
    rng: BotRng,
    /// Games begun so far.
    begun: usize,
    first_seat: usize,
    scores: Vec<i32>,
}

/// What a step did to one game.
#[derive(Clone, Copy, Default)]
struct Outcome {
    terminated: bool,
    truncated: bool,
}

/// The rows of one game in the arrays that are returned.
struct Rows<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    rewards: &'a mut [f32],
    seat: &'a mut i64,
    outcome: &'a mut Outcome,
    ended: &'a mut Option<Vec<f32>>,
}

struct Arrays {
    observations: Vec<f32>,
    masks: Vec<bool>,
    rewards: Vec<f32>,
    seats: Vec<i64>,
    outcomes: Vec<Outcome>,
    ended: Vec<Option<Vec<f32>>>,
}

type Stepped<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Vec<(usize, Bound<'py, PyArray1<f32>>)>,
);

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (games, players=None, deck=None, ruleset=None, variants=Words::Many(Vec::new()), last_turn=None, cover=false, seed=Number(0), opponents=None, rotate=true, threads=0, shaped=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        games: i64,
        players: Option<i64>,
        deck: Option<String>,
        ruleset: Option<String>,
        variants: Words,
        last_turn: Option<i64>,
        cover: bool,
        seed: Number,
        opponents: Option<Vec<Option<String>>>,
        rotate: bool,
        threads: i64,
        shaped: bool,
    ) -> Result<Batch, Failure> {
        let variants = variants.into();
        let table = Table::of(&Wish { players, deck, ruleset, variants, last_turn, cover })?;
        let opponents = opponents.unwrap_or_else(|| vec![None; table.players()]);
        if opponents.len() != table.players() {
            let (named, players) = (opponents.len(), table.players());
            return Err(Failure::Wrong(format!(
                "{named} opponents for {players} seats: name a bot or None for each seat"
            )));
        }
        let wrong = || Failure::Wrong(format!("a batch has 1 to {MOST_GAMES} games, not {games}"));
        let count = usize::try_from(games).ok().filter(|games| (1..=MOST_GAMES).contains(games));
        let games = count.ok_or_else(wrong)?;
        if opponents.iter().all(Option::is_some) {
            return Err(Failure::Wrong("leave one seat to yourself: None".into()));
        }
        let specs = opponents.iter().map(|name| name.as_deref().map(str::parse).transpose());
        let specs: Vec<Option<BotSpec>> = specs.collect::<Result<_, _>>()?;
        specs.iter().flatten().try_for_each(SeatedBot::check)?;
        let crew = Crew::new(threads)?;
        let mut lanes: Vec<Option<Lane>> = (0..games).map(|_| None).collect();
        let deal =
            |n: usize, lane: &mut Option<Lane>| *lane = Some(Lane::new(&table, &specs, seed.0, n, rotate));
        py.detach(|| crew.each(lanes.iter_mut().collect(), &deal))?;
        let lanes = Mutex::new(lanes.into_iter().flatten().collect());
        Ok(Batch { table, lanes, games, crew, shaped })
    }

    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    #[getter]
    fn players(&self) -> usize {
        self.table.players()
    }

    #[getter]
    fn n_actions(&self) -> usize {
        self.table.actions.len()
    }

    #[getter]
    fn n_observations(&self) -> usize {
        self.table.observation.len()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.crew.threads()
    }

    /// What each action is.
    fn action_names(&self) -> Vec<String> {
        self.table.actions.names.clone()
    }

    /// What each number of an observation is.
    fn observation_names(&self) -> Vec<String> {
        self.table.observation.names.clone()
    }

    /// The first questions of new games; the others are forgotten.
    fn reset<'py>(&self, py: Python<'py>, seed: Number) -> PyResult<Stepped<'py>> {
        self.run(py, None, &|lane, n, rows| {
            lane.restart(seed.0, n);
            lane.show(rows);
        })
    }

    /// One action for each game.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let actions = given::actions(actions, self.games)?;
        let actions = actions.as_slice()?;
        let shaped = self.shaped;
        self.run(py, Some(actions), &|lane, n, rows| lane.step(actions[n], shaped, rows))
    }

    /// The games as they are now: observations, masks and seats.
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Stepped<'py>> {
        self.run(py, None, &|lane, _, rows| lane.show(rows))
    }

    /// A legal action for each game, at random; equal seeds give equal ones.
    fn random_actions<'py>(&self, py: Python<'py>, seed: Number) -> Bound<'py, PyArray1<i64>> {
        let mut rng = BotRng::new(seed.0);
        let mut random = |lane: &Lane| {
            let choices = lane.play.choices();
            i64::from(choices[rng.below(choices.len())].code)
        };
        let chosen = py.detach(|| self.lanes().iter().map(&mut random).collect());
        PyArray1::from_vec(py, chosen)
    }

    /// A copy of one of the games.
    fn game(&self, py: Python<'_>, n: i64) -> Result<Game, Failure> {
        let at = usize::try_from(n).unwrap_or(usize::MAX);
        let play = py.detach(|| self.lanes().get(at).map(|lane| lane.play.copy()));
        let last = self.games - 1;
        let missing = || Failure::Wrong(format!("there is no game {n}: games are 0 to {last}"));
        play.map(Game::of).ok_or_else(missing)
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} games on {} threads>", self.games, self.threads())
    }
}

impl Batch {
    fn lanes(&self) -> MutexGuard<'_, Vec<Lane>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with every game, without the interpreter lock; before that, all actions are looked at.
    fn run<'py>(
        &self,
        py: Python<'py>,
        actions: Option<&[i64]>,
        each: &(impl Fn(&mut Lane, usize, Rows) + Sync),
    ) -> PyResult<Stepped<'py>> {
        let arrays = py.detach(|| {
            let mut lanes = self.lanes();
            for (n, (lane, action)) in lanes.iter().zip(actions.unwrap_or_default()).enumerate() {
                if !lane.play.is_legal(*action) {
                    return Err(Failure::Illegal(format!("game {n}: {}", lane.play.refused(*action))));
                }
            }
            let mut arrays = Arrays::new(&self.table, self.games);
            let work = lanes.iter_mut().zip(arrays.rows(&self.table)).collect();
            self.crew.each(work, &|n, (lane, rows): (&mut Lane, Rows)| each(lane, n, rows))?;
            Ok(arrays)
        })?;
        self.hand_over(py, arrays)
    }

    fn hand_over<'py>(&self, py: Python<'py>, arrays: Arrays) -> PyResult<Stepped<'py>> {
        let Arrays { observations, masks, rewards, seats, outcomes, ended } = arrays;
        let games = self.games;
        let ended = ended.into_iter().enumerate();
        let ended = ended.filter_map(|(n, last)| Some((n, PyArray1::from_vec(py, last?))));
        Ok((
            PyArray1::from_vec(py, observations).reshape([games, self.table.observation.len()])?,
            PyArray1::from_vec(py, masks).reshape([games, self.table.actions.len()])?,
            PyArray1::from_vec(py, seats),
            PyArray1::from_vec(py, rewards).reshape([games, self.table.players()])?,
            PyArray1::from_iter(py, outcomes.iter().map(|outcome| outcome.terminated)),
            PyArray1::from_iter(py, outcomes.iter().map(|outcome| outcome.truncated)),
            ended.collect(),
        ))
    }
}

impl Arrays {
    fn new(table: &Table, games: usize) -> Arrays {
        Arrays {
            observations: vec![0.0; games * table.observation.len()],
            masks: vec![false; games * table.actions.len()],
            rewards: vec![0.0; games * table.players()],
            seats: vec![-1; games],
            outcomes: vec![Outcome::default(); games],
            ended: vec![None; games],
        }
    }

    /// Those of each game.
    fn rows(&mut self, table: &Table) -> impl Iterator<Item = Rows<'_>> {
        let observations = self.observations.chunks_mut(table.observation.len());
        let masks = self.masks.chunks_mut(table.actions.len());
        let rewards = self.rewards.chunks_mut(table.players());
        let told = self.seats.iter_mut().zip(&mut self.outcomes).zip(&mut self.ended);
        let all = observations.zip(masks).zip(rewards).zip(told);
        all.map(|(((observation, mask), rewards), ((seat, outcome), ended))| Rows {
            observation,
            mask,
            rewards,
            seat,
            outcome,
            ended,
        })
    }
}

impl Lane {
    fn new(table: &Arc<Table>, specs: &[Option<BotSpec>], seed: u64, n: usize, rotate: bool) -> Lane {
        let mut lane = Lane {
            play: Box::new(Play::new(table, Seed::from(seed))),
            opponents: specs.to_vec(),
            bots: Vec::new(),
            rng: BotRng::new(seed),
            begun: 0,
            first_seat: usize::from(rotate),
            scores: Vec::new(),
        };
        lane.restart(seed, n);
        lane
    }

    fn restart(&mut self, seed: u64, n: usize) {
        // Neighbouring lanes have unrelated numbers: the generator spreads its seed.
        self.rng = BotRng::new(seed.wrapping_add((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        self.begun = n;
        self.next_game();
    }

    fn next_game(&mut self) {
        let seats = self.opponents.len();
        let moved = |seat: usize| self.opponents[(seat + self.begun * self.first_seat) % seats].clone();
        let specs: Vec<Option<BotSpec>> = (0..seats).map(moved).collect();
        self.begun += 1;
        loop {
            let seed = self.rng.seed();
            self.play.deal_again(Seed::from(seed));
            self.bots = seat_bots(&specs, seed);
            self.bots_answer();
            // The bots may have ended it before anybody was asked.
            if !self.play.is_over() && !self.play.is_endless() {
                break;
            }
        }
        self.scores = self.scores_now();
    }

    fn scores_now(&self) -> Vec<i32> {
        (0..self.opponents.len() as u8).map(|seat| self.play.score(Seat(seat))).collect()
    }

    fn bots_answer(&mut self) {
        while let Some(seat) = self.play.seat().filter(|_| !self.play.is_endless()) {
            let Some(bot) = &mut self.bots[seat.index()] else { break };
            if self.play.let_bot(bot).is_err() {
                break;
            }
        }
    }

    fn step(&mut self, action: i64, shaped: bool, rows: Rows) {
        // It was found legal before.
        let _ = self.play.step(action);
        self.bots_answer();
        let alone = self.opponents.len() == 1;
        let over = self.play.is_over();
        if over && !alone {
            self.play.returns(rows.rewards);
        }
        if alone || shaped {
            let now = self.scores_now();
            let grown: Vec<f32> =
                now.iter().zip(&self.scores).map(|(now, then)| (now - then) as f32).collect();
            let all: f32 = grown.iter().sum();
            for (reward, grown) in rows.rewards.iter_mut().zip(&grown) {
                let others = (all - grown) / (now.len() as f32 - 1.0).max(1.0);
                *reward += if alone { *grown } else { (grown - others) / 10.0 };
            }
            self.scores = now;
        }
        *rows.outcome = Outcome { terminated: over, truncated: !over && self.play.is_endless() };
        if rows.outcome.terminated || rows.outcome.truncated {
            let learner = self.bots.iter().position(Option::is_none).unwrap_or(0);
            let mut last = vec![0.0; rows.observation.len()];
            self.play.observe(Seat(learner as u8), &mut last);
            *rows.ended = Some(last);
            self.next_game();
        }
        self.show(rows);
    }

    fn show(&self, rows: Rows) {
        if let Some(seat) = self.play.seat() {
            *rows.seat = i64::from(seat.0);
            self.play.observe(seat, rows.observation);
            self.play.mask(rows.mask, true);
        }
    }
}
