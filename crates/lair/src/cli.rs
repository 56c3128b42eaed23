//! The command line: what can be asked, with examples.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use engine::{Rules, Seat, Variant};

use crate::bot::BotKind;
use crate::story::Eyes;

/// Boss Monster in the terminal: build a dungeon, lure the heroes, let none of them out.
///
/// Without a command it starts a game for two: you against a bot.
#[derive(Debug, Parser)]
#[command(
    name = "lair",
    version,
    arg_required_else_help = false,
    after_help = "\
Examples:
  lair                              play against a bot
  lair play --players 3 --seed 7    the same deal every time
  lair cards dark altar             what a card does
  lair sim -n 10000 --players 4     let bots play and count

Exit codes: 0 all is well; 1 what was asked about failed; 2 it was asked wrongly.
Colour is used on a terminal only; NO_COLOR=1 turns it off."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Play(Play),
    Sim(Sim),
    Cards(Cards),
    Check(Check),
    Replay(Replay),
    Verify(Verify),
    Scenario(Scenario),
}

/// Play a game: people at one keyboard, bots, or both
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  lair play                                 you against one bot
  lair play --seats you,bot,you             two people and a bot at one keyboard
  lair play --names Ann,Bob --seats you,you --save evening.json
  lair play --variant hard,machinations --seed 42
  lair play --resume evening.json           go on where it was left

While playing, `help` lists what you can type.")]
pub struct Play {
    /// How many play: 2 to 4
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=4))]
    pub players: Option<u8>,
    /// Who sits where: you, bot (the better one) or random
    #[arg(long, value_delimiter = ',', value_name = "SEAT,...")]
    pub seats: Vec<SeatKind>,
    /// What the players are called, in the order of the seats
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub names: Vec<String>,
    /// The same seed gives the same deal
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Variants of the rules: classic, hard, choose-boss, machinations
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...")]
    pub variant: Vec<Variant>,
    /// Write the record of the game to this file, after every decision
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seats", "names", "seed", "variant", "save"])]
    pub resume: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeatKind {
    /// A person at this keyboard
    #[value(alias = "person", alias = "me")]
    You,
    /// The bot that looks one step ahead
    #[value(alias = "simple")]
    Bot,
    /// The bot that does anything at all
    Random,
}

impl SeatKind {
    pub fn bot(self) -> Option<BotKind> {
        match self {
            SeatKind::You => None,
            SeatKind::Bot => Some(BotKind::Simple),
            SeatKind::Random => Some(BotKind::Random),
        }
    }

    /// As written in a record.
    pub fn word(self) -> &'static str {
        self.bot().map_or("person", BotKind::word)
    }
}

/// Let bots play many games and count how they end
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair sim -n 10000
  lair sim -n 1000 --players 4 --bots simple --seed 7
  lair sim -n 500 --variant hard --json | jq .endings

The result depends on the seed and the number of games, never on the number of threads.
Ctrl-C stops and prints what was done so far.")]
pub struct Sim {
    /// How many games
    #[arg(short = 'n', long = "games", value_name = "N", default_value_t = 1000)]
    pub games: u64,
    /// How many play: 2 to 4
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub players: u8,
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Variants of the rules: classic, hard, choose-boss, machinations
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...")]
    pub variant: Vec<Variant>,
    /// Who plays
    #[arg(long, value_enum, default_value_t = BotKind::Random)]
    pub bots: BotKind,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
    /// Games played at the same time; 0: as many as there are processors
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

/// Look up cards: facts, text, rulings and where the facts come from
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair cards                   all cards
  lair cards dark altar        one card; the beginning of the name is enough
  lair cards BMR027 --json")]
pub struct Cards {
    /// A name, its beginning, or a collector number
    #[arg(value_name = "NAME|NUMBER")]
    pub name: Vec<String>,
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

/// Check card files: every problem with its place, or the cards in plain English
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair check cards/bmr.cards
  lair check my.cards other.cards > printed.txt     problems still show: they go to standard error")]
pub struct Check {
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Tell a recorded game in sentences
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair replay evening.json              everything, all hands included
  lair replay evening.json --as p2      as the second player saw it
  lair replay evening.json --as nobody  as somebody who watched")]
pub struct Replay {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Tell only what this player saw: p1 to p4, or nobody for a spectator
    #[arg(long = "as", value_name = "SEAT", value_parser = eyes)]
    pub eyes: Option<Eyes>,
}

fn eyes(text: &str) -> Result<Eyes, String> {
    match text {
        "nobody" => Ok(Eyes::Spectator),
        "p1" | "p2" | "p3" | "p4" => Ok(Eyes::Seat(Seat(text.as_bytes()[1] - b'1'))),
        _ => Err("write p1, p2, p3, p4 or nobody".into()),
    }
}

/// Play a record again and name the first step that differs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair verify evening.json      exit code 0 if every step, fingerprint and the result agree")]
pub struct Verify {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Run scenario files, or report what they cover
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair scenario scenarios                       a folder and everything below it
  lair scenario scenarios/cards/bmr/freeze.scn
  lair scenario --undo scenarios                the same, taking every move back once
  lair scenario --coverage                      rule by rule and card by card, in a source tree")]
pub struct Scenario {
    /// Files and folders
    #[arg(value_name = "PATH", required_unless_present = "coverage")]
    pub paths: Vec<PathBuf>,
    /// Take every move back and play it again
    #[arg(long)]
    pub undo: bool,
    /// Report which rules, cards and rulings have a scenario; fails when one has none
    #[arg(long)]
    pub coverage: bool,
}

pub fn rules(players: u8, variants: &[Variant]) -> Rules {
    variants.iter().fold(Rules::classic(players), |rules, variant| rules.with(*variant))
}
