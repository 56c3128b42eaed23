//! Trains the network by which planners and searches judge positions: bots play against themselves at every kind
//! of table, a network learns from their games, and an arena decides whether it replaces the one before it.
//!
//! Invariant: the folder holds everything that was found out, and every file in it follows from the plan, so a
//! training that was stopped goes on where it was.

mod curves;
mod games;
mod gate;
mod learn;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::{fs, io};

use bots::network::{Net, NetFile, NetFileError};
use bots::{BotSpec, UnknownBot};
use cards::tree::Set;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::resume::ResumeError;
use crate::workers::Workers;
use games::{Plan, TrainingGame};
use learn::{Lesson, learn};

pub use curves::{EpochRow, GateRow};
pub use tables::Table;

const FORMAT: &str = "lair training 1";
const PLAN: &str = "plan.json";
const LEARNED: &str = "learned.net";
const EPOCHS: &str = "epochs.json";
const VERDICT: &str = "verdict.json";
/// The network that won the last gate.
pub const CHAMPION: &str = "champion.net";

/// The share of the paired games that a new network must win.
pub const GATE: f64 = 0.55;
/// Rounds whose games a network learns from: its own and those just before it.
const REMEMBERED: u64 = 3;
const TRUST: f32 = 0.4;

/// What is trained, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    pub seed: u64,
    /// Only tables whose name has one of these words; without any, every kind of table.
    pub tables: Vec<String>,
    /// Games of a round, over all tables.
    pub games: u64,
    pub epochs: u32,
    /// Paired games in which a new network must hold its own.
    pub gate_games: u64,
    /// Whose games the first network learns from, and whose the others do; and who meets at the gate. They judge
    /// by the best network so far, if they judge by one.
    pub beginners: String,
    pub learners: String,
    pub rivals: String,
    /// The network that learns on; without one, an untrained one begins.
    pub from: Option<String>,
}

/// The first line of the plan: what must not change while the training goes on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    program: String,
    cards: String,
    training: Training,
}

/// How a round ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    pub round: u64,
    pub games: u64,
    /// The share won by the new network.
    pub won: f64,
    pub passed: bool,
    pub tables: Vec<GateRow>,
}

#[derive(Debug, Error)]
pub enum TrainError {
    #[error("no table of a training is called `{word}`: choose words from these:{known}")]
    NoTable { word: String, known: String },
    #[error("{file}: {error}")]
    Io {
        file: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("{file}: {error}: this folder holds something else; choose another one")]
    Foreign { file: PathBuf, error: String },
    #[error(
        "{file}: this training was started with another {what}: use the same one, or another folder for a new \
         training"
    )]
    Other { file: PathBuf, what: &'static str },
    #[error("the table {table} cannot be played: {error}")]
    Table { table: String, error: String },
    #[error(
        "`{0}` cannot learn: only planners and searches judge by a network, such as planner:14 or search:400"
    )]
    NoNetwork(String),
    #[error(transparent)]
    Bot(#[from] UnknownBot),
    #[error(transparent)]
    Net(#[from] NetFileError),
    #[error(transparent)]
    Resume(#[from] ResumeError),
    #[error("drawing the curves failed: {0}")]
    Draw(#[from] crate::report::DrawError),
}

impl TrainError {
    fn io(file: &Path, error: io::Error) -> TrainError {
        TrainError::Io { file: file.into(), error }
    }
}

/// What a training tells while it goes on.
pub enum News {
    Playing { round: u64, games: u64 },
    Learned { round: u64, epoch: u32, loss: f64, correct: f64 },
    AtTheGate { round: u64, games: u64 },
    Judged(Verdict),
}

/// A training in its folder.
pub struct Folder<'a> {
    path: &'a Path,
    training: Training,
    tables: Vec<Table>,
    beginners: BotSpec,
    learners: BotSpec,
    rivals: BotSpec,
    from: Option<NetFile>,
}

impl<'a> Folder<'a> {
    /// Opens the folder, or creates it.
    pub fn open(path: &'a Path, training: Training, sets: &[Set]) -> Result<Folder<'a>, TrainError> {
        let bot = |name: &str| -> Result<BotSpec, TrainError> {
            match name.parse()? {
                bot @ (BotSpec::Planner(_) | BotSpec::Search(_)) => Ok(bot),
                _ => Err(TrainError::NoNetwork(name.into())),
            }
        };
        let beginners = training.beginners.parse()?;
        let (learners, rivals) = (bot(&training.learners)?, bot(&training.rivals)?);
        let from = training.from.as_deref().map(NetFile::named).transpose()?;
        let tables = Table::all(&training.tables, sets)?;
        fs::create_dir_all(path).map_err(|error| TrainError::io(path, error))?;
        let folder = Folder { path, training, tables, beginners, learners, rivals, from };
        folder.check_plan()?;
        Ok(folder)
    }

    fn check_plan(&self) -> Result<(), TrainError> {
        let file = self.path.join(PLAN);
        let cards = self.tables.iter().flat_map(|table| table.db.hash.iter().take(4));
        let header = Header {
            format: FORMAT.into(),
            program: env!("CARGO_PKG_VERSION").into(),
            cards: cards.map(|byte| format!("{byte:02x}")).collect(),
            training: self.training.clone(),
        };
        let Some(found) = read_json::<Header>(&file)? else { return write_json(&file, &header) };
        let differs = [
            (found.format != header.format || found.program != header.program, "version of the program"),
            (found.cards != header.cards, "set of cards"),
            (found.training != header.training, "plan (seed, tables, games, epochs, bots or network)"),
        ];
        match differs.into_iter().find(|(differs, _)| *differs) {
            Some((_, what)) => Err(TrainError::Other { file, what }),
            None => Ok(()),
        }
    }

    /// What each round will do that has not been done, in games.
    pub fn games_of_round(&self) -> u64 {
        self.training.games + self.training.gate_games
    }

    /// Plays and learns until so many rounds are done. `None` if it was stopped.
    pub fn run(
        &self,
        rounds: u64,
        workers: Workers,
        mut tell: impl FnMut(News),
    ) -> Result<Option<Vec<Verdict>>, TrainError> {
        let mut verdicts: Vec<Verdict> = Vec::new();
        for round in 1..=rounds {
            let verdict = match read_json(&self.round(round).join(VERDICT))? {
                Some(verdict) => verdict,
                None => match self.play_round(round, workers, &mut tell)? {
                    Some(verdict) => verdict,
                    None => return Ok(None),
                },
            };
            tell(News::Judged(verdict.clone()));
            verdicts.push(verdict);
            self.draw(&verdicts)?;
        }
        Ok(Some(verdicts))
    }

    fn play_round(
        &self,
        round: u64,
        workers: Workers,
        tell: &mut impl FnMut(News),
    ) -> Result<Option<Verdict>, TrainError> {
        let folder = self.round(round);
        fs::create_dir_all(&folder).map_err(|error| TrainError::io(&folder, error))?;
        let champion = self.champion(round - 1)?;
        tell(News::Playing { round, games: self.training.games });
        let bot = self.players(round)?;
        let plan = self.plan(round, &bot);
        let Some(games) = plan.play(&folder.join("games.bin"), workers)? else { return Ok(None) };
        let learned = match self.read_net(&folder.join(LEARNED))? {
            Some(net) => net,
            None => {
                let Some(net) = self.learn(round, &plan, &games, workers, tell)? else { return Ok(None) };
                net
            }
        };
        tell(News::AtTheGate { round, games: self.training.gate_games });
        let new = with_net(&self.rivals, Some(learned));
        let old = with_net(&self.rivals, champion);
        let seed = self.training.seed.wrapping_add(1_000_000 + round);
        let gate = gate::Gate { tables: &self.tables, seed, games: self.training.gate_games, new, old };
        let Some(rows) = gate.play(&folder, workers)? else { return Ok(None) };
        let (games, won) = rows.iter().fold((0, 0.0), |(games, won), row| (games + row.games, won + row.won));
        let won = won / games.max(1) as f64;
        let verdict = Verdict { round, games, won, passed: won >= GATE, tables: rows };
        if verdict.passed {
            let (from, to) = (folder.join(LEARNED), self.path.join(CHAMPION));
            fs::copy(&from, &to).map_err(|error| TrainError::io(&to, error))?;
        }
        write_json(&folder.join(VERDICT), &verdict)?;
        Ok(Some(verdict))
    }

    fn learn(
        &self,
        round: u64,
        plan: &Plan,
        games: &BTreeMap<u64, games::Answers>,
        workers: Workers,
        tell: &mut impl FnMut(News),
    ) -> Result<Option<NetFile>, TrainError> {
        let mut all: Vec<TrainingGame> = Vec::new();
        for earlier in round.saturating_sub(REMEMBERED - 1).max(1)..round {
            let bot = self.players(earlier)?;
            let plan = self.plan(earlier, &bot);
            let Some(games) = plan.play(&self.round(earlier).join("games.bin"), workers)? else {
                return Ok(None);
            };
            all.extend(plan.look(&games, workers)?);
        }
        all.extend(plan.look(games, workers)?);
        if workers.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut net = match self.from {
            Some(from) => self.champion(round - 1)?.unwrap_or(from).to_learn_on(),
            None => learn::untrained(self.training.seed.wrapping_add(round)),
        };
        let lesson = Lesson { epochs: self.training.epochs, trust: TRUST, seed: self.training.seed + round };
        let mut epochs = Vec::new();
        let finished = learn(&mut net, &all, lesson, |progress| {
            let learn::Progress { epoch, loss, correct } = progress;
            epochs.push(EpochRow { round, epoch, loss, correct });
            tell(News::Learned { round, epoch, loss, correct });
            !workers.stop.load(Ordering::Relaxed)
        });
        if !finished {
            return Ok(None);
        }
        write_json(&self.round(round).join(EPOCHS), &epochs)?;
        let file = self.round(round).join(LEARNED);
        fs::write(&file, net.bytes()).map_err(|error| TrainError::io(&file, error))?;
        self.read_net(&file)
    }

    /// Who plays the games of this round.
    fn players(&self, round: u64) -> Result<BotSpec, TrainError> {
        Ok(match round {
            ..2 => self.beginners.clone(),
            _ => with_net(&self.learners, self.champion(round - 1)?),
        })
    }

    fn plan<'p>(&'p self, round: u64, bot: &'p BotSpec) -> Plan<'p> {
        let seed = self.training.seed.wrapping_mul(1_000).wrapping_add(round);
        Plan { tables: &self.tables, seed, bot, games: self.training.games }
    }

    /// The network that had passed the gate by the end of this round; `None` is the built-in one.
    fn champion(&self, round: u64) -> Result<Option<NetFile>, TrainError> {
        for round in (1..=round).rev() {
            let verdict: Option<Verdict> = read_json(&self.round(round).join(VERDICT))?;
            if verdict.is_some_and(|verdict| verdict.passed) {
                return self.read_net(&self.round(round).join(LEARNED));
            }
        }
        Ok(None)
    }

    fn read_net(&self, file: &Path) -> Result<Option<NetFile>, TrainError> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TrainError::io(file, error)),
        };
        let foreign = || TrainError::Foreign { file: file.into(), error: "this is not a network".into() };
        let net = Net::try_read(&bytes).ok_or_else(foreign)?;
        Ok(Some(NetFile::new(&file.display().to_string(), net)))
    }

    fn round(&self, round: u64) -> PathBuf {
        self.path.join(format!("round-{round}"))
    }

    /// The curves so far, as a picture and as figures.
    fn draw(&self, verdicts: &[Verdict]) -> Result<(), TrainError> {
        let mut epochs: Vec<EpochRow> = Vec::new();
        for verdict in verdicts {
            epochs.extend(
                read_json::<Vec<EpochRow>>(&self.round(verdict.round).join(EPOCHS))?.unwrap_or_default(),
            );
        }
        let files = [
            ("epochs.csv", curves::epochs_csv(&epochs)),
            ("gates.csv", curves::gates_csv(verdicts)),
            ("learning.svg", curves::learning(&epochs)?),
        ];
        for (name, text) in files {
            let file = self.path.join(name);
            fs::write(&file, text).map_err(|error| TrainError::io(&file, error))?;
        }
        Ok(())
    }
}

fn with_net(bot: &BotSpec, net: Option<NetFile>) -> BotSpec {
    net.map_or_else(|| bot.clone(), |net| BotSpec::WithNet(Box::new(bot.clone()), net))
}

fn read_json<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<Option<T>, TrainError> {
    match fs::read(file) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(TrainError::Foreign { file: file.into(), error: error.to_string() }),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TrainError::io(file, error)),
    }
}

/// Whole or not at all: a file that was cut off would look like another's.
fn write_json(file: &Path, value: &impl Serialize) -> Result<(), TrainError> {
    let failed = |error| TrainError::io(file, error);
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from).map_err(failed)?;
    let aside = file.with_extension("part");
    fs::write(&aside, text + "\n").map_err(failed)?;
    fs::rename(&aside, file).map_err(failed)
}
