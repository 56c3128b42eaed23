-- Tables get numbers: what is written with every move is short, and stays together.
CREATE TABLE new_tables (
    no       INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    made     INTEGER NOT NULL,
    settings TEXT NOT NULL,
    secret   BLOB NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('open', 'playing', 'over', 'closed')),
    seats    TEXT NOT NULL DEFAULT '[]',
    result   TEXT
);
INSERT INTO new_tables (id, made, settings, secret, state, seats, result)
    SELECT id, made, settings, secret, state, seats, result FROM tables ORDER BY made;

CREATE TABLE new_log (
    table_no INTEGER NOT NULL REFERENCES new_tables (no),
    n        INTEGER NOT NULL,
    entry    TEXT NOT NULL,
    PRIMARY KEY (table_no, n)
) WITHOUT ROWID;
INSERT INTO new_log
    SELECT no, n, entry FROM log JOIN new_tables ON id = table_id ORDER BY no, n;

CREATE TABLE new_played (
    person   INTEGER NOT NULL REFERENCES people (id),
    table_no INTEGER NOT NULL REFERENCES new_tables (no),
    seat     INTEGER NOT NULL,
    PRIMARY KEY (person, table_no)
) WITHOUT ROWID;
INSERT INTO new_played
    SELECT person, no, seat FROM played JOIN new_tables ON id = table_id;

DROP TABLE log;
DROP TABLE played;
DROP TABLE tables;
ALTER TABLE new_tables RENAME TO tables;
ALTER TABLE new_log RENAME TO log;
ALTER TABLE new_played RENAME TO played;
-- Those that are over are many and never looked for by state.
CREATE INDEX tables_under_way ON tables (made) WHERE state IN ('open', 'playing');
