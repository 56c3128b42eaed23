//! Whole games through standard input, records, and what players may see.

mod common;

use common::{Ran, lair, scratch, typed};

/// Enough answers for any game.
fn eager() -> String {
    "1 1\n".repeat(3000)
}

fn play(args: &[&str], lines: &str) -> Ran {
    typed(&[&["play"], args].concat(), lines)
}

#[test]
fn a_whole_game_is_played_recorded_told_and_verified() {
    let file = scratch("game.json");
    let path = file.to_str().unwrap();
    let game = play(&["--seed", "3", "--names", "Ann", "--save", path], &eager()).ok().out;
    assert!(game.contains("WINS"), "{game}");
    for part in ["Heroes", "Build a room, use a card, or pass?", "souls", "[ADVENTURE]"] {
        assert!(game.contains(part), "{part}");
    }
    assert!(lair(&["verify", path]).ok().out.starts_with("verified:"));
    let promised = "9b74c9897bac770ffc029102a200c5de2b7a4b4b6f3b4c7f3a0c7c1f6e6d9a11";
    lair(&["verify", path, "--commitment", promised]).fails_with("no fairness part");
    lair(&["verify", path, "--commitment", "9b74"]).refused_with("64 hexadecimal digits");
    let story = lair(&["replay", path]).ok().out;
    assert!(story.contains("Turn 1") && story.contains("Ann places") && story.contains("wins"), "{story}");
    lair(&["play", "--resume", path]).fails_with("this game is over");
}

#[test]
fn two_to_four_players_and_all_variants() {
    for seats in ["you,minion", "you,random,greedy", "kobold,you,you,random", "minion,kobold"] {
        for variant in ["classic", "hard,machinations", "choose-boss,classic,machinations,hard"] {
            let game = play(&["--seed", "8", "--seats", seats, "--variant", variant], &eager()).ok();
            assert!(game.out.contains("WINS"), "{seats} {variant}");
        }
    }
}

#[test]
fn five_and_six_players_with_two_boxes() {
    for seats in ["you,greedy,minion,kobold,random", "minion,you,you,random,random,greedy"] {
        let game = play(
            &["--seed", "8", "--seats", seats, "--deck", "mash-up", "--variant", "unlimited-lives,hard"],
            &eager(),
        );
        let said = game.ok().out;
        assert!(said.contains("WINS") && said.contains("the most souls minus wounds wins"), "{seats}");
        assert!(!said.contains("/10") && said.lines().all(|line| line.chars().count() <= 80), "{said}");
    }
}

/// A record of a game with a custom deck needs nothing but itself.
#[test]
fn a_custom_deck_is_played_recorded_resumed_and_verified() {
    let (deck, file) = (scratch("Friday Night.deck"), scratch("friday.json"));
    let path = file.to_str().unwrap();
    std::fs::write(&deck, "deck Friday night\nset BMR\nGoblin Armory x9\nRobobo x0\n").unwrap();
    let args = ["--seed", "3", "--deck", deck.to_str().unwrap(), "--save", path];
    let left = play(&args, "1\n1 1\n").ok().out;
    assert!(left.contains("friday-night@"), "{left}");
    std::fs::remove_file(&deck).unwrap();
    play(&["--resume", path], &eager()).ok();
    lair(&["verify", path]).ok();
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(record.contains("Goblin Armory x9") && !record.contains(env!("CARGO_TARGET_TMPDIR")), "{record}");
    let other = scratch("other.json");
    std::fs::write(&other, record.replace("Armory x9", "Armory x8")).unwrap();
    lair(&["verify", other.to_str().unwrap()]).fails_with("its setup names");
}

/// The options a game prints are enough to deal it again.
#[test]
fn the_printed_options_reproduce_the_game() {
    let first = play(&["--players", "3", "--variant", "hard,classic"], "").ok().out;
    let line = first.lines().find(|line| line.contains("--seed")).unwrap().trim();
    assert!(line.starts_with("--players 3 --deck bmr --variant classic,hard --seed "), "{line}");
    let again = play(&line.split(' ').collect::<Vec<_>>(), "").ok().out;
    assert_eq!(first, again);
}

#[test]
fn the_end_of_the_input_ends_the_game_politely() {
    let nothing = play(&["--seed", "3"], "").ok().out;
    assert!(nothing.contains("Goodbye"), "{nothing}");
    let file = scratch("left.json");
    let path = file.to_str().unwrap();
    let left = play(&["--seed", "3", "--save", path], "1\n1 1\n").ok().out;
    assert!(left.contains(&format!("lair play --resume {path}")), "{left}");
    assert!(lair(&["verify", path]).ok().out.contains("not over"));
    let on = play(&["--resume", path], &eager()).ok().out;
    assert!(on.contains("WINS"), "{on}");
    lair(&["verify", path]).ok();
}

/// Without any options: a game for two.
#[test]
fn it_starts_without_options() {
    let game = typed(&["play"], "quit\n").ok().out;
    assert!(game.contains("LAIR") && game.contains("Imp") && game.contains("Goodbye"), "{game}");
}

#[test]
fn undo_goes_back_to_the_same_question() {
    let start = play(&["--seed", "3"], "").ok().out;
    let question = start.lines().rev().find(|line| line.contains("1-")).unwrap().to_string();
    let back = play(&["--seed", "3"], "1\nundo\n").ok().out;
    assert!(back.contains("Taken back."), "{back}");
    assert!(back.lines().rev().any(|line| line == question), "{back}");
    let first = play(&["--seed", "3"], "undo\n").ok().out;
    assert!(first.contains("nothing to take back"), "{first}");
    let two = play(&["--seed", "3", "--seats", "you,you"], "1\nundo\n").ok().out;
    assert!(two.contains("You cannot take back a move"), "{two}");
}

#[test]
fn a_game_with_undo_verifies() {
    let file = scratch("undone.json");
    let path = file.to_str().unwrap();
    let lines = "1 1\n1 1\nundo\nundo\n2 1\n1 1\n".repeat(400);
    play(&["--seed", "4", "--save", path], &lines).ok();
    lair(&["verify", path]).ok();
}

#[test]
fn commands_during_a_game() {
    let lines = "?\n? bottomless pit\n? 1\n? nonsense\nhand\nboard\nd\nlog\nlog all\n0\n99\nblargh\ny\n-1\n\u{0}\u{1}\nquit\n";
    let said = play(&["--seed", "3"], lines).ok().out;
    for part in [
        "back to your previous decision",
        "Destroy this room: kill a hero in it.",
        "Rulings",
        "there is no card `nonsense`",
        "Discard pile:",
        "There is no choice 0.",
        "There is no choice 99.",
        "I do not understand that.",
        "not a yes-or-no question",
        "Goodbye",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn nothing_is_wider_than_eighty_columns() {
    for seats in ["you,minion", "you,minion,kobold,greedy"] {
        let said = play(&["--seed", "21", "--seats", seats], &("?\n".to_string() + &eager())).ok().out;
        for line in said.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// Two people at one keyboard: neither is told what the other drew or placed.
#[test]
fn people_see_only_their_own_cards() {
    let said = play(&["--seed", "9", "--seats", "you,you"], &eager()).ok().out;
    let mut reader = "";
    let mut heard = 0;
    for line in said.lines() {
        match line {
            "── p1 ──" => reader = "p1",
            "── p2 ──" => reader = "p2",
            _ => {}
        }
        let other = if reader == "p1" { "p2" } else { "p1" };
        for act in ["draws", "places"] {
            if let Some(what) = line.trim_start().strip_prefix(&format!("· {other} {act} ")) {
                heard += 1;
                let blank = ["a room card", "a spell"].iter().any(|back| what.starts_with(back))
                    || what.starts_with(|c: char| c.is_ascii_digit());
                assert!(blank, "{reader} was told: {line}");
            }
        }
    }
    assert!(heard > 10, "{said}");
}

#[test]
fn a_replay_as_one_player_hides_the_other_hand() {
    let file = scratch("eyes.json");
    let path = file.to_str().unwrap();
    play(&["--seed", "5", "--names", "Ann,Bo", "--save", path], &eager()).ok();
    let all = lair(&["replay", path]).ok().out;
    let ann = lair(&["replay", path, "--as", "p1"]).ok().out;
    let nobody = lair(&["replay", path, "--as", "nobody"]).ok().out;
    assert!(!all.contains("draws a room card"));
    assert!(ann.contains("Bo draws a room card.") && !ann.contains("Ann draws a room card."), "{ann}");
    assert!(
        nobody.contains("Ann draws a room card.") && nobody.contains("Bo draws a room card."),
        "{nobody}"
    );
    lair(&["replay", path, "--as", "p3"]).refused_with("no p3 in this game: it has 2 players");
}

#[test]
fn damaged_records_are_refused() {
    let file = scratch("sound.json");
    let path = file.to_str().unwrap();
    play(&["--seed", "6", "--save", path], &eager()).ok();
    let sound = std::fs::read_to_string(&file).unwrap();
    let bad = scratch("bad.json");
    let check = |text: &str, reason: &str| {
        std::fs::write(&bad, text).unwrap();
        let ran = lair(&["verify", bad.to_str().unwrap()]).fails_with(reason);
        assert!(ran.out.is_empty() && ran.err.contains("bad.json"), "{}", ran.err);
        lair(&["replay", bad.to_str().unwrap()]).fails_with(reason);
    };
    check("", "this is not a valid game record");
    check("hello", "this is not a valid game record");
    check("{\"name\": \"something\", \"version\": \"1.0\"}", "this is not a valid game record");
    check("{\"format\": \"chess game\", \"version\": 1}", "not a \"lair game\"");
    check(&sound[..sound.len() / 2], "this is not a valid game record");
    let version = format!("\"version\": {}", engine::record::VERSION);
    check(&sound.replacen(&version, "\"version\": 99", 1), "version 99");
    check(&sound.replacen("--seed", "--variant soft --seed", 1), "`soft`");
    check(&sound.replacen("--deck bmr", "--deck bwr", 1), "`bwr` does not come with this program");
    check(&sound.replacen("--seed 6", "--seed 48879", 1), "were changed after the game");
    check(&sound.replacen("\"name\": \"p1\"", "\"name\": \"p7\"", 1), "names were changed after the game");
    let hash = sound.find("\"cards\": \"").unwrap() + 10;
    let mut other = sound.clone();
    other.replace_range(hash..hash + 4, if sound[hash..].starts_with("0000") { "1111" } else { "0000" });
    check(&other, "other cards");
    let winner = sound.find("\"winner\": ").unwrap() + 10;
    let mut other = sound.clone();
    other.replace_range(winner..winner + 1, if &sound[winner..winner + 1] == "1" { "2" } else { "1" });
    check(&other, "the record says the game ended with");
}

#[test]
fn a_file_that_cannot_be_saved_is_reported() {
    let ran = play(&["--seed", "3", "--save", "no/such/folder/game.json"], "1\n");
    ran.fails_with("cannot save to no/such/folder/game.json");
}
