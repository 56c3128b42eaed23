//! The HTTP API as browsers and programs use it: sessions, accounts, lookups, refusals.

mod test_server;

use serde_json::{Value, json};
use server::wire::*;
use server::{Limits, Rate, ServeError, Server};
use test_server::{Browser, TestServer, config};

fn account(name: &str, passphrase: &str) -> Value {
    json!({ "name": name, "passphrase": passphrase })
}

async fn me(browser: &mut Browser) -> Me {
    browser.get("/api/me").await.ok().json()
}

#[tokio::test]
async fn a_guest_has_a_session() {
    let server = TestServer::open().await;
    let mut browser = server.browser();
    assert_eq!(me(&mut browser).await, Me { name: None, account: false });
    browser.get("/api/me/games").await.refused(401, "no_session");
    browser.post("/api/tables", &json!({})).await.refused(401, "no_session");

    let reply = browser.post("/api/guest", &json!({ "name": "  Ann  of Gables " })).await.ok();
    let cookie = reply.header("set-cookie").unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    assert_eq!(me(&mut browser).await, Me { name: Some("Ann of Gables".into()), account: false });
    assert_eq!(browser.get("/api/me/games").await.ok().text(), "[]");

    browser.post("/api/guest", &json!({ "name": "Anna" })).await.ok();
    assert_eq!(me(&mut browser).await.name.as_deref(), Some("Anna"));
    browser.post("/api/guest", &json!({ "name": "a\u{202e}b" })).await.refused(422, "bad_name");

    browser.post("/api/sign-out", &Value::Null).await.ok();
    assert_eq!(browser.cookie, None);
    server.close().await;
}

#[tokio::test]
async fn sessions_outlive_the_server_and_cannot_be_forged() {
    let config = config();
    let server = TestServer::with(config.clone()).await;
    let mut ann = server.guest("Ann").await;
    let cookie = ann.cookie.clone().unwrap();
    server.close().await;

    let server = TestServer::with(config).await;
    let mut again = server.browser();
    again.cookie = Some(cookie.clone());
    assert_eq!(me(&mut again).await.name.as_deref(), Some("Ann"));

    // Another value under Ann's signature, a flipped letter, no signature, the signature of another server.
    let (name, value) = cookie.split_once('=').unwrap();
    let (signature, plain) = value.split_at(value.find("%3D").map_or(44, |at| at + 3));
    let flipped = if value.starts_with('A') { "B" } else { "A" };
    let other = TestServer::open().await;
    let foreign = other.guest("Ann").await.cookie.unwrap();
    for forged in [
        format!("{name}={signature}1{plain}"),
        format!("{name}={flipped}{}", &value[1..]),
        format!("{name}={plain}"),
        format!("{name}="),
        format!("{name}=1.1"),
        foreign,
    ] {
        ann.cookie = Some(forged.clone());
        let mut forger = server.browser();
        forger.cookie = Some(forged.clone());
        assert_eq!(me(&mut forger).await.name, None, "{forged}");
        forger.cookie = Some(forged);
        forger.post("/api/tables", &json!({})).await.refused(401, "no_session");
    }
    other.close().await;
    server.close().await;
}

#[tokio::test]
async fn an_account_keeps_a_guests_history() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let table: NewTableReply =
        ann.post("/api/tables", &json!({ "bots": ["kobold"], "start": true })).await.ok().json();
    assert_eq!(table.link, format!("/t/{}", table.id));
    let mut socket = ann.sit(&table.id).await;
    socket.until(|message| matches!(message, ServerMsg::Update(_)).then_some(())).await;

    ann.post("/api/account", &account("Ann", "short")).await.refused(422, "bad_passphrase");
    ann.post("/api/account", &account("Ann", "correct horse")).await.ok();
    assert_eq!(me(&mut ann).await, Me { name: Some("Ann".into()), account: true });
    ann.post("/api/account", &account("Bob", "correct horse")).await.refused(409, "signed_in");
    ann.post("/api/guest", &json!({ "name": "Bob" })).await.refused(409, "signed_in");
    server
        .browser()
        .post("/api/account", &account(" aNN ", "another horse"))
        .await
        .refused(409, "name_taken");

    let mut elsewhere = server.browser();
    elsewhere.post("/api/sign-in", &account("ann", "correct horse")).await.ok();
    let games: Vec<GameSummary> = elsewhere.get("/api/me/games").await.ok().json();
    let [game] = &games[..] else { panic!("{games:?}") };
    assert_eq!((&game.id, game.seat, game.state), (&table.id, 1, TableState::Playing));
    assert_eq!(game.names.len(), 2);
    assert_eq!(game.names[0], "Ann");
    server.close().await;
}

#[tokio::test]
async fn signing_in_does_not_reveal_accounts() {
    let server = TestServer::open().await;
    server.browser().post("/api/account", &account("Ann", "correct horse")).await.ok();
    let attempts = [account("Ann", "wrong horse"), account("Nobody", "wrong horse"), account("", "x")];
    let mut replies = Vec::new();
    for attempt in attempts {
        let reply = server.browser().post("/api/sign-in", &attempt).await;
        let headers: Vec<_> = reply.headers.iter().filter(|(name, _)| name != "date").cloned().collect();
        replies.push((reply.status, headers, reply.text()));
    }
    assert_eq!(replies[0].0, 401);
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[0], replies[2]);
    server.close().await;
}

#[tokio::test]
async fn attempts_are_limited_by_address_and_by_name() {
    let config = config();
    let (sign_ins, sign_ins_per_name) = (Rate::new(3, 0.001), Rate::new(2, 0.001));
    let limits = Limits { sign_ins, sign_ins_per_name, ..config.limits };
    let server = TestServer::with(server::Config { limits, behind_proxy: true, ..config }).await;
    let from = |address: &str| server.browser().with("x-forwarded-for", address);
    for name in ["Ann", "Ann", "Cid"] {
        from("192.0.2.1")
            .post("/api/sign-in", &account(name, "wrong horse"))
            .await
            .refused(401, "wrong_passphrase");
    }
    let reply = from("192.0.2.1").post("/api/sign-in", &account("Bob", "wrong horse")).await;
    assert!(reply.header("retry-after").is_some());
    reply.refused(429, "too_fast");
    // Of one name from one address, even fewer.
    for (name, status, code) in
        [("Ann", 401, "wrong_passphrase"), ("ANN", 401, "wrong_passphrase"), ("ann", 429, "too_fast")]
    {
        from("192.0.2.2").post("/api/sign-in", &account(name, "wrong horse")).await.refused(status, code);
    }
    server.close().await;
}

#[tokio::test]
async fn tables_and_guests_are_limited() {
    let config = config();
    let limits = Limits { tables: Rate::new(2, 0.001), guests: Rate::new(2, 0.001), ..config.limits };
    let server = TestServer::with(server::Config { limits, ..config }).await;
    let mut ann = server.guest("Ann").await;
    let mut bob = server.guest("Bob").await;
    server.browser().post("/api/guest", &json!({ "name": "Cid" })).await.refused(429, "too_fast");
    ann.post("/api/tables", &json!({})).await.ok();
    ann.post("/api/tables", &json!({})).await.ok();
    ann.post("/api/tables", &json!({})).await.refused(429, "too_fast");
    bob.post("/api/tables", &json!({})).await.ok();
    server.close().await;
}

#[tokio::test]
async fn proxy_headers_are_trusted_only_behind_a_proxy() {
    let plain = TestServer::open().await;
    let proxied = TestServer::with(server::Config { behind_proxy: true, ..config() }).await;
    for (server, secure) in [(&plain, false), (&proxied, true)] {
        let mut browser = server.browser().with("x-forwarded-proto", "https");
        let reply = browser.post("/api/guest", &json!({ "name": "Ann" })).await.ok();
        assert_eq!(reply.header("set-cookie").unwrap().contains("Secure"), secure);
    }
    plain.close().await;
    proxied.close().await;
}

#[tokio::test]
async fn pages_of_other_sites_can_change_nothing() {
    let server =
        TestServer::with(server::Config { origins: vec!["https://play.example".into()], ..config() }).await;
    let guest = json!({ "name": "Ann" });
    for origin in ["http://evil.example", "null", "https://play.example.evil.example"] {
        let mut evil = server.browser().with("origin", origin);
        evil.post("/api/guest", &guest).await.refused(403, "foreign_origin");
        evil.post("/api/sign-out", &Value::Null).await.refused(403, "foreign_origin");
        evil.get("/api/me").await.ok();
    }
    for origin in [format!("http://{}", server.address), "https://play.example".into()] {
        server.browser().with("origin", &origin).post("/api/guest", &guest).await.ok();
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let mut form = server.browser().with("content-type", kind);
        form.post("/api/guest", &guest).await.refused(415, "not_json");
    }
    server.close().await;
}

#[tokio::test]
async fn every_response_has_its_headers_and_every_error_its_message() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(200_000));
    let requests = [
        ("GET", "/", "", 200),
        ("GET", "/t/abc", "", 200),
        ("GET", "/nothing.js", "", 404),
        ("GET", "/api", "", 404),
        ("GET", "/api/nothing", "", 404),
        ("POST", "/t/abc", "{}", 404),
        ("DELETE", "/api/me", "", 405),
        ("GET", "/api/guest", "", 405),
        ("POST", "/api/guest", "", 400),
        ("POST", "/api/guest", "{", 400),
        ("POST", "/api/guest", "[]", 400),
        ("POST", "/api/guest", r#"{"name":"Ann","admin":true}"#, 400),
        ("POST", "/api/guest", &long, 413),
        ("POST", "/api/tables", r#"{"settings":{"deck":"none"}}"#, 422),
        ("POST", "/api/tables", r#"{"settings":{"players":7}}"#, 422),
        ("POST", "/api/tables", r#"{"settings":{"variants":["odd"]}}"#, 422),
        ("POST", "/api/tables", r#"{"settings":{"deck_text":"nonsense"}}"#, 422),
        ("GET", "/api/tables/nothing", "", 404),
        ("GET", "/record/nothing", "", 404),
        ("GET", "/api/tables/nothing/ws", "", 426),
        ("GET", "/api/tables/%ff", "", 404),
        ("GET", "/..%2f..%2fetc/passwd", "", 200),
    ];
    for (method, path, body, status) in requests {
        let reply = ann.send(method, path, body).await;
        assert_eq!(reply.status, status, "{method} {path} {}", reply.text());
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'self';") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{method} {path}");
        }
        assert!(reply.header("permissions-policy").is_some() && reply.header("cache-control").is_some());
        if status >= 400 {
            let problem: Problem = reply.json();
            assert!(!problem.code.is_empty() && problem.words.len() > 10, "{problem:?}");
        }
    }
    server.close().await;
}

#[tokio::test]
async fn the_page_is_served_and_cached_by_its_content() {
    let server = TestServer::open().await;
    let page = server.browser().get("/").await.ok();
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert!(page.text().contains("<title>Lair"), "{}", page.text());
    assert_eq!(server.browser().get("/t/abc").await.ok().text(), page.text());
    // Everything the page refers to exists; files with a hash in their name are cached forever.
    let text = page.text();
    let named = text.split(['"', '\'']).filter(|word| word.starts_with('/') && word.contains('.'));
    for path in named {
        let file = server.browser().get(path).await.ok();
        assert!(!file.header("content-type").unwrap().starts_with("text/html"), "{path}");
        let kept = file.header("cache-control").unwrap().contains("immutable");
        assert_eq!(kept, path.starts_with("/assets/"), "{path}");
    }
    let tag = page.header("etag").unwrap();
    assert_eq!(server.browser().with("if-none-match", tag).get("/").await.status, 304);
    let packed = server.browser().with("accept-encoding", "gzip").get("/").await.ok();
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    server.close().await;
}

#[tokio::test]
async fn tables_are_found_and_records_wait_for_the_end() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let open = json!({ "settings": { "listed": true } });
    let table: NewTableReply = ann.post("/api/tables", &open).await.ok().json();
    let hidden: NewTableReply = ann.post("/api/tables", &json!({})).await.ok().json();
    let info: TableInfo = server.browser().get(&format!("/api/tables/{}", table.id)).await.ok().json();
    assert_eq!((&info.id, info.state, info.seats.len()), (&table.id, TableState::Open, 2));
    server.browser().get(&format!("/record/{}", table.id)).await.refused(409, "not_over");
    server.browser().get(&format!("/api/replay/{}", table.id)).await.refused(409, "not_over");
    server.browser().get(&format!("/api/replay/{}/0", table.id)).await.refused(409, "not_over");
    server.browser().get("/api/replay/nothing").await.refused(404, "no_such_table");

    let ids = |tables: &[TableInfo]| tables.iter().map(|table| table.id.clone()).collect::<Vec<_>>();
    let lobby: Lobby = server.browser().get("/api/tables").await.ok().json();
    assert_eq!((ids(&lobby.open), lobby.mine.len()), (vec![table.id.clone()], 0));
    let lobby: Lobby = ann.get("/api/tables").await.ok().json();
    let mut mine = ids(&lobby.mine);
    mine.sort();
    let mut expected = [table.id, hidden.id];
    expected.sort();
    assert_eq!(mine, expected);
    server.close().await;
}

#[tokio::test]
async fn cards_decks_and_rules_can_be_looked_up() {
    let server = TestServer::open().await;
    let cards: Vec<CardPage> = server.browser().get("/api/cards").await.ok().json();
    let sets = cards::library::sets();
    assert_eq!(cards.len(), sets.iter().map(|set| set.cards.len()).sum::<usize>());
    for page in &cards {
        assert!(page.source.contains(&page.card.name) && !page.card.facts.is_empty(), "{page:?}");
        assert!(page.provenance.contains("card"), "{page:?}");
    }
    assert!(cards.iter().any(|page| page.card.copies > 1 && !page.rulings.is_empty()));

    let decks: Vec<DeckInfo> = server.browser().get("/api/decks").await.ok().json();
    let names: Vec<&str> = decks.iter().map(|deck| deck.name.as_str()).collect();
    let known: Vec<&str> = cards::library::DECKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
    assert!(decks.iter().all(|deck| (2..=6).contains(&deck.most_players)));

    let rules = server.browser().get("/api/rules").await.ok();
    assert!(rules.header("content-type").unwrap().starts_with("text/markdown"));
    assert!(rules.text().starts_with("# "));
    server.close().await;
}

#[tokio::test]
async fn custom_decks_are_checked() {
    let server = TestServer::open().await;
    let check = async |text: &str| -> DeckCheck {
        let deck = json!({ "name": "mine", "text": text });
        server.browser().post("/api/decks/check", &deck).await.ok().json()
    };
    for (name, text) in cards::library::DECKS {
        let found = check(text).await;
        assert!(found.ok && found.problems.is_empty(), "{name}: {:?}", found.problems);
        let sets = cards::library::sets();
        let deck = cards::library::deck(name, &sets).unwrap();
        let expected = cards::deck::Balance::of(&deck, &sets).advice();
        for advice in &expected {
            assert!(found.advice.contains(&DeckAdvice { met: false, words: advice.to_string() }), "{name}");
        }
        let balanced = found.advice.iter().any(|advice| advice.met && advice.words == "balanced as advised");
        assert_eq!(balanced, expected.is_empty(), "{name}");
        assert!(found.advice.iter().any(|advice| advice.met && advice.words.starts_with("2 players: ")));
        assert!(found.cards.len() > 20);
    }
    let broken = check("deck Mine\nset BMR\n  Dark Altr x2\n").await;
    let misspelt = DeckProblem {
        line: Some(3),
        column: Some(3),
        message: "there is no card `Dark Altr`".into(),
        reason: Some("no set has a card with this name or number".into()),
        help: Some("did you mean `Dark Altar`?".into()),
        warning: false,
    };
    assert_eq!((broken.ok, broken.problems), (false, vec![misspelt]));
    let bare = check("deck Mine\nbosses BMR\n").await;
    let [whole] = bare.problems.as_slice() else { panic!("{:?}", bare.problems) };
    assert!(!bare.ok && whole.line.is_none() && whole.message.starts_with("this deck cannot be played: "));
    server.close().await;
}

#[tokio::test]
async fn mixes_say_what_changes_and_offer_only_what_can_be_played() {
    let server = TestServer::open().await;
    let boxes: Vec<BoxInfo> = server.browser().get("/api/boxes").await.ok().json();
    let bases: Vec<&str> = boxes.iter().filter(|one| one.base).map(|one| one.code.as_str()).collect();
    assert_eq!((boxes.len(), bases), (13, vec!["BMR", "TNL", "RMB", "SBM"]));
    assert!(boxes.iter().all(|one| one.cards > 4 && !one.title.is_empty() && !one.lid.is_empty()));
    let vault = boxes.iter().find(|one| one.code == "VOV").unwrap();
    assert!(vault.house && vault.title == "Vault of Villains");

    let mix: MixInfo = server.browser().get("/api/mixes/crl+bmr").await.ok().json();
    assert_eq!((mix.name.as_str(), mix.boxes.clone()), ("bmr+crl", vec!["BMR".into(), "CRL".into()]));
    assert_eq!(mix.brings.iter().map(|part| part.title.as_str()).collect::<Vec<_>>(), ["Explorer"]);
    let step = |code: &str| mix.steps.iter().find(|step| step.code == code).unwrap();
    assert_eq!(step("VOV").name.as_deref(), Some("bmr+crl+vov"));
    assert_eq!(step("VOV").changes, ["+ Coins", "+ Minibosses"]);
    assert_eq!(step("CRL").changes, ["− Explorer"]);
    let last = step("BMR");
    assert!(last.name.is_none() && last.why_not.as_deref().unwrap().contains("only base game"), "{last:?}");
    let table = |ruleset: &str, players| {
        mix.tables.iter().find(|table| table.ruleset == ruleset && table.players == players).unwrap()
    };
    assert!(table("crash", 6).why_not.is_none() && table("super", 5).why_not.is_none());
    assert!(table("crash", 4).why_not.as_deref().unwrap().contains("5 to 6 players"));
    assert_eq!(table("classic", 5).variants, ["unlimited-lives"]);
    let alone: MixInfo = server.browser().get("/api/mixes/bmr").await.ok().json();
    let why = |ruleset: &str| {
        alone
            .tables
            .iter()
            .find(|table| table.ruleset == ruleset && table.players == 5)
            .unwrap()
            .why_not
            .clone()
    };
    assert_eq!(why("classic").as_deref(), Some("so many need the rooms of two base games"));
    assert_eq!(why("crash").as_deref(), Some("it takes the box Crash Landing"));
    for (wrong, why) in [("crl", "base game"), ("bmr+nope", "there is no box `nope`"), ("bmr+bmr", "twice")] {
        let words = server.browser().get(&format!("/api/mixes/{wrong}")).await.refused(422, "bad_mix");
        assert!(words.contains(why), "{words}");
    }

    for players in 1..=6 {
        let drawn: MixInfo =
            server.browser().get(&format!("/api/surprise?players={players}&seed=7")).await.ok().json();
        let advised = drawn.advised.clone().unwrap();
        assert_eq!((advised.players, drawn.seed), (players, Some(7)));
        assert!(drawn.tables.contains(&advised), "{drawn:?}");
    }
    let any: MixInfo = server.browser().get("/api/surprise?players=4").await.ok().json();
    assert!(any.seed.is_some());
    server.browser().get("/api/surprise?players=7&seed=7").await.refused(422, "bad_mix");
    server.browser().get("/api/surprise?players=two&seed=7").await.refused(400, "malformed");

    // The name is enough to make a table.
    let mut ann = server.guest("Ann").await;
    let settings = json!({ "deck": "bmr+crl+vov", "players": 5, "ruleset": "crash" });
    ann.post("/api/tables", &json!({ "settings": settings })).await.ok();
    let settings = json!({ "deck": "bmr+nope", "players": 2 });
    ann.post("/api/tables", &json!({ "settings": settings })).await.refused(422, "bad_deck");
    server.close().await;
}

#[tokio::test]
async fn the_api_document_has_every_route() {
    let server = TestServer::open().await;
    let document: Value = server.browser().get("/api/openapi.json").await.ok().json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let paths = document["paths"].as_object().unwrap();
    let mut told: Vec<(&str, &str)> = Vec::new();
    for (path, methods) in paths {
        for (method, about) in methods.as_object().unwrap() {
            told.push((method, path));
            let replies = about["responses"].as_object().unwrap();
            assert!(
                replies.keys().any(|status| status.starts_with('2') || status == "101"),
                "{method} {path}"
            );
            assert!(about["summary"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path}");
            if method == "post" && !["/api/sign-out", "/api/daily"].contains(&path.as_str()) {
                assert!(about["requestBody"].is_object() && replies.contains_key("400"), "{path}");
            }
            for (status, reply) in replies.iter().filter(|(status, _)| *status > &"399".to_string()) {
                let schema = &reply["content"]["application/json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Problem", "{method} {path} {status}");
            }
        }
    }
    let mut routes = server::http::ROUTES.to_vec();
    routes.sort();
    told.sort();
    assert_eq!(told, routes);
    // Every reference resolves.
    let text = document.to_string();
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
    server.close().await;
}

#[tokio::test]
async fn the_server_reports_its_health_and_metrics() {
    let metrics = Some(([127, 0, 0, 1], 0).into());
    let server = TestServer::with(server::Config { metrics, ..config() }).await;
    server.guest("Ann").await;
    assert_eq!(server.browser().get("/healthz").await.ok().text(), "ok\n");
    let limit_to = |pages: Option<i64>| {
        server.store.folder().unwrap().write(move |db| {
            let now: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let limit = format!("PRAGMA max_page_count = {}", pages.unwrap_or(now));
            Ok(db.query_row(&limit, [], |_| Ok(()))?)
        })
    };
    limit_to(None).await.unwrap();
    server.store.new_guest("n".repeat(100_000)).await.unwrap_err();
    let words = server.browser().get("/healthz").await.refused(503, "unhealthy");
    assert!(words.contains("full"), "{words}");
    limit_to(Some(1_000_000)).await.unwrap();
    assert_eq!(server.browser().get("/healthz").await.ok().text(), "ok\n");
    assert_eq!(server.browser().get("/metrics").await.status, 404, "the public is not told");
    let mut operator = Browser::at(server.metrics.unwrap());
    assert_eq!(operator.get("/api/tables").await.status, 404, "and nothing else is served there");
    let reply = operator.get("/metrics").await.ok();
    assert!(reply.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    let text = reply.text();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
        assert!(name.starts_with("lair_") && value.parse::<f64>().is_ok(), "{line}");
        let labels = name.split_once('{').map(|(_, labels)| labels.strip_suffix('}').unwrap());
        for label in labels.into_iter().flat_map(|labels| labels.split("\",")) {
            assert!(label.contains("=\""), "{line}");
        }
    }
    let counted = text.lines().find(|line| {
        line.starts_with("lair_requests_total") && line.contains("/api/guest") && line.contains("200")
    });
    assert!(counted.is_some(), "{text}");
    assert!(text.contains("lair_request_seconds_bucket"), "{text}");
    server.close().await;
}

#[tokio::test]
async fn two_servers_do_not_share_a_folder_or_a_port() {
    let server = TestServer::open().await;
    let second = server::Config { data: server.data.clone(), ..config() };
    let error = Server::open(second.clone()).await.err().unwrap();
    assert!(error.to_string().contains("in use by another lair"), "{error}");
    assert!(error.to_string().contains(&server.data.display().to_string()), "{error}");

    let elsewhere = server::Config { listen: vec![server.address], ..config() };
    let error = Server::open(elsewhere.clone()).await.err().unwrap();
    assert!(matches!(error, ServeError::Listen { .. }));
    assert!(error.to_string().contains("another program is listening there"), "{error}");
    let next = vec![server.address, ([127, 0, 0, 1], 0).into()];
    let other = Server::open(server::Config { listen: next, ..elsewhere }).await.unwrap();
    assert_ne!(other.address(), server.address);
    server.close().await;
    Server::open(second).await.unwrap();
}

#[tokio::test]
async fn connections_are_limited_by_address() {
    let config = config();
    let limits = Limits { connections_per_address: 3, ..config.limits };
    let server = TestServer::with(server::Config { limits, ..config }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(tokio::net::TcpStream::connect(server.address).await.unwrap());
    }
    server.browser().get("/healthz").await.refused(429, "too_many_connections");
    held.pop();
    // The server notices a moment later.
    while server.browser().get("/healthz").await.status == 429 {
        tokio::task::yield_now().await;
    }
    server.close().await;
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    let server = TestServer::open().await;
    assert!(
        server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").await.starts_with("HTTP/1.1 400")
    );
    assert!(server.raw(b"GET / HTTP/9.9\r\n\r\n").await.starts_with("HTTP/1.1 "));
    let long = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "x".repeat(100_000));
    assert!(server.raw(long.as_bytes()).await.starts_with("HTTP/1.1 431"));
    assert_eq!(server.browser().get("/healthz").await.status, 200);
    server.close().await;
}
