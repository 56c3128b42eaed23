-- What a player wants to be asked, and what is armed. Not in the log, whose length others could tell.
CREATE TABLE wishes (
    table_no INTEGER NOT NULL REFERENCES tables (no),
    person   INTEGER NOT NULL REFERENCES people (id),
    wishes   TEXT NOT NULL,
    PRIMARY KEY (table_no, person)
) WITHOUT ROWID;
