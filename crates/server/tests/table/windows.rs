//! How long the table waits for a player.

use server::wire::*;

use crate::common::*;
use crate::{asked, info, read_both, seat, two_people};

/// The table waits as long for a player with nothing to do as for one with options, and a quick pass reveals
/// nothing.
#[tokio::test]
async fn a_window_lasts_the_same_whatever_is_in_the_hand() {
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
        // A game may end before there have been enough windows of both kinds.
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
                // Half of them pass at once, the others do nothing.
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
