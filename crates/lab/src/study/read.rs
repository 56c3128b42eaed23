//! Reads a study's file: TOML with a few names, each value where it was written.
//!
//! Invariant: what is wrong is told with its line, the reason and how to mend it, and nothing is guessed.

use std::ops::Range;
use std::str::FromStr;

use bots::BotSpec;
use cards::report::{Errors, OtherFault, Problem};
use cards::tree::Span;
use engine::setup::PLAYERS;
use engine::{Ruleset, Seed, Variant};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// More tables than this are a mistake.
const MOST_TABLES: usize = 1000;
const MOST_GAMES: i64 = 1_000_000_000;

/// A study as it is written. Every combination of what it lists is a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub title: Option<String>,
    /// At every table, with each version of the cards.
    pub games: u64,
    pub seed: Seed,
    pub rulesets: Vec<Ruleset>,
    /// Each is what holds together; none of them is the game without variants.
    pub variants: Vec<Vec<Variant>>,
    /// Names or files; none: what the ruleset is usually played with.
    pub decks: Vec<Written<String>>,
    /// None: as many as usually play by the ruleset.
    pub players: Vec<u8>,
    /// One bot in every seat, or several in turn.
    pub bots: Vec<Vec<BotSpec>>,
    /// Versions of the cards: card files that are added together.
    pub cards: Vec<Written<Vec<String>>>,
    /// What the report is about.
    pub measure: Vec<Topic>,
}

/// A value, and where it stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Written<T> {
    pub value: T,
    pub at: Range<usize>,
}

/// A part of the report, and its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Bosses,
    Cards,
    Turns,
    Games,
}

impl Topic {
    pub const ALL: [Topic; 4] = [Topic::Bosses, Topic::Cards, Topic::Turns, Topic::Games];

    pub fn name(self) -> &'static str {
        match self {
            Topic::Bosses => "bosses",
            Topic::Cards => "cards",
            Topic::Turns => "turns",
            Topic::Games => "games",
        }
    }
}

impl Plan {
    pub fn read(file: &str, text: &str) -> Result<Plan, Errors> {
        let wrong = |problems| Errors::new(file, text, problems);
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            let help = "a line is a name, `=` and a value: games = 1000, or decks = [\"bmr\", \"tnl\"]";
            wrong(vec![problem(at, error.message().replace('\n', ": "), "this is not TOML", help)])
        })?;
        let mut reader = Reader { table: table.get_ref(), problems: Vec::new() };
        let plan = reader.plan();
        if reader.problems.is_empty() { Ok(plan) } else { Err(wrong(reader.problems)) }
    }

    /// How many tables there are, by the combinations of what is listed.
    fn tables(&self) -> usize {
        let many = [
            self.rulesets.len(),
            self.variants.len(),
            self.decks.len().max(1),
            self.players.len().max(1),
            self.bots.len(),
            self.cards.len(),
        ];
        many.into_iter().fold(1, usize::saturating_mul)
    }
}

/// A problem at a place in the file.
pub fn problem(
    at: Range<usize>,
    message: impl Into<String>,
    reason: impl Into<String>,
    help: impl Into<String>,
) -> Problem {
    let span = Span { start: at.start as u32, end: at.end as u32 };
    Problem::new(span, OtherFault { message: message.into(), reason: reason.into(), help: help.into() })
}

struct Reader<'t, 'i> {
    table: &'t DeTable<'i>,
    problems: Vec<Problem>,
}

const NAMES: [&str; 10] =
    ["title", "games", "seed", "decks", "players", "rulesets", "variants", "bots", "cards", "measure"];

impl<'t, 'i> Reader<'t, 'i> {
    fn plan(&mut self) -> Plan {
        self.names();
        let games = self.whole("games", 1..=MOST_GAMES).unwrap_or(1000) as u64;
        let seed = self.whole("seed", 0..=i64::MAX).unwrap_or(1) as u64;
        let title = self.value("title").and_then(|value| self.text(value));
        let rulesets = self.list("rulesets", |text| {
            Ruleset::from_str(text)
                .map_err(|error| (error.to_string(), format!("there are {}", Ruleset::names())))
        });
        let variants = self.list("variants", |text| {
            let each = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            each.map(Variant::from_str).collect::<Result<Vec<_>, _>>().map_err(|error| {
                (
                    error.to_string(),
                    "\"\" is the game without variants, \"hard,machinations\" are two together".into(),
                )
            })
        });
        let bots = self.list("bots", |text| {
            let each = text.split(',').map(|name| name.trim().parse());
            each.collect::<Result<Vec<BotSpec>, _>>().map_err(|error| {
                (error.to_string(), "\"boss\" sits in every seat, \"boss,minion\" take turns".into())
            })
        });
        let measure = self.list("measure", |text| {
            Topic::ALL.into_iter().find(|topic| topic.name() == text).ok_or_else(|| {
                let names = Topic::ALL.map(Topic::name).join(", ");
                (format!("`{text}` cannot be measured"), format!("choose from {names}"))
            })
        });
        let texts = |text: &str| Ok(text.to_string());
        let files = |text: &str| {
            let each = text.split('+').map(str::trim).filter(|name| !name.is_empty());
            Ok(each.map(str::to_string).collect())
        };
        let (decks, cards) = (self.list("decks", texts), self.list("cards", files));
        let players = self.players();
        let plain =
            |list: Vec<Written<Vec<BotSpec>>>| list.into_iter().map(|one| one.value).collect::<Vec<_>>();
        let or = |list: Vec<Written<Vec<Variant>>>| match list.is_empty() {
            true => vec![Vec::new()],
            false => list.into_iter().map(|one| one.value).collect(),
        };
        let mut plan = Plan {
            title,
            games,
            seed: seed.into(),
            rulesets: rulesets.into_iter().map(|one| one.value).collect(),
            variants: or(variants),
            decks,
            players,
            bots: plain(bots),
            cards,
            measure: measure.into_iter().map(|one| one.value).collect(),
        };
        if plan.rulesets.is_empty() {
            plan.rulesets.push(Ruleset::default());
        }
        if plan.bots.is_empty() {
            plan.bots.push(vec![BotSpec::Greedy]);
        }
        if plan.cards.is_empty() {
            plan.cards.push(Written { value: Vec::new(), at: 0..0 });
        }
        if plan.measure.is_empty() {
            plan.measure.extend(Topic::ALL);
        }
        let tables = plan.tables();
        if tables > MOST_TABLES {
            let help = format!("list less at once: a study has at most {MOST_TABLES}");
            self.problems.push(problem(0..0, format!("{tables} tables are too many"), "", help));
        }
        plan
    }

    fn names(&mut self) {
        for (name, _) in self.table {
            let written = name.get_ref().as_ref();
            if NAMES.contains(&written) {
                continue;
            }
            let known = NAMES.join(", ");
            let help = match cards::report::nearest(written, NAMES) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a study has {known}"),
            };
            let message = format!("unknown name `{}`", cards::report::short(written));
            self.problems.push(problem(name.span(), message, "not a part of a study", help));
        }
    }

    fn value(&self, name: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        self.table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
    }

    fn text(&mut self, value: &Spanned<DeValue>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            other => {
                let what = format!("{} where a text belongs", kind(other));
                self.problems.push(problem(value.span(), what, "expected a text", "write it in quotes"));
                None
            }
        }
    }

    fn whole(&mut self, name: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        self.whole_of(self.value(name)?, name, range)
    }

    fn whole_of(
        &mut self,
        value: &Spanned<DeValue>,
        name: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let number = match value.get_ref() {
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let reason = format!("expected a whole number from {} to {}", range.start(), range.end());
            let help = format!("write it without quotes: {name} = {}", range.start());
            self.problems.push(problem(value.span(), format!("this cannot be `{name}`"), reason, help));
        }
        number
    }

    fn players(&mut self) -> Vec<u8> {
        let Some(value) = self.value("players") else { return Vec::new() };
        let range = i64::from(*PLAYERS.start())..=i64::from(*PLAYERS.end());
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut players = Vec::new();
        for value in values {
            if let Some(number) = self.whole_of(value, "players", range.clone()) {
                if players.contains(&(number as u8)) {
                    self.twice(value);
                }
                players.push(number as u8);
            }
        }
        players
    }

    /// A list of texts, or one of them. What is wrong with one is told with the reason and help.
    fn list<T: PartialEq>(
        &mut self,
        name: &str,
        read: impl Fn(&str) -> Result<T, (String, String)>,
    ) -> Vec<Written<T>> {
        let Some(value) = self.value(name) else { return Vec::new() };
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut all: Vec<Written<T>> = Vec::new();
        for value in values {
            let Some(text) = self.text(value) else { continue };
            match read(&text) {
                Ok(read) => {
                    if all.iter().any(|one| one.value == read) {
                        self.twice(value);
                    }
                    all.push(Written { value: read, at: value.span() });
                }
                Err((message, help)) => {
                    self.problems.push(problem(value.span(), message, format!("one of `{name}`"), help));
                }
            }
        }
        all
    }

    /// Playing the same table twice would add nothing.
    fn twice(&mut self, value: &Spanned<DeValue>) {
        self.problems.push(problem(value.span(), "this is listed twice", "the second time", "list it once"));
    }
}

fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}
