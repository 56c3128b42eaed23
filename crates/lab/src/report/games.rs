//! The table of games: a row for each, as CSV and as Parquet.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::WriteError;
use super::sheet::{Column, Sheet, Value};
use super::write::{TABLE, failed};
use crate::grid::Cell;
use crate::study::Row;
use crate::tally::UNFINISHED;

const NAMES: [&str; 2] = ["games.csv", "games.parquet"];

/// The files while they are written; nothing replaces older ones before all rows are there.
pub struct GameFiles {
    folder: PathBuf,
    sheet: Sheet<BufWriter<File>>,
    seats: u8,
}

impl GameFiles {
    /// With columns for so many seats.
    pub fn create(folder: &Path, seats: u8) -> Result<GameFiles, WriteError> {
        let named = |name: &str, column| (name.to_string(), column);
        let mut columns: Vec<(String, Column)> =
            TABLE.iter().map(|(name, column)| named(name, *column)).collect();
        columns.extend([
            named("deal", Column::Whole),
            named("seed", Column::Text),
            named("winner", Column::Whole),
            named("winner_bot", Column::Text),
            named("winner_boss", Column::Text),
            named("ending", Column::Text),
            named("turns", Column::Whole),
            named("decisions", Column::Whole),
        ]);
        for seat in 1..=seats {
            columns.extend([
                (format!("p{seat}_bot"), Column::Text),
                (format!("p{seat}_boss"), Column::Text),
                (format!("p{seat}_souls"), Column::Whole),
                (format!("p{seat}_wounds"), Column::Whole),
                (format!("p{seat}_forfeited"), Column::Whole),
            ]);
        }
        let open = |name: &str| {
            let path = part(folder, name);
            File::create(&path).map(BufWriter::new).map_err(|error| failed(&path, error))
        };
        let sheet = Sheet::new(columns, open(NAMES[0])?, open(NAMES[1])?)?;
        Ok(GameFiles { folder: folder.into(), sheet, seats })
    }

    pub fn add(&mut self, cell: &Cell, row: &Row) -> Result<(), WriteError> {
        let rules = &cell.setup.rules;
        let variants: Vec<&str> = rules.variants().map(|variant| variant.name()).collect();
        let bot = |seat: u8| Value::Text(cell.bots[cell.bot_at(row.number, seat)].to_string());
        let boss = |seat: usize| {
            let boss = row.seats.get(seat).and_then(|seat| seat.boss);
            boss.map_or(Value::Nothing, |boss| cell.db.name(boss).into())
        };
        let mut values: Vec<Value> = vec![
            cell.setup.deck.to_string().as_str().into(),
            u64::from(rules.players).into(),
            cell.bot_names().as_str().into(),
            rules.ruleset().name().into(),
            variants.join(",").as_str().into(),
            cell.version.as_str().into(),
            row.number.into(),
            cell.setup.seed.nth(row.number).to_string().as_str().into(),
            row.winner.map_or(Value::Nothing, |seat| (u64::from(seat.0) + 1).into()),
            row.winner.map_or(Value::Nothing, |seat| bot(seat.0)),
            row.winner.map_or(Value::Nothing, |seat| boss(seat.index())),
            row.ending.map_or(UNFINISHED, |ending| ending.name()).into(),
            row.turns.into(),
            row.decisions.into(),
        ];
        for seat in 0..self.seats {
            match row.seats.get(usize::from(seat)) {
                Some(there) => values.extend([
                    bot(seat),
                    boss(usize::from(seat)),
                    Value::Whole(there.souls),
                    Value::Whole(there.wounds),
                    u64::from(there.forfeited).into(),
                ]),
                None => values.extend([const { Value::Nothing }; 5]),
            }
        }
        self.sheet.row(values)
    }

    pub fn finish(self) -> Result<(), WriteError> {
        for file in self.sheet.finish()? {
            file.into_inner().map_err(|error| failed(&self.folder, error.into_error()))?;
        }
        for name in NAMES {
            let (from, to) = (part(&self.folder, name), self.folder.join(name));
            fs::rename(&from, &to).map_err(|error| failed(&to, error))?;
        }
        Ok(())
    }
}

fn part(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!(".{name}.part"))
}
