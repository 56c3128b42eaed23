//! Sets up the players and deals: a new game from the command line, or a saved one.

use std::path::{Path, PathBuf};

use cards::{CardDb, Deck};
use engine::record::{Record, SeatText};
use engine::setup::PLAYERS;
use engine::{Event, Game, Seed};
use lab::{SeatedBot, derive_seed};

use crate::cli::{Play, SeatKind};
use crate::failure::Failure;
use crate::record_cmd::{about, clean_name};
use crate::story::YOU;

const BOT_NAMES: [&str; 6] = ["Imp", "Ghoul", "Wisp", "Gremlin", "Shade", "Fiend"];

/// A game that is ready to be played.
pub struct SessionStart<'a> {
    pub game: Game<'a>,
    pub names: Vec<String>,
    pub bots: Vec<Option<SeatedBot>>,
    pub record: Record,
    pub save: Option<PathBuf>,
    pub events: Vec<Event>,
    /// How many of the events the players already know.
    pub told: usize,
}

impl<'a> SessionStart<'a> {
    pub fn new(db: &'a CardDb, deck: &Deck, args: &Play) -> Result<SessionStart<'a>, Failure> {
        let seats = seats(args)?;
        let mut seated = seats.iter().filter_map(SeatKind::bot);
        seated.try_for_each(SeatedBot::check).map_err(Failure::failed)?;
        let rules = args.deal.rules(seats.len() as u8);
        let seed = match args.deal.seed {
            Some(seed) => seed,
            None => Seed::from(u64::from(getrandom::u32().map_err(Failure::failed)?)),
        };
        let mut events = Vec::new();
        let game = Game::new(db, rules, seed.0, &mut events).map_err(Failure::usage)?;
        let names = names(args, &seats)?;
        let kinds = names.iter().zip(&seats).enumerate().map(|(i, (name, kind))| SeatText {
            // "You" would be wrong for anyone else who reads the record.
            name: if name == YOU { format!("p{}", i + 1) } else { name.clone() },
            kind: kind.word(),
        });
        let record = Record::new(rules, seed, deck, db, kinds.collect());
        let bots = bots(&seats, seed.number());
        Ok(SessionStart { game, names, bots, record, save: args.save.clone(), events, told: 0 })
    }

    pub fn resume(db: &'a CardDb, record: Record, file: &Path) -> Result<SessionStart<'a>, Failure> {
        let mut events = Vec::new();
        let game = record
            .replay(db, |_, now, _| events.extend_from_slice(now))
            .map_err(|error| about(file, error))?;
        if game.outcome().is_some() {
            return Err(Failure::failed(format!("{}: this game is over", file.display())));
        }
        let seats: Vec<SeatKind> = record
            .seats
            .iter()
            // A bot that this version does not have is replaced by the default.
            .map(|seat| seat.kind.parse().unwrap_or(SeatKind::OPPONENT))
            .collect();
        let people = seats.iter().filter(|kind| **kind == SeatKind::You).count();
        let name = |(i, seat): (usize, &SeatText)| {
            let unnamed = seats[i] == SeatKind::You && seat.name == format!("p{}", i + 1);
            if people == 1 && unnamed { YOU.into() } else { clean_name(&seat.name) }
        };
        let names = record.seats.iter().enumerate().map(name).collect();
        let bots = bots(&seats, record.actions.len() as u64);
        let told = events.len();
        Ok(SessionStart { game, names, bots, record, save: Some(file.into()), events, told })
    }
}

fn bots(seats: &[SeatKind], seed: u64) -> Vec<Option<SeatedBot>> {
    let bot = |(i, kind): (usize, &SeatKind)| {
        kind.bot().map(|player| SeatedBot::new(player, derive_seed(seed, 0, 0, i as u64)))
    };
    seats.iter().enumerate().map(bot).collect()
}

/// `--seats` and `--players` may both be given, and must then agree.
fn seats(args: &Play) -> Result<Vec<SeatKind>, Failure> {
    let wanted = args.deal.players;
    let seats = match args.seats.is_empty() {
        true => {
            let bots = usize::from(args.deal.seats()) - 1;
            std::iter::once(SeatKind::You).chain(std::iter::repeat_n(SeatKind::OPPONENT, bots)).collect()
        }
        false => args.seats.clone(),
    };
    match (wanted, seats.len()) {
        (_, n) if !u8::try_from(n).is_ok_and(|n| PLAYERS.contains(&n)) => {
            let (least, most) = (PLAYERS.start(), PLAYERS.end());
            Err(Failure::usage(format!("--seats names {n} players, but {least} to {most} can play")))
        }
        (Some(players), n) if usize::from(players) != n => {
            Err(Failure::usage(format!("--players says {players}, but --seats names {n}")))
        }
        _ => Ok(seats),
    }
}

fn names(args: &Play, seats: &[SeatKind]) -> Result<Vec<String>, Failure> {
    if args.names.len() > seats.len() {
        let (names, players) = (args.names.len(), seats.len());
        return Err(Failure::usage(format!("--names gives {names} names for {players} players")));
    }
    let people = seats.iter().filter(|kind| **kind == SeatKind::You).count();
    let mut bot = BOT_NAMES.iter();
    let mut names: Vec<String> = Vec::new();
    for (i, kind) in seats.iter().enumerate() {
        let given = args.names.get(i).map(|name| clean_name(name.trim())).filter(|name| !name.is_empty());
        let name = given.unwrap_or_else(|| match kind {
            SeatKind::You if people == 1 => YOU.into(),
            SeatKind::You => format!("p{}", i + 1),
            _ => bot.next().map_or_else(|| format!("bot {}", i + 1), |name| name.to_string()),
        });
        if names.contains(&name) {
            return Err(Failure::usage(format!("two players are named {name}: give them different names")));
        }
        names.push(name);
    }
    Ok(names)
}
