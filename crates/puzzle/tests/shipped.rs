//! The puzzles that come with the program: every one is proved again, with the cards as they are.

use std::collections::BTreeMap;

use cards::{CardDb, library};
use engine::Actions;
use puzzle::{Attempt, File, Stage, Verdict, shipped};

/// What to do about a puzzle that a change has broken.
const MEND: &str = "the cards or the rules have changed: take it out with `lair puzzle check --drop puzzles/*.puzzles`, \
    and look for others with `lair puzzle mine` (docs/puzzles.md)";

fn decks() -> BTreeMap<&'static str, CardDb> {
    let sets = library::sets();
    let mut decks = BTreeMap::new();
    for puzzle in shipped::ALL.iter() {
        decks
            .entry(puzzle.deck())
            .or_insert_with(|| puzzle.db(&sets).expect("the deck comes with the program"));
    }
    decks
}

#[test]
fn every_puzzle_still_holds() {
    let decks = decks();
    let check = |puzzle: &puzzle::Puzzle| puzzle.check(&decks[puzzle.deck()]).err();
    let broken = shipped::ALL.iter().filter_map(|puzzle| Some((puzzle.name(), check(puzzle)?)));
    let broken: Vec<String> = broken.map(|(name, why)| format!("{name}: {why}")).collect();
    assert!(broken.is_empty(), "{MEND}\n{}", broken.join("\n"));
}

#[test]
fn the_line_solves_it_and_any_other_first_answer_is_refuted() {
    let decks = decks();
    for puzzle in shipped::ALL.iter() {
        let position = puzzle.position(&decks[puzzle.deck()]).expect(MEND);
        let mut attempt = Attempt::new(puzzle, position.clone());
        while attempt.stage == Stage::Asked {
            let next = attempt.hint().expect("the line goes on");
            assert!(!attempt.answer(next).is_empty(), "{}", puzzle.name());
        }
        assert_eq!(attempt.stage, Stage::Solved, "{}", puzzle.name());

        let mut legal = Actions::new();
        position.legal(&mut legal);
        let right = |action: &&engine::Action| {
            puzzle::alike(&position, **action) == puzzle::alike(&position, puzzle.line[0].action)
        };
        let wrong = *legal.iter().find(|action| !right(action)).expect("there is something else to do");
        let mut attempt = Attempt::new(puzzle, position.clone());
        let played = attempt.answer(wrong);
        assert_eq!(attempt.stage, Stage::Failed, "{}", puzzle.name());
        // What is shown goes to the end of the turn and does not reach the goal.
        let mut judge = puzzle::Prover::new(&position, puzzle.seat, puzzle.goal, puzzle::NODES);
        let end = &played.last().expect("something happened").after;
        assert_eq!(judge.verdict(end), Verdict::Missed, "{}", puzzle.name());
    }
}

#[test]
fn an_equal_card_does_as_well() {
    let (decks, mut others) = (decks(), 0);
    for puzzle in shipped::ALL.iter() {
        let mut attempt = Attempt::new(puzzle, puzzle.position(&decks[puzzle.deck()]).expect(MEND));
        while attempt.stage == Stage::Asked {
            let next = attempt.hint().expect("the line goes on");
            let (legal, game) = (attempt.legal(), &attempt.game);
            let equal = |action: &&engine::Action| puzzle::alike(game, **action) == puzzle::alike(game, next);
            let last = *legal.iter().rfind(equal).expect("the answer itself");
            others += u32::from(last != next);
            assert!(!attempt.answer(last).is_empty(), "{}", puzzle.name());
        }
        assert_eq!(attempt.stage, Stage::Solved, "{}", puzzle.name());
    }
    assert!(others > 0, "no puzzle has two equal cards to choose from");
}

#[test]
fn every_file_is_listed_and_written_as_the_program_writes_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles");
    let files =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = files.collect();
    files.sort();
    let mut listed: Vec<&str> = shipped::FILES.iter().map(|(name, _)| *name).collect();
    listed.sort();
    assert_eq!(files, listed);
    for (name, text) in shipped::FILES {
        let file: File = text.parse().unwrap_or_else(|error| panic!("{name}, {error}"));
        assert_eq!(file.to_string(), *text, "{name}");
        assert!(file.puzzles.iter().all(|puzzle| shipped::find(&puzzle.name()) == Some(puzzle)), "{name}");
    }
}

#[test]
fn a_broken_file_says_where_and_why() {
    let (_, text) = shipped::FILES[0];
    let wrong = |from: &str, to: &str| {
        let read = text.replacen(from, to, 1).parse::<File>();
        read.err().unwrap_or_else(|| panic!("{from:?} as {to:?} was read"))
    };
    assert!(wrong("  goal p", "  gaol p").why.contains("`gaol`"));
    assert!(wrong("  moves ", "  moves jump; ").why.contains("`jump` is not a valid action"));
    assert!(wrong("  first ", "  first 9 ").why.contains("six numbers"));
    assert!(wrong("\npuzzle ", "\npuzzle x").why.contains("changed by hand"));
    assert!(wrong("\npuzzle ", "\nriddle ").why.contains("begins nothing"));
    assert!(wrong("\nmined ", "\nmined many ").why.contains("write `mined"));
}

#[test]
fn what_no_longer_holds_is_told() {
    let decks = decks();
    let puzzle = &shipped::ALL[0];
    let why = |changed: &puzzle::Puzzle| changed.check(&decks[puzzle.deck()]).unwrap_err().to_string();
    // As if a card that is used on the way had gone.
    let mut gone = puzzle.clone();
    gone.moves.push(engine::Action::TakeBack { card: engine::CardId(0) });
    assert!(why(&gone).contains("is no longer possible"), "{}", why(&gone));
    // As if another line solved it.
    let mut other = puzzle.clone();
    other.line[0].only = false;
    assert!(why(&other).contains("another line solves it now"), "{}", why(&other));
}
