//! The command line: what can be asked, with examples.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use bots::{Level, Player, UnknownPlayer};
use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use engine::setup::PLAYERS;
use engine::{Rules, Seat, Seed, Variant};

use crate::hint_cmd::Spot;
use crate::story::Eyes;

/// Boss Monster: build a dungeon, lure the heroes, let none of them out.
///
/// Without a command it serves tables for a browser, at http://127.0.0.1:8080.
#[derive(Debug, Parser)]
#[command(
    name = "lair",
    version,
    arg_required_else_help = false,
    after_help = "\
Examples:
  lair                              tables for browsers: open the address it prints
  lair play                         a game in the terminal, against a bot
  lair play --players 3 --seed 7    the same deal every time
  lair cards dark altar             what a card does
  lair sim -n 10000 --players 4     let bots play and count
  lair arena boss minion -n 100     which bot is better?
  lair lab --games 10000            what are bosses and cards worth?
  lair deck list                    what can be played with

Exit codes: 0 all is well; 1 what was asked about failed; 2 it was asked wrongly.
Colour is used on a terminal only; NO_COLOR=1 turns it off."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// A card file of your own: its cards join in, or replace those of the same name; may be given several times
    #[arg(long, value_name = "FILE", global = true)]
    pub cards: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Serve(Serve),
    Play(Play),
    Sim(Sim),
    Arena(Arena),
    Lab(Lab),
    Cards(Cards),
    Deck(Deck),
    Check(Check),
    Replay(Replay),
    Hint(Hint),
    Verify(Verify),
    Scenario(Scenario),
    Load(Load),
    /// The yardstick of `lair load`: a bare WebSocket echo
    #[command(name = "load-echo", hide = true)]
    Echo,
}

/// Serve tables over the network, for browsers and programs
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  lair serve                                    on this machine: open the address it prints
  lair serve --listen 0.0.0.0:8080              for everybody in the same network
  lair serve --data /var/lib/lair --behind-proxy --origin https://lair.example
  lair serve --cards my.cards                   with cards of your own in every deck
  RUST_LOG=debug lair serve --log json          every request, for machines to read

Standard output gets one line, the address to open; the log goes to standard error. RUST_LOG sets what is logged:
error, warn, info (the default), debug, or by part: info,server=debug.
Everything is in the data folder, and whatever anybody was shown is stored: the server can be stopped at any moment,
and goes on where it was. Ctrl-C or SIGTERM says goodbye first; a second Ctrl-C does not.
docs/operations.md says how to run it behind a proxy, to back it up and to upgrade it.")]
pub struct Serve {
    /// Where to listen [default: 127.0.0.1:8080, or the next port that is free]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The folder that keeps everything; it is made if it is not there [default: $XDG_DATA_HOME/lair, or
    /// ~/.local/share/lair]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// A proxy stands before the server: believe its X-Forwarded-For and X-Forwarded-Proto
    #[arg(long)]
    pub behind_proxy: bool,
    /// Where else pages may come from that use the server: https://lair.example; may be given several times
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub origin: Vec<String>,
    /// Connections that one address may have at a time [default: 64]
    #[arg(long, value_name = "N")]
    pub connections_per_address: Option<usize>,
    /// Take any number of guests, tables and connections from one address: for `lair load`, on this machine only
    #[arg(long, requires = "listen", conflicts_with_all = ["connections_per_address", "behind_proxy"])]
    pub unlimited: bool,
    /// How the log is written
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    pub log: LogForm,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogForm {
    #[default]
    Text,
    Json,
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

/// Play a game: people at one keyboard, bots, or both
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  lair play                                 you against one bot
  lair play --seats you,kobold              against a weaker one
  lair play --seats you,boss,you            two people and a bot at one keyboard
  lair play --names Ann,Bob --seats you,you --save evening.json
  lair play --players 4 --deck official-combo --variant hard,machinations --seed 42
  lair play --cards my.cards                with cards of your own (docs/homebrew.md)
  lair play --resume evening.json           go on where it was left

While playing, `help` lists what you can type.")]
pub struct Play {
    #[command(flatten)]
    pub deal: Deal,
    /// Who sits where: you, or a bot by its level: kobold, minion, mini-boss, boss, total-boss, grand-boss; others are
    /// random, greedy, planner:16 and search:400
    #[arg(long, value_delimiter = ',', value_name = "SEAT,...")]
    pub seats: Vec<SeatKind>,
    /// What the players are called, in the order of the seats
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub names: Vec<String>,
    /// Write the record of the game to this file, after every decision
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "deck", "seats", "names", "seed", "variant", "save"])]
    pub resume: Option<PathBuf>,
}

/// What names a game: the same line, the same deal.
#[derive(Debug, Default, Args)]
pub struct Deal {
    #[arg(long, value_name = "N", value_parser = players(), help = players_help())]
    pub players: Option<u8>,
    /// What is played with: a name of `lair deck list`, or a deck file [default: bmr]
    #[arg(long, value_name = "NAME|FILE")]
    pub deck: Option<String>,
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...", help = variant_help())]
    pub variant: Vec<Variant>,
    /// The same seed gives the same deal
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<Seed>,
}

/// At least one.
fn some() -> clap::builder::RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(1..)
}

fn players() -> RangedI64ValueParser<u8> {
    RangedI64ValueParser::new().range(i64::from(*PLAYERS.start())..=i64::from(*PLAYERS.end()))
}

fn players_help() -> String {
    format!("How many play: {} to {} [default: {0}]", PLAYERS.start(), PLAYERS.end())
}

fn variant_help() -> String {
    format!("Variants of the rules: {}", Variant::NAMES)
}

impl Deal {
    pub fn rules(&self, players: u8) -> Rules {
        self.variant.iter().fold(Rules::classic(players), |rules, variant| rules.with(*variant))
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// A person at this keyboard.
    You,
    Bot(Player),
}

impl SeatKind {
    /// Who plays if nobody is named.
    pub const OPPONENT: SeatKind = SeatKind::Bot(Player::Level(Level::Boss));

    pub fn bot(&self) -> Option<&Player> {
        match self {
            SeatKind::You => None,
            SeatKind::Bot(player) => Some(player),
        }
    }

    /// As written in a record.
    pub fn word(&self) -> String {
        self.bot().map_or("person".into(), Player::to_string)
    }
}

impl FromStr for SeatKind {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<SeatKind, UnknownPlayer> {
        match text {
            "you" | "me" | "person" => Ok(SeatKind::You),
            "bot" => Ok(SeatKind::OPPONENT),
            _ => text.parse().map(SeatKind::Bot),
        }
    }
}

/// Let bots play many games and count how they end
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair sim -n 10000
  lair sim -n 1000 --players 4 --bots minion --seed 7
  lair sim -n 100 --players 3 --bots boss,minion,kobold
  lair sim -n 500 --variant hard --json | jq .endings
  lair sim -n 500 --players 6 --deck mash-up --variant unlimited-lives

The result depends on the seed (1, if none is given) and the number of games, never on the number of threads.
Ctrl-C stops and prints what was done so far; twice, it leaves at once.")]
pub struct Sim {
    /// How many games
    #[arg(short = 'n', long = "games", value_name = "N", value_parser = some(), default_value_t = 1000)]
    pub games: u64,
    #[command(flatten)]
    pub deal: Deal,
    /// Who plays: one bot in all seats, or one for each: random, greedy, planner:16, search:400, a level or
    /// exec:./mybot
    #[arg(long, value_delimiter = ',', value_name = "BOT,...", default_value = "random")]
    pub bots: Vec<Player>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
    /// Games played at the same time; 0: as many as there are processors
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

/// Let bots meet, and find out which is better
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair arena boss minion -n 400
  lair arena search:400 search:100 -n 1000 --json
  lair arena kobold minion greedy random -n 6000          everybody meets everybody
  lair arena boss mini-boss minion kobold --players 4     all at one table
  lair arena exec:./mybot.py greedy -n 400                a program of your own (docs/bot-protocol.md)
  lair arena boss minion -n 5000 --resume night.jsonl     stopped? The same line goes on with it

Every deal is played once in every seating (for two: twice, with the seats swapped), so nobody is lucky in the
cards or the seat. More bots than seats: all of them meet in turn; fewer: they sit in turn, A B A B.
The interval is drawn from the deals (bootstrap). The result depends on the seed and the number of games, never on the
number of threads; only the time for thinking (processor time, the median of an answer) is measured.
Ctrl-C stops when the deals under way are over, and prints what was done so far; twice, it leaves at once.")]
pub struct Arena {
    /// The bots: random, greedy, planner:16 (worlds), search:400 (simulations), a level, kobold to grand-boss, or a
    /// program of your own: exec:./mybot.py
    #[arg(value_name = "BOT", required = true)]
    pub entrants: Vec<Player>,
    /// How many games at least: deals are finished
    #[arg(short = 'n', long = "games", value_name = "N", value_parser = some(), default_value_t = 200)]
    pub games: u64,
    #[command(flatten)]
    pub deal: Deal,
    /// Keep finished deals in this file, and go on with those that are in it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Print one JSON object: of two bots `games`, `win_rate`, `low`, `high` and `elo` are the first one's
    #[arg(long)]
    pub json: bool,
    /// Games played at the same time; 0: as many as there are processors
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

/// Let bots play a grid of games, and write a report: bosses, cards, seats, length
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair lab --games 10000                                   the first box, two players
  lair lab --games 50000 --decks bmr,tnl --players 2,3,4 --bots greedy,boss --out night
  lair lab --games 2000 --cards my.cards                   are cards of your own too strong?

Every deck is played with every number of players by every bot, so many games each, with the same bot in all seats.
The folder gets report.html (one page with plots, nothing else is needed), report.json and tables for a spreadsheet
(tables.csv, bosses.csv, cards.csv, turns.csv). The same seed gives the same bytes, on any number of threads.
Ctrl-C stops, and the report is of what was done so far; twice, it leaves at once and writes none. docs/lab.md says how to read it.")]
pub struct Lab {
    /// Games at every kind of table
    #[arg(short = 'n', long, value_name = "N", value_parser = some(), default_value_t = 1000)]
    pub games: u64,
    /// Decks: names of `lair deck list`, or deck files
    #[arg(long, value_delimiter = ',', value_name = "NAME|FILE,...", default_value = "bmr")]
    pub decks: Vec<String>,
    /// Numbers of players
    #[arg(long, value_delimiter = ',', value_name = "N,...", value_parser = players(), default_value = "2")]
    pub players: Vec<u8>,
    /// Bots: random, greedy, planner:16, search:400, a level or exec:./mybot
    #[arg(long, value_delimiter = ',', value_name = "BOT,...", default_value = "greedy")]
    pub bots: Vec<Player>,
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...", help = variant_help())]
    pub variant: Vec<Variant>,
    /// The same seed gives the same games [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<Seed>,
    /// The folder for the report; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "lab-report")]
    pub out: PathBuf,
    /// Games played at the same time; 0: as many as there are processors
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

/// Look up cards: facts, text, rulings and where the facts come from
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair cards                   a list of all cards
  lair cards --all             the whole text of all of them
  lair cards dark altar        one card; the beginning of the name is enough
  lair cards BMR027 --json
  lair cards --new > my.cards  cards to begin your own with; `--new room` for one kind")]
pub struct Cards {
    /// A name, its beginning, or a collector number
    #[arg(value_name = "NAME|NUMBER")]
    pub name: Vec<String>,
    /// Print the whole text of every card found, of all cards where none is named
    #[arg(long, conflicts_with = "json")]
    pub all: bool,
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
    /// Write a card file to begin with, explained line by line: of every kind of card, or of one
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

/// Look at decks: which cards are in, and how they are balanced
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  lair deck list                     the decks that come with the program
  lair deck show official-combo      its cards
  lair deck check friday.deck        problems with their place; then how it is balanced
  lair play --deck friday.deck       play with it

docs/decks.md says how a deck file is written."
)]
pub struct Deck {
    #[command(subcommand)]
    pub command: DeckCommand,
}

#[derive(Debug, Subcommand)]
pub enum DeckCommand {
    /// The decks that come with the program
    List,
    /// The cards of a deck
    Show {
        #[arg(value_name = "NAME|FILE")]
        deck: String,
    },
    /// How decks are balanced; fails for one that cannot be read or played
    Check {
        #[arg(required = true, value_name = "NAME|FILE")]
        decks: Vec<String>,
    },
}

/// Check card files: every problem with its place, or the cards in plain English
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair check my.cards
  lair check my.cards other.cards > printed.txt     problems still show: they go to standard error
  lair check my.cards --cards other.cards           do they go together?")]
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
    /// Tell only what this player saw: p1, p2 and so on, or nobody for a spectator
    #[arg(long = "as", value_name = "SEAT", value_parser = eyes)]
    pub eyes: Option<Eyes>,
}

fn eyes(text: &str) -> Result<Eyes, String> {
    let seat = text.strip_prefix('p').and_then(|n| n.parse::<u8>().ok());
    match seat.filter(|n| (1..=*PLAYERS.end()).contains(n)) {
        Some(n) => Ok(Eyes::Seat(Seat(n - 1))),
        None if text == "nobody" => Ok(Eyes::Spectator),
        None => Err(format!("write p1 to p{}, or nobody", PLAYERS.end())),
    }
}

/// Ask a bot what it would do in a recorded game, and why
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair hint evening.json                what to do now, in a game that is not over
  lair hint evening.json@12             at the twelfth decision, and what was played
  lair hint evening.json@12 --level grand-boss --top 5
  lair hint evening.json@12 --json | jq '.advice[0]'

Nothing is used but what the player who was asked could see. While playing, type `hint`.")]
pub struct Hint {
    /// A record, and perhaps @ and the number of a decision
    #[arg(value_name = "FILE[@STEP]")]
    pub spot: Spot,
    /// Whom to ask: a level, or any other bot
    #[arg(long, value_name = "BOT", default_value_t = Player::Level(Level::ADVISER))]
    pub level: Player,
    /// How many answers to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = RangedI64ValueParser::<u8>::new().range(1..=50))]
    pub top: u8,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Play a record again and name the first step that differs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair verify evening.json      exit code 0 if every step, fingerprint and the result agree
  lair verify evening.json --cards my.cards         a game with cards of one's own")]
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
  lair scenario my.scn --cards my.cards         about cards of your own
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

/// Put a server under load: people at many tables, over real WebSockets, and what it costs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lair load                                     200 tables for 30 seconds, with a server of its own
  lair load --tables 2000 --seconds 60 --json
  lair load --against 127.0.0.1:8080            a server that runs already, with --unlimited

Two people sit at every table and answer at random, everybody about every two seconds; when a game ends, the next one
begins. Every ten seconds they rest, and a bare WebSocket echo gets as many messages of the same size, as a yardstick
for the processor time; that is not part of the time given. docs/performance.md says what the figures mean.
Ctrl-C stops and prints what was measured so far.")]
pub struct Load {
    /// Tables at a time, two people each
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = RangedI64ValueParser::<u32>::new().range(1..=9000))]
    pub tables: u32,
    /// How long to measure, once everybody plays
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = RangedI64ValueParser::<u32>::new().range(1..))]
    pub seconds: u32,
    /// Everybody answers about every so many seconds
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = pace)]
    pub pace: f64,
    /// A server that runs already, on this machine; of its memory and processor time nothing is told
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = loopback)]
    pub against: Option<SocketAddr>,
    /// Print one JSON object
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
        Err("only servers on this machine are loaded".into())
    }
}
