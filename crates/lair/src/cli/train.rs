//! Options of `lair train`.

use std::path::PathBuf;

use clap::Args;

use super::at_least_one;

/// Let bots learn: they play against themselves, and a network learns from their games
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair train learning                                      two rounds of 20,000 games, at every kind of table
  lair train learning --rounds 4                           goes on where it was
  lair arena planner:14@learning/champion.net planner:14   what was learned

Each round plays games of bots against themselves, at tables of one to six players with every box and ruleset; \
a new network learns from the games of this round and the two before it; then it meets the old one in paired \
games, and replaces it if it wins 55 % of them.
The folder keeps everything: the games, the networks, the results of the gate, epochs.csv, gates.csv and \
learning.svg. The same seed gives the same bytes on any number of threads.
Ctrl-C stops at once between games; the same line goes on from there. A second Ctrl-C quits at once.
docs/bots.md says what the network sees.")]
pub struct Train {
    /// The folder of the training; created if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Rounds to have played in the end
    #[arg(long, value_name = "N", value_parser = at_least_one(), default_value_t = 2)]
    pub rounds: u64,
    /// Only tables with one of these in their name: bmr, super, 2, "classic 4" ... [default: every kind of table]
    #[arg(long, value_delimiter = ',', value_name = "WORD,...")]
    pub tables: Vec<String>,
    /// Games of a round, over all tables
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one(), default_value_t = 20_000)]
    pub games: u64,
    /// Paired games at the gate, over all tables
    #[arg(long, value_name = "N", value_parser = at_least_one(), default_value_t = 800)]
    pub gate: u64,
    /// How often a network looks at all games
    #[arg(long, value_name = "N", value_parser = at_least_one(), default_value_t = 8)]
    pub epochs: u64,
    /// The bots whose games the first network learns from
    #[arg(long, value_name = "BOT", default_value = "greedy")]
    pub beginners: String,
    /// The bots whose games the others learn from: planner:N or search:N
    #[arg(long, value_name = "BOT", default_value = "planner:3")]
    pub learners: String,
    /// The bots that meet at the gate
    #[arg(long, value_name = "BOT", default_value = "planner:6")]
    pub rivals: String,
    /// The network that learns on, each round from the best so far: planner, search, points (built in) or a file
    /// [default: an untrained one, in each round]
    #[arg(long, value_name = "NET")]
    pub from: Option<String>,
    /// The same seed gives the same training
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}
