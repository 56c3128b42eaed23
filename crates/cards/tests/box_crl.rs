//! Crash Landing against a second, handwritten list of its facts and the counts on its box.

use cards::db::Def;
use cards::tree::{Provenance, Subtype};
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Explorer, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == "CRL").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

const BOSSES: [(&str, u16); 3] = [("Imperiatrix", 475), ("Klonos", 175), ("Mando", 855)];

type Room = (&'static str, u8, Subtype, bool, u8, &'static [Class]);

/// Name, copies, subtype, advanced, damage, icons.
const ROOMS: [Room; 13] = [
    ("Alien Excavator", 2, Trap, false, 2, &[Explorer]),
    ("Alien Ooze", 2, Trap, false, 1, &[Explorer]),
    ("Decoy Garden", 1, Monster, false, 1, &[Explorer]),
    ("Frostman Lander", 2, Monster, false, 2, &[Explorer]),
    ("Invasion Swarm", 2, Monster, false, 0, &[Explorer]),
    ("Reactor Core", 2, Trap, false, 2, &[Explorer]),
    ("Digicron Library", 1, Trap, true, 3, &[Explorer]),
    ("Hypercube", 2, Trap, true, 4, &[Explorer]),
    ("The Omega 42", 1, Trap, true, 3, &[Explorer]),
    ("Crash Site", 2, Trap, false, 1, &[Cleric, Explorer]),
    ("Caged Gundarf", 2, Monster, false, 1, &[Fighter, Explorer]),
    ("Celestial Map", 2, Trap, false, 1, &[Mage, Explorer]),
    ("Darkling Lair", 2, Monster, false, 1, &[Thief, Explorer]),
];

/// Name, copies, in the Build phase; the others are for the Adventure phase.
const SPELLS: [(&str, u8, bool); 5] = [
    ("Finish Him!", 1, false),
    ("Essence Transfer", 2, false),
    ("Healing Tank", 1, false),
    ("Meteorite", 1, true),
    ("Not Dead Yet", 2, false),
];

/// Name, health, has the explorer icon.
const HEROES: [(&str, u8, bool); 7] = [
    ("The Prince", 3, false),
    ("Crash Dodgers", 4, true),
    ("Corbin Crickton", 4, true),
    ("T'Matha", 6, true),
    ("Lindo Callari", 6, true),
    ("Doug O'Shibe, Ace Pilot", 8, true),
    ("Guy the Redrobe", 8, true),
];

const EPICS: [(&str, u8, bool); 5] = [
    ("Andromeda James", 11, true),
    ("Morgan Fragman", 11, true),
    ("Banzai Barb", 13, true),
    ("Aliff", 13, true),
    ("The King", 20, false),
];

fn icons(def: &Def) -> Vec<Class> {
    def.icons.iter().flat_map(|(class, n)| std::iter::repeat_n(class, usize::from(*n))).collect()
}

#[test]
fn bosses_rooms_and_spells_are_as_listed() {
    let db = box_db();
    let found: Vec<_> =
        of(&db, Kind::Boss).iter().map(|def| (&*def.face.name, def.xp, icons(def), def.copies)).collect();
    assert_eq!(found, BOSSES.map(|(name, xp)| (name, xp, vec![Explorer], 1)));
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (name, copies, subtype, advanced, damage, classes)) in rooms.iter().zip(ROOMS) {
        let found = (&*def.face.name, def.copies, def.subtype, def.advanced, def.damage);
        assert_eq!(found, (name, copies, Some(subtype), advanced, damage));
        assert_eq!(icons(def), classes, "{name}");
    }
    let spells = of(&db, Kind::Spell);
    assert_eq!(spells.len(), SPELLS.len());
    for (def, (name, copies, build)) in spells.iter().zip(SPELLS) {
        assert_eq!((&*def.face.name, def.copies), (name, copies));
        let castable = [Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase));
        assert_eq!(castable, [build, !build], "{name}");
    }
}

#[test]
fn heroes_are_as_listed_and_come_with_the_fifth_player() {
    let db = box_db();
    for (kind, rows) in [(Kind::Hero, &HEROES[..]), (Kind::Epic, &EPICS)] {
        let heroes = of(&db, kind);
        assert_eq!(heroes.len(), rows.len());
        for (def, (name, health, explorer)) in heroes.iter().zip(rows) {
            assert_eq!((&*def.face.name, def.health, def.players, def.copies), (*name, *health, 5, 1));
            assert_eq!(icons(def) == [Explorer], *explorer, "{name}");
            // No source gives what draws the two without an icon: that is ours, and marked so.
            assert_eq!(def.lure.is_some(), !explorer, "{name}");
            assert_eq!(def.face.provenance == Provenance::House, !explorer, "{name}");
        }
    }
}

#[test]
fn the_box_holds_3_bosses_23_rooms_7_spells_7_heroes_and_5_epic_heroes() {
    let db = box_db();
    let pieces = |kind| of(&db, kind).iter().map(|def| usize::from(def.copies)).sum::<usize>();
    assert_eq!(Kind::ALL.map(pieces), [3, 23, 7, 7, 5, 0, 0]);
    let mut numbers: Vec<&str> = db.cards().filter_map(|(_, def)| def.face.number.as_deref()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=33).map(|n| format!("CRL{n:03}")).collect::<Vec<_>>());
}
