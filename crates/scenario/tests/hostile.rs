//! Any text gives scenarios or faults: broken files, tables that nobody would lay, moves that make no sense.
//! Nothing panics, nothing runs forever, and the engine keeps its promises on every table it accepts.

use std::path::Path;

use scenario::{Mode, Why, parse, run};

/// A small generator of its own, so that a failure can be repeated.
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
                let why = run(db, scenario, mode).err().map(|fault| fault.why);
                let engine =
                    matches!(why, Some(Why::Broken(_) | Why::Undo(_) | Why::Twin(_) | Why::RefusalChanged));
                assert!(!engine, "{why:?}\n{text}");
            }
        }
    }
}

/// Lines of all scenarios thrown together: most are refused, some are strange but playable tables.
#[test]
fn mixed_up_scenarios_do_not_panic() {
    let db = cards::library::builtin();
    let lines = all_lines();
    let of = |kinds: &[&str]| -> Vec<&String> {
        lines.iter().filter(|line| kinds.iter().any(|kind| line.starts_with(kind))).collect()
    };
    let players = [of(&["p1"]), of(&["p2"]), of(&["p3", "p4"])];
    let extras = of(&["hero", "room deck", "spell deck", "discard", "epic", "variant", "turns", "random"]);
    let starts = of(&["at ", "window "]);
    let moves = of(&["> ", "! ", "? "]);
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

#[test]
fn impossible_tables_are_refused_in_words() {
    let db = cards::library::builtin();
    let refused = |text: &str, why: &str| {
        let fault = match parse("x.scn", text) {
            Err(fault) => fault,
            Ok(scenarios) => run(&db, &scenarios[0], Mode::Plain).unwrap_err(),
        };
        assert!(fault.to_string().contains(why), "{fault}");
    };
    refused("p1 xp 900\nat end\n", "x.scn:2: the last scenario is not closed");
    refused("p1 xp 900\nend\n", "x.scn:2: the scenario has no start");
    refused("p9 xp 900\nat end\nend\n", "x.scn:1: `p9 xp 900` is no line");
    refused("p1 xp 901\nat end\nend\n", "no boss has 901 XP");
    refused("p1 hand: Freze\nat end\nend\n", "x.scn:1: no card is called `Freze`");
    refused("p1 hand: Golem\nat end\n= p1 hand: Dark\nend\n", "could be Dark Altar or Dark Laboratory");
    refused("players 300\nat end\nend\n", "is no number");
    refused("players 9\nat end\nend\n", "too many players");
    refused("p1 souls 65535\nat end\nend\n", "too many");
    refused("hero fighter 6 in p1 Golem Factory\nat end\nend\n", "only in a `window adventure`");
    refused("p1 hand: fighter 6\nat end\nend\n", "cannot be in p1's hand");
    refused("p1 xp 900\nat end\n= p5 souls 1\nend\n", "p5 does not play");
    refused("p1 hand: Freeze\np2 dungeon: Golem Factory\nat build\nend\n", "a question is still open");
    refused("random: Freeze\nat end\nend\n", "was not used");
    refused("p1 levelled\nat deal\nend\n", "the boss of p1 cannot have levelled up before the deal");
    refused("variant crash-split\nat end\nend\n", "x.scn:1: `crash-split` belongs to the set Crash Landing");
}
