-- Tables that somebody asks for at another server than the one that holds them, which gives them if nobody is there.
CREATE TABLE wanted (
    table_no bigint PRIMARY KEY
);
