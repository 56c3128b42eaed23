//! How long the table waits for a player. Windows are tested on a simulated clock: `src/table/wishes.rs`,
//! `src/table/two_worlds.rs`.

use server::wire::*;

use crate::common::*;
use crate::{asked, info, read_both, seat, two_people};

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
