//! Small positions that a reader can check: what the prover must say of each.

use engine::Seat;
use engine::tell::{self, Reader};
use puzzle::{Flaw, Goal, solve};

/// The position of a scenario with open hands, and the line that solves it, in words.
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

/// A fighter with 4 health is about to enter a monster room that deals 2; one soul more and p1 wins.
fn last_soul(hand: &str, answer: &str) -> String {
    format!(
        "# The last soul.
p1 xp 900   dungeon: ROOM   hand: {hand}   souls 9
p1 entrance: fighter 4
p2 xp 500   hand: {answer}
room deck: Dark Altar, Open Grave, Golem Factory
spell deck: Motivation, Jeopardy, Princess in Peril
hero deck: mage 4, mage 4
window adventure, active p1
> all pass to end
end
"
    )
    .replace("ROOM", "Golem Factory")
}

#[test]
fn one_spell_does_it() {
    for hand in ["Giant Size", "Giant Size, Teleportation", "Giant Size, Fear", "Giant Size, Soul Harvest"] {
        println!("{hand}: {:?}", solved(&last_soul(hand, ""), Goal::Win));
        println!("{hand}: {:?}", solved(&last_soul(hand, ""), Goal::Survive));
    }
    for (hand, answer) in [("Giant Size, Counterspell", "Counterspell"), ("Giant Size, Counterspell", "Freeze"), ("Giant Size", "Counterspell"), ("Giant Size, Giant Size", ""), ("Giant Size, Exhaustion", ""),("Giant Size, Counterspell", "Fear"), ("Giant Size, Giant Size", "Counterspell")] {
        println!("{hand} / {answer}: {:?}", solved(&last_soul(hand, answer), Goal::Win));
    }
}
