//! The base set against its box: a second, handwritten list of its facts, and the counts printed on
//! the box. A slip in either list shows here.

use cards::vocabulary::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cards::db::{CardDb, Def};
use cards::library::SETS;
use cards::load;
use cards::tree::*;

use Class::{Cleric, Fighter, Mage, Thief};
use Phase::{Adventure, Build};
use Subtype::{Monster, Trap};

/// Number, name, XP, icon.
const BOSSES: [(u8, &str, u16, Class); 8] = [
    (1, "Draculord, Hypnotic Vampire", 900, Cleric),
    (2, "Xyzax, Progenitor Lich", 750, Cleric),
    (3, "King Croak, Sultan of the Sewers", 800, Fighter),
    (4, "Robobo, Angry Golem", 400, Fighter),
    (5, "Cerebellus, Father Brain", 650, Mage),
    (6, "Seducia, Sorceress of Sexiness", 600, Mage),
    (7, "Cleopatra, Mother of Mummies", 850, Thief),
    (8, "Gorgona, Queen of Medusia", 500, Thief),
];

struct RoomRow(u8, &'static str, u8, Subtype, bool, Option<u8>, &'static [Class]);

const ORDINARY: bool = false;
const ADVANCED: bool = true;

/// Number, name, copies, subtype, rank, damage (`None` is `*`), icons.
const ROOMS: [RoomRow; 31] = [
    RoomRow(9, "Dark Altar", 3, Trap, ORDINARY, Some(1), &[Cleric, Cleric]),
    RoomRow(10, "Open Grave", 2, Trap, ORDINARY, Some(2), &[Cleric]),
    RoomRow(11, "Specter's Sanctum", 3, Monster, ORDINARY, Some(2), &[Cleric]),
    RoomRow(12, "Succubus Spa", 3, Monster, ORDINARY, Some(1), &[Cleric]),
    RoomRow(13, "Dracolich Lair", 2, Monster, ADVANCED, Some(3), &[Cleric]),
    RoomRow(14, "Vampire Bordello", 2, Monster, ADVANCED, Some(3), &[Cleric]),
    RoomRow(15, "Goblin Armory", 3, Monster, ORDINARY, Some(1), &[Fighter, Fighter]),
    RoomRow(16, "Golem Factory", 3, Monster, ORDINARY, Some(2), &[Fighter]),
    RoomRow(17, "Minotaur's Maze", 2, Monster, ORDINARY, Some(0), &[Fighter]),
    RoomRow(18, "Neanderthal Cave", 3, Monster, ORDINARY, Some(3), &[Fighter]),
    RoomRow(19, "Beast Menagerie", 2, Monster, ADVANCED, Some(4), &[Fighter]),
    RoomRow(20, "Monster's Ballroom", 2, Monster, ADVANCED, None, &[Fighter]),
    RoomRow(21, "Brainsucker Hive", 3, Monster, ORDINARY, Some(2), &[Mage]),
    RoomRow(22, "Dark Laboratory", 3, Trap, ORDINARY, Some(1), &[Mage, Mage]),
    RoomRow(23, "Haunted Library", 2, Trap, ORDINARY, Some(1), &[Mage]),
    RoomRow(24, "Witch's Kitchen", 3, Monster, ORDINARY, Some(1), &[Mage]),
    RoomRow(25, "All-Seeing Eye", 2, Trap, ADVANCED, Some(3), &[Mage]),
    RoomRow(26, "Liger's Den", 2, Monster, ADVANCED, Some(2), &[Mage]),
    RoomRow(27, "Bottomless Pit", 3, Trap, ORDINARY, Some(1), &[Thief]),
    RoomRow(28, "Boulder Ramp", 2, Trap, ORDINARY, Some(1), &[Thief]),
    RoomRow(29, "Dizzygas Hallway", 3, Trap, ORDINARY, Some(1), &[Thief]),
    RoomRow(30, "Jackpot Stash", 3, Trap, ORDINARY, Some(1), &[Thief, Thief]),
    RoomRow(31, "Recycling Center", 2, Trap, ADVANCED, Some(3), &[Thief]),
    RoomRow(32, "The Crushinator", 2, Trap, ADVANCED, Some(2), &[Thief]),
    RoomRow(33, "Centipede Tunnel", 2, Monster, ORDINARY, Some(1), &[Fighter, Mage]),
    RoomRow(34, "Construction Zone", 2, Trap, ORDINARY, Some(1), &[Fighter, Thief]),
    RoomRow(35, "Dragon Hatchery", 3, Monster, ORDINARY, Some(0), &[Cleric, Fighter, Mage, Thief]),
    RoomRow(36, "Mimic Vault", 2, Trap, ORDINARY, Some(1), &[Mage, Thief]),
    RoomRow(37, "Monstrous Monument", 2, Trap, ORDINARY, Some(1), &[Cleric, Fighter]),
    RoomRow(38, "Torture Chamber", 2, Trap, ORDINARY, Some(1), &[Cleric, Thief]),
    RoomRow(39, "Zombie Prison", 2, Monster, ORDINARY, Some(1), &[Cleric, Mage]),
];

const BOTH: &[Phase] = &[Build, Adventure];

/// Number, name, copies, phases.
const SPELLS: [(u8, &str, u8, &[Phase]); 16] = [
    (40, "Annihilator", 2, &[Adventure]),
    (41, "Assassin", 3, &[Adventure]),
    (42, "Cave-In", 2, &[Adventure]),
    (43, "Counterspell", 2, BOTH),
    (44, "Exhaustion", 1, &[Adventure]),
    (45, "Fear", 2, &[Adventure]),
    (46, "Freeze", 4, BOTH),
    (47, "Giant Size", 2, &[Adventure]),
    (48, "Jeopardy", 2, BOTH),
    (49, "Kobold Strike", 1, &[Build]),
    (50, "Motivation", 2, &[Build]),
    (51, "Princess in Peril", 2, &[Build]),
    (52, "Soul Harvest", 1, BOTH),
    (53, "Teleportation", 2, &[Adventure]),
    (54, "Trepidation", 1, &[Adventure]),
    (55, "Zombie Attack", 2, &[Build]),
];

/// Number, name, icon, health, number of players from which it is used.
type HeroRow = (u8, &'static str, Option<Class>, u8, u8);

const HEROES: [HeroRow; 25] = [
    (56, "Nick the Masher", Some(Cleric), 4, 2),
    (57, "Pugi the Druidess", Some(Cleric), 4, 4),
    (58, "Acacia, Warrior of Light", Some(Cleric), 6, 2),
    (59, "Charles the Young", Some(Cleric), 6, 3),
    (60, "Delatorious, Angel of Light", Some(Cleric), 8, 2),
    (61, "Romero, the Indigo Friar", Some(Cleric), 8, 4),
    (62, "Boden the Pantless", Some(Fighter), 4, 2),
    (63, "Jarek, Squire to the Lion Knights", Some(Fighter), 4, 4),
    (64, "Fire's Breath, Heroine of Arcadia", Some(Fighter), 6, 2),
    (65, "Samurai Tom", Some(Fighter), 6, 3),
    (66, "Johnny of the Evening Watch", Some(Fighter), 8, 2),
    (67, "Crystol and A'lan of Gerd", Some(Fighter), 8, 4),
    (68, "Tieg and the Magic Bubble", Some(Mage), 4, 2),
    (69, "Brandork the Neverwrong", Some(Mage), 4, 4),
    (70, "Mitchell, the Judge", Some(Mage), 6, 2),
    (71, "Kalish Ninefingers", Some(Mage), 6, 3),
    (72, "Dartteon, Elf Pyromancer", Some(Mage), 8, 2),
    (73, "Koey, the Last Dragon Mage", Some(Mage), 8, 4),
    (74, "Joman Chimm, Cutpurse", Some(Thief), 4, 2),
    (75, "Lance Uppercut, Treasure Hunter", Some(Thief), 4, 4),
    (76, "Jesta the Rogue", Some(Thief), 6, 2),
    (77, "Kins Klauski, Mad Conquistador", Some(Thief), 6, 3),
    (78, "Sir Digby Apple, Ace Detective", Some(Thief), 8, 2),
    (79, "Jerome, Kung Fu Monkey", Some(Thief), 8, 4),
    (80, "The Fool", None, 2, 2),
];

const EPICS: [HeroRow; 16] = [
    (81, "Katelyn, Angelic Healer", Some(Cleric), 11, 2),
    (82, "Kerberos Dirtbeard, Canine Cleric", Some(Cleric), 11, 3),
    (83, "Lord Van Ette", Some(Cleric), 13, 2),
    (84, "Jejune & Everlea, Holy Sisters", Some(Cleric), 13, 4),
    (85, "Frankov, the Envoy", Some(Fighter), 11, 2),
    (86, "Nate the Squidslayer", Some(Fighter), 11, 3),
    (87, "Antonius, the Rune Knight", Some(Fighter), 13, 2),
    (88, "Asmor the Aweless", Some(Fighter), 13, 4),
    (89, "Tempros the Time Marauder", Some(Mage), 11, 2),
    (90, "Chia Kang, Mystical Warlock of Yu", Some(Mage), 11, 3),
    (91, "Terric Warhelm, Half-Elf Archmage", Some(Mage), 13, 2),
    (92, "Wayward, the Drifter", Some(Mage), 13, 4),
    (93, "Hya, Legendary Shinobi", Some(Thief), 11, 2),
    (94, "Blackbeard Jake", Some(Thief), 11, 3),
    (95, "Cecil Leoran, Master Factotum", Some(Thief), 13, 2),
    (96, "Wallbanger Basketweaver", Some(Thief), 13, 4),
];

fn base() -> Set {
    let (file, text) = SETS[0];
    load(file, text).unwrap_or_else(|errors| panic!("{errors}")).0
}

/// The box alone, compiled.
fn box_db() -> CardDb {
    CardDb::build(&[base()]).unwrap_or_else(|error| panic!("{error}"))
}

/// One card of the box as the lists above have it.
fn card(kind: Kind, number: u8, name: &str, copies: u8, fields: Fields) -> Card {
    let number = Some(format!("BMR{number:03}"));
    let provenance = Provenance::Published(Confidence::A);
    let fields = Fields { number, provenance, ..fields };
    let name = name.to_owned();
    Card { kind, name, copies, fields, rulings: Vec::new(), abilities: Vec::new(), span: Span::default() }
}

fn hero(kind: Kind, row: &HeroRow) -> Card {
    let &(number, name, class, health, players) = row;
    let icons = class.into_iter().collect();
    let (health, players) = (Some(health), Some(Players::From(players)));
    card(kind, number, name, 1, Fields { icons, health, players, ..Fields::default() })
}

fn listed() -> Vec<Card> {
    let mut all = Vec::new();
    for (number, name, xp, icon) in BOSSES {
        let fields = Fields { xp: Some(xp), icons: vec![icon], ..Fields::default() };
        all.push(card(Kind::Boss, number, name, 1, fields));
    }
    for RoomRow(number, name, copies, subtype, advanced, damage, icons) in ROOMS {
        let damage = Some(damage.map_or(Damage::Star, Damage::Fixed));
        let (icons, subtype) = (icons.to_vec(), Some(subtype));
        let fields = Fields { subtype, advanced, damage, icons, ..Fields::default() };
        all.push(card(Kind::Room, number, name, copies, fields));
    }
    for (number, name, copies, phases) in SPELLS {
        let fields = Fields { phases: phases.to_vec(), ..Fields::default() };
        all.push(card(Kind::Spell, number, name, copies, fields));
    }
    all.extend(HEROES.iter().map(|row| hero(Kind::Hero, row)));
    all.extend(EPICS.iter().map(|row| hero(Kind::Epic, row)));
    all
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

/// How many physical cards.
fn pieces<'a>(defs: impl IntoIterator<Item = &'a &'a Def>) -> usize {
    defs.into_iter().map(|def| usize::from(def.copies)).sum()
}

#[test]
fn every_card_has_the_facts_of_the_second_list() {
    let (set, listed) = (base(), listed());
    for (card, listed) in set.cards.iter().zip(&listed) {
        let bare = Card { rulings: Vec::new(), abilities: Vec::new(), ..card.clone() };
        assert_eq!(&bare, listed);
    }
    assert_eq!(set.cards.len(), listed.len());
    assert_eq!((set.code.as_str(), set.title.as_str()), ("BMR", "Master of the Dungeon"));
}

#[test]
fn compiled_cards_have_the_same_facts() {
    let (db, listed) = (box_db(), listed());
    assert_eq!(db.cards().count(), listed.len());
    for ((_, def), card) in db.cards().zip(&listed) {
        let fields = &card.fields;
        let face = &def.face;
        assert_eq!((&face.name, &face.number, face.set.as_str()), (&card.name, &fields.number, "BMR"));
        assert_eq!(def.kind, card.kind, "{}", face.name);
        assert_eq!((def.copies, def.xp), (card.copies, fields.xp.unwrap_or(0)), "{}", face.name);
        assert_eq!((def.subtype, def.advanced), (fields.subtype, fields.advanced), "{}", face.name);
        let damage = if let Some(Damage::Fixed(n)) = fields.damage { n } else { 0 };
        assert_eq!((def.damage, def.health), (damage, fields.health.unwrap_or(0)), "{}", face.name);
        let players = if let Some(Players::From(n)) = fields.players { n } else { 0 };
        assert_eq!(def.players, players, "{}", face.name);
        for class in Class::ALL {
            let icons = fields.icons.iter().filter(|icon| **icon == class).count();
            assert_eq!(usize::from(def.icons[class]), icons, "{}", face.name);
        }
        for phase in [Build, Adventure] {
            assert_eq!(def.castable_in(phase), fields.phases.contains(&phase), "{}", face.name);
        }
        let souls = match card.kind {
            Kind::Epic => 2,
            Kind::Hero => 1,
            _ => 0,
        };
        assert_eq!(def.souls(), souls, "{}", face.name);
    }
}

#[test]
fn the_box_holds_8_bosses_75_rooms_31_spells_25_heroes_and_16_epic_heroes() {
    let db = box_db();
    let counts = |kind| {
        let defs = of(&db, kind);
        (defs.len(), pieces(&defs))
    };
    assert_eq!(counts(Kind::Boss), (8, 8));
    assert_eq!(counts(Kind::Room), (31, 75));
    assert_eq!(counts(Kind::Spell), (16, 31));
    assert_eq!(counts(Kind::Hero), (25, 25));
    assert_eq!(counts(Kind::Epic), (16, 16));
    assert_eq!(db.cards().map(|(_, def)| usize::from(def.copies)).sum::<usize>(), 155);
}

#[test]
fn collector_numbers_run_from_bmr001_to_bmr096_without_gap_or_duplicate() {
    let db = box_db();
    let numbers: Vec<_> = db.cards().filter_map(|(_, def)| def.face.number.clone()).collect();
    let wanted: Vec<_> = (1..=96).map(|n| format!("BMR{n:03}")).collect();
    assert_eq!(numbers, wanted);
}

/// Icons of one type with copies counted.
fn icons(defs: &[&Def], class: Class) -> usize {
    defs.iter().map(|def| usize::from(def.icons[class]) * usize::from(def.copies)).sum()
}

#[test]
fn room_cards_without_bosses_show_27_icons_of_each_type_and_with_bosses_29() {
    let db = box_db();
    let (rooms, bosses) = (of(&db, Kind::Room), of(&db, Kind::Boss));
    for class in Classes::CORE.iter() {
        assert_eq!(icons(&rooms, class), 27, "{class}");
        assert_eq!(icons(&rooms, class) + icons(&bosses, class), 29, "{class}");
    }
    assert!(
        db.cards().all(|(_, def)| def.icons[Class::Explorer] == 0),
        "a treasure type that is not in the box"
    );
}

#[test]
fn each_class_has_15_room_cards_of_its_own_and_15_are_mixed() {
    let db = box_db();
    let mut by_class: BTreeMap<Vec<Class>, usize> = BTreeMap::new();
    for def in of(&db, Kind::Room) {
        let mut classes: Vec<_> = def.classes.iter().collect();
        if classes.len() > 1 {
            classes.clear();
        }
        *by_class.entry(classes).or_default() += usize::from(def.copies);
    }
    assert_eq!(by_class.remove(&vec![]), Some(15));
    let single: Vec<_> = by_class.into_iter().collect();
    assert_eq!(single, Classes::CORE.iter().map(|class| (vec![class], 15)).collect::<Vec<_>>());
}

#[test]
fn rooms_by_rank_and_subtype() {
    let db = box_db();
    let rooms = of(&db, Kind::Room);
    let count = |subtype, advanced| {
        let fits = |def: &&&Def| def.subtype == Some(subtype) && def.advanced == advanced;
        pieces(rooms.iter().filter(fits))
    };
    assert_eq!((count(Monster, ORDINARY), count(Trap, ORDINARY)), (30, 29));
    assert_eq!((count(Monster, ADVANCED), count(Trap, ADVANCED)), (10, 6));
    // An advanced room shows one icon, so what it can cover is never ambiguous.
    assert!(rooms.iter().all(|def| !def.advanced || def.icon_count() == 1));
}

#[test]
fn heroes_in_play_are_13_17_25_and_epic_heroes_8_12_16_for_2_3_4_players() {
    let db = box_db();
    let used = |kind| [2, 3, 4].map(|n| of(&db, kind).iter().filter(|def| def.players <= n).count());
    assert_eq!(used(Kind::Hero), [13, 17, 25]);
    assert_eq!(used(Kind::Epic), [8, 12, 16]);
}

/// Each class has the same heroes: (health, players).
#[test]
fn health_and_player_icons_are_spread_evenly_over_the_classes() {
    let db = box_db();
    let spread = |kind, class: Class| {
        let heroes = of(&db, kind).into_iter().filter(|def| def.icons[class] > 0);
        heroes.map(|def| (def.health, def.players)).collect::<Vec<_>>()
    };
    for class in Classes::CORE.iter() {
        let ordinary = [(4, 2), (4, 4), (6, 2), (6, 3), (8, 2), (8, 4)];
        assert_eq!(spread(Kind::Hero, class), ordinary, "{class}");
        assert_eq!(spread(Kind::Epic, class), [(11, 2), (11, 3), (13, 2), (13, 4)], "{class}");
    }
    let heroes = [of(&db, Kind::Hero), of(&db, Kind::Epic)].concat();
    assert!(heroes.iter().all(|def| def.icon_count() <= 1), "a hero with two icons");
    let plain: Vec<_> = heroes.iter().filter(|def| def.icon_count() == 0).collect();
    assert!(plain.iter().all(|def| def.lure.is_some()) && plain.len() == 1);
    assert_eq!(heroes.iter().filter(|def| def.lure.is_some()).count(), 1);
}

#[test]
fn xp_values_of_bosses_are_all_different() {
    let db = box_db();
    let xp: BTreeSet<u16> = of(&db, Kind::Boss).iter().map(|def| def.xp).collect();
    assert_eq!((xp.len(), xp.first(), xp.last()), (8, Some(&400), Some(&900)));
}

#[test]
fn every_boss_levels_up_and_every_spell_can_be_cast() {
    let db = box_db();
    for (_, def) in db.cards() {
        assert_eq!(def.level_up.is_some(), def.kind == Kind::Boss, "{}", def.face.name);
        assert_eq!(!def.play.is_empty(), def.kind == Kind::Spell, "{}", def.face.name);
        let idle =
            def.activated.is_empty() && def.when.is_empty() && def.instead.is_empty() && def.rules.is_empty();
        let acts = def.kind == Kind::Room && def.face.name != "Dragon Hatchery";
        assert_eq!(!idle, acts, "{}", def.face.name);
    }
}

#[test]
fn only_one_room_and_heroes_with_an_icon_have_no_text_and_no_two_cards_share_one() {
    let db = box_db();
    let mut texts: BTreeMap<String, &str> = BTreeMap::new();
    let mut silent = Vec::new();
    for (_, def) in db.cards() {
        let (name, text) = (def.face.name.as_str(), def.face.text.join("\n"));
        let hero = matches!(def.kind, Kind::Hero | Kind::Epic);
        assert!(def.face.text.iter().all(|line| !line.trim().is_empty()), "{name} has an empty line");
        match text.is_empty() {
            true if hero => assert!(def.icon_count() > 0, "{name} says nothing of itself"),
            true => silent.push(name),
            false => {
                let other = texts.insert(text, name);
                assert!(other.is_none(), "{name} and {other:?} read the same");
            }
        }
    }
    assert_eq!(silent, ["Dragon Hatchery"]);
    assert_eq!(texts.len(), 8 + 30 + 16 + 1);
}

// ---- cards are text: no Rust source names one ----

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
}

/// The name occurs in the text as whole words.
fn names(text: &str, name: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(name)
        .any(|(at, _)| apart(text[..at].chars().next_back()) && apart(text[at + name.len()..].chars().next()))
}

/// The code itself, without tests, comments, and examples between backticks.
fn acting(source: &str) -> String {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.map(|line| line.split('`').step_by(2).collect::<Vec<_>>().join(" ") + "\n").collect()
}

/// In the language and in the engine no card is named at all, not even in a comment. Programs around them may
/// show a card as an example, but never act on one.
#[test]
fn no_rust_source_names_a_card() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let set = base();
    let begins = |card: &Card| card.name.split(',').next().unwrap_or_default().to_owned();
    let wanted: Vec<String> = set.cards.iter().map(begins).collect();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates").flatten() {
        sources(&entry.path().join("src"), &mut files);
    }
    assert!(files.len() > 50, "only {} source files found", files.len());
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source file");
        let strict = ["cards", "engine"].iter().any(|name| file.starts_with(crates.join(name)));
        let text = if strict { source } else { acting(&source) };
        for name in &wanted {
            assert!(!names(&text, name), "{} names \"{name}\"", file.display());
        }
    }
}
