//! Paper & Pixels against a second, handwritten list of its facts and the counts on its pack.

use cards::db::Def;
use cards::tree::Subtype;
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == "DBM").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

const BOSSES: [(&str, u16, Class); 3] = [
    ("Chase, Mentor of Monsters", 499, Cleric),
    ("Greg, The New Boss", 899, Fighter),
    ("Explodo, The Bombassador", 699, Thief),
];

/// Name, subtype, damage, icon; all are ordinary, and there are two of each.
const ROOMS: [(&str, Subtype, u8, Class); 4] = [
    ("Elder Portal", Trap, 0, Cleric),
    ("Hydra's Mire", Monster, 1, Fighter),
    ("Spellslime Incubator", Monster, 0, Mage),
    ("Clock Tower", Trap, 0, Thief),
];

fn only_icon(def: &Def, class: Class) -> bool {
    def.icon_count() == 1 && def.icons[class] == 1
}

#[test]
fn the_pack_holds_3_bosses_8_rooms_2_spells_and_an_epic_hero_as_listed() {
    let db = box_db();
    let bosses = of(&db, Kind::Boss);
    assert_eq!(bosses.len(), BOSSES.len());
    for (def, (name, xp, class)) in bosses.iter().zip(BOSSES) {
        assert_eq!((&*def.face.name, def.xp, def.copies), (name, xp, 1));
        assert!(only_icon(def, class), "{name}");
    }
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (name, subtype, damage, class)) in rooms.iter().zip(ROOMS) {
        let found = (&*def.face.name, def.subtype, def.damage, def.advanced, def.copies);
        assert_eq!(found, (name, Some(subtype), damage, false, 2));
        assert!(only_icon(def, class), "{name}");
    }
    let [spell] = of(&db, Kind::Spell)[..] else { panic!("one spell") };
    assert_eq!((&*spell.face.name, spell.copies), ("Fireball!", 2));
    assert_eq!([Phase::Build, Phase::Adventure].map(|phase| spell.castable_in(phase)), [false, true]);
    assert!(of(&db, Kind::Hero).is_empty());
    let [princess] = of(&db, Kind::Epic)[..] else { panic!("one epic hero") };
    // A star hero is always in the deck, whatever the number of players.
    let found = (&*princess.face.name, princess.health, princess.players, princess.icon_count());
    assert_eq!(found, ("The Princess", 16, 0, 0));
    assert!(princess.lure.is_some());
}
