//! Cards: which one it is, and what is printed on it.

use cards::db::{CardDb, Def, DefKind};
use cards::tree;
use engine::setup::contents;
use engine::view::View;
use engine::{CardId, Game, Shown};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A card of this game. One whose face the viewer may not see has no `face`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Card {
    pub id: u16,
    pub kind: Kind,
    /// Its entry among the cards of the game, by that entry's `face`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<u16>,
}

/// What the back of a card tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Boss,
    Room,
    Spell,
    Hero,
    Epic,
}

/// A printed card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct CardText {
    pub face: u16,
    pub name: String,
    pub kind: Kind,
    /// How many of them are in the game.
    pub copies: u8,
    /// The set's code.
    pub set: String,
    /// The collector's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The line below the name, as people read it.
    pub facts: String,
    /// What it does, as people read it.
    pub text: Vec<String>,
    /// Of a room: `monster` or `trap`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub advanced: bool,
    /// Of a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<u8>,
    /// Of a hero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<u8>,
    /// Of a hero: how many souls, or wounds, it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub souls: Option<u8>,
    /// Of a boss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xp: Option<u16>,
    /// Of a spell: `build`, `adventure`, or both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub phases: Vec<String>,
    /// What a room or boss has; what a hero looks for.
    pub treasure: Treasure,
}

/// A number for each type of treasure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Treasure {
    pub cleric: i32,
    pub fighter: i32,
    pub mage: i32,
    pub thief: i32,
}

impl Treasure {
    pub(crate) fn of(count: impl Fn(tree::Class) -> i32) -> Treasure {
        use tree::Class::*;
        Treasure { cleric: count(Cleric), fighter: count(Fighter), mage: count(Mage), thief: count(Thief) }
    }
}

impl From<DefKind> for Kind {
    fn from(kind: DefKind) -> Kind {
        match kind {
            DefKind::Boss => Kind::Boss,
            DefKind::Room => Kind::Room,
            DefKind::Spell => Kind::Spell,
            DefKind::Hero => Kind::Hero,
            DefKind::Epic => Kind::Epic,
        }
    }
}

impl Card {
    /// As an event shows it.
    pub(crate) fn shown(db: &CardDb, shown: Shown) -> Card {
        let def = db.def(shown.def);
        let seen = !CardDb::is_blank(shown.def);
        Card { id: shown.card.0, kind: def.kind.into(), face: seen.then_some(shown.def.0) }
    }

    /// As the owner of this table sees it.
    pub(crate) fn of(table: &Game, card: CardId) -> Card {
        let def = table.def(card);
        let seen = !CardDb::is_blank(table.def_id(card));
        Card { id: card.0, kind: def.kind.into(), face: seen.then(|| table.def_id(card).0) }
    }
}

impl CardText {
    /// The cards the viewer's game is played with.
    pub(crate) fn all(view: &View) -> Vec<CardText> {
        let table = view.table();
        let mut cards: Vec<CardText> = Vec::new();
        for id in contents(table.db, table.state.rules()) {
            match cards.iter_mut().find(|card| card.face == id.0) {
                Some(card) => card.copies = card.copies.saturating_add(1),
                None => cards.push(CardText::of(id.0, table.db.def(id))),
            }
        }
        cards
    }

    /// A card as it is printed; `face` is what a game calls it.
    pub fn of(face: u16, def: &Def) -> CardText {
        let kind = Kind::from(def.kind);
        let is_hero = matches!(kind, Kind::Hero | Kind::Epic);
        let phases = tree::Phase::WORDS.iter().filter(|(_, phase)| def.castable_in(*phase));
        CardText {
            face,
            name: def.face.name.clone(),
            kind,
            copies: 1,
            set: def.face.set.clone(),
            number: def.face.number.clone(),
            facts: def.face.facts.clone(),
            text: def.face.text.clone(),
            subtype: def.subtype.map(|subtype| subtype.to_string()),
            advanced: def.advanced,
            damage: (kind == Kind::Room).then_some(def.damage),
            health: is_hero.then_some(def.health),
            souls: is_hero.then(|| def.souls()),
            xp: (kind == Kind::Boss).then_some(def.xp),
            phases: phases.map(|(word, _)| word.to_string()).collect(),
            treasure: Treasure::of(|class| i32::from(def.icons[class as usize])),
        }
    }
}
