//! Which rules, cards and rulings the scenarios show. Every numbered rule and everything in the
//! card sets needs a scenario, or a line in `uncovered.txt` that says why there is none.

use std::collections::BTreeMap;
use std::path::Path;

use cards::CardDb;

use crate::error::{Problem, ScenarioError};
use crate::parse::{Covered, Scenario};

/// Something that scenarios must show.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As a `covers` line would write it.
    pub what: String,
    /// `file:line` of each scenario that covers it.
    pub scenarios: Vec<String>,
    /// Why no scenario can show it, from `uncovered.txt`.
    pub excuse: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By number, in the order of the document.
    pub rules: Vec<Entry>,
    /// Each card followed by its rulings.
    pub cards: Vec<Entry>,
    /// Scenarios and excuses for things that do not exist.
    pub unknown: Vec<ScenarioError>,
}

impl Coverage {
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.rules.iter().chain(&self.cards)
    }

    /// What no scenario shows and no line excuses.
    pub fn missing(&self) -> impl Iterator<Item = &Entry> {
        self.entries().filter(|entry| entry.scenarios.is_empty() && entry.excuse.is_none())
    }

    /// Excused although a scenario shows it.
    pub fn needless(&self) -> impl Iterator<Item = &Entry> {
        self.entries().filter(|entry| !entry.scenarios.is_empty() && entry.excuse.is_some())
    }

    pub fn complete(&self) -> bool {
        self.unknown.is_empty() && self.missing().next().is_none() && self.needless().next().is_none()
    }
}

/// Reads the rules, the scenarios and the excuses of a source tree.
pub fn of_tree(db: &CardDb, root: &Path) -> Result<Coverage, ScenarioError> {
    let read = |path: &str| {
        let path = root.join(path);
        let unreadable = |error: std::io::Error| Problem::Unreadable(error.to_string());
        std::fs::read_to_string(&path).map_err(|error| unreadable(error).at(&path.display().to_string(), 0))
    };
    let (scenarios, errors, _) = crate::read_path(&root.join("scenarios"));
    let mut coverage = of(db, &read("docs/rules.md")?, &scenarios, &read("scenarios/uncovered.txt")?);
    coverage.unknown.extend(errors);
    Ok(coverage)
}

/// The coverage by these scenarios of the rules in `rules` (docs/rules.md) and of all cards.
pub fn of(db: &CardDb, rules: &str, scenarios: &[Scenario], excuses: &str) -> Coverage {
    let mut book = Book::new(db, rules);
    for scenario in scenarios {
        for (line, covered) in &scenario.covers {
            match book.key(covered) {
                Ok(key) => book.entries[key].scenarios.push(format!("{}:{line}", scenario.file)),
                Err(problem) => book.unknown.push(problem.at(&scenario.file, *line)),
            }
        }
    }
    for (line, text) in (1..).zip(excuses.lines()) {
        let text = text.split('#').next().unwrap_or_default().trim();
        if let Some((what, excuse)) = text.split_once(':') {
            match book.index.get(what.trim()) {
                Some(key) => book.entries[*key].excuse = Some(excuse.trim().into()),
                None => book.unknown.push(Problem::NotThere(what.into()).at("uncovered.txt", line)),
            }
        }
    }
    let cards = book.entries.split_off(book.rules);
    Coverage { rules: book.entries, cards, unknown: book.unknown }
}

/// Everything there is to cover.
struct Book<'a> {
    db: &'a CardDb,
    entries: Vec<Entry>,
    index: BTreeMap<String, usize>,
    /// How many of the entries are rules; they come first.
    rules: usize,
    unknown: Vec<ScenarioError>,
}

impl<'a> Book<'a> {
    fn new(db: &'a CardDb, rules: &str) -> Book<'a> {
        let mut book =
            Book { db, entries: Vec::new(), index: BTreeMap::new(), rules: 0, unknown: Vec::new() };
        for number in rules.lines().filter_map(rule_number) {
            book.add(format!("rule {number}"));
        }
        book.rules = book.entries.len();
        for (_, def) in db.cards() {
            book.add(format!("card {}", def.face.name));
            for ruling in 1..=def.face.rulings.len() {
                book.add(format!("ruling {} {ruling}", def.face.name));
            }
        }
        book
    }

    /// A card that is in two boxes counts once.
    fn add(&mut self, what: String) {
        if self.index.contains_key(&what) {
            return;
        }
        self.index.insert(what.clone(), self.entries.len());
        self.entries.push(Entry { what, scenarios: Vec::new(), excuse: None });
    }

    fn key(&self, covered: &Covered) -> Result<usize, Problem> {
        let what = match covered {
            Covered::Rule(number) => format!("rule {number}"),
            Covered::Card(name) => format!("card {}", self.full_name(name)?),
            Covered::Ruling(name, index) => format!("ruling {} {index}", self.full_name(name)?),
        };
        self.index.get(&what).copied().ok_or(Problem::NotThere(what))
    }

    fn full_name(&self, name: &str) -> Result<&'a str, Problem> {
        let name = crate::parse::Name { owner: None, which: None, back: None, text: name.into() };
        match crate::names::meant(self.db, &name)?[..] {
            [def] => Ok(self.db.name(def)),
            _ => Err(Problem::NotThere(name.text)),
        }
    }
}

/// `**4.5** ...` is rule 4.5.
fn rule_number(line: &str) -> Option<&str> {
    let (number, _) = line.strip_prefix("**")?.split_once("**")?;
    let numeric = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    (numeric && number.contains('.')).then_some(number)
}
