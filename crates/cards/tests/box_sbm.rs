//! Super Boss Monster against a second list of its facts and the counts of its box.

use cards::db::Def;
use cards::tree::{Provenance, Subtype};
use cards::vocabulary::{ByClass, Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let own: Vec<_> = library::sets().into_iter().filter(|set| set.code == "SBM").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

fn icons(classes: &[Class]) -> ByClass<u8> {
    ByClass::from_fn(|class| classes.iter().filter(|icon| **icon == class).count() as u8)
}

/// Name, XP, treasure, and whether it gives an action space.
const BOSSES: [(&str, u16, Class, bool); 12] = [
    ("Sister Static, Voice of the Dead Channel", 425, Cleric, false),
    ("Grandfather Glitch, Keeper of Lost Saves", 575, Cleric, false),
    ("The Continue Countess, Undead Arcade Owner", 800, Cleric, true),
    ("Chuck Knuckle, One-Eyed Bouncer", 375, Fighter, false),
    ("Uppercutlass, Corsair of the Combo Coast", 900, Fighter, false),
    ("Emperor Dododo", 650, Fighter, true),
    ("Professor Polygon, Doctor of the Third Dimension", 700, Mage, false),
    ("His Oozeness", 500, Mage, false),
    ("Madame Mana, Bartender of the Arcane", 950, Mage, true),
    ("Pickpocket Rex, Tiny-Armed Terror", 475, Thief, false),
    ("Duchess Dismantle, Queen of Kaboom", 750, Thief, false),
    ("Count Chompchest, the Mimic's Mimic", 1000, Thief, true),
];

/// Name, subtype, advanced, damage, treasure, copies, and whether it has an action space.
type RoomRow = (&'static str, Subtype, bool, u8, &'static [Class], u8, bool);

const ROOMS: [RoomRow; 40] = [
    ("Lost-and-Found Crypt", Trap, false, 1, &[Cleric, Cleric], 2, true),
    ("Bargain Bin Ossuary", Monster, false, 1, &[Cleric, Cleric], 1, false),
    ("Lag Ghost Attic", Monster, false, 2, &[Cleric], 3, false),
    ("Ghost Data Vault", Trap, false, 2, &[Cleric], 2, false),
    ("Continue Countdown", Trap, false, 1, &[Cleric], 2, false),
    ("Boss Bone Ballroom", Monster, true, 3, &[Cleric], 2, false),
    ("Landfill of Lost Cartridges", Trap, true, 2, &[Cleric], 2, false),
    ("Save-Scum Shrine", Monster, true, 3, &[Cleric], 1, false),
    ("Weapon Rack Hallway", Trap, false, 0, &[Fighter, Fighter], 2, false),
    ("Palette-Swap Kennel", Monster, false, 1, &[Fighter, Fighter], 1, false),
    ("XP Farm", Monster, false, 2, &[Fighter], 3, false),
    ("Frozen Monster", Monster, false, 3, &[Fighter], 2, false),
    ("Minion Arena", Monster, false, 1, &[Fighter], 2, true),
    ("Tutorial Ogre Academy", Monster, true, 3, &[Fighter], 2, false),
    ("Tantrum Rink", Monster, true, 5, &[Fighter], 2, false),
    ("Final Form Chamber", Monster, true, 2, &[Fighter], 1, true),
    ("Mana Bar", Monster, false, 1, &[Mage, Mage], 2, true),
    ("Cheat Sheet Scriptorium", Monster, false, 1, &[Mage, Mage], 1, false),
    ("Homing Orb Silo", Trap, false, 1, &[Mage], 3, false),
    ("Apprentice Grind Hall", Monster, false, 1, &[Mage], 2, false),
    ("Pause Menu Parlor", Trap, false, 2, &[Mage], 2, true),
    ("Fast Travel Statue", Monster, true, 2, &[Mage], 2, true),
    ("Spell Echo Chamber", Trap, true, 2, &[Mage], 2, false),
    ("Overclocked Mana Core", Monster, true, 3, &[Mage], 1, false),
    ("Insert Coin Gate", Trap, false, 1, &[Thief, Thief], 2, false),
    ("Bonus Barrel", Trap, false, 1, &[Thief, Thief], 1, false),
    ("Crumbling Platform", Trap, false, 2, &[Thief], 3, false),
    ("Wind-up Trap", Trap, false, 1, &[Thief], 2, true),
    ("Gremlin Workshop", Monster, false, 1, &[Thief], 2, true),
    ("Conveyor of Doom", Trap, true, 2, &[Thief], 2, false),
    ("Lava Lift", Trap, true, 2, &[Thief], 2, false),
    ("Instant-Death Spikes", Trap, true, 2, &[Thief], 1, false),
    ("Pep Rally Crypt", Monster, false, 1, &[Cleric, Fighter], 2, false),
    ("Side Quest Office", Monster, false, 1, &[Cleric, Mage], 2, true),
    ("Five-Finger Discount Shop", Trap, false, 1, &[Cleric, Thief], 2, true),
    ("Spellsword Sparring Ring", Monster, true, 2, &[Fighter, Mage], 2, false),
    ("Moving Platform Depot", Trap, false, 1, &[Fighter, Thief], 2, false),
    ("Tourist Trap", Trap, false, 1, &[Mage, Thief], 2, true),
    ("Character Select Lobby", Monster, false, 0, &[Cleric, Fighter, Mage, Thief], 2, false),
    ("Hub World", Trap, true, 2, &[Cleric, Fighter, Mage, Thief], 1, true),
];

/// Name, castable in the Build and in the Adventure phase, copies.
const SPELLS: [(&str, bool, bool, u8); 17] = [
    ("Stealth", true, true, 2),
    ("Grand Theft", true, false, 2),
    ("Noclip Hack", false, true, 2),
    ("Safety Audit", true, true, 2),
    ("Chill", true, true, 2),
    ("Co-op Mode", false, true, 2),
    ("Quest", true, false, 2),
    ("Dream Heist", true, true, 1),
    ("Power-Up Crate", true, true, 2),
    ("Critical Hit", false, true, 2),
    ("Self-Destruct Sequence", false, true, 2),
    ("Undo Button", true, true, 2),
    ("Minion Overtime", true, false, 2),
    ("Flash Sale", true, false, 2),
    ("Wanted Poster", true, false, 2),
    ("Rubber Banding", false, true, 2),
    ("Rage Quit", false, true, 1),
];

/// Name, treasure, health, player icon.
const HEROES: [(&str, Option<Class>, u8, u8); 25] = [
    ("Bitsy the Bandage Nun", Some(Cleric), 4, 2),
    ("Deacon Doubletap", Some(Cleric), 4, 4),
    ("Initiate", Some(Cleric), 6, 2),
    ("Brother Respawn", Some(Cleric), 6, 3),
    ("Hail-Mary Marguerite", Some(Cleric), 8, 2),
    ("Abbot Autosave", Some(Cleric), 8, 4),
    ("Brick Chestplate", Some(Fighter), 4, 2),
    ("Grindella, Level One Forever", Some(Fighter), 4, 4),
    ("Gladiator", Some(Fighter), 6, 2),
    ("Rabbitt", Some(Fighter), 6, 3),
    ("Laliho", Some(Fighter), 8, 2),
    ("Dame Mashenka of the Red Button", Some(Fighter), 8, 4),
    ("Pip the Sparkler", Some(Mage), 4, 2),
    ("Lady Lagbolt", Some(Mage), 4, 4),
    ("Researcher", Some(Mage), 6, 2),
    ("Fizzlewick, Out of Mana", Some(Mage), 6, 3),
    ("Wisebeard, Wandering Wizard", Some(Mage), 8, 2),
    ("Quadratica, Polygon Sorceress", Some(Mage), 8, 4),
    ("Nimble Nell Nopockets", Some(Thief), 4, 2),
    ("Doublejump Dodge", Some(Thief), 4, 4),
    ("Criminal", Some(Thief), 6, 2),
    ("Lootbag Louie", Some(Thief), 6, 3),
    ("Velvet Vex, Crate Inspector", Some(Thief), 8, 2),
    ("Mister Wallcling", Some(Thief), 8, 4),
    ("Layabout", None, 4, 2),
];

/// Name, treasure, health, player icon.
const EPICS: [(&str, Option<Class>, u8, u8); 17] = [
    ("Seraphine Fullheal", Some(Cleric), 11, 2),
    ("Priestess", Some(Cleric), 11, 2),
    ("Saint Checkpoint", Some(Cleric), 13, 3),
    ("Hierophant Hexadecimus", Some(Cleric), 13, 4),
    ("Colossia, Queen of Combos", Some(Fighter), 11, 2),
    ("Champion", Some(Fighter), 11, 2),
    ("Grandmaster Flexor", Some(Fighter), 13, 3),
    ("Ironclad Inga, Undefeated", Some(Fighter), 13, 4),
    ("Archmagus Overflow", Some(Mage), 11, 2),
    ("Archivist", Some(Mage), 11, 2),
    ("Nova Nullpointer", Some(Mage), 13, 3),
    ("Wuzzle the Worldwarper", Some(Mage), 13, 4),
    ("Shade Sequencebreaker", Some(Thief), 11, 2),
    ("Outlaw", Some(Thief), 11, 2),
    ("Baron von Backstab", Some(Thief), 13, 3),
    ("Any-Percent Annie", Some(Thief), 13, 4),
    ("Barfighter", None, 14, 2),
];

#[test]
fn the_box_holds_every_card_as_listed() {
    let db = box_db();
    let bosses = of(&db, Kind::Boss);
    assert_eq!(bosses.len(), BOSSES.len());
    for (def, (name, xp, class, space)) in bosses.iter().zip(BOSSES) {
        assert_eq!((&*def.face.name, def.xp, def.copies, def.minion.is_some()), (name, xp, 1, space));
        assert_eq!(def.icons, icons(&[class]), "{name}");
    }
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (name, subtype, advanced, damage, classes, copies, space)) in rooms.iter().zip(ROOMS) {
        let found =
            (&*def.face.name, def.subtype, def.advanced, def.damage, def.copies, def.minion.is_some());
        assert_eq!(found, (name, Some(subtype), advanced, damage, copies, space));
        assert_eq!(def.icons, icons(classes), "{name}");
    }
    let spells = of(&db, Kind::Spell);
    assert_eq!(spells.len(), SPELLS.len());
    for (def, (name, build, adventure, copies)) in spells.iter().zip(SPELLS) {
        let phases = [Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase));
        assert_eq!((&*def.face.name, phases, def.copies), (name, [build, adventure], copies));
    }
    for (kind, listed) in [(Kind::Hero, &HEROES[..]), (Kind::Epic, &EPICS[..])] {
        let heroes = of(&db, kind);
        assert_eq!(heroes.len(), listed.len());
        for (def, (name, class, health, players)) in heroes.iter().zip(listed) {
            assert_eq!((&*def.face.name, def.health, def.players), (*name, *health, *players));
            assert_eq!(def.icons, icons(class.as_slice()), "{name}");
        }
    }
}

#[test]
fn all_of_it_is_marked_as_house_cards() {
    let sets = library::sets();
    let own = sets.iter().filter(|set| set.code == "SBM").flat_map(|set| &set.cards);
    let claimed: Vec<&str> =
        own.filter(|card| card.fields.provenance != Provenance::House).map(|card| &*card.name).collect();
    assert!(claimed.is_empty(), "not marked as house cards: {claimed:?}");
}

#[test]
fn the_counts_are_those_of_the_box() {
    let db = box_db();
    let copies = |kind| of(&db, kind).iter().map(|def| usize::from(def.copies)).sum::<usize>();
    let counts = [Kind::Boss, Kind::Room, Kind::Spell, Kind::Hero, Kind::Epic].map(copies);
    assert_eq!(counts, [12, 75, 32, 25, 17]);
    let treasure = of(&db, Kind::Room).iter().fold(ByClass::<u32>::default(), |mut sum, def| {
        Class::ALL.iter().for_each(|class| sum[*class] += u32::from(def.icons[*class] * def.copies));
        sum
    });
    for class in [Cleric, Fighter, Mage, Thief] {
        assert_eq!(treasure[class], 27, "{class}");
    }
    for (players, heroes, epics) in [(2, 13, 9), (3, 17, 13), (4, 25, 17)] {
        let used = |kind| of(&db, kind).iter().filter(|def| def.players <= players).count();
        assert_eq!((used(Kind::Hero), used(Kind::Epic)), (heroes, epics), "{players} players");
    }
}

/// Rule 15.1: 17 spells, twelve ordinary and twelve epic heroes remain, worth 36 souls.
#[test]
fn rule_15_1_what_is_left_out_of_the_game_for_one() {
    let sets = library::sets();
    let deck = library::deck("sbm-solo", &sets).expect("it is in the list");
    let db = deck.compile(&sets).expect("it compiles");
    let left: Vec<&Def> = db.cards().map(|(_, def)| def).filter(|def| def.copies > 0).collect();
    let spells =
        left.iter().filter(|def| def.kind == Kind::Spell).map(|def| u32::from(def.copies)).sum::<u32>();
    assert_eq!(spells, 17);
    let heroes: Vec<_> = left.iter().filter(|def| def.kind == Kind::Hero && def.players < 4).collect();
    let epics: Vec<_> = left.iter().filter(|def| def.kind == Kind::Epic).collect();
    assert_eq!((heroes.len(), epics.len()), (12, 12));
    for class in [Cleric, Fighter, Mage, Thief] {
        let health = |heroes: &[&&Def]| {
            let mut health: Vec<u8> =
                heroes.iter().filter(|def| def.icons[class] == 1).map(|def| def.health).collect();
            health.sort_unstable();
            health
        };
        assert_eq!(health(&heroes), [4, 6, 8], "{class}");
        assert_eq!(health(&epics), [11, 13, 13], "{class}");
    }
}
