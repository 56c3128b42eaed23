//! Tables that are restored: after a restart, and from the record of a finished game.

use server::wire::*;

use crate::common::*;
use crate::{read_both, reopened, seat, two_people};

#[tokio::test]
async fn a_restarted_game_continues_where_it_was() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = two_people(&first, settings(2)).await;
    assert_eq!(play_on(&mut guests, 8).await, 8);
    read_both(&mut guests).await;
    let people: Vec<_> = guests.iter().map(|guest| guest.person.clone()).collect();
    let before: Vec<_> = guests.iter().map(|guest| guest.update.clone().expect("an update")).collect();
    // No goodbye, as in a crash.
    drop(guests);
    let second = reopened(first, &folder).await;
    let mut guests = Vec::new();
    for (person, before) in people.iter().zip(&before) {
        let mut guest = Guest::join(&second, &id, person).await;
        guest.until("the table", |guest| guest.update.is_some()).await;
        let now = guest.update.clone().expect("an update");
        assert!(now.fresh);
        assert!(now.events.ends_with(&before.events), "the events reach to the end, in the same words");
        let turns = now.events.iter().filter(|event| matches!(event.what, wire::What::TurnBegins { .. }));
        assert_eq!(turns.count(), usize::from(now.view.turn), "and from the beginning");
        assert_eq!(now.view, before.view);
        assert_eq!(now.ask, before.ask);
        assert!(now.seq >= before.seq, "an old click must not fit a new question");
        guests.push(guest);
    }
    play_on(&mut guests, u64::MAX).await;
    let record = second.record(&id).await.expect("no fault").expect("a record");
    record.verify(&record.db(second.sets()).expect("its cards")).expect("it verifies");
}

/// Some updates are not caused by an answer. Their numbers must not be reused, or an old click could match.
#[tokio::test]
async fn update_numbers_grow_across_a_restart() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = two_people(&first, Settings { window_ms: 30_000, ..settings(2) }).await;
    let in_window = |guest: &Guest| {
        let waiting = guest.update.as_ref().and_then(|update| update.waiting.as_ref());
        guest.is_asked() && waiting.is_some_and(|waiting| waiting.left_ms.is_some())
    };
    // Asked everywhere, somebody soon is in a window: everyone begins with spells in hand.
    for guest in &guests {
        let stops = Stops { windows: StopAt::Every, ..Stops::default() };
        guest.send(ClientMsg::Stops { stops }).await;
    }
    for n in 0.. {
        for guest in &mut guests {
            while guest.read(std::time::Duration::ZERO).await {}
        }
        assert!(!guests.iter().any(Guest::is_over), "a game without a window");
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
        // Passing releases it.
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

#[tokio::test]
async fn a_finished_game_can_be_continued_from_any_step() {
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

/// Their cards have left the game, but newcomers are still told what they had, even after a restart.
#[tokio::test]
async fn eliminated_players_keep_their_score_after_a_restart() {
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
    panic!("nobody was eliminated");
}

/// What a player has armed, and when they want to be asked, is still so after a restart; nobody else can tell.
#[tokio::test]
async fn wishes_outlive_a_restart() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = two_people(&first, settings(2)).await;
    play_on(&mut guests, 4).await;
    read_both(&mut guests).await;
    let armable = |guest: &Guest| guest.update.as_ref().and_then(|update| update.armable.first().copied());
    let at = guests.iter().position(|guest| armable(guest).is_some()).expect("everyone begins with spells");
    let card = armable(&guests[at]).expect("a card");
    // It is used at the first chance, so nobody is asked anything more before the restart.
    let hero =
        guests[at].update.as_ref().and_then(|update| update.view.town.first().map(|hero| hero.card.id));
    let when = hero.map_or(ArmedFor::NextChance, |hero| ArmedFor::HeroSurvives { hero });
    let stops = Stops { windows: StopAt::Never, answer_spells: false };
    guests[at].send(ClientMsg::Stops { stops }).await;
    guests[at].send(ClientMsg::Arm { card, when: Some(when) }).await;
    guests[at].until("it is armed", |guest| you(guest).is_some_and(|you| !you.armed.is_empty())).await;
    let people: Vec<_> = guests.iter().map(|guest| guest.person.clone()).collect();
    let seq = guests[1 - at].seq();
    // Nobody waits for wishes to be stored, but what is stored later is stored after them.
    first.store().new_guest("Cleo".into()).await.expect("a guest");
    drop(guests);
    let second = reopened(first, &folder).await;
    let mut me = Guest::join(&second, &id, &people[at]).await;
    me.until("the table", |guest| guest.update.is_some()).await;
    let kept = you(&me).expect("a welcome");
    assert_eq!((kept.stops, &kept.armed[..]), (stops, &[Armed { card, when }][..]));
    let mut other = Guest::join(&second, &id, &people[1 - at]).await;
    other.until("the table", |guest| guest.update.is_some()).await;
    let theirs = you(&other).expect("a welcome");
    assert_eq!((theirs.stops, theirs.armed.len()), (Stops::default(), 0));
    assert!(other.seq() >= seq);
}

/// What a guest was told last about their own seat.
fn you(guest: &Guest) -> Option<You> {
    guest.told.iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } | ServerMsg::Table { you, .. } => Some(you.clone()),
        _ => None,
    })
}
