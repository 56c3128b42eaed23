//! `lair check`: checks card files, with the same checker that loads them for a game.

use std::path::Path;

use cards::db::CardDb;
use cards::homebrew::{self, Homebrew, same_name};
use cards::tree::Set;
use cards::vocabulary::Kind;
use cards::{library, load};

use crate::cli::Check;
use crate::failure::Failure;
use crate::files::{self, read};
use crate::homebrew::Library;
use crate::term::{DIM, GOOD, note, paint, say};

pub fn run(args: &Check, library: &Library) -> Result<(), Failure> {
    let mut broken = false;
    let named =
        |homebrew: &&Homebrew| args.files.iter().any(|file| homebrew.file == file.display().to_string());
    let mut own: Vec<Homebrew> =
        library.homebrew.iter().filter(|homebrew| !named(homebrew)).cloned().collect();
    for (i, file) in args.files.iter().enumerate() {
        match check(file, &library.sets[..library::SETS.len()]) {
            Ok((printed, homebrew)) => {
                if i > 0 {
                    say("\n")?;
                }
                say(printed)?;
                own.extend(homebrew);
            }
            Err(problems) => {
                broken = true;
                note(problems.trim_end().to_string() + "\n")?;
            }
        }
    }
    if broken {
        return Err(Failure::Reported);
    }
    homebrew::add(library::sets(), &own).map_err(Failure::failed)?;
    Ok(())
}

/// The cards in English and, unless it is built in, the set; or what is wrong with the file.
fn check(path: &Path, known: &[Set]) -> Result<(String, Option<Homebrew>), String> {
    let file = path.display().to_string();
    let text = read(path, files::CARDS).map_err(|error| format!("error: {error}"))?;
    let (set, warnings) = load(&file, &text).map_err(|errors| errors.render(true))?;
    for warning in &warnings {
        // If standard error is closed, still print the cards.
        let _ = note(warning.render(&file, &text, true) + "\n");
    }
    let db = CardDb::build(std::slice::from_ref(&set)).map_err(|error| format!("error: {file}: {error}"))?;
    let own = known.iter().all(|other| other.code != set.code);
    let replaced = |i: usize| {
        let mut all = known.iter().flat_map(|other| other.cards.iter().map(move |card| (other, card)));
        all.find(|(_, card)| own && same_name(card, &set.cards[i])).map(|(other, _)| other.title.as_str())
    };
    let mut out = String::new();
    for (i, (_, def)) in db.cards().enumerate() {
        out.push_str(&format!("{}\n  {}\n", def.face.name, def.face.facts));
        def.face.text.iter().for_each(|text| out.push_str(&format!("  {text}\n")));
        if let Some(title) = replaced(i) {
            out.push_str(&format!("  {}\n", paint(DIM, format!("(replaces the card in {title})"))));
        }
        out.push('\n');
    }
    let warned = match warnings.len() {
        0 => String::new(),
        1 => ", with a warning".into(),
        n => format!(", with {n} warnings"),
    };
    out.push_str(&format!("{}{warned}: {file}, {}: {}\n", paint(GOOD, "OK"), set.title, counted(&db)));
    Ok((out, own.then_some(Homebrew { file, set })))
}

/// "1 boss, 3 rooms; 5 cards in all"
fn counted(db: &CardDb) -> String {
    let count = |kind| db.cards().filter(|(_, def)| def.kind == kind).count();
    let parts: Vec<String> = Kind::ALL
        .into_iter()
        .filter_map(|kind| match count(kind) {
            0 => None,
            1 => Some(format!("1 {}", kind.name())),
            n => Some(format!("{n} {}", kind.plural())),
        })
        .collect();
    let copies: usize = db.cards().map(|(_, def)| usize::from(def.copies)).sum();
    match parts.is_empty() {
        true => "no cards yet".into(),
        false => format!("{}; {copies} cards in all", parts.join(", ")),
    }
}
