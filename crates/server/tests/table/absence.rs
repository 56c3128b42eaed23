//! Players who have left or do not answer, and bots that play for them.

use server::wire::*;

use crate::common::*;
use crate::{asked, begin, info, read_both, reopened, seat, seated, skip, two_people, you};

fn is_away(guest: &Guest, seat: usize) -> bool {
    matches!(info(guest).seats[seat - 1].who, Some(Occupant::Person { away: true, .. }))
}

async fn refuses(guest: &mut Guest, message: ClientMsg) {
    guest.told.retain(|message| !matches!(message, ServerMsg::Refused { .. }));
    guest.send(message.clone()).await;
    guest.until("a refusal", |guest| guest.last_refusal().is_some()).await;
    assert_eq!(guest.last_refusal(), Some(Refusal::NotNow), "{message:?}");
}

#[tokio::test]
async fn a_player_who_left_can_be_replaced_after_a_minute_and_comes_back() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 4).await;
    let ben = guests.pop().expect("two");
    let replace = ClientMsg::Replace { seat: 2 };
    refuses(&mut guests[0], replace.clone()).await;
    ben.table.leave(ben.id).await;
    guests[0].until("the offer", |guest| !you(guest).may_replace.is_empty()).await;
    let offer = you(&guests[0]).may_replace;
    assert!(
        offer.len() == 1 && offer[0].seat == 2 && (50_000..=60_000).contains(&offer[0].left_ms),
        "{offer:?}"
    );
    refuses(&mut guests[0], replace.clone()).await;
    skip(50).await;
    refuses(&mut guests[0], replace.clone()).await;
    skip(11).await;
    guests[0].send(replace).await;
    guests[0].until("a bot in Ben's seat", |guest| is_away(guest, 2)).await;
    let alone = play_on(&mut guests, 3).await;
    assert!(alone > 0, "the game goes on");
    let mut ben = Guest::join(&hall, &id, &ben.person).await;
    ben.until("the table", |guest| guest.update.is_some()).await;
    assert!(you(&ben).away);
    ben.send(ClientMsg::Back).await;
    ben.until("his seat", |guest| !you(guest).away).await;
    guests.push(ben);
    play_on(&mut guests, u64::MAX).await;
}

#[tokio::test]
async fn after_a_restart_everyone_has_longer_to_come_back() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, guests) = two_people(&first, settings(2)).await;
    let anna = guests[0].person.clone();
    drop(guests);
    let second = reopened(first, &folder).await;
    let mut anna = Guest::join(&second, &id, &anna).await;
    skip(120).await;
    refuses(&mut anna, ClientMsg::Replace { seat: 2 }).await;
    skip(61).await;
    anna.send(ClientMsg::Replace { seat: 2 }).await;
    anna.until("a bot in Ben's seat", |guest| is_away(guest, 2)).await;
}

#[tokio::test]
async fn the_others_decide_together_about_a_player_who_does_not_answer() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = seated(&hall, settings(3), &["Anna", "Ben", "Cleo"]).await;
    begin(&mut guests).await;
    read_both(&mut guests).await;
    let silent = guests.iter().position(Guest::is_asked).expect("somebody is asked");
    let silent_seat = silent + 1;
    let mut others: Vec<Guest> = guests;
    let mut squatter = others.remove(silent);
    let replace = ClientMsg::Replace { seat: silent_seat as u8 };
    skip(110).await;
    for other in &mut others {
        refuses(other, replace.clone()).await;
    }
    skip(11).await;
    for other in &mut others {
        other.until("the offer", |guest| !you(guest).may_replace.is_empty()).await;
    }
    others[0].send(replace.clone()).await;
    others[1].until("a vote", |guest| !you(guest).may_replace[0].agreed.is_empty()).await;
    let offer = you(&others[1]).may_replace.remove(0);
    assert_eq!(
        (offer.left_ms, offer.needed, &offer.agreed[..]),
        (0, 2, &[seat(&others[0]).expect("a seat")][..])
    );
    squatter.read_all().await;
    assert!(squatter.is_asked() && !you(&squatter).away, "one of two is not enough");
    refuses(&mut squatter, replace.clone()).await;
    others[1].send(replace).await;
    squatter.until("the bot", |guest| you(guest).away).await;
    // Nobody is locked out: once the bot has answered, the seat is theirs again.
    squatter.send(ClientMsg::Back).await;
    squatter.until("the seat", |guest| !you(guest).away).await;
}

#[tokio::test]
async fn a_single_opponent_has_to_wait_longer() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    read_both(&mut guests).await;
    let (silent, other) = asked(&mut guests);
    let replace = ClientMsg::Replace { seat: seat(silent).expect("a seat") };
    skip(290).await;
    refuses(other, replace.clone()).await;
    skip(11).await;
    other.send(replace).await;
    silent.until("the bot", |guest| you(guest).away).await;
}

/// Leaving and coming back is no way around a question that the clock has decided.
#[tokio::test]
async fn a_stand_in_answers_what_it_was_called_for() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let clock = Some(Clock { move_s: 5, reserve_s: 20 });
    let (_, mut guests) = two_people(&hall, Settings { clock, ..settings(2) }).await;
    read_both(&mut guests).await;
    let (me, other) = asked(&mut guests);
    refuses(other, ClientMsg::Replace { seat: seat(me).expect("a seat") }).await;
    let before = me.update.clone().map(|update| (update.view, update.ask)).expect("an update");
    skip(26).await;
    me.until("the clock", |guest| you(guest).away).await;
    me.send(ClientMsg::Back).await;
    refuses(me, ClientMsg::Undo).await;
    me.until("the seat", |guest| !you(guest).away).await;
    me.read_all().await;
    let after = me.update.clone().map(|update| (update.view, update.ask)).expect("an update");
    assert_ne!(before, after, "the same question again");
}
