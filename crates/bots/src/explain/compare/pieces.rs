//! What an answer changes besides heroes and rooms: coins, counters, minibosses and items.

use cards::vocabulary::Kind;
use engine::tell::Names;
use engine::{CardId, Game, Place, Seat};

use super::{Comparison, Reason};

/// How much each weighs, beside ten for a soul.
const COIN: f64 = 1.5;
const COUNTER: f64 = 1.2;
const MINIBOSS: f64 = 4.0;
const LEVEL: f64 = 2.5;
const ITEM: f64 = 3.0;
/// The share of that if it is somebody else's.
const THEIRS: f64 = 0.5;

/// Is a room's change of damage told by its counters?
pub fn explain(before: &Game, was: CardId, after: &Game, room: CardId, gain: i32) -> bool {
    was == room && counters(after, room) - counters(before, room) == gain
}

fn counters(game: &Game, room: CardId) -> i32 {
    i32::from(game.state.marks(room).counters)
}

pub fn compare<N: Names + ?Sized>(
    comparison: &Comparison<N>,
    before: &Game,
    after: &Game,
    reasons: &mut Vec<Reason>,
) {
    for seat in after.state.seats() {
        let mine = seat == comparison.me;
        let side = if mine { 1.0 } else { -THEIRS };
        let name = || comparison.names.player(seat);
        let coins = i32::from(after.coins(seat)) - i32::from(before.coins(seat));
        if coins != 0 {
            let many = number(coins.abs(), "coin");
            let words = match (mine, coins > 0) {
                (true, true) => format!("gains {many}"),
                (true, false) => format!("costs {many}"),
                (false, true) => format!("{} gains {many}", name()),
                (false, false) => format!("{} loses {many}", name()),
            };
            reasons.push(Reason::new(side * COIN * f64::from(coins), words));
        }
        let whose = if mine { String::new() } else { format!("{}'s ", name()) };
        for room in after.state.slots(seat).iter().filter(|room| before.state.slots(seat).contains(room)) {
            on_room(before, after, *room, (side, &whose), reasons);
        }
        for item in items(after, seat).filter(|item| items(before, seat).all(|other| other != *item)) {
            let words = match mine {
                true => format!("claims {}", after.name(item)),
                false => format!("leaves {} to {}", after.name(item), name()),
            };
            reasons.push(Reason::new(side * ITEM, words));
        }
        minibosses(before, after, seat, (side, &whose), reasons);
    }
}

/// Counters and coins that lie on a room.
fn on_room(before: &Game, after: &Game, room: CardId, (side, whose): (f64, &str), reasons: &mut Vec<Reason>) {
    let coins = |game: &Game| i32::from(game.state.marks(room).coins);
    let gains = [
        (counters(after, room) - counters(before, room), "counter", COUNTER),
        (coins(after) - coins(before), "coin", COIN),
    ];
    for (gain, what, value) in gains.into_iter().filter(|(gain, ..)| *gain != 0) {
        let (many, name) = (number(gain.abs(), what), after.name(room));
        let words = match gain > 0 {
            true => format!("{many} on {whose}{name}"),
            false => format!("{many} fewer on {whose}{name}"),
        };
        reasons.push(Reason::new(side * value * f64::from(gain), words));
    }
}

fn minibosses(
    before: &Game,
    after: &Game,
    seat: Seat,
    (side, whose): (f64, &str),
    reasons: &mut Vec<Reason>,
) {
    let level = |game: &Game, card: CardId| {
        working(game, seat).find(|(other, _)| *other == card).map(|(_, level)| i32::from(level))
    };
    for (card, now) in working(after, seat) {
        let name = after.name(card);
        match (level(before, card), i32::from(now)) {
            (None, _) => reasons.push(Reason::new(side * MINIBOSS, format!("{whose}{name} goes to work"))),
            (Some(was), now) if now > was => {
                let words = format!("{whose}{name} rises to level {now}");
                reasons.push(Reason::new(side * LEVEL * f64::from(now - was), words));
            }
            (Some(was), now) if now < was => {
                let words = format!("{whose}{name} falls back to level {now}");
                reasons.push(Reason::new(side * LEVEL * f64::from(now - was), words));
            }
            _ => {}
        }
    }
    for (card, was) in working(before, seat).filter(|(card, _)| level(after, *card).is_none()) {
        let worth = MINIBOSS + LEVEL * f64::from(was.saturating_sub(1));
        reasons.push(Reason::new(-side * worth, format!("costs {whose}{}", after.name(card))));
    }
}

/// The minibosses in a dungeon, with their levels.
fn working<'g>(game: &'g Game, seat: Seat) -> impl Iterator<Item = (CardId, u8)> + 'g {
    let here = move |host: CardId| {
        let place = game.state.card(host).place;
        place.is_dungeon() && place.seat() == seat
    };
    let attached = game.state.attachments().iter().filter(move |attachment| here(attachment.host));
    attached.map(|attachment| (attachment.card, attachment.level))
}

fn items<'g>(game: &'g Game, seat: Seat) -> impl Iterator<Item = CardId> + 'g {
    game.state.pile(Place::scoring(seat)).filter(|card| game.def(*card).kind == Kind::Item)
}

fn number(many: i32, what: &str) -> String {
    match many {
        1 => format!("a {what}"),
        many => format!("{many} {what}s"),
    }
}
