//! Finds a deck: a built-in one by name, any other by file.

use std::path::Path;

use cards::mix::PLUS;
use cards::tree::Set;
use cards::{Deck, Mix, library};

use crate::cli::Deal;
use crate::failure::Failure;
use crate::files::{self, read};
use crate::term::{note, printable};

/// The deck that was named, or the usual one of the ruleset.
pub fn named(deal: &Deal, sets: &[Set]) -> Result<Deck, Failure> {
    deal.choice.check()?;
    find(deal.deck.as_deref().unwrap_or(deal.choice.ruleset().row().deck), sets)
}

/// Reports problems in the file, each with its place.
pub fn find(wanted: &str, sets: &[Set]) -> Result<Deck, Failure> {
    if let Some(deck) = library::deck(wanted, sets) {
        return Ok(deck);
    }
    let path = Path::new(wanted);
    let is_file = wanted.contains(['/', '\\']) || path.extension().is_some() || path.exists();
    if !is_file {
        return Err(Failure::usage(unknown(wanted, sets)));
    }
    let text = read(path, files::DECK).map_err(Failure::failed)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Deck::read(&name, wanted, &text, sets).map_err(|errors| match note(errors.render(true) + "\n") {
        Ok(()) => Failure::Reported,
        Err(error) => error.into(),
    })
}

fn unknown(wanted: &str, sets: &[Set]) -> String {
    let known: Vec<&str> = library::DECKS.iter().map(|(name, _)| *name).collect();
    let shown = printable(&wanted.chars().take(60).collect::<String>());
    if wanted.contains(PLUS)
        && let Err(error) = Mix::read(wanted, sets)
    {
        return format!("`{shown}` cannot be mixed: {error}");
    }
    if wanted.contains('@') {
        return format!("`{shown}` is not a built-in deck: give its file instead");
    }
    let far = |name: &&&str| strsim::damerau_levenshtein(name, &wanted.to_lowercase());
    match known.iter().min_by_key(far).filter(|name| far(name) <= 3) {
        Some(near) => format!("there is no deck `{shown}`; did you mean {near}?"),
        None => format!("there is no deck `{shown}`: choose from {}, or give a file", known.join(", ")),
    }
}
