//! The laboratory's figures: the single source of the page, the spreadsheets and the JSON.
//!
//! Invariant: it depends on the games alone. No date, duration or machine, so equal runs write equal bytes.

mod html;
mod plot;
mod write;

use cards::db::Def;
use cards::vocabulary::Kind;
use engine::setup::contents;
use serde::Serialize;

use crate::grid::Cell;
use crate::rating::{rounded, wilson};
use crate::tally::{Contrast, ScoreSums, Tally};

pub use plot::DrawError;
pub use write::{FILES, WriteError};

const DIGITS: i32 = 5;

#[derive(Debug, Serialize)]
pub struct Report {
    pub format: &'static str,
    /// Games requested per cell; a run that was stopped has fewer.
    pub asked: u64,
    pub complete: bool,
    pub tables: Vec<TableReport>,
}

/// The figures of one cell of the grid.
#[derive(Debug, Serialize)]
pub struct TableReport {
    pub deck: String,
    pub players: u8,
    pub bot: String,
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
    pub endings: Vec<Share>,
    pub seats: Vec<Share>,
    pub places: Vec<Share>,
    pub bosses: Vec<Share>,
    pub lengths: Vec<Length>,
    pub turns: Vec<TurnRow>,
    pub cards: Vec<CardRow>,
    /// In the deck, but never built or cast.
    pub never_played: Vec<String>,
    /// Built, but its ability was never used.
    pub never_used: Vec<String>,
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
    pub kind: &'static str,
    pub copies: usize,
    pub drawn: u64,
    pub played: u64,
    pub used: u64,
    pub triggered: u64,
    pub when_drawn: Option<Difference>,
    pub when_played: Option<Difference>,
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
        let complete = tables.iter().all(|table| table.games == asked);
        Report { format: "lair lab 1", asked, complete, tables }
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
        let mut bosses: Vec<Share> =
            cell.of_kind(Kind::Boss, tally, |def, card| Share::new(&def.face.name, card.won, card.played));
        bosses.retain(|boss| boss.of > 0);
        bosses.sort_by(|a, b| b.rate.total_cmp(&a.rate).then_with(|| a.name.cmp(&b.name)));
        let cards = cell.card_rows(tally);
        let named = |wanted: &dyn Fn(&CardRow) -> bool| {
            cards.iter().filter(|card| wanted(card)).map(|card| card.name.clone()).collect()
        };
        let usable = |card: &CardRow| {
            let def = cell.db.cards().find(|(_, def)| def.face.name == card.name);
            def.is_some_and(|(_, def)| !def.activated.is_empty()) && card.used == 0
        };
        TableReport {
            deck: cell.setup.deck.to_string(),
            players: rules.players,
            bot: cell.bot.to_string(),
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
            endings: tally.endings.iter().map(|(name, n)| Share::new(*name, *n, games)).collect(),
            seats: (0..players)
                .map(|i| Share::new(format!("seat {}", i + 1), tally.seats[i], games))
                .collect(),
            places: (0..players).map(|i| Share::new(place(i), tally.places[i], games)).collect(),
            bosses,
            lengths: lengths(tally),
            turns: turns(tally),
            never_played: named(&|card| card.played == 0),
            never_used: named(&|card| card.kind == "room" && card.played > 0 && usable(card)),
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

    /// The rooms and spells in the game, most valuable first.
    fn card_rows(&self, tally: &Tally) -> Vec<CardRow> {
        let rules = &self.setup.rules;
        let mut copies = vec![0; self.db.defs.len()];
        contents(self.db, rules).for_each(|def| copies[def.index()] += 1);
        let mut rows = Vec::new();
        for (id, def) in self.db.cards().filter(|(id, def)| copies[id.index()] > 0 && def.kind.is_held()) {
            let card = &tally.cards[id.index()];
            rows.push(CardRow {
                name: def.face.name.clone(),
                kind: def.kind.name(),
                copies: copies[id.index()],
                drawn: card.drawn,
                played: card.played,
                used: card.used,
                triggered: card.triggered,
                when_drawn: Difference::new(&card.drew),
                when_played: Difference::new(&card.did),
            });
        }
        let worth = |row: &CardRow| row.when_drawn.map_or(f64::MIN, |worth| worth.difference);
        rows.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.name.cmp(&b.name)));
        rows
    }
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
