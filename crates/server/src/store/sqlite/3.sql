-- What happened lately at all tables, a row for each commit; each line is a table's number, the entry's number and the
-- entry. It is gathered into the logs from time to time.
CREATE TABLE journal (
    at      INTEGER PRIMARY KEY,
    entries TEXT NOT NULL
);

-- Entries of a table, a line each; `n` is the number of the first.
ALTER TABLE log RENAME COLUMN entry TO entries;
