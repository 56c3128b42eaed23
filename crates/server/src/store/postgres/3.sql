-- What a server has told of itself, for those that come after it; `speaks` is null without a bus. `bus` says whether it
-- can reach the bus just now.
ALTER TABLE nodes
    ADD speaks integer,
    ADD reads  integer,
    ADD rules  integer,
    ADD cards  bytea;
