//! The cards that can be in a game, numbered: actions and observations name cards by these numbers.
//! Invariant: the numbers follow from deck, rules and number of players alone.

use cards::CardDb;
use cards::code::DefId;
use cards::vocabulary::Kind;
use engine::Rules;
use engine::setup::contents;

const NONE: u16 = u16::MAX;

pub struct CardList {
    pub db: &'static CardDb,
    /// Each different card once, in the order of the boxes.
    pub cards: Vec<DefId>,
    /// Their names; a name that two cards share has their box behind it, or their health.
    pub names: Vec<String>,
    /// The numbers of those that can be in a hand.
    pub holdable: Vec<u16>,
    /// The numbers of those that can be built.
    pub buildable: Vec<u16>,
    numbers: Vec<u16>,
    holdable_numbers: Vec<u16>,
    buildable_numbers: Vec<u16>,
}

impl CardList {
    pub fn new(db: &'static CardDb, rules: &Rules) -> CardList {
        let mut cards: Vec<DefId> = contents(db, rules).collect();
        cards.sort_by_key(|id| id.0);
        cards.dedup();
        let mut numbers = vec![NONE; db.defs.len()];
        for (n, id) in cards.iter().enumerate() {
            numbers[id.index()] = n as u16;
        }
        let of_kinds = |kinds: &[Kind]| {
            let is = |id: &DefId| kinds.contains(&db.def(*id).kind);
            let all = (0..).zip(&cards).filter(|(_, id)| is(id));
            all.map(|(n, _)| n).collect::<Vec<u16>>()
        };
        let holdable = of_kinds(&[Kind::Room, Kind::Miniboss, Kind::Spell]);
        let buildable = of_kinds(&[Kind::Room, Kind::Miniboss]);
        let numbered = |some: &[u16]| {
            let mut numbers = vec![NONE; db.defs.len()];
            for (n, card) in (0..).zip(some) {
                numbers[cards[usize::from(*card)].index()] = n;
            }
            numbers
        };
        let (holdable_numbers, buildable_numbers) = (numbered(&holdable), numbered(&buildable));
        let names = unique(db, &cards);
        CardList { db, cards, names, holdable, buildable, numbers, holdable_numbers, buildable_numbers }
    }

    /// The card's number; none for a card back.
    pub fn number(&self, def: DefId) -> Option<usize> {
        look_up(&self.numbers, def)
    }

    /// Its number among those that can be in a hand.
    pub fn holdable_number(&self, def: DefId) -> Option<usize> {
        look_up(&self.holdable_numbers, def)
    }

    /// Its number among those that can be built.
    pub fn buildable_number(&self, def: DefId) -> Option<usize> {
        look_up(&self.buildable_numbers, def)
    }

    /// The numbers of the cards of these kinds.
    pub fn of_kinds(&self, kinds: &[Kind]) -> Vec<u16> {
        let is = |id: &DefId| kinds.contains(&self.db.def(*id).kind);
        (0..).zip(&self.cards).filter(|(_, id)| is(id)).map(|(n, _)| n).collect()
    }
}

fn look_up(numbers: &[u16], def: DefId) -> Option<usize> {
    numbers.get(def.index()).filter(|n| **n != NONE).map(|n| usize::from(*n))
}

/// The names of the cards, with what tells those apart that share one.
fn unique(db: &CardDb, cards: &[DefId]) -> Vec<String> {
    let mut names: Vec<String> = cards.iter().map(|id| db.name(*id).to_owned()).collect();
    let details: [fn(&cards::db::Def) -> String; 3] = [
        |def| def.face.set.clone(),
        |def| def.kind.name().to_owned(),
        |def| format!("health {}", def.health),
    ];
    for detail in details {
        let before = names.clone();
        for (n, name) in names.iter_mut().enumerate() {
            if before.iter().filter(|other| **other == before[n]).count() > 1 {
                *name = format!("{name} ({})", detail(db.def(cards[n])));
            }
        }
    }
    for n in 0..names.len() {
        if names[..n].contains(&names[n]) {
            names[n] = format!("{} #{n}", names[n]);
        }
    }
    names
}
