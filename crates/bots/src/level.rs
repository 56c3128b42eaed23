//! Who can be asked to play: the kinds of bots, and the six levels made of them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Bot, Budget, Exec, Fault, Greedy, Limits, Planner, Random, Search};

/// The six levels, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Kobold,
    Minion,
    MiniBoss,
    Boss,
    TotalBoss,
    GrandBoss,
}

impl Level {
    pub const ALL: [Level; 6] =
        [Level::Kobold, Level::Minion, Level::MiniBoss, Level::Boss, Level::TotalBoss, Level::GrandBoss];

    /// Who is asked for a hint: good enough to learn from, and quick enough not to be waited for.
    pub const ADVISER: Level = Level::GrandBoss;

    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            Level::Kobold => "Kobold",
            Level::Minion => "Minion",
            Level::MiniBoss => "Mini Boss",
            Level::Boss => "Boss",
            Level::TotalBoss => "Total Boss",
            Level::GrandBoss => "Grand Boss",
        }
    }

    fn seat(self, seed: u64) -> Box<dyn Bot> {
        match self {
            Level::Kobold => Box::new(Greedy::careless(seed, 0.6)),
            Level::Minion => Box::new(Greedy::careless(seed, 0.25)),
            Level::MiniBoss => Box::new(Greedy::new(seed)),
            Level::Boss => Box::new(Planner::new(seed, 14)),
            Level::TotalBoss => Box::new(Planner::new(seed, 170)),
            Level::GrandBoss => Box::new(Search::new(seed, Budget { simulations: 4_000 })),
        }
    }
}

/// A bot by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    Random,
    Greedy,
    /// A planner that tries every answer in so many worlds for each opponent.
    Planner(u32),
    /// A search with so many simulations.
    Search(u32),
    Level(Level),
    /// A program of somebody's own: the command that runs it (docs/bot-protocol.md).
    Exec(String),
}

const MOST_WORLDS: u32 = 10_000;
/// The tree of a search grows with every simulation, by less than a kilobyte.
const MOST_SIMULATIONS: u32 = 200_000;

#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "no bot is called `{0}`: write one of random, greedy, planner:16 (1 to {MOST_WORLDS} worlds), \
     search:400 (1 to {MOST_SIMULATIONS} simulations), kobold, minion, mini-boss, boss, total-boss, grand-boss, or exec:./mybot for a program of your own"
)]
pub struct UnknownPlayer(pub String);

/// Why a bot cannot sit down at the table.
#[derive(Debug, Error)]
#[error("`{player}` cannot play: {fault}")]
pub struct SeatError {
    pub player: Player,
    #[source]
    pub fault: Fault,
}

impl Player {
    /// A bot that plays one seat of one game. Only a program of somebody's own can fail to.
    pub fn seat(&self, seed: u64) -> Result<Box<dyn Bot>, SeatError> {
        Ok(match self {
            Player::Random => Box::new(Random::new(seed)),
            Player::Greedy => Box::new(Greedy::new(seed)),
            Player::Planner(worlds) => Box::new(Planner::new(seed, *worlds)),
            Player::Search(simulations) => Box::new(Search::new(seed, Budget { simulations: *simulations })),
            Player::Level(level) => level.seat(seed),
            Player::Exec(command) => {
                let program = Exec::start(command, seed, Limits::default());
                Box::new(program.map_err(|fault| SeatError { player: self.clone(), fault })?)
            }
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Greedy => f.write_str("greedy"),
            Player::Planner(worlds) => write!(f, "planner:{worlds}"),
            Player::Search(simulations) => write!(f, "search:{simulations}"),
            Player::Level(level) => f.write_str(&level.title().to_lowercase().replace(' ', "-")),
            Player::Exec(command) => write!(f, "exec:{command}"),
        }
    }
}

impl FromStr for Player {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<Player, UnknownPlayer> {
        let unknown = || UnknownPlayer(text.into());
        let number = |text: &str, most| text.parse().ok().filter(|n| (1..=most).contains(n));
        if let Some(worlds) = text.strip_prefix("planner:") {
            return number(worlds, MOST_WORLDS).map(Player::Planner).ok_or_else(unknown);
        }
        if let Some(simulations) = text.strip_prefix("search:") {
            return number(simulations, MOST_SIMULATIONS).map(Player::Search).ok_or_else(unknown);
        }
        if let Some(command) = text.strip_prefix("exec:") {
            let command = command.trim();
            return if command.is_empty() { Err(unknown()) } else { Ok(Player::Exec(command.into())) };
        }
        let levels = Level::ALL.map(Player::Level);
        let all = [Player::Random, Player::Greedy].into_iter().chain(levels);
        all.into_iter().find(|player| player.to_string() == text).ok_or_else(unknown)
    }
}
