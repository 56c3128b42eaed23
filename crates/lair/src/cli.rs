//! The command line: commands, options and their help, with examples.

mod deal;
mod nats;
mod puzzle;
mod study;
mod train;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use bots::{BotLevel, BotSpec, UnknownBot};
use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use engine::record::Hex;
use engine::setup::PLAYERS;
use engine::setup::{Ruleset, VARIANTS};
use engine::tell::Reader;
use engine::{Rules, Seat, Seed, Variant};

use crate::failure::Failure;
use crate::hint_cmd::RecordStep;

pub use deal::*;
pub use nats::*;
pub use puzzle::*;
pub use study::*;
pub use train::*;

/// Boss Monster: build a dungeon, lure the heroes, let none of them out.
///
/// Without a command, it runs a server for browsers at http://127.0.0.1:8080.
#[derive(Debug, Parser)]
#[command(
    name = "lair",
    version,
    arg_required_else_help = false,
    after_help = "\
Examples:
  lair                              play in a browser: open the address it prints
  lair play                         play in the terminal, against a bot
  lair play --players 3 --seed 7    the same deal every time
  lair puzzle                       find the one line that wins
  lair cards dark altar             look up a card
  lair sim -n 10000 --players 4     simulate games between bots
  lair arena boss minion -n 100     find out which bot is better
  lair lab --games 10000            measure bosses and cards
  lair compare old.cards new.cards  is your change right?
  lair deck list                    list the decks to play with

Exit codes: 0 success; 1 failure; 2 wrong usage; 3 another server has taken over.
Colour is used on terminals only; NO_COLOR=1 turns it off."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Add a card file of your own; its cards replace those of the same name. Can be repeated
    #[arg(long, value_name = "FILE", global = true)]
    pub cards: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Serve(Serve),
    Play(Play),
    Sim(Sim),
    Arena(Arena),
    Train(Train),
    Lab(Lab),
    Study(Study),
    Compare(Compare),
    Work(Work),
    Cards(Cards),
    Deck(Deck),
    Check(Check),
    Replay(Replay),
    Review(Review),
    Hint(Hint),
    Verify(Verify),
    Puzzle(Puzzle),
    Scenario(Scenario),
    MoveData(MoveData),
    Load(Load),
    /// The baseline for `lair load`: a bare WebSocket echo
    #[command(name = "load-echo", hide = true)]
    Echo,
}

/// Run a server for browsers and other clients
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  lair serve                                    on this machine: open the address it prints
  lair serve --listen 0.0.0.0:8080              for everyone on the local network
  lair serve --data /var/lib/lair --behind-proxy --origin https://lair.example
  lair serve --postgres postgres://lair@localhost/lair
  lair serve --cards my.cards                   with your own cards in every deck
  RUST_LOG=debug lair serve --log json          log every request, as JSON

It prints one line to standard output, the address to open; the log goes to standard error.
RUST_LOG sets the log level: error, warn, info (the default), debug, or by module: info,server=debug.
Everything is kept in the data folder, and every move is stored before anyone sees it: the server can \
be stopped at any moment and continues where it was. Ctrl-C or SIGTERM stops it gracefully; a second \
Ctrl-C stops it at once.
docs/operations.md explains proxies, backups and upgrades.")]
pub struct Serve {
    /// Address to listen on [default: 127.0.0.1:8080, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// Serve metrics, on an address of their own [default: not at all; without an address: 127.0.0.1:9464]
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:9464")]
    pub metrics: Option<SocketAddr>,
    /// Data folder; created if it does not exist [default: $XDG_DATA_HOME/lair, or ~/.local/share/lair]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep everything in this PostgreSQL database instead of a data folder, postgres://user@host/database. Better where
    /// others cannot read it: the environment variable LAIR_POSTGRES, or --postgres-file
    #[arg(long, value_name = "URL", conflicts_with_all = ["data", "postgres_file"])]
    pub postgres: Option<String>,
    /// The same, with the URL in a file
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub postgres_file: Option<PathBuf>,
    /// What this server is called among those that share a database; a new one ends an older one of the same name
    /// [default: lair]
    #[arg(long, value_name = "NAME", value_parser = node_name)]
    pub node: Option<String>,
    /// After how many milliseconds without a sign of life another server is declared dead; for tests
    #[arg(long, value_name = "MS", hide = true, value_parser = clap::value_parser!(u64).range(100..))]
    pub lease: Option<u64>,
    /// The server is behind a proxy: trust its X-Forwarded-For and X-Forwarded-Proto headers
    #[arg(long)]
    pub behind_proxy: bool,
    /// What the server is called from outside, such as https://lair.example; it answers to no other names,
    /// only to IP addresses and localhost. Can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub origin: Vec<String>,
    /// Maximum simultaneous connections per address [default: 64]
    #[arg(long, value_name = "N")]
    pub connections_per_address: Option<usize>,
    /// No limits on guests, tables and connections per address: for `lair load`, on this machine only
    #[arg(long, requires = "listen", conflicts_with_all = ["connections_per_address", "behind_proxy"])]
    pub unlimited: bool,
    /// A NATS server. Servers that share a database reach each other's tables over it; and when no core is free
    /// here, workers (`lair work`) think for bots and hints. They get what the seat sees, and nothing else
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// The same, from a file: others can read the command line
    #[arg(long, value_name = "FILE", conflicts_with = "nats")]
    pub nats_file: Option<PathBuf>,
    /// Log format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub log: LogFormat,
}

/// Move everything from a data folder into PostgreSQL, or back
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair move-data /var/lib/lair postgres://lair@localhost/lair
  lair move-data postgres://lair@localhost/lair /var/lib/lair-again
  LAIR_POSTGRES=postgres://lair:secret@db/lair lair move-data /var/lib/lair postgres
  lair move-data /var/lib/lair postgres-file:/etc/lair/postgres

A place is a data folder, the URL of a database, `postgres` for the one that LAIR_POSTGRES names, or \
`postgres-file:FILE` for a file with the URL. No server may be using either of them, and the target must be empty.
Everything is read back and compared, and every game is replayed from what is in the target: use the same --cards as \
the server. The source is not changed; a target is complete or stays empty, even if this is interrupted.")]
pub struct MoveData {
    /// Where everything is
    #[arg(value_name = "FROM")]
    pub from: String,
    /// Where it goes
    #[arg(value_name = "TO")]
    pub to: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

fn node_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !text.is_empty() && text.len() <= 40 && text.chars().all(fits) {
        true => Ok(text.into()),
        false => Err("a name has at most 40 letters, digits, dots, dashes and underscores".into()),
    }
}

fn origin(text: &str) -> Result<String, String> {
    let authority = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match authority {
        Some(name) if !name.is_empty() && !name.contains(['/', ' ', '@', '?', '#']) => {
            Ok(text.to_lowercase())
        }
        _ => Err("write it as https://lair.example, without a path".into()),
    }
}

/// Play in the terminal: people at one keyboard, bots, or both
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  lair play                                 you against one bot
  lair play --seats you,kobold              against a weaker one
  lair play --seats you,boss,you            two people and a bot at one keyboard
  lair play --names Ann,Bob --seats you,you --save evening.json
  lair play --players 4 --deck official-combo --variant hard,machinations --seed 42
  lair play --cards my.cards                with your own cards (docs/homebrew.md)
  lair play --resume evening.json           continue a saved game

While playing, `help` lists what you can type.")]
pub struct Play {
    #[command(flatten)]
    pub deal: Deal,
    /// Who sits where: you, a bot level (kobold, minion, mini-boss, boss, total-boss, grand-boss), or
    /// another bot (random, greedy, planner:16, search:400, exec:./mybot)
    #[arg(long, value_delimiter = ',', value_name = "SEAT,...")]
    pub seats: Vec<SeatKind>,
    /// Player names, in seat order
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub names: Vec<String>,
    /// Save the game to this file after every decision
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "deck", "seats", "names", "seed", "ruleset", "solo", "challenge", "variant", "save"])]
    pub resume: Option<PathBuf>,
}

/// Simulate many games between bots and count the results
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair sim -n 10000
  lair sim -n 1000 --players 4 --bots minion --seed 7
  lair sim -n 100 --players 3 --bots boss,minion,kobold
  lair sim -n 500 --variant hard --json | jq .endings
  lair sim -n 500 --players 6 --deck mash-up --variant unlimited-lives

The result depends on the seed (1 by default) and the number of games, not on the number of threads.
Ctrl-C stops and prints the results so far; a second Ctrl-C quits at once.")]
pub struct Sim {
    /// Number of games
    #[arg(short = 'n', long = "games", value_name = "N", value_parser = at_least_one(), default_value_t = 1000)]
    pub games: u64,
    #[command(flatten)]
    pub deal: Deal,
    /// One bot for all seats, or one per seat: a level, random, greedy, planner:16, search:400 or exec:./mybot
    #[arg(long, value_delimiter = ',', value_name = "BOT,...", default_value = "random")]
    pub bots: Vec<BotSpec>,
    /// Ask bots only when a server would ask a person by default, and count the questions
    #[arg(long)]
    pub stops: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

/// Let bots compete and find out which is better
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair arena boss minion -n 400
  lair arena search:400 search:100 -n 1000 --json
  lair arena kobold minion greedy random -n 6000          everyone meets everyone
  lair arena boss mini-boss minion kobold --players 4     all at one table
  lair arena exec:./mybot.py greedy -n 400                a program of your own (docs/bot-protocol.md)
  lair arena boss minion -n 5000 --resume night.jsonl     run the same line again to continue
  lair arena boss minion -n 5000 --nats nats://bus:4222   with the workers there (lair work --help)

Every deal is played in every seating (with two bots: twice, with the seats swapped), so that neither \
cards nor seats favour anyone. With more bots than seats, they meet in all combinations; with fewer, \
they sit in turn, A B A B. The interval is a bootstrap over the deals.
The result depends on the seed and the number of games, not on the number of threads; only the thinking \
times (processor time of the median answer, and of the longest) vary.
Ctrl-C finishes the deals in progress and prints the results so far; a second Ctrl-C quits at once.")]
pub struct Arena {
    /// Bots: a level (kobold to grand-boss), random, greedy, planner:16 (worlds), search:400 (simulations), or
    /// a program of your own, exec:./mybot.py
    #[arg(value_name = "BOT", required = true)]
    pub entrants: Vec<BotSpec>,
    /// Minimum number of games; every deal that is started is finished
    #[arg(short = 'n', long = "games", value_name = "N", value_parser = at_least_one(), default_value_t = 200)]
    pub games: u64,
    #[command(flatten)]
    pub deal: Deal,
    /// Save finished deals to this file, and continue from those already in it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Print JSON; for two bots, `games`, `win_rate`, `low`, `high` and `elo` are those of the first
    #[arg(long)]
    pub json: bool,
    /// Leave out thinking times, which are measured: equal arenas then print equal bytes
    #[arg(long)]
    pub no_times: bool,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    pub nats: Spread,
}

/// Simulate many games and write a report on bosses, cards, seats and game length
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair lab --games 10000                                   the first box, two players
  lair lab --games 50000 --decks bmr,tnl --players 2,3,4 --bots greedy,boss --out night
  lair lab --games 2000 --cards my.cards                   are your own cards too strong?
  lair lab --games 1000000 --nats nats://bus:4222          with the workers there (lair work --help)

Every deck is played with every number of players by every bot, with the same bot in all seats.
The output folder gets report.html (one self-contained page with plots), report.json, and spreadsheets \
(tables, bosses, cards, turns) as CSV and as Parquet. The same seed gives the same bytes on any number of threads.
Ctrl-C stops and reports the games so far; a second Ctrl-C quits at once without a report.
docs/lab.md explains how to read it.")]
pub struct Lab {
    /// Games per combination of deck, number of players and bot
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one(), default_value_t = 1000)]
    pub games: u64,
    /// Decks: names from `lair deck list`, or deck files
    #[arg(long, value_delimiter = ',', value_name = "NAME|FILE,...", default_value = "bmr")]
    pub decks: Vec<String>,
    /// Numbers of players
    #[arg(long, value_delimiter = ',', value_name = "N,...", value_parser = players(), default_value = "2")]
    pub players: Vec<u8>,
    /// Bots: a level, random, greedy, planner:16, search:400 or exec:./mybot
    #[arg(long, value_delimiter = ',', value_name = "BOT,...", default_value = "greedy")]
    pub bots: Vec<BotSpec>,
    #[command(flatten)]
    pub choice: RulesChoice,
    /// The same seed gives the same games [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<Seed>,
    /// Output folder; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = "lab-report")]
    pub out: PathBuf,
    /// Number of threads; 0 for one per core
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    pub nats: Spread,
}

/// Look up cards: facts, text, rulings and sources
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair cards                   list all cards
  lair cards --all             all cards with their full text
  lair cards dark altar        one card; the start of its name is enough
  lair cards BMR027 --json
  lair cards --new > my.cards  a template for your own cards; `--new room` for one kind")]
pub struct Cards {
    /// A name, the start of one, or a collector number
    #[arg(value_name = "NAME|NUMBER")]
    pub name: Vec<String>,
    /// Print the full text of every card found
    #[arg(long, conflicts_with = "json")]
    pub all: bool,
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
    /// Print a template for your own card file, explained line by line: every kind of card, or one
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "all", conflicts_with_all = ["name", "json", "all"])]
    pub new: Option<Template>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    All,
    Boss,
    Room,
    Spell,
    Hero,
    Epic,
}

/// List decks, show their cards, and check how they are balanced
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  lair deck list                     the built-in decks
  lair deck show official-combo      the cards in a deck
  lair deck check bmr+crl+vov        any mix of boxes, by their codes
  lair deck check friday.deck        find mistakes, and show how it is balanced
  lair deck surprise --players 4     a mix that nobody has chosen
  lair play --deck friday.deck       play with it

docs/decks.md explains how to write a deck file."
)]
pub struct Deck {
    #[command(subcommand)]
    pub command: DeckCommand,
}

#[derive(Debug, Subcommand)]
pub enum DeckCommand {
    /// List the built-in decks
    List,
    /// Show the cards in a deck
    Show {
        #[arg(value_name = "NAME|FILE")]
        deck: String,
    },
    /// Draw a fair mix of boxes, and print the line that plays it
    Surprise {
        /// Number of players
        #[arg(long, value_name = "N", value_parser = players(), default_value_t = 2)]
        players: u8,
        /// The same number gives the same mix [default: drawn at random]
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
    },
    /// Show how decks are balanced; fails if one cannot be read or played
    Check {
        #[arg(required = true, value_name = "NAME|FILE")]
        decks: Vec<String>,
    },
}

/// Check card files: list every mistake with its line, or print the cards in plain English
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair check my.cards
  lair check my.cards other.cards > printed.txt     mistakes go to standard error
  lair check my.cards --cards other.cards           can they be used together?")]
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
  lair replay evening.json --as nobody  as a spectator saw it")]
pub struct Replay {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Tell only what this player saw: p1, p2 and so on, or nobody for spectators
    #[arg(long = "as", value_name = "SEAT", value_parser = viewer)]
    pub viewer: Option<Reader>,
}

/// Find the three turning points of a recorded game: what a player could have done better, and where luck turned
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair review evening.json              for everybody who is not a bot, or for all if everybody is
  lair review evening.json --as p2      for the second player
  lair review evening.json --json | jq '.[0].points'

Each is told with what that player could see at the time, and nothing else.")]
pub struct Review {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only for this player: p1, p2 and so on
    #[arg(long = "as", value_name = "SEAT", value_parser = seat)]
    pub seat: Option<Seat>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn seat(text: &str) -> Result<Seat, String> {
    match viewer(text) {
        Ok(Reader::Seat(seat)) => Ok(seat),
        _ => Err(format!("write p1 to p{}", PLAYERS.end())),
    }
}

fn viewer(text: &str) -> Result<Reader, String> {
    let seat = text.strip_prefix('p').and_then(|n| n.parse::<u8>().ok());
    match seat.filter(|n| (1..=*PLAYERS.end()).contains(n)) {
        Some(n) => Ok(Reader::Seat(Seat(n - 1))),
        None if text == "nobody" => Ok(Reader::Spectator),
        None => Err(format!("write p1 to p{}, or nobody", PLAYERS.end())),
    }
}

/// Ask a bot what it would do in a recorded game, and why
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair hint evening.json                what to do next, in an unfinished game
  lair hint evening.json@12             at the twelfth decision, with what was played
  lair hint evening.json@12 --level grand-boss --top 5
  lair hint evening.json@12 --json | jq '.advice[0]'

The advice uses only what that player could see. While playing, type `hint`.")]
pub struct Hint {
    /// A record, optionally with @ and the number of a decision
    #[arg(value_name = "FILE[@STEP]")]
    pub step: RecordStep,
    /// The bot to ask: a level, or any other
    #[arg(long, value_name = "BOT", default_value_t = BotSpec::Level(BotLevel::ADVISER))]
    pub level: BotSpec,
    /// Number of answers to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = RangedI64ValueParser::<u8>::new().range(1..=50))]
    pub top: u8,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Verify a record: replay it and report the first step that differs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair verify evening.json                     exit code 0 if every step and the result agree
  lair verify evening.json --cards my.cards    a game with your own cards
  lair verify game.json --commitment 9b74...   and its shuffle is the one that a server promised")]
pub struct Verify {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The commitment shown before the game: fails if the record does not prove that shuffle
    #[arg(long, value_name = "HEX")]
    pub commitment: Option<Hex<32>>,
}

/// Run scenario files, or report what they cover
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair scenario scenarios                       a folder and everything in it
  lair scenario scenarios/cards/bmr/freeze.scn
  lair scenario my.scn --cards my.cards         with your own cards
  lair scenario --undo scenarios                also take back and repeat every move
  lair scenario --coverage                      coverage by rule and card, in a source tree")]
pub struct Scenario {
    /// Files and folders
    #[arg(value_name = "PATH", required_unless_present = "coverage")]
    pub paths: Vec<PathBuf>,
    /// Also take back and repeat every move
    #[arg(long)]
    pub undo: bool,
    /// Report which rules, cards and rulings have a scenario; fails if one has none
    #[arg(long)]
    pub coverage: bool,
}

/// Load-test a server: many tables over real WebSockets, and what they cost
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair load                                     200 tables for 30 seconds, on a server it starts
  lair load --tables 2000 --seconds 60 --json
  lair load --against 127.0.0.1:8080            a running server, started with --unlimited
  lair load --nodes 3                           three servers against one, with 200 tables at each

Two players at every table answer at random, each about every two seconds; when a game ends, the next \
one begins. Every ten seconds they pause, and a bare WebSocket echo server handles as many messages of \
the same size, as a baseline for processor time; that does not count towards the time given. With --nodes \
there is no echo: a server with a data folder, one with PostgreSQL, and several whose players are connected to the \
server of their table or to another take turns instead, each for the time given.
docs/performance.md explains the figures.
Ctrl-C stops and prints the measurements so far.")]
pub struct Load {
    /// Number of tables, with two players each
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = RangedI64ValueParser::<u32>::new().range(1..=12_000))]
    pub tables: u32,
    /// Seconds to measure, once everyone is playing
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = RangedI64ValueParser::<u32>::new().range(1..))]
    pub seconds: u32,
    /// Seconds between a player's answers, on average
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = pace)]
    pub pace: f64,
    /// Test a running server on this machine; its memory and processor time are not measured
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = loopback)]
    pub against: Option<SocketAddr>,
    /// Have the server keep everything in this PostgreSQL database, whose own processor time is not counted
    #[arg(long, value_name = "URL", conflicts_with = "against")]
    pub postgres: Option<String>,
    /// Compare servers that share a PostgreSQL and a NATS, so many of them, with a single one, and measure how long a
    /// table is away when its server goes; both must be installed, and are started for this alone
    #[arg(long, value_name = "N", conflicts_with_all = ["against", "postgres"], value_parser = clap::value_parser!(u8).range(3..=9))]
    pub nodes: Option<u8>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn pace(text: &str) -> Result<f64, String> {
    let pace: f64 = text.parse().map_err(|_| "write a number of seconds".to_string())?;
    if (0.05..=60.0).contains(&pace) { Ok(pace) } else { Err("write 0.05 to 60 seconds".into()) }
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|error| format!("{error}"))?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("only a server on this machine can be tested".into())
    }
}
