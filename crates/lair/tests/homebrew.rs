//! Homebrew cards, for someone who follows docs/homebrew.md.

mod common;

use std::path::PathBuf;

use common::{lair, scratch, typed};

const PAGE: &str = include_str!("../../../docs/homebrew.md");

/// A file with this text.
fn file(name: &str, text: &str) -> (PathBuf, String) {
    let path = scratch(name);
    std::fs::write(&path, text).unwrap();
    let shown = path.to_str().unwrap().to_string();
    (path, shown)
}

fn room(set: &str, name: &str, damage: u8) -> String {
    format!("set {set} \"Cards of {set}\"\n\nroom \"{name}\" x3\n  -  trap  damage {damage}  thief  house\n")
}

#[test]
fn every_template_is_valid_and_playable() {
    for kind in ["all", "boss", "room", "spell", "hero", "epic"] {
        let text = lair(&["cards", "--new", kind]).ok().out;
        let (_, path) = file(&format!("new-{kind}.cards"), &text);
        let checked = lair(&["check", &path]).ok().out;
        assert!(checked.contains("\nOK: ") && checked.contains("My own cards"), "{checked}");
        let played = lair(&["sim", "-n", "3", "--cards", &path]).ok().out;
        assert!(played.contains("--cards "), "{played}");
    }
    let all = lair(&["cards", "--new"]).ok().out;
    for kind in ["\nboss ", "\nroom ", "\nspell ", "\nhero ", "\nepic "] {
        assert!(all.contains(kind), "{kind:?}");
    }
    lair(&["cards", "--new", "goblin"]).refused_with("possible values: all, boss, room, spell, hero, epic");
}

/// The templates and their output are as the page shows them.
#[test]
fn the_page_is_up_to_date() {
    let template = lair(&["cards", "--new"]).ok().out;
    let (_, path) = file("page.cards", &template);
    let checked = lair(&["check", &path]).ok().out;
    let shown = |line: &&str| line.starts_with("    ") && !line.trim().is_empty();
    let section = |title: &str| {
        let rest = PAGE.split_once(&format!("\n## {title}")).unwrap().1;
        rest.split_once("\n## ").unwrap_or((rest, "")).0
    };
    for line in section("2 Change").lines().filter(shown) {
        let beginning = line[4..].trim_end_matches("...").trim_end();
        assert!(template.contains(beginning), "{beginning}");
    }
    let printed = section("3 Check").split("If something is wrong").next().unwrap();
    for line in printed.lines().filter(shown).map(|line| line[4..].replace("my.cards", &path)) {
        assert!(line == "..." || line.starts_with("lair ") || checked.contains(&line), "{line} in {checked}");
    }
    let scenario: Vec<&str> = section("5 Make")
        .lines()
        .filter(shown)
        .map(|line| &line[4..])
        .filter(|l| !l.starts_with("lair"))
        .collect();
    let (_, scn) = file("page.scn", &scenario.join("\n"));
    assert!(
        lair(&["scenario", &scn, "--cards", &path]).ok().out.contains("1 scenario in 1 file, all passed")
    );
    lair(&["scenario", &scn]).fails_with("no card is called `Goblin Dentist`");
}

/// Every line in the page's table of abilities makes a valid card.
#[test]
fn every_example_on_the_page_is_valid() {
    let rows = PAGE.split_once("## 7 What can be said").unwrap().1.split_once("\n## 8").unwrap().0;
    let rows: Vec<Vec<&str>> =
        rows.lines().filter(|row| row.starts_with("| `")).map(|row| row.split(" | ").collect()).collect();
    assert!(rows.len() > 15);
    for row in rows {
        let kind = row[1].split([',', ' ']).next().unwrap();
        let icon = if row[1].contains("without an icon") { "" } else { "mage" };
        let facts = match kind {
            "boss" => "xp 5  mage".to_string(),
            "room" => "trap  damage 1  mage".into(),
            "spell" => "build adventure".into(),
            "item" => "mage".into(),
            _ => format!("{icon}  health 5  star"),
        };
        let mut card = format!("set DOC \"Docs\"\n{kind} \"Example\"\n  -  {facts}  house\n");
        let (mut depth, mut in_choice) = (2, false);
        for (i, line) in
            row[0].trim_start_matches("| ").split(" ... ").map(|l| l.trim_matches('`')).enumerate()
        {
            depth = match line {
                _ if i == 0 => 2,
                "or" => 4,
                _ if i == 1 => 4,
                _ => depth,
            };
            card.push_str(&format!("{}{line}\n", " ".repeat(depth)));
            if line == "either" || line == "or" || line.starts_with("each ") {
                depth += 2;
                in_choice = true;
            } else if !in_choice {
                depth = 4;
            }
        }
        if let Err(errors) = cards::load("docs.cards", &card) {
            panic!("{errors}\n{card}");
        }
    }
}

/// The whole cards on the page are valid, also for a table of strangers.
#[test]
fn every_card_on_the_page_is_valid() {
    let section = PAGE.split_once("## 7 What can be said").unwrap().1.split_once("\n## 8").unwrap().0;
    let lines = section.lines().filter(|line| line.starts_with("    ")).map(|line| &line[4..]);
    let text = format!("set DOC \"Docs\"\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let (set, warnings) = cards::load_shared("docs.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((set.cards.len(), warnings.len()), (5, 0));
}

/// Every mistake in the page's table gives the message shown there.
#[test]
fn mistakes_give_the_messages_on_the_page() {
    let facts = "  -  monster  damage 1  cleric  house\n";
    let dentist = |body: &str| format!("room \"Goblin Dentist\"\n{facts}{body}");
    for (card, message, help) in [
        (format!("room Goblin Dentist x2\n{facts}"), "unknown word `Goblin`", "between quotes"),
        (format!("room “Goblin Dentist” x2\n{facts}"), "stray character `“`", "straight quote"),
        (format!("room \"Goblin Dentist x2\n{facts}"), "the text has no closing quote", "close the text"),
        ("room \"X\"\n  monster  damage 1\n".into(), "unexpected `monster`", "facts with `-`"),
        (format!("Room \"X\"\n{facts}"), "unknown kind of card `Room`", "`room`"),
        (dentist("  when this built\n  draw room 1\n"), "`when` has no block", "two more spaces"),
        (dentist("  when this built\n\tdraw room 1\n"), "a tab in the indentation", "two spaces"),
        (dentist("  when hero killed in this, draw\n"), "stray character `,`", "remove it"),
        (dentist("  when hero dies in this\n    draw room 1\n"), "unknown event `dies`", "`killed`"),
        ("room \"X\"\n  -  trap\n".into(), "a room needs `damage`", "add `damage`"),
        (dentist("  ability\n    draw room 1\n"), "the ability can be used endlessly", "`once per turn`"),
        (
            dentist("  ability\n    cost destroy this\n    target h = hero in this\n    kill h\n"),
            "`target` after `cost`",
            "move `target` up",
        ),
        (
            dentist("  ability\n    target hero = hero in this\n    cost destroy this\n"),
            "`hero` cannot be a name",
            "such as `h`",
        ),
        (
            dentist("  when this built\n    choose p = opponent\n    take room in hand of p\n"),
            "this chooses among hidden cards",
            "`random`",
        ),
        (
            dentist("  when another room in dungeon destroyed\n    destroy another room in dungeon\n"),
            "the ability triggers itself endlessly",
            "`once per turn`",
        ),
        (format!("{}set B \"B\"\n", dentist("")), "a second `set` line", "remove the line"),
    ] {
        let errors =
            cards::load("my.cards", &format!("set HOME \"H\"\n{card}")).expect_err(&card).to_string();
        assert!(errors.contains(message) && errors.contains(help), "{errors}");
        let plain = |text: &str| text.replace('`', "");
        let told = plain(PAGE).contains(&plain(message));
        assert!(told, "the page does not tell of: {message}");
    }
}

#[test]
fn every_command_takes_homebrew_cards() {
    let (_, path) = file("own.cards", &room("OWN", "Wobbly Floor", 2));
    let with = |args: &[&str]| lair(&[args, &["--cards", &path]].concat());
    assert!(with(&["cards", "wobbly"]).ok().out.contains("Trap room · damage 2"));
    assert!(with(&["cards", "--json"]).ok().out.contains("Wobbly Floor"));
    assert!(with(&["deck", "show", "bmr"]).ok().out.contains("Wobbly Floor"));
    assert!(with(&["deck", "list"]).ok().out.contains("78"));
    assert!(with(&["deck", "check", "official-combo"]).ok().out.contains("78 rooms"));
    assert!(with(&["sim", "-n", "3", "--json"]).ok().out.contains("--cards"));
    assert!(with(&["check", "cards/bmr.cards"]).ok().out.contains("OK: cards/bmr.cards"));
    assert!(with(&["scenario", "scenarios/rules"]).ok().out.contains("all passed"));
    assert!(typed(&["play", "--cards", &path], "").ok().out.contains("--cards"));
    lair(&["cards", "wobbly"]).fails_with("there is no card");
}

#[test]
fn a_card_of_the_same_name_is_replaced() {
    let (_, path) = file("altar.cards", &room("ALT", "DARK ALTAR", 7));
    let card = lair(&["cards", "dark", "altar", "--cards", &path]).ok().out;
    assert!(card.contains("damage 7") && card.contains("house card"), "{card}");
    let checked = lair(&["check", &path]).ok().out;
    assert!(checked.contains("replaces the card in Master of the Dungeon"), "{checked}");
    let json = lair(&["cards", "--json", "--cards", &path]).ok().out;
    assert_eq!(json.matches("ltar\"").count() + json.matches("ALTAR\"").count(), 1);
}

#[test]
fn conflicting_card_files_are_refused() {
    let (_, a) = file("a.cards", &room("AAA", "Wobbly Floor", 2));
    let (_, b) = file("b.cards", &room("BBB", "wobbly floor", 3));
    let (_, box_) = file("box.cards", &room("BMR", "Wobbly Floor", 3));
    let (_, bad) = file("bad.cards", "set X \"X\"\nroom \"Hole\"\n  -  trap  damge 1\n");
    for command in
        [&["cards"][..], &["sim", "-n", "1"], &["play"], &["deck", "list"], &["scenario", "scenarios"]]
    {
        let with = |files: &[&str]| {
            let files = files.iter().flat_map(|file| ["--cards", file]);
            lair(&command.iter().copied().chain(files).collect::<Vec<_>>())
        };
        assert!(with(&[&a, &b]).fails_with("\"wobbly floor\" is in").out.is_empty());
        with(&[&a, &a]).fails_with("is named twice");
        with(&[&box_]).fails_with("the set BMR comes with the program");
        with(&[&bad]).fails_with("did you mean `damage`?");
        with(&["no/such.cards"]).fails_with("file not found");
    }
    lair(&["check", &a, &b]).fails_with("rename one of the two");
    lair(&["check", &a, "--cards", &b]).fails_with("rename one of the two");
    lair(&["check", &a, "--cards", &a]).ok();
}

/// The record says which files it needs, and accepts exactly those.
#[test]
fn a_game_with_homebrew_cards_is_recorded() {
    let (_, a) = file("rec-a.cards", &room("RECA", "Wobbly Floor", 2));
    let (_, b) = file("rec-b.cards", &room("RECB", "Wobbly Stairs", 2));
    let (other, c) = file("rec-c.cards", &room("RECC", "Wobbly Roof", 2));
    let save = scratch("own-game.json");
    let game = save.to_str().unwrap();
    let cards = ["--cards", &a, "--cards", &b];
    lair(&[&["play", "--seed", "4", "--seats", "minion,minion", "--save", game], &cards[..]].concat()).ok();
    let record = std::fs::read_to_string(&save).unwrap();
    assert!(record.contains("RECA") && !record.contains(env!("CARGO_TARGET_TMPDIR")), "{record}");
    for command in ["verify", "replay"] {
        lair(&[&[command, game], &cards[..]].concat()).ok();
        lair(&[command, game, "--cards", &b, "--cards", &a]).ok();
        let missing = lair(&[command, game]).fails_with("RECA \"Cards of RECA\"").err;
        assert!(missing.contains("RECB") && missing.contains("load them with --cards "), "{missing}");
        lair(&[command, game, "--cards", &a]).fails_with("rec-b.cards");
        lair(&[&[command, game, "--cards", &c], &cards[..]].concat()).fails_with("leave it out");
        // Comments and spaces may change, a card may not.
        std::fs::write(&other, room("RECB", "Wobbly Stairs", 2).replace("\n\n", "\n# Mind the gap.\n\n"))
            .unwrap();
        lair(&[command, game, "--cards", &a, "--cards", &c]).ok();
        std::fs::write(&other, room("RECB", "Wobbly Stairs", 3)).unwrap();
        lair(&[command, game, "--cards", &a, "--cards", &c]).fails_with("load them as they were");
        std::fs::write(&other, room("RECC", "Wobbly Roof", 2)).unwrap();
    }
}

/// A record from a server holds its cards: nothing else is needed to read it, and other cards in it are noticed.
#[test]
fn a_record_that_holds_its_cards_needs_no_file() {
    let text = room("HELD", "Wobbly Floor", 2);
    let (_, cards) = file("held.cards", &text);
    let save = scratch("held.json");
    let game = save.to_str().unwrap();
    lair(&["play", "--seed", "4", "--seats", "minion,minion", "--save", game, "--cards", &cards]).ok();
    let mut record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&save).unwrap()).unwrap();
    for (held, fault) in [
        (text.clone(), None),
        (room("HELD", "Wobbly Floor", 3), Some("load them as they were")),
        ("rubbish".into(), Some("own cards cannot be read")),
    ] {
        record["homebrew"][0]["text"] = held.into();
        std::fs::write(&save, record.to_string()).unwrap();
        for command in ["verify", "replay"] {
            let run = lair(&[command, game]);
            match fault {
                None => drop(run.ok()),
                Some(fault) => drop(run.fails_with(fault)),
            }
        }
    }
}

/// An interrupted game can be continued with the same cards and no others.
#[test]
fn a_game_with_homebrew_cards_is_resumed() {
    let (_, a) = file("on.cards", &room("ONE", "Wobbly Floor", 2));
    let save = scratch("own-left.json");
    let game = save.to_str().unwrap();
    let left = typed(&["play", "--seed", "4", "--save", game, "--cards", &a], "1\n").ok().out;
    assert!(left.contains(&format!("lair play --resume {game} --cards {a}")), "{left}");
    lair(&["play", "--resume", game]).fails_with("load them with --cards");
    typed(&["play", "--resume", game, "--cards", &a], "").ok();
    lair(&["verify", game, "--cards", &a]).ok();
}

/// A deck file that mentions the set decides which of its cards are in; otherwise all of them are.
#[test]
fn decks_with_homebrew_cards() {
    let two = format!(
        "{}\nroom \"Wobbly Roof\" x4\n  -  trap  damage 1  mage  house\n",
        room("OWN", "Wobbly Floor", 2)
    );
    let (_, cards) = file("deck.cards", &two);
    let shown = |text: &str| {
        let (_, deck) = file("own.deck", text);
        lair(&["deck", "check", &deck, "--cards", &cards]).ok().out
    };
    assert!(shown("deck A\nset BMR\n").contains("82 rooms"));
    assert!(shown("deck A\nset BMR\nWobbly Roof x9\n").contains("84 rooms"));
    assert!(shown("deck A\nset BMR\nset OWN\nWobbly Roof x0\n").contains("78 rooms"));
}

/// Abilities that can be used without end: at some point the bots just pass.
#[test]
fn bots_do_not_use_an_ability_forever() {
    let text = "set LOOP \"Loop\"\nroom \"Perpetual Motion\" x20\n  -  trap  damage 1  thief mage  house\n  ability\n    cost discard room in hand\n    draw room 1\n";
    let (_, path) = file("loop.cards", text);
    for bots in ["random,random", "minion,random"] {
        let over = lair(&["play", "--seats", bots, "--seed", "2", "--cards", &path]).ok().out;
        assert!(over.contains("WINS"), "{over}");
    }
}
