-- The puzzles that a person has solved, by name.
CREATE TABLE solved (
    person INTEGER NOT NULL REFERENCES people (id),
    puzzle TEXT NOT NULL,
    PRIMARY KEY (person, puzzle)
) WITHOUT ROWID;
