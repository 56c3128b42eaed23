//! The promo cards against a second, handwritten list of their facts.

use cards::db::Def;
use cards::tree::Subtype;
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == "KSA").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

const BOSSES: [(&str, u16, Class); 8] = [
    ("Kirax, The Gatekeeper", 1000, Thief),
    ("Hellcow, Bossy Bovine", 950, Fighter),
    ("The Brothers Wise, Two-Headed Monstrosity", 700, Mage),
    ("Kaw'nee, The Grave Robber", 575, Cleric),
    ("Scythe, The Ultimate Weapon", 775, Fighter),
    ("Jarin, The Soulseeker", 675, Mage),
    ("Elicon, The Ant Cannon Dragotroll King", 875, Thief),
    ("Mirrax, The Silver Queen", 2000, Thief),
];

/// Name, subtype, damage, icon; all are ordinary.
const ROOMS: [(&str, Subtype, u8, Class); 4] = [
    ("Bone Crank", Trap, 1, Mage),
    ("Ghoulyard", Monster, 2, Cleric),
    ("Shark Tank", Monster, 2, Fighter),
    ("Trash Compactor", Trap, 3, Thief),
];

/// Name, in the Build phase, in the Adventure phase.
const SPELLS: [(&str, [bool; 2]); 2] = [("T.P.K.", [true, true]), ("Agent of Evil", [true, false])];

/// Name, health, icons. All are star heroes.
const EPICS: [(&str, u8, &[Class]); 4] = [
    ("Demigod", 20, &[]),
    ("Monster Hunter", 13, &[Cleric, Fighter]),
    ("Trap Master", 13, &[Mage, Thief]),
    ("Pixel Lincoln", 16, &[]),
];

#[test]
fn there_are_8_bosses_4_rooms_2_spells_and_4_epic_star_heroes_as_listed() {
    let db = box_db();
    assert!(db.cards().all(|(_, def)| def.copies == 1));
    let bosses = of(&db, Kind::Boss);
    assert_eq!(bosses.len(), BOSSES.len());
    for (def, (name, xp, class)) in bosses.iter().zip(BOSSES) {
        assert_eq!((&*def.face.name, def.xp, def.icon_count(), def.icons[class]), (name, xp, 1, 1));
    }
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (name, subtype, damage, class)) in rooms.iter().zip(ROOMS) {
        let found = (&*def.face.name, def.subtype, def.damage, def.advanced);
        assert_eq!(found, (name, Some(subtype), damage, false));
        assert_eq!((def.icon_count(), def.icons[class]), (1, 1), "{name}");
    }
    let spells = of(&db, Kind::Spell);
    assert_eq!(spells.len(), SPELLS.len());
    for (def, (name, phases)) in spells.iter().zip(SPELLS) {
        let found = [Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase));
        assert_eq!((&*def.face.name, found), (name, phases));
    }
    assert!(of(&db, Kind::Hero).is_empty());
    let epics = of(&db, Kind::Epic);
    assert_eq!(epics.len(), EPICS.len());
    for (def, (name, health, icons)) in epics.iter().zip(EPICS) {
        assert_eq!((&*def.face.name, def.health, def.players), (name, health, 0));
        assert_eq!(def.lure.is_some(), icons.is_empty(), "{name}");
        assert_eq!(usize::from(def.icon_count()), icons.len(), "{name}");
        assert!(icons.iter().all(|class| def.icons[*class] == 1), "{name}");
    }
}
