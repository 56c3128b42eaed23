//! `lair check`: card files, judged by the same checker that loads them for a game.

use std::path::Path;

use cards::{CardDb, load};

use crate::cli::Check;
use crate::failure::Failure;
use crate::files::{self, read};
use crate::term::{DIM, note, paint, say};

pub fn run(args: &Check) -> Result<(), Failure> {
    let mut broken = false;
    for (i, file) in args.files.iter().enumerate() {
        match check(file, args.files.len() > 1) {
            Ok(printed) => {
                if i > 0 {
                    say("\n")?;
                }
                say(printed)?;
            }
            Err(problems) => {
                broken = true;
                note(problems.trim_end().to_string() + "\n")?;
            }
        }
    }
    if broken { Err(Failure::Told) } else { Ok(()) }
}

/// The cards in English, or what is wrong.
fn check(path: &Path, named: bool) -> Result<String, String> {
    let name = path.display().to_string();
    let text = read(path, files::CARDS).map_err(|error| format!("error: {error}"))?;
    let (set, warnings) = load(&name, &text).map_err(|errors| errors.render(true))?;
    for warning in &warnings {
        // Nobody reads standard error: the cards are still worth printing.
        let _ = note(warning.render(&name, &text, true) + "\n");
    }
    let db = CardDb::build(std::slice::from_ref(&set)).map_err(|error| format!("error: {name}: {error}"))?;
    let mut out = String::new();
    if named {
        let cards = set.cards.len();
        out.push_str(&paint(DIM, format!("# {name}: {}, {cards} cards", set.title)));
        out.push_str("\n\n");
    }
    for (i, (_, def)) in db.cards().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&format!("{}\n  {}\n", def.face.name, def.face.facts));
        def.face.text.iter().for_each(|text| out.push_str(&format!("  {text}\n")));
    }
    Ok(out)
}
