//! The options of `lair puzzle`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Find the one line that wins this turn, or that saves the game
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair puzzle                          the next one you have not solved
  lair puzzle list --deck tnl          what there is, and what you have solved
  lair puzzle play bmr-088bbc
  lair puzzle solution bmr-088bbc      its line in words
  lair puzzle check                    prove all of them again
  lair puzzle mine --games 200 --decks bmr,sbm --seed 7 --out found.puzzles

All hands are open. Everybody else does whatever hurts you most, and so does chance. docs/puzzles.md \
says what exactly is proved. What you have solved is kept in the data folder, $XDG_DATA_HOME/lair or \
~/.local/share/lair.")]
pub struct Puzzle {
    #[command(subcommand)]
    pub command: Option<PuzzleCommand>,
}

#[derive(Debug, Subcommand)]
pub enum PuzzleCommand {
    /// List the puzzles
    List {
        /// Only those of this deck
        #[arg(long, value_name = "NAME")]
        deck: Option<String>,
        /// Only easy, tricky, hard or fiendish ones
        #[arg(long, value_name = "HOW", value_parser = ["easy", "tricky", "hard", "fiendish"])]
        difficulty: Option<String>,
    },
    /// Play one, by name, or the next one that you have not solved
    Play {
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Print the line that solves it
    Solution {
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Prove puzzles again, with the cards as they are now; fails if one does not hold
    Check {
        /// Puzzle files [default: the built-in ones]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Take those that do not hold out of the files
        #[arg(long, requires = "files")]
        drop: bool,
    },
    /// Look for puzzles in games between bots
    Mine(Mine),
}

/// Ctrl-C stops after the games in progress; the same command goes on from there.
#[derive(Debug, Args)]
pub struct Mine {
    /// Number of games to look through, for each deck
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// Built-in decks, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "bmr")]
    pub decks: Vec<String>,
    /// Equal numbers give equal puzzles
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// The file to write to; one that exists is added to
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}
