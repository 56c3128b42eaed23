//! The report as files: a web page, tables as CSV and Parquet, and everything as JSON.

use std::fs;
use std::io;
use std::path::Path;

use thiserror::Error;

use super::sheet::Column::{self, Real, Text, Whole};
use super::{Difference, DrawError, Report, Share, Sheet, Value, alone, html};
use crate::study::read::Topic;

/// The page.
pub const PAGE: &str = "report.html";
/// Written as well if somebody played alone: the scores of all tables as one picture.
const SCORES: &str = "scores.svg";

#[derive(Debug, Error)]
pub enum WriteError {
    #[error("cannot write {file}: {error}")]
    Io {
        file: String,
        #[source]
        error: io::Error,
    },
    #[error("cannot draw the plots: {0}")]
    Draw(#[from] DrawError),
    #[error("cannot write the report as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the report as CSV: {0}")]
    Csv(#[from] csv::Error),
    #[error("cannot write the report as Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
}

impl Report {
    /// Can the files be written there? Check before a long run; existing files are left alone.
    pub fn try_folder(folder: &Path) -> Result<(), WriteError> {
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let probe = folder.join(".report.part");
        fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(|error| failed(&probe, error))
    }

    /// Writes all files, replacing each existing one atomically.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        Report::try_folder(folder)?;
        let part = folder.join(".report.part");
        for (name, bytes) in self.files()? {
            let path = folder.join(name);
            fs::write(&part, bytes).map_err(|error| failed(&part, error))?;
            fs::rename(&part, &path).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }

    /// The files of the report, by name.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, WriteError> {
        let mut json = serde_json::to_string_pretty(self)?;
        json.push('\n');
        let mut files =
            vec![(PAGE.into(), html::page(self)?.into_bytes()), ("report.json".into(), json.into())];
        if let Some(picture) = alone::drawing(self) {
            files.push((SCORES.into(), picture?.into_bytes()));
        }
        let mut add = |name: &str, [csv, parquet]: [Vec<u8>; 2]| {
            files.extend([(format!("{name}.csv"), csv), (format!("{name}.parquet"), parquet)]);
        };
        add("tables", self.tables()?);
        if self.is_about(Topic::Bosses) {
            add("bosses", self.bosses()?);
        }
        if self.is_about(Topic::Cards) {
            add("cards", self.cards()?);
        }
        if self.is_about(Topic::Turns) {
            add("turns", self.turns()?);
        }
        if !self.compared.is_empty() {
            add("compared", self.compared()?);
        }
        Ok(files)
    }

    fn tables(&self) -> Result<[Vec<u8>; 2], WriteError> {
        let head = [
            ("games", Whole),
            ("forfeits", Whole),
            ("mean_turns", Real),
            ("mean_decisions", Real),
            ("eliminated", Real),
            ("with_elimination", Real),
            ("what", Text),
            ("name", Text),
        ];
        sheet(&[&head[..], &SHARE].concat(), |line| {
            for table in &self.tables {
                let facts = [
                    table.games.into(),
                    table.forfeits.into(),
                    table.mean_turns.into(),
                    table.mean_decisions.into(),
                    table.eliminated.into(),
                    table.with_elimination.into(),
                ];
                let all = [
                    ("ending", &table.endings),
                    ("seat", &table.seats),
                    ("place", &table.places),
                    ("bot", &table.bots),
                ];
                for (what, shares) in all {
                    for share in shares {
                        let name = [what.into(), share.name.as_str().into()];
                        line(table, [&facts[..], &name, &numbers(share)].concat())?;
                    }
                }
            }
            Ok(())
        })
    }

    fn bosses(&self) -> Result<[Vec<u8>; 2], WriteError> {
        sheet(&[&[("boss", Text), ("set", Text)][..], &SHARE].concat(), |line| {
            for table in &self.tables {
                for boss in &table.bosses {
                    let about = [boss.won.name.as_str().into(), boss.set.as_str().into()];
                    line(table, [&about[..], &numbers(&boss.won)].concat())?;
                }
            }
            Ok(())
        })
    }

    fn cards(&self) -> Result<[Vec<u8>; 2], WriteError> {
        let head = [("card", Text), ("set", Text), ("kind", Text), ("copies", Whole), ("drawn", Whole)];
        let counts = [("played", Whole), ("used", Whole), ("triggered", Whole), ("promoted", Whole)];
        let drew =
            [("drawn_games", Whole), ("drawn_difference", Real), ("drawn_low", Real), ("drawn_high", Real)];
        let did = [
            ("played_games", Whole),
            ("played_difference", Real),
            ("played_low", Real),
            ("played_high", Real),
        ];
        sheet(&[&head[..], &counts, &drew, &did].concat(), |line| {
            for table in &self.tables {
                for card in &table.cards {
                    let facts = [
                        card.name.as_str().into(),
                        card.set.as_str().into(),
                        card.kind.into(),
                        (card.copies as u64).into(),
                        card.drawn.into(),
                        card.played.into(),
                        card.used.into(),
                        card.triggered.into(),
                        card.promoted.into(),
                    ];
                    let (drew, did) = (difference(card.when_drawn), difference(card.when_played));
                    line(table, [&facts[..], &drew, &did].concat())?;
                }
            }
            Ok(())
        })
    }

    fn turns(&self) -> Result<[Vec<u8>; 2], WriteError> {
        let means = ["winner_souls", "winner_wounds", "other_souls", "other_wounds"].map(|name| (name, Real));
        sheet(&[&[("turn", Whole), ("games", Whole)][..], &means].concat(), |line| {
            for table in &self.tables {
                for row in &table.turns {
                    let means = [row.winner_souls, row.winner_wounds, row.other_souls, row.other_wounds];
                    let counts = [(row.turn as u64).into(), row.games.into()];
                    line(table, [&counts[..], &means.map(Value::from)].concat())?;
                }
            }
            Ok(())
        })
    }

    /// Each line is about the new version.
    fn compared(&self) -> Result<[Vec<u8>; 2], WriteError> {
        let head = [
            ("old_version", Text),
            ("what", Text),
            ("about", Text),
            ("unit", Text),
            ("old", Real),
            ("new", Real),
            ("difference", Real),
            ("low", Real),
            ("high", Real),
            ("games_needed", Whole),
        ];
        sheet(&head, |line| {
            for compared in &self.compared {
                for row in &compared.rows {
                    let ends = row
                        .interval
                        .map_or([Value::Nothing, Value::Nothing], |ends| [ends.low.into(), ends.high.into()]);
                    let cells = [
                        compared.old_version.as_str().into(),
                        row.what.into(),
                        row.about.as_str().into(),
                        row.unit.into(),
                        row.old.into(),
                        row.new.into(),
                        row.difference.into(),
                        ends[0].clone(),
                        ends[1].clone(),
                        row.games_needed.map_or(Value::Nothing, Value::from),
                    ];
                    line(&self.tables[compared.table], cells.to_vec())?;
                }
            }
            Ok(())
        })
    }
}

const SHARE: [(&str, Column); 5] =
    [("count", Whole), ("of", Whole), ("rate", Real), ("low", Real), ("high", Real)];

fn numbers(share: &Share) -> [Value; 5] {
    let Share { count, of, rate, low, high, .. } = share;
    [(*count).into(), (*of).into(), (*rate).into(), (*low).into(), (*high).into()]
}

fn difference(difference: Option<Difference>) -> [Value; 4] {
    difference.map_or([const { Value::Nothing }; 4], |d| {
        [d.games.into(), d.difference.into(), d.low.into(), d.high.into()]
    })
}

/// The columns that say which table a line is about.
pub(super) const TABLE: [(&str, Column); 6] = [
    ("deck", Text),
    ("players", Whole),
    ("bot", Text),
    ("ruleset", Text),
    ("variants", Text),
    ("version", Text),
];

type Line<'w> = dyn FnMut(&super::TableReport, Vec<Value>) -> Result<(), WriteError> + 'w;

/// A table as CSV and as Parquet; every line starts with the table it is about.
fn sheet(
    head: &[(&str, Column)],
    fill: impl FnOnce(&mut Line) -> Result<(), WriteError>,
) -> Result<[Vec<u8>; 2], WriteError> {
    let columns = TABLE.iter().chain(head).map(|(name, column)| (name.to_string(), *column));
    let mut sheet = Sheet::new(columns.collect(), Vec::new(), Vec::new())?;
    fill(&mut |table, cells| {
        let mut row = vec![
            table.deck.as_str().into(),
            u64::from(table.players).into(),
            table.bot.as_str().into(),
            table.ruleset.into(),
            table.variants.join(",").as_str().into(),
            table.version.as_str().into(),
        ];
        row.extend(cells);
        sheet.row(row)
    })?;
    sheet.finish()
}

pub(super) fn failed(path: &Path, error: io::Error) -> WriteError {
    WriteError::Io { file: path.display().to_string(), error }
}
