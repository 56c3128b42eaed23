//! The tables that a network learns from: every box and ruleset, one to six players.

use cards::tree::Set;
use cards::{CardDb, library};
use engine::{Dealer, Rules, Ruleset, SetupError, Variant};

use super::TrainError;

/// A table by name, such as `bmr-crl crash 6`.
pub struct Table {
    pub name: String,
    pub db: CardDb,
    pub rules: Rules,
}

/// Deck, ruleset, players, unlimited lives.
type Row = (&'static str, &'static str, u8, bool);

/// Large tables are rarer: a game there has as many positions as several small ones.
const TABLES: [Row; 25] = [
    ("bmr", "classic", 2, false),
    ("tnl", "classic", 2, false),
    ("rmb", "classic", 2, false),
    ("sbm", "super", 2, false),
    ("bmr", "classic", 3, false),
    ("bmr-crl-thk", "classic", 4, false),
    ("rmb", "classic", 4, false),
    ("sbm-solo", "solo", 1, false),
    ("bmr-crl-thk", "classic", 2, false),
    ("rmb-thk", "classic", 3, false),
    ("sbm", "super", 4, false),
    ("everything", "classic", 4, false),
    ("bmr-crl-thk", "crash", 6, false),
    ("sbm-solo", "challenge", 1, false),
    ("bmr", "classic", 4, false),
    ("rmb-crl-thk", "classic", 4, false),
    ("sbm", "super", 3, false),
    ("bmr-crl-vov", "classic", 2, false),
    ("rmb-crl", "crash", 5, false),
    ("bmr-iod", "classic", 2, false),
    ("mash-up", "classic", 2, true),
    ("everything", "classic", 2, false),
    ("sbm-vov", "super", 2, false),
    ("rmb", "classic", 3, true),
    ("mash-up", "classic", 4, false),
];

impl Table {
    /// Every kind of table, or those whose name has one of these words, or all of several: `super`, `classic 4`.
    pub fn all(words: &[String], sets: &[Set]) -> Result<Vec<Table>, TrainError> {
        let all: Result<Vec<Table>, TrainError> = TABLES.iter().map(|row| Table::of(row, sets)).collect();
        let all = all?;
        if let Some(other) = words.iter().find(|word| !all.iter().any(|table| table.has(word))) {
            let known = all.iter().map(|table| format!("\n  {}", table.name)).collect();
            return Err(TrainError::NoTable { word: other.clone(), known });
        }
        let wanted = |table: &Table| words.is_empty() || words.iter().any(|word| table.has(word));
        Ok(all.into_iter().filter(wanted).collect())
    }

    fn has(&self, words: &str) -> bool {
        words.split(' ').all(|word| self.name.split(' ').any(|part| part == word))
    }

    fn of(&(deck, ruleset, players, lives): &Row, sets: &[Set]) -> Result<Table, TrainError> {
        let failed = |error: String| TrainError::Table { table: format!("{deck} {ruleset}"), error };
        let chosen: Ruleset = ruleset.parse().map_err(|_| failed("there is no such ruleset".into()))?;
        let mut rules = Rules::classic(players).with_ruleset(chosen);
        if lives {
            rules = rules.with(Variant::UnlimitedLives);
        }
        let found = library::deck(deck, sets).ok_or_else(|| failed("there is no such deck".into()))?;
        let db = found.compile(sets).map_err(|error| failed(error.to_string()))?;
        let lives = if lives { " unlimited-lives" } else { "" };
        Ok(Table { name: format!("{deck} {ruleset} {players}{lives}"), db, rules })
    }

    pub fn dealer(&self) -> Result<Dealer<'_>, TrainError> {
        let failed =
            |error: SetupError| TrainError::Table { table: self.name.clone(), error: error.to_string() };
        Dealer::new(&self.db, self.rules).map_err(failed)
    }

    /// Nobody to beat: a score is what counts.
    pub fn is_solo(&self) -> bool {
        self.rules.players == 1
    }
}
