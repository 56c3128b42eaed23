//! A rematch is for those who agree to it.

use server::wire::*;

use crate::common::*;
use crate::{begin, info, seat, seated, two_people};

const YES: ClientMsg = ClientMsg::Rematch { yes: true };
const NO: ClientMsg = ClientMsg::Rematch { yes: false };

async fn all_but_one_resign(guests: &mut [Guest]) {
    for guest in &guests[1..] {
        guest.send(ClientMsg::Resign).await;
    }
    for guest in guests {
        guest.until("the end", Guest::is_over).await;
    }
}

#[tokio::test]
async fn nobody_is_seated_in_a_rematch_unasked() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    all_but_one_resign(&mut guests).await;
    guests[0].send(NO).await;
    guests[0].until("a refusal", |guest| guest.last_refusal() == Some(Refusal::Stale)).await;
    // Withdrawn, and proposed by the other.
    guests[0].send(YES).await;
    guests[1].until("the proposal", |guest| info(guest).proposal.is_some()).await;
    guests[0].send(NO).await;
    guests[1].until("no proposal", |guest| info(guest).proposal.is_none()).await;
    guests[1].send(YES).await;
    guests[0].until("the proposal", |guest| info(guest).proposal.is_some_and(|open| open.by == 2)).await;
    let proposal = info(&guests[0]).proposal.expect("a proposal");
    assert_eq!(proposal, RematchProposal { by: 2, agreed: vec![2], declined: vec![] });
    assert!(info(&guests[0]).rematch.is_none(), "she has not agreed yet");
    assert!(hall.lobby(Some(&guests[0].person)).await.mine.is_empty());
    guests[0].send(YES).await;
    guests[1].until("the rematch", |guest| info(guest).rematch.is_some()).await;
    let next = info(&guests[1]).rematch.expect("a rematch");
    let mut again = Guest::join(&hall, &next, &guests[0].person).await;
    again.read_all().await;
    assert_eq!(seat(&again), Some(2), "the seats have moved on by one");
    assert!(hall.lobby(Some(&guests[0].person)).await.mine.iter().any(|table| table.id == next));
}

#[tokio::test]
async fn the_seats_of_those_who_decline_or_leave_are_free() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = seated(&hall, settings(4), &["Anna", "Ben", "Cleo", "Dora"]).await;
    begin(&mut guests).await;
    all_but_one_resign(&mut guests).await;
    guests[0].send(YES).await;
    guests[1].send(NO).await;
    guests[2].send(YES).await;
    guests[0]
        .until("the answers", |guest| {
            info(guest).proposal.is_some_and(|open| open.agreed == [1, 3] && open.declined == [2])
        })
        .await;
    let dora = guests.pop().expect("four");
    dora.table.leave(dora.id).await;
    guests[0].until("the rematch", |guest| info(guest).rematch.is_some()).await;
    let next = hall.info(&info(&guests[0]).rematch.expect("a rematch")).await.expect("the table");
    let names: Vec<Option<(String, bool)>> = next
        .seats
        .into_iter()
        .map(|seat| match seat.who {
            Some(Occupant::Person { name, host, .. }) => Some((name, host)),
            _ => None,
        })
        .collect();
    assert_eq!(names, [None, Some(("Cleo".into(), false)), None, Some(("Anna".into(), true))]);
    // Ben has changed his mind: his seat is free.
    let mut ben = Guest::join(&hall, &next.id, &guests[1].person).await;
    ben.send(ClientMsg::Sit { seat: None }).await;
    ben.until("a seat", |guest| seat(guest) == Some(1)).await;
}
