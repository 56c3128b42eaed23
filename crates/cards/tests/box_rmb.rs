//! Rise of the Minibosses against a second, handwritten list of its facts and the counts on its box.

use cards::db::Def;
use cards::tree::{Provenance, Subtype};
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == "RMB").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

const BOSSES: [(&str, u16, Class); 12] = [
    ("Gregore", 365, Cleric),
    ("Calabeza", 205, Cleric),
    ("Belladonna", 860, Cleric),
    ("Lamia", 255, Fighter),
    ("King Croak", 760, Fighter),
    ("Ravenus", 760, Fighter),
    ("Baron Hex", 535, Mage),
    ("Oculus", 630, Mage),
    ("Kazanna", 935, Mage),
    ("Dr. Deadly, Kobold Genius", 300, Thief),
    ("Scott", 780, Thief),
    ("Kirax, Greedy Queen", 980, Thief),
];

type Room = (&'static str, u8, Subtype, bool, u8, &'static [Class]);

/// Name, copies, subtype, advanced, damage, icons.
const ROOMS: [Room; 42] = [
    ("Spectral Bomb", 1, Trap, false, 1, &[Cleric, Cleric]),
    ("Monster Academy", 2, Monster, false, 1, &[Cleric, Cleric]),
    ("Ancient Guardtower", 2, Trap, false, 2, &[Cleric]),
    ("Tomb of Terrors", 2, Trap, false, 2, &[Cleric]),
    ("Imp Hoard", 2, Monster, false, 1, &[Cleric]),
    ("Vampire Lab", 2, Monster, false, 2, &[Cleric]),
    ("Haunted Cavern", 1, Monster, true, 3, &[Cleric]),
    ("Minion Clinic", 2, Monster, true, 3, &[Cleric]),
    ("Robber's Vault", 1, Trap, true, 3, &[Cleric]),
    ("Minotaur Catacombs", 1, Monster, false, 1, &[Fighter, Fighter]),
    ("Goblin Market", 2, Monster, false, 1, &[Fighter, Fighter]),
    ("Power Leech", 2, Monster, false, 1, &[Fighter]),
    ("Fetid Beast", 2, Monster, false, 3, &[Fighter]),
    ("Training Camp", 2, Monster, false, 2, &[Fighter]),
    ("Shrooman Aviary", 2, Monster, false, 2, &[Fighter]),
    ("Dragon's Nest", 1, Monster, true, 4, &[Fighter]),
    ("Doppelganger Hive", 2, Monster, true, 2, &[Fighter]),
    ("Foyer Elemental", 1, Monster, true, 4, &[Fighter]),
    ("Mysterious Portal", 1, Trap, false, 1, &[Mage, Mage]),
    ("Alchemist's Lab", 2, Trap, false, 1, &[Mage, Mage]),
    ("Black Market", 2, Trap, false, 2, &[Mage]),
    ("Mind Thresher", 2, Trap, false, 2, &[Mage]),
    ("Cursed Well", 2, Trap, false, 2, &[Mage]),
    ("Loot Box", 2, Trap, false, 1, &[Mage]),
    ("Crystal Ballroom", 1, Trap, true, 3, &[Mage]),
    ("Efreet's Chamber", 2, Monster, true, 2, &[Mage]),
    ("Magipede", 1, Monster, true, 2, &[Mage]),
    ("Delver's Quarry", 1, Trap, false, 1, &[Thief, Thief]),
    ("Garbage Chute", 2, Trap, false, 1, &[Thief, Thief]),
    ("Unstable Mine", 2, Trap, false, 2, &[Thief]),
    ("Sawtooth Pendulum", 2, Trap, false, 2, &[Thief]),
    ("The Catapult", 2, Trap, false, 2, &[Thief]),
    ("Endless Gallery", 2, Trap, false, 2, &[Thief]),
    ("Paywall", 1, Trap, true, 4, &[Thief]),
    ("Living Trap", 2, Trap, true, 3, &[Thief]),
    ("The Dreadmill", 1, Trap, true, 2, &[Thief]),
    ("Personnel Office", 2, Monster, false, 1, &[Fighter, Mage]),
    ("Trophy Room", 2, Trap, false, 1, &[Fighter, Thief]),
    ("Lightning Rod", 2, Trap, false, 1, &[Mage, Thief]),
    ("Pixie Fountain", 2, Monster, false, 1, &[Cleric, Fighter]),
    ("The Keystone", 2, Trap, false, 1, &[Cleric, Thief]),
    ("Pool of Shadows", 2, Trap, false, 1, &[Cleric, Mage]),
];

const MINIBOSSES: [&str; 10] = [
    "Spike",
    "Kid Croak",
    "Draculad",
    "Rocky",
    "Cerebella",
    "Paddywhack",
    "Icicle Man",
    "Mageseeker",
    "Brassknuckle",
    "Jinx",
];

/// Name, in the Build phase, in the Adventure phase; two copies each.
const SPELLS: [(&str, bool, bool); 15] = [
    ("Windfall", true, true),
    ("Internship", true, false),
    ("Spirit Dragon", true, false),
    ("Sabotage!", true, true),
    ("Rage!", true, true),
    ("Ambush", false, true),
    ("Rebirth", true, true),
    ("Smash!", true, true),
    ("Pay to Win", true, true),
    ("Zoning Board", true, false),
    ("Respawn", true, true),
    ("Heist", true, false),
    ("Short Circuit", true, true),
    ("Traitor", true, false),
    ("Armor Up!", true, true),
];

/// Name, health, icons, from how many players.
type Hero = (&'static str, u8, &'static [Class], u8);

const HEROES: [Hero; 25] = [
    ("Felicity, Joyful Nurse", 4, &[Cleric], 2),
    ("Wolfhard, Teen Hero", 4, &[Cleric], 4),
    ("Holkin, Propheteer", 6, &[Cleric], 2),
    ("Luz, Merciful Healer", 6, &[Cleric], 3),
    ("Inquisitor", 6, &[Cleric], 2),
    ("Josie, Vampire Slayer", 8, &[Cleric], 4),
    ("Tess, Dwarven Shieldmaiden", 4, &[Fighter], 2),
    ("Steven the Human", 4, &[Fighter], 4),
    ("Rotgut, Half-Giant Berserker", 6, &[Fighter], 2),
    ("Maxine, Sister of Steel", 6, &[Fighter], 3),
    ("Sellsword", 6, &[Fighter], 2),
    ("Joe the Smith", 8, &[Fighter], 4),
    ("Eloi Marlborn", 4, &[Mage], 2),
    ("Exai, Mindmage", 4, &[Mage], 4),
    ("Clebrina, Familiar", 6, &[Mage], 2),
    ("Bross, Illusionist Adept", 6, &[Mage], 3),
    ("Alchemist", 6, &[Mage], 2),
    ("Dovkro, Born of the Dragon", 8, &[Mage], 4),
    ("K'Bothi the Spy", 4, &[Thief], 2),
    ("The Steel Mouser", 4, &[Thief], 4),
    ("Ofcroak, Vengeful Handmaid", 6, &[Thief], 2),
    ("Koko the Piper", 6, &[Thief], 3),
    ("Scoundrel", 6, &[Thief], 2),
    ("Marmo, Master of Dreams", 8, &[Thief], 4),
    ("The Fool", 2, &[], 2),
];

const EPICS: [Hero; 17] = [
    ("Haize, Half-angel", 11, &[Cleric], 2),
    ("The Overseer", 11, &[Cleric], 3),
    ("Paladin", 12, &[Cleric, Fighter], 2),
    ("Koverian, Executioner", 13, &[Cleric], 4),
    ("Varraka, Combat Instructor", 11, &[Fighter], 2),
    ("Zheng-Yi, One Kick Woman", 11, &[Fighter], 3),
    ("Relic Hunter", 12, &[Mage, Thief], 2),
    ("Unseena, Invisible Wrestler", 13, &[Fighter], 4),
    ("Zutara, Elemental Master", 11, &[Mage], 2),
    ("Mortimer, Evil Genius", 11, &[Mage], 3),
    ("Warlock", 12, &[Cleric, Mage], 2),
    ("Shigeru the Spellbinder", 13, &[Mage], 4),
    ("Moran, Master of Keys", 11, &[Thief], 2),
    ("Marsden, Reformed Outlaw", 11, &[Thief], 3),
    ("Tax Collector", 12, &[Fighter, Thief], 2),
    ("Petros, Dwarven Noble", 13, &[Thief], 4),
    ("The Progenitors", 20, &[], 2),
];

fn icons(def: &Def) -> Vec<Class> {
    def.icons.iter().flat_map(|(class, n)| std::iter::repeat_n(class, usize::from(*n))).collect()
}

#[test]
fn bosses_rooms_minibosses_and_spells_are_as_listed() {
    let db = box_db();
    let bosses: Vec<_> =
        of(&db, Kind::Boss).iter().map(|def| (&*def.face.name, def.xp, icons(def))).collect();
    assert_eq!(bosses, BOSSES.map(|(name, xp, class)| (name, xp, vec![class])));
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (name, copies, subtype, advanced, damage, classes)) in rooms.into_iter().zip(ROOMS) {
        let found = (&*def.face.name, def.copies, def.subtype, def.advanced, def.damage, icons(def));
        assert_eq!(found, (name, copies, Some(subtype), advanced, damage, classes.to_vec()));
    }
    let minibosses = of(&db, Kind::Miniboss);
    let names: Vec<&str> = minibosses.iter().map(|def| &*def.face.name).collect();
    assert_eq!(names, MINIBOSSES);
    for def in minibosses {
        assert_eq!((def.copies, def.levels.len()), (1, 3), "{}", def.face.name);
        let used: Vec<usize> = def.levels.iter().map(|level| level.activated.len()).collect();
        assert!(used[2] > used[1], "{} has nothing to use at its third level", def.face.name);
    }
    let spells = of(&db, Kind::Spell);
    assert_eq!(spells.len(), SPELLS.len());
    for (def, (name, build, adventure)) in spells.into_iter().zip(SPELLS) {
        let phases = (def.castable_in(Phase::Build), def.castable_in(Phase::Adventure));
        assert_eq!((&*def.face.name, def.copies, phases), (name, 2, (build, adventure)));
    }
}

#[test]
fn heroes_are_as_listed_and_come_with_their_players() {
    let db = box_db();
    for (kind, rows) in [(Kind::Hero, &HEROES[..]), (Kind::Epic, &EPICS)] {
        let heroes = of(&db, kind);
        assert_eq!(heroes.len(), rows.len());
        for (def, (name, health, classes, players)) in heroes.into_iter().zip(rows) {
            let found = (&*def.face.name, def.health, icons(def), def.players);
            assert_eq!(found, (*name, *health, classes.to_vec(), *players));
            assert_eq!(def.lure.is_some(), classes.is_empty(), "{name}");
        }
    }
    for (players, heroes, epics) in [(2, 13, 9), (3, 17, 13), (4, 25, 17)] {
        let used = |kind| of(&db, kind).iter().filter(|def| def.players <= players).count();
        assert_eq!((used(Kind::Hero), used(Kind::Epic)), (heroes, epics), "{players} players");
    }
}

#[test]
fn the_box_holds_82_cards_in_the_room_deck_and_as_many_icons_of_each_type() {
    let db = box_db();
    let pieces = |kind| of(&db, kind).iter().map(|def| usize::from(def.copies)).sum::<usize>();
    assert_eq!(Kind::ALL.map(pieces), [12, 72, 30, 25, 17, 0, 10]);
    for class in [Cleric, Fighter, Mage, Thief] {
        let shown = |def: &&Def| usize::from(def.icons[class]) * usize::from(def.copies);
        assert_eq!(of(&db, Kind::Room).iter().map(shown).sum::<usize>(), 24, "{class}");
    }
}

#[test]
fn what_no_source_tells_is_marked_as_ours() {
    let db = box_db();
    let house: Vec<&str> = db
        .cards()
        .filter(|(_, def)| def.face.provenance == Provenance::House)
        .map(|(_, def)| &*def.face.name)
        .collect();
    let ours = [
        "Inquisitor",
        "Sellsword",
        "Alchemist",
        "Scoundrel",
        "Paladin",
        "Relic Hunter",
        "Warlock",
        "Tax Collector",
        "The Progenitors",
    ];
    assert_eq!(house, ours);
}
