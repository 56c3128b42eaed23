//! Games of bots against themselves, kept as the numbers of the answers given, so that they can be played again
//! and looked at in another way.
//!
//! Invariant: a game follows from its number, so a file that was cut off is completed by playing what it lacks.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use bots::BotSpec;
use bots::network::{Features, SIDE, TABLE, share_of_best};
use engine::id::SEATS;
use engine::{Actions, Dealer, Game, Seed};

use super::TrainError;
use super::tables::Table;
use crate::seated::{MAX_DECISIONS, SeatedBot, derive_seed};
use crate::workers::{Workers, run_jobs};

/// The answers of a game: for each question, the number of the answer among the legal ones.
pub type Answers = Vec<u16>;

/// A position at the start of a turn, with the numbers of the players still in the game.
pub struct Example {
    pub seats: Vec<usize>,
    pub sides: Vec<[f32; SIDE]>,
    pub table: [f32; TABLE],
}

/// The positions of a game, and who won, by seat; alone, the share of the best score.
pub struct TrainingGame {
    pub turns: Vec<Example>,
    pub won: [f32; SEATS],
    pub solo: bool,
}

/// Which games: their seed, the bot in every seat, and how many.
pub struct Plan<'a> {
    pub tables: &'a [Table],
    pub seed: u64,
    pub bot: &'a BotSpec,
    pub games: u64,
}

impl Plan<'_> {
    fn dealers(&self) -> Result<Vec<Dealer<'_>>, TrainError> {
        self.tables.iter().map(Table::dealer).collect()
    }

    fn deal<'d>(&self, number: u64, dealers: &[Dealer<'d>]) -> Game<'d> {
        let dealer = &dealers[number as usize % self.tables.len()];
        dealer.deal(Seed::from(self.seed).nth(number).0, &mut ())
    }

    /// Plays the games that the file lacks. Returns all games there are, or `None` if it was stopped.
    pub fn play(&self, file: &Path, workers: Workers) -> Result<Option<BTreeMap<u64, Answers>>, TrainError> {
        let dealers = self.dealers()?;
        let (open, known) = read(file)?;
        let out = Mutex::new((open, None));
        let each = |mine: &mut BTreeMap<u64, Answers>, number: u64| {
            if !known.contains_key(&number) {
                let answers = self.play_one(self.deal(number, &dealers), number);
                let mut out = out.lock().unwrap_or_else(|broken| broken.into_inner());
                if let (open, None) = &mut *out
                    && let Err(error) = append(open, number, &answers)
                {
                    out.1 = Some(error);
                    workers.stop.store(true, Ordering::Relaxed);
                }
                drop(out);
                mine.insert(number, answers);
            }
            (workers.done)();
        };
        let played = run_jobs(self.games, workers, BTreeMap::new, each);
        if let Some(error) = out.into_inner().unwrap_or_else(|broken| broken.into_inner()).1 {
            return Err(TrainError::io(file, error));
        }
        let mut all = known;
        played.into_iter().for_each(|games| all.extend(games));
        all.retain(|number, _| *number < self.games);
        Ok((all.len() as u64 == self.games).then_some(all))
    }

    fn play_one(&self, mut game: Game, number: u64) -> Answers {
        let seats = 0..u64::from(game.state.rules().players);
        let mut bots: Vec<SeatedBot> =
            seats.map(|seat| SeatedBot::new(self.bot, derive_seed(self.seed, number, 0, seat))).collect();
        let (mut legal, mut answers) = (Actions::new(), Vec::new());
        while let Some(decision) = game.decision().filter(|_| answers.len() < MAX_DECISIONS as usize) {
            game.legal(&mut legal);
            let answer = bots[decision.seat.index()].answer(&game, decision.seat, &legal);
            answers.push(legal.iter().position(|legal| *legal == answer).unwrap_or(0) as u16);
            if game.apply(answer, &mut ()).is_err() {
                break;
            }
        }
        answers
    }

    /// Plays games again, and looks at each at the start of every turn.
    pub fn look(
        &self,
        games: &BTreeMap<u64, Answers>,
        workers: Workers,
    ) -> Result<Vec<TrainingGame>, TrainError> {
        let dealers = self.dealers()?;
        let listed: Vec<(&u64, &Answers)> = games.iter().collect();
        let each = |mine: &mut Vec<(u64, TrainingGame)>, at: u64| {
            let (number, answers) = listed[at as usize];
            mine.push((*number, examples(self.deal(*number, &dealers), answers)));
        };
        let mut looked = run_jobs(listed.len() as u64, workers, Vec::new, each);
        let mut looked: Vec<(u64, TrainingGame)> = looked.drain(..).flatten().collect();
        looked.sort_by_key(|(number, _)| *number);
        Ok(looked.into_iter().map(|(_, game)| game).collect())
    }
}

fn examples(mut game: Game, answers: &Answers) -> TrainingGame {
    let (mut legal, mut turn, mut turns) = (Actions::new(), 0, Vec::new());
    for answer in answers {
        if game.state.turn() != turn {
            turn = game.state.turn();
            let Features { sides, table } = Features::of(&game);
            let seats: Vec<usize> = game.state.seats().map(|seat| seat.index()).collect();
            turns.push(Example { sides: seats.iter().map(|seat| sides[*seat]).collect(), seats, table });
        }
        game.legal(&mut legal);
        let Some(action) = legal.get(usize::from(*answer)) else { break };
        if game.apply(*action, &mut ()).is_err() {
            break;
        }
    }
    let players = game.state.rules().players;
    let mut won = [1.0 / f32::from(players); SEATS];
    if let Some(alone) = game.solo_score() {
        won[0] = share_of_best(alone.score);
    } else if let Some(outcome) = game.outcome().filter(|outcome| outcome.winner.exists()) {
        won = [0.0; SEATS];
        won[outcome.winner.index()] = 1.0;
    }
    TrainingGame { turns, won, solo: players == 1 }
}

/// Opens the file, and reads its whole games; one that was cut off is removed.
fn read(path: &Path) -> Result<(File, BTreeMap<u64, Answers>), TrainError> {
    let failed = |error| TrainError::io(path, error);
    let mut open = OpenOptions::new();
    let mut file = open.read(true).append(true).create(true).open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let (mut games, mut at) = (BTreeMap::new(), 0);
    while let Some((number, answers, next)) = game_at(&bytes, at) {
        games.insert(number, answers);
        at = next;
    }
    file.set_len(at as u64).map_err(failed)?;
    Ok((file, games))
}

/// A game: its number, how many answers, and these, little-endian.
fn game_at(bytes: &[u8], at: usize) -> Option<(u64, Answers, usize)> {
    let number = u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?);
    let many = u32::from_le_bytes(bytes.get(at + 8..at + 12)?.try_into().ok()?) as usize;
    let end = at + 12 + 2 * many;
    let answers = bytes.get(at + 12..end)?.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    Some((number, answers.collect(), end))
}

fn append(file: &mut File, number: u64, answers: &Answers) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(12 + 2 * answers.len());
    bytes.extend(number.to_le_bytes());
    bytes.extend((answers.len() as u32).to_le_bytes());
    answers.iter().for_each(|answer| bytes.extend(answer.to_le_bytes()));
    file.write_all(&bytes)
}
