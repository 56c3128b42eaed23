CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- Guests have no passphrase and no key; the key of an account's name is unique.
CREATE TABLE people (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT UNIQUE,
    passphrase TEXT,
    made       INTEGER NOT NULL
);

-- What is known of a table from its beginning; `state`, `seats` and `result` follow its log, for looking it up.
CREATE TABLE tables (
    id       TEXT PRIMARY KEY,
    made     INTEGER NOT NULL,
    settings TEXT NOT NULL,
    secret   BLOB NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('open', 'playing', 'over', 'closed')),
    seats    TEXT NOT NULL DEFAULT '[]',
    result   TEXT
) WITHOUT ROWID;
CREATE INDEX tables_by_state ON tables (state, made);

-- What happened at a table, in order. Rows are never changed.
CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables (id),
    n        INTEGER NOT NULL,
    entry    TEXT NOT NULL,
    PRIMARY KEY (table_id, n)
) WITHOUT ROWID;

-- Who played where.
CREATE TABLE played (
    person   INTEGER NOT NULL REFERENCES people (id),
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID;
