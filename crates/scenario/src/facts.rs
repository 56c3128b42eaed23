//! What must be true: each fact is compared with the game and reports what it found.

use cards::CardDb;
use cards::vocabulary::{Kind, Landmark};
use engine::state::Attachment;
use engine::state::Space;
use engine::tell::{Numbers, place_name, sentence};
use engine::{CardId, Ending, Event, Game, Phase, Place, Seat, Zone};

use crate::error::Problem;
use crate::names::{is_meant, meant, short, written};
use crate::parse::{Fact, Marked, MarkedItem, Name, number, seat, space_text};
use crate::parse_fact::word_list;

/// A number that a player has: `= p1 souls 3`.
#[derive(Debug)]
pub(crate) struct PlayerNumber {
    pub word: &'static str,
    pub what: &'static str,
    read: fn(&Game, Seat) -> i32,
}

pub(crate) const PLAYER_NUMBERS: [PlayerNumber; 5] = [
    PlayerNumber { word: "coins", what: "coins", read: |game, seat| i32::from(game.state.coins(seat)) },
    PlayerNumber { word: "souls", what: "souls", read: |game, seat| on_table(game, seat, game.souls(seat)) },
    PlayerNumber {
        word: "wounds",
        what: "wounds",
        read: |game, seat| on_table(game, seat, game.wounds(seat)),
    },
    PlayerNumber { word: "rooms", what: "rooms in hand", read: |game, seat| in_hand(game, seat, Kind::Room) },
    PlayerNumber {
        word: "spells",
        what: "spells in hand",
        read: |game, seat| in_hand(game, seat, Kind::Spell),
    },
];

/// What is true or false of a player: `= p1 levelled`, `= p1 not levelled`.
#[derive(Debug)]
pub(crate) struct PlayerMark {
    pub word: &'static str,
    read: fn(&Game, Seat) -> bool,
}

pub(crate) const PLAYER_MARKS: [PlayerMark; 2] = [
    PlayerMark { word: "levelled", read: |game, seat| game.levelled(seat) },
    PlayerMark { word: "out", read: |game, seat| !game.state.in_game(seat) },
];

/// A number of a card: `= p1 damage Golem Factory 3`, `= fighter 6 health 9`.
#[derive(Debug)]
pub(crate) struct CardNumber {
    pub word: &'static str,
    pub what: &'static str,
    read: fn(&Game, CardId) -> i32,
}

pub(crate) const ROOM_NUMBERS: [CardNumber; 3] = [
    CardNumber {
        word: "coins",
        what: "the coins on the room",
        read: |game, room| i32::from(game.state.marks(room).coins),
    },
    CardNumber {
        word: "damage",
        what: "the damage the room would deal",
        read: |game, room| game.room_damage(room),
    },
    CardNumber {
        word: "counters",
        what: "the counters on the room",
        read: |game, room| i32::from(game.state.marks(room).counters),
    },
];

pub(crate) const HERO_NUMBERS: [CardNumber; 3] = [
    CardNumber {
        word: "token",
        what: "what the token adds to the health",
        read: |game, hero| i32::from(game.state.marks(hero).token),
    },
    CardNumber { word: "damage", what: "the damage taken", read: |game, hero| game.hero_damage(hero) },
    CardNumber { word: "health", what: "the health", read: |game, hero| game.hero_health(hero) },
];

/// Piles of cards: `= town: mage 4`, `= p1 hand has Freeze`, `= room deck 3`. Shared piles are read
/// with `Seat::NONE`.
#[derive(Debug)]
pub(crate) struct CardList {
    pub word: &'static str,
    order: Order,
    read: fn(&Game, Seat) -> Vec<CardId>,
}

/// Does the order of the cards matter?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Matters,
    Any,
}

pub(crate) const PLAYER_CARDS: [CardList; 5] = [
    CardList { word: "hand", order: Order::Any, read: |game, seat| game.state.hand(seat).collect() },
    CardList { word: "souls", order: Order::Any, read: |game, seat| scored(game, seat, true) },
    CardList { word: "wounds", order: Order::Any, read: |game, seat| scored(game, seat, false) },
    CardList {
        word: "entrance",
        order: Order::Matters,
        read: |game, seat| pile(game, Place::entrance(seat)),
    },
    CardList { word: "boss", order: Order::Any, read: |game, seat| pile(game, Place::boss(seat)) },
];

pub(crate) const TABLE_CARDS: [CardList; 17] = [
    CardList { word: "market", order: Order::Any, read: |game, _| pile(game, Place::MARKET) },
    CardList { word: "temple", order: Order::Matters, read: |game, _| at(game, Landmark::Temple) },
    CardList { word: "stadium", order: Order::Matters, read: |game, _| at(game, Landmark::Stadium) },
    CardList { word: "library", order: Order::Matters, read: |game, _| at(game, Landmark::Library) },
    CardList { word: "hideout", order: Order::Matters, read: |game, _| at(game, Landmark::Hideout) },
    CardList { word: "launchpad", order: Order::Matters, read: |game, _| at(game, Landmark::Launchpad) },
    CardList { word: "tavern", order: Order::Matters, read: |game, _| at(game, Landmark::Tavern) },
    CardList { word: "town", order: Order::Matters, read: |game, _| pile(game, Place::TOWN) },
    CardList { word: "discard", order: Order::Any, read: |game, _| pile(game, Place::DISCARD) },
    CardList { word: "removed", order: Order::Any, read: |game, _| pile(game, Place::REMOVED) },
    CardList { word: "waiting", order: Order::Matters, read: |game, _| waiting(game) },
    CardList { word: "room deck", order: Order::Matters, read: |game, _| pile(game, Place::ROOM_DECK) },
    CardList { word: "spell deck", order: Order::Matters, read: |game, _| pile(game, Place::SPELL_DECK) },
    CardList { word: "hero deck", order: Order::Matters, read: |game, _| pile(game, Place::HERO_DECK) },
    CardList { word: "epic deck", order: Order::Matters, read: |game, _| pile(game, Place::EPIC_DECK) },
    CardList { word: "item deck", order: Order::Matters, read: |game, _| pile(game, Place::ITEM_DECK) },
    CardList { word: "items in town", order: Order::Matters, read: |game, _| pile(game, Place::TOWN_ITEMS) },
];

/// The state of the game in a word: `= phase adventure`.
#[derive(Debug)]
pub(crate) struct TableWord {
    pub word: &'static str,
    /// What is written, as `read` says it.
    pub value: fn(&str) -> Result<String, Problem>,
    read: fn(&Game) -> String,
}

pub(crate) const TABLE_WORDS: [TableWord; 9] = [
    TableWord { word: "first", value: a_seat, read: |game| seat_text(game.state.order()[0]) },
    TableWord { word: "score", value: a_score, read: |game| score(game).0 },
    TableWord { word: "title", value: |text| Ok(text.into()), read: |game| score(game).1 },
    TableWord { word: "phase", value: phase, read: |game| game.state.phase().word().into() },
    TableWord { word: "active", value: a_seat, read: |game| seat_text(game.state.active()) },
    TableWord { word: "asked", value: seat_or_nobody, read: |game| seat_text(asked(game)) },
    TableWord { word: "winner", value: seat_or_nobody, read: |game| seat_text(winner(game)) },
    TableWord { word: "turn", value: a_turn, read: |game| game.state.turn().to_string() },
    TableWord {
        word: "over",
        value: over,
        read: |game| if is_over(game) { "over" } else { "not over" }.into(),
    },
];

/// Checks a fact. `told` is what has happened since the last move.
pub(crate) fn check(game: &Game, told: &[Event], fact: &Fact) -> Result<(), Problem> {
    match fact {
        Fact::PlayerNumber(seat, row, n) => same(*n, (row.read)(game, player(game, *seat)?), row.what),
        Fact::PlayerMark(seat, row, yes) => {
            let text = |yes| if yes { row.word.to_string() } else { format!("not {}", row.word) };
            truth(&text(*yes), &text((row.read)(game, player(game, *seat)?)))
        }
        Fact::RoomNumber(seat, room, row, n) => {
            let room = the_room(game, player(game, *seat)?, room)?;
            same(*n, (row.read)(game, room), row.word)
        }
        Fact::Level(name, n) => {
            let level = the_attached(game, name)?.map_or(0, |attachment| i32::from(attachment.level));
            same(*n, level, "level")
        }
        Fact::On(name, room) => {
            let host = the_attached(game, name)?.map(|attachment| attachment.host);
            let fits = host.map_or(Ok(false), |host| is_meant(game, room, host))?;
            let found = || host.map_or("not in play".into(), |host| short(game, host));
            if fits { Ok(()) } else { Err(Problem::differs(format!("{name} on {room}"), found())) }
        }
        Fact::HeroNumber(hero, row, n) => same(*n, (row.read)(game, the_hero(game, hero)?), row.word),
        Fact::HeroIn(hero, seat, room) => hero_in(game, hero, *seat, room.as_ref()),
        Fact::Carries(hero, item) => carries(game, the_hero(game, hero)?, item.as_ref()),
        Fact::Items(seat, items) => items_of(game, player(game, *seat)?, items),
        Fact::Treasure(seat, class, n) => same(*n, game.treasure(player(game, *seat)?, *class), "treasure"),
        Fact::Dungeon(seat, stacks) => dungeon(game, player(game, *seat)?, stacks),
        Fact::Cards(seat, row, names) => {
            let cards = cards_of(game, *seat, row)?;
            match row.order {
                Order::Matters => in_order(game, names, &cards),
                Order::Any => any_order(game, names, &cards),
            }
        }
        Fact::Has(seat, row, name) => {
            let cards = cards_of(game, *seat, row)?;
            let meant = meant(game.db, name)?;
            if cards.iter().any(|card| meant.contains(&game.def_id(*card))) {
                return Ok(());
            }
            let place = seat.map_or(row.word.into(), |seat| format!("{seat} {}", row.word));
            Err(Problem::differs(format!("{name} in {place}"), written(game, cards)))
        }
        Fact::Size(seat, row, n) => same(*n, cards_of(game, *seat, row)?.len(), "cards"),
        Fact::MinionAt(seat, space) => {
            let wanted = space.map_or("at home".into(), |space| format!("at {}", space_text(space)));
            truth(&wanted, &minion(game, player(game, *seat)?))
        }
        Fact::MinionOn(seat, name) => {
            let seat = player(game, *seat)?;
            let there = match game.state.present(game.state.minion(seat)) {
                Some(card) => is_meant(game, name, card)?,
                None => false,
            };
            if there { Ok(()) } else { Err(Problem::differs(format!("on {name}"), minion(game, seat))) }
        }
        Fact::Word(row, value) => truth(value, &(row.read)(game)),
        Fact::Sees(viewer, fact) => {
            let view = game.view(reader(game, *viewer)?);
            check(view.table(), told, fact)
        }
        Fact::Reads(who, words) => {
            let read = sentences(game, reader(game, *who)?, told);
            if read.iter().any(|found| found.contains(words.as_str())) {
                return Ok(());
            }
            Err(Problem::differs(format!("{} to read \"{words}\"", reader_text(*who)), listed(&read)))
        }
        Fact::DoesNotRead(who, words) => {
            let read = sentences(game, reader(game, *who)?, told);
            match read.iter().find(|found| found.contains(words.as_str())) {
                None => Ok(()),
                Some(found) => {
                    let wanted = format!("{} not to read \"{words}\"", reader_text(*who));
                    Err(Problem::differs(wanted, format!("\"{found}\"")))
                }
            }
        }
    }
}

/// The log as this reader gets it; `None` is a spectator.
fn sentences(game: &Game, reader: Option<Seat>, told: &[Event]) -> Vec<String> {
    told.iter().filter_map(|event| sentence(game.db, &Numbers, reader.into(), *event)).collect()
}

fn listed(sentences: &[String]) -> String {
    if sentences.is_empty() { "nothing was told".into() } else { format!("\"{}\"", sentences.join(" ")) }
}

fn reader(game: &Game, seat: Option<Seat>) -> Result<Option<Seat>, Problem> {
    seat.map(|seat| player(game, seat)).transpose()
}

fn reader_text(seat: Option<Seat>) -> String {
    seat.map_or("the spectator".into(), seat_text)
}

fn cards_of(game: &Game, seat: Option<Seat>, list: &CardList) -> Result<Vec<CardId>, Problem> {
    let seat = seat.map_or(Ok(Seat::NONE), |seat| player(game, seat))?;
    Ok((list.read)(game, seat))
}

/// Declared and not yet resolved, in the order of declaration.
fn waiting(game: &Game) -> Vec<CardId> {
    let waiting = game.state.pending().iter().filter(|entry| !entry.cancelled);
    waiting.filter_map(|entry| entry.code.source.as_card()).collect()
}

/// Heroes at a landmark, oldest first.
fn at(game: &Game, landmark: Landmark) -> Vec<CardId> {
    game.state.heroes_at(landmark).collect()
}

/// The score and the title of a game for one.
fn score(game: &Game) -> (String, String) {
    let score = game.solo_score();
    score.map_or(("none".into(), "none".into()), |score| (score.score.to_string(), score.title))
}

/// Where a minion stands.
fn minion(game: &Game, seat: Seat) -> String {
    let at = game.state.minion(seat);
    match (Space::of_ref(at), game.state.present(at)) {
        (Some(space), _) => format!("at {}", space_text(space)),
        (_, Some(card)) => format!("on {}", short(game, card)),
        _ => "at home".into(),
    }
}

fn asked(game: &Game) -> Seat {
    game.decision().map_or(Seat::NONE, |asked| asked.seat)
}

fn winner(game: &Game) -> Seat {
    let outcome = game.outcome().filter(|_| is_over(game));
    outcome.map_or(Seat::NONE, |outcome| outcome.winner)
}

// ---- the values of table words ----

fn phase(text: &str) -> Result<String, Problem> {
    match Phase::WORDS.iter().find(|(word, _)| *word == text) {
        Some((word, _)) => Ok((*word).into()),
        None => Err(Problem::Word(text.into(), word_list(Phase::WORDS))),
    }
}

fn a_seat(text: &str) -> Result<String, Problem> {
    seat(text).map(seat_text)
}

fn seat_or_nobody(text: &str) -> Result<String, Problem> {
    if text == "nobody" { Ok(text.into()) } else { a_seat(text) }
}

fn a_turn(text: &str) -> Result<String, Problem> {
    number::<u16>(text, "the number of the turn").map(|turn| turn.to_string())
}

fn a_score(text: &str) -> Result<String, Problem> {
    number::<i32>(text, "the score").map(|score| score.to_string())
}

fn over(text: &str) -> Result<String, Problem> {
    if text.is_empty() { Ok("over".into()) } else { Err(Problem::Fact(format!("over {text}"))) }
}

/// An eliminated player has nothing left in the game (rule 11.4).
fn on_table(game: &Game, seat: Seat, points: i32) -> i32 {
    if game.state.in_game(seat) { points } else { 0 }
}

fn is_over(game: &Game) -> bool {
    game.outcome().is_some_and(|outcome| outcome.reason != Ending::Stopped)
}

fn seat_text(seat: Seat) -> String {
    if seat.exists() { seat.to_string() } else { "nobody".into() }
}

fn player(game: &Game, seat: Seat) -> Result<Seat, Problem> {
    if seat.index() < usize::from(game.state.rules().players) {
        Ok(seat)
    } else {
        Err(Problem::Table(format!("{seat} does not play: write `players {}`", seat.index() + 1)))
    }
}

fn same<N: PartialEq + std::fmt::Display>(expected: N, found: N, what: &str) -> Result<(), Problem> {
    if expected == found {
        return Ok(());
    }
    Err(Problem::differs(format!("{what} to be {expected}"), found.to_string()))
}

fn truth(expected: &str, found: &str) -> Result<(), Problem> {
    if expected == found { Ok(()) } else { Err(Problem::differs(expected, found)) }
}

fn pile(game: &Game, place: Place) -> Vec<CardId> {
    game.state.pile(place).collect()
}

fn scored(game: &Game, seat: Seat, dead: bool) -> Vec<CardId> {
    let hero = |card: &CardId| game.def(*card).kind.is_hero();
    game.state
        .pile(Place::scoring(seat))
        .filter(|card| hero(card) && game.is_facedown(*card) == dead)
        .collect()
}

fn carries(game: &Game, hero: CardId, item: Option<&Name>) -> Result<(), Problem> {
    let carried: Vec<CardId> = game.state.attached_to(hero).map(|attached| attached.card).collect();
    let wanted: Vec<Name> = item.into_iter().cloned().collect();
    any_order(game, &wanted, &carried)
}

/// The items of a scoring area: those face up, then those face down.
fn items_of(game: &Game, seat: Seat, items: &[MarkedItem]) -> Result<(), Problem> {
    for facedown in [false, true] {
        let names: Vec<Name> =
            items.iter().filter(|item| item.facedown == facedown).map(|item| item.name.clone()).collect();
        let lies = |card: &CardId| game.def(*card).kind == Kind::Item && game.is_facedown(*card) == facedown;
        let cards: Vec<CardId> = game.state.pile(Place::scoring(seat)).filter(lies).collect();
        any_order(game, &names, &cards)?;
    }
    Ok(())
}

fn in_hand(game: &Game, seat: Seat, kind: Kind) -> i32 {
    game.state.hand(seat).filter(|card| game.def(*card).kind == kind).count() as i32
}

fn list_text(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(Name::to_string).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

fn in_order(game: &Game, names: &[Name], cards: &[CardId]) -> Result<(), Problem> {
    let mut fits = names.len() == cards.len();
    for (name, card) in names.iter().zip(cards) {
        fits &= is_meant(game, name, *card)?;
    }
    let found = || written(game, cards.iter().copied());
    if fits { Ok(()) } else { Err(Problem::differs(list_text(names), found())) }
}

/// Every name matches one card; the most specific names choose first.
fn any_order(game: &Game, names: &[Name], cards: &[CardId]) -> Result<(), Problem> {
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
    if fits { Ok(()) } else { Err(Problem::differs(list_text(names), found())) }
}

fn dungeon(game: &Game, seat: Seat, expected: &[Vec<Marked>]) -> Result<(), Problem> {
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
    Err(Problem::differs(wanted.join(", "), found.join(", ")))
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

/// What the named card is attached to; `None` if it is not in play.
fn the_attached(game: &Game, name: &Name) -> Result<Option<Attachment>, Problem> {
    for card in game.state.pile(Place::ATTACHED) {
        if is_meant(game, name, card)? {
            return Ok(game.state.attachment(card).copied());
        }
    }
    meant(game.db, name).map(|_| None)
}

fn the_room(game: &Game, seat: Seat, name: &Name) -> Result<CardId, Problem> {
    let rooms = || game.state.slots(seat).iter().rev().copied();
    for room in rooms() {
        if is_meant(game, name, room)? {
            return Ok(room);
        }
    }
    Err(Problem::differs(format!("{name} in the dungeon of {seat}"), written(game, rooms())))
}

/// The hero of that name: preferably inside a dungeon, else waiting, else scored.
fn the_hero(game: &Game, name: &Name) -> Result<CardId, Problem> {
    let wanted = meant(game.db, name)?;
    expect_hero(game.db, name, &wanted)?;
    let rank = |card: &CardId| match game.state.card(*card).place.zone() {
        Zone::Inside => Some(0),
        Zone::Town | Zone::Entrance | Zone::Landmark => Some(1),
        Zone::Scoring => Some(2),
        _ => None,
    };
    let mut all = Vec::new();
    for card in game.state.card_ids() {
        if is_meant(game, name, card)? {
            all.push(card);
        }
    }
    let all = all.into_iter();
    let mut found: Vec<(i32, CardId)> = all.filter_map(|card| Some((rank(&card)?, card))).collect();
    found.sort_unstable();
    match found[..] {
        [] => Err(Problem::differs(format!("{name} in play"), "it is not")),
        [(best, _), (second, _), ..] if best == second => Err(Problem::WhichCard(name.to_string())),
        [(_, card), ..] => Ok(card),
    }
}

fn expect_hero(db: &CardDb, name: &Name, defs: &[cards::code::DefId]) -> Result<(), Problem> {
    let hero = |def: &cards::code::DefId| db.def(*def).health > 0;
    if defs.iter().all(hero) { Ok(()) } else { Err(Problem::Fact(name.to_string())) }
}

fn hero_in(game: &Game, hero: &Name, seat: Seat, room: Option<&Name>) -> Result<(), Problem> {
    let seat = player(game, seat)?;
    let hero = the_hero(game, hero)?;
    let place = game.state.card(hero).place;
    let walk = game.state.walk();
    let here = (game.state.present(walk.hero) == Some(hero)).then(|| game.state.present(walk.room)).flatten();
    let found = match here {
        Some(room) if place.zone() == Zone::Inside => format!("{} {}", place.seat(), short(game, room)),
        _ => place_name(&Numbers, place),
    };
    let mut fits = place == Place::inside(seat);
    let mut wanted = format!("{} in {seat}", short(game, hero));
    if let Some(room) = room {
        fits &= here.map_or(Ok(false), |here| is_meant(game, room, here))?;
        wanted = format!("{wanted} {room}");
    }
    if fits { Ok(()) } else { Err(Problem::differs(wanted, found)) }
}
