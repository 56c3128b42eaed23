//! Time that was used stays used.

use server::wire::*;

use crate::common::*;
use crate::{asked, left_ms, read_both, seat, skip, two_people, you};

#[tokio::test]
async fn coming_back_does_not_refill_the_clock() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let clock = Some(Clock { move_s: 10, reserve_s: 20 });
    let (_, mut guests) = two_people(&hall, Settings { clock, ..settings(2) }).await;
    read_both(&mut guests).await;
    let (me, _) = asked(&mut guests);
    assert!(left_ms(me).is_some_and(|left| (20_000..=30_000).contains(&left)));
    let mine = usize::from(seat(me).expect("a seat")) - 1;
    skip(31).await;
    me.until("the clock", |guest| you(guest).away).await;
    me.send(ClientMsg::Back).await;
    me.until("the seat", |guest| !you(guest).away).await;
    read_both(&mut guests).await;
    for n in 0.. {
        if guests[mine].is_asked() {
            break;
        }
        play_from(&mut guests, n, 1).await;
        read_both(&mut guests).await;
    }
    let left = left_ms(&guests[mine]).expect("a clock");
    assert!(left <= 10_000, "{left} ms");
}

#[tokio::test]
async fn taking_back_does_not_refill_the_clock() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let clock = Some(Clock { move_s: 60, reserve_s: 100 });
    let mut taken_back = 0;
    for _ in 0..10 {
        let (_, mut guests) = two_people(&hall, Settings { clock, ..settings(2) }).await;
        for n in 0..40 {
            read_both(&mut guests).await;
            if taken_back == 3 {
                return;
            }
            if !guests.iter().any(Guest::is_asked) {
                break;
            }
            let (me, _) = asked(&mut guests);
            skip(40).await;
            me.answer(mix(n) as u32 % me.choices() as u32).await;
            me.read_all().await;
            if me.is_over()
                || me.update.as_ref().map(|update| update.undo.allowed) != Some(UndoAllowed::Freely)
            {
                continue;
            }
            let seq = me.seq();
            me.send(ClientMsg::Undo).await;
            me.until("the question again", |guest| guest.seq() > seq && guest.is_asked()).await;
            let left = left_ms(me).expect("a clock");
            assert!(left <= 120_000, "{left} ms");
            taken_back += 1;
        }
    }
    panic!("only {taken_back} answers could be taken back");
}

/// The window that a guest is asked about, once there is one; `None` if the game ends before.
async fn window(guests: &mut [Guest], n: &mut u64) -> Option<usize> {
    loop {
        for guest in guests.iter_mut() {
            while guest.read(std::time::Duration::ZERO).await {}
        }
        let is_open = |guest: &Guest| guest.is_asked() && left_ms(guest).is_some();
        if let Some(at) = guests.iter().position(is_open) {
            return Some(at);
        }
        if guests.iter().any(Guest::is_over) {
            return None;
        }
        *n += 1;
        match guests.iter_mut().find(|guest| guest.is_asked()) {
            Some(guest) => guest.answer(mix(*n) as u32 % guest.choices() as u32).await,
            None => drop(guests[0].read(std::time::Duration::from_millis(10)).await),
        }
    }
}

#[tokio::test]
async fn a_window_cannot_be_held_for_ever() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let begin = async || {
        let (_, guests) = two_people(&hall, Settings { window_ms: 20_000, ..settings(2) }).await;
        let stops = Stops { windows: StopAt::Every, answer_spells: true };
        for guest in &guests {
            guest.send(ClientMsg::Stops { stops }).await;
        }
        guests
    };
    let mut guests = begin().await;
    let (mut n, mut held, mut refused) = (0, 0, 0);
    while refused == 0 || held < 3 {
        assert!(n < 400, "{held} held, {refused} refused");
        let Some(at) = window(&mut guests, &mut n).await else {
            guests = begin().await;
            continue;
        };
        let me = &mut guests[at];
        me.told.clear();
        let seq = me.seq();
        me.send(ClientMsg::Hold { seq }).await;
        me.until("an answer", |guest| guest.seq() > seq || guest.last_refusal().is_some()).await;
        if me.last_refusal() == Some(Refusal::NotNow) {
            refused += 1;
            skip(21).await;
        } else if me.seq() > seq && me.is_asked() {
            let left = left_ms(me).expect("an end");
            assert!(left <= 80_000, "{left} ms");
            held += 1;
            skip(81).await;
        }
        let seq = seq + 1;
        me.until("the window closes by itself", |guest| guest.seq() > seq || !guest.is_asked()).await;
    }
}
