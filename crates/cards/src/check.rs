//! Checks that a tree makes sense: everything that could go wrong when a card is played is refused
//! here, with the place, the reason and a way to fix it.
//!
//! Invariant: a set without errors compiles, every name is bound and of the kind its use needs,
//! nothing reads hidden information, and every ability ends.

mod act;
mod body;
mod card;
pub mod cost;
mod endless;
pub mod fault;
mod hidden;
mod number;
mod rules;
mod terms;
mod thing;

use std::collections::HashSet;

use crate::code;
use crate::parse::{self, Read};
use crate::report::{Errors, Problem, Severity, too_many};
use crate::tree::*;

use self::fault::CheckFault;

pub const MAX_COPIES: u8 = 20;
/// Letters in the name of a card.
pub const MAX_TITLE: usize = 60;
pub const MAX_ABILITIES: usize = 8;
/// Statements in one ability.
pub const MAX_STATEMENTS: usize = 24;
/// Depth of blocks inside blocks.
pub const MAX_BLOCKS: usize = 6;
/// Depth of a `where` in a `where`.
pub const MAX_SELECTORS: usize = 3;
pub const MAX_NAMES: usize = 6;
/// Things one name holds.
pub const MAX_HELD: u8 = 4;
/// Things an ability holds at once, with and without a name.
pub const MAX_SLOTS: usize = code::REGS;
/// Names one lasting rule remembers.
pub const MAX_KEPT: usize = code::KEPT;
/// Abilities of one card limited to once per turn.
pub const MAX_LIMITED: usize = code::MARKS;

/// Does the ability copy the text of a card?
pub(crate) fn copies(body: &[Stmt]) -> bool {
    endless::acts(body).any(|act| matches!(act, Act::Simple { verb: Verb::Copy, .. }))
}

/// Everything wrong with the set, warnings included, in text order; up to the card where there are too many errors.
pub fn check(set: &Set) -> Vec<Problem> {
    let mut problems = Vec::new();
    for card in &set.cards {
        if too_many(&problems) {
            break;
        }
        problems.extend(card::check(card));
    }
    let mut names = HashSet::new();
    let mut numbers = HashSet::new();
    for card in &set.cards {
        if !names.insert(&card.name) {
            let name = card.name.clone();
            problems.push(Problem::new(card.span, CheckFault::SameName { name }));
        }
        if let Some(number) = &card.fields.number
            && !numbers.insert(number)
        {
            let number = number.clone();
            problems.push(Problem::new(card.span, CheckFault::SameNumber { number }));
        }
    }
    problems.sort_by_key(|p| p.span.start);
    problems
}

/// A card file that is being written.
pub struct Draft {
    /// The cards that could be played as they are.
    pub cards: Vec<Card>,
    /// What is wrong, warnings included, in text order.
    pub errors: Errors,
    /// The whole, if nothing is.
    pub set: Option<Set>,
}

/// Reads and checks a card file as `load` does, for a machine that strangers share: nothing of it takes long.
pub fn load_shared(file_name: &str, text: &str) -> Result<(Set, Vec<Problem>), Errors> {
    let (set, mut problems) = load(file_name, text)?;
    let warnings = problems.len();
    set.cards.iter().for_each(|card| cost::SHARED.check(card, &mut problems));
    if problems.len() > warnings { Err(Errors::new(file_name, text, problems)) } else { Ok((set, problems)) }
}

/// As much of a card file as makes sense, and what does not, for a machine that strangers share.
pub fn draft(file_name: &str, text: &str) -> Draft {
    match load_shared(file_name, text) {
        Ok((set, warnings)) => {
            Draft { cards: set.cards.clone(), errors: Errors::new(file_name, text, warnings), set: Some(set) }
        }
        Err(errors) => {
            let Read { set, sound, .. } = parse::read(text);
            let mut names = HashSet::new();
            let is_fine = |card: &Card| {
                let mut problems = card::check(card);
                cost::SHARED.check(card, &mut problems);
                names.insert(card.name.clone()) && problems.iter().all(|p| p.severity() == Severity::Warning)
            };
            let mut cards = set.map_or(sound, |set| set.cards);
            cards.retain(is_fine);
            Draft { cards, errors, set: None }
        }
    }
}

/// Reads and checks a card file: the set and its warnings, or all errors (warnings among them).
pub fn load(file_name: &str, text: &str) -> Result<(Set, Vec<Problem>), Errors> {
    let Read { set, sound, mut problems } = parse::read(text);
    let refused = !problems.is_empty();
    // Cards with a syntax fault are left out: follow-up errors would only confuse.
    let checked = Set { cards: sound, code: String::new(), title: String::new() };
    if !too_many(&problems) {
        problems.extend(check(set.as_ref().unwrap_or(&checked)));
    }
    match set {
        Some(set) if !refused && problems.iter().all(|p| p.severity() == Severity::Warning) => {
            for problem in &mut problems {
                problem.locate(text);
            }
            Ok((set, problems))
        }
        _ => Err(Errors::new(file_name, text, problems)),
    }
}
