//! What a written name means: a card, or a hero by class and health.

use cards::CardDb;
use cards::code::DefId;
use cards::db::DefKind;
use engine::{CardId, Game};

use crate::fault::Why;
use crate::parse::Name;
use crate::parse_fact::treasure;

/// The cards a name may stand for: one, or all heroes of a class and health.
pub(crate) fn meant(db: &CardDb, name: &Name) -> Result<Vec<DefId>, Why> {
    let heroes = by_class(db, &name.text);
    if !heroes.is_empty() {
        return Ok(heroes);
    }
    let found = db.find(&name.text);
    match found.len() {
        1 => Ok(found),
        0 => Err(Why::NoSuchCard(name.text.clone(), similar(db, &name.text))),
        _ => {
            let all = found.iter().map(|id| db.name(*id).to_string()).collect();
            Err(Why::Ambiguous(name.text.clone(), all))
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
        .filter(|(_, def)| matches!(def.kind, DefKind::Hero | DefKind::Epic))
        .filter(|(_, def)| def.health == health && def.icons[class as usize] > 0)
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

pub(crate) fn is_meant(game: &Game, name: &Name, card: CardId) -> Result<bool, Why> {
    let owned = name.owner.is_none_or(|owner| game.owner(card) == owner);
    Ok(meant(game.db, name)?.contains(&game.def_id(card)) && owned)
}

/// Names of cards as they would be written in a scenario, for messages.
pub(crate) fn written(game: &Game, cards: impl IntoIterator<Item = CardId>) -> String {
    let names: Vec<String> = cards.into_iter().map(|card| short(game, card)).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

pub(crate) fn short(game: &Game, card: CardId) -> String {
    let def = game.def(card);
    let name = def.face.name.split(',').next().unwrap_or_default();
    match def.kind {
        DefKind::Hero | DefKind::Epic => format!("{name} (health {})", def.health),
        _ => name.into(),
    }
}
