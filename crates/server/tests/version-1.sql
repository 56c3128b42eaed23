-- What a server of version 1 wrote: two people, a table that is over and one in play.
INSERT INTO meta VALUES ('cookie_secret', x'07070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707');
INSERT INTO people VALUES
    (4611686018427387904, 'Ann', 'ann', '$argon2id$ann', 900),
    (12, 'Ben', NULL, NULL, 950);
INSERT INTO tables VALUES
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 2000,
     '{"deck":"tnl","variants":[],"players":2,"undo":"consent","spectators":"open","listed":false,"window_ms":0}',
     x'0202020202020202020202020202020202020202020202020202020202020202', 'playing', '["Ann","Ben"]', NULL),
    ('aaaaaaaaaaaaaaaaaaaaaaaaaa', 1000,
     '{"deck":"bmr","variants":[],"players":2,"undo":"consent","spectators":"open","listed":false,"window_ms":3000}',
     x'0101010101010101010101010101010101010101010101010101010101010101', 'over', '["Kobold","Ann"]',
     '{"winner":1,"reason":"souls","turns":9}');
INSERT INTO log VALUES
    ('aaaaaaaaaaaaaaaaaaaaaaaaaa', 0, '{"sits":[0,{"bot":{"level":"kobold","seed":7983144487418993239}}]}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 0, '{"sits":[0,{"person":{"id":4611686018427387904,"name":"Ann","host":true}}]}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 1, '{"sits":[1,{"person":{"id":12,"name":"Ben","host":false}}]}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 2, '{"begins":"--players 2 --deck tnl --seed 5"}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 3, '{"acts":"build 20 at 0"}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 4, '{"acts":"build 21 at 0"}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 5, '{"acts":"build 17 at 0"}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 6, '{"undone":2}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 7, '"shown"'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 8, '{"auto":"pass"}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 9, '{"away":[1,true]}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 10, '{"away":[1,false]}'),
    ('bbbbbbbbbbbbbbbbbbbbbbbbbb', 11, '{"resigns":1}');
INSERT INTO played VALUES
    (4611686018427387904, 'aaaaaaaaaaaaaaaaaaaaaaaaaa', 1),
    (4611686018427387904, 'bbbbbbbbbbbbbbbbbbbbbbbbbb', 0),
    (12, 'bbbbbbbbbbbbbbbbbbbbbbbbbb', 1);
