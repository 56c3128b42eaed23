//! What can be wrong with a scenario: where, what, and how to fix it.

use engine::setup::{UnknownRuleset, UnknownVariant};
use thiserror::Error;

/// A scenario that cannot be read, or that fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
pub struct ScenarioError {
    pub file: String,
    pub line: usize,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    #[error("there is no scenario here: files of scenarios end in .scn")]
    NothingHere,
    #[error(
        "`{0}` is not a line of a scenario: begin it with >, !, ?, =, covers, a player, hero, a deck, random, \
         shuffle, at, window or end"
    )]
    Line(String),
    #[error("`{0}` is not a fact: see \"What must be true\" in docs/scenarios.md")]
    Fact(String),
    #[error("`{0}` is not a player: players are p1 to p6")]
    Player(String),
    #[error("`{found}` is not a number: write {wanted}")]
    Number { found: String, wanted: &'static str },
    #[error("`{0}` is not known here: write one of {1}")]
    Word(String, String),
    #[error("{0}")]
    Variant(UnknownVariant),
    #[error("{0}")]
    Ruleset(UnknownRuleset),
    #[error("`{0}` is not closed: write the marks as [deactivated] or [damage 3]")]
    Mark(String),
    #[error("a name is missing: {0}")]
    Missing(&'static str),
    #[error("the scenario has no start: write one `at ...` or `window ...` line before the first move")]
    NoStart,
    #[error("the scenario starts twice: keep one `at ...` or `window ...` line")]
    TwoStarts,
    #[error("this is part of the setup: write it before `at ...` or `window ...`")]
    TooLate,
    #[error("moves and facts come after the start: write `at ...` or `window ...` first")]
    TooEarly,
    #[error("the last scenario is not closed: write `end`")]
    NoEnd,
    #[error("no card is called `{0}`{hint}", hint = near(.1))]
    NoSuchCard(String, Vec<String>),
    #[error("`{0}` could be {list}: write more of the name", list = .1.join(" or "))]
    Ambiguous(String, Vec<String>),
    #[error("there is no `{0}` to cover: look the number up in docs/rules.md or in the card's rulings")]
    NotThere(String),
    #[error("{0}")]
    Table(String),
    #[error("{seat} is not asked now{now}", now = now(.asked))]
    NotAsked { seat: String, asked: Option<String> },
    #[error("{seat} cannot answer `{answer}`: the answers are {legal}")]
    NotAllowed { seat: String, answer: String, legal: String },
    #[error("`{0}` could mean several cards: write the owner before it, or `the left`, `the second`")]
    WhichCard(String),
    #[error("{0} must answer before everybody can pass: write the answer to {1}")]
    CannotPass(String, String),
    #[error("this move is legal, but the scenario says it is refused")]
    NotRefused,
    #[error("a refused move changed the game")]
    RefusalChanged,
    #[error("expected {expected}, found {found}")]
    Differs { expected: String, found: String },
    #[error("{wanted} cannot be picked at random here, only {candidates}: correct the `random:` line")]
    Pick { wanted: String, candidates: String },
    #[error("{wanted} is not in {deck} when it is shuffled: correct the `shuffle` line")]
    Shuffle { wanted: String, deck: String },
    #[error("{0}: remove it, or play on to where it happens")]
    ChanceLeft(String),
    #[error("a question is still open: {0}; answer it, or write `> all pass to end`")]
    StillAsked(String),
    #[error("declared and not resolved: {0}; write `> all pass`")]
    StillWaiting(String),
    #[error("the state is inconsistent: {0}")]
    Broken(String),
    #[error("without questions that have only one answer, as people play it, the game goes differently: {0}")]
    Twin(String),
    #[error("taken back and played again, `{0}` led to a different state")]
    Undo(String),
}

impl Problem {
    pub(crate) fn word(found: &str, known: &str) -> Problem {
        Problem::Word(found.into(), known.into())
    }

    pub(crate) fn differs(expected: impl Into<String>, found: impl Into<String>) -> Problem {
        Problem::Differs { expected: expected.into(), found: found.into() }
    }

    pub(crate) fn at(self, file: &str, line: usize) -> ScenarioError {
        ScenarioError { file: file.into(), line, problem: self }
    }
}

fn near(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(": perhaps {}", names.join(" or ")) }
}

fn now(asked: &Option<String>) -> String {
    asked.as_ref().map_or_else(|| "; nobody is".into(), |asked| format!("; {asked}"))
}
