//! The lines that say what must be true.

use cards::tree::Class;
use engine::{Phase, Seat};

use crate::fault::Why;
use crate::parse::*;

pub(crate) fn fact(text: &str) -> Result<Fact, Why> {
    let (first, rest) = split_word(text);
    if let Ok(player) = seat(first)
        && let Some(fact) = of_player(player, rest)?
    {
        return Ok(fact);
    }
    let fact = match first {
        "town:" => Fact::Town(names(rest)?),
        "discard:" => Fact::Discard(names(rest)?),
        "removed:" => Fact::Removed(names(rest)?),
        "waiting:" => Fact::Waiting(names(rest)?),
        "discard" => match split_word(rest) {
            ("has", card) => Fact::DiscardHas(name(card)?),
            _ => return Err(Why::Fact(text.into())),
        },
        "phase" => Fact::Phase(phase(rest)?),
        "active" => Fact::Active(seat(rest)?),
        "asked" if rest == "nobody" => Fact::Asked(None),
        "asked" => Fact::Asked(Some(seat(rest)?)),
        "turn" => Fact::Turn(number(rest, "the number of the turn")?),
        "over" if rest.is_empty() => Fact::Over,
        "winner" => Fact::Winner(seat(rest)?),
        _ => match (pile(first), split_word(rest)) {
            (Some(deck), ("deck", n)) => Fact::Deck(deck, number(n, "the number of cards left")?),
            _ => of_hero(text)?,
        },
    };
    Ok(fact)
}

fn of_player(player: Seat, text: &str) -> Result<Option<Fact>, Why> {
    const POINTS: &str = "a number";
    let (first, rest) = split_word(text);
    Ok(Some(match first {
        "souls" => Fact::Souls(player, number(rest, POINTS)?),
        "wounds" => Fact::Wounds(player, number(rest, POINTS)?),
        "souls:" => Fact::SoulList(player, names(rest)?),
        "wounds:" => Fact::WoundList(player, names(rest)?),
        "hand:" => Fact::Hand(player, names(rest)?),
        "rooms" => Fact::Rooms(player, number(rest, POINTS)?),
        "spells" => Fact::Spells(player, number(rest, POINTS)?),
        "dungeon:" => Fact::Dungeon(player, stacks(rest)?),
        "entrance:" => Fact::Entrance(player, names(rest)?),
        "levelled" => Fact::Levelled(player, true),
        "not" if rest == "levelled" => Fact::Levelled(player, false),
        "out" => Fact::Out(player),
        "damage" => {
            let (room, n) = rest.rsplit_once(' ').ok_or(Why::Missing("write `damage Golem Factory 2`"))?;
            let room = Name { owner: Some(player), ..name(room)? };
            Fact::RoomDamage(room, number(n, "the damage the room would deal")?)
        }
        "treasure" => {
            let (class, n) = split_word(rest);
            Fact::Treasure(player, treasure(class)?, number(n, "the number of that treasure")?)
        }
        _ => return Ok(None),
    }))
}

/// `fighter 6 damage 3`, `fighter 6 health 9`, `fighter 6 in p1 Golem Factory`
fn of_hero(text: &str) -> Result<Fact, Why> {
    if let Some((hero, n)) = text.rsplit_once(" damage ") {
        return Ok(Fact::HeroDamage(name(hero)?, number(n, "the damage taken")?));
    }
    if let Some((hero, n)) = text.rsplit_once(" health ") {
        return Ok(Fact::HeroHealth(name(hero)?, number(n, "the health")?));
    }
    let (hero, place) = text.rsplit_once(" in ").ok_or_else(|| Why::Fact(text.into()))?;
    let (owner, room) = split_word(place);
    let room = if room.is_empty() { None } else { Some(name(room)?) };
    Ok(Fact::HeroIn(name(hero)?, seat(owner)?, room))
}

pub(crate) fn treasure(word: &str) -> Result<Class, Why> {
    match word {
        "cleric" => Ok(Class::Cleric),
        "fighter" => Ok(Class::Fighter),
        "mage" => Ok(Class::Mage),
        "thief" => Ok(Class::Thief),
        _ => Err(Why::Word(word.into(), "cleric, fighter, mage, thief")),
    }
}

fn phase(word: &str) -> Result<Phase, Why> {
    match word {
        "setup" => Ok(Phase::Setup),
        "begin" => Ok(Phase::Begin),
        "build" => Ok(Phase::Build),
        "bait" => Ok(Phase::Bait),
        "adventure" => Ok(Phase::Adventure),
        "end" => Ok(Phase::End),
        _ => Err(Why::Word(word.into(), "setup, begin, build, bait, adventure, end")),
    }
}
