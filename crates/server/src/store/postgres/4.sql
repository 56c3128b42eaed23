-- The puzzles that a person has solved, by name.
CREATE TABLE solved (
    person bigint NOT NULL REFERENCES people (id),
    puzzle text NOT NULL,
    PRIMARY KEY (person, puzzle)
);
