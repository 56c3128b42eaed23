//! The report as files: a web page, CSV for spreadsheets, and everything as JSON.

use std::fs;
use std::io;
use std::path::Path;

use thiserror::Error;

use super::{Difference, DrawError, Report, Share, alone, html};

/// The files written to the folder.
pub const FILES: [&str; 6] =
    ["report.html", "report.json", "tables.csv", "bosses.csv", "cards.csv", "turns.csv"];
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
        let scores = alone::drawing(self).transpose()?;
        let files = FILES.into_iter().zip(self.files()?);
        for (name, text) in files.chain(scores.map(|picture| (SCORES, picture))) {
            let path = folder.join(name);
            fs::write(&part, text).map_err(|error| failed(&part, error))?;
            fs::rename(&part, &path).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }

    /// The contents of `FILES`.
    pub fn files(&self) -> Result<[String; 6], WriteError> {
        let html = html::page(self)?;
        let mut json = serde_json::to_string_pretty(self)?;
        json.push('\n');
        Ok([html, json, self.tables()?, self.bosses()?, self.cards()?, self.turns()?])
    }

    fn tables(&self) -> Result<String, WriteError> {
        let head = [
            "games",
            "forfeits",
            "mean_turns",
            "mean_decisions",
            "eliminated",
            "with_elimination",
            "what",
            "name",
        ];
        sheet(&[&head[..], &SHARE].concat(), |line| {
            for table in &self.tables {
                let facts = [
                    table.games.to_string(),
                    table.forfeits.to_string(),
                    table.mean_turns.to_string(),
                    table.mean_decisions.to_string(),
                    table.eliminated.to_string(),
                    table.with_elimination.to_string(),
                ];
                for (what, shares) in
                    [("ending", &table.endings), ("seat", &table.seats), ("place", &table.places)]
                {
                    for share in shares {
                        let name = [what.to_string(), share.name.clone()];
                        line(table, [&facts[..], &name, &numbers(share)].concat())?;
                    }
                }
            }
            Ok(())
        })
    }

    fn bosses(&self) -> Result<String, WriteError> {
        sheet(&[&["boss", "set"][..], &SHARE].concat(), |line| {
            for table in &self.tables {
                for boss in &table.bosses {
                    let about = [boss.won.name.clone(), boss.set.clone()];
                    line(table, [&about[..], &numbers(&boss.won)].concat())?;
                }
            }
            Ok(())
        })
    }

    fn cards(&self) -> Result<String, WriteError> {
        let head = ["card", "set", "kind", "copies", "drawn", "played", "used", "triggered", "promoted"];
        let drawn = ["drawn_games", "drawn_difference", "drawn_low", "drawn_high"];
        let played = ["played_games", "played_difference", "played_low", "played_high"];
        sheet(&[&head[..], &drawn, &played].concat(), |line| {
            for table in &self.tables {
                for card in &table.cards {
                    let facts = [
                        card.name.clone(),
                        card.set.clone(),
                        card.kind.into(),
                        card.copies.to_string(),
                        card.drawn.to_string(),
                        card.played.to_string(),
                        card.used.to_string(),
                        card.triggered.to_string(),
                        card.promoted.to_string(),
                    ];
                    let (drawn, played) = (difference(card.when_drawn), difference(card.when_played));
                    line(table, [&facts[..], &drawn, &played].concat())?;
                }
            }
            Ok(())
        })
    }

    fn turns(&self) -> Result<String, WriteError> {
        let head = ["turn", "games", "winner_souls", "winner_wounds", "other_souls", "other_wounds"];
        sheet(&head, |line| {
            for table in &self.tables {
                for row in &table.turns {
                    let means = [row.winner_souls, row.winner_wounds, row.other_souls, row.other_wounds];
                    let counts = [row.turn.to_string(), row.games.to_string()];
                    line(table, [&counts[..], &means.map(|mean| mean.to_string())].concat())?;
                }
            }
            Ok(())
        })
    }
}

const SHARE: [&str; 5] = ["count", "of", "rate", "low", "high"];

fn numbers(share: &Share) -> [String; 5] {
    let Share { count, of, rate, low, high, .. } = share;
    [count.to_string(), of.to_string(), rate.to_string(), low.to_string(), high.to_string()]
}

fn difference(difference: Option<Difference>) -> [String; 4] {
    difference.map_or_else(Default::default, |d| {
        [d.games.to_string(), d.difference.to_string(), d.low.to_string(), d.high.to_string()]
    })
}

type Line<'w> = dyn FnMut(&super::TableReport, Vec<String>) -> Result<(), csv::Error> + 'w;

/// A CSV file; every line starts with the table it is about.
fn sheet(
    head: &[&str],
    fill: impl FnOnce(&mut Line) -> Result<(), csv::Error>,
) -> Result<String, WriteError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let first = ["deck", "players", "bot"];
    writer.write_record(first.iter().chain(head))?;
    fill(&mut |table, cells| {
        let about = [table.deck.clone(), table.players.to_string(), table.bot.clone()];
        writer.write_record(about.iter().chain(&cells))
    })?;
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    // Only text was written.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn failed(path: &Path, error: io::Error) -> WriteError {
    WriteError::Io { file: path.display().to_string(), error }
}
