//! The cards that can be in a game, numbered: actions and observations name cards by these numbers.
//! Invariant: the numbers follow from deck, rules and number of players alone.

use cards::CardDb;
use cards::code::DefId;
use cards::vocabulary::Kind;
use engine::Rules;
use engine::setup::contents;

/// Cards that are numbered among themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    All,
    /// Those that can be in a hand.
    Held,
    Buildable,
    Heroes,
    Bosses,
    Items,
    /// What can lie in a dungeon.
    Rooms,
}

impl Group {
    const ALL: [Group; 7] =
        [Group::All, Group::Held, Group::Buildable, Group::Heroes, Group::Bosses, Group::Items, Group::Rooms];

    fn has(self, kind: Kind) -> bool {
        match self {
            Group::All => true,
            Group::Held => matches!(kind, Kind::Room | Kind::Miniboss | Kind::Spell),
            Group::Buildable | Group::Rooms => matches!(kind, Kind::Room | Kind::Miniboss),
            Group::Heroes => matches!(kind, Kind::Hero | Kind::Epic),
            Group::Bosses => kind == Kind::Boss,
            Group::Items => kind == Kind::Item,
        }
    }
}

/// A card's number in each group.
type Numbers = [u16; Group::ALL.len()];

/// It is not in the group.
const NONE: u16 = u16::MAX;

pub struct CardList {
    pub db: &'static CardDb,
    /// Each different card once, in the order of the boxes.
    pub cards: Vec<DefId>,
    /// Their names; a name that two cards share has their box behind it, or their health.
    pub names: Vec<String>,
    groups: [Vec<u16>; Group::ALL.len()],
    /// By definition.
    numbers: Vec<Numbers>,
}

impl CardList {
    pub fn new(db: &'static CardDb, rules: &Rules) -> CardList {
        let mut cards: Vec<DefId> = contents(db, rules).collect();
        cards.sort_by_key(|id| id.0);
        cards.dedup();
        let mut groups = [const { Vec::new() }; Group::ALL.len()];
        let mut numbers = vec![[NONE; Group::ALL.len()]; db.defs.len()];
        for group in Group::ALL {
            let members: &mut Vec<u16> = &mut groups[group as usize];
            for (card, id) in (0..).zip(&cards) {
                if group.has(db.def(*id).kind) {
                    numbers[id.index()][group as usize] = members.len() as u16;
                    members.push(card);
                }
            }
        }
        let names = unique(db, &cards);
        CardList { db, cards, names, groups, numbers }
    }

    /// The card's number in the group; none for a card back.
    #[inline]
    pub fn number(&self, group: Group, def: DefId) -> Option<usize> {
        let number = self.numbers.get(def.index())?[group as usize];
        (number != NONE).then_some(usize::from(number))
    }

    pub fn count(&self, group: Group) -> usize {
        self.groups[group as usize].len()
    }

    /// The names of the cards of a group, in the order of their numbers.
    pub fn names(&self, group: Group) -> impl Iterator<Item = &str> + Clone {
        self.groups[group as usize].iter().map(|card| &*self.names[usize::from(*card)])
    }
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
