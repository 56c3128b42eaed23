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
    guests[1].until("a seat", |guest| guest.told.iter().any(|m| matches!(m, ServerMsg::Table { you, .. } if you.seat == Some(2)))).await;
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
    let shown = guests[0].told.iter().find_map(|m| match m {
        ServerMsg::Welcome { table, .. } => Some(table.commitment.clone()),
        _ => None,
    });
    assert_eq!(Some(fairness.commitment.to_string()), shown, "what was promised before the first card");
}
