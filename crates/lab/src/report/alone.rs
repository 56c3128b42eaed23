//! Games for one: what each bot scores, and the titles it earns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use engine::SoloScore;
use serde::Serialize;

use super::html::{Written, escape, figures, percent, picture, thousands};
use super::plot::{self, Drawn, Row, Spread};
use super::{Report, Share, TableReport};
use crate::rating::rounded;

/// The scores of one table's games.
#[derive(Debug, Serialize)]
pub struct Alone {
    pub mean: f64,
    pub median: i32,
    /// A quarter of the games score no more than the first, and three quarters no more than the second.
    pub quartiles: [i32; 2],
    pub best: i32,
    /// The title of the median.
    pub title: String,
    /// The titles earned, the best one first.
    pub titles: Vec<Share>,
}

impl Alone {
    /// From games by their score; `None` without any.
    pub fn new(scores: &BTreeMap<i32, u64>, challenge: bool) -> Option<Alone> {
        let games: u64 = scores.values().sum();
        let (best, _) = scores.last_key_value()?;
        let sum: f64 = scores.iter().map(|(score, n)| f64::from(*score) * *n as f64).sum();
        let at = |quarter: u64| {
            let mut left = (games * quarter).div_ceil(4);
            let reached = scores.iter().find(|(_, n)| {
                let found = left <= **n;
                left = left.saturating_sub(**n);
                found
            });
            reached.map_or(*best, |(score, _)| *score)
        };
        let title = |score: i32| SoloScore::of(score, challenge).title;
        let mut titles: Vec<(String, u64)> = Vec::new();
        for (score, n) in scores.iter().rev() {
            let title = title(*score);
            match titles.last_mut().filter(|(last, _)| *last == title) {
                Some((_, sum)) => *sum += n,
                None => titles.push((title, *n)),
            }
        }
        Some(Alone {
            mean: rounded(sum / games as f64, 3),
            median: at(2),
            quartiles: [at(1), at(3)],
            best: *best,
            title: title(at(2)),
            titles: titles.into_iter().map(|(title, n)| Share::new(title, n, games)).collect(),
        })
    }
}

/// The tables at which one plays alone.
fn tables(report: &Report) -> impl Iterator<Item = (&TableReport, &Alone)> {
    report.tables.iter().filter_map(|table| Some((table, table.alone.as_ref()?)))
}

/// The median score of every such table, with its quartiles; `None` if there is none.
pub fn drawing(report: &Report) -> Option<Drawn> {
    let name = |table: &TableReport| format!("{}, {}", table.bot, table.ruleset);
    let names: Vec<String> = tables(report).map(|(table, _)| name(table)).collect();
    let spread = |alone: &Alone| Spread {
        value: f64::from(alone.median),
        low: f64::from(alone.quartiles[0]),
        high: f64::from(alone.quartiles[1]),
    };
    let spreads = tables(report).map(|(_, alone)| vec![Some(spread(alone))]);
    let rows: Vec<Row> = names.iter().zip(spreads).map(|(name, spreads)| Row { name, spreads }).collect();
    (!rows.is_empty()).then(|| plot::scores(&rows))
}

/// All of them compared, and their titles.
pub fn section(out: &mut String, report: &Report) -> Written {
    let Some(drawn) = drawing(report) else { return Ok(()) };
    out.push_str(
        "<section>\n<h2 id=\"alone\">Alone</h2>\n<p class=\"small\">The median score, and where the middle half of the games lie.</p>\n",
    );
    picture(out, drawn, "The median score of each bot alone, with the middle half of its games")?;
    let rows = tables(report).map(|(table, alone)| {
        vec![
            escape(&format!("{}, {}", table.bot, table.ruleset)),
            thousands(table.games),
            format!("{:.1}", alone.mean),
            alone.median.to_string(),
            format!("{} to {}", alone.quartiles[0], alone.quartiles[1]),
            alone.best.to_string(),
            escape(&alone.title),
        ]
    });
    let head = ["bot", "games", "mean", "median", "middle half", "best", "title of the median"];
    out.push_str(&figures(&head, rows));
    let titles = tables(report).flat_map(|(table, alone)| {
        alone.titles.iter().map(move |share| {
            vec![
                escape(&format!("{}, {}", table.bot, table.ruleset)),
                escape(&share.name),
                thousands(share.count),
                percent(share.rate),
                format!("{} to {}", percent(share.low), percent(share.high)),
            ]
        })
    });
    out.push_str("<details><summary>Titles</summary>\n");
    out.push_str(&figures(&["bot", "title", "games", "share", "95 % interval"], titles));
    writeln!(out, "</details>\n</section>")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_quartiles_and_titles_are_as_counted_by_hand() {
        let scores = BTreeMap::from([(-2, 1), (3, 2), (8, 1), (24, 3), (36, 1)]);
        let alone = Alone::new(&scores, false).unwrap();
        // In order: -2 3 3 8 24 24 24 36.
        assert_eq!((alone.quartiles, alone.median, alone.best), ([3, 24], 8, 36));
        assert_eq!((alone.mean, alone.title.as_str()), (15.0, "Minion"));
        let titles: Vec<_> = alone.titles.iter().map(|share| (share.name.as_str(), share.count)).collect();
        let expected = [
            ("Grand Ultimate Master of the Dungeon", 1),
            ("Total Boss", 3),
            ("Minion", 1),
            ("Kobold", 2),
            ("Failure", 1),
        ];
        assert_eq!(titles, expected);
        assert!(Alone::new(&BTreeMap::new(), true).is_none());
    }
}
