//! People over HTTP: their names, their sessions, guessing at them, and pages that pretend to be ours.

mod test_server;

use serde_json::{Value, json};
use server::wire::*;
use server::{Config, Limits, Rate};
use test_server::{Browser, TestServer, config};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

fn account(name: &str, passphrase: &str) -> Value {
    json!({ "name": name, "passphrase": passphrase })
}

async fn name(browser: &mut Browser) -> Option<String> {
    browser.get("/api/me").await.ok().json::<Me>().name
}

async fn signed_in(server: &TestServer, name: &str) -> Browser {
    let mut browser = server.browser();
    browser.post("/api/sign-in", &account(name, "correct horse")).await.ok();
    browser
}

async fn unlimited() -> TestServer {
    TestServer::with(Config { limits: Limits::none(), ..config() }).await
}

#[tokio::test]
async fn names_have_one_spelling_and_accounts_do_not_look_alike() {
    let server = unlimited().await;
    let me: Me =
        server.browser().post("/api/guest", &json!({ "name": "Ａnn\u{a0} of  Lee" })).await.ok().json();
    assert_eq!(me.name.as_deref(), Some("Ann of Lee"));
    for bad in ["a\u{200d}b", "a\u{fe0f}b", "a\u{34f}b", "Аnn", "\u{2800}", "🐉", "<b>x</b>"] {
        server.browser().post("/api/guest", &json!({ "name": bad })).await.refused(422, "bad_name");
        server.browser().post("/api/account", &account(bad, "correct horse")).await.refused(422, "bad_name");
    }
    server.browser().post("/api/account", &account("Alice", "correct horse")).await.ok();
    for alike in ["ALICE", "AIice", "Al1ce", "A-lice"] {
        server
            .browser()
            .post("/api/account", &account(alike, "correct horse"))
            .await
            .refused(409, "name_taken");
    }
    server.browser().post("/api/account", &account("Alicia", "correct horse")).await.ok();
    server.close().await;
}

#[tokio::test]
async fn common_passphrases_are_refused() {
    let server = unlimited().await;
    for bad in ["password", "Password1", "12345678", "iloveyou", "aaaaaaaa", "Ann of Lee"] {
        let words = server
            .browser()
            .post("/api/account", &account("Ann of Lee", bad))
            .await
            .refused(422, "bad_passphrase");
        assert!(words.contains("guess"), "{words}");
    }
    server.browser().post("/api/account", &account("Ann of Lee", "correct horse")).await.ok();
    server.close().await;
}

/// Whoever knows a guest's cookie does not get the account.
#[tokio::test]
async fn an_account_replaces_the_guests_cookie() {
    let server = unlimited().await;
    let mut ann = server.guest("Ann").await;
    let mut thief = ann.clone();
    assert_eq!(name(&mut thief).await.as_deref(), Some("Ann"));
    let table: NewTableReply = thief.post("/api/tables", &json!({})).await.ok().json();
    let mut socket = thief.sit(&table.id).await;
    ann.post("/api/account", &account("Ann", "correct horse")).await.ok();
    assert_eq!(name(&mut ann).await.as_deref(), Some("Ann"));
    assert_ne!(ann.cookie, thief.cookie);
    assert_eq!(name(&mut thief).await, None);
    thief.get("/api/sessions").await.refused(401, "no_session");
    assert_eq!(goodbye(&mut socket).await, CloseReason::SignedOut);

    // Signing in replaces a session as well.
    let mut guest = server.guest("Bob").await;
    let before = guest.clone();
    guest.post("/api/sign-in", &account("Ann", "correct horse")).await.ok();
    assert_eq!(name(&mut before.clone()).await, None);
    server.close().await;
}

async fn goodbye(socket: &mut test_server::Socket) -> CloseReason {
    let said = |message| match message {
        ServerMsg::Bye { code, .. } => Some(code),
        _ => None,
    };
    socket.until(said).await
}

#[tokio::test]
async fn sessions_are_listed_and_revoked() {
    let server = unlimited().await;
    let mut ann = server.browser();
    ann.post("/api/account", &account("Ann", "correct horse")).await.ok();
    let mut bob = server.guest("Bob").await;
    let mut fox = server.browser().with("user-agent", FIREFOX);
    fox.post("/api/sign-in", &account("Ann", "correct horse")).await.ok();
    let mut third = signed_in(&server, "Ann").await;

    let list: Vec<SessionInfo> = ann.get("/api/sessions").await.ok().json();
    assert_eq!(list.len(), 3);
    assert_eq!(list.iter().filter(|session| session.current).count(), 1);
    assert!(list.iter().all(|session| session.began > 0 && session.seen >= session.began));
    let of_fox = list.iter().find(|session| session.about == "Firefox on Linux").expect("it says which");
    let revoke = |id: &str| json!({ "session": id });

    // Nobody else can, and an unknown one is said to be.
    bob.post("/api/sessions/revoke", &revoke(&of_fox.id)).await.refused(404, "no_such_session");
    for unknown in ["", "zz", "0", "-1"] {
        ann.post("/api/sessions/revoke", &revoke(unknown)).await.refused(404, "no_such_session");
    }
    let table: NewTableReply = fox.post("/api/tables", &json!({})).await.ok().json();
    let (mut cut, mut stays) = (fox.sit(&table.id).await, ann.sit(&table.id).await);
    stays.until(|message| matches!(message, ServerMsg::Welcome { .. }).then_some(())).await;
    let left: Vec<SessionInfo> = ann.post("/api/sessions/revoke", &revoke(&of_fox.id)).await.ok().json();
    assert_eq!(left.len(), 2);
    assert_eq!(name(&mut fox).await, None);
    assert_eq!(goodbye(&mut cut).await, CloseReason::SignedOut, "an open table is closed as well");
    stays.send(&ClientMsg::Chat { text: "still here".into() }).await;
    stays.until(|message| matches!(message, ServerMsg::Chat { .. }).then_some(())).await;

    let left: Vec<SessionInfo> = ann.post("/api/sessions/revoke", &revoke("others")).await.ok().json();
    assert!(left.len() == 1 && left[0].current);
    assert_eq!((name(&mut third).await, name(&mut ann).await.as_deref()), (None, Some("Ann")));
    assert_eq!(name(&mut bob).await.as_deref(), Some("Bob"));

    // Signing out ends the session, not just the cookie.
    let mut copy = ann.clone();
    ann.post("/api/sign-out", &Value::Null).await.ok();
    assert_eq!(name(&mut copy).await, None);
    server.close().await;
}

#[tokio::test]
async fn a_guessed_name_does_not_lock_its_owner_out() {
    let config = config();
    let (sign_ins, sign_ins_per_name) = (Rate::new(5, 0.001), Rate::new(3, 0.001));
    let limits = Limits { sign_ins, sign_ins_per_name, ..config.limits };
    let server = TestServer::with(Config { limits, behind_proxy: true, ..config }).await;
    let from = |address: &str| server.browser().with("x-forwarded-for", address);
    let mut home = from("192.0.2.200");
    home.post("/api/account", &account("Ann", "correct horse")).await.ok();
    // Many addresses, each until it is refused.
    for n in 1..=6 {
        for _ in 0..3 {
            from(&format!("192.0.2.{n}"))
                .post("/api/sign-in", &account("Ann", "wrong horse"))
                .await
                .refused(401, "wrong_passphrase");
        }
        from(&format!("192.0.2.{n}"))
            .post("/api/sign-in", &account("Ann", "correct horse"))
            .await
            .refused(429, "too_fast");
    }
    from("192.0.2.100").post("/api/sign-in", &account("Ann", "correct horse")).await.ok();

    // Even at the address of the one who guesses, from a browser that was signed in before.
    home.post("/api/sign-out", &Value::Null).await.ok();
    for n in 0..9 {
        from("192.0.2.200").post("/api/sign-in", &account(&format!("guess {n}"), "wrong horse")).await;
    }
    from("192.0.2.200").post("/api/sign-in", &account("Ann", "correct horse")).await.refused(429, "too_fast");
    home.post("/api/sign-in", &account("Ann", "correct horse")).await.ok();
    // That browser cannot guess forever either.
    for _ in 0..9 {
        home.post("/api/sign-in", &account("Ann", "wrong horse")).await;
    }
    home.post("/api/sign-in", &account("Ann", "wrong horse")).await.refused(429, "too_fast");
    server.close().await;
}

#[tokio::test]
async fn only_known_hosts_are_answered() {
    let server = TestServer::with(Config { origins: vec!["https://lair.example".into()], ..config() }).await;
    let mut ann = server.guest("Ann").await;
    let table: NewTableReply = ann.post("/api/tables", &json!({})).await.ok().json();
    for evil in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "lair.example.evil.example"] {
        // As a page of that name would send it, which a browser takes for the same origin.
        let mut rebound = ann.clone().with("host", evil).with("origin", &format!("http://{evil}"));
        for path in ["/", "/api/me", "/api/tables", "/healthz"] {
            let words = rebound.get(path).await.refused(421, "unknown_host");
            assert!(words.contains("--origin"), "{words}");
        }
        rebound.post("/api/guest", &json!({ "name": "Eve" })).await.refused(421, "unknown_host");
        assert!(rebound.socket(&table.id).await.is_err());
    }
    let port = server.address.port();
    for own in ["localhost", "192.168.1.20", "[fe80::1]", "10.0.0.1", "a.localhost"] {
        let host = format!("{own}:{port}");
        let mut browser = ann.clone().with("host", &host).with("origin", &format!("http://{host}"));
        browser.post("/api/guest", &json!({ "name": "Ann" })).await.ok();
    }
    ann.clone().with("host", "lair.example").get("/").await.ok();
    server.close().await;
}

#[tokio::test]
async fn unknown_fields_are_refused_everywhere() {
    let server = unlimited().await;
    let mut ann = server.guest("Ann").await;
    let bodies = [
        ("/api/guest", json!({ "name": "Ann" })),
        ("/api/account", account("Ann", "correct horse")),
        ("/api/sign-in", account("Ann", "correct horse")),
        ("/api/sessions/revoke", json!({ "session": "others" })),
        ("/api/tables", json!({ "settings": { "clock": { "move_s": 60, "reserve_s": 60 } }, "bots": [] })),
        ("/api/decks/check", json!({ "name": "mine", "text": "" })),
        ("/api/cards/check", json!({ "text": "" })),
        ("/api/puzzles/{name}/attempt", json!({ "answers": [] })),
        ("/api/puzzles/{name}/preview", json!({ "answers": [], "index": 0 })),
        ("/api/puzzles/{name}/why", json!({ "answers": [], "card": 0 })),
        ("/api/puzzles/{name}/hint", json!({ "answers": [] })),
    ];
    let puzzle = puzzle::shipped::ALL[0].name();
    let posts = server::http::ROUTES.iter().filter(|(method, _)| *method == "post");
    // These have no body.
    let bare = ["/api/sign-out", "/api/daily"];
    for (_, route) in posts.filter(|(_, route)| !bare.contains(route)) {
        assert!(bodies.iter().any(|(path, _)| path == route), "{route} is not tried");
    }
    for (path, body) in &bodies {
        for wrong in with_unknown_field(body) {
            let path = path.replace("{name}", &puzzle);
            let words = ann.post(&path, &wrong).await.refused(400, "malformed");
            assert!(words.contains("unknown field `surprise`"), "{path}: {words}");
        }
    }
    let nowhere = "aaaaaaaaaaaaaaaaaaaaaaaaaa";
    for path in [format!("/api/replay/{nowhere}"), format!("/api/replay/{nowhere}/1")] {
        ann.get(&format!("{path}?seat=1&surprise=1")).await.refused(400, "malformed");
        ann.get(&format!("{path}?seat=1")).await.refused(404, "no_such_table");
    }
    server.close().await;
}

/// The value with one field more, in each of its objects in turn.
fn with_unknown_field(value: &Value) -> Vec<Value> {
    let Value::Object(fields) = value else { return Vec::new() };
    let mut own = fields.clone();
    own.insert("surprise".into(), json!(1));
    let mut all = vec![Value::Object(own)];
    for (name, inner) in fields {
        for changed in with_unknown_field(inner) {
            let mut own = fields.clone();
            own.insert(name.clone(), changed);
            all.push(Value::Object(own));
        }
    }
    all
}
