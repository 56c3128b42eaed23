//! `lair replay` and `lair verify`: tell and check recorded games.

use std::io::IsTerminal;
use std::path::Path;

use anstyle::Style;
use cards::{CardDb, homebrew, library};
use engine::record::{Record, RecordError};
use engine::tell::Reader;
use engine::{Event, Seat};

use crate::cli::{Replay, Verify};
use crate::failure::Failure;
use crate::files::{self, read};
use crate::homebrew::Library;
use crate::story::{self, Line};
use crate::term::{BAD, DIM, GOOD, HEAD, paint, paragraph, say};

pub fn load(path: &Path) -> Result<Record, Failure> {
    let text = read(path, files::RECORD).map_err(Failure::failed)?;
    Record::from_json(&text).map_err(|error| about(path, error))
}

/// The cards the game was played with. Card files that the record holds need not be named.
pub fn cards_of(record: &Record, library: &Library) -> Result<CardDb, RecordError> {
    if library.homebrew.is_empty() {
        let held = record.own_cards()?;
        record.check_homebrew(&held)?;
        return record.db(&homebrew::add(library::sets(), &held)?);
    }
    record.check_homebrew(&library.homebrew)?;
    record.db(&library.sets)
}

pub fn about(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::failed(format!("{}: {error}", path.display()))
}

/// Names that are safe to print: no control characters, and not too long.
pub fn names(record: &Record) -> Vec<String> {
    record.names().iter().map(|name| clean_name(name)).collect()
}

pub fn clean_name(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(20).collect()
}

pub fn replay(args: &Replay, library: &Library) -> Result<(), Failure> {
    let record = load(&args.file)?;
    let db = cards_of(&record, library).map_err(|error| about(&args.file, error))?;
    let reader = args.viewer.unwrap_or(Reader::Replay);
    let players = record.seats.len();
    if let Reader::Seat(seat) = reader
        && seat.index() >= players
    {
        return Err(Failure::usage(format!("there is no {seat} in this game: it has {players} players")));
    }
    let names = names(&record);
    let mut events: Vec<Event> = Vec::new();
    let played = record.replay(&db, |_, now, _| events.extend_from_slice(now));
    say(printed(&story::tell(&db, &names, &events, reader)))?;
    let game = played.map_err(|error| about(&args.file, error))?;
    if game.outcome().is_none() {
        say(paint(DIM, "\nThe record ends here; the game is not over.") + "\n")?;
    }
    Ok(())
}

/// A story with turns and phases as headings; wrapped on a terminal.
pub fn printed(lines: &[Line]) -> String {
    let wrapped = std::io::stdout().is_terminal();
    let sentence = |text: &str, style: Style| match wrapped {
        true => paragraph("    ", text, style),
        false => format!("    {}\n", paint(style, text)),
    };
    lines
        .iter()
        .map(|line| match line {
            Line::Turn(turn) => format!("\n{}\n", paint(HEAD, format!("Turn {turn}"))),
            Line::Phase(phase) => format!("  {}\n", paint(DIM, phase)),
            Line::Good(text) => sentence(text, GOOD),
            Line::Bad(text) => sentence(text, BAD),
            Line::Plain(text) => sentence(text, Style::new()),
        })
        .collect()
}

pub fn verify(args: &Verify, library: &Library) -> Result<(), Failure> {
    let record = load(&args.file)?;
    let db = cards_of(&record, library).map_err(|error| about(&args.file, error))?;
    let game = record.verify(&db).map_err(|error| about(&args.file, error))?;
    if let Some(shown) = args.commitment {
        record.check_commitment(shown).map_err(|error| about(&args.file, error))?;
    }
    let names = names(&record);
    let end = match game.outcome() {
        Some(outcome) => {
            let winner = names.get(outcome.winner.index()).cloned();
            let score = |seat: Seat| format!("{}/{}", game.souls(seat), game.wounds(seat));
            let scores: Vec<String> = (0..record.setup.rules.players)
                .map(|seat| format!("{} {}", names[usize::from(seat)], score(Seat(seat))))
                .collect();
            format!(
                "{} won in turn {} (souls/wounds: {})",
                winner.unwrap_or_else(|| "nobody".into()),
                game.state.turn(),
                scores.join(", ")
            )
        }
        None => format!("the game is not over; it is turn {}", game.state.turn()),
    };
    let (steps, prints) = (record.actions.len(), record.fingerprints.len());
    say(format!("{} {steps} steps and {prints} fingerprints match; {end}\n", paint(GOOD, "verified:")))?;
    if let Some(fairness) = &record.fairness {
        let added = fairness.players.iter().filter(|player| player.bytes.is_some()).count();
        let shuffle = format!("{} the shuffle follows from the server's secret", paint(GOOD, "fair:"));
        say(format!(
            "{shuffle} and from {added} players' bytes; it was promised as {}\n",
            fairness.commitment
        ))?;
    }
    Ok(())
}
