//! The puzzles that a person has solved.

use super::super::{PersonId, Result};
use super::Store;

impl Store {
    pub async fn solve(&self, person: PersonId, puzzle: String) -> Result<()> {
        let sql = "INSERT INTO solved VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.write(sql, &[&person.0, &puzzle]).await.map(drop)
    }

    pub async fn solved(&self, person: PersonId) -> Result<Vec<String>> {
        // By bytes, as everywhere.
        let sql = "SELECT puzzle FROM solved WHERE person = $1 ORDER BY puzzle COLLATE \"C\"";
        Ok(self.read(sql, &[&person.0]).await?.iter().map(|row| row.get(0)).collect())
    }
}
