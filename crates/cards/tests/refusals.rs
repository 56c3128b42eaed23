//! What the words of later boxes must not be used for, and what they may.

mod report;

use report::{expect, problems, room, spell};

/// A hero with the given ability lines; they begin in line 4.
fn hero(body: &str) -> String {
    format!("set TST \"Test\"\nhero \"H\"\n  -  mage  health 4  players 2  house\n{body}\n")
}

fn boss(body: &str) -> String {
    format!("set TST \"Test\"\nboss \"B\"\n  -  xp 100  mage  house\n{body}\n")
}

#[track_caller]
fn fine(text: &str) {
    assert_eq!(problems(text), [], "{text}");
}

#[test]
fn headers_of_activated_abilities() {
    let hand = "  ability from hand\n    target s = spell in pending of opponent\n    cost discard this\n    cancel s";
    fine(&room(hand));
    expect(&boss(hand), 4, 3, &["a boss has no ability `from hand`", "only rooms can have", "leave out"]);
    expect(&hero(hand), 4, 3, &["a hero has no ability `from hand`"]);
    let limited = "  ability from hand once per turn\n    cost discard this\n    draw room 1";
    expect(&room(limited), 4, 3, &["a limit on an ability `from hand`", "cost discard this"]);
    let free = "  ability from hand\n    draw room 1";
    expect(&room(free), 4, 3, &["can be used endlessly"]);
    let built = "  ability from hand\n    cost destroy this\n    draw room 1";
    expect(&room(built), 5, 5, &["`destroy` needs a room in a dungeon", "elsewhere"]);
    let in_play = "  ability\n    cost discard this\n    draw room 1";
    expect(&room(in_play), 5, 5, &["`discard` needs a card in hand", "elsewhere"]);
    let by = "  ability in adventure by opponent once per turn\n    cost discard mage room in hand\n    \
              until end of turn: this has health +3";
    fine(&hero(by));
    let yours = "  ability by you once per turn\n    draw room 1";
    expect(&room(yours), 4, 3, &["`by` names nobody new", "leave out the `by`"]);
    let other = "  ability from hand by opponent\n    cost discard this\n    draw room 1";
    expect(&room(other), 4, 3, &["`by` names nobody new"]);
    expect(&room("  ability in bait\n    draw room 1"), 4, 14, &["`bait`", "`build` or `adventure`"]);
    let shown = "  ability\n    cost reveal room in hand\n    draw room 1";
    expect(&room(shown), 4, 3, &["can be used endlessly", "nothing is used up"]);
    let all = "  ability\n    cost destroy all another room in dungeon\n    draw room 1";
    expect(&room(all), 4, 3, &["can be used endlessly"]);
}

#[test]
fn portable_is_a_fact_of_rooms() {
    fine("set TST \"T\"\nroom \"R\"\n  -  trap  damage 1  portable  house\n");
    let hero = "set TST \"T\"\nhero \"H\"\n  -  mage  health 4  players 2  portable  house\n";
    expect(hero, 2, 1, &["a hero has no `portable`", "remove"]);
    let twice = "set TST \"T\"\nroom \"R\"\n  -  trap  damage 1  portable portable\n";
    expect(twice, 3, 31, &["`portable` is written twice"]);
    let boss = "set TST \"T\"\nboss \"B\"\n  -  xp 5  mage  house\n  always: hero is portable\n";
    expect(boss, 4, 11, &["`is portable` needs a room, not a hero"]);
    let against =
        "set TST \"T\"\nboss \"B\"\n  -  xp 5  mage  house\n  always: room is portable against hero\n";
    expect(against, 4, 11, &["`against`"]);
}

#[test]
fn what_lies_under_a_room_is_covered() {
    let rule = |what: &str| {
        format!(
            "set TST \"T\"\nroom \"R\"\n  -  trap  damage 1  house\n  always: this has damage + count {what}\n"
        )
    };
    fine(&rule("covered trap room under this"));
    expect(
        &rule("room under this"),
        4,
        35,
        &["rooms under another are `covered`", "write `covered room under`"],
    );
    expect(&rule("hero under this"), 4, 35, &["no hero is ever beside a room"]);
    expect(&rule("covered room under you"), 4, 3, &["needs a room, not a player"]);
    let item = "set TST \"T\"\nboss \"B\"\n  -  xp 5  mage  house\n  always: forbid item cast by you\n";
    expect(item, 4, 18, &["`cast` needs a spell, not an item"]);
}

#[test]
fn facts_of_dark_heroes() {
    fine("set TST \"T\"\nhero \"H\"\n  -  mage  health 4  players 2  dark  house\n");
    let room = "set TST \"T\"\nroom \"R\"\n  -  trap  damage 1  dark  house\n";
    expect(room, 2, 1, &["a room has no `dark`", "remove"]);
    let twice = "set TST \"T\"\nhero \"H\"\n  -  mage  health 4  players 2  dark dark\n";
    expect(twice, 3, 38, &["`dark` is written twice"]);
}

#[test]
fn what_lasts() {
    let listen = "    target r = room in dungeon\n    until end of turn\n      when h = hero enters r\n        \
                  until end of turn: h has health +1";
    fine(&spell(listen));
    expect(&spell("    until end of turn"), 5, 5, &["`until end of turn` has no block", "add lines"]);
    for (body, line, column, words) in [
        (
            "    until end of turn\n      ability\n        cost discard room in hand\n        draw room 1",
            6,
            7,
            ["`ability` cannot last", "write `when`"],
        ),
        (
            "    until end of turn\n      always: room in dungeon has damage +1",
            6,
            7,
            ["`always` cannot last", "rule"],
        ),
        (
            "    until end of turn\n      when hero killed once per turn\n        draw room 1",
            6,
            7,
            ["a limit on an ability that lasts", "leave out the limit"],
        ),
        (
            "    until end of turn\n      when hero killed\n        until end of turn\n          when room built\n            draw room 1",
            7,
            9,
            ["an `until` block in an `until` block", "use a rule"],
        ),
        (
            "    until end of turn once\n      when hero killed\n        draw room 1",
            5,
            5,
            ["`once` is not allowed here", "leave out"],
        ),
        (
            "    until end of turn once: you have builds +1",
            5,
            5,
            ["`once` is not allowed here", "permission"],
        ),
        (
            "    until end of turn once: hero in town has health +1",
            5,
            5,
            ["`once` is not allowed here", "named thing"],
        ),
        (
            "    target c = 2 room in dungeon\n    until end of turn\n      when hero killed\n        destroy c",
            7,
            7,
            ["`c` holds several things", "verb"],
        ),
        (
            "    until end of turn\n      when r = room built\n        deactivate r\n    destroy r",
            8,
            13,
            ["nothing is named `r`", "bind"],
        ),
        (
            "    until end of turn\n      when room destroyed\n        destroy room in dungeon",
            6,
            7,
            ["triggers itself endlessly", "again `destroyed`"],
        ),
    ] {
        expect(&spell(body), line, column, &words);
    }
    let kept = "    target a = room in dungeon\n    target b = room in dungeon but a\n    target p = opponent\n    until end of turn\n      \
                when hero enters a\n        destroy b\n        draw room 1 for p";
    expect(&spell(kept), 9, 7, &["more than 2 names in what lasts", "split it in two"]);
    let ruling = "    until end of turn\n      ruling \"No.\"\n      when hero killed\n        draw room 1";
    expect(&spell(ruling), 6, 7, &["a ruling after an ability"]);
}

#[test]
fn choices_at_the_declaration() {
    let fire = "    target h = hero in dungeon\n    either\n      damage h 3\n    or\n      cost discard spell in hand\n      \
                damage h 6\n    draw room 1";
    fine(&spell(fire));
    let targets = "    either\n      target h = hero in dungeon where life of it <= 3\n      kill h\n    or\n      \
                   require wounds of you >= 3\n      target h = hero in dungeon\n      kill h";
    fine(&spell(targets));
    for (body, line, column, words) in [
        (
            "    either\n      kill hero in town\n      target h = hero in town\n    or\n      draw room 1",
            7,
            7,
            ["`target` after the effect", "move `target` up"],
        ),
        (
            "    either\n      cost discard room in hand\n      target h = hero in town\n      kill h\n    or\n      draw room 1",
            7,
            7,
            ["`target` after `cost`", "up"],
        ),
        (
            "    either\n      cost discard room in hand\n      draw room 1\n    or\n      draw room 1\n    cost discard spell in hand",
            10,
            5,
            ["`cost` after the effect", "up"],
        ),
        (
            "    cost discard card in hand\n    either\n      cost discard room in hand\n      draw room 1\n    or\n      draw room 1",
            7,
            7,
            ["a second cost", "join them"],
        ),
        (
            "    either\n      either\n        target h = hero in town\n        kill h\n      or\n        draw room 1\n    or\n      \
             require you active\n      draw room 1",
            6,
            7,
            ["a choice inside a choice", "side by side"],
        ),
        (
            "    either\n      target h = hero in town\n      kill h\n    or\n      draw room 1\n    kill h",
            10,
            10,
            ["nothing is named `h`", "bind"],
        ),
        (
            "    target p = opponent\n    either by p\n      target h = hero in town\n      kill h\n    or\n      draw room 1",
            7,
            7,
            ["`target` is not allowed here", "`choose`"],
        ),
        (
            "    either\n      target h = hero in town\n      kill h",
            5,
            5,
            ["`either` has 1 options", "`may`"],
        ),
    ] {
        expect(&spell(body), line, column, &words);
    }
}

#[test]
fn verbs_of_the_second_box() {
    for (body, column, words) in [
        ("    flip hero in town", 10, ["`flip` needs a soul, a wound or an item, not a hero", "select"]),
        ("    reveal hero in town", 12, ["`reveal` needs a room or a spell, not a hero", "select"]),
        ("    reveal room in dungeon", 12, ["`reveal` needs a card in your hand", "elsewhere"]),
        (
            "    reveal random room in hand of opponent",
            12,
            ["`reveal` needs a card in your hand", "elsewhere"],
        ),
        ("    heal room in dungeon", 10, ["`heal` needs a wound or a hero, not a room", "select"]),
        ("    skip room in dungeon 1", 10, ["`skip` needs a hero, not a room", "a hero"]),
        ("    skip hero in dungeon 0", 5, ["a quantity of 0", "at least 1"]),
        ("    skip hero in dungeon", 25, ["ends too early", "a number"]),
        ("    move hero in town to scoring", 26, ["lies on one side", "add `facedown`"]),
        ("    move hero in town to entrance facedown", 26, ["`facedown` is not allowed here", "leave out"]),
        (
            "    move hero in town to room in dungeon facedown",
            26,
            ["`facedown` is not allowed here", "leave out"],
        ),
        ("    build room in hand on hero in town", 27, ["`build .. on` needs a room, not a hero", "a room"]),
        (
            "    build room in hand on room in dungeon of opponent",
            27,
            ["built in another dungeon", "`allow`"],
        ),
        ("    cost flip soul in scoring", 5, ["`flip` cannot be a cost", "revealing"]),
        ("    kill cast hero in town", 10, ["`cast` does not go with `hero`", "leave out"]),
        ("    destroy cast room in dungeon", 13, ["`cast` does not go with `room`", "leave out"]),
        ("    take entered spell in discard", 10, ["`entered` does not go with `spell`", "leave out"]),
        ("    remove class", 12, ["`class` is not allowed here", "choose t = class"]),
        ("    choose t = mage class", 16, ["`class` is not allowed here", "choose t = class"]),
        ("    draw room count class", 21, ["`class` is not allowed here", "choose t = class"]),
    ] {
        expect(&spell(body), 5, column, &words);
    }
    for body in [
        "    flip soul in scoring",
        "    each h = hero in dungeon\n      heal h\n      move h to entrance",
        "    choose h = hero in hero deck or epic deck\n    move h to scoring facedown",
        "    may\n      build monster room in hand on room in dungeon",
        "    target h = hero in dungeon of any\n    skip h 2",
        "    each s = soul in scoring\n      flip s",
    ] {
        fine(&spell(body));
    }
    let grows = spell("    each s = soul in scoring\n      flip wound in scoring");
    expect(&grows, 5, 5, &["`each` may never end", "adds to `scoring`"]);
}

#[test]
fn rules_of_the_second_box() {
    for (rule, words) in [
        ("soul in scoring is blank", ["`is blank` needs a room, a boss, a miniboss or a hero", "a soul"]),
        ("hero in town is stunned", ["`is stunned` needs a room, not a hero", "a room"]),
        ("room in dungeon has damage = 0", ["`damage` cannot be set to 0", "write `-`"]),
        ("hero in town has health = 0", ["`health` cannot be set to 0", "write `-`"]),
        ("room in dungeon has icon +1", ["`icon` of which type?", "mage icon +1"]),
        ("room in dungeon has mage icon x2", ["icons of one type can only be added", "leave out the type"]),
        ("room in dungeon has mage icon = 0", ["icons of one type can only be added", "leave out the type"]),
        (
            "hero in town has mage icon +1",
            ["`has icon` needs a room, a boss or a player, not a hero", "a room"],
        ),
    ] {
        expect(&spell(&format!("    until end of turn: {rule}")), 5, 24, &words);
    }
    let other = spell("    until end of turn: room in dungeon has icon = 1");
    expect(&other, 5, 51, &["unexpected `1`", "expected `0`"]);
    let status = spell("    until end of turn: room in dungeon is asleep");
    expect(&status, 5, 43, &["`asleep`", "`blank` or `stunned`"]);
    let unbound = spell("    until end of turn: room in dungeon has t icon +1");
    expect(&unbound, 5, 44, &["nothing is named `t`", "bind it"]);
    let room_type = spell("    target r = room in dungeon\n    until end of turn: r has r icon +1");
    expect(&room_type, 6, 30, &["`icon` needs a treasure type, not a room"]);
    for body in [
        "    target r = room in dungeon or pending of any\n    until end of turn: r is blank",
        "    target r = room in dungeon\n    choose t = class\n    until end of turn: r has t icon +1",
        "    until end of turn: room in dungeon has icon = 0 while you active",
        "    until end of turn: room in dungeon is stunned while some hero in town",
        "    until end of turn once: allow room built on room in dungeon of opponent by you",
    ] {
        fine(&spell(body));
    }
}

#[test]
fn events_of_the_second_box() {
    for (line, column, words) in [
        ("  always: forbid card taken", 18, ["`forbid taken` is not known", "can be forbidden"]),
        ("  always: forbid card discarded", 18, ["`forbid discarded` is not known", "`lured` or `wins`"]),
        ("  always: forbid hero survives this", 18, ["`forbid survives` is not known", "can be forbidden"]),
        ("  always: forbid room uncovered", 18, ["`forbid uncovered` is not known", "can be forbidden"]),
        ("  always: forbid end of turn", 18, ["`forbid end of turn` is not known", "can be forbidden"]),
        ("  always: forbid room built because of you", 18, ["`because of` after `built`", "leave out"]),
        ("  always: allow hero enters this", 17, ["`allow enters` is not known", "only building"]),
        ("  always: allow room built", 17, ["`allow` building where?", "add `on`"]),
        ("  always: allow r = room built on this", 17, ["a rule cannot bind a name", "remove the name"]),
        ("  when hero lured\n    draw room 1", 8, ["`when lured` is not known", "`enters`"]),
        ("  when opponent wins\n    draw room 1", 8, ["`when wins` is not known", "`forbid`"]),
        ("  when hero survives\n    draw room 1", 8, ["`survives` what?", "add a room"]),
        ("  when hero survives town\n    draw room 1", 22, ["`survives` what?", "dungeon of p"]),
        ("  when hero destroyed\n    draw room 1", 8, ["`destroyed` needs a room, not a hero", "a room"]),
        ("  when card destroyed\n    draw room 1", 8, ["`destroyed` needs a room", "a room"]),
        ("  when hero discarded\n    draw room 1", 8, ["`discarded` needs a room or a spell", "select"]),
        ("  when hero uncovered\n    draw room 1", 8, ["`uncovered` needs a room", "a room"]),
        ("  when hero survives this by you\n    draw room 1", 8, ["`by` after `survives`", "leave out"]),
        ("  when room uncovered by you\n    draw room 1", 8, ["`by` after `uncovered`", "leave out"]),
        ("  when spell cast because of you\n    draw room 1", 8, ["`because of` after `cast`", "leave out"]),
        (
            "  when room destroyed because of soul\n    draw room 1",
            34,
            ["`because of` needs a card", "a card"],
        ),
        (
            "  when room destroyed or killed\n    draw room 1",
            8,
            ["`killed` needs a hero, not a room", "a hero"],
        ),
        (
            "  when hero killed or enters dungeon\n    draw room 1",
            8,
            ["not every word goes with", "two abilities"],
        ),
        (
            "  instead of card taken\n    draw room 1",
            14,
            ["`instead of taken`", "`turn draw`, `discarded` and `killed`"],
        ),
        ("  instead of end of turn\n    draw room 1", 14, ["`instead of end of turn`", "`when`"]),
        (
            "  instead of card discarded\n    discard card in hand",
            3,
            ["triggers itself endlessly", "once per turn"],
        ),
        (
            "  when room uncovered\n    destroy room in dungeon",
            3,
            ["triggers itself endlessly", "again `uncovered`"],
        ),
        (
            "  when card discarded\n    discard room in hand",
            3,
            ["triggers itself endlessly", "again `discarded`"],
        ),
        ("  when card taken\n    take room in discard", 3, ["triggers itself endlessly", "again `taken`"]),
        (
            "  when room uncovered\n    take room in dungeon",
            3,
            ["triggers itself endlessly", "again `uncovered`"],
        ),
        (
            "  when room built or destroyed\n    build room in hand",
            3,
            ["triggers itself endlessly", "again `built`"],
        ),
        ("  when opponent wins by\n    draw room 1", 24, ["ends too early", "a player"]),
    ] {
        expect(&room(line), 4, column, &words);
    }
    for body in [
        "  when c = monster room discarded or destroyed\n    may\n      take c",
        "  when r = trap room destroyed by opponent\n    take r",
        "  when h = hero killed once per turn\n    move h to town",
        "  when hero enters dungeon once per hero\n    draw room 1",
        "  when hero survives dungeon\n    draw room 1",
        "  when hero killed or survives this\n    destroy this",
        "  when this destroyed because of another card\n    draw room 1",
        "  when r = room in dungeon uncovered because of you\n    until end of turn: r has damage +3",
        "  when card in discard taken by you\n    draw room 1",
        "  when end of turn\n    require not this is entered\n    may\n      draw room 1",
        "  instead of c = card discarded by opponent because of you once per turn\n    take c",
        "  always: forbid hero lured while some hero in this",
        "  always: forbid opponent wins while count room in dungeon >= 5",
        "  when spell discarded\n    discard room in hand",
        "  when card discarded by opponent\n    discard card in hand",
        "  when room in dungeon uncovered\n    destroy room in dungeon of opponent",
    ] {
        fine(&room(body));
    }
    let when = "  when spell cast\n    require this in dungeon\n    until end of turn: this has health +2";
    fine(&hero(when));
    fine(&hero("  always: this has health + count spell in hand"));
    fine(&hero("  always: forbid this enters last room in dungeon"));
    let replaces = hero("  instead of turn draw\n    draw room 1");
    expect(&replaces, 4, 3, &["a hero cannot have `instead of`", "only rooms"]);
}

#[test]
fn values_and_conditions() {
    for (cond, column, words) in [
        ("life of r > 1", 21, ["`life of` needs a hero, not a room", "a hero"]),
        ("health of r > 1", 23, ["`health of` needs a hero, not a room", "a hero"]),
        ("damage of p > 1", 23, ["`damage of` needs a room, not a player", "a room"]),
        ("printed life of this > 1", 5, ["no life is printed", "printed health"]),
        ("r is cast", 13, ["`cast` does not go with `room`", "leave out"]),
        ("r is another", 13, ["`another` does not go with `room`", "leave out"]),
        ("p is monster", 13, ["`monster` does not go with `player`", "leave out"]),
        ("r in town", 13, ["no room is ever in `town`", "place"]),
        ("p in town", 13, ["`in` needs a card or a hero, not a player", "select"]),
        ("lured-this-turn of opponent > 1", 5, ["`opponent` may be several", "choose p = opponent"]),
    ] {
        let body = format!(
            "    target r = room in dungeon\n    target p = opponent\n    draw room 1\n    if {cond}\n      draw room 1"
        );
        let column = if column == 5 { 5 } else { column - 5 };
        expect(&spell(&body), 8, column, &words);
    }
    let tally = spell("    require souls-this-trun of you > 1\n    draw room 1");
    expect(&tally, 5, 13, &["`souls-this-trun`", "`souls-this-turn`"]);
}

/// Reading a card reveals what it is.
#[test]
fn what_may_not_be_read_from_an_unseen_card() {
    for (body, line, column) in [
        (
            "    target p = opponent\n    choose c = random room in hand of p\n    if c is monster\n      draw room 1",
            7,
            8,
        ),
        (
            "    target p = opponent\n    choose c = room in hand of p by p\n    draw room printed damage of c",
            7,
            33,
        ),
        ("    choose c = random room in room deck\n    draw room printed damage of c", 6, 33),
    ] {
        expect(&spell(body), line, column, &["reads hidden cards", "`look` first"]);
    }
    for (body, column) in [
        ("    require some room in hand of opponent where printed damage of it > 2\n    draw room 1", 18),
        ("    require some mage room in hand of opponent\n    draw room 1", 18),
        ("    require some room in hand of opponent where it is trap\n    draw room 1", 18),
    ] {
        expect(&spell(body), 5, column, &["reads hidden cards", "backs"]);
    }
    for body in [
        "    target p = opponent\n    choose c = room in hand of p by p\n    discard c\n    if c is monster\n      draw room 1",
        "    target p = opponent\n    look hand of p\n    choose c = room in hand of p\n    if c is monster\n      take c",
        "    choose c = room in hand\n    draw room printed damage of c",
    ] {
        fine(&spell(body));
    }
}

/// A rule may only read values computed before the one it changes, so no value can depend on
/// itself.
#[test]
fn circular_values() {
    let order = "blank, icon, health, damage, stunned";
    for (rule, words) in [
        ("this has damage + damage of this", ["about `damage` reads `damage of`", "printed damage"]),
        ("room beside this has damage + damage of this", ["about `damage` reads `damage of`", order]),
        ("this has damage - damage of this", ["about `damage` reads `damage of`", order]),
        ("room in dungeon where damage of it > 2 has damage +1", ["about `damage` reads", order]),
        ("this has damage +1 while damage of this < 4", ["about `damage` reads", order]),
        (
            "this has damage + count room in dungeon where damage of it > 1",
            ["about `damage` reads `damage of`", order],
        ),
        (
            "hero in dungeon has health +1 while some hero in dungeon where health of it > 3",
            ["about `health` reads `health of`", "printed health"],
        ),
        ("hero in dungeon has health + life of it", ["about `health` reads `life of`", "printed health"]),
        // The other half of each circle may stand on another card, in this file or in another one.
        ("hero in dungeon has health + damage of this", ["about `health` reads `damage of`", order]),
        (
            "room beside this is stunned while damage of this > 2",
            ["about `stunned` reads `damage of`", order],
        ),
        ("room in dungeon where damage of it > 3 is blank", ["about `blank` reads `damage of`", order]),
        (
            "room in dungeon is blank while some hero in dungeon where life of it < 2",
            ["about `blank` reads `life of`", order],
        ),
        (
            "this has mage icon +1 while some hero where health of it > 5",
            ["about `icon` reads `health of`", order],
        ),
    ] {
        expect(&room(&format!("  always: {rule}")), 4, 3, &words);
    }
    // A lasting amount is computed once, unless it refers to `it`; its `where` and `while` are
    // always evaluated again.
    for (rule, column) in [
        ("room in dungeon has damage + damage of it", 5),
        ("r has damage +1 while damage of r > 2", 56),
        ("room in dungeon where damage of it > 1 has damage +1", 5),
        ("room in dungeon where printed damage of it > 1 has damage + damage of r", 94),
    ] {
        let body = format!("    target r = room in dungeon\n    until end of turn: {rule}");
        expect(&spell(&body), 6, column, &["about `damage` reads `damage of`"]);
    }
    for rule in [
        "this has damage + printed damage of this",
        "room beside this has damage + printed damage of it",
        "this has damage + count hero in this where life of it > 2",
        "this is stunned while some hero in this where health of it > 8",
        "forbid hero enters this while damage of this > 3",
        "you have builds +1 while damage of this > 3",
    ] {
        fine(&room(&format!("  always: {rule}")));
    }
    let once = "    target r = room in dungeon\n    until end of turn: r has damage + damage of r";
    fine(&spell(once));
}

#[test]
fn the_second_box_is_clean() {
    let text = include_str!("../../../cards/tnl.cards");
    let (set, warnings) = cards::load("tnl.cards", text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(set.cards.len(), 114);
    assert_eq!(warnings, []);
    let without_comments: String =
        text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
    assert_eq!(set.to_string(), without_comments, "written canonically");
}

#[test]
fn covered_rooms_are_only_brought_up() {
    let play = |line: &str| spell(&format!("    {line}"));
    fine(&play("uncover covered room in dungeon"));
    fine(&play("choose r = covered trap room in dungeon of any\n    uncover r"));
    expect(&play("uncover room in dungeon"), 5, 13, &["`uncover` needs a covered room", "elsewhere"]);
    expect(
        &play("destroy covered room in dungeon"),
        5,
        13,
        &["`destroy` needs a room", "a room under another"],
    );
    expect(&play("take covered room in dungeon"), 5, 10, &["`take` needs", "a room under another"]);
    expect(&play("uncover covered hero in dungeon"), 5, 13, &["`covered` does not go with `hero`"]);
    let both = "uncover covered facedown room in dungeon";
    expect(&play(both), 5, 13, &["`covered` and `facedown` cannot go together"]);
    let endless = "  when room in dungeon uncovered\n    uncover covered room in dungeon";
    expect(&room(endless), 4, 3, &["triggers itself endlessly"]);
}

#[test]
fn only_the_level_up_of_a_boss_without_other_text_copies() {
    fine(&boss("  level up\n    copy another boss"));
    fine(&boss("  level up\n    choose b = another boss\n    copy b"));
    let more = "  level up\n    copy another boss\n  always: room in dungeon has damage +1";
    expect(&boss(more), 4, 3, &["`copy` is not allowed here", "no other text", "nothing beside it"]);
    expect(&boss("  ability once per turn\n    copy another boss"), 4, 3, &["`copy` is not allowed here"]);
    expect(&spell("    copy boss"), 4, 3, &["`copy` is not allowed here"]);
    expect(&boss("  level up\n    copy room in dungeon"), 5, 10, &["`copy` needs a boss, not a room"]);
    expect(&boss("  level up\n    kill another boss"), 5, 10, &["`kill` needs a hero, not a boss"]);
    expect(&spell("    choose b = boss in town"), 5, 16, &["no boss is ever in `town`"]);
}

#[test]
fn what_a_room_does_when_built_or_uncovered_can_be_repeated() {
    fine(&spell("    trigger triggered room in dungeon built or uncovered"));
    fine(&spell("    target r = room in dungeon\n    trigger r uncovered"));
    let other = "    trigger room in dungeon destroyed";
    expect(&spell(other), 5, 5, &["`destroyed` is not triggered this way", "when built or uncovered"]);
    expect(&spell("    trigger hero in town built"), 5, 13, &["`trigger` needs a room, not a hero"]);
    expect(&room("  when this built\n    trigger this built"), 4, 3, &["triggers itself endlessly"]);
}

#[test]
fn a_card_in_hand_only_says_where_it_may_be_built() {
    fine(&room("  always from hand: allow this built on room in dungeon"));
    let wrong = ["this has damage +1", "allow room built on room in dungeon", "forbid this built"];
    for rule in wrong {
        let text = format!("  always from hand: {rule}");
        expect(
            &room(&text),
            4,
            21,
            &["`always from hand` is about building this card", "allow this built on"],
        );
    }
    let on_a_boss = "  always from hand: allow room built on room in dungeon";
    expect(&boss(on_a_boss), 4, 3, &["a boss has no ability `from hand`"]);
}

#[test]
fn icons_are_counted_on_rooms_bosses_and_in_dungeons() {
    fine(&room("  always: this has damage + count icon on this"));
    fine(&room("  always: this has damage + count mage icon in dungeon"));
    fine(&hero(
        "  when this enters first room in dungeon once per turn\n    damage this count icon in dungeon",
    ));
    fine(&spell("    draw room count explorer icon in dungeon of owner of this"));
    let circle = "  always: this has mage icon + count icon on this";
    expect(&room(circle), 4, 3, &["a rule about `icon` counts icons", "the order is blank, icon"]);
    let blank = "  always: this is blank while count icon in dungeon > 3";
    expect(&room(blank), 4, 45, &["a rule about `blank` counts icons"]);
    expect(&spell("    draw room count icon in hand"), 5, 29, &["no icon is ever in `hand`"]);
    expect(&spell("    draw room count icon in dungeon of any"), 5, 29, &["`any` may be several players"]);
    let hero_icon = "    target h = hero in town\n    draw room count icon on h";
    expect(&spell(hero_icon), 6, 29, &["`icon on` needs a room or a boss, not a hero"]);
    expect(&spell("    take new wound in scoring"), 5, 10, &["`take` needs"]);
    expect(&spell("    remove new soul in scoring"), 5, 12, &["`new` does not go with `soul`"]);
}

#[test]
fn counters_lie_on_rooms_and_can_be_a_price() {
    fine(&room("  ability\n    cost lose counter 1 on this\n    draw room 1"));
    fine(&room(
        "  when this built\n    gain counter 2 on this\n  always: this has damage + counters on this",
    ));
    let hero_counter = "    target h = hero in town\n    gain counter 1 on h";
    expect(&spell(hero_counter), 6, 23, &["`gain counter` needs a room, not a hero"]);
    expect(&spell("    target r = room in dungeon\n    gain counter 0 on r"), 6, 5, &["a quantity of 0"]);
    let got = "  ability\n    cost gain counter 1 on this\n    draw room 1";
    expect(&room(got), 5, 5, &["`gain` cannot be a cost", "or with coins or counters"]);
    let other = "  ability\n    target r = room in dungeon\n    cost lose counter 1 on r\n    draw room 1";
    expect(&room(other), 6, 5, &["`lose` cannot be a cost"]);
}

#[test]
fn dice_are_rolled_for_damage_to_one_hero_at_a_time() {
    fine(&spell("    damage hero in town roll 6"));
    fine(&spell("    damage all hero in town roll 20"));
    expect(&spell("    draw room roll 6"), 5, 5, &["a die is rolled for damage only", "damage"]);
    expect(&spell("    damage hero in town roll 6 + 1"), 5, 5, &["a die is rolled for damage only"]);
    expect(&spell("    damage 2 hero in town roll 6"), 5, 5, &["a die is rolled for damage only"]);
    expect(&spell("    damage hero in town roll 1"), 5, 5, &["a die with 1 sides", "2 to 20"]);
    expect(&spell("    if roll 6 > 3\n      draw room 1"), 5, 5, &["a die is rolled for damage only"]);
}

#[test]
fn a_block_is_repeated_a_few_times() {
    fine(&spell("    repeat 3\n      may\n        draw room 1"));
    expect(&spell("    repeat 1\n      draw room 1"), 5, 5, &["out of range"]);
    expect(&spell("    repeat 11\n      draw room 1"), 5, 5, &["out of range"]);
    expect(&spell("    repeat 2"), 5, 5, &["`repeat`"]);
    fine(&hero("  when this revealed\n    each p = player\n      draw room 1 for p"));
    expect(&room("  always: forbid hero revealed"), 4, 18, &["is not known"]);
    expect(&room("  when room revealed\n    draw room 1"), 4, 8, &["`revealed` needs a hero"]);
}

#[test]
fn rooms_can_be_different_for_some_heroes() {
    fine(&room("  always: this has damage x2 against epic hero"));
    fine(&hero("  always: monster room is stunned against this"));
    fine(&room("  always: this has damage +1 against hero where life of it + life of it <= health of it"));
    let health = "  always: hero in dungeon has health +1 against hero";
    expect(&room(health), 4, 11, &["`against` is not allowed here", "only damage"]);
    expect(
        &room("  always: this has damage +1 against room"),
        4,
        38,
        &["`against` needs a hero, not a room"],
    );
    let blank = "  always: this is blank against hero where life of it < 3";
    expect(&room(blank), 4, 3, &["a rule about `blank` reads `life of`"]);
    expect(&room("  always: this has damage +1 against advanced hero"), 4, 38, &["does not go with `hero`"]);
    let both = "  always: this has damage +1 against epic ordinary hero";
    expect(&room(both), 4, 38, &["`epic` and `ordinary` cannot go together"]);
}

#[test]
fn points_icons_and_the_rest_of_the_game() {
    fine(&boss("  always: you have souls +1"));
    fine(&boss("  always: this has mage icon +1"));
    fine(&boss("  level up\n    until end of game: this has mage icon +1"));
    expect(
        &boss("  always: room in dungeon has souls +1"),
        4,
        11,
        &["`has souls` needs a player, not a room"],
    );
    let circle = "  always: you have souls + wounds of you";
    expect(&boss(circle), 4, 3, &["a rule about `souls` or `wounds` reads `wounds of`"]);
    let forever = "    until end of game: forbid hero lured";
    expect(&spell(forever), 5, 5, &["this cannot last until end of game", "until end of turn"]);
    let abilities = "    until end of game\n      when room built\n        draw room 1";
    expect(&spell(abilities), 5, 5, &["this cannot last until end of game"]);
    fine(&spell("    each t = class\n      until end of turn: room in dungeon has t icon +1"));
    expect(&spell("    arrange hand"), 5, 13, &["only a dungeon can be arranged"]);
    expect(&spell("    arrange dungeon of any"), 5, 13, &["`any` may be several players"]);
}

#[test]
fn a_spell_has_rules_only_where_it_comes_to_lie() {
    fine(&spell("    move this to scoring faceup\n  always: you have souls +1"));
    expect(&spell("    draw room 1\n  always: you have souls +1"), 6, 3, &["never comes to lie"]);
    expect(&spell("    move this to scoring facedown"), 5, 18, &["`facedown` is not allowed here"]);
    expect(&spell("    move hero in town to scoring faceup"), 5, 26, &["`faceup` is not allowed here"]);
    expect(&spell("    move this to town"), 5, 5, &["`move` needs a hero or a soul"]);
}

#[test]
fn items_are_moved_turned_and_copied() {
    fine(&spell("    target i = item in scoring of any\n    flip i"));
    fine(&room("  ability once per turn\n    cost flip faceup item in scoring\n    draw spell 1"));
    fine(&spell("    target i = item in town\n    target h = hero in town\n    move i to h"));
    fine(&item("  instead of host killed\n    move host to town\n    move this to scoring faceup"));
    fine(&item("  when host survives r = trap room\n    destroy r"));
    fine(&item("  play\n    copy another faceup item"));
    fine(&item("  always: first 3 room in dungeon is stunned against host"));
    fine(&spell("    until end of turn: forbid you loses"));
    expect(&spell("    move item in town to town"), 5, 26, &["an item cannot be moved there", "hero"]);
    expect(&spell("    move item in town to scoring"), 5, 26, &["an item lies on one side"]);
    expect(&spell("    move item in town to room in dungeon"), 5, 26, &["`move .. to` needs a hero"]);
    expect(
        &room("  ability\n    cost flip item in scoring\n    draw room 1"),
        5,
        5,
        &["`flip` cannot be a cost"],
    );
    expect(
        &item("  ability once per turn\n    draw room 1"),
        4,
        3,
        &["an item cannot have `ability`", "below `play`"],
    );
    expect(&spell("    kill faceup hero in town"), 5, 10, &["`faceup` does not go with `hero`"]);
    let both = "    flip faceup facedown item in scoring";
    expect(&spell(both), 5, 10, &["`faceup` and `facedown` cannot go together"]);
    let lasting = "    until end of turn\n      when hero enters r = trap room\n        draw room 1";
    expect(&spell(lasting), 6, 24, &["cannot bind a name"]);
    expect(&spell("    destroy first 2 room in dungeon"), 5, 13, &["is not allowed here"]);
}

fn item(ability: &str) -> String {
    format!("set TST \"Test\"\nitem \"Example\"\n  -  thief  house\n{ability}\n")
}

#[test]
fn levels_belong_to_minibosses() {
    let miniboss = |text: &str| format!("set TST \"Test\"\n\nminiboss \"Example\"\n  -  house\n{text}\n");
    let whole = "  level 1\n    always: host has damage +1\n  level 2\n    when hero killed in host\n      draw room 1\n  level 3\n    ability\n      target h = hero in host\n      kill h";
    fine(&miniboss(whole));
    for (text, line, words) in [
        ("  level 1\n    always: host has damage +1", 3, "a miniboss needs `level 2`"),
        ("  always: host has damage +1", 5, "an ability outside the levels"),
        ("  level 2\n    always: host has damage +1", 6, "`level 2` is not in its place"),
        (
            "  level 1\n    always: host has damage +1\n  level 2\n    always: host has damage +1\n  level 3\n    always: host has damage +1",
            10,
            "`always` on level 3",
        ),
        ("  level 1\n    level 2\n      always: host has damage +1", 6, "a level inside a block"),
    ] {
        let found = refused(&miniboss(text));
        assert!(found.contains(words) && found.contains(&format!("test.cards:{line}:")), "{found}");
    }
    let found = refused(&room("  level 1\n    always: this has damage +1"));
    assert!(found.contains("a room has no levels"), "{found}");
    let found = refused(&room("  always: host has damage +1"));
    assert!(found.contains("a room has no `host`"), "{found}");
}

#[test]
fn coins_and_numbers_are_checked() {
    for (body, words) in [
        ("    gain coin 1 to you", "the coins go nowhere"),
        ("    gain coin 0", "a quantity of 0"),
        ("    target h = hero in town\n    pay coin 1 on h", "`pay coin .. on` needs a room, not a hero"),
        (
            "    target x = number 0 to 3\n    cost pay coin x\n    draw room x",
            "the declaration depends on `x`",
        ),
        ("    target h = hero in town\n    draw room h", "`this` needs a number, not a hero"),
        ("    draw c = room 2", "only a single card that you draw has a name"),
        ("    swap hoard and hoard of opponent", "`opponent` may be several players"),
        ("    promote room in dungeon", "`promote` needs a miniboss, not a room"),
        ("    attach room in dungeon to room in dungeon", "`attach` needs a miniboss, not a room"),
        ("    draw room level of this", "`level of` needs a miniboss, not a spell"),
        ("    discard top 2 monster card in room deck", "`top` is not allowed here"),
    ] {
        let found = refused(&spell(body));
        assert!(found.contains(words), "no {words:?} in {found}");
    }
    let endless = refused(&room("  when coin gained by you\n    gain coin 1"));
    assert!(endless.contains("triggers itself endlessly"), "{endless}");
    fine(&spell("    target x = number 0 to coins of you\n    cost pay coin x\n    draw room 1 + 2 * x"));
}

/// The errors of a card file, as they are shown.
fn refused(text: &str) -> String {
    cards::load("test.cards", text).expect_err("it should be refused").render(false)
}

#[test]
fn only_a_trigger_waits_for_heroes_at_an_entrance() {
    fine(&hero("  when this enters entrance\n    draw room 1"));
    fine(&hero("  when h = hero enters entrance of any\n    until end of turn once: h has health +1"));
    let no = "an `entrance` does not go here";
    expect(&hero("  always: forbid this enters entrance"), 4, 30, &[no, "write `dungeon`"]);
    expect(&hero("  when this survives entrance\n    draw room 1"), 4, 22, &[no]);
    let endless = "  when hero enters entrance\n    move hero in town to entrance";
    expect(&room(endless), 4, 3, &["triggers itself endlessly"]);
}
