//! The bots there are: how they are named, and the six levels.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use engine::view::View;
use engine::{Action, Actions};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use crate::network::{NetFile, NetFileError};
use crate::search::MOST_SIMULATIONS;
use crate::stops::WithStops;
use crate::{Advice, Bot, Budget, Exec, ExecError, Greedy, Limits, Pace, Planner, Random, Search};

/// The six levels, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum BotLevel {
    Kobold,
    Minion,
    MiniBoss,
    Boss,
    TotalBoss,
    GrandBoss,
}

impl BotLevel {
    pub const ALL: [BotLevel; 6] = [
        BotLevel::Kobold,
        BotLevel::Minion,
        BotLevel::MiniBoss,
        BotLevel::Boss,
        BotLevel::TotalBoss,
        BotLevel::GrandBoss,
    ];

    /// Gives the hints: good enough to learn from, and quick enough not to keep you waiting.
    pub const ADVISER: BotLevel = BotLevel::GrandBoss;

    /// As players read it; `Display` writes the same in kebab case, for programs.
    pub fn title(self) -> &'static str {
        match self {
            BotLevel::Kobold => "Kobold",
            BotLevel::Minion => "Minion",
            BotLevel::MiniBoss => "Mini Boss",
            BotLevel::Boss => "Boss",
            BotLevel::TotalBoss => "Total Boss",
            BotLevel::GrandBoss => "Grand Boss",
        }
    }

    fn seat(self, seed: u64) -> Box<dyn Bot> {
        match self {
            // How much somebody thinks matters less at large tables. How often they do matters everywhere.
            BotLevel::Kobold => Box::new(Greedy::careless(seed, 0.6)),
            BotLevel::Minion => Box::new(Greedy::careless(seed, 0.38)),
            BotLevel::MiniBoss => Box::new(Greedy::careless(seed, 0.18)),
            BotLevel::Boss => Box::new(Planner::careless(seed, 12, 0.2)),
            BotLevel::TotalBoss => Box::new(Planner::careless(seed, 60, 0.1)),
            BotLevel::GrandBoss => Box::new(GrandBoss {
                search: Search::new(seed, Budget { simulations: 4_000 }),
                planner: Planner::guided(seed, 170),
            }),
        }
    }
}

/// Searches against one opponent, and alone. Against several it plans: as well, as far as could be measured, and in a
/// tenth of the time (docs/bots.md).
struct GrandBoss {
    search: Search,
    planner: Planner,
}

impl GrandBoss {
    fn at(&mut self, view: &View) -> &mut dyn Bot {
        match view.state().seats().count() {
            ..3 => &mut self.search,
            _ => &mut self.planner,
        }
    }
}

impl Bot for GrandBoss {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        self.at(view).choose(view, legal)
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        self.at(view).advise(view, legal)
    }

    fn set_pace(&mut self, pace: Arc<dyn Pace>) {
        self.search.set_pace(Arc::clone(&pace));
        self.planner.set_pace(pace);
    }
}

/// Which bot to play with, as written on a command line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BotSpec {
    Random,
    Greedy,
    /// A planner that tries every answer in this many worlds per opponent.
    Planner(u32),
    /// A search with this many simulations per opponent.
    Search(u32),
    Level(BotLevel),
    /// A bot that is asked only when a person would be by default.
    WithStops(Box<BotSpec>),
    /// A planner or search that judges by a network of your own.
    WithNet(Box<BotSpec>, NetFile),
    /// An external program: the command that runs it (docs/bot-protocol.md).
    Exec(String),
}

/// Behind the name of a bot that is asked only when a person would be.
const STOPS: &str = "+stops";
/// Before the name of a network's file.
const BY_NET: char = '@';
const MOST_WORLDS: u32 = 10_000;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum UnknownBot {
    #[error(
        "there is no bot `{0}`: write random, greedy, planner:16 (1 to {MOST_WORLDS} worlds), \
         search:400 (1 to {MOST_SIMULATIONS} simulations), {levels}, or exec:./mybot for a program of \
         your own; boss+stops is a bot that is asked only when a person would be, and planner:16@my.net \
         judges by a network of `lair train`",
        levels = BotLevel::ALL.map(|level| level.to_string()).join(", ")
    )]
    Name(String),
    #[error(transparent)]
    Net(#[from] NetFileError),
}

/// Why a bot cannot take its seat.
#[derive(Debug, Error)]
#[error("`{player}` cannot play: {error}")]
pub struct SeatError {
    pub player: BotSpec,
    #[source]
    pub error: ExecError,
}

impl BotSpec {
    /// Only this machine can run it: it is an external program, or needs a file.
    pub fn stays_here(&self) -> bool {
        match self {
            BotSpec::WithStops(bot) => bot.stays_here(),
            bot => matches!(bot, BotSpec::Exec(_) | BotSpec::WithNet(..)),
        }
    }

    /// A bot for one seat of one game. Only an external program can fail to start.
    pub fn seat(&self, seed: u64) -> Result<Box<dyn Bot>, SeatError> {
        Ok(match self {
            BotSpec::Random => Box::new(Random::new(seed)),
            BotSpec::Greedy => Box::new(Greedy::new(seed)),
            BotSpec::Planner(worlds) => Box::new(Planner::new(seed, *worlds)),
            BotSpec::Search(simulations) => Box::new(Search::new(seed, Budget { simulations: *simulations })),
            BotSpec::Level(level) => level.seat(seed),
            BotSpec::WithStops(bot) => Box::new(WithStops::new(bot.seat(seed)?)),
            BotSpec::WithNet(bot, file) => match **bot {
                BotSpec::Planner(worlds) => Box::new(Planner::with_net(seed, worlds, file.net)),
                BotSpec::Search(simulations) => {
                    Box::new(Search::with_net(seed, Budget { simulations }, file.net))
                }
                ref other => other.seat(seed)?,
            },
            BotSpec::Exec(command) => {
                let program = Exec::start(command, seed, Limits::default());
                Box::new(program.map_err(|error| SeatError { player: self.clone(), error })?)
            }
        })
    }
}

impl fmt::Display for BotLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title().to_lowercase().replace(' ', "-"))
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpec::Random => f.write_str("random"),
            BotSpec::Greedy => f.write_str("greedy"),
            BotSpec::Planner(worlds) => write!(f, "planner:{worlds}"),
            BotSpec::Search(simulations) => write!(f, "search:{simulations}"),
            BotSpec::Level(level) => level.fmt(f),
            BotSpec::WithStops(bot) => write!(f, "{bot}{STOPS}"),
            BotSpec::WithNet(bot, file) => write!(f, "{bot}{BY_NET}{}", file.name()),
            BotSpec::Exec(command) => write!(f, "exec:{command}"),
        }
    }
}

impl FromStr for BotSpec {
    type Err = UnknownBot;

    fn from_str(text: &str) -> Result<BotSpec, UnknownBot> {
        let unknown = || UnknownBot::Name(text.into());
        let number = |text: &str, most| text.parse().ok().filter(|n| (1..=most).contains(n));
        if let Some(command) = text.strip_prefix("exec:") {
            let command = command.trim();
            return if command.is_empty() { Err(unknown()) } else { Ok(BotSpec::Exec(command.into())) };
        }
        if let Some(bot) = text.strip_suffix(STOPS) {
            return bot.parse().map(|bot| BotSpec::WithStops(Box::new(bot)));
        }
        if let Some((bot, file)) = text.split_once(BY_NET) {
            let bot: BotSpec = bot.parse()?;
            let judges = matches!(bot, BotSpec::Planner(_) | BotSpec::Search(_));
            return if judges {
                Ok(BotSpec::WithNet(Box::new(bot), NetFile::open(file)?))
            } else {
                Err(unknown())
            };
        }
        if let Some(worlds) = text.strip_prefix("planner:") {
            return number(worlds, MOST_WORLDS).map(BotSpec::Planner).ok_or_else(unknown);
        }
        if let Some(simulations) = text.strip_prefix("search:") {
            return number(simulations, MOST_SIMULATIONS).map(BotSpec::Search).ok_or_else(unknown);
        }
        let levels = BotLevel::ALL.map(BotSpec::Level);
        let all = [BotSpec::Random, BotSpec::Greedy].into_iter().chain(levels);
        all.into_iter().find(|player| player.to_string() == text).ok_or_else(unknown)
    }
}
