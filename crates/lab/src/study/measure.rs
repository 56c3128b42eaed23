//! What two versions of the same games are compared by: length, endings, bosses, and the cards that differ.

use std::collections::BTreeSet;

use cards::CardDb;
use cards::code::DefId;
use cards::db::Def;
use cards::vocabulary::Kind;
use engine::Ending;

use crate::paired::Ratio;
use crate::tally::Tally;

/// A figure of a game. Cards have a number of their own in each version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    Turns,
    Decisions,
    /// Alone.
    Score,
    Ending(Ending),
    /// Games that the first in player order wins.
    First,
    /// Games that the boss wins of those it is in.
    Boss([DefId; 2]),
    /// How much likelier players are to win who drew the card.
    Drew([DefId; 2]),
    /// The same for players who built, cast or claimed it.
    Did([DefId; 2]),
    /// Copies played, of those that came.
    Played([DefId; 2]),
    /// Its abilities used or begun, per game.
    Used([DefId; 2]),
}

/// A card that is not the same in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedCard {
    pub name: String,
    /// What it says in each version; `None` if it is not there.
    pub says: [Option<String>; 2],
    defs: [Option<DefId>; 2],
}

/// The cards that differ, by name.
pub fn changed(versions: [&CardDb; 2]) -> Vec<ChangedCard> {
    let names: BTreeSet<&str> =
        versions.iter().flat_map(|db| used(db).map(|(_, def)| def.face.name.as_str())).collect();
    let card = |name: &str| {
        let defs = versions.map(|db| used(db).find(|(_, def)| def.face.name == name));
        let says = defs.map(|found| found.map(|(_, def)| says(def)));
        let defs = defs.map(|found| found.map(|(id, _)| id));
        (says[0] != says[1]).then(|| ChangedCard { name: name.into(), says, defs })
    };
    names.into_iter().filter_map(card).collect()
}

fn used(db: &CardDb) -> impl Iterator<Item = (DefId, &Def)> {
    db.cards().filter(|(_, def)| def.copies > 0)
}

/// Facts and text, and how many there are.
fn says(def: &Def) -> String {
    let face = &def.face;
    let copies = if def.copies > 1 { format!(" × {}", def.copies) } else { String::new() };
    [&format!("{}{copies}", face.facts)]
        .into_iter()
        .chain(&face.text)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(". ")
}

/// Everything that can be compared at a table with so many players.
pub fn measures(versions: [&CardDb; 2], players: u8) -> Vec<Measure> {
    let mut all = vec![Measure::Turns, Measure::Decisions];
    all.extend(Ending::ALL.map(Measure::Ending));
    let held = |kind: Kind| kind.is_held() || kind == Kind::Item;
    let both = |card: &ChangedCard| Some([card.defs[0]?, card.defs[1]?]);
    let cards: Vec<[DefId; 2]> =
        changed(versions).iter().filter_map(both).filter(|ids| held(versions[0].def(ids[0]).kind)).collect();
    all.extend(cards.iter().flat_map(|ids| [Measure::Played(*ids), Measure::Used(*ids)]));
    if players == 1 {
        all.push(Measure::Score);
        return all;
    }
    all.push(Measure::First);
    all.extend(cards.iter().flat_map(|ids| [Measure::Drew(*ids), Measure::Did(*ids)]));
    let bosses = |db: &CardDb| {
        used(db)
            .filter(|(_, def)| def.kind == Kind::Boss)
            .map(|(id, def)| (id, def.face.name.clone()))
            .collect::<Vec<_>>()
    };
    for (old, name) in bosses(versions[0]) {
        if let Some((new, _)) = bosses(versions[1]).into_iter().find(|(_, other)| *other == name) {
            all.push(Measure::Boss([old, new]));
        }
    }
    all
}

impl Measure {
    /// The figure of one game, by its tally in the old version (0) or the new one (1).
    pub fn ratio(&self, tally: &Tally, version: usize) -> Ratio {
        let card = |ids: &[DefId; 2]| &tally.cards[ids[version].index()];
        let whole = |n: u64| n as i64;
        let games = whole(tally.games);
        match self {
            Measure::Turns => {
                (tally.lengths.iter().zip(0..).map(|(games, turns)| whole(*games) * turns).sum(), games)
            }
            Measure::Decisions => (whole(tally.decisions), games),
            Measure::Score => {
                (tally.alone.iter().map(|(score, n)| i64::from(*score) * whole(*n)).sum(), games)
            }
            Measure::Ending(ending) => (whole(tally.endings.get(ending.name()).copied().unwrap_or(0)), games),
            Measure::First => (whole(tally.places[0]), games),
            Measure::Boss(ids) => (whole(card(ids).won), whole(card(ids).played)),
            Measure::Drew(ids) => card(ids).drew.ratio(),
            Measure::Did(ids) => card(ids).did.ratio(),
            Measure::Played(ids) => (whole(card(ids).played), whole(card(ids).drawn)),
            Measure::Used(ids) => (whole(card(ids).used + card(ids).triggered), games),
        }
    }
}
