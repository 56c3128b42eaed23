//! Cards: which one it is, and what is printed on it.

use std::collections::BTreeMap;

use cards::db::{CardDb, Def};
use cards::tree::Provenance;
use cards::vocabulary::{ByClass, Class, Classes, Kind, Phase, Subtype};
use engine::setup::contents;
use engine::view::View;
use engine::{CardId, Game, Shown};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;

/// A card of this game. One whose face the viewer may not see has no `face`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Card {
    pub id: u16,
    pub kind: Kind,
    /// The `face` of its entry in the list of cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<u16>,
}

/// A printed card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct CardText {
    pub face: u16,
    pub name: String,
    /// The name without its epithet, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_name: Option<String>,
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
    /// Its text, as people read it.
    pub text: Vec<String>,
    /// Designed for this program or by its players, not printed in a box.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub house: bool,
    /// From a card file of the table's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub own: bool,
    /// Of a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub advanced: bool,
    /// May be taken back into hand, once per turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub portable: bool,
    /// Of a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<u8>,
    /// Printed as `*`: the card's text says how much it deals.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub damage_varies: bool,
    /// A dark hero.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub dark: bool,
    /// A star hero: in the game whatever the number of players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub star: bool,
    /// Of a hero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<u8>,
    /// Of a hero: how many souls, or wounds, it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub souls: Option<u8>,
    /// Of a boss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xp: Option<u16>,
    /// Of a spell: when it can be cast.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Phase>>")]
    pub phases: Vec<Phase>,
    /// The treasure a room or boss has, or a hero seeks.
    pub treasure: Treasure,
}

/// A number for each class in play, such as `{"cleric": 2, "fighter": 0, "mage": 1, "thief": 0}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, TS)]
#[ts(type = "{ [of in Class]?: number }")]
pub struct Treasure(pub ByClass<Option<i32>>);

impl Treasure {
    pub(crate) fn of(classes: Classes, count: impl Fn(Class) -> i32) -> Treasure {
        Treasure(ByClass::from_fn(|class| classes.has(class).then(|| count(class))))
    }

    /// The numbers of the classes in play.
    pub fn iter(&self) -> impl Iterator<Item = (Class, i32)> {
        self.0.iter().filter_map(|(class, count)| count.map(|count| (class, count)))
    }
}

impl Serialize for Treasure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Treasure {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Treasure, D::Error> {
        let counts: BTreeMap<Class, i32> = Deserialize::deserialize(from)?;
        Ok(Treasure(ByClass::from_fn(|class| counts.get(&class).copied())))
    }
}

impl Card {
    /// As an event shows it.
    pub(crate) fn shown(db: &CardDb, shown: Shown) -> Card {
        let def = db.def(shown.def);
        let seen = !db.is_blank(shown.def);
        Card { id: shown.card.0, kind: def.kind, face: seen.then_some(shown.def.0) }
    }

    /// As this table's viewer sees it.
    pub(crate) fn of(table: &Game, card: CardId) -> Card {
        let def = table.def(card);
        let seen = !table.db.is_blank(table.def_id(card));
        Card { id: card.0, kind: def.kind, face: seen.then(|| table.def_id(card).0) }
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
                None => cards.push(CardText::of(id.0, table.db.def(id), table.db.classes)),
            }
        }
        cards
    }

    /// A card as it is printed; `face` is what a game calls it, `classes` are those in play.
    pub fn of(face: u16, def: &Def, classes: Classes) -> CardText {
        let kind = def.kind;
        let is_hero = kind.is_hero();
        let phases = Phase::OF_ACTIONS.iter().filter(|(_, phase)| def.castable_in(*phase));
        CardText {
            face,
            name: def.face.name.clone(),
            short_name: def.face.short_name.clone(),
            kind,
            copies: 1,
            set: def.face.set.clone(),
            number: def.face.number.clone(),
            facts: def.face.facts.clone(),
            text: def.face.text.clone(),
            house: def.face.provenance == Provenance::House,
            own: false,
            subtype: def.subtype,
            advanced: def.advanced,
            portable: def.portable,
            damage: (kind == Kind::Room).then_some(def.damage),
            damage_varies: def.face.damage_varies,
            dark: def.face.dark,
            star: is_hero && def.players == 0,
            health: is_hero.then_some(def.health),
            souls: is_hero.then(|| def.souls()),
            xp: (kind == Kind::Boss).then_some(def.xp),
            phases: phases.map(|(_, phase)| *phase).collect(),
            treasure: Treasure::of(classes, |class| i32::from(def.icons[class])),
        }
    }
}
