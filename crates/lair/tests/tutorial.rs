//! The games of the tutorial: played by the engine from `scenarios/tutorial/*.scn`, written down as the server would send
//! them to the learner. `UPDATE_EXPECT=1 cargo test -p lair --test tutorial` writes it again.

use std::collections::HashMap;
use std::path::Path;

use cards::CardDb;
use engine::tell::Reader;
use engine::{Action, Ending, Event, Game, Seat, What};
use serde_json::{Value, json};
use server::wire::{Preview, Undo, UndoAllowed, Update, WaitingFor, YourQuestion};
use wire::{Choice, Decision, Start, Table, seat_number};

const LEARNER: Seat = Seat(0);

/// A course of the tutorial.
struct Course {
    /// Its file, and that of what the learner is sent.
    name: &'static str,
    /// Its boxes alone: of other cards there is nothing to see.
    db: fn() -> CardDb,
    /// How many turns have been played before each chapter.
    earlier: &'static [u16],
}

const COURSES: &[Course] = &[
    Course { name: "first-game", db: cards::library::base, earlier: &[0, 9] },
    Course { name: "items", db: || deck("bmr-thk"), earlier: &[3, 4] },
    Course { name: "minibosses", db: || deck("rmb"), earlier: &[4, 6] },
    Course { name: "super", db: || deck("sbm"), earlier: &[3, 5] },
    Course { name: "solo", db: || deck("sbm-solo"), earlier: &[3, 7] },
];

fn deck(name: &str) -> CardDb {
    let sets = cards::library::sets();
    cards::library::deck(name, &sets).unwrap().compile(&sets).unwrap()
}

fn names() -> Vec<String> {
    vec!["You".into(), "Kobold".into()]
}

#[test]
fn the_games_of_the_tutorial_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for Course { name, db, earlier } in COURSES {
        let (chapters, errors, _) = scenario::read_path(&root.join(format!("scenarios/tutorial/{name}.scn")));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(chapters.len(), earlier.len(), "{name}: a chapter too many, or too few");
        let db = db();
        let chapters = chapters.iter().zip(*earlier).map(|(scenario, turns)| chapter(&db, scenario, *turns));
        let game = json!({ "chapters": chapters.collect::<Vec<_>>() });
        let fresh = serde_json::to_string(&game).unwrap() + "\n";
        let file = root.join(format!("web/src/gen/lessons/{name}.json"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, fresh).unwrap();
            continue;
        }
        let stored = std::fs::read_to_string(&file).unwrap_or_default();
        let file = file.display();
        assert!(stored == fresh, "{file} is stale: run UPDATE_EXPECT=1 cargo test -p lair --test tutorial");
    }
}

/// What the learner is sent: the cards, then an update for every question they answer, and one for the end.
fn chapter(db: &CardDb, scenario: &scenario::Scenario, turns: u16) -> Value {
    let (first, mut unsent, steps) = scenario::played(db, scenario).unwrap();
    let start = Start { last_turn: None, ..Start::of(&Game { db, state: first }.view(Some(LEARNER))) };
    let mut moments: Vec<Value> = Vec::new();
    if turns > 0 {
        // The table is shown as it is.
        unsent.clear();
    }
    for step in &steps {
        let game = Game { db, state: step.before.clone() };
        let asked = game.decision().is_some_and(|decision| decision.seat == LEARNER);
        if asked && step.written {
            let seq = moments.len() as u32 + 1;
            let preview = preview(&game, seq, step.action);
            moments.push(json!({
                "update": update(&game, &unsent, seq, turns, Some(step.action)),
                "preview": preview,
            }));
            unsent.clear();
        }
        // A chapter that stops is not the end of the game.
        let stops = |event: &&Event| matches!(event.what, What::GameOver { reason: Ending::Stopped, .. });
        unsent.extend(step.events.iter().filter(|event| !stops(event)));
    }
    let end = Game { db, state: steps.last().unwrap().after.clone() };
    moments.push(json!({ "update": update(&end, &unsent, moments.len() as u32 + 1, turns, None) }));
    let (mut moments, mut faces) = (Value::from(moments), HashMap::new());
    renumber(&mut moments, &mut faces);
    // Of all cards, those that are seen.
    let mut cards = start.cards.clone();
    cards.retain_mut(|card| {
        let number = faces.get(&u64::from(card.face));
        number.map(|number| card.face = *number as u16).is_some()
    });
    json!({ "start": Start { cards, ..start }, "moments": moments })
}

fn update(game: &Game, events: &[Event], seq: u32, turns: u16, answer: Option<Action>) -> Update {
    let (view, reader) = (game.view(Some(LEARNER)), Reader::Seat(LEARNER));
    let (table, names) = (Table::of(&view), &names()[..]);
    let seat = seat_number(LEARNER);
    Update {
        seq,
        fresh: seq == 1,
        view: Table { turn: table.turn + turns, ..table },
        events: wire::Event::all(game.db, names, reader, events),
        waiting: answer.map(|_| WaitingFor { seat, window: false, left_ms: None, held: false }),
        // The one answer that the tutorial asks for.
        ask: answer.map(|answer| YourQuestion {
            decision: Decision::of(view.table(), names, reader, view.decision().unwrap()),
            legal: vec![Choice::of(view.table(), names, reader, answer)],
            armed: None,
        }),
        armable: Vec::new(),
        undo: Undo { allowed: UndoAllowed::No, words: "In the tutorial you only go forward.".into() },
        over: None,
    }
}

fn preview(game: &Game, seq: u32, action: Action) -> Preview {
    let outlook = bots::outlook(&game.view(Some(LEARNER)), &names()[..], action);
    let (words, warning, after) =
        outlook.map_or_else(Default::default, |it| (it.words, it.warning, it.after));
    let view = after.map(|after| Table::of(&after.view(Some(LEARNER))));
    Preview { seq, index: 0, words, warning, view }
}

/// Faces are counted as they come, so that a new box changes nothing here.
fn renumber(value: &mut Value, faces: &mut HashMap<u64, usize>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| renumber(value, faces)),
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match value.as_u64().filter(|_| key == "face") {
                    Some(face) => {
                        let next = faces.len();
                        *value = (*faces.entry(face).or_insert(next)).into();
                    }
                    None => renumber(value, faces),
                }
            }
        }
        _ => {}
    }
}
