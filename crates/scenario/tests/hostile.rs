//! Any text gives scenarios or errors: broken files, absurd positions, moves that make no sense.
//! Nothing panics, nothing runs forever, and the engine keeps its promises for every position it
//! accepts.

use std::path::Path;

use scenario::{Mode, Problem, parse, run};

/// A small deterministic generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn all_lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut lines = Vec::new();
    let mut folders = vec![path];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "scn") {
                lines.extend(std::fs::read_to_string(path).unwrap().lines().map(String::from));
            }
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

fn try_text(db: &cards::CardDb, text: &str) {
    if let Ok(scenarios) = parse("hostile.scn", text) {
        for scenario in &scenarios {
            for mode in [Mode::Undo, Mode::Twin] {
                let why = run(db, scenario, mode).err().map(|error| error.problem);
                let engine = matches!(
                    why,
                    Some(Problem::Broken(_) | Problem::Undo(_) | Problem::Twin(_) | Problem::RefusalChanged)
                );
                assert!(!engine, "{why:?}\n{text}");
            }
        }
    }
}

/// Lines of all scenarios mixed together: most are refused, some are strange but playable
/// positions.
#[test]
fn mixed_up_scenarios_do_not_panic() {
    let db = cards::library::builtin();
    let lines = all_lines();
    let of = |kinds: &[&str]| -> Vec<&String> {
        lines.iter().filter(|line| kinds.iter().any(|kind| line.starts_with(kind))).collect()
    };
    let players = [of(&["p1"]), of(&["p2"]), of(&["p3", "p4"])];
    let extras =
        of(&["hero", "room deck", "spell deck", "discard", "epic", "variant", "turns", "random", "shuffle"]);
    let starts = of(&["at ", "window "]);
    let moves = of(&["> ", "! ", "? ", "= "]);
    let mut dice = Dice(7);
    for _ in 0..4000 {
        let mut text = String::new();
        let mut add = |from: &[&String], dice: &mut Dice| {
            text.push_str(from[dice.below(from.len())]);
            text.push('\n');
        };
        for player in &players[..2 + dice.below(2)] {
            (0..1 + dice.below(2)).for_each(|_| add(player, &mut dice));
        }
        (0..dice.below(5)).for_each(|_| add(&extras, &mut dice));
        add(&starts, &mut dice);
        (0..dice.below(6)).for_each(|_| add(&moves, &mut dice));
        text.push_str("> all pass to end\nend\n");
        try_text(&db, &text);
    }
}

/// Characters changed, cut out and doubled.
#[test]
fn damaged_text_does_not_panic() {
    let db = cards::library::builtin();
    let lines = all_lines();
    let mut dice = Dice(11);
    for _ in 0..2000 {
        let from = dice.below(lines.len());
        let mut text: Vec<char> =
            lines[from..].iter().take(12).flat_map(|line| line.chars().chain(['\n'])).collect();
        for _ in 0..1 + dice.below(8) {
            let at = dice.below(text.len());
            match dice.below(4) {
                0 => text[at] = ['\0', '[', ']', ':', ',', '>', '9', 'é', '\u{202e}', ' '][dice.below(10)],
                1 => drop(text.drain(at..(at + dice.below(9)).min(text.len()))),
                2 => text.extend_from_within(at..(at + 20).min(text.len())),
                _ => text.insert(at, '\n'),
            }
            if text.is_empty() {
                break;
            }
        }
        text.extend("\nend\n".chars());
        try_text(&db, &text.into_iter().collect::<String>());
    }
}

/// The scenario is refused, and the message says so.
fn refused(text: &str, why: &str) {
    let error = match parse("x.scn", text) {
        Err(error) => error,
        Ok(scenarios) => run(&cards::library::builtin(), &scenarios[0], Mode::Plain).unwrap_err(),
    };
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    refused("p1 xp 900\nat end\n", "x.scn:2: the last scenario is not closed");
    refused("p1 xp 900\nend\n", "x.scn:2: the scenario has no start");
    refused("p9 xp 900\nat end\nend\n", "x.scn:1: `p9 xp 900` is not a line");
    refused("p1 xp 901\nat end\nend\n", "no boss has 901 XP");
    refused("p1 hand: Freze\nat end\nend\n", "x.scn:1: no card is called `Freze`");
    refused("p1 hand: Golem\nat end\n= p1 hand: Dark\nend\n", "could be Dark Altar or Dark Laboratory");
    refused("players 300\nat end\nend\n", "300 are too many players");
    refused("players 9\nat end\nend\n", "too many players");
    refused("p1 souls 65535\nat end\nend\n", "too many");
    refused("hero fighter 6 in p1 Golem Factory\nat end\nend\n", "only in a `window adventure`");
    refused("p1 hand: fighter 6\nat end\nend\n", "cannot be in p1's hand");
    refused("p1 xp 900\nat end\n= p5 souls 1\nend\n", "p5 does not play");
    refused("p1 hand: Freeze\np2 dungeon: Golem Factory\nat build\nend\n", "a question is still open");
    refused("random: Freeze\nat end\nend\n", "was not used");
    refused("p1 levelled\nat deal\nend\n", "the boss of p1 cannot have levelled up before the deal");
    refused("variant crash-split\nat end\nend\n", "x.scn:1: `crash-split` is part of the ruleset `crash`");
}

/// Torture Chamber makes an opponent discard a room at random.
const TORTURE: &str = "p1 xp 900 dungeon: Torture Chamber\np2 hand: Golem Factory, Mimic Vault, Freeze\n";

#[test]
fn a_script_that_cannot_be_followed_is_refused_with_a_reason() {
    let random = |line: &str| {
        format!(
            "{TORTURE}{line}\nwindow adventure, active p1\n> p1 Torture Chamber\n> all pass to end\nend\n"
        )
    };
    refused(
        &random("random: Freeze"),
        "Freeze cannot be picked at random here, only Golem Factory, Mimic Vault",
    );
    refused(&random("random: p2"), "p2 cannot be picked at random here");
    refused(&random("random: 4"), "4 cannot be picked at random here");
    refused(
        &random("random: Mimic Vault, Freeze"),
        "x.scn:7: the random pick of Freeze was not used: remove it",
    );
    refused(&random("random: Frost"), "x.scn:3: no card is called `Frost`");
    refused(&random("shuffle room deck: Dark Altar"), "the shuffle of the room deck was not used");
    refused(&random("shuffle discard: Freeze"), "x.scn:3: `discard: Freeze` is not known here");
    let draw = "p1 xp 900\nroom deck: Dark Altar\ndiscard: Golem Factory\nshuffle room deck: Open Grave\n\
                at begin\nend\n";
    refused(
        draw,
        "x.scn:5: Open Grave is not in the room deck when it is shuffled: correct the `shuffle` line",
    );
}

#[test]
fn eliminated_players_are_refused_where_nobody_can_be_out() {
    refused("p1 xp 900\np2 out\nat begin\nend\n", "at least two players must still be in the game");
    refused("players 3\np3 out\nat deal\nend\n", "p3 cannot be out before the first turn");
    refused("players 3\np3 out\nat build, active p3\nend\n", "p3 is not in the game");
    refused("p3 out entrance: mage 4\nat begin\nend\n", "p3 is out and can have no hero at the entrance");
    refused("p3 out of luck\nat begin\nend\n", "x.scn:1: `of luck` is not known here: write one of nothing");
}

#[test]
fn faulty_views_readers_and_equal_cards_are_refused_with_a_reason() {
    let fact = |line: &str| format!("p1 hand: Freeze, Dark Altar\nat end\n= {line}\nend\n");
    refused(
        &fact("p2 sees p1 hand: 2 room"),
        "x.scn:3: `2 room` is not known here: write one of a room, 2 rooms",
    );
    refused(&fact("p2 sees p1 hand: Freeze, a room"), "expected Freeze, a room, found a room, a spell");
    refused(&fact("p1 hand: a room, a spell"), "no card is called `a room`");
    refused(&fact("spectator hand: Freeze"), "write one of spectator sees");
    refused(&fact("p5 sees p1 hand: a room, a spell"), "p5 does not play: write `players 5`");
    refused(&fact("p2 reads:"), "x.scn:3: a name is missing: write a sentence of the log");
    refused(&fact("p2 reads: p1 wins."), "expected p2 to read \"p1 wins.\", found");
    refused(&fact("p2 does not read: End of turn"), "expected p2 not to read \"End of turn\", found");
    refused(&fact("removed hs Freeze"), "`removed hs Freeze` is not a fact");
    refused(&fact("removed has Freeze"), "expected Freeze in removed, found nothing");
    refused("p1 hand: the left Freeze\nat end\nend\n", "x.scn:1: `the left` points at a card on the table");
    let rooms = "p1 xp 900 dungeon: Golem Factory, Golem Factory\n";
    let third = format!("{rooms}at end\n= p1 damage the third Golem Factory 2\nend\n");
    refused(
        &third,
        "expected the third Golem Factory in the dungeon of p1, found Golem Factory, Golem Factory",
    );
    let third =
        format!("{rooms}hero mage 4 in p1 the third Golem Factory\nwindow adventure, active p1\nend\n");
    refused(&third, "the third Golem Factory is not in the dungeon of p1");
}
