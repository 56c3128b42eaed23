-- The secret of each day's dungeon, drawn once the day has begun. Days are counted from 1970, in UTC.
CREATE TABLE days (
    day    INTEGER PRIMARY KEY,
    secret BLOB NOT NULL
);

-- The one attempt of a person at a day's dungeon. `network` tells attempts of one address apart from others on that day
-- and on no other; `nth` counts them.
CREATE TABLE attempts (
    day      INTEGER NOT NULL REFERENCES days (day),
    person   INTEGER NOT NULL REFERENCES people (id),
    table_id TEXT NOT NULL UNIQUE,
    network  BLOB NOT NULL,
    nth      INTEGER NOT NULL,
    PRIMARY KEY (day, person)
) WITHOUT ROWID;
