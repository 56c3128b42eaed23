//! Puzzles over HTTP: the list, attempts, hints, and who has solved what.

mod test_server;

use cards::library;
use puzzle::{Attempt, Goal, Puzzle, Stage, alike, shipped};
use serde_json::{Value, json};
use server::wire::*;
use server::{Config, Limits, Rate};
use test_server::{Browser, TestServer, config};

/// Short ones, of several decks.
fn some() -> Vec<&'static Puzzle> {
    let mut found: Vec<&Puzzle> = Vec::new();
    for puzzle in shipped::ALL.iter().filter(|puzzle| puzzle.line.len() <= 12) {
        if found.iter().all(|other| other.deck() != puzzle.deck()) && found.len() < 4 {
            found.push(puzzle);
        }
    }
    found
}

/// Your answers on the line of the file as places among those possible, and the places of wrong first answers.
fn line(puzzle: &Puzzle) -> (Vec<u16>, Vec<u16>) {
    let db = puzzle.db(&library::sets()).unwrap();
    let mut attempt = Attempt::new(puzzle, puzzle.position(&db).unwrap());
    let right =
        |action: engine::Action| alike(&attempt.game, action) == alike(&attempt.game, puzzle.line[0].action);
    let legal = attempt.legal();
    let wrong = (0..).zip(legal.iter()).filter(|(_, action)| !right(**action));
    let wrong: Vec<u16> = wrong.map(|(at, _)| at).collect();
    let (mut answers, mut at) = (Vec::new(), 0);
    while attempt.stage == Stage::Asked {
        let action = puzzle.line[at].action;
        let index = attempt.legal().iter().position(|other| *other == action).expect("it is possible");
        answers.push(index as u16);
        at += attempt.answer(action).len();
    }
    (answers, wrong)
}

fn path(puzzle: &Puzzle, what: &str) -> String {
    format!("/api/puzzles/{}{what}", puzzle.name())
}

async fn attempt(browser: &mut Browser, puzzle: &Puzzle, answers: &[u16]) -> PuzzleReply {
    browser.post(&path(puzzle, "/attempt"), &json!({ "answers": answers })).await.ok().json()
}

async fn solved(browser: &mut Browser) -> Vec<String> {
    browser.get("/api/me/puzzles").await.ok().json()
}

async fn unlimited() -> TestServer {
    TestServer::with(Config { limits: Limits::none(), ..config() }).await
}

#[tokio::test]
async fn the_list_has_every_puzzle_and_tells_no_line() {
    let server = unlimited().await;
    let reply = server.browser().get("/api/puzzles").await.ok();
    assert!(reply.header("cache-control").is_some_and(|value| value.contains("public")));
    let list: Vec<PuzzleInfo> = reply.json();
    assert_eq!(list.len(), shipped::ALL.len());
    for (info, puzzle) in list.iter().zip(shipped::ALL.iter()) {
        assert_eq!((&info.name, info.deck.as_str()), (&puzzle.name(), puzzle.deck()));
        assert_eq!(info.goal == PuzzleGoal::Win, puzzle.goal == Goal::Win);
        assert!(info.seat == puzzle.seat.0 + 1 && info.seat <= info.players);
        assert!(info.turn > 0 && info.answers > 0 && info.missed <= 100, "{info:?}");
        assert!(info.boss.is_some(), "{info:?}");
    }
    let text = reply.text();
    assert!(!text.contains("\"line\"") && !text.contains("\"moves\""), "{text}");
    server.close().await;
}

#[tokio::test]
async fn the_position_has_all_hands_open() {
    let server = unlimited().await;
    for puzzle in some() {
        let position: PuzzlePosition = server.browser().get(&path(puzzle, "")).await.ok().json();
        assert_eq!(position.view.seat, Some(puzzle.seat.0 + 1));
        assert_eq!(position.names.len(), usize::from(puzzle.setup.rules.players));
        assert!(position.ask.legal.len() > 1, "something has to be found");
        for player in position.view.players.iter().filter(|player| player.playing) {
            assert_eq!(player.hand.cards.len(), player.hand.rooms + player.hand.spells);
            assert!(player.hand.cards.iter().all(|card| card.face.is_some()), "{player:?}");
            assert!(player.dungeon.iter().all(|room| room.card.face.is_some()), "{player:?}");
        }
    }
    server.close().await;
}

#[tokio::test]
async fn the_line_of_the_file_solves_it_answer_by_answer() {
    let server = unlimited().await;
    let mut ann = server.guest("Ann").await;
    for puzzle in some() {
        let (answers, _) = line(puzzle);
        for upto in 1..answers.len() {
            let reply = attempt(&mut ann, puzzle, &answers[..upto]).await;
            assert_eq!(reply.stage, PuzzleStage::Asked, "{}", puzzle.name());
            assert!(reply.ask.is_some() && reply.moves[0].seat == puzzle.seat.0 + 1);
        }
        assert!(!solved(&mut ann).await.contains(&puzzle.name()), "not before the last answer");
        let reply = attempt(&mut ann, puzzle, &answers).await;
        assert_eq!(reply.stage, PuzzleStage::Solved, "{}", puzzle.name());
        assert!(reply.ask.is_none());
        assert!(solved(&mut ann).await.contains(&puzzle.name()));
    }
    server.close().await;
}

#[tokio::test]
async fn a_wrong_answer_is_refuted_by_what_the_others_do() {
    let server = unlimited().await;
    let mut ann = server.guest("Ann").await;
    for puzzle in some() {
        let (_, wrong) = line(puzzle);
        let me = puzzle.seat.index();
        for index in wrong.iter().take(3) {
            let reply = attempt(&mut ann, puzzle, &[*index]).await;
            assert_eq!(reply.stage, PuzzleStage::Refuted, "{} {index}", puzzle.name());
            assert!(reply.ask.is_none() && !reply.moves.is_empty());
            assert!(reply.moves.iter().any(|played| !played.events.is_empty()), "nothing to be shown");
            // The turn has ended, or the game has, without the goal.
            let before: PuzzlePosition = ann.get(&path(puzzle, "")).await.ok().json();
            let ended = reply.view.turn > before.view.turn
                || reply.moves.iter().flat_map(|played| &played.events).any(|event| {
                    let kind = serde_json::to_value(event).unwrap()["kind"].clone();
                    ["game_over", "eliminated", "wins"].iter().any(|end| kind == *end)
                });
            assert!(ended, "{} {index}", puzzle.name());
            if puzzle.goal == Goal::Survive && reply.view.turn > before.view.turn {
                assert!(!reply.view.players[me].playing, "{} {index}", puzzle.name());
            }
            let after = ann.post(&path(puzzle, "/attempt"), &json!({ "answers": [index, 0] })).await;
            after.refused(400, "no_such_answer");
        }
    }
    assert!(solved(&mut ann).await.is_empty());
    server.close().await;
}

#[tokio::test]
async fn hints_lead_to_the_end_and_the_solution_has_what_must_be_found() {
    let server = unlimited().await;
    for puzzle in some() {
        let mut browser = server.browser();
        let (mut answers, mut told) = (Vec::new(), Vec::new());
        loop {
            let given = json!({ "answers": answers });
            let hint: PuzzleHint = browser.post(&path(puzzle, "/hint"), &given).await.ok().json();
            assert!(hint.kind.is_none_or(|kind| kind.ends_with('.')));
            told.push(hint.words);
            answers.push(hint.index);
            let reply = attempt(&mut browser, puzzle, &answers).await;
            assert_ne!(reply.stage, PuzzleStage::Refuted, "{}", puzzle.name());
            if reply.stage == PuzzleStage::Solved {
                break;
            }
        }
        browser
            .post(&path(puzzle, "/hint"), &json!({ "answers": answers }))
            .await
            .refused(400, "attempt_over");
        let solution: PuzzleSolution = browser.get(&path(puzzle, "/solution")).await.ok().json();
        assert_eq!(solution.line.iter().filter(|step| step.only).count(), puzzle.only());
        for step in solution.line.iter().filter(|step| step.only) {
            assert!(step.seat == puzzle.seat.0 + 1 && told.contains(&step.words), "{step:?} {told:?}");
        }
    }
    server.close().await;
}

#[tokio::test]
async fn an_answer_can_be_looked_at_and_a_card_says_why_not() {
    let server = unlimited().await;
    let puzzle = some()[0];
    let mut browser = server.browser();
    let position: PuzzlePosition = browser.get(&path(puzzle, "")).await.ok().json();
    for index in 0..position.ask.legal.len() {
        let asked = json!({ "answers": [], "index": index });
        let preview: Preview = browser.post(&path(puzzle, "/preview"), &asked).await.ok().json();
        assert_eq!((preview.seq, preview.index as usize), (0, index));
    }
    let past = json!({ "answers": [], "index": position.ask.legal.len() });
    browser.post(&path(puzzle, "/preview"), &past).await.refused(400, "no_such_answer");
    let own = &position.view.players[puzzle.seat.index()];
    let legal = serde_json::to_string(&position.ask.legal).unwrap();
    let idle = own.hand.cards.iter().find(|card| !legal.contains(&format!("\"id\":{},", card.id)));
    if let Some(idle) = idle {
        let asked = json!({ "answers": [], "card": idle.id });
        let reason: PuzzleReason = browser.post(&path(puzzle, "/why"), &asked).await.ok().json();
        assert!(!reason.words.is_empty());
    }
    let nowhere = json!({ "answers": [], "card": 60_000 });
    browser.post(&path(puzzle, "/why"), &nowhere).await.ok();
    server.close().await;
}

#[tokio::test]
async fn what_was_solved_is_remembered_for_the_person() {
    let config = Config { limits: Limits::none(), ..config() };
    let server = TestServer::with(config.clone()).await;
    let puzzle = some()[0];
    let (answers, _) = line(puzzle);
    let mut nobody = server.browser();
    nobody.get("/api/me/puzzles").await.refused(401, "no_session");
    assert_eq!(attempt(&mut nobody, puzzle, &answers).await.stage, PuzzleStage::Solved);
    let (mut ann, mut ben) = (server.guest("Ann").await, server.guest("Ben").await);
    for _ in 0..2 {
        attempt(&mut ann, puzzle, &answers).await;
    }
    assert_eq!(solved(&mut ann).await, [puzzle.name()]);
    assert!(solved(&mut ben).await.is_empty());
    // A guest who makes an account keeps them.
    ann.post("/api/account", &json!({ "name": "Ann", "passphrase": "correct horse" })).await.ok();
    assert_eq!(solved(&mut ann).await, [puzzle.name()]);
    server.close().await;
    let server = TestServer::with(config).await;
    ann.move_to(server.address);
    assert_eq!(solved(&mut ann).await, [puzzle.name()]);
    server.close().await;
}

#[tokio::test]
async fn nonsense_is_refused() {
    let server = unlimited().await;
    let mut browser = server.browser();
    let long = "x".repeat(2000);
    for name in ["nope", "bmr", "bmr-", "BMR-088BBC", "%00", "%F0%9F%90%89", "..%2f..%2fetc", &long] {
        let at = format!("/api/puzzles/{name}");
        browser.get(&at).await.refused(404, "no_such_puzzle");
        browser.get(&format!("{at}/solution")).await.refused(404, "no_such_puzzle");
        for what in ["attempt", "hint"] {
            let body = json!({ "answers": [] });
            browser.post(&format!("{at}/{what}"), &body).await.refused(404, "no_such_puzzle");
        }
    }
    let puzzle = some()[0];
    let at = path(puzzle, "/attempt");
    assert_eq!(attempt(&mut browser, puzzle, &[]).await.stage, PuzzleStage::Asked);
    for answers in [vec![9999], vec![65_535; 3], vec![0, 9999]] {
        let words = browser.post(&at, &json!({ "answers": answers })).await.refused(400, "no_such_answer");
        assert!(words.contains("begin again"), "{words}");
    }
    browser.post(&at, &json!({ "answers": vec![0; 201] })).await.refused(400, "too_many_answers");
    browser.post(&at, &json!({ "answers": vec![0; 100_000] })).await.refused(413, "too_large");
    let malformed = [
        json!({}),
        json!([]),
        json!({ "answers": "0" }),
        json!({ "answers": [-1] }),
        json!({ "answers": [1.5] }),
        json!({ "answers": [65_536] }),
        json!({ "answers": [null] }),
        json!({ "answers": [], "seat": 1 }),
    ];
    for body in &malformed {
        browser.post(&at, body).await.refused(400, "malformed");
        browser.post(&path(puzzle, "/hint"), body).await.refused(400, "malformed");
    }
    browser.post(&path(puzzle, "/preview"), &json!({ "answers": [] })).await.refused(400, "malformed");
    browser
        .post(&path(puzzle, "/why"), &json!({ "answers": [], "card": "x" }))
        .await
        .refused(400, "malformed");
    browser.send("POST", &at, "{\"answers\": [").await.refused(400, "malformed");
    let foreign = server.browser().with("origin", "https://elsewhere.example");
    foreign.clone().post(&at, &json!({ "answers": [] })).await.refused(403, "foreign_origin");
    browser.get(&at).await.refused(405, "method_not_allowed");
    server.close().await;
}

#[tokio::test]
async fn whoever_asks_for_too_much_has_to_wait() {
    let work_seconds = Rate { burst: 0.05, per_s: 0.001 };
    let limits = Limits { work_seconds, ..Limits::default() };
    let server = TestServer::with(Config { limits, behind_proxy: true, ..config() }).await;
    let puzzle = some()[0];
    let (_, wrong) = line(puzzle);
    let mut flood = server.browser().with("x-forwarded-for", "192.0.2.1");
    let body: Value = json!({ "answers": [wrong[0]] });
    let mut last = flood.post(&path(puzzle, "/attempt"), &body).await;
    for _ in 0..500 {
        if last.status != 200 {
            break;
        }
        last = flood.post(&path(puzzle, "/attempt"), &body).await;
    }
    assert!(last.header("retry-after").is_some());
    last.refused(429, "too_fast");
    // Others are not kept waiting, and the list is there for everybody.
    let mut other = server.browser().with("x-forwarded-for", "192.0.2.2");
    other.get(&path(puzzle, "")).await.ok();
    flood.get("/api/puzzles").await.ok();
    server.close().await;
}
