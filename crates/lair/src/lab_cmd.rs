//! `lair lab`: bots play a grid of games, and the results become a report.

use std::fmt::Display;

use cards::{CardDb, Deck};
use engine::{Dealer, Setup};
use lab::SeatedBot;
use lab::grid::{self, Cell};
use lab::report::{PAGE, Report};
use lab::spread::DeckSpec;

use crate::cli::Lab;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::spread::{self, Shared};
use crate::term::{note, say};
use crate::{decks, progress};

pub fn run(args: &Lab, library: &Library) -> Result<(), Failure> {
    args.bots.iter().try_for_each(SeatedBot::check).map_err(Failure::failed)?;
    once(&args.decks, "--decks")?;
    once(&args.players, "--players")?;
    once(&args.bots, "--bots")?;
    let decks = decks(args, library)?;
    let mut cells = Vec::new();
    for (deck, db) in &decks {
        for players in &args.players {
            for bot in &args.bots {
                let rules = args.choice.rules(*players);
                let setup = Setup { rules, deck: deck.id.clone(), seed: args.seed.unwrap_or(1.into()) };
                let refused = |error| Failure::usage(format!("{} with {players} players: {error}", deck.id));
                let dealer = Dealer::new(db, rules).map_err(refused)?;
                let bots = std::slice::from_ref(bot);
                cells.push(Cell { setup, bots, db, dealer, version: String::new() });
            }
        }
    }
    // Find out before the games, not after them, whether the report can be written.
    Report::try_folder(&args.out).map_err(Failure::failed)?;
    let jobs = args.games.saturating_mul(cells.len() as u64);
    let tallies = match spread::line(&args.nats)? {
        None => progress::run(jobs, args.threads, |workers| grid::run(&cells, args.games, workers))?,
        Some(line) => {
            let with = Shared { line: &line, args: &args.nats, threads: args.threads, library };
            let own: Vec<usize> = (0..library.homebrew.len()).collect();
            let specs = decks.iter().map(|(deck, db)| DeckSpec::of(deck, db, own.clone()));
            with.lab(&cells, args.games, specs.collect())?
        }
    };
    let report = Report::new(&cells, &tallies, args.games);
    report.write(&args.out).map_err(Failure::failed)?;
    if !report.complete {
        note(format!("stopped after {} of {jobs} games\n", report.games()))?;
    }
    let page = args.out.join(PAGE);
    Ok(say(format!("{} games; the report is in {}\n", report.games(), page.display()))?)
}

/// Playing the same table twice would add nothing.
fn once<T: PartialEq + Display>(list: &[T], flag: &str) -> Result<(), Failure> {
    match list.iter().enumerate().find(|(i, one)| list[..*i].contains(one)) {
        Some((_, twice)) => Err(Failure::usage(format!("{flag} names {twice} twice: name it once"))),
        None => Ok(()),
    }
}

fn decks(args: &Lab, library: &Library) -> Result<Vec<(Deck, CardDb)>, Failure> {
    let found = args.decks.iter().map(|name| {
        let deck = decks::find(name, &library.sets)?;
        let db = deck.compile(&library.sets).map_err(Failure::failed)?;
        Ok((deck, db))
    });
    found.collect()
}
