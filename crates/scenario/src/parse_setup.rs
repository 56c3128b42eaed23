//! The lines of the setup: players with their sections, heroes, decks, chance. What a word means is
//! one row of a table; docs/scenarios.md says how to add one.

use cards::code::DefId;
use engine::position::{Position, SeatPosition};
use engine::{Place, Seat, Zone};

use crate::error::Problem;
use crate::parse::*;
use crate::table::Builder;

type TableNumber = (&'static str, &'static str, fn(&mut Builder, u16) -> Result<(), Problem>);
type PlayerNumber = (&'static str, &'static str, fn(&mut Builder, Seat, u16) -> Result<(), Problem>);
type PlayerMark = (&'static str, fn(&mut SeatPosition));
type PlayerCards = (&'static str, fn(&mut SeatPosition) -> &mut Vec<DefId>);
type TableCards = (&'static str, fn(&mut Position) -> &mut Vec<DefId>);

/// `players 3`
const TABLE_NUMBERS: [TableNumber; 2] = [
    ("players", "the number of players, 1 to 6", |table, n| table.players(n)),
    ("turns", "the number of turns", |table, n| table.turns(n)),
];

/// `discard: Freeze`
const TABLE_CARDS: [TableCards; 8] = [
    ("market:", |position| &mut position.market),
    ("discard:", |position| &mut position.discard),
    ("room deck:", |position| &mut position.room_deck),
    ("spell deck:", |position| &mut position.spell_deck),
    ("hero deck:", |position| &mut position.hero_deck),
    ("epic deck:", |position| &mut position.epic_deck),
    ("item deck:", |position| &mut position.item_deck),
    ("items in town:", |position| &mut position.town_items),
];

/// `p1 xp 900`
const PLAYER_NUMBERS: [PlayerNumber; 4] = [
    ("coins", "the coins in the hoard", |table, seat, n| table.coins(seat, n)),
    ("xp", "the XP of a boss", |table, seat, n| table.boss_by_xp(seat, n)),
    ("souls", "a number of souls, or `souls: fighter 6`", |table, seat, n| table.soul_points(seat, n)),
    ("wounds", "a number of wounds, or `wounds: fighter 6`", |table, seat, n| table.wound_points(seat, n)),
];

/// `p1 levelled`
const PLAYER_MARKS: [PlayerMark; 2] =
    [("levelled", |seat| seat.levelled = true), ("out", |seat| seat.out = true)];

/// `p1 hand: Freeze`
const PLAYER_CARDS: [PlayerCards; 5] = [
    ("boss", |seat| &mut seat.bosses),
    ("bosses:", |seat| &mut seat.bosses),
    ("hand:", |seat| &mut seat.hand),
    ("souls:", |seat| &mut seat.souls),
    ("wounds:", |seat| &mut seat.wounds),
];

const DUNGEON: &str = "dungeon:";
const MINION: &str = "minion";
const ENTRANCE: &str = "entrance:";
const ITEMS: &str = "items:";

/// All words that begin a section of a player.
fn section_words() -> impl Iterator<Item = &'static str> {
    let numbers = PLAYER_NUMBERS.iter().map(|row| row.0);
    let marks = PLAYER_MARKS.iter().map(|row| row.0);
    numbers.chain(marks).chain(PLAYER_CARDS.iter().map(|row| row.0)).chain([DUNGEON, MINION, ENTRANCE, ITEMS])
}

/// The sections of one line.
pub(crate) fn setup(line: &str) -> Result<Vec<Section>, Problem> {
    let (first, rest) = split_word(line);
    if let Ok(player) = seat(first) {
        return sections(player, rest);
    }
    if let Some((_, wanted, add)) = TABLE_NUMBERS.iter().find(|row| row.0 == first) {
        return Ok(vec![Section::TableNumber(*add, number(rest, wanted)?)]);
    }
    let row = TABLE_CARDS.iter().find_map(|(word, of)| Some((of, line.strip_prefix(word)?)));
    if let Some((of, cards)) = row {
        return Ok(vec![Section::TableCards(*of, names(cards)?)]);
    }
    let one = match first {
        "ruleset" => Section::Ruleset(rest.parse().map_err(Problem::Ruleset)?),
        "variant" => {
            let variant = |name: &str| name.parse().map_err(Problem::Variant);
            return list(rest).map(|name| variant(name).map(Section::Variant)).collect();
        }
        "random:" => Section::Random(list(rest).map(picked).collect::<Result<_, _>>()?),
        "shuffle" => shuffle(rest)?,
        "hero" => hero(rest)?,
        "first" => Section::First(seat(rest)?),
        "mixed" if rest.is_empty() => Section::Mixed,
        _ => return Err(Problem::Line(line.into())),
    };
    Ok(vec![one])
}

/// `shuffle room deck: Dark Altar`, and every other deck
fn shuffle(text: &str) -> Result<Section, Problem> {
    let (deck, cards) = text.split_once(':').unwrap_or((text, ""));
    let decks = || Zone::ALL.iter().filter(|zone| zone.is_deck());
    match decks().find(|zone| zone.word() == deck.trim()) {
        Some(zone) if text.contains(':') => Ok(Section::Shuffle(Place::shared(*zone), names(cards)?)),
        _ => {
            let known: Vec<String> = decks().map(|zone| format!("shuffle {zone}: A, B")).collect();
            Err(Problem::Word(text.into(), known.join("; ")))
        }
    }
}

/// `Freeze`, `p2`, or `4` for a die
fn picked(text: &str) -> Result<Picked, Problem> {
    if let Ok(player) = seat(text) {
        return Ok(Picked::Player(player));
    }
    match text.parse() {
        Ok(number) => Ok(Picked::Number(number)),
        Err(_) => Ok(Picked::Card(name(text)?)),
    }
}

/// `hero fighter 6 in p1 Golem Factory [damage 3]`
fn hero(text: &str) -> Result<Section, Problem> {
    let (hero, place) =
        text.rsplit_once(" in ").ok_or(Problem::Missing("write where the hero is: `in town`"))?;
    let hero = name(hero)?;
    if let Some(landmark) = landmark_of(place.trim()) {
        return Ok(Section::HeroAt(hero, landmark));
    }
    let (room, marks) = marks(place)?;
    let in_town = room == "town";
    let (mut damage, mut token, mut item) = (0, 0, None);
    for mark in marks {
        match split_word(mark) {
            ("damage", n) if !in_town => damage = number(n, "the damage taken so far")?,
            ("token", n) if in_town => token = number(n, "what the token adds to the health")?,
            ("carries", carried) => item = Some(name(carried)?),
            _ if in_town => return Err(Problem::word(mark, "[token 2], [carries NAME]")),
            _ => return Err(Problem::word(mark, "[damage 3], [carries NAME]")),
        }
    }
    let hero = Bearer { hero, item };
    if in_town {
        return Ok(Section::HeroInTown(hero, token));
    }
    let room = name(room)?;
    match room.owner {
        Some(_) => Ok(Section::HeroInRoom { hero, room, damage }),
        None => Err(Problem::Missing("write the owner before the room: `in p1 Golem Factory`")),
    }
}

/// `minion at temple treasure`, `minion on Mana Bar`
fn minion(player: Seat, text: &str) -> Result<Section, Problem> {
    match split_word(text) {
        ("at", at) => {
            let known = || Problem::word(at, "temple treasure, stadium service, library summon, tavern");
            Ok(Section::MinionAt(player, space(at).ok_or_else(known)?))
        }
        ("on", card) => Ok(Section::MinionOn(player, name(card)?)),
        (other, _) => Err(Problem::word(other, "minion at temple treasure, minion on Mana Bar")),
    }
}

/// What follows `p1`: each section extends to the next section's word.
fn sections(player: Seat, text: &str) -> Result<Vec<Section>, Problem> {
    let mut found = Vec::new();
    let (mut head, mut rest) = split_word(text);
    while !head.is_empty() {
        let end = next_section(rest);
        let (body, after) = rest.split_at(end);
        found.push(section(player, head, body.trim())?);
        (head, rest) = split_word(after);
    }
    Ok(found)
}

/// Where the next section's word begins.
fn next_section(text: &str) -> usize {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if section_words().any(|known| known == word.trim()) {
            return at;
        }
        at += word.len();
    }
    at
}

fn section(player: Seat, head: &str, body: &str) -> Result<Section, Problem> {
    if head == MINION {
        return minion(player, body);
    }
    if head == DUNGEON {
        return Ok(Section::Dungeon(player, stacks(body)?));
    }
    if head == ENTRANCE {
        return Ok(Section::Entrance(player, list(body).map(bearer).collect::<Result<_, _>>()?));
    }
    if head == ITEMS {
        return Ok(Section::Items(player, items(body)?));
    }
    if let Some((_, of)) = PLAYER_CARDS.iter().find(|row| row.0 == head) {
        let cards = if head.ends_with(':') { names(body)? } else { vec![name(body)?] };
        return Ok(Section::PlayerCards(player, *of, cards));
    }
    if let Some((_, wanted, add)) = PLAYER_NUMBERS.iter().find(|row| row.0 == head) {
        return Ok(Section::PlayerNumber(player, *add, number(body, wanted)?));
    }
    match PLAYER_MARKS.iter().find(|row| row.0 == head) {
        Some((_, set)) if body.is_empty() => Ok(Section::PlayerMark(player, *set)),
        Some(_) => Err(Problem::Word(body.into(), format!("nothing behind `{head}`"))),
        None => Err(Problem::Word(head.into(), section_words().collect::<Vec<_>>().join(", "))),
    }
}
