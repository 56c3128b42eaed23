//! The house boxes against a second, handwritten list of their facts, the counts on the published boxes, and the promise that
//! their cards are short.

use cards::db::Def;
use cards::tree::{Provenance, Subtype};
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Explorer, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db(code: &str) -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == code).collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

fn has_icons(def: &Def, icons: &[Class]) {
    let name = &def.face.name;
    assert_eq!(usize::from(def.icon_count()), icons.len(), "{name}");
    for class in icons {
        let times = icons.iter().filter(|one| *one == class).count();
        assert_eq!(usize::from(def.icons[*class]), times, "{name}");
    }
}

/// How many different cards of each kind, and how many cards in all.
const COUNTS: &[(&str, [usize; 7], usize)] = &[
    // bosses, rooms, minibosses, spells, heroes, epic heroes, items
    ("KNG", [0, 0, 0, 0, 6, 1, 0], 7),
    ("LST", [1, 4, 0, 0, 0, 0, 0], 5),
    ("POP", [1, 10, 0, 0, 0, 0, 0], 11),
    ("IOD", [5, 0, 0, 0, 0, 0, 24], 29),
    ("VOV", [2, 26, 3, 5, 0, 0, 0], 64),
];

/// Number, name, XP, treasure.
const BOSSES: &[(&str, &str, u16, &[Class])] = &[
    ("LST001", "Glitchtooth, the Unreleased", 120, &[Fighter]),
    ("POP001", "Mobi", 510, &[Mage]),
    ("IOD001", "Ossuarius, Keeper of Kneecaps", 445, &[Cleric]),
    ("IOD002", "Anvilla, Titan of Tempers", 815, &[Fighter]),
    ("IOD003", "Glyphinx, Reader of Fine Print", 285, &[Mage]),
    ("IOD004", "Nabs Ninetails, Fox of Many Pockets", 665, &[Thief]),
    ("IOD005", "Banseer Bivan", 590, &[Explorer]),
    ("VOV001", "Count Tithe, Vampire Banker", 715, &[Cleric]),
    ("VOV002", "Madame Vitrine, Collector of Everything", 345, &[Thief]),
];

/// Number, name, copies, type, advanced, damage, treasure, portable.
#[expect(clippy::type_complexity, reason = "one row for each card")]
const ROOMS: &[(&str, &str, u8, Subtype, bool, u8, &[Class], bool)] = &[
    ("LST002", "Placeholder Ghost", 1, Monster, false, 2, &[Cleric], false),
    ("LST003", "Debug Beast", 1, Monster, true, 4, &[Fighter], false),
    ("LST004", "Unskippable Cutscene", 1, Trap, false, 2, &[Mage], false),
    ("LST005", "Unfair Jump", 1, Trap, true, 0, &[Thief], false),
    ("POP002", "Master's Hand", 1, Monster, false, 2, &[Cleric], true),
    ("POP003", "War Turtle", 1, Monster, false, 3, &[Fighter], true),
    ("POP004", "Pop-Up Mausoleum", 1, Trap, true, 3, &[Cleric], true),
    ("POP005", "Siege Tent", 1, Monster, false, 1, &[Fighter, Fighter], true),
    ("POP006", "Suitcase Laboratory", 1, Trap, false, 2, &[Mage], true),
    ("POP007", "Carpet Fortress", 1, Monster, true, 3, &[Mage], true),
    ("POP008", "Pocket Pit", 1, Trap, false, 1, &[Thief], true),
    ("POP009", "Flat-Pack Deathtrap", 1, Trap, false, 1, &[Thief, Thief], true),
    ("POP010", "Fortune Wagon", 1, Monster, false, 1, &[Cleric, Mage], true),
    ("POP011", "Caravan of Plenty", 1, Trap, false, 0, &[Cleric, Fighter, Mage, Thief], true),
    ("VOV003", "Ghoul Pawnshop", 2, Monster, false, 2, &[Cleric], false),
    ("VOV004", "Collection Plate", 2, Trap, false, 1, &[Cleric, Cleric], false),
    ("VOV005", "Second-Hand Crypt", 2, Trap, false, 2, &[Cleric], false),
    ("VOV006", "Repo Wraith Office", 2, Monster, true, 3, &[Cleric], false),
    ("VOV007", "Goblin Payroll", 2, Monster, false, 1, &[Fighter, Fighter], false),
    ("VOV008", "Toll Troll", 2, Monster, false, 2, &[Fighter], false),
    ("VOV009", "Sellsteel Barracks", 2, Monster, false, 3, &[Fighter], false),
    ("VOV010", "Crossover Colosseum", 2, Monster, true, 2, &[Fighter], false),
    ("VOV011", "Scroll Vending Machine", 2, Trap, false, 1, &[Mage, Mage], false),
    ("VOV012", "Gnomish Spell Exchange", 2, Monster, false, 2, &[Mage], false),
    ("VOV013", "Rune Licensing Bureau", 2, Trap, false, 2, &[Mage], false),
    ("VOV014", "Firewall Golem", 2, Monster, true, 3, &[Mage], false),
    ("VOV015", "Coin-Op Crusher", 2, Trap, false, 1, &[Thief], false),
    ("VOV016", "Getaway Tunnel", 2, Trap, false, 1, &[Thief, Thief], false),
    ("VOV017", "Crane Game", 2, Trap, false, 1, &[Thief], false),
    ("VOV018", "Hall of Grabby Hands", 2, Trap, true, 3, &[Thief], false),
    ("VOV019", "Relic Elevator", 2, Trap, false, 1, &[Explorer], false),
    ("VOV020", "Legged Strongroom", 2, Monster, false, 1, &[Explorer], false),
    ("VOV021", "Strata Shaft", 1, Trap, true, 2, &[Explorer], false),
    ("VOV022", "Cartographer Crab", 1, Monster, true, 3, &[Explorer], false),
    ("VOV023", "Fence's Catacomb", 2, Trap, false, 1, &[Cleric, Thief], false),
    ("VOV024", "Battlemage Bunkhouse", 2, Monster, false, 1, &[Fighter, Mage], false),
    ("VOV025", "Seance Hotline", 2, Monster, false, 1, &[Cleric, Mage], false),
    ("VOV026", "Blasting Quarry", 2, Trap, false, 1, &[Fighter, Thief], false),
    ("VOV027", "Rental Hoard", 2, Trap, false, 0, &[Cleric, Fighter, Mage, Thief], false),
    ("VOV028", "Rogues' Registry", 2, Monster, true, 1, &[Cleric, Fighter, Mage, Thief, Explorer], false),
];

/// Number, name, health, treasure; all are star heroes.
const HEROES: &[(&str, &str, u8, &[Class])] = &[
    ("KNG001", "Brother Absolvo, Crown Confessor", 6, &[Cleric]),
    ("KNG002", "Dame Halbertine, Throne Toppler", 6, &[Fighter]),
    ("KNG003", "Vex Vellum, Royal Unwriter", 6, &[Mage]),
    ("KNG004", "Tiptoe Marguerite, Coronet Cutter", 6, &[Thief]),
    ("KNG005", "The Pretender", 3, &[]),
    ("KNG006", "Rowan and Rue, Rebel Twins", 8, &[Cleric, Fighter]),
    ("KNG007", "The Crownbreaker", 12, &[]),
];

/// Number, name, treasure; in the Build phase, in the Adventure phase.
const ITEMS: &[(&str, &str, &[Class], [bool; 2])] = &[
    ("IOD006", "Halo-in-a-Can", &[Cleric], [true, true]),
    ("IOD007", "Guilt-Trip Hymnal", &[Cleric], [true, true]),
    ("IOD008", "Pocket Confessional", &[Cleric], [true, true]),
    ("IOD009", "Miracle Lunchbox", &[Cleric], [true, true]),
    ("IOD010", "Cardboard Greatshield", &[Fighter], [true, true]),
    ("IOD011", "Second-Wind Gauntlets", &[Fighter], [true, true]),
    ("IOD012", "Dread Whistle", &[Fighter], [true, true]),
    ("IOD013", "Cart-Sized Mallet", &[Fighter], [true, true]),
    ("IOD014", "Wand of Muting", &[Mage], [true, true]),
    ("IOD015", "Grimoire, Deluxe Edition", &[Mage], [true, true]),
    ("IOD016", "Orb of Lag", &[Mage], [true, true]),
    ("IOD017", "Copy-Paste Scroll", &[Mage], [true, true]),
    ("IOD018", "Skeleton Keyring", &[Thief], [true, true]),
    ("IOD019", "Weighted Sandbag", &[Thief], [true, true]),
    ("IOD020", "Umbrella of Plot Armor", &[Thief], [true, true]),
    ("IOD021", "Bundle of IOUs", &[Thief], [true, true]),
    ("IOD022", "Unfoldable Map", &[Explorer], [true, true]),
    ("IOD023", "Drill Helmet", &[Explorer], [true, true]),
    ("IOD024", "Jetpack Prototype", &[Explorer], [false, true]),
    ("IOD025", "Homing Beacon", &[Explorer], [true, true]),
    ("IOD026", "Checkpoint Flag", &[], [false, true]),
    ("IOD027", "Rental Armor", &[], [false, true]),
    ("IOD028", "Participation Trophy", &[], [true, true]),
    ("IOD029", "Friendship Bracelet", &[], [false, true]),
];

/// Number, name, copies; in the Build phase, in the Adventure phase.
const SPELLS: &[(&str, &str, u8, [bool; 2])] = &[
    ("VOV032", "Crossover Event", 2, [true, false]),
    ("VOV033", "Pink Slip!", 2, [true, true]),
    ("VOV034", "Garage Sale", 2, [true, false]),
    ("VOV035", "Continue?", 2, [false, true]),
    ("VOV036", "Hero Auction", 1, [true, false]),
];

const MINIBOSSES: &[(&str, &str)] =
    &[("VOV029", "Penny Pincher"), ("VOV030", "Captain Clip"), ("VOV031", "Tubblub")];

/// All cards of a kind in the boxes, in their order.
fn each_of(kinds: &[Kind]) -> Vec<Def> {
    let all = |(code, ..): &(&str, [usize; 7], usize)| {
        let db = box_db(code);
        kinds
            .iter()
            .flat_map(|kind| of(&db, *kind).into_iter().cloned().collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    COUNTS.iter().flat_map(all).collect()
}

fn is_called(def: &Def, number: &str, name: &str) {
    assert_eq!((def.face.number.as_deref(), &*def.face.name), (Some(number), name));
}

#[test]
fn each_box_has_as_many_cards_as_the_published_one_and_all_are_marked_house() {
    let kinds = [Kind::Boss, Kind::Room, Kind::Miniboss, Kind::Spell, Kind::Hero, Kind::Epic, Kind::Item];
    for (code, counts, cards) in COUNTS {
        let db = box_db(code);
        assert_eq!(kinds.map(|kind| of(&db, kind).len()), *counts, "{code}");
        assert_eq!(db.cards().map(|(_, def)| usize::from(def.copies)).sum::<usize>(), *cards, "{code}");
        assert!(db.cards().all(|(_, def)| def.face.provenance == Provenance::House), "{code}");
    }
}

#[test]
fn bosses_and_heroes_are_as_listed() {
    let bosses = each_of(&[Kind::Boss]);
    assert_eq!(bosses.len(), BOSSES.len());
    for (def, (number, name, xp, icons)) in bosses.iter().zip(BOSSES) {
        is_called(def, number, name);
        assert_eq!((def.xp, def.copies), (*xp, 1), "{name}");
        has_icons(def, icons);
    }
    let heroes = each_of(&[Kind::Hero, Kind::Epic]);
    assert_eq!(heroes.len(), HEROES.len());
    for (def, (number, name, health, icons)) in heroes.iter().zip(HEROES) {
        is_called(def, number, name);
        assert_eq!((def.health, def.players, def.copies), (*health, 0, 1), "{name}");
        assert_eq!(def.lure.is_some(), icons.is_empty(), "{name}");
        has_icons(def, icons);
    }
}

#[test]
fn rooms_are_as_listed() {
    let rooms = each_of(&[Kind::Room]);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (number, name, copies, subtype, advanced, damage, icons, portable)) in rooms.iter().zip(ROOMS) {
        is_called(def, number, name);
        let found = (def.copies, def.subtype, def.advanced, def.damage, def.portable);
        assert_eq!(found, (*copies, Some(*subtype), *advanced, *damage, *portable), "{name}");
        has_icons(def, icons);
    }
}

#[test]
fn items_are_as_listed() {
    let items = each_of(&[Kind::Item]);
    assert_eq!(items.len(), ITEMS.len());
    for (def, (number, name, icons, phases)) in items.iter().zip(ITEMS) {
        is_called(def, number, name);
        assert_eq!([Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase)), *phases, "{name}");
        has_icons(def, icons);
    }
}

#[test]
fn spells_and_minibosses_are_as_listed() {
    let spells = each_of(&[Kind::Spell]);
    assert_eq!(spells.len(), SPELLS.len());
    for (def, (number, name, copies, phases)) in spells.iter().zip(SPELLS) {
        is_called(def, number, name);
        assert_eq!(def.copies, *copies, "{name}");
        assert_eq!([Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase)), *phases, "{name}");
    }
    let minibosses = each_of(&[Kind::Miniboss]);
    assert_eq!(minibosses.len(), MINIBOSSES.len());
    for (def, (number, name)) in minibosses.iter().zip(MINIBOSSES) {
        is_called(def, number, name);
        assert_eq!((def.copies, def.levels.len()), (1, 3), "{name}");
    }
}

/// At most 35 words; of an item for each of its halves, of a miniboss for each of its levels.
#[test]
fn every_card_is_short() {
    for (code, ..) in COUNTS {
        for (_, def) in box_db(code).cards() {
            let words = |text: &str| text.split_whitespace().count();
            let lines = def.face.text.iter();
            let longest = match def.kind {
                Kind::Item | Kind::Miniboss => lines.map(|line| words(line)).max().unwrap_or(0),
                _ => lines.map(|line| words(line)).sum(),
            };
            assert!(longest <= 35, "{}: {longest} words", def.face.name);
        }
    }
}
