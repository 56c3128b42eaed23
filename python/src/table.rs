//! What is settled before a game: rules, deck, and the spaces of actions and observations that follow from
//! them. Invariant: equal settings give one and the same table, which lives as long as the process; decks
//! are compiled once.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use cards::mix::PLUS;
use cards::tree::Set;
use cards::{CardDb, Deck, Mix, library};
use engine::record::Record;
use engine::{Dealer, Rules, Ruleset, Setup};

use crate::actions::ActionSpace;
use crate::cardlist::CardList;
use crate::error::Failure;
use crate::observation::ObservationSpace;

pub struct Table {
    pub rules: Rules,
    pub deck: Deck,
    pub list: CardList,
    pub dealer: Dealer<'static>,
    pub actions: ActionSpace,
    pub observation: ObservationSpace,
}

/// What can be said about a table; what is not said is usual.
#[derive(Default)]
pub struct Wish {
    pub players: Option<i64>,
    pub deck: Option<String>,
    pub ruleset: Option<String>,
    pub variants: Vec<String>,
    pub last_turn: Option<i64>,
    pub cover: bool,
}

type Tables = HashMap<String, Arc<Table>>;

static SETS: LazyLock<Vec<Set>> = LazyLock::new(library::sets);
static TABLES: LazyLock<Mutex<Tables>> = LazyLock::new(Mutex::default);
static DECKS: LazyLock<Mutex<HashMap<String, &'static CardDb>>> = LazyLock::new(Mutex::default);

pub fn sets() -> &'static [Set] {
    &SETS
}

impl Wish {
    /// As a line that names a game; the parser has the messages.
    fn setup(&self) -> Result<Setup, Failure> {
        let mut line = String::from("--seed 0");
        let mut say = |option: &str, value: &str| {
            // One word each: nothing else of the line can be said this way.
            let value: String = value.split_whitespace().collect::<Vec<_>>().join("_");
            line.push_str(&format!(" {option} {value}"));
        };
        if let Some(players) = self.players {
            say("--players", &players.to_string());
        }
        if let Some(ruleset) = &self.ruleset {
            say("--ruleset", ruleset);
        }
        if !self.variants.is_empty() {
            say("--variant", &self.variants.join(","));
        }
        if let Some(turn) = self.last_turn {
            say("--last-turn", &turn.to_string());
        }
        let mut setup: Setup = line.parse()?;
        setup.rules.cover = self.cover;
        Ok(setup)
    }
}

impl Table {
    pub fn of(wish: &Wish) -> Result<Arc<Table>, Failure> {
        let setup = wish.setup()?;
        let usual = setup.rules.ruleset().row().deck;
        Table::named(setup.rules, wish.deck.as_deref().unwrap_or(usual))
    }

    /// The table that a record was played at.
    pub fn of_record(record: &Record) -> Result<Arc<Table>, Failure> {
        if !record.homebrew.is_empty() {
            let wrong = "the record was played with cards of somebody's making: only built-in boxes can be loaded here";
            return Err(Failure::Wrong(wrong.into()));
        }
        Table::with(record.setup.rules, record.deck(sets())?)
    }

    /// The table that a line names.
    pub fn of_setup(setup: &Setup) -> Result<Arc<Table>, Failure> {
        Table::named(setup.rules, &setup.deck.to_string())
    }

    fn named(rules: Rules, name: &str) -> Result<Arc<Table>, Failure> {
        let deck = library::deck(name, sets()).ok_or_else(|| Failure::Deck(unknown(name)))?;
        Table::with(rules, deck)
    }

    fn with(rules: Rules, deck: Deck) -> Result<Arc<Table>, Failure> {
        let setup = Setup { rules, deck: deck.id.clone(), seed: 0.into() };
        let key = setup.to_string();
        if let Some(table) = lock(&TABLES).get(&key) {
            return Ok(table.clone());
        }
        let db = compiled(&deck)?;
        let dealer = Dealer::new(db, rules)?;
        let list = CardList::new(db, &rules);
        let players = usize::from(rules.players);
        let board = rules.edition().town_places(rules.players).is_some();
        let actions = ActionSpace::new(&list, players, board);
        let observation = ObservationSpace::new(&list, players, board);
        let table = Arc::new(Table { rules, deck, list, dealer, actions, observation });
        lock(&TABLES).insert(key, table.clone());
        Ok(table)
    }

    pub fn players(&self) -> usize {
        usize::from(self.rules.players)
    }
}

fn lock<T>(all: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kept to the end of the process: games refer to their cards.
fn compiled(deck: &Deck) -> Result<&'static CardDb, Failure> {
    let key = deck.id.to_string();
    if let Some(db) = lock(&DECKS).get(&key) {
        return Ok(db);
    }
    let db = deck.compile(sets()).map_err(|error| Failure::Deck(error.to_string()))?;
    let db: &'static CardDb = Box::leak(Box::new(db));
    lock(&DECKS).insert(key, db);
    Ok(db)
}

fn unknown(wanted: &str) -> String {
    let shown: String = wanted.chars().filter(|c| !c.is_control()).take(60).collect();
    if wanted.contains(PLUS)
        && let Err(error) = Mix::read(wanted, sets())
    {
        return format!("`{shown}` cannot be mixed: {error}");
    }
    let far = |name: &&str| strsim::damerau_levenshtein(name, &wanted.to_lowercase());
    let known = || library::DECKS.iter().map(|(name, _)| *name);
    match known().min_by_key(far).filter(|name| far(name) <= 3) {
        Some(near) => format!("there is no deck `{shown}`; did you mean {near}?"),
        None => format!(
            "there is no deck `{shown}`: lair_env.decks() lists them, and boxes can be mixed, as in bmr+crl"
        ),
    }
}

/// The names of the decks that come with the program.
pub fn decks() -> Vec<&'static str> {
    library::DECKS.iter().map(|(name, _)| *name).collect()
}

pub fn rulesets() -> Vec<&'static str> {
    Ruleset::ALL.into_iter().filter(|ruleset| ruleset.row().offered).map(Ruleset::name).collect()
}
