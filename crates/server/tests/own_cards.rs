//! Tables with a card file of their own, over the real server: made, shared by the link, played, restarted and
//! replayed; and files as nasty as they come, which are refused with a reason or play like any other.

mod test_server;

use std::time::{Duration, Instant};

use engine::record::Record;
use serde_json::{Value, json};
use server::wire::*;
use server::{Config, Limits};
use test_server::{Browser, Socket, TestServer, config};

const DENTIST: &str = r#"set HOME "My own cards"

room "Goblin Dentist" x9
  -  monster  damage 1  cleric  house
  ruling "The appointment was last week."
  when hero survives this once per turn
    draw room 1

# It replaces the one of the box, and says that it is published.
spell "Freeze" x3
  -  build adventure  published A
  play
    draw spell 1
"#;

/// A file with this card.
fn file(card: &str) -> String {
    format!("set HOME \"Mine\"\n{card}")
}

/// A room with these lines below its facts.
fn room(lines: &str) -> String {
    file(&format!("room \"Test\" x20\n  -  trap  damage 1  mage thief cleric fighter  house\n{lines}"))
}

fn table(text: &str) -> Value {
    let settings = json!({ "window_ms": 0, "cards_text": text });
    json!({ "settings": settings, "bots": ["minion"], "start": true })
}

async fn make(browser: &mut Browser, new: &Value) -> String {
    let NewTableReply { id, .. } = browser.post("/api/tables", new).await.ok().json();
    id
}

async fn check(server: &TestServer, text: &str) -> CardsCheck {
    server.browser().post("/api/cards/check", &json!({ "text": text })).await.ok().json()
}

async fn update(socket: &mut Socket) -> Update {
    socket
        .until(|message| match message {
            ServerMsg::Update(update) => Some(*update),
            ServerMsg::Refused { words, .. } | ServerMsg::Bye { words, .. } => panic!("{words}"),
            _ => None,
        })
        .await
}

/// Answers whatever is asked, until the end or for so many answers.
async fn play(socket: &mut Socket, answers: usize) -> Option<GameOver> {
    let (mut given, mut dice) = (0, 7u32);
    loop {
        let Update { seq, ask, over, .. } = update(socket).await;
        if over.is_some() || given == answers {
            return over;
        }
        if let Some(ask) = ask {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let index = (dice >> 16) % ask.legal.len() as u32;
            socket.send(&ClientMsg::Act { seq, index }).await;
            given += 1;
        }
    }
}

async fn cards(socket: &mut Socket) -> Vec<wire::CardText> {
    let start = |message| match message {
        ServerMsg::Cards { start } => Some(start.cards),
        _ => None,
    };
    socket.until(start).await
}

#[tokio::test]
async fn a_table_with_its_own_cards_is_shared_played_restarted_and_replayed() {
    let config = config();
    let data = config.data.clone();
    let server = TestServer::with(config).await;
    let (mut ann, ben) = (server.guest("Ann").await, server.guest("Ben").await);
    let settings = json!({ "window_ms": 0, "cards_text": DENTIST, "variants": ["unlimited-lives"] });
    let id = make(&mut ann, &json!({ "settings": settings, "start": true })).await;

    // Before sitting down, whoever has the link can read the cards.
    let info: TableInfo = server.browser().get(&format!("/api/tables/{id}")).await.ok().json();
    assert_eq!((info.own_cards, info.settings.cards_text), (Some(2), None));
    let own: TableCards = server.browser().get(&format!("/api/tables/{id}/cards")).await.ok().json();
    assert_eq!((own.title.as_str(), own.text.as_str()), ("My own cards", DENTIST));
    let [dentist, freeze] = &own.cards[..] else { panic!("{own:?}") };
    assert!(dentist.page.card.own && dentist.page.card.copies == 9 && dentist.replaces.is_none());
    assert_eq!((dentist.line, &dentist.page.rulings[0][..]), (3, "The appointment was last week."));
    assert_eq!((freeze.line, freeze.replaces.as_deref()), (10, Some("Master of the Dungeon")));
    server.browser().get("/api/tables/nothing/cards").await.refused(404, "no_such_table");
    let plain = make(&mut ann, &json!({})).await;
    server.browser().get(&format!("/api/tables/{plain}/cards")).await.refused(404, "no_own_cards");

    // Everybody's cards are marked, also one that replaces a card of the box and claims to be printed.
    let mut first = ann.sit(&id).await;
    let mut second = ben.sit(&id).await;
    second.send(&ClientMsg::Sit { seat: None }).await;
    for socket in [&mut first, &mut second] {
        let cards = cards(socket).await;
        let mut own: Vec<&str> = cards.iter().filter(|card| card.own).map(|card| &card.name[..]).collect();
        own.sort_unstable();
        assert_eq!(own, ["Freeze", "Goblin Dentist"]);
    }
    tokio::select! {
        over = play(&mut first, 3) => assert!(over.is_none()),
        over = play(&mut second, 3) => assert!(over.is_none()),
    }
    drop((first, second));
    server.close().await;

    // The restarted server has the same cards.
    let server = TestServer::with(Config { data, ..self::config() }).await;
    let mut ben = ben;
    ann.move_to(server.address);
    ben.move_to(server.address);
    let (mut first, mut second) = (ann.sit(&id).await, ben.sit(&id).await);
    assert_eq!(cards(&mut first).await.iter().filter(|card| card.own).count(), 2);
    let (over, _) = tokio::join!(play(&mut first, usize::MAX), play(&mut second, usize::MAX));
    let record = server.browser().get(&over.expect("the end").record).await.ok();
    let record = Record::from_json(&record.text()).expect("a record");
    assert_eq!(record.homebrew[0].text.as_deref(), Some(DENTIST));
    let held = record.own_cards().expect("the record holds its cards");
    record.check_homebrew(&held).expect("they are the same");
    let sets = cards::homebrew::add(cards::library::sets(), &held).expect("they fit");
    record.verify(&record.db(&sets).expect("its deck")).expect("it verifies");
    let replay: Replay = server.browser().get(&format!("/api/replay/{id}")).await.ok().json();
    assert!(replay.verified, "{}", replay.verdict);
    assert_eq!(replay.start.cards.iter().filter(|card| card.own).count(), 2);
    server.browser().get(&format!("/api/replay/{id}/story")).await.ok();

    // Going on from a moment of it, and another set of settings, keep the cards.
    let from = json!({ "from": format!("{id}@3"), "seat": 1, "bots": ["kobold"] });
    let again = make(&mut ann, &from).await;
    let info: TableInfo = server.browser().get(&format!("/api/tables/{again}")).await.ok().json();
    assert_eq!(info.own_cards, Some(2));
    server.close().await;
}

#[tokio::test]
async fn bots_play_with_a_tables_own_cards_to_the_end() {
    let server = TestServer::with(Config { limits: Limits::none(), ..config() }).await;
    let mut ann = server.guest("Ann").await;
    let pixels = include_str!("../../../examples/leftover-pixels.cards");
    for (text, level) in [(pixels, "minion"), (DENTIST, "mini-boss"), (pixels, "kobold")] {
        let mut new = table(text);
        new["bots"] = json!([level]);
        let id = make(&mut ann, &new).await;
        assert!(play(&mut ann.sit(&id).await, usize::MAX).await.is_some());
    }
    server.close().await;
}

#[tokio::test]
async fn the_host_changes_settings_and_the_cards_stay() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &json!({ "settings": { "cards_text": DENTIST } })).await;
    let mut socket = ann.sit(&id).await;
    let settings = Settings {
        deck: "tnl".into(),
        players: 3,
        cards_text: Some("rubbish".into()),
        ..Settings::default()
    };
    socket.send(&ClientMsg::Settings { settings: Box::new(settings) }).await;
    let table = |message| match message {
        ServerMsg::Table { table, .. } if table.settings.deck == "tnl" => Some(table),
        ServerMsg::Refused { words, .. } => panic!("{words}"),
        _ => None,
    };
    assert_eq!(socket.until(table).await.own_cards, Some(2));
    server.close().await;
}

#[tokio::test]
async fn a_draft_is_checked_and_drawn_as_far_as_it_makes_sense() {
    let server = TestServer::open().await;
    let fine = check(&server, DENTIST).await;
    assert!(fine.ok && fine.problems.is_empty() && fine.title == "My own cards");
    assert_eq!(fine.cards[0].page.card.text, ["Once per turn, when a hero survives this room, draw a room."]);
    let torn = check(&server, &DENTIST.replace("damage 1", "damge 1")).await;
    assert!(!torn.ok);
    let problem = &torn.problems[0];
    assert_eq!((problem.line, problem.column, problem.warning), (Some(4), Some(15), false));
    assert_eq!(problem.help.as_deref(), Some("did you mean `damage`?"));
    assert_eq!(torn.cards.iter().map(|card| &card.page.card.name[..]).collect::<Vec<_>>(), ["Freeze"]);
    let marked = check(&server, &format!("\u{feff}{DENTIST}")).await;
    assert!(marked.ok, "some editors begin a file with a mark: {:?}", marked.problems);
    server
        .browser()
        .post("/api/cards/check", &json!({ "text": "", "more": 1 }))
        .await
        .refused(400, "malformed");
    server.close().await;
}

/// Each is refused by the checker and when a table is made, in words that say why.
#[tokio::test]
async fn hostile_files_are_refused_with_a_reason() {
    let server = TestServer::with(Config { limits: Limits::none(), ..config() }).await;
    let mut mallory = server.guest("Mallory").await;
    let many: String = (0..130).map(|n| format!("room \"R{n}\"\n  -  trap  damage 1  house\n")).collect();
    let name = |name: &str| file(&format!("room \"{name}\"\n  -  trap  damage 1  house\n"));
    for (text, words) in [
        (String::new(), "no `set` line"),
        ("set HOME \"Nothing\"\n".into(), "has no cards"),
        ("#".repeat(70_000), "70000 bytes"),
        (file(&many), "130 different cards"),
        (file(&"(".repeat(60_000)), "too long"),
        (room(&"  ability\n    may\n".repeat(2_000)), "may"),
        (
            room(&format!(
                "  ability\n{}",
                (0..1_000).map(|n| format!("{}may\n", " ".repeat(n % 90 + 4))).collect::<String>()
            )),
            "nested too deep",
        ),
        (
            room(&format!("  ability once per turn\n    require {}you done\n", "not ".repeat(10_000))),
            "too long",
        ),
        (room("  ability once per turn\n    draw room 1000000000\n"), "too large"),
        (room("  ability once per turn\n    draw room 255\n"), "20"),
        (room("  ability\n    draw room 1\n"), "endlessly"),
        (room("  when this built\n    build room in hand\n    trigger this built\n"), ""),
        (
            room(&format!(
                "  when this built\n    if {}printed damage of it > 19\n      draw room 1\n",
                "some room in discard where ".repeat(3)
            )),
            "looks at too many cards",
        ),
        (
            room(&format!(
                "  always: this has damage + count room in discard where {}it is monster\n",
                "some room in discard where ".repeat(2)
            )),
            "looks at too many cards",
        ),
        (name(&"N".repeat(10_000)), "too long"),
        (name("N\u{0}"), "U+0000"),
        (name("Dark \u{202e}Altar"), "U+202E"),
        (name("Z\u{335}\u{336}\u{337}\u{338}"), "cannot be read"),
        (DENTIST.replace("set HOME", "set BMR"), "comes with the program"),
        (DENTIST.replace("Freeze", "Goblin Dentist"), "two cards are named"),
        ("\u{fffd}\u{fffd}".repeat(5_000), "character"),
    ] {
        let checked = check(&server, &text).await;
        assert!(!checked.ok && !checked.problems.is_empty(), "{:.80}", text);
        assert!(checked.problems.len() <= 21);
        let refused = mallory.post("/api/tables", &table(&text)).await.refused(422, "bad_cards");
        assert!(refused.contains(words), "{words}: {refused:.600}");
    }
    let huge = table(&"x".repeat(200_000));
    mallory.post("/api/tables", &huge).await.refused(413, "too_large");
    let mut raw = server.browser();
    raw.send("POST", "/api/cards/check", "{\"text\": \"\\ud800\"}").await.refused(400, "malformed");
    let many =
        (0..30).map(|n| format!("room \"R{n}\" x20\n  -  trap  damage 1  house\n")).collect::<String>();
    let words = mallory.post("/api/tables", &table(&file(&many))).await;
    assert!(words.status == 201 || words.status == 422, "{}", words.text());
    server.close().await;
}

/// Names are only text: nothing in them is code for a page, and the cards are escaped JSON.
#[tokio::test]
async fn names_are_text_and_nothing_else() {
    let server = TestServer::open().await;
    let mut mallory = server.guest("Mallory").await;
    let name = "<img src=x onerror=alert(1)>";
    let text = file(&format!(
        "room \"{name}\"\n  -  trap  damage 1  house\n  ruling \"</script><script>alert(1)</script>\"\n"
    ));
    let id = make(&mut mallory, &table(&text)).await;
    let reply = server.browser().get(&format!("/api/tables/{id}/cards")).await.ok();
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.json::<TableCards>().cards[0].page.card.name, name);
    server.close().await;
}

#[tokio::test]
async fn an_address_has_so_many_tables_with_their_own_cards() {
    let limits = Limits { own_cards_at_once: 2, ..Limits::default() };
    let server = TestServer::with(Config { limits, ..config() }).await;
    let mut mallory = server.guest("Mallory").await;
    for _ in 0..2 {
        make(&mut mallory, &json!({ "settings": { "cards_text": DENTIST } })).await;
    }
    let third = json!({ "settings": { "cards_text": DENTIST } });
    let words = mallory.post("/api/tables", &third).await.refused(429, "too_many_tables");
    assert!(words.contains("their own cards"), "{words}");
    make(&mut mallory, &json!({})).await;
    server.close().await;
}

#[tokio::test]
async fn the_server_has_so_many_tables_with_their_own_cards() {
    let limits = Limits { own_cards_in_all: 2, ..Limits::default() };
    let server = TestServer::with(Config { limits, behind_proxy: true, ..config() }).await;
    let wanted = json!({ "settings": { "cards_text": DENTIST } });
    for address in ["192.0.2.1", "192.0.2.2"] {
        make(&mut server.guest_from("Mallory", address).await, &wanted).await;
    }
    let mut other = server.guest_from("Other", "192.0.2.3").await;
    let words = other.post("/api/tables", &wanted).await.refused(503, "full");
    assert!(words.contains("their own cards"), "{words}");
    make(&mut other, &json!({})).await;
    server.close().await;
}

/// However much an address has checked, others are served at once.
#[tokio::test]
async fn checking_is_shared_fairly() {
    let rate = server::Rate { burst: 0.2, per_s: 0.001 };
    let limits = Limits { work_seconds: rate, ..Limits::default() };
    let server = TestServer::with(Config { limits, behind_proxy: true, ..config() }).await;
    let wanted = json!({ "text": file(&"room \"R\"\n  -  trap  damage 1  house\n".repeat(1_500)) });
    let mut mallory = server.browser().with("x-forwarded-for", "192.0.2.1");
    let refused = loop {
        let reply = mallory.post("/api/cards/check", &wanted).await;
        if reply.status != 200 {
            break reply;
        }
    };
    refused.refused(429, "too_fast");
    let mut other = server.browser().with("x-forwarded-for", "192.0.2.2");
    let began = Instant::now();
    other.post("/api/cards/check", &json!({ "text": DENTIST })).await.ok();
    assert!(began.elapsed() < Duration::from_secs(5));
    server.close().await;
}

/// Cards that do as much as they can, in the whole deck, with bots that use them: the game goes on or ends, and at the
/// next table nobody notices.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn wild_cards_are_no_other_tables_concern() {
    let rooms = |lines: &str| {
        let room = |n: usize| {
            format!("room \"Test {n}\" x20\n  -  trap  damage 0  mage thief cleric fighter  house\n{lines}")
        };
        file(&(0..4).map(room).collect::<String>())
    };
    let storm = "  when hero enters room in dungeon of any\n    each p = player\n      discard all card in hand of p\n      draw room 20 for p\n      draw spell 20 for p\n  when end of turn\n    each p = player\n      take all card in discard for p\n";
    let ring = "  when card in discard taken by you\n    discard card in hand\n  when room in dungeon of any destroyed or uncovered\n    take card in discard\n  when card discarded by you\n    draw room 1\n    destroy another room in dungeon\n";
    let carousel = "  when hero survives dungeon\n    move wound in scoring to entrance\n  when h = hero survives this\n    choose p = opponent\n    move h to entrance of p\n";
    let sums = "  always: room in dungeon of any has mage icon +1 while some room in discard where it is monster\n  when hero enters room in dungeon of any\n    each r = room in dungeon of any\n      if damage of r > 99\n        draw room 1\n  when this built\n    each p = player\n      draw room 20 for p\n      discard all card in hand of p\n";
    let server = TestServer::with(Config { limits: Limits::none(), ..config() }).await;
    let (mut mallory, mut ann) = (server.guest("Mallory").await, server.guest("Ann").await);
    let deck = "deck Wild\nset HOME\nbosses BMR TNL\nheroes BMR TNL\nspells BMR\n";
    let mut wild = Vec::new();
    for lines in [storm, ring, carousel, sums] {
        let settings = json!({
            "window_ms": 0, "players": 4, "deck": "wild", "deck_text": deck, "cards_text": rooms(lines),
            "variants": ["unlimited-lives"],
        });
        let new = json!({ "settings": settings, "bots": ["minion", "minion", "kobold"], "start": true });
        let id = make(&mut mallory, &new).await;
        let mut socket = mallory.sit(&id).await;
        wild.push(tokio::spawn(async move { play(&mut socket, 30).await }));
    }
    // Meanwhile an ordinary game, whose every answer is shown soon.
    let new = json!({ "settings": { "window_ms": 0 }, "bots": ["kobold"], "start": true });
    let mut longest = Duration::ZERO;
    while !wild.iter().all(tokio::task::JoinHandle::is_finished) {
        let id = make(&mut ann, &new).await;
        let mut socket = ann.sit(&id).await;
        let mut last = update(&mut socket).await;
        for _ in 0..20 {
            while last.ask.is_none() && last.over.is_none() {
                last = update(&mut socket).await;
            }
            if last.over.is_some() {
                break;
            }
            let (seq, began) = (last.seq, Instant::now());
            socket.send(&ClientMsg::Act { seq, index: 0 }).await;
            while last.seq <= seq {
                last = update(&mut socket).await;
            }
            longest = longest.max(began.elapsed());
        }
    }
    for game in wild {
        game.await.expect("the wild table answers to the end");
    }
    assert!(longest < Duration::from_secs(2), "an answer at an ordinary table took {longest:?}");
    server.close().await;
}
