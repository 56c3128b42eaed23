//! The puzzles that a person has solved.

use super::super::{PersonId, Result};
use super::Store;

impl Store {
    pub async fn solve(&self, person: PersonId, puzzle: String) -> Result<()> {
        let sql = "INSERT OR IGNORE INTO solved VALUES (?1, ?2)";
        self.write(move |db| Ok(db.execute(sql, (person.0, &puzzle)).map(drop)?)).await
    }

    pub async fn solved(&self, person: PersonId) -> Result<Vec<String>> {
        self.read(move |db| {
            let mut query =
                db.prepare_cached("SELECT puzzle FROM solved WHERE person = ?1 ORDER BY puzzle")?;
            let rows = query.query_map([person.0], |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}
