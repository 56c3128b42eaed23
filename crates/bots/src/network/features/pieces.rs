//! The appended numbers: coins, counters, minibosses, items, the explorer, and scores where neither souls nor
//! wounds end the game.

use cards::vocabulary::{Class, Kind};
use engine::{CardId, Fate, Game, Place, Seat, State};

use super::List;
use crate::evaluate::Pieces;

/// Thresholds of coins in a hoard.
const COINS: [u16; 5] = [1, 2, 3, 5, 8];

pub(super) fn side(list: &mut List, game: &Game, seat: Seat, walk: &mut State) {
    let pieces = Pieces::of(game, seat);
    for step in COINS {
        list.add(f32::from(u8::from(pieces.coins >= step)));
    }
    list.count(i32::from(pieces.coins_on_rooms), 3);
    list.count(i32::from(pieces.counters), 3);
    // Minibosses: those at work, their levels, those that can be sent into action, those that can be promoted,
    // and those in hand.
    for many in [pieces.minibosses, pieces.levels, pieces.ready] {
        list.count(i32::from(many), 3);
    }
    list.count(i32::from(pieces.promotable.min(pieces.coins)), 2);
    let held = game.state.pile(Place::rooms(seat)).filter(|card| game.def(*card).kind != Kind::Room);
    list.count(held.count() as i32, 2);
    items(list, game, seat, &pieces, walk);
    let explorer =
        if game.db.classes.has(Class::Explorer) { game.treasure(seat, Class::Explorer) } else { 0 };
    list.count(explorer, 3);
    let (souls, wounds) = (game.souls(seat), game.wounds(seat));
    list.count(souls - wounds, 5);
    list.count((souls - 9).max(0), 5);
    list.count((wounds - 4).max(0), 5);
    list.add(score_rank(game, seat));
}

/// Items: claimed and face up, all in the scoring area, and those on heroes who will die here or come through.
fn items(list: &mut List, game: &Game, seat: Seat, pieces: &Pieces, walk: &mut State) {
    list.count(i32::from(pieces.usable_items), 2);
    list.count(i32::from(pieces.items), 3);
    let (mut won, mut lost, mut near) = (0, 0, 0);
    for hero in game.state.pile(Place::entrance(seat)).chain(game.state.pile(Place::inside(seat))) {
        if carries(game, hero) {
            match game.forecast_in(walk, hero, seat).fate {
                Fate::Dies => won += 1,
                Fate::Wounds => lost += 1,
                Fate::StaysOut => {}
            }
        }
    }
    for hero in game.state.pile(Place::TOWN) {
        near += i32::from(carries(game, hero) && game.lured_to(hero) == Some(seat));
    }
    for many in [won, lost, near] {
        list.count(many, 2);
    }
}

fn carries(game: &Game, hero: CardId) -> bool {
    game.state.attached_to(hero).next().is_some()
}

/// The share of the others whose souls less wounds are fewer; equal ones count half.
fn score_rank(game: &Game, seat: Seat) -> f32 {
    let score = |seat: Seat| game.souls(seat) - game.wounds(seat);
    let others = game.state.seats().filter(|other| *other != seat);
    let (mut many, mut behind) = (0.0f32, 0.0);
    for other in others {
        many += 1.0;
        behind += match score(seat).cmp(&score(other)) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
    }
    behind / many.max(1.0)
}

pub(super) fn table(list: &mut List, game: &Game) {
    let state = &game.state;
    let edition = state.rules().edition();
    let flag = |is: bool| f32::from(u8::from(is));
    list.add(flag(edition.souls_to_win.is_none()));
    list.add(flag(edition.wounds_to_lose.is_none()));
    list.count(state.seats().count() as i32 - 2, 2);
    let heroes = state.pile_len(Place::HERO_DECK) + state.pile_len(Place::EPIC_DECK);
    list.count(heroes as i32, 20);
    // How many more turns heroes will come.
    list.count(heroes.div_ceil(state.seats().count().max(1)) as i32, 5);
    let carried = state.attachments().iter().filter(|attachment| attachment.level == 0).count();
    list.count(carried as i32, 3);
    list.count(state.seats().map(|seat| i32::from(state.coins(seat))).sum(), 10);
    list.add(flag(game.db.classes.has(Class::Explorer)));
}
