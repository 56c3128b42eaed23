//! Taking answers back.

use server::wire::*;

use crate::common::*;
use crate::{asked, begin, read_both, seated, two_people};

#[tokio::test]
async fn answers_can_be_taken_back_until_something_is_revealed() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (mut freely, mut refused, mut by_consent, mut named) = (0, 0, 0, 0);
    // The shuffle is random: as many games as it takes to have seen everything.
    for _ in 0..30 {
        if freely > 5 && refused > 5 && by_consent > 3 && named > 0 {
            break;
        }
        let (_, mut guests) = two_people(&hall, settings(2)).await;
        // Who was told no. They ask no more in this game: taking back later answers may bring the same one up again.
        let mut declined = Vec::new();
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
            // A player who did not answer last may ask those who did.
            me.read_all().await;
            other.read_all().await;
            let offer = other.update.as_ref().map(|update| update.undo.allowed);
            if offer == Some(UndoAllowed::ByConsent)
                && by_consent < 16
                && !declined.contains(&other.person.id)
            {
                by_consent += 1;
                other.send(ClientMsg::Undo).await;
                let request_of = |guest: &Guest| {
                    guest.told.iter().rev().find_map(|m| match m {
                        ServerMsg::UndoAsked { request, .. } => Some(*request),
                        _ => None,
                    })
                };
                me.told.clear();
                me.until("the request", |guest| request_of(guest).is_some()).await;
                // Nobody is pestered: it is asked once, and not again after a no.
                repeated(other).await;
                // It is repeated to a player who comes back, and names nothing that was not told before.
                me.told.clear();
                me.send(ClientMsg::Refresh).await;
                me.until("the request again", |guest| request_of(guest).is_some()).await;
                let words = me.told.iter().find_map(|m| match m {
                    ServerMsg::UndoAsked { words, .. } => Some(words.clone()),
                    _ => None,
                });
                let words = words.expect("a request");
                if let Some((_, what)) = words.split_once("take this back: ") {
                    let events = me.update.as_ref().map(|update| &update.events).expect("an update");
                    assert!(events.iter().any(|event| event.words == what), "{words}");
                    named += 1;
                }
                let request = request_of(me).expect("a request");
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
                    declined.push(other.person.id);
                    // A no may have been a slip; the second one is meant.
                    (me.told, other.told) = Default::default();
                    other.send(ClientMsg::Undo).await;
                    me.until("the request once more", |guest| request_of(guest).is_some()).await;
                    let request = request_of(me).expect("a request");
                    me.send(ClientMsg::Consent { request, yes: false }).await;
                    other.until("no again", refused).await;
                    repeated(other).await;
                }
            }
        }
    }
    assert!(
        freely > 5 && refused > 5 && by_consent > 3 && named > 0,
        "{freely} freely, {refused} refused, {by_consent} asked, {named} by name"
    );
}

#[tokio::test]
async fn whoever_has_resigned_takes_nothing_back() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = seated(&hall, settings(3), &["Anna", "Ben", "Cleo"]).await;
    begin(&mut guests).await;
    for _ in 0..40 {
        for guest in &mut guests {
            guest.read_all().await;
        }
        let me = guests.iter_mut().find(|guest| guest.is_asked()).expect("somebody is asked");
        me.answer(0).await;
        me.read_all().await;
        if me.update.as_ref().is_some_and(|update| update.undo.allowed == UndoAllowed::Freely) {
            me.send(ClientMsg::Resign).await;
            return repeated(me).await;
        }
    }
    panic!("nothing could be taken back");
}

/// Asks to take back once more, in vain.
async fn repeated(guest: &mut Guest) {
    guest.told.clear();
    guest.send(ClientMsg::Undo).await;
    guest.until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotNow)).await;
}
