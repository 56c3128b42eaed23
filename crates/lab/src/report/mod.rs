//! The laboratory's figures: the single source of the page, the spreadsheets and the JSON.
//!
//! Invariant: it depends on the games alone. No date, duration or machine, so equal runs write equal bytes.

mod alone;
mod card_pages;
mod compare;
mod games;
mod html;
pub(crate) mod plot;
mod sheet;
mod write;

use std::collections::BTreeSet;

use cards::db::Def;
use cards::vocabulary::Kind;
use engine::setup::contents;
use serde::Serialize;

use crate::grid::Cell;
use crate::rating::{rounded, wilson};
use crate::study::read::Topic;
use crate::study::{Study, Sums};
use crate::tally::{Contrast, ScoreSums, Tally};

pub use alone::Alone;
pub use compare::{Compared, ComparedRow};
pub use games::GameFiles;
pub use plot::DrawError;
pub use sheet::{Column, Sheet, Value};
pub use write::{PAGE, WriteError};

const DIGITS: i32 = 5;

#[derive(Debug, Serialize)]
pub struct Report {
    pub format: &'static str,
    /// What a study is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Games requested per cell; a run that was stopped has fewer.
    pub asked: u64,
    pub complete: bool,
    pub tables: Vec<TableReport>,
    /// Versions of the cards, compared table by table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<Compared>,
    /// What it is about.
    #[serde(skip)]
    pub topics: Vec<Topic>,
}

/// The figures of one cell of the grid.
#[derive(Debug, Serialize)]
pub struct TableReport {
    pub deck: String,
    pub players: u8,
    pub bot: String,
    /// Of the cards; empty if there is only one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    pub setup: String,
    pub ruleset: &'static str,
    pub variants: Vec<&'static str>,
    /// By these rules the game ends when the heroes run out, and not before.
    #[serde(skip)]
    pub ends_with_heroes: bool,
    pub games: u64,
    /// Seats whose bot forfeited.
    pub forfeits: u64,
    pub mean_turns: f64,
    pub mean_decisions: f64,
    /// Mean players eliminated per game, and the share of games in which anyone was.
    pub eliminated: f64,
    pub with_elimination: f64,
    /// Mean coins that a player gained and spent per game, besides those of the start; 0 without coins.
    pub coins_gained: f64,
    pub coins_spent: f64,
    pub endings: Vec<Share>,
    pub seats: Vec<Share>,
    pub places: Vec<Share>,
    /// Games won by each bot, if they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<Share>,
    /// In a game for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<Alone>,
    pub bosses: Vec<BossRow>,
    /// One row for each set, if the deck mixes several.
    pub sets: Vec<SetRow>,
    pub lengths: Vec<Length>,
    pub turns: Vec<TurnRow>,
    pub cards: Vec<CardRow>,
    /// In the deck, but never built, cast or claimed.
    pub never_played: Vec<String>,
    /// Played, but its ability was never used.
    pub never_used: Vec<String>,
    /// Played, but none of its "when" abilities ever began.
    pub never_triggered: Vec<String>,
}

/// A share of the games, with its 95 % interval.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    pub name: String,
    pub count: u64,
    pub of: u64,
    pub rate: f64,
    pub low: f64,
    pub high: f64,
}

/// A boss: the games it won of those it was in.
#[derive(Clone, Debug, Serialize)]
pub struct BossRow {
    pub set: String,
    #[serde(flatten)]
    pub won: Share,
}

/// What becomes of the cards of one set.
#[derive(Debug, Serialize)]
pub struct SetRow {
    pub set: String,
    /// Seats that played one of its bosses, and those of them that won.
    pub bosses: u64,
    pub bosses_won: u64,
    pub kinds: Vec<SetKind>,
}

/// The cards of one kind in a set, together.
#[derive(Debug, Serialize)]
pub struct SetKind {
    pub kind: &'static str,
    /// Different cards, and those of them that were never played.
    pub cards: usize,
    pub never_played: usize,
    pub drawn: u64,
    pub played: u64,
    pub used: u64,
    pub triggered: u64,
}

#[derive(Debug, Serialize)]
pub struct Length {
    pub turns: usize,
    pub games: u64,
}

#[derive(Debug, Serialize)]
pub struct TurnRow {
    pub turn: usize,
    /// Games that reached this turn and had a winner.
    pub games: u64,
    pub winner_souls: f64,
    pub winner_wounds: f64,
    pub other_souls: f64,
    pub other_wounds: f64,
}

#[derive(Debug, Serialize)]
pub struct CardRow {
    pub name: String,
    pub set: String,
    pub kind: &'static str,
    pub copies: usize,
    pub drawn: u64,
    pub played: u64,
    pub used: u64,
    pub triggered: u64,
    /// Of a miniboss.
    pub promoted: u64,
    pub when_drawn: Option<Difference>,
    pub when_played: Option<Difference>,
    /// It has abilities that its owner uses, and some that begin by themselves.
    #[serde(skip)]
    pub usable: bool,
    #[serde(skip)]
    pub triggers: bool,
}

/// How much likelier players are to win who drew or played a card, compared with the others at the table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Difference {
    pub games: u64,
    pub difference: f64,
    pub low: f64,
    pub high: f64,
}

impl Report {
    pub fn new(cells: &[Cell], tallies: &[Tally], asked: u64) -> Report {
        let tables: Vec<TableReport> =
            cells.iter().zip(tallies).map(|(cell, tally)| TableReport::new(cell, tally)).collect();
        let complete = tables.iter().all(|table| table.games >= asked);
        let (compared, topics) = (Vec::new(), Topic::ALL.to_vec());
        Report { format: "lair lab 1", title: None, asked, complete, tables, compared, topics }
    }

    /// The report of a study, from what is kept of each cell.
    pub fn of_study(study: &Study, sums: &[Sums], title: Option<String>, topics: Vec<Topic>) -> Report {
        let tables: Vec<TableReport> =
            study.cells.iter().zip(sums).map(|(cell, sums)| TableReport::new(cell, &sums.tally)).collect();
        let complete = tables.iter().all(|table| table.games >= study.games);
        let compared = compare::compared(study, sums);
        Report { format: "lair study 1", title, asked: study.games, complete, tables, compared, topics }
    }

    pub fn is_about(&self, topic: Topic) -> bool {
        self.topics.contains(&topic)
    }

    pub fn asked_games(&self) -> u64 {
        self.asked.saturating_mul(self.tables.len() as u64)
    }

    pub fn games(&self) -> u64 {
        self.tables.iter().map(|table| table.games).sum()
    }
}

impl Share {
    fn new(name: impl Into<String>, count: u64, of: u64) -> Share {
        let interval = wilson(count as f64, of as f64);
        let rate = rounded(count as f64 / of.max(1) as f64, DIGITS);
        let (low, high) = (rounded(interval.low, DIGITS), rounded(interval.high, DIGITS));
        Share { name: name.into(), count, of, rate, low, high }
    }
}

impl Difference {
    fn new(contrast: &Contrast) -> Option<Difference> {
        let (difference, interval) = contrast.difference()?;
        Some(Difference {
            games: contrast.games,
            difference: rounded(difference, DIGITS),
            low: rounded(interval.low, DIGITS),
            high: rounded(interval.high, DIGITS),
        })
    }
}

impl TableReport {
    fn new(cell: &Cell, tally: &Tally) -> TableReport {
        let rules = &cell.setup.rules;
        let games = tally.games;
        let mean = |sum: u64| rounded(sum as f64 / games.max(1) as f64, 3);
        let all_turns: u64 = tally.lengths.iter().zip(0..).map(|(n, turns)| n * turns).sum();
        let players = usize::from(rules.players);
        let mut bosses: Vec<BossRow> = cell.of_kind(Kind::Boss, tally, |def, card| BossRow {
            set: def.face.set.clone(),
            won: Share::new(&def.face.name, card.won, card.played),
        });
        bosses.retain(|boss| boss.won.of > 0);
        bosses.sort_by(|a, b| b.won.rate.total_cmp(&a.won.rate).then_with(|| a.won.name.cmp(&b.won.name)));
        let cards = cell.card_rows(tally);
        let named = |wanted: &dyn Fn(&CardRow) -> bool| {
            cards.iter().filter(|card| wanted(card)).map(|card| card.name.clone()).collect()
        };
        TableReport {
            deck: cell.setup.deck.to_string(),
            players: rules.players,
            bot: cell.bot_names(),
            version: cell.version.clone(),
            setup: cell.setup.to_string(),
            ruleset: rules.ruleset().name(),
            variants: rules.variants().map(|variant| variant.name()).collect(),
            ends_with_heroes: rules.edition().souls_to_win.is_none(),
            games,
            forfeits: tally.forfeits,
            mean_turns: mean(all_turns),
            mean_decisions: mean(tally.decisions),
            eliminated: mean(tally.eliminated),
            with_elimination: mean(tally.with_elimination),
            coins_gained: mean(tally.coins_gained) / f64::from(rules.players),
            coins_spent: mean(tally.coins_spent) / f64::from(rules.players),
            endings: tally.endings.iter().map(|(name, n)| Share::new(*name, *n, games)).collect(),
            seats: (0..players)
                .map(|i| Share::new(format!("seat {}", i + 1), tally.seats[i], games))
                .collect(),
            places: (0..players).map(|i| Share::new(place(i), tally.places[i], games)).collect(),
            bots: match cell.bots.len() {
                1 => Vec::new(),
                _ => cell
                    .bots
                    .iter()
                    .zip(tally.bots)
                    .map(|(bot, won)| Share::new(bot.to_string(), won, games))
                    .collect(),
            },
            alone: Alone::new(&tally.alone, rules.ruleset().is_challenge()),
            sets: sets(&bosses, &cards),
            bosses,
            lengths: lengths(tally),
            turns: turns(tally),
            never_played: named(&|card| card.played == 0),
            never_used: named(&|card| card.usable && card.played > 0 && card.used == 0),
            never_triggered: named(&|card| card.triggers && card.played > 0 && card.triggered == 0),
            cards,
        }
    }

    /// An equal share of the wins.
    pub fn equal_share(&self) -> f64 {
        1.0 / f64::from(self.players)
    }
}

impl Cell<'_> {
    fn of_kind<T>(
        &self,
        kind: Kind,
        tally: &Tally,
        row: impl Fn(&Def, &crate::tally::CardCounts) -> T,
    ) -> Vec<T> {
        let of_kind = self.db.cards().filter(|(_, def)| def.kind == kind);
        of_kind.map(|(id, def)| row(def, &tally.cards[id.index()])).collect()
    }

    /// The cards in the game that are played, most valuable first.
    fn card_rows(&self, tally: &Tally) -> Vec<CardRow> {
        let rules = &self.setup.rules;
        let mut copies = vec![0; self.db.defs.len()];
        contents(self.db, rules).for_each(|def| copies[def.index()] += 1);
        let mut rows = Vec::new();
        for (id, def) in self.db.cards().filter(|(id, def)| copies[id.index()] > 0 && is_listed(def.kind)) {
            let card = &tally.cards[id.index()];
            rows.push(CardRow {
                name: def.face.name.clone(),
                set: def.face.set.clone(),
                kind: def.kind.name(),
                copies: copies[id.index()],
                drawn: card.drawn,
                played: card.played,
                used: card.used,
                triggered: card.triggered,
                promoted: card.promoted,
                when_drawn: Difference::new(&card.drew),
                when_played: Difference::new(&card.did),
                usable: texts(def).any(|def| !def.activated.is_empty()),
                triggers: texts(def).any(|def| !def.when.is_empty()),
            });
        }
        let worth = |row: &CardRow| row.when_drawn.map_or(f64::MIN, |worth| worth.difference);
        rows.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.name.cmp(&b.name)));
        rows
    }
}

/// Cards that somebody plays: those held in a hand, and items.
fn is_listed(kind: Kind) -> bool {
    kind.is_held() || kind == Kind::Item
}

/// What a card does: a miniboss at each of its levels.
fn texts(def: &Def) -> impl Iterator<Item = &Def> {
    std::iter::once(def).chain(&def.levels)
}

/// The sets of a mixed deck, in the order of their names; none if there is only one.
fn sets(bosses: &[BossRow], cards: &[CardRow]) -> Vec<SetRow> {
    let names: BTreeSet<&str> = bosses
        .iter()
        .map(|boss| boss.set.as_str())
        .chain(cards.iter().map(|card| card.set.as_str()))
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    let row = |set: &str| {
        let bosses = || bosses.iter().filter(|boss| boss.set == set);
        SetRow {
            set: set.into(),
            bosses: bosses().map(|boss| boss.won.of).sum(),
            bosses_won: bosses().map(|boss| boss.won.count).sum(),
            kinds: kinds(&cards.iter().filter(|card| card.set == set).collect::<Vec<_>>()),
        }
    };
    names.into_iter().map(row).collect()
}

fn kinds(cards: &[&CardRow]) -> Vec<SetKind> {
    let all = Kind::ALL.into_iter().map(Kind::name);
    let of = |kind: &'static str| {
        let cards: Vec<&&CardRow> = cards.iter().filter(|card| card.kind == kind).collect();
        let sum = |count: fn(&CardRow) -> u64| cards.iter().map(|card| count(card)).sum();
        SetKind {
            kind,
            cards: cards.len(),
            never_played: cards.iter().filter(|card| card.played == 0).count(),
            drawn: sum(|card| card.drawn),
            played: sum(|card| card.played),
            used: sum(|card| card.used),
            triggered: sum(|card| card.triggered),
        }
    };
    all.map(of).filter(|row| row.cards > 0).collect()
}

/// A place in player order: the boss with the most XP comes first.
fn place(i: usize) -> String {
    match i {
        0 => "1st (most XP)".into(),
        1 => "2nd".into(),
        2 => "3rd".into(),
        _ => format!("{}th", i + 1),
    }
}

/// From the shortest game to the longest.
fn lengths(tally: &Tally) -> Vec<Length> {
    let first = tally.lengths.iter().position(|n| *n > 0).unwrap_or(0);
    let last = tally.lengths.iter().rposition(|n| *n > 0).unwrap_or(0);
    let range = tally.lengths.iter().enumerate().take(last + 1).skip(first);
    range.map(|(turns, games)| Length { turns, games: *games }).collect()
}

/// Turns that at least one game in a hundred reached.
fn turns(tally: &Tally) -> Vec<TurnRow> {
    let enough = |games: u64| games > 0 && games * 100 >= tally.games;
    let rows = tally.turns.iter().enumerate().skip(1).filter(|(_, turn)| enough(turn.winners.players));
    rows.map(|(turn, sums)| {
        let mean = |sum: i64, of: &ScoreSums| rounded(sum as f64 / of.players.max(1) as f64, 3);
        TurnRow {
            turn,
            games: sums.winners.players,
            winner_souls: mean(sums.winners.souls, &sums.winners),
            winner_wounds: mean(sums.winners.wounds, &sums.winners),
            other_souls: mean(sums.others.souls, &sums.others),
            other_wounds: mean(sums.others.wounds, &sums.others),
        }
    })
    .collect()
}
