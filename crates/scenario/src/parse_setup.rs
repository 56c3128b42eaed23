//! The lines that lay the table: players with their sections, heroes, decks.

use engine::Seat;

use crate::fault::Why;
use crate::parse::*;

/// The sections of one line.
pub(crate) fn setup(line: &str) -> Result<Vec<Setup>, Why> {
    let (first, rest) = split_word(line);
    if let Ok(player) = seat(first) {
        return sections(player, rest);
    }
    let one = match first {
        "players" => Setup::Players(number(rest, "the number of players, 2 to 6")?),
        "turns" => Setup::Turns(number(rest, "the number of turns")?),
        "variant" => {
            let variant = |name: &str| name.parse().map_err(Why::Variant);
            return list(rest).map(|name| variant(name).map(Setup::Variant)).collect();
        }
        "discard:" => Setup::Pile(Pile::Discard, names(rest)?),
        "random:" => Setup::Random(names(rest)?),
        "hero" if !rest.starts_with("deck") => hero(rest)?,
        _ => match (pile(first), rest.strip_prefix("deck:")) {
            (Some(deck), Some(cards)) => Setup::Pile(deck, names(cards)?),
            _ => return Err(Why::Line(line.into())),
        },
    };
    Ok(vec![one])
}

/// `hero fighter 6 in p1 Golem Factory [damage 3]`
fn hero(text: &str) -> Result<Setup, Why> {
    let (hero, place) = text.rsplit_once(" in ").ok_or(Why::Missing("write where the hero is: `in town`"))?;
    let hero = name(hero)?;
    if place.trim() == "town" {
        return Ok(Setup::HeroInTown(hero));
    }
    let (room, marks) = marks(place)?;
    let mut damage = 0;
    for mark in marks {
        match split_word(mark) {
            ("damage", n) => damage = number(n, "the damage taken so far")?,
            _ => return Err(Why::Word(mark.into(), "[damage 3]")),
        }
    }
    let room = name(room)?;
    match room.owner {
        Some(_) => Ok(Setup::HeroInRoom { hero, room, damage }),
        None => Err(Why::Missing("write the owner before the room: `in p1 Golem Factory`")),
    }
}

const SECTIONS: [&str; 11] = [
    "xp",
    "boss",
    "bosses:",
    "levelled",
    "dungeon:",
    "hand:",
    "souls",
    "souls:",
    "wounds",
    "wounds:",
    "entrance:",
];

/// What stands behind `p1`: each section goes on to the next section's word.
fn sections(player: Seat, text: &str) -> Result<Vec<Setup>, Why> {
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
        if SECTIONS.contains(&word.trim()) {
            return at;
        }
        at += word.len();
    }
    at
}

fn section(player: Seat, head: &str, body: &str) -> Result<Setup, Why> {
    Ok(match head {
        "xp" => Setup::Xp(player, number(body, "the XP of a boss")?),
        "boss" => Setup::Bosses(player, vec![name(body)?]),
        "bosses:" => Setup::Bosses(player, names(body)?),
        "levelled" if body.is_empty() => Setup::Levelled(player),
        "dungeon:" => Setup::Dungeon(player, stacks(body)?),
        "hand:" => Setup::Hand(player, names(body)?),
        "souls:" => Setup::Souls(player, names(body)?),
        "wounds:" => Setup::Wounds(player, names(body)?),
        "souls" => Setup::SoulPoints(player, number(body, "a number of souls, or `souls: fighter 6`")?),
        "wounds" => Setup::WoundPoints(player, number(body, "a number of wounds, or `wounds: fighter 6`")?),
        "entrance:" => Setup::Entrance(player, names(body)?),
        _ => {
            let known = "xp, boss, bosses:, levelled, dungeon:, hand:, souls:, wounds:, entrance:";
            return Err(Why::Word(head.into(), known));
        }
    })
}
