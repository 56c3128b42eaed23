//! What a written name means: a card, or a hero by class and health.

use cards::CardDb;
use cards::code::DefId;
use engine::script::{Pick, Script};
use engine::tell::{Numbers, place_name};
use engine::{CardId, Game, Zone};

use crate::error::Problem;
use crate::parse::{Name, Which};
use crate::parse_fact::treasure;

/// The cards a name may stand for: one, or all heroes of a class and health.
pub(crate) fn meant(db: &CardDb, name: &Name) -> Result<Vec<DefId>, Problem> {
    if let Some(back) = name.back {
        return Ok(vec![back.blank()]);
    }
    let heroes = by_class(db, &name.text);
    if !heroes.is_empty() {
        return Ok(heroes);
    }
    let found = db.find(&name.text);
    match found.len() {
        1 => Ok(found),
        0 => Err(Problem::NoSuchCard(name.text.clone(), similar(db, &name.text))),
        _ => {
            let all = found.iter().map(|id| db.name(*id).to_string()).collect();
            Err(Problem::Ambiguous(name.text.clone(), all))
        }
    }
}

/// `fighter 6`
fn by_class(db: &CardDb, text: &str) -> Vec<DefId> {
    let Some((class, health)) = text.split_once(' ') else { return Vec::new() };
    let (Ok(class), Ok(health)) = (treasure(class), health.trim().parse::<u8>()) else {
        return Vec::new();
    };
    db.cards()
        .filter(|(_, def)| def.kind.is_hero())
        .filter(|(_, def)| def.health == health && def.icons[class] > 0)
        .map(|(id, _)| id)
        .collect()
}

/// Names that share a word with what was written.
fn similar(db: &CardDb, text: &str) -> Vec<String> {
    let words: Vec<String> =
        text.split_whitespace().filter(|word| word.len() > 3).map(str::to_lowercase).collect();
    let shares = |name: &str| {
        let name = name.to_lowercase();
        words.iter().any(|word| name.contains(word.as_str()))
    };
    db.cards().map(|(_, def)| def.face.name.clone()).filter(|name| shares(name)).take(3).collect()
}

pub(crate) fn is_meant(game: &Game, name: &Name, card: CardId) -> Result<bool, Problem> {
    let owned = name.owner.is_none_or(|owner| game.owner(card) == owner);
    let meant = meant(game.db, name)?;
    let fits = |card: CardId| meant.contains(&game.def_id(card));
    let pointed = |which: Which| {
        let equal: Vec<CardId> = beside(game, card).into_iter().filter(|card| fits(*card)).collect();
        equal.get(which.index(equal.len())) == Some(&card)
    };
    Ok(fits(card) && owned && name.which.is_none_or(pointed))
}

/// The cards in the same place as this one, in the order in which scenarios write them.
fn beside(game: &Game, card: CardId) -> Vec<CardId> {
    let place = game.state.card(card).place;
    match place.zone() {
        Zone::Dungeon => game.state.slots(place.seat()).iter().rev().copied().collect(),
        _ => game.state.pile(place).collect(),
    }
}

/// The name in a list of answers; equal rooms of a dungeon are distinguished.
pub(crate) fn pointed(game: &Game, card: CardId) -> String {
    let name = short(game, card);
    if game.state.card(card).place.zone() != Zone::Dungeon {
        return name;
    }
    let equal = beside(game, card).into_iter().filter(|other| game.def_id(*other) == game.def_id(card));
    let equal: Vec<CardId> = equal.collect();
    match equal.iter().position(|other| *other == card) {
        Some(at) if equal.len() > 1 => {
            let which = if at + 1 == equal.len() { Which::Last } else { Which::Nth(at) };
            format!("the {} {name}", which.word())
        }
        _ => name,
    }
}

/// Names of cards as they would be written in a scenario, for messages.
pub(crate) fn written(game: &Game, cards: impl IntoIterator<Item = CardId>) -> String {
    let names: Vec<String> = cards.into_iter().map(|card| short(game, card)).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

pub(crate) fn short(game: &Game, card: CardId) -> String {
    let def = game.def(card);
    if game.db.is_blank(game.def_id(card)) {
        return def.kind.one().into();
    }
    let name = def.face.short();
    if def.kind.is_hero() { format!("{name} (health {})", def.health) } else { name.into() }
}

// ---- the script in words ----

pub(crate) fn pick_text(db: &CardDb, pick: &Pick) -> String {
    match pick {
        Pick::Card(defs) => defs_text(db, defs),
        Pick::Player(seat) => seat.to_string(),
        Pick::Number(number) => number.to_string(),
        Pick::Nth(nth) => format!("candidate {nth}"),
    }
}

pub(crate) fn defs_text(db: &CardDb, defs: &[DefId]) -> String {
    let names: Vec<&str> = defs.iter().map(|def| db.name(*def)).collect();
    names.join(" or ")
}

/// What is left of a script.
pub(crate) fn script_text(db: &CardDb, script: &Script) -> String {
    let picks: Vec<String> = script.picks.iter().map(|pick| pick_text(db, pick)).collect();
    let shuffles = script.shuffles.iter().map(|shuffle| {
        let deck = place_name(&Numbers, shuffle.deck);
        format!("the shuffle of {deck} was not used")
    });
    let picks = (!picks.is_empty()).then(|| format!("the random pick of {} was not used", picks.join(", ")));
    picks.into_iter().chain(shuffles).collect::<Vec<_>>().join("; ")
}
