//! `lair review`: the turning points of a recorded game, for each player as they could see it.

use bots::{Turned, TurningPoint, review};
use engine::Seat;
use serde_json::json;

use crate::cli;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::record_cmd::{about, cards_of, load, names};
use crate::term::{BAD, DIM, GOOD, HEAD, paint, paragraph, say};

/// Who is no bot, as records write it.
const PERSON: &str = "person";

pub fn run(args: &cli::Review, library: &Library) -> Result<(), Failure> {
    let record = load(&args.file)?;
    let db = cards_of(&record, library).map_err(|error| about(&args.file, error))?;
    // A record that does not agree with itself tells of another game.
    record.replay(&db, |_, _, _| {}).map_err(|error| about(&args.file, error))?;
    let players = record.setup.rules.players;
    let all = || (0..players).map(Seat);
    let people = all().filter(|seat| record.seats[seat.index()].kind == PERSON);
    let seats: Vec<Seat> = match args.seat {
        Some(seat) if seat.0 < players => vec![seat],
        Some(seat) => {
            return Err(Failure::usage(format!("there is no {seat} in this game: it has {players} players")));
        }
        None => people.collect(),
    };
    let seats = if seats.is_empty() { all().collect() } else { seats };
    let names = names(&record);
    let reviews = seats.iter().map(|seat| (*seat, review(&record, &db, &names, *seat)));
    if args.json {
        let point = |point: &TurningPoint| {
            let TurningPoint { step, turn, turned, before, after, words } = point;
            json!({
                "step": step, "turn": turn, "turned": turned.name(), "words": words,
                "before": (before * 1e4).round() / 1e4, "after": (after * 1e4).round() / 1e4,
            })
        };
        let review = |(seat, points): (Seat, Vec<TurningPoint>)| {
            json!({
                "seat": seat.0 + 1, "player": names[seat.index()],
                "points": points.iter().map(point).collect::<Vec<_>>(),
            })
        };
        let all: Vec<_> = reviews.map(review).collect();
        return Ok(say(format!("{:#}\n", serde_json::Value::from(all)))?);
    }
    for (seat, points) in reviews {
        say(format!("{}\n", paint(HEAD, &names[seat.index()])))?;
        if points.is_empty() {
            say("  nothing turned this game: no answer and no turn changed the chance by much\n")?;
        }
        for point in points {
            let style = if point.after < point.before { BAD } else { GOOD };
            let kind = match point.turned {
                Turned::Choice => "a choice",
                Turned::Luck => "luck",
            };
            let head = format!("turn {}, step {}: {kind}", point.turn, point.step + 1);
            say(format!("  {}\n{}", paint(style, head), paragraph("    ", &point.words, DIM)))?;
        }
    }
    Ok(())
}
