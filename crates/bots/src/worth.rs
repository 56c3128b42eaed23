//! What a table is worth to a player, reckoned by hand: points, what the heroes about would bring, and the
//! dungeon itself. In souls, roughly times ten.

use cards::db::DefKind;
use cards::tree::Class;
use engine::{CardId, Fate, Game, Phase, Place, Seat};

/// How the table looks for this seat, its own face-down rooms turned up.
pub(crate) fn worth(table: &Game, me: Seat) -> f64 {
    let game = table.if_revealed(me);
    let state = &game.state;
    if let Some(outcome) = game.outcome() {
        return if outcome.winner == me { 1000.0 } else { -1000.0 };
    }
    let others = state.seats().count().saturating_sub(1).max(1) as f64;
    let side = |seat: Seat| if seat == me { 1.0 } else { -1.0 / others };
    let mut sum = 0.0;
    for seat in state.seats() {
        let (souls, wounds) = (f64::from(game.souls(seat)), f64::from(game.wounds(seat)));
        let end = if wounds >= 5.0 {
            -150.0
        } else if souls >= 10.0 {
            150.0
        } else {
            0.0
        };
        sum += side(seat) * (souls * 10.0 - wounds * 15.0 + end + dungeon(&game, seat) + hand(&game, seat));
        for hero in state.pile(Place::entrance(seat)).chain(state.pile(Place::inside(seat))) {
            sum += side(seat) * prospect(&game, hero, seat);
        }
    }
    let soon = if state.phase() <= Phase::Build { 0.8 } else { 0.3 };
    for hero in state.pile(Place::TOWN) {
        if let Some(seat) = game.lured_to(hero) {
            sum += soon * side(seat) * prospect(&game, hero, seat);
        }
    }
    sum
}

/// As printed: what lasts for a turn shows in the heroes' prospects.
fn dungeon(game: &Game, seat: Seat) -> f64 {
    let slots = game.state.slots(seat);
    let damage: i32 = slots.iter().map(|room| i32::from(game.def(*room).damage)).sum();
    let icons = |class: &Class| -> u8 {
        slots.iter().map(|room| game.def(*room).icons[*class as usize]).fold(0, u8::saturating_add)
    };
    let treasure: u8 = Class::ALL.iter().map(|class| icons(class).min(4)).sum();
    let rooms = slots.len() as f64;
    let level = if game.levelled(seat) { 0.0 } else { rooms * 0.5 };
    f64::from(damage) * 1.2 + f64::from(treasure) * 0.7 + rooms + level
}

fn hand(game: &Game, seat: Seat) -> f64 {
    let each = |card| if game.def(card).kind == DefKind::Spell { 2.5 } else { 1.0 };
    game.state.hand(seat).map(each).sum()
}

/// What a hero in this dungeon would bring its owner.
fn prospect(game: &Game, hero: CardId, seat: Seat) -> f64 {
    let points = f64::from(game.def(hero).souls());
    match game.forecast(hero, seat).fate {
        Fate::Dies => 9.0 * points,
        Fate::Wounds => -13.0 * points,
        Fate::StaysOut => 0.0,
    }
}
