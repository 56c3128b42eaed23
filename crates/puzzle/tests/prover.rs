//! Small positions that a reader can check: what the prover must say of each.

use engine::Seat;
use engine::record::ActionText;
use puzzle::{Flaw, Goal, Solution, solve};

/// The position of a scenario, whose own moves do not matter, with open hands.
fn solved(text: &str, seat: u8, goal: Goal) -> Result<Vec<String>, Flaw> {
    let db = cards::library::builtin();
    let scenario = scenario::parse("puzzle.scn", text).unwrap().remove(0);
    let (state, ..) = scenario::played(&db, &scenario).unwrap();
    let mut game = engine::Game { db: &db, state };
    let seat = Seat(seat - 1);
    game.open_hands(seat);
    let words = |Solution { line, .. }: Solution| {
        let mut at = game.clone();
        let each = line.into_iter().map(|step| {
            let seat = at.decision().unwrap().seat;
            let names = ["p1".to_string(), "p2".to_string()];
            let reader = engine::tell::Reader::Replay;
            let words = engine::tell::action(&at, &names[..], reader, step.action);
            at.apply(step.action, &mut ())
                .unwrap_or_else(|error| panic!("{}: {error}", ActionText(step.action)));
            format!("{seat} {words}{}", if step.only { "!" } else { "" })
        });
        each.collect()
    };
    solve(&game, seat, goal).map(words)
}

/// A fighter with 6 health walks through one room with 3 damage; p1 has nine souls. Any second spell of 3 damage kills it.
const ONE_SPELL: &str = "
# One spell more.
p1 xp 900   dungeon: Golem Factory   hand: HAND   souls 9
p1 entrance: fighter 4
p2 xp 500   hand: ANSWER
window adventure, active p1
> all pass to end
end
";

fn with(hand: &str, answer: &str) -> String {
    ONE_SPELL.replace("HAND", hand).replace("ANSWER", answer)
}

#[test]
fn probe() {
    for (hand, answer) in [
        ("Kobold Strike", ""),
        ("Kobold Strike", "Counterspell"),
        ("Annihilator", ""),
        ("Fear", ""),
        ("Zombie Attack", ""),
        ("Freeze", ""),
        ("Assassin", ""),
        ("Giant Size", ""),
        ("Exhaustion", ""),
        ("Giant Size, Giant Size", ""),
        ("Giant Size, Annihilator", ""),
        ("Giant Size", "Counterspell"),
        ("Giant Size, Counterspell", "Counterspell"),
        ("Giant Size", "Freeze"),
    ] {
        println!("{hand} / {answer}: {:?}", solved(&with(hand, answer), 1, Goal::Win));
    }
}
