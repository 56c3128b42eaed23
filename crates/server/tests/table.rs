//! Tables as people meet them.

mod common;

use common::*;
use server::wire::*;

#[tokio::test]
async fn two_people_and_two_bots_play_a_whole_game() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let new = new_table(settings(4), &[BotLevel::Kobold, BotLevel::MiniBoss]);
    let id = hall.create(&anna, new).await.expect("a table");
    let mut guests = vec![Guest::join(&hall, &id, &anna).await, Guest::join(&hall, &id, &ben).await];
    guests[1].send(ClientMsg::Sit { seat: None }).await;
    guests[1]
        .until("a seat", |guest| {
            guest.told.iter().any(|m| matches!(m, ServerMsg::Table { you, .. } if you.seat == Some(2)))
        })
        .await;
    assert!(hall.record(&id).await.expect("no fault").is_none(), "no record before the end");
    guests[0].send(ClientMsg::Start).await;
    guests[0].until("the deal", |guest| guest.update.is_some()).await;
    let answers = play_on(&mut guests, u64::MAX).await;
    assert!(answers > 10, "{answers} answers");
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
    }
    let record = hall.record(&id).await.expect("no fault").expect("a record");
    let db = record.db(hall.sets()).expect("its cards");
    let end = record.verify(&db).expect("it verifies, shuffle included");
    assert!(end.outcome().is_some());
    let fairness = record.fairness.expect("it is fair");
    let added: Vec<bool> = fairness.entropy.iter().map(|part| part.0 != [0; 32]).collect();
    assert_eq!(added, [true, true, false, false], "people add to the seed, bots do not");
    let shown = guests[0].told.iter().find_map(|m| match m {
        ServerMsg::Welcome { table, .. } => Some(table.commitment.clone()),
        _ => None,
    });
    assert_eq!(Some(fairness.commitment.to_string()), shown, "what was promised before the first card");
}

/// Their cards have left the game, but what they had is told to whoever comes, and after a restart.
#[tokio::test]
async fn of_those_who_are_out_it_is_told_what_they_had() {
    let folder = Folder::new();
    let mut hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let mut beaten = 0;
    for _ in 0..12 {
        let new = new_table(settings(3), &[BotLevel::Kobold, BotLevel::Kobold]);
        let id = hall.create(&anna, new).await.expect("a table");
        let mut guests = vec![Guest::join(&hall, &id, &anna).await];
        guests[0].send(ClientMsg::Start).await;
        guests[0].until("the deal", |guest| guest.update.is_some()).await;
        play_on(&mut guests, u64::MAX).await;
        guests[0].until("the end", Guest::is_over).await;
        let end = guests[0].update.clone().expect("an update");
        let over = end.over.clone().expect("the end");
        for player in &end.view.players {
            let at = usize::from(player.seat) - 1;
            assert_eq!((player.souls, player.wounds), (over.souls[at], over.wounds[at]));
            assert_eq!(player.left.is_some(), !player.playing);
            assert!(player.playing || player.wounds >= 5, "{player:?}");
            beaten += u32::from(!player.playing);
        }
        drop(guests);
        if beaten > 0 {
            hall = reopened(hall, &folder).await;
            let mut again = Guest::join(&hall, &id, &anna).await;
            again.until("the table", |guest| guest.update.is_some()).await;
            let again = again.update.expect("an update");
            assert_eq!((again.view, again.over, again.undo), (end.view, end.over, end.undo.clone()));
            assert_eq!(end.undo.words, "The game is over.");
            return;
        }
    }
    panic!("nobody went out");
}

/// A table of two people, both seated and dealt.
async fn two_people(hall: &server::hall::Hall, settings: Settings) -> (String, Vec<Guest>) {
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let id = hall.create(&anna, new_table(settings, &[])).await.expect("a table");
    let mut guests = vec![Guest::join(hall, &id, &anna).await, Guest::join(hall, &id, &ben).await];
    guests[1].send(ClientMsg::Sit { seat: Some(2) }).await;
    guests[1].until("a seat", |guest| seat(guest) == Some(2)).await;
    guests[0].send(ClientMsg::Start).await;
    for guest in &mut guests {
        guest.until("the deal", |guest| guest.update.is_some()).await;
    }
    (id, guests)
}

fn seat(guest: &Guest) -> Option<u8> {
    guest.told.iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } | ServerMsg::Table { you, .. } => Some(you.seat),
        _ => None,
    })?
}

fn info(guest: &Guest) -> TableInfo {
    let found = guest.told.iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { table, .. } | ServerMsg::Table { table, .. } => Some(table.clone()),
        _ => None,
    });
    found.expect("everybody is told of the table")
}

/// The one who is asked, and the other.
fn asked(guests: &mut [Guest]) -> (&mut Guest, &mut Guest) {
    let (one, other) = guests.split_at_mut(1);
    if one[0].is_asked() { (&mut one[0], &mut other[0]) } else { (&mut other[0], &mut one[0]) }
}

async fn read_both(guests: &mut [Guest]) {
    for guest in guests {
        guest.read_all().await;
    }
}

async fn reopened(hall: server::hall::Hall, folder: &Folder) -> server::hall::Hall {
    hall.stop().await;
    drop(hall);
    let store = loop {
        match server::store::Store::open(&folder.0) {
            Ok(store) => break store,
            Err(server::store::StoreError::InUse(_)) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    };
    server::hall::Hall::open(store, cards::library::sets()).await.expect("a hall")
}

#[tokio::test]
async fn a_game_goes_on_where_it_was_after_a_restart() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = two_people(&first, settings(2)).await;
    assert_eq!(play_on(&mut guests, 8).await, 8);
    read_both(&mut guests).await;
    let people: Vec<_> = guests.iter().map(|guest| guest.person.clone()).collect();
    let before: Vec<_> = guests.iter().map(|guest| guest.update.clone().expect("an update")).collect();
    // Nothing is said or flushed: the process is gone.
    drop(guests);
    let second = reopened(first, &folder).await;
    let mut guests = Vec::new();
    for (person, before) in people.iter().zip(&before) {
        let mut guest = Guest::join(&second, &id, person).await;
        guest.until("the table", |guest| guest.update.is_some()).await;
        let now = guest.update.clone().expect("an update");
        assert!(now.fresh);
        assert!(now.events.ends_with(&before.events), "the story is told to its end");
        let turns =
            now.events.iter().filter(|event| matches!(event.what, bots::wire::What::TurnBegins { .. }));
        assert_eq!(turns.count(), usize::from(now.view.turn), "and from its beginning");
        assert_eq!(now.view, before.view);
        assert_eq!(now.ask, before.ask);
        assert!(now.seq >= before.seq, "an old click must not fit a new question");
        guests.push(guest);
    }
    play_on(&mut guests, u64::MAX).await;
    let record = second.record(&id).await.expect("no fault").expect("a record");
    record.verify(&record.db(second.sets()).expect("its cards")).expect("it verifies");
}

#[tokio::test]
async fn late_and_foreign_answers_change_nothing() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 6).await;
    read_both(&mut guests).await;
    let (me, other) = asked(&mut guests);
    let (seq, before, choices) = (me.seq(), me.update.clone(), me.choices() as u32);
    for (mine, message, code) in [
        (true, ClientMsg::Act { seq: seq - 1, index: 0 }, Refusal::Stale),
        (true, ClientMsg::Act { seq: seq + 1, index: 0 }, Refusal::Stale),
        (true, ClientMsg::Act { seq, index: choices }, Refusal::NotLegal),
        (true, ClientMsg::Act { seq, index: u32::MAX }, Refusal::NotLegal),
        (false, ClientMsg::Act { seq, index: 0 }, Refusal::NotAsked),
        (false, ClientMsg::Hint { seq }, Refusal::NotAsked),
        (false, ClientMsg::Start, Refusal::NotNow),
        (false, ClientMsg::Sit { seat: None }, Refusal::NotNow),
        (false, ClientMsg::Stand, Refusal::NotNow),
        (false, ClientMsg::Rematch, Refusal::NotNow),
        (false, ClientMsg::Consent { request: 7, yes: true }, Refusal::Stale),
        (false, ClientMsg::Replace { seat: 99 }, Refusal::NotNow),
        (false, ClientMsg::Chat { text: "x".repeat(301) }, Refusal::TooLong),
    ] {
        let guest = if mine { &mut *me } else { &mut *other };
        guest.told.clear();
        guest.send(message.clone()).await;
        guest.until("a refusal", |guest| guest.last_refusal().is_some()).await;
        assert_eq!(guest.last_refusal(), Some(code), "{message:?}");
    }
    me.read_all().await;
    assert_eq!(me.update, before, "nothing has changed");
}

#[tokio::test]
async fn answers_are_taken_back_while_nothing_was_revealed() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (mut freely, mut refused, mut by_consent, mut named) = (0, 0, 0, 0);
    for _ in 0..3 {
        let (_, mut guests) = two_people(&hall, settings(2)).await;
        for n in 0..80 {
            read_both(&mut guests).await;
            if guests.iter().any(Guest::is_over) {
                break;
            }
            let (me, other) = asked(&mut guests);
            if !me.is_asked() {
                break;
            }
            let (view, ask) = me.update.clone().map(|update| (update.view, update.ask)).expect("an update");
            me.answer(mix(n) as u32 % me.choices() as u32).await;
            me.read_all().await;
            other.read_all().await;
            if me.is_over() {
                break;
            }
            let offer = me.update.as_ref().map(|update| update.undo.allowed).expect("an update");
            me.told.clear();
            let seq = me.seq();
            match offer {
                UndoAllowed::Freely if freely < 20 => {
                    me.send(ClientMsg::Undo).await;
                    me.until("the answer is taken back", |guest| guest.seq() > seq).await;
                    let now = me.update.clone().expect("an update");
                    assert_eq!((now.view, now.ask), (view, ask), "as it was before the answer");
                    freely += 1;
                    me.answer(0).await;
                }
                UndoAllowed::No => {
                    me.send(ClientMsg::Undo).await;
                    me.until("a refusal", |guest| guest.last_refusal().is_some()).await;
                    refused += 1;
                }
                _ => {}
            }
            // Somebody who has not answered last may ask those who have.
            me.read_all().await;
            other.read_all().await;
            let offer = other.update.as_ref().map(|update| update.undo.allowed);
            if offer == Some(UndoAllowed::ByConsent) && by_consent < 16 {
                by_consent += 1;
                other.send(ClientMsg::Undo).await;
                let wish = |guest: &Guest| {
                    guest.told.iter().rev().find_map(|m| match m {
                        ServerMsg::UndoAsked { request, .. } => Some(*request),
                        _ => None,
                    })
                };
                me.told.clear();
                me.until("the wish", |guest| wish(guest).is_some()).await;
                // It is there for who comes back, and names nothing that was not told before.
                me.told.clear();
                me.send(ClientMsg::Refresh).await;
                me.until("the wish again", |guest| wish(guest).is_some()).await;
                let words = me.told.iter().find_map(|m| match m {
                    ServerMsg::UndoAsked { words, .. } => Some(words.clone()),
                    _ => None,
                });
                let words = words.expect("a wish");
                if let Some((_, what)) = words.split_once("take this back: ") {
                    let story = me.update.as_ref().map(|update| &update.events).expect("an update");
                    assert!(story.iter().any(|event| event.words == what), "{words}");
                    named += 1;
                }
                let request = wish(me).expect("a wish");
                let (seq, yes) = (other.seq(), by_consent % 2 == 0);
                me.send(ClientMsg::Consent { request, yes }).await;
                if yes {
                    other
                        .until("the answer is taken back", |guest| guest.seq() > seq && guest.is_asked())
                        .await;
                } else {
                    let refused = |guest: &Guest| {
                        guest.told.iter().any(|m| matches!(m, ServerMsg::UndoAnswered { granted: false, .. }))
                    };
                    other.until("no", refused).await;
                    assert_eq!(other.seq(), seq);
                }
            }
        }
    }
    assert!(
        freely > 5 && refused > 5 && by_consent > 0 && named > 0,
        "{freely} freely, {refused} refused, {by_consent} asked, {named} by name"
    );
}

/// Updates are shown that no answer led to. Their numbers must not come again, or an old click could fit.
#[tokio::test]
async fn numbers_of_updates_grow_over_a_restart() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = two_people(&first, Settings { window_ms: 30_000, ..settings(2) }).await;
    let in_window = |guest: &Guest| {
        let waiting = guest.update.as_ref().and_then(|update| update.waiting.as_ref());
        guest.is_asked() && waiting.is_some_and(|waiting| waiting.left_ms.is_some())
    };
    for n in 0.. {
        for guest in &mut guests {
            while guest.read(std::time::Duration::ZERO).await {}
        }
        if guests.iter().any(in_window) {
            break;
        }
        match guests.iter_mut().find(|guest| guest.is_asked()) {
            Some(guest) => guest.answer(mix(n) as u32 % guest.choices() as u32).await,
            None => drop(guests[0].read(std::time::Duration::from_millis(10)).await),
        }
    }
    let me = guests.iter_mut().find(|guest| in_window(guest)).expect("a window");
    for _ in 0..60 {
        let seq = me.seq();
        me.send(ClientMsg::Hold { seq }).await;
        me.until("the window is held", |guest| guest.seq() > seq).await;
        // To pass lets go of it.
        let seq = me.seq();
        me.send(ClientMsg::Act { seq, index: 0 }).await;
    }
    let (person, seq) = (me.person.clone(), me.seq());
    drop(guests);
    let second = reopened(first, &folder).await;
    let mut guest = Guest::join(&second, &id, &person).await;
    guest.until("the table", |guest| guest.update.is_some()).await;
    assert!(guest.seq() > seq, "{} after {seq}", guest.seq());
}

/// Whoever can do nothing is waited for as long as whoever can, and a quick pass shows nothing.
#[tokio::test]
async fn a_window_takes_the_same_time_whatever_a_hand_holds() {
    // Long enough that a busy machine, which shows a window late, does not make it look short.
    const WINDOW: u32 = 500;
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let stops = Stops { windows: StopAt::Every, answer_spells: true, pass_turn: false };
    let mut guests: Vec<Guest> = Vec::new();
    let (mut able, mut unable) = (0, 0);
    for n in 0..4_000 {
        if able > 4 && unable > 4 {
            break;
        }
        // A game may be over before there were enough windows of both sorts.
        if guests.is_empty() || guests.iter().any(Guest::is_over) {
            let (_, both) = two_people(&hall, Settings { window_ms: WINDOW, ..settings(2) }).await;
            guests = both.into_iter().collect();
            for guest in &guests {
                guest.send(ClientMsg::Stops { stops }).await;
            }
        }
        let waiting = guests[0].update.as_ref().and_then(|update| update.waiting.clone());
        let Some(at) = guests.iter().position(Guest::is_asked) else {
            for guest in &mut guests {
                guest.read(std::time::Duration::from_millis(10)).await;
            }
            continue;
        };
        let me = &mut guests[at];
        let waiting = waiting.filter(|waiting| usize::from(waiting.seat) == at + 1);
        match waiting.and_then(|waiting| waiting.left_ms) {
            Some(left) => {
                assert!(left <= WINDOW);
                let (start, seq) = (std::time::Instant::now(), me.seq());
                if me.choices() > 1 {
                    able += 1
                } else {
                    unable += 1
                }
                // Every second one passes at once, the others do nothing.
                if n % 2 == 0 {
                    me.send(ClientMsg::Act { seq, index: 0 }).await;
                }
                me.until("the window closes", |guest| guest.seq() > seq).await;
                let took = start.elapsed().as_millis();
                assert!(took + 30 >= u128::from(left) / 2, "closed after {took} of {left} ms");
            }
            None => me.answer(mix(n) as u32 % me.choices() as u32).await,
        }
        for guest in &mut guests {
            while guest.read(std::time::Duration::ZERO).await {}
        }
    }
    assert!(able > 2 && unable > 2, "{able} windows with a choice, {unable} without");
}

/// Cards in a hand are named to nobody else, neither in views nor in events.
#[tokio::test]
async fn a_hand_is_told_to_its_owner_only() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (mut looked, mut hidden, mut answers) = (0, 0, 0);
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    while looked < 60 {
        if guests.iter().any(Guest::is_over) {
            (_, guests) = two_people(&hall, settings(2)).await;
        }
        answers += 1;
        play_from(&mut guests, answers, 1).await;
        read_both(&mut guests).await;
        let updates: Vec<_> = guests.iter().map(|guest| guest.update.clone().expect("an update")).collect();
        if updates[0].seq != updates[1].seq {
            continue;
        }
        looked += 1;
        for (me, other) in [(0, 1), (1, 0)] {
            let mine = &updates[me].view.players[me].hand.cards;
            let seen = &updates[other].view.players[me].hand.cards;
            let text = serde_json::to_value(&updates[other]).expect("it can be written");
            each_card(&text, &mut |id, named| {
                if mine.iter().any(|card| card.id == id) && !seen.iter().any(|card| card.id == id) {
                    assert!(!named, "card {id} of the hand is named to the other");
                    hidden += 1;
                }
            });
        }
    }
    assert!(hidden > 10, "{looked} positions, {hidden} hidden cards");
}

fn each_card(value: &serde_json::Value, each: &mut impl FnMut(u16, bool)) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| each_card(item, each)),
        serde_json::Value::Object(fields) => {
            if let Some(id) = fields.get("id").and_then(serde_json::Value::as_u64) {
                each(id as u16, fields.contains_key("face") || fields.contains_key("name"));
            }
            fields.values().for_each(|field| each_card(field, each));
        }
        _ => {}
    }
}

#[tokio::test]
async fn who_has_gone_is_replaced_and_comes_back() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 4).await;
    let ben = guests.pop().expect("two");
    guests[0].send(ClientMsg::Replace { seat: 2 }).await;
    guests[0].until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotNow)).await;
    ben.table.leave(ben.id).await;
    guests[0].send(ClientMsg::Replace { seat: 2 }).await;
    let away = |guest: &Guest| {
        matches!(info(guest).seats[1].who, Some(Occupant::Person { away: true, connected: false, .. }))
    };
    guests[0].until("a bot in Ben's place", away).await;
    let alone = play_on(&mut guests, 3).await;
    assert!(alone > 0, "the game goes on");
    let mut ben = Guest::join(&hall, &id, &ben.person).await;
    ben.until("the table", |guest| guest.update.is_some()).await;
    assert!(ben.told.iter().any(|m| matches!(m, ServerMsg::Welcome { you, .. } if you.away)));
    ben.send(ClientMsg::Back).await;
    ben.until("his seat", |guest| {
        guest.told.iter().rev().any(|m| matches!(m, ServerMsg::Table { you, .. } if !you.away))
    })
    .await;
    guests.push(ben);
    play_on(&mut guests, u64::MAX).await;
}

#[tokio::test]
async fn giving_up_ends_the_game_and_a_rematch_keeps_the_seats() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 5).await;
    guests[1].send(ClientMsg::Resign).await;
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
        let over = guest.update.as_ref().and_then(|update| update.over.clone()).expect("an end");
        assert_eq!((over.winner, over.reason.as_str()), (Some(1), "resigned"));
    }
    let record = hall.record(&id).await.expect("no fault").expect("a record");
    assert!(record.result.is_none(), "by the rules it had not ended");
    record.verify(&record.db(hall.sets()).expect("its cards")).expect("it verifies");
    guests[1].send(ClientMsg::Rematch).await;
    guests[0].until("a rematch", |guest| info(guest).rematch.is_some()).await;
    let next = info(&guests[0]).rematch.expect("a rematch");
    let mut again = Guest::join(&hall, &next, &guests[0].person).await;
    again.read_all().await;
    assert_eq!(seat(&again), Some(2), "the seats have moved on by one");
    assert!(hall.lobby(Some(&guests[0].person)).await.mine.iter().any(|table| table.id == next));
}

#[tokio::test]
async fn spectators_see_what_everybody_sees_or_are_kept_out() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    let cleo = hall.store().new_guest("Cleo".into()).await.expect("a guest");
    let mut watcher = Guest::join(&hall, &id, &cleo).await;
    play_on(&mut guests, 10).await;
    watcher.read_all().await;
    let update = watcher.update.clone().expect("an update");
    assert!(update.ask.is_none() && update.view.seat.is_none());
    for (me, other) in [(0, 1), (1, 0)] {
        guests[other].read_all().await;
        let seen = guests[other].update.clone().expect("an update").view.players[me].hand.cards.clone();
        let watched = &update.view.players[me].hand.cards;
        assert!(watched.iter().all(|card| seen.contains(card)), "no more than the other player sees");
    }
    watcher.send(ClientMsg::Act { seq: update.seq, index: 0 }).await;
    watcher.until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotSeated)).await;
    let (id, _guests) = two_people(&hall, Settings { spectators: Spectators::None, ..settings(2) }).await;
    let (outbox, _inbox) = tokio::sync::mpsc::channel(8);
    let table = hall.table(&id).await.expect("the table is there");
    assert_eq!(table.join(cleo, None, Box::new(outbox)).await, Err(Farewell::NotWelcome));
}

#[tokio::test]
async fn who_does_not_read_is_sent_the_table_anew() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    let table = hall.table(&id).await.expect("the table is there");
    // A second tab of Anna's that reads nothing for a while.
    let (outbox, mut inbox) = tokio::sync::mpsc::channel(4);
    table.join(guests[0].person.clone(), None, Box::new(outbox)).await.expect("welcome");
    play_on(&mut guests, 30).await;
    let mut last = None;
    while let Ok(Some(frame)) = tokio::time::timeout(std::time::Duration::from_secs(2), inbox.recv()).await {
        if let ServerMsg::Update(update) = serde_json::from_slice(frame.text()).expect("a message") {
            last = Some(update);
        }
    }
    guests[0].read_all().await;
    let last = last.expect("an update");
    assert!(last.fresh, "what was missed is not told piece by piece");
    assert_eq!(Some(last.view), guests[0].update.as_ref().map(|update| update.view.clone()));
}

#[tokio::test]
async fn a_clock_that_runs_out_hands_the_seat_to_a_bot() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let clock = Some(Clock { move_s: 5, reserve_s: 0 });
    let (_, mut guests) = two_people(&hall, Settings { clock, ..settings(2) }).await;
    read_both(&mut guests).await;
    let (me, other) = asked(&mut guests);
    let left = me.update.as_ref().and_then(|update| update.waiting.as_ref()?.left_ms);
    assert!(left.is_some_and(|left| left <= 5_000), "{left:?}");
    let mine = usize::from(seat(me).expect("a seat")) - 1;
    let away =
        |guest: &Guest| matches!(info(guest).seats[mine].who, Some(Occupant::Person { away: true, .. }));
    other.until("the clock", away).await;
}

#[tokio::test]
async fn impossible_tables_are_refused_with_the_reason() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let with = |change: fn(&mut NewTable)| {
        let mut new = new_table(settings(2), &[]);
        change(&mut new);
        new
    };
    for (new, reason) in [
        (with(|new| new.settings.players = 1), "1 players cannot play"),
        (with(|new| new.settings.players = 0), "cannot play"),
        (with(|new| new.settings.players = 7), "7 players cannot play"),
        (with(|new| new.settings.players = 5), "unlimited-lives"),
        (with(|new| new.settings.deck = "nonsense".into()), "no deck `nonsense`"),
        (with(|new| new.settings.deck_text = Some("nonsense".into())), "the deck"),
        (with(|new| new.settings.variants = vec!["easy".into()]), "no variant `easy`"),
        (with(|new| new.settings.window_ms = 1_000_000), "window_ms"),
        (with(|new| new.settings.clock = Some(Clock { move_s: 0, reserve_s: 0 })), "a clock has"),
        (with(|new| new.bots = vec![BotLevel::Kobold; 2]), "at most 1 bots"),
        (with(|new| new.from = Some("nonsense".into())), "record@step"),
        (with(|new| new.from = Some("nonsense@3".into())), "no finished game"),
    ] {
        let error = hall.create(&anna, new).await.expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(hall.lobby(Some(&anna)).await.mine.is_empty(), "nothing is left behind");
}

#[tokio::test]
async fn a_finished_game_can_be_taken_up_at_any_step() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, u64::MAX).await;
    let record = hall.record(&id).await.expect("no fault").expect("a record");
    let half = record.actions.len() / 2;
    let anna = guests[0].person.clone();
    let new = NewTable { from: Some(format!("{id}@{half}")), seat: Some(2), ..NewTable::default() };
    let next = hall.create(&anna, new).await.expect("a table");
    let mut guest = Guest::join(&hall, &next, &anna).await;
    guest.until("the table", |guest| guest.update.is_some()).await;
    assert_eq!(seat(&guest), Some(2));
    let mut guests = [guest];
    play_on(&mut guests, u64::MAX).await;
    let mine = hall.record(&next).await.expect("no fault").expect("a record");
    assert_eq!(mine.actions[..half], record.actions[..half]);
}
