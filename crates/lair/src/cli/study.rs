//! Options of studies and of comparisons.

use super::*;

/// Play a study from a file: which tables, which bots, what to vary and what to measure
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair study levels.toml                       the report is in levels-study
  lair study levels.toml --out night -n 20     a few games first
  lair study levels.toml --nats nats://bus:4222

A study is a TOML file; everything in it is optional, and every combination of what it lists is a table:
  title = \"Which level suits which box?\"
  games = 2000
  decks = [\"bmr\", \"tnl\", \"my.deck\"]
  players = [2, 3]
  bots = [\"minion\", \"boss\", \"boss,minion\"]
Finished games are kept in the output folder. Ctrl-C reports the games so far, and the same command goes on \
from there; the result is the same bytes as without a break.
docs/lab.md lists all names, and explains the tables for pandas and polars.")]
pub struct Study {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Games at every table, instead of what the file says
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one())]
    pub games: Option<u64>,
    /// Output folder; created if it does not exist [default: the name of the file, with -study]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    pub nats: Spread,
}

/// Compare two versions of your cards on the same deals: is the change right?
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair compare old.cards new.cards                 the same deals with both
  lair compare my.cards                            with your cards, and without them
  lair compare old.cards new.cards -n 20000 --bots boss --deck tnl

It says what has changed with certainty, what has not, and how many games would show it. Finished games are \
kept in the output folder, and the same command with a larger -n goes on from there.
docs/lab.md explains the figures.")]
pub struct Compare {
    /// The old version; alone, it is compared with the game without it
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    #[arg(value_name = "NEW")]
    pub new: Option<PathBuf>,
    /// Deals; each is played with both versions
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one(), default_value_t = 2000)]
    pub games: u64,
    /// Deck: a name from `lair deck list`, or a deck file
    #[arg(long, value_name = "NAME|FILE")]
    pub deck: Option<String>,
    #[arg(long, value_name = "N", value_parser = players())]
    pub players: Option<u8>,
    #[command(flatten)]
    pub choice: RulesChoice,
    /// One bot for all seats, or several that take turns
    #[arg(long, value_delimiter = ',', value_name = "BOT,...", default_value = "greedy")]
    pub bots: Vec<BotSpec>,
    /// The same seed gives the same deals [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<Seed>,
    /// Output folder; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = "compare-report")]
    pub out: PathBuf,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    pub nats: Spread,
}
