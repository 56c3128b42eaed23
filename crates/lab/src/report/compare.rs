//! Versions of the cards compared on the same deals: figures, and what they mean in words.
//!
//! Invariant: what is not certain is never told as a change.

use serde::Serialize;

use super::html::{Written, escape, figures, heading, picture, title};
use super::plot::{self, Dots, Row, Spread};
use super::{DIGITS, Report};
use crate::paired::{Change, Paired};
use crate::rating::{Interval, rounded};
use crate::study::measure::{ChangedCard, Measure, changed};
use crate::study::{Study, Sums};

/// A difference that is real is found four times in five once it is this many standard errors large.
const POWER: f64 = 2.8;
/// Standard errors from the middle of an interval to its end.
const ERRORS: f64 = 1.96;
/// Nobody plays so many times more games for one figure.
const MOST_MORE: f64 = 1000.0;

/// A version of the cards at one table, compared with the first version.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its number among the tables of the report.
    pub table: usize,
    pub old_version: String,
    pub new_version: String,
    /// Deals that were played with both.
    pub pairs: u64,
    pub cards: Vec<CardChange>,
    pub rows: Vec<ComparedRow>,
    /// What is certain, and what is not.
    pub words: Vec<String>,
}

/// A card that is not the same.
#[derive(Clone, Debug, Serialize)]
pub struct CardChange {
    pub name: String,
    /// What it says; absent if it is not there.
    pub old: Option<String>,
    pub new: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ComparedRow {
    /// `turns`, `ending`, `boss` and so on.
    pub what: &'static str,
    /// Which ending, boss or card.
    pub about: String,
    /// `turns`, `decisions`, `points` (a share of one), `times`, `score`.
    pub unit: &'static str,
    pub old: f64,
    pub new: f64,
    pub difference: f64,
    /// 95 %, of the difference; absent with too few games.
    pub interval: Option<Interval>,
    /// If it is not certain: how many games would show it, four times in five, if it is as large as it looks.
    pub games_needed: Option<u64>,
}

/// All versions but the first, at every table.
pub fn compared(study: &Study, sums: &[Sums]) -> Vec<Compared> {
    let later = (0..study.cells.len()).filter(|cell| cell % study.versions > 0);
    later.map(|cell| Compared::new(study, sums, cell)).collect()
}

impl Compared {
    fn new(study: &Study, sums: &[Sums], cell: usize) -> Compared {
        let old = cell - cell % study.versions;
        let versions = [study.cells[old].db, study.cells[cell].db];
        let rows = study.measures(cell).iter().zip(&sums[cell].paired);
        let rows: Vec<ComparedRow> = rows
            .filter_map(|(measure, paired)| {
                ComparedRow::new(measure, paired, |id| study.cells[old].db.name(id))
            })
            .collect();
        let pairs = sums[cell].tally.games;
        let change = |card: ChangedCard| {
            let [old, new] = card.says;
            CardChange { name: card.name, old, new }
        };
        let cards: Vec<CardChange> = changed(versions).into_iter().map(change).collect();
        let words = words(pairs, &cards, &rows);
        let name = |cell: usize| study.cells[cell].version.clone();
        Compared { table: cell, old_version: name(old), new_version: name(cell), pairs, cards, rows, words }
    }
}

impl ComparedRow {
    fn new<'n>(
        measure: &Measure,
        paired: &Paired,
        name: impl Fn(cards::code::DefId) -> &'n str,
    ) -> Option<ComparedRow> {
        let Change { old, new, interval } = paired.change()?;
        let (what, about, unit) = match measure {
            Measure::Turns => ("turns", "".into(), "turns"),
            Measure::Decisions => ("decisions", "".into(), "decisions"),
            Measure::Score => ("score", "".into(), "score"),
            Measure::Ending(ending) => ("ending", ending.name().into(), "points"),
            Measure::First => ("first player", "".into(), "points"),
            Measure::Boss(ids) => ("boss", name(ids[0]).into(), "points"),
            Measure::Drew(ids) => ("drawn", name(ids[0]).into(), "points"),
            Measure::Did(ids) => ("played it", name(ids[0]).into(), "points"),
            Measure::Played(ids) => ("share played", name(ids[0]).into(), "points"),
            Measure::Used(ids) => ("uses", name(ids[0]).into(), "times"),
        };
        // An ending that this game does not have.
        if matches!(measure, Measure::Ending(_)) && old == 0.0 && new == 0.0 {
            return None;
        }
        let difference = new - old;
        let half = interval.map_or(0.0, |ends| (ends.high - ends.low) / 2.0);
        let more = (POWER * half / ERRORS / difference).powi(2);
        let uncertain = interval.is_some_and(|ends| ends.low <= 0.0 && ends.high >= 0.0 && half > 0.0);
        let needed = uncertain && more.is_finite() && more < MOST_MORE;
        Some(ComparedRow {
            what,
            about,
            unit,
            old: rounded(old, DIGITS),
            new: rounded(new, DIGITS),
            difference: rounded(difference, DIGITS),
            interval: interval
                .map(|ends| Interval { low: rounded(ends.low, DIGITS), high: rounded(ends.high, DIGITS) }),
            games_needed: needed.then(|| round_up(paired.pairs as f64 * more.max(1.0))),
        })
    }

    /// Zero is outside the interval.
    pub fn is_certain(&self) -> bool {
        self.interval.is_some_and(|ends| ends.low > 0.0 || ends.high < 0.0)
    }

    /// Both versions gave the same in every game.
    fn is_the_same(&self) -> bool {
        self.difference == 0.0 && self.interval.is_some_and(|ends| ends.low == 0.0 && ends.high == 0.0)
    }

    fn subject(&self) -> String {
        let about = &self.about;
        match self.what {
            "turns" => "Length of a game".into(),
            "decisions" => "Decisions in a game".into(),
            "score" => "Score".into(),
            "ending" => format!("Games that end with \u{201c}{about}\u{201d}"),
            "first player" => "Games won by the first player".into(),
            "boss" => format!("Games won by {about}"),
            "drawn" => format!("Value of drawing {about}"),
            "played it" => format!("Lead of players who played {about}"),
            "share played" => format!("Copies of {about} that are played"),
            _ => format!("Uses of {about} per game"),
        }
    }

    fn figure(&self, value: f64) -> String {
        match (self.unit, self.what) {
            ("points", "drawn" | "played it") => format!("{:+.1} points", value * 100.0),
            ("points", _) => format!("{:.1} %", value * 100.0),
            ("turns", _) => format!("{value:.1} turns"),
            ("decisions", _) => format!("{value:.0}"),
            _ => format!("{value:.2}"),
        }
    }

    /// `-6.1 to -0.2 points`.
    fn ends(&self) -> String {
        let Some(Interval { low, high }) = self.interval else { return "too few games".into() };
        match self.unit {
            "points" => format!("{:+.1} to {:+.1} points", low * 100.0, high * 100.0),
            "turns" => format!("{low:+.2} to {high:+.2} turns"),
            "decisions" => format!("{low:+.1} to {high:+.1}"),
            _ => format!("{low:+.3} to {high:+.3}"),
        }
    }

    fn moved(&self) -> String {
        format!("{}: {}, before {}", self.subject(), self.figure(self.new), self.figure(self.old))
    }
}

/// Two digits are exact enough for a plan.
fn round_up(games: f64) -> u64 {
    let step = 10f64.powf((games.log10().floor() - 1.0).max(0.0));
    ((games / step).ceil() * step) as u64
}

fn words(pairs: u64, cards: &[CardChange], rows: &[ComparedRow]) -> Vec<String> {
    if pairs == 0 {
        return vec!["No games were played.".into()];
    }
    if cards.is_empty() {
        return vec!["No card of this deck differs between the two versions.".into()];
    }
    if rows.iter().all(ComparedRow::is_the_same) {
        return vec![format!("All {pairs} games went the same with both versions.")];
    }
    let mut words = Vec::new();
    for row in rows.iter().filter(|row| row.is_certain()) {
        words.push(format!("{} ({}).", row.moved(), row.ends()));
    }
    if words.is_empty() {
        words.push(format!("After {pairs} deals with both versions no difference is certain."));
    } else if rows.len() >= 20 {
        words.push(format!("Of {} figures, about one in twenty looks certain by chance alone.", rows.len()));
    }
    // What was changed comes first: it is what one wants to know.
    let mut open: Vec<&ComparedRow> =
        rows.iter().filter(|row| row.games_needed.is_some() && row.what != "decisions").collect();
    open.sort_by_key(|row| {
        (!matches!(row.what, "drawn" | "played it" | "uses" | "share played"), row.games_needed)
    });
    for row in open.into_iter().take(6) {
        let needed = super::html::thousands(row.games_needed.unwrap_or(0));
        words.push(format!(
            "Not certain yet: {} ({}). If the difference is as large as it looks, {needed} games will probably show it.",
            row.moved().replacen(": ", " ", 1),
            row.ends()
        ));
    }
    words
}

/// At the top of the page.
pub fn section(out: &mut String, report: &Report) -> Written {
    for (number, compared) in report.compared.iter().enumerate() {
        let Compared { old_version, new_version, pairs, cards, rows, words, .. } = compared;
        let table = title(&report.tables[compared.table]);
        out.push_str(&format!("<section>\n<h2 id=\"c{number}\">Compared: {table}</h2>\n"));
        let (old, new, pairs) = (escape(old_version), escape(new_version), super::html::thousands(*pairs));
        out.push_str(&format!(
            "<p>{pairs} deals were played with {old} and again with {new}; the same deal, the same bots. A difference is that of {new} from {old}.</p>\n<ul>\n"
        ));
        words.iter().for_each(|words| out.push_str(&format!("<li>{}</li>\n", escape(words))));
        out.push_str("</ul>\n");
        changes(out, cards, [&old, &new])?;
        if rows.is_empty() {
            out.push_str("</section>\n");
            continue;
        }
        differences(out, rows)?;
        out.push_str("</section>\n");
    }
    Ok(())
}

fn changes(out: &mut String, cards: &[CardChange], [old, new]: [&str; 2]) -> Written {
    if cards.is_empty() {
        return Ok(());
    }
    heading(out, "Cards that differ", "What they say in each version.", "")?;
    out.push_str("<ul>\n");
    for card in cards {
        let says = |text: &Option<String>| text.as_deref().map_or("not there".into(), escape);
        let name = escape(&card.name);
        let (before, after) = (says(&card.old), says(&card.new));
        out.push_str(&format!("<li><strong>{name}</strong><br/>{old}: {before}<br/>{new}: {after}</li>\n"));
    }
    out.push_str("</ul>\n");
    Ok(())
}

fn differences(out: &mut String, rows: &[ComparedRow]) -> Written {
    heading(
        out,
        "Differences",
        "Shares, and the value of cards, in points of a hundred. An interval that does not touch the line is certain as far as one figure goes.",
        "",
    )?;
    let shares: Vec<(String, Spread)> = rows
        .iter()
        .filter(|row| row.unit == "points")
        .filter_map(|row| {
            let Interval { low, high } = row.interval?;
            Some((row.subject(), Spread { value: row.difference, low, high }))
        })
        .collect();
    if !shares.is_empty() {
        let dots = Dots {
            rows: shares.iter().map(|(name, spread)| Row { name, spreads: vec![Some(*spread)] }).collect(),
            series: &[""],
            axis: "difference",
            reference: 0.0,
            reference_name: "",
            signed: true,
        };
        picture(out, plot::dots(&dots), "Differences between the two versions, with intervals")?;
    }
    let lines = rows.iter().map(|row| {
        vec![
            escape(&row.subject()),
            row.figure(row.old),
            row.figure(row.new),
            row.ends(),
            if row.is_certain() { "yes".into() } else { "no".into() },
            row.games_needed.map_or("-".into(), super::html::thousands),
        ]
    });
    let head = ["figure", "old", "new", "difference, 95 %", "certain", "games that would show it"];
    out.push_str(&figures(&head, lines));
    Ok(())
}
