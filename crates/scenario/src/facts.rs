//! What must be true: each fact is compared with the table and says what it found.

use cards::CardDb;
use engine::tell::{Numbers, place_name};
use engine::{CardId, Ending, Game, Place, PlaceKind, Seat};

use crate::fault::Why;
use crate::names::{is_meant, meant, short, written};
use crate::parse::{Fact, Marked, Name, Pile};

pub(crate) fn check(game: &Game, fact: &Fact) -> Result<(), Why> {
    let state = &game.state;
    match fact {
        Fact::Souls(seat, n) => same(*n, on_table(game, *seat, game.souls(player(game, *seat)?)), "souls"),
        Fact::Wounds(seat, n) => same(*n, on_table(game, *seat, game.wounds(player(game, *seat)?)), "wounds"),
        Fact::SoulList(seat, names) => any_order(game, names, &scored(game, player(game, *seat)?, true)),
        Fact::WoundList(seat, names) => any_order(game, names, &scored(game, player(game, *seat)?, false)),
        Fact::Hand(seat, names) => {
            any_order(game, names, &game.state.hand(player(game, *seat)?).collect::<Vec<_>>())
        }
        Fact::Rooms(seat, n) => same(*n, in_hand(game, player(game, *seat)?, Pile::Rooms), "rooms in hand"),
        Fact::Spells(seat, n) => {
            same(*n, in_hand(game, player(game, *seat)?, Pile::Spells), "spells in hand")
        }
        Fact::Dungeon(seat, stacks) => dungeon(game, player(game, *seat)?, stacks),
        Fact::RoomDamage(room, n) => {
            let seat = player(game, room.owner.unwrap_or(Seat::NONE))?;
            let card = the_room(game, seat, room)?;
            same(*n, game.room_damage(card), "damage")
        }
        Fact::Treasure(seat, class, n) => same(*n, game.treasure(player(game, *seat)?, *class), "treasure"),
        Fact::Entrance(seat, names) => {
            in_order(game, names, &pile(game, Place::entrance(player(game, *seat)?)))
        }
        Fact::Levelled(seat, yes) => {
            let text = |yes| if yes { "levelled" } else { "not levelled" };
            truth(text(*yes), text(game.levelled(player(game, *seat)?)))
        }
        Fact::Out(seat) => {
            truth("out", if state.in_game(player(game, *seat)?) { "in the game" } else { "out" })
        }
        Fact::Town(names) => in_order(game, names, &pile(game, Place::TOWN)),
        Fact::HeroDamage(name, n) => same(*n, game.hero_damage(the_hero(game, name)?), "damage"),
        Fact::HeroHealth(name, n) => same(*n, game.hero_health(the_hero(game, name)?), "health"),
        Fact::HeroIn(hero, seat, room) => hero_in(game, hero, *seat, room.as_ref()),
        Fact::Discard(names) => any_order(game, names, &pile(game, Place::DISCARD)),
        Fact::DiscardHas(name) => {
            let cards = pile(game, Place::DISCARD);
            let meant = meant(game.db, name)?;
            if cards.iter().any(|card| meant.contains(&game.def_id(*card))) {
                return Ok(());
            }
            Err(Why::differs(format!("{name} in the discard pile"), written(game, cards)))
        }
        Fact::Removed(names) => any_order(game, names, &pile(game, Place::REMOVED)),
        Fact::Deck(deck, n) => {
            let place = match deck {
                Pile::Rooms => Place::ROOM_DECK,
                Pile::Spells => Place::SPELL_DECK,
                Pile::Heroes => Place::HERO_DECK,
                Pile::Epics => Place::EPIC_DECK,
                Pile::Discard => Place::DISCARD,
            };
            same(*n, state.pile_len(place), "cards")
        }
        Fact::Waiting(names) => {
            let waiting = state.pending().iter().filter(|entry| !entry.cancelled);
            let cards: Vec<CardId> = waiting.filter_map(|entry| entry.code.source.as_card()).collect();
            in_order(game, names, &cards)
        }
        Fact::Phase(phase) => {
            truth(engine::tell::phase_name(*phase), engine::tell::phase_name(state.phase()))
        }
        Fact::Active(seat) => truth(&seat_text(*seat), &seat_text(state.active())),
        Fact::Asked(seat) => {
            let asked = game.decision().map(|asked| asked.seat);
            let text = |seat: Option<Seat>| seat.map_or("nobody".into(), seat_text);
            truth(&text(*seat), &text(asked))
        }
        Fact::Turn(n) => same(*n, state.turn(), "turn"),
        Fact::Over => truth("over", if is_over(game) { "over" } else { "not over" }),
        Fact::Winner(seat) => {
            let winner = state.outcome().filter(|_| is_over(game)).map(|outcome| outcome.winner);
            truth(&seat_text(*seat), &winner.map_or("nobody".into(), seat_text))
        }
    }
}

/// Whoever is out has nothing left on the table (rule 11.4).
fn on_table(game: &Game, seat: Seat, points: i32) -> i32 {
    if game.state.in_game(seat) { points } else { 0 }
}

fn is_over(game: &Game) -> bool {
    game.outcome().is_some_and(|outcome| outcome.reason != Ending::Stopped)
}

fn seat_text(seat: Seat) -> String {
    if seat.exists() { seat.to_string() } else { "nobody".into() }
}

fn player(game: &Game, seat: Seat) -> Result<Seat, Why> {
    if seat.index() < usize::from(game.state.rules().players) {
        Ok(seat)
    } else {
        Err(Why::Table(format!("{seat} does not play: write `players {}`", seat.index() + 1)))
    }
}

fn same<N: PartialEq + std::fmt::Display>(expected: N, found: N, what: &str) -> Result<(), Why> {
    if expected == found {
        return Ok(());
    }
    Err(Why::differs(format!("{what} to be {expected}"), found.to_string()))
}

fn truth(expected: &str, found: &str) -> Result<(), Why> {
    if expected == found { Ok(()) } else { Err(Why::differs(expected, found)) }
}

fn pile(game: &Game, place: Place) -> Vec<CardId> {
    game.state.pile(place).collect()
}

fn scored(game: &Game, seat: Seat, dead: bool) -> Vec<CardId> {
    game.state.pile(Place::scoring(seat)).filter(|card| game.is_facedown(*card) == dead).collect()
}

fn in_hand(game: &Game, seat: Seat, what: Pile) -> usize {
    let kind = if what == Pile::Rooms { cards::db::DefKind::Room } else { cards::db::DefKind::Spell };
    game.state.hand(seat).filter(|card| game.def(*card).kind == kind).count()
}

fn list_text(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(Name::to_string).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

fn in_order(game: &Game, names: &[Name], cards: &[CardId]) -> Result<(), Why> {
    let mut fits = names.len() == cards.len();
    for (name, card) in names.iter().zip(cards) {
        fits &= is_meant(game, name, *card)?;
    }
    let found = || written(game, cards.iter().copied());
    if fits { Ok(()) } else { Err(Why::differs(list_text(names), found())) }
}

/// Every name takes one card; the most exact names choose first.
fn any_order(game: &Game, names: &[Name], cards: &[CardId]) -> Result<(), Why> {
    let mut wanted = Vec::new();
    for name in names {
        wanted.push(meant(game.db, name)?);
    }
    wanted.sort_by_key(Vec::len);
    let mut left: Vec<CardId> = cards.to_vec();
    let mut fits = names.len() == cards.len();
    for defs in wanted {
        match left.iter().position(|card| defs.contains(&game.def_id(*card))) {
            Some(index) => {
                left.swap_remove(index);
            }
            None => fits = false,
        }
    }
    let found = || written(game, cards.iter().copied());
    if fits { Ok(()) } else { Err(Why::differs(list_text(names), found())) }
}

fn dungeon(game: &Game, seat: Seat, expected: &[Vec<Marked>]) -> Result<(), Why> {
    let tops: Vec<CardId> = game.state.slots(seat).iter().rev().copied().collect();
    let mut fits = tops.len() == expected.len();
    for (stack, top) in expected.iter().zip(&tops) {
        let cards: Vec<CardId> = game.state.stack(*top).collect();
        fits &= stack.len() == 1 || stack.len() == cards.len();
        for (room, card) in stack.iter().zip(&cards) {
            fits &= meant(game.db, &room.name)?.contains(&game.def_id(*card));
            fits &= room.deactivated == game.is_deactivated(*card);
            fits &= room.facedown == game.is_facedown(*card);
        }
    }
    if fits {
        return Ok(());
    }
    let wanted: Vec<String> = expected.iter().map(|stack| stack_text(stack)).collect();
    let found: Vec<String> = tops
        .iter()
        .map(|top| {
            let cards: Vec<String> = game.state.stack(*top).map(|card| room_text(game, card)).collect();
            cards.join(" over ")
        })
        .collect();
    Err(Why::differs(wanted.join(", "), found.join(", ")))
}

fn stack_text(stack: &[Marked]) -> String {
    let rooms = stack.iter().map(|room| {
        let marks = marks_text(room.deactivated, room.facedown);
        format!("{}{marks}", room.name)
    });
    rooms.collect::<Vec<_>>().join(" over ")
}

fn room_text(game: &Game, card: CardId) -> String {
    let marks = marks_text(game.is_deactivated(card), game.is_facedown(card));
    format!("{}{marks}", short(game, card))
}

fn marks_text(deactivated: bool, facedown: bool) -> &'static str {
    match (deactivated, facedown) {
        (true, true) => " [deactivated] [facedown]",
        (true, false) => " [deactivated]",
        (false, true) => " [facedown]",
        _ => "",
    }
}

fn the_room(game: &Game, seat: Seat, name: &Name) -> Result<CardId, Why> {
    let meant = meant(game.db, name)?;
    let tops = game.state.slots(seat).iter().rev();
    let found: Vec<CardId> = tops.copied().filter(|card| meant.contains(&game.def_id(*card))).collect();
    found.first().copied().ok_or_else(|| {
        let rooms = game.state.slots(seat).iter().rev().copied();
        Why::differs(format!("{} in the dungeon of {seat}", name.text), written(game, rooms))
    })
}

/// The hero of that name: one inside a dungeon rather than one waiting, that rather than one scored.
fn the_hero(game: &Game, name: &Name) -> Result<CardId, Why> {
    let wanted = meant(game.db, name)?;
    expect_hero(game.db, name, &wanted)?;
    let rank = |card: &CardId| match game.state.card(*card).place.kind() {
        PlaceKind::Inside => Some(0),
        PlaceKind::Town | PlaceKind::Entrance => Some(1),
        PlaceKind::Scoring => Some(2),
        _ => None,
    };
    let all = game.state.card_ids().filter(|card| wanted.contains(&game.def_id(*card)));
    let mut found: Vec<(i32, CardId)> = all.filter_map(|card| Some((rank(&card)?, card))).collect();
    found.sort_unstable();
    match found[..] {
        [] => Err(Why::differs(format!("{name} in play"), "it is not")),
        [(best, _), (second, _), ..] if best == second => Err(Why::WhichCard(name.to_string())),
        [(_, card), ..] => Ok(card),
    }
}

fn expect_hero(db: &CardDb, name: &Name, defs: &[cards::code::DefId]) -> Result<(), Why> {
    let hero = |def: &cards::code::DefId| db.def(*def).health > 0;
    if defs.iter().all(hero) { Ok(()) } else { Err(Why::Fact(name.to_string())) }
}

fn hero_in(game: &Game, hero: &Name, seat: Seat, room: Option<&Name>) -> Result<(), Why> {
    let seat = player(game, seat)?;
    let hero = the_hero(game, hero)?;
    let place = game.state.card(hero).place;
    let walk = game.state.walk();
    let here = (game.state.present(walk.hero) == Some(hero)).then(|| game.state.present(walk.room)).flatten();
    let found = match here {
        Some(room) if place.kind() == PlaceKind::Inside => format!("{} {}", place.seat(), short(game, room)),
        _ => place_name(&Numbers, place),
    };
    let mut fits = place == Place::inside(seat);
    let mut wanted = format!("{} in {seat}", short(game, hero));
    if let Some(room) = room {
        let meant = meant(game.db, room)?;
        fits &= here.is_some_and(|here| meant.contains(&game.def_id(here)));
        wanted = format!("{wanted} {room}");
    }
    if fits { Ok(()) } else { Err(Why::differs(wanted, found)) }
}
