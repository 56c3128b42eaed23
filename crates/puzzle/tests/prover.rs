//! Small positions that a reader can check: what the prover must say of each.

use engine::Seat;
use engine::tell::{self, Reader};
use puzzle::{Flaw, Goal, solve};

/// The line that solves the position of a scenario for p1, in words. Hands are open.
fn solved(text: &str, goal: Goal) -> Result<Vec<String>, Flaw> {
    let db = cards::library::builtin();
    let scenario = scenario::parse("puzzle.scn", text).unwrap_or_else(|error| panic!("{error}")).remove(0);
    let (state, ..) = scenario::played(&db, &scenario).unwrap_or_else(|error| panic!("{error}"));
    let mut game = engine::Game { db: &db, state };
    game.open_hands(Seat(0));
    let solution = solve(&game, Seat(0), goal)?;
    let names = ["p1".to_string(), "p2".to_string()];
    let each = solution.line.into_iter().map(|step| {
        let seat = game.decision().expect("somebody is asked").seat;
        let words = tell::action(&game, &names[..], Reader::Replay, step.action);
        game.apply(step.action, &mut ()).expect("the line is legal");
        format!("{seat} {words}{}", if step.only { "!" } else { "" })
    });
    Ok(each.collect())
}

/// A hero stands before p1's dungeon, whose only room is a monster room that deals 2.
fn before_the_factory(p1: &str, hero: &str, p1_hand: &str, p2_hand: &str) -> String {
    format!(
        "# A hero and a Golem Factory.
p1 xp 900   dungeon: Golem Factory   hand: {p1_hand}   {p1}
p1 entrance: {hero}
p2 xp 500   hand: {p2_hand}
room deck: Dark Altar, Open Grave, Golem Factory
spell deck: Motivation, Jeopardy, Princess in Peril
hero deck: mage 4, mage 4
window adventure, active p1
> all pass to end
end
"
    )
}

/// One soul more, and p1 wins; the hero has 4 health.
fn last_soul(p1_hand: &str, p2_hand: &str) -> String {
    before_the_factory("souls 9", "fighter 4", p1_hand, p2_hand)
}

#[test]
fn one_spell_does_it() {
    let line = solved(&last_soul("Giant Size", ""), Goal::Win);
    assert_eq!(line.unwrap(), ["p1 cast Giant Size!", "p1 p1's Golem Factory"]);
}

#[test]
fn you_can_throw_it_away_later() {
    // After Giant Size, Fear would send the hero home.
    let line = solved(&last_soul("Giant Size, Fear", ""), Goal::Win);
    assert_eq!(line.unwrap(), ["p1 cast Giant Size!", "p1 p1's Golem Factory", "p1 pass!"]);
}

#[test]
fn no_answer_works() {
    assert_eq!(solved(&last_soul("Exhaustion", ""), Goal::Win), Err(Flaw::NoSolution));
    assert_eq!(solved(&last_soul("Freeze", ""), Goal::Win), Err(Flaw::NoSolution));
}

#[test]
fn an_answer_refutes_it() {
    for refutes in ["Counterspell", "Freeze", "Fear"] {
        let verdict = solved(&last_soul("Giant Size", refutes), Goal::Win);
        assert_eq!(verdict, Err(Flaw::NoSolution), "{refutes}");
    }
    // Two spells are one more than a Counterspell stops.
    assert!(solved(&last_soul("Giant Size, Giant Size", "Counterspell"), Goal::Win).is_ok());
}

#[test]
fn the_line_meets_the_best_reply() {
    let line = solved(&last_soul("Giant Size, Counterspell", "Fear"), Goal::Win).unwrap();
    assert_eq!(line[..3], ["p1 cast Giant Size!", "p1 p1's Golem Factory", "p1 pass!"]);
    assert!(
        line.contains(&"p2 cast Fear".into()) && line.contains(&"p1 cast Counterspell!".into()),
        "{line:?}"
    );
}

#[test]
fn nothing_to_find_is_no_puzzle() {
    // Teleportation sends the hero through the room again, now or later.
    let verdict = solved(&last_soul("Giant Size, Teleportation", ""), Goal::Win);
    assert_eq!(verdict, Err(Flaw::NothingToFind));
    assert_eq!(solved(&last_soul("Giant Size", ""), Goal::Survive), Err(Flaw::NothingToFind));
}

#[test]
fn two_solutions_are_no_puzzle() {
    // The hero is in the room with 2 of 4 damage, and a fifth wound is too many. Fear sends it home; Teleportation
    // sends it through the room again.
    let one = before_the_factory("wounds 4", "fighter 4", "Fear", "");
    let line = solved(&one, Goal::Survive).unwrap();
    assert_eq!(line[0], "p1 cast Fear!");
    let two = before_the_factory("wounds 4", "fighter 4", "Fear, Teleportation", "");
    assert!(matches!(solved(&two, Goal::Survive), Err(Flaw::Several(both)) if both.len() == 2));
}

#[test]
fn what_chance_decides_is_no_solution() {
    // Soul Harvest pays a soul for two spells, which may be anything.
    assert_eq!(solved(&last_soul("Soul Harvest", ""), Goal::Win), Err(Flaw::NoSolution));
    // And where it is worth a try beside a spell that wins, too much is left open.
    assert_eq!(solved(&last_soul("Giant Size, Soul Harvest", ""), Goal::Win), Err(Flaw::Chance));
}
