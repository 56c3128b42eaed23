//! What happened to the logs in the database, noted there as it happened: who wrote which row under which epoch.

use std::collections::{BTreeMap, BTreeSet};

use crate::client::drill::{Story, faults_of_log};
use crate::database::Postgres;

/// Notes every change of the log, with the session that made it; servers' sessions have their number in their name.
const NOTES: &str = "
CREATE TABLE notes (at bigint GENERATED ALWAYS AS IDENTITY, what text, node text, table_no bigint, n int, epoch int);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO notes (what, node, table_no, n, epoch)
        SELECT TG_OP, current_setting('application_name'), x.table_no, x.n, x.epoch
        FROM (SELECT (coalesce(NEW, OLD)).*) AS x;
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON log FOR EACH ROW EXECUTE FUNCTION note();";

pub struct Witness<'a> {
    pub postgres: &'a Postgres,
    pub database: &'a str,
}

impl Witness<'_> {
    /// From now on; the servers' tables must be there.
    pub fn note(postgres: &Postgres, database: &str) {
        postgres.sql(database, NOTES);
    }

    /// What is wrong with the logs in the eyes of those who played.
    pub fn lost(&self, stories: &[Story]) -> Vec<String> {
        let faults = stories.iter().flat_map(|story| {
            let log = "SELECT entries FROM log JOIN tables ON no = table_no WHERE id";
            let log = self.postgres.sql(self.database, &format!("{log} = '{}' ORDER BY n", story.table));
            faults_of_log(log.lines(), &[story])
        });
        faults.collect()
    }

    /// What must never happen to a log: rows change, places are missing, epochs fall, an epoch has two writers.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let changed = "SELECT table_no, n, what FROM notes WHERE what <> 'INSERT' ORDER BY at";
        for row in self.rows(changed) {
            faults.push(format!("log {}: place {} was changed: {}", row[0], row[1], row[2]));
        }
        let mut writers: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for row in self.rows("SELECT table_no, epoch, node FROM notes GROUP BY 1, 2, 3") {
            writers.entry((row[0].clone(), row[1].clone())).or_default().insert(row[2].clone());
        }
        for ((table, epoch), nodes) in writers.iter().filter(|(_, nodes)| nodes.len() > 1) {
            faults.push(format!("log {table}: epoch {epoch} was written by {nodes:?}"));
        }
        let mut last: Option<[i64; 3]> = None;
        let log =
            "SELECT table_no, n, epoch, cardinality(string_to_array(entries, E'\\n')) FROM log ORDER BY 1, 2";
        for row in self.rows(log) {
            let [table, n, epoch, entries] = [0, 1, 2, 3].map(|column| row[column].parse::<i64>().unwrap());
            let [before, next, lowest] = last.filter(|last| last[0] == table).unwrap_or([table, 0, 0]);
            if n != next {
                faults.push(format!("log {before}: after place {next} comes {n}"));
            }
            if epoch < lowest {
                faults.push(format!("log {table}: epoch {epoch} after {lowest}"));
            }
            last = Some([table, n + entries, epoch]);
        }
        faults
    }

    /// How many times a table has gone to another server.
    pub fn takeovers(&self) -> usize {
        let sql =
            "SELECT count(*) FROM (SELECT DISTINCT table_no, epoch FROM notes WHERE epoch > 1) AS taken";
        self.postgres.sql(self.database, sql).parse().unwrap()
    }

    /// The name of the server that has the newest table; empty if none has one.
    pub fn holder(&self) -> String {
        let sql =
            "SELECT name FROM held JOIN nodes ON node = no WHERE NOT dead ORDER BY table_no DESC LIMIT 1";
        self.postgres.sql(self.database, sql).trim().to_owned()
    }

    /// How many rows were written.
    pub fn written(&self) -> usize {
        self.postgres.sql(self.database, "SELECT count(*) FROM notes").parse().unwrap()
    }

    fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let told = self.postgres.sql(self.database, sql);
        told.lines().map(|line| line.split('|').map(str::to_string).collect()).collect()
    }
}
