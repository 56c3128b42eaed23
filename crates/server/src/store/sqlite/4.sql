-- The shapes of accounts' names: no two accounts look alike. Filled by the migration (people.rs).
CREATE TABLE account_names (
    key    TEXT PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people (id)
) WITHOUT ROWID;

-- A session is what a cookie names.
CREATE TABLE sessions (
    id     INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people (id),
    began  INTEGER NOT NULL,
    seen   INTEGER NOT NULL,
    about  TEXT NOT NULL
);
CREATE INDEX sessions_of ON sessions (person);

-- Earlier cookies named the person. They stay valid as one session, whose id is the person's.
INSERT INTO sessions
    SELECT id, id, unixepoch(), unixepoch(), 'Signed in before the server was upgraded' FROM people;
