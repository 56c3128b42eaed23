//! Broken card files: every fault is reported at its place, with its reason and a way to fix it.

mod report;

use cards::{Problem, Severity, check, load, parse};
use report::{expect, problems, room, spell};

#[test]
fn words_that_are_mistyped() {
    for (body, line, column, words) in [
        ("  ability\n    detsroy this", 5, 5, ["unknown verb `detsroy`", "did you mean `destroy`?"]),
        ("  ability\n    drwa room 1", 5, 5, ["unknown verb `drwa`", "`draw`"]),
        ("  ability\n    chose h = hero in this", 5, 5, ["unknown verb `chose`", "`choose`"]),
        ("  ability\n    kill heroo in this", 5, 10, ["unknown noun `heroo`", "`hero`"]),
        ("  ability\n    destroy monstr room", 5, 13, ["unknown adjective `monstr`", "`monster`"]),
        ("  ability\n    kill hero in tonw", 5, 18, ["nothing is named `tonw`", "`town`"]),
        ("  ability\n    look hnad of p", 5, 10, ["unknown place `hnad`", "`hand`"]),
        ("  ability\n    take room in discrad or room deck", 5, 18, ["`discrad`", "`discard`"]),
        ("  always: this has damge +1", 4, 20, ["unknown value `damge`", "`damage`"]),
        ("  when this biult\n    draw room 1", 4, 13, ["unknown event `biult`", "`built`"]),
        ("  abilty\n    draw room 1", 4, 3, ["unknown ability `abilty`", "`ability`"]),
        ("  ability onec per turn\n    draw room 1", 4, 11, ["`onec`", "`once`"]),
        ("  ability\n    require soome hero in this", 5, 13, ["`soome`", "`some`"]),
        ("  ability\n    draw rooom 1", 5, 10, ["`rooom`", "`room`"]),
    ] {
        expect(&room(body), line, column, &words);
    }
    let facts = "set TST \"T\"\nroom \"R\"\n  -  mnster  damage 1  house\n";
    expect(facts, 3, 6, &["unknown fact `mnster`", "`monster`"]);
    let class = "set TST \"T\"\nboss \"B\"\n  -  xp 100  thif  house\n";
    expect(class, 3, 14, &["unknown fact `thif`", "`thief`"]);
    expect("set TST \"T\"\nrom \"R\"\n  -  trap\n", 2, 1, &["unknown kind of card `rom`", "`room`"]);
    expect("sett TST \"T\"\n", 1, 1, &["`set`"]);
}

#[test]
fn lines_that_do_not_parse() {
    for (body, line, column, words) in [
        ("  ability\n    choose h hero in this", 5, 14, ["unexpected `hero`", "put `=` before"]),
        (
            "  ability\n    target room = hero in this",
            5,
            12,
            ["`room` cannot be a name", "word of the language"],
        ),
        ("  ability\n    target Hero2 = hero in this", 5, 12, ["`Hero2` cannot be a name", "lower-case"]),
        ("  ability\n    kill", 5, 9, ["ends too early", "a thing to point at"]),
        ("  ability\n    draw room", 5, 14, ["ends too early", "a number"]),
        ("  ability\n    draw draw room 1", 5, 10, ["unexpected `draw`", "`room` or `spell`"]),
        ("  ability\n    draw room 300", 5, 15, ["number is too large", "255"]),
        ("  ability\n    draw room 123456789123456789", 5, 15, ["number is too large", "9999"]),
        ("  ability\n    draw room 1 1", 5, 17, ["unexpected `1`", "the end of the line"]),
        ("  ability", 4, 3, ["`ability` has no block", "add lines below"]),
        ("  ability\n    may", 5, 5, ["`may` has no block", "add lines below"]),
        (
            "  ability\n    draw room 1\n      draw room 1",
            5,
            5,
            ["`draw` takes no block", "indent the lines below"],
        ),
        ("  ability\n\tdraw room 1", 5, 1, ["a tab in the indentation", "two spaces"]),
        (
            "  ability\n    may\n        draw room 1\n      draw room 1",
            7,
            7,
            ["indentation matches no line", "beside"],
        ),
        ("  ability\n    or\n      draw room 1", 5, 5, ["`or` without `either`", "begin the choice"]),
        ("  ability\n    else\n      draw room 1", 5, 5, ["`else` without `if`", "begin with `if`"]),
        ("  ruling \"half", 4, 10, ["no closing quote", "close the text"]),
        ("  ruling \"a\\t\"", 4, 12, ["unknown escape `\\t`", "backslash"]),
        ("  ability\n    draw room 1 €", 5, 17, ["stray character `€`", "remove it"]),
        ("  always this has damage +1", 4, 10, ["unexpected `this`", "put `:` before `this`"]),
    ] {
        expect(&room(body), line, column, &words);
    }
    expect("", 1, 1, &["no `set` line", "begin the file"]);
    expect("# only a comment\n", 1, 1, &["no `set` line"]);
    expect("set TST \"T\"\nset TST \"U\"\n", 2, 1, &["second `set`"]);
    expect("set tst \"T\"\n", 1, 5, &["`tst`", "capitals"]);
    expect("set TST \"T\"\nroom \"R\"\n", 2, 1, &["no line of facts"]);
    expect("set TST \"T\"\nroom \"R\"\n  -  trap trap damage 1\n", 3, 11, &["`trap` is written twice"]);
    expect("set TST \"T\"\nroom \"R\"\n  trap  damage 1\n", 3, 3, &["a collector number or `-`"]);
    expect(&format!("set TST \"{}\"\n", "x".repeat(2_000_000)), 1, 1, &["file is too large"]);
}

#[test]
fn incomplete_cards() {
    for (card, words) in [
        ("room \"R\"\n  -  monster\n", ["a room needs `damage`", "add `damage`"]),
        ("room \"R\"\n  -  damage 1\n", ["a room needs `monster` or `trap`", "add"]),
        ("room \"R\"\n  -  trap  damage 1  health 2\n", ["a room has no `health`", "remove"]),
        ("room \"R\"\n  -  trap  damage 99\n", ["`damage` is out of range", "0 to 20"]),
        ("room \"R\" x0\n  -  trap  damage 1\n", ["0 copies", "1 to 20"]),
        ("room \"R\" x21\n  -  trap  damage 1\n", ["21 copies", "1 to 20"]),
        ("room \"\"\n  -  trap  damage 1\n", ["no name", "between the quotes"]),
        ("room \"Two\\nlines\"\n  -  trap  damage 1\n", ["not on one line", "shorten it"]),
        ("room \"R\"\n  -  trap  damage *\n", ["`damage *` needs a rule", "always: this has"]),
        ("boss \"B\"\n  -  mage\n", ["a boss needs `xp`", "add `xp`"]),
        ("hero \"H\"\n  -  mage  players 2\n", ["a hero needs `health`", "add"]),
        ("hero \"H\"\n  -  mage  health 2\n", ["a hero needs `players`", "add"]),
        ("hero \"H\"\n  -  health 2  players 2\n", ["no icon and no `lure`", "lure fewest"]),
        ("hero \"H\"\n  -  mage  health 2  players 7\n", ["`players` is out of range", "2 to 6"]),
        ("spell \"S\"\n  -  build\n", ["exactly one `play`", "either"]),
        ("spell \"S\"\n  -  mage build\n  play\n    draw room 1\n", ["a spell has no `mage`", "remove"]),
        ("spell \"S\"\n  -  house\n  play\n    draw room 1\n", ["needs `build` or `adventure`", "add"]),
    ] {
        expect(&format!("set TST \"T\"\n{card}"), 2, 1, &words);
    }
    let twice = "spell \"S\"\n  -  build\n  play\n    draw room 1\n  play\n    draw room 1\n";
    expect(&format!("set TST \"T\"\n{twice}"), 6, 3, &["exactly one `play`"]);
    let same = "room \"R\"\n  BMR001  trap  damage 1\n";
    let found = problems(&format!("set TST \"T\"\n{same}{same}"));
    let shown: Vec<String> = found.iter().map(Problem::message).collect();
    assert_eq!(shown, ["two cards are named \"R\"", "two cards have the number BMR001"]);
    assert!(found.iter().all(|p| p.line == 4));
}

#[test]
fn abilities_on_the_wrong_card() {
    expect(&room("  play\n    draw room 1"), 4, 3, &["a room cannot have `play`", "only spells"]);
    expect(&room("  level up\n    draw room 1"), 4, 3, &["a room cannot have `level up`"]);
    expect(&room("  lure most souls of it"), 4, 3, &["a room cannot have `lure`"]);
    let when = spell("    draw room 1\n  when hero killed once per turn\n    draw room 1");
    expect(&when, 6, 3, &["a spell cannot have `when`", "put it below `play`"]);
    expect(&room("  ability once per hero\n    draw room 1"), 4, 3, &["`once per hero`", "once per turn"]);
    expect(&room("  when turn draw\n    draw room 1"), 4, 8, &["`when turn draw`", "instead of"]);
    expect(&room("  instead of this built\n    draw room 1"), 4, 14, &["`instead of built`", "`when`"]);
    expect(&room("  always: forbid hero enters"), 4, 18, &["`enters` what?", "dungeon of p"]);
    let boss = "set TST \"T\"\nboss \"B\"\n  -  xp 1\n  instead of turn draw\n    draw spell 1\n";
    expect(boss, 4, 3, &["a boss cannot have `instead of`", "only rooms"]);
    let two = "  instead of turn draw\n    draw spell 1\n".repeat(2);
    expect(&room(&two), 6, 3, &["a second `instead of`"]);
}

/// Events that read well and would never happen.
#[test]
fn events_without_effect() {
    for (body, column, words) in [
        ("  always: forbid room destroyed", 18, ["`forbid destroyed` is not known", "can be forbidden"]),
        ("  always: forbid hero killed", 18, ["`forbid killed` is not known", "can be forbidden"]),
        ("  when hero enters this by you\n    draw room 1", 8, ["`by` after `enters`", "leave out"]),
        ("  when room built on this\n    draw room 1", 8, ["`when built on`", "leave out the `on`"]),
    ] {
        expect(&room(body), 4, column, &words);
    }
}

/// Each cost is checked by itself, so no card may count for two.
#[test]
fn costs_that_could_be_paid_with_one_card() {
    for body in [
        "    cost discard spell in hand\n    cost discard spell in hand\n    draw room 1",
        "    cost discard monster room in hand\n    cost discard card in hand\n    draw room 1",
        "    cost destroy room in dungeon\n    cost deactivate room in dungeon\n    draw room 1",
    ] {
        expect(&spell(body), 6, 5, &["a second cost", "join them"]);
    }
    let itself = room("  ability\n    cost destroy this\n    cost destroy room in dungeon\n    draw room 1");
    expect(&itself, 6, 5, &["a second cost"]);
    let offer = spell(
        "    may\n      cost discard room in hand\n      cost discard spell in hand\n      draw room 1",
    );
    expect(&offer, 7, 7, &["a second cost"]);
    for fine in [
        "    cost discard spell in hand\n    cost discard room in hand\n    draw room 1",
        "    cost discard trap room in hand\n    cost discard monster room in hand\n    draw room 1",
        "    cost discard 2 spell in hand\n    cost destroy room in dungeon\n    draw room 1",
    ] {
        assert_eq!(problems(&spell(fine)), [], "{fine}");
    }
}

/// Whether an action can be declared is known before its targets are.
#[test]
fn declarations_that_depend_on_their_targets() {
    for (body, line, column) in [
        (
            "    target p = opponent\n    target q = player where souls of it > souls of p\n    draw room 1 for q",
            6,
            52,
        ),
        ("    target p = opponent\n    require souls of p > 1\n    draw room 1", 6, 22),
        ("    target r = room in dungeon\n    cost destroy room beside r\n    draw room 1", 6, 30),
    ] {
        expect(&spell(body), line, column, &["the declaration depends on", "in the effect"]);
    }
    for fine in [
        "    target a = room in dungeon\n    target b = room in dungeon but a\n    swap a and b",
        "    target r = room in dungeon\n    cost destroy r\n    draw room 1",
        "    target r = room in dungeon\n    choose h = hero in r\n    kill h",
        "    target r = room in dungeon\n    target h = hero in r\n    kill h",
        "    target a = room in dungeon of any\n    target b = room in dungeon of owner of a but a\n    swap a and b",
    ] {
        assert_eq!(problems(&spell(fine)), [], "{fine}");
    }
}

#[test]
fn names_that_go_wrong() {
    for (body, line, column, words) in [
        ("  ability\n    kill h", 5, 10, ["nothing is named `h`", "bind it first"]),
        ("  ability\n    target hero1 = hero in this", 5, 12, ["`hero1` cannot be a name", "letters"]),
        (
            "  ability\n    target h = hero in this\n    target h = hero in this\n    kill h",
            6,
            12,
            ["`h` is bound twice", "another name"],
        ),
        (
            "  level up\n    each p = player\n      choose p = hero in town",
            6,
            14,
            ["bound twice", "another name"],
        ),
        (
            "  ability\n    may\n      choose h = hero in this\n    kill h",
            7,
            10,
            ["nothing is named `h`", "bind"],
        ),
        (
            "  ability\n    target c = 5 card in discard\n    take c",
            5,
            12,
            ["`c` would hold 5 things", "1 to 4"],
        ),
        (
            "  ability\n    target c = all card in discard\n    take c",
            5,
            16,
            ["`all` cannot be bound", "in the verb itself"],
        ),
        ("  ability\n    take c = all room in discard", 5, 10, ["`all` cannot be bound", "verb"]),
        ("  ability\n    kill it", 5, 5, ["`it` has nothing to stand for", "`this`"]),
        (
            "  ability\n    target c = 2 room in dungeon\n    until end of turn: c has damage +1",
            6,
            24,
            ["`c` holds several things", "verb"],
        ),
        ("  ability\n    destroy owner of this", 5, 5, ["`owner of` is a player", "after `of`"]),
    ] {
        // `level up` stands on a boss.
        let text = match body.contains("level up") {
            true => format!("set TST \"T\"\nboss \"B\"\n  -  xp 1\n{body}\n"),
            false => room(body),
        };
        expect(&text, line, column, &words);
    }
    let many: String = "abcdefg".chars().map(|c| format!("    choose {c} = hero in town\n")).collect();
    expect(&spell(&many), 11, 12, &["more than 6 names"]);
    let kept = "    target a = room in dungeon\n    target b = room in dungeon\n    target c = room in dungeon\n    \
                until end of turn: a has damage + count hero in b while some hero in c";
    expect(&spell(kept), 8, 24, &["more than 2 names in what lasts"]);
}

#[test]
fn verbs_on_the_wrong_thing() {
    for (body, column, words) in [
        ("    kill room in dungeon", 10, ["`kill` needs a hero, not a room", "name or select a hero"]),
        ("    kill soul in scoring", 10, ["`kill` needs a hero, not a soul", "a hero"]),
        ("    destroy hero in town", 13, ["`destroy` needs a room, not a hero", "a room"]),
        ("    destroy room in hand", 13, ["`destroy` needs a room in a dungeon", "elsewhere"]),
        ("    deactivate spell in hand", 16, ["`deactivate` needs a room, not a spell", "a room"]),
        ("    build spell in hand", 11, ["`build` needs a room, not a spell", "a room"]),
        ("    build 2 room in hand", 11, ["`a number` is not allowed here", "leave out"]),
        ("    cancel spell in hand", 12, ["`cancel` needs a spell in pending", "elsewhere"]),
        ("    heal soul in scoring", 10, ["`heal` needs a wound or a hero, not a soul", "a wound"]),
        ("    discard hero in town", 13, ["`discard` needs a room or a spell, not a hero", "select"]),
        ("    discard room in dungeon", 13, ["`discard` needs a card in hand", "elsewhere"]),
        ("    take hero in town", 10, ["`take` needs a room or a spell, not a hero", "select"]),
        ("    move room in dungeon to town", 10, ["`move` needs a hero or a soul, not a room", "select"]),
        ("    move hero in town to hand", 26, ["nothing can be moved to `hand`", "`entrance`"]),
        (
            "    move hero in town to entrance of opponent",
            26,
            ["`opponent` may be several players", "each p = opponent"],
        ),
        ("    swap this and this", 5, ["`swap` needs a room, not a spell", "a room"]),
        ("    damage room in dungeon 2", 12, ["`damage` needs a hero, not a room", "a hero"]),
        ("    draw room 0", 5, ["a quantity of 0", "at least 1"]),
        ("    draw room 50", 5, ["the number is out of range", "20"]),
        ("    take 0 room in discard", 10, ["a quantity of 0", "at least 1"]),
        ("    draw room 1 for opponent", 5, ["`opponent` may be several", "each p = opponent"]),
        ("    kill hero in hand", 10, ["no hero is ever in `hand`", "place"]),
        ("    destroy monster trap room", 13, ["`monster` and `trap` cannot go together", "leave out"]),
        ("    kill advanced hero in town", 10, ["`advanced` does not go with `hero`", "leave out"]),
        ("    kill first hero in town", 10, ["`first` is not allowed here", "rooms stand in a row"]),
        ("    look discard", 10, ["`discard` cannot be looked at", "hand"]),
        ("    take room in discard of opponent", 18, ["`discard` belongs to nobody", "leave out"]),
        ("    require some 2 room in hand", 18, ["`a number` is not allowed here", "leave out"]),
        ("    until end of turn: hero in town has damage +1", 24, ["`has damage` needs a room", "a room"]),
        (
            "    until end of turn: room in dungeon has builds +1",
            24,
            ["`has builds` needs a player", "a player"],
        ),
        ("    until end of turn: room in dungeon has icon +1", 24, ["`icon` of which type?", "mage icon +1"]),
        (
            "    until end of turn: forbid room enters dungeon",
            31,
            ["`enters` needs a hero, not a room", "a hero"],
        ),
        ("    require souls of opponent > 1", 5, ["`opponent` may be several", "choose p = opponent"]),
    ] {
        expect(&spell(body), 5, column, &words);
    }
}

#[test]
fn hidden_information() {
    for (body, line, column, words) in [
        ("    require some monster room in hand of opponent", 5, 18, ["reads hidden cards", "backs"]),
        (
            "    target p = opponent where some advanced room in hand of it\n    kill hero in town",
            5,
            36,
            ["reads hidden cards", "look"],
        ),
        ("    require some trap room in room deck", 5, 18, ["reads hidden cards", "backs"]),
        (
            "    target p = opponent\n    choose c = card in hand of p\n    take c",
            6,
            16,
            ["chooses among hidden cards", "`look`"],
        ),
        (
            "    target p = opponent\n    discard random monster room in hand of p",
            6,
            13,
            ["reads hidden cards", "backs"],
        ),
        (
            "    target p = opponent\n    choose c = card in hand by p\n    take c",
            6,
            16,
            ["chooses among hidden cards", "random"],
        ),
        (
            "    choose c = room in dungeon by opponent\n    destroy c",
            5,
            5,
            ["`opponent` may be several", "each"],
        ),
    ] {
        expect(&spell(body), line, column, &words);
    }
    for fine in [
        "    target p = opponent\n    look hand of p\n    choose c = monster room in hand of p\n    take c",
        "    target p = opponent\n    choose c = monster room in hand of p by p\n    discard c",
        "    require some monster room in hand\n    draw room 1",
        "    require count card in hand of opponent > 3\n    draw room 1",
    ] {
        assert_eq!(problems(&spell(fine)), [], "{fine}");
    }
}

/// A player who searches a deck sees it, but what is offered must not reveal what it holds.
#[test]
fn offers_that_would_reveal_what_a_deck_holds() {
    for (body, line, column) in [
        ("    target c = advanced room in room deck\n    take c", 5, 16),
        ("    target h = hero in hero deck where souls of you > 1\n    move h to entrance", 5, 16),
        ("    cost discard monster room in room deck\n    draw room 1", 5, 18),
        ("    may\n      take monster room in room deck", 6, 12),
        ("    may\n      choose p = opponent\n      choose c = trap room in room deck\n      take c", 7, 18),
        ("    either\n      draw room 1\n    or\n      take random trap room in room deck", 8, 12),
    ] {
        expect(&spell(body), line, column, &["depends on hidden cards", "in the effect"]);
    }
    expect(&spell("    build room in room deck"), 5, 11, &["`build` needs a card in hand"]);
    for fine in [
        "    choose c = advanced room in room deck\n    take c",
        "    target h = hero in hero deck\n    move h to entrance",
        "    may\n      draw room 1\n      take monster room in room deck",
        "    may\n      discard monster room in hand",
        "    build monster room in hand or discard",
    ] {
        assert_eq!(problems(&spell(fine)), [], "{fine}");
    }
}

#[test]
fn order_of_an_action() {
    for (body, line, words) in [
        (
            "  ability\n    cost destroy this\n    target h = hero in town\n    kill h",
            6,
            ["`target` after `cost`", "move `target` up"],
        ),
        (
            "  ability\n    cost destroy this\n    require some hero in town\n    draw room 1",
            6,
            ["`require` after `cost`", "up"],
        ),
        ("  ability\n    draw room 1\n    cost destroy this", 6, ["`cost` after the effect", "up"]),
        ("  ability\n    draw room 1\n    target h = hero in town", 6, ["`target` after the effect", "up"]),
        (
            "  when this built\n    target h = hero in town\n    kill h",
            5,
            ["`target` is not allowed here", "`choose`"],
        ),
        (
            "  when this built\n    cost discard room in hand\n    draw room 1",
            5,
            ["`cost` is not allowed here", "`may`"],
        ),
        (
            "  ability\n    if some hero in town\n      require some hero in this",
            6,
            ["`require` is not allowed here", "`if`"],
        ),
        ("  ability\n    cost draw room 1", 5, ["`draw` cannot be a cost", "leave out `cost`"]),
        ("  ability\n    cost kill hero in town", 5, ["`kill` cannot be a cost", "leave out `cost`"]),
    ] {
        expect(&room(body), line, 5 + if body.contains("if some") { 2 } else { 0 }, &words);
    }
    let strange = room("  ability\n    cost discard random card in hand of opponent\n    draw room 1");
    expect(&strange, 5, 18, &["not yours to pay"]);
    let offer = room("  when this built\n    may\n      cost discard room in hand\n      draw room 1");
    assert_eq!(problems(&offer), []);
}

#[test]
fn too_long_or_endless() {
    let one = room("  ability\n    either\n      draw room 1");
    expect(&one, 5, 5, &["`either` has 1 options", "or use `may`"]);
    expect(&room(&"  always: this has damage +1\n".repeat(9)), 2, 1, &["more than 8 abilities"]);
    let five = format!("    either\n{}", ["      draw room 1\n"; 5].join("    or\n"));
    expect(&spell(&five), 5, 5, &["`either` has 5 options"]);
    expect(&spell(&"    draw room 1\n".repeat(25)), 29, 5, &["more than 24 statements"]);
    let mut deep: String = (0..7).map(|i| format!("{}may\n", "  ".repeat(i + 2))).collect();
    deep.push_str(&format!("{}draw room 1\n", "  ".repeat(9)));
    expect(&spell(&deep), 10, 15, &["nested deeper than 6"]);
    let wheres = "    require some player where some room in dungeon of it where some room beside it \
                  where some room beside it where some hero in it\n    draw room 1";
    expect(&spell(wheres), 5, 95, &["selectors are nested deeper than 3"]);
    let each = spell("    each c = card in hand\n      draw room 1");
    expect(&each, 5, 5, &["`each` may never end", "adds to `hand`"]);
    let endless = room("  when another room in dungeon destroyed\n    destroy another room in dungeon");
    expect(&endless, 4, 3, &["triggers itself endlessly", "once per turn"]);
    let free = room("  ability\n    draw room 1");
    expect(&free, 4, 3, &["can be used endlessly", "nothing is used up", "once per turn"]);
    let again = spell("    draw room 1\n    may\n      take this");
    expect(&again, 4, 3, &["can be used endlessly", "let a spell go"]);
    let maze = room("  when h = hero enters this\n    move h to room left of this");
    expect(&maze, 4, 3, &["triggers itself endlessly", "once per hero"]);
    let slots = "    choose a = 4 card in discard\n    choose b = 4 card in discard\n    take random card in hand\n    take 2 card in discard";
    expect(&spell(slots), 7, 10, &["more than 8 things at once"]);
}

#[test]
fn triggering_itself_by_choice_is_a_warning() {
    let text =
        room("  when another room in dungeon destroyed\n    may\n      destroy another room in dungeon");
    let (set, warnings) = load("test.cards", &text).expect("a warning is not an error");
    assert_eq!(set.cards.len(), 1);
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].severity(), Severity::Warning);
    assert_eq!((warnings[0].line, warnings[0].column), (4, 3));
    assert!(warnings[0].render("t", &text, false).starts_with("warning: the ability may trigger"));
    let in_turn =
        room("  when room destroyed\n    build room in hand\n  when room built\n    destroy room in dungeon");
    assert_eq!(problems(&in_turn).len(), 2);
    for calm in [
        "  when this built\n    may\n      build room in hand",
        "  when another room in dungeon destroyed once per turn\n    destroy room in dungeon",
        "  when monster room destroyed\n    destroy trap room in dungeon",
        "  when room in dungeon destroyed\n    destroy room in dungeon of opponent",
    ] {
        assert_eq!(problems(&room(calm)), [], "{calm}");
    }
}

#[test]
fn several_faults_are_reported_together() {
    let text = "set TST \"T\"\nroom \"A\"\n  -  trpa  damage 1\n  ability\n    detsroy this\n  when this biult\n    drow room 1\n\
                room \"B\"\n  -  trap  damage 1\n  ability\n    kill h\n  always: this has damage + cuont room\n\
                room \"C\"\n  -  trap\n";
    let errors = load("test.cards", text).expect_err("faulty");
    let places: Vec<(u32, u32)> = errors.problems.iter().map(|p| (p.line, p.column)).collect();
    // Card B has a syntax fault; C was parsed, so the checker has checked it.
    assert_eq!(places, [(3, 6), (5, 5), (6, 13), (7, 5), (12, 29), (13, 1)]);
    let shown = errors.to_string();
    for place in ["test.cards:3:6", "test.cards:7:5", "test.cards:13:1"] {
        assert!(shown.contains(place), "{shown}");
    }
    assert!(!shown.contains('\u{1b}') && errors.render(true).contains('\u{1b}'));
}

#[test]
fn the_shape_of_a_report() {
    let text = room("  ability\n    detsroy this");
    let shown = parse("my.cards", &text).expect_err("faulty").to_string();
    let want = "\
error: unknown verb `detsroy`
 --> my.cards:5:5
  |
5 |     detsroy this
  |     ^^^^^^^ expected a verb or another statement
  |
  = help: did you mean `destroy`?";
    assert_eq!(shown, want);
}

#[test]
fn columns_count_characters() {
    let text = "set TST \"Ünïcödé\" oops\n";
    expect(text, 1, 19, &["`oops`"]);
}

#[test]
fn the_base_set_is_clean() {
    let text = include_str!("../../../cards/bmr.cards");
    let set = parse("bmr.cards", text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(set.cards.len(), 96);
    assert_eq!(check(&set), []);
}

#[test]
fn texts_show_what_they_say() {
    let file = |name: &str| format!("set TST \"T\"\nroom \"{name}\"\n  -  trap  damage 1  house\n");
    for (name, column, code) in [
        ("a\u{202e}b", 8, "U+202E"),
        ("a\u{200b}", 8, "U+200B"),
        ("\u{0}", 7, "U+0000"),
        ("\u{1b}[31m", 7, "U+001B"),
        ("a\u{300}\u{301}\u{302}", 10, "U+0302"),
        ("\u{e0041}", 7, "U+E0041"),
        ("\u{3164}", 7, "U+3164"),
    ] {
        expect(&file(name), 2, column, &["cannot be read", code, "remove it"]);
    }
    expect("set TST \"T\"\n# harmless\u{202e}\n", 2, 11, &["cannot be read", "U+202E"]);
    expect(&format!("set TST \"{}\"\n", "T".repeat(401)), 1, 9, &["too long", "400 letters", "fewer words"]);
    let readable = file("Zoë’s Piñata – “Café” 李小龍 🐉 <b>&amp;");
    assert!(load("x", &readable).is_ok(), "{:?}", load("x", &readable).err());
}

#[test]
fn a_draft_has_every_card_that_makes_sense() {
    let fine = "room \"Fine\"\n  -  trap  damage 1  house\n";
    let text = format!(
        "set TST \"T\"\n{fine}room \"Torn\"\n  -  trap  damge 1  house\nroom \"Endless\"\n  -  trap  damage 1  house\n  ability\n    draw room 1\n{fine}"
    );
    let draft = cards::draft("x", &text);
    let names =
        |draft: &cards::check::Draft| draft.cards.iter().map(|card| card.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&draft), ["Fine"]);
    assert!(draft.set.is_none() && draft.errors.problems.len() >= 2, "{:?}", draft.errors);
    let whole = cards::draft("x", &format!("set TST \"T\"\n{fine}"));
    assert_eq!(names(&whole), ["Fine"]);
    assert!(whole.set.is_some() && whole.errors.problems.is_empty());
}
