//! The shuffle: everyone commits, then everyone reveals, and whoever does not is left out openly.

use engine::record::{Hex, Record};
use server::hall::Hall;
use server::store::LogEntry;

use super::*;

const ANNA: [u8; 32] = [0xa1; 32];
const BEN: [u8; 32] = [0xbe; 32];

/// Anna and Ben, seated and committed, and a bot.
async fn committed(hall: &Hall) -> (String, Vec<Guest>) {
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let id = hall.create(&anna, new_table(settings(3), &[BotLevel::Kobold])).await.expect("a table");
    let mut guests = vec![
        Guest::join_with(hall, &id, &anna, Some(ANNA)).await,
        Guest::join_with(hall, &id, &ben, Some(BEN)).await,
    ];
    guests[1].send(ClientMsg::Sit { seat: Some(2) }).await;
    guests[1].until("a seat", |guest| seat(guest) == Some(2)).await;
    (id, guests)
}

/// Seat and state of everyone who has committed to something.
fn states(guest: &Guest) -> Vec<(u8, ContributionState)> {
    if guest.told.is_empty() {
        return Vec::new();
    }
    let shuffle = guest.info().shuffle.unwrap_or_default();
    shuffle.into_iter().map(|added| (added.seat, added.state)).collect()
}

async fn finished(hall: &Hall, id: &str, guests: &mut [Guest]) -> Record {
    guests[0].until("the deal", |guest| guest.update.is_some()).await;
    play_on(guests, u64::MAX).await;
    let record = hall.record(id).await.expect("no fault").expect("a record");
    let db = record.db(hall.sets()).expect("its cards");
    record.verify(&db).expect("it verifies, shuffle included");
    record
}

#[tokio::test]
async fn nothing_is_dealt_before_everyone_has_committed_and_then_revealed() {
    use ContributionState::*;
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = committed(&hall).await;
    let watching = hall.store().new_guest("Cleo".into()).await.expect("a guest");
    let mut watching = Guest::join(&hall, &id, &watching).await;
    guests[0].read_all().await;
    let promised = guests[0].info().commitment;
    guests[0].reveal().await;
    guests[0].read_all().await;
    assert_eq!(guests[0].last_refusal(), Some(Refusal::NotNow), "not before the commitments are published");

    guests[0].send(ClientMsg::Start).await;
    let asked = |guest: &Guest| states(guest) == [(1, Waiting), (2, Waiting)];
    guests[1].until("the commitments", asked).await;
    watching.until("the commitments", asked).await;
    let shown = watching.info().shuffle.expect("everyone is shown them");
    let (_, log) = hall.store().table(&id).await.unwrap().unwrap();
    assert!(matches!(log.last(), Some(LogEntry::Commits(_))), "on disk before anyone sees them: {log:?}");

    // The seats are fixed now, and only the bytes that were promised count.
    guests[1].send(ClientMsg::Stand).await;
    guests[1].read_all().await;
    assert_eq!(guests[1].last_refusal(), Some(Refusal::NotNow));
    for (bytes, code) in [("0f".repeat(32), Refusal::NotLegal), ("0f".into(), Refusal::Malformed)] {
        guests[1].send(ClientMsg::Reveal { bytes }).await;
        guests[1].read_all().await;
        assert_eq!(guests[1].last_refusal(), Some(code));
    }
    guests[1].reveal().await;
    guests[0].until("one", |guest| states(guest) == [(1, Waiting), (2, Revealed)]).await;
    assert!(guests[0].update.is_none(), "nothing is dealt yet");
    guests[0].reveal().await;
    guests[0].until("both", |guest| states(guest) == [(1, Revealed), (2, Revealed)]).await;
    // A second tab of the same person may be late.
    guests[1].told.clear();
    guests[1].reveal().await;
    guests[1].read_all().await;
    assert_eq!(guests[1].last_refusal(), None);

    let record = finished(&hall, &id, &mut guests).await;
    let fairness = record.fairness.expect("it is fair");
    assert_eq!(fairness.commitment.to_string(), promised, "what was promised before anyone sat down");
    let bytes: Vec<_> = fairness.players.iter().map(|player| player.bytes).collect();
    assert_eq!(bytes, [Some(Hex(ANNA)), Some(Hex(BEN)), None], "people add to the seed, bots do not");
    for (player, shown) in fairness.players.iter().zip(&shown) {
        assert_eq!(player.commitment.map(|text| text.to_string()).as_ref(), Some(&shown.commitment));
    }
}

#[tokio::test]
async fn whoever_does_not_reveal_in_time_is_left_out_openly() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = committed(&hall).await;
    guests[0].send(ClientMsg::Start).await;
    guests[0].reveal().await;
    let left_out = [(1, ContributionState::Revealed), (2, ContributionState::Absent)];
    guests[0].until("the deal without Ben", |guest| states(guest) == left_out).await;
    let record = finished(&hall, &id, &mut guests).await;
    let players = record.fairness.expect("it is fair").players;
    assert_eq!(players[0].bytes, Some(Hex(ANNA)));
    assert!(
        players[1].commitment.is_some() && players[1].bytes.is_none(),
        "the record shows it: {players:?}"
    );
}

#[tokio::test]
async fn someone_who_is_not_connected_adds_nothing() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = committed(&hall).await;
    let ben = guests.pop().unwrap();
    ben.table.leave(ben.id).await;
    guests[0].send(ClientMsg::Start).await;
    guests[0].until("the commitments", |guest| states(guest) == [(1, ContributionState::Waiting)]).await;
    guests[0].reveal().await;
    guests[0].until("the deal", |guest| guest.update.is_some()).await;
    guests.push(Guest::join_with(&hall, &id, &ben.person, Some(BEN)).await);
    let record = finished(&hall, &id, &mut guests).await;
    let players = record.fairness.expect("it is fair").players;
    assert_eq!((players[0].bytes, players[1].commitment), (Some(Hex(ANNA)), None));
}

#[tokio::test]
async fn a_restart_between_commitments_and_reveals_changes_neither() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = committed(&first).await;
    guests[0].send(ClientMsg::Start).await;
    let asked = [(1, ContributionState::Waiting), (2, ContributionState::Waiting)];
    guests[0].until("the commitments", |guest| states(guest) == asked).await;
    let (promised, published) = (guests[0].info().commitment, guests[0].info().shuffle);
    guests[0].reveal().await;
    guests[0].read_all().await;
    let people: Vec<_> = guests.drain(..).map(|guest| guest.person).collect();

    let hall = reopened(first, &folder).await;
    let mut guests = Vec::new();
    for (person, bytes) in people.iter().zip([ANNA, BEN]) {
        guests.push(Guest::join_with(&hall, &id, person, Some(bytes)).await);
    }
    guests[0].until("a welcome", |guest| !guest.told.is_empty()).await;
    assert_eq!(guests[0].info().commitment, promised);
    assert_eq!(guests[0].info().shuffle, published, "the same commitments");
    for guest in &guests {
        guest.reveal().await;
    }
    let record = finished(&hall, &id, &mut guests).await;
    let bytes: Vec<_> =
        record.fairness.expect("it is fair").players.iter().map(|player| player.bytes).collect();
    assert_eq!(bytes, [Some(Hex(ANNA)), Some(Hex(BEN)), None]);
}

#[tokio::test]
async fn a_table_that_starts_by_itself_shuffles_once() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let new = NewTable { start: true, ..new_table(settings(2), &[BotLevel::Kobold]) };
    let id = hall.create(&anna, new).await.expect("a table");
    let mut guest = Guest::join_with(&hall, &id, &anna, Some(ANNA)).await;
    // Two tabs; the first takes part.
    let mut tab = Guest::join_with(&hall, &id, &anna, Some(BEN)).await;
    guest.until("the commitments", |guest| states(guest) == [(1, ContributionState::Waiting)]).await;
    tab.reveal().await;
    tab.read_all().await;
    assert_eq!(tab.last_refusal(), Some(Refusal::NotLegal));
    guest.reveal().await;
    guest.until("the deal", |guest| guest.update.is_some()).await;
    let (_, log) = hall.store().table(&id).await.unwrap().unwrap();
    let commits = log.iter().filter(|entry| matches!(entry, LogEntry::Commits(_))).count();
    assert_eq!(commits, 1, "{log:?}");
}
