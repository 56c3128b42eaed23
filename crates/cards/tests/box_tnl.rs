//! The second box: what is in it, counted.

use cards::db::Def;
use cards::vocabulary::Kind;
use cards::{CardDb, library};

fn box_db() -> CardDb {
    let sets = library::sets();
    let deck = library::deck("tnl", &sets).expect("the deck comes with the program");
    deck.compile(&sets).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind && def.copies > 0).collect()
}

fn pieces(defs: &[&Def]) -> usize {
    defs.iter().map(|def| usize::from(def.copies)).sum()
}

#[test]
fn the_box_holds_12_bosses_75_rooms_31_spells_25_heroes_and_17_epic_heroes() {
    let db = box_db();
    for (kind, different, all) in [
        (Kind::Boss, 12, 12),
        (Kind::Room, 43, 75),
        (Kind::Spell, 17, 31),
        (Kind::Hero, 25, 25),
        (Kind::Epic, 17, 17),
    ] {
        let defs = of(&db, kind);
        assert_eq!((defs.len(), pieces(&defs)), (different, all), "{kind:?}");
    }
}

#[test]
fn collector_numbers_run_from_tnl001_to_tnl114_without_gap_or_duplicate() {
    let db = box_db();
    let mut numbers: Vec<&str> = db.cards().filter_map(|(_, def)| def.face.number.as_deref()).collect();
    numbers.sort_unstable();
    let expected: Vec<String> = (1..=114).map(|n| format!("TNL{n:03}")).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn room_cards_show_27_icons_of_each_type_and_each_class_has_15_of_its_own() {
    let db = box_db();
    let rooms = of(&db, Kind::Room);
    let mixed = |def: &&&Def| def.classes.iter().count() > 1;
    for class in db.classes.iter() {
        let icons = |def: &&Def| usize::from(def.icons[class]) * usize::from(def.copies);
        assert_eq!(rooms.iter().map(icons).sum::<usize>(), 27, "{class}");
        let own = rooms.iter().filter(|def| def.icons[class] > 0 && !mixed(def));
        assert_eq!(own.map(|def| usize::from(def.copies)).sum::<usize>(), 15, "{class}");
    }
    assert_eq!(rooms.iter().filter(mixed).map(|def| usize::from(def.copies)).sum::<usize>(), 15);
}

#[test]
fn heroes_in_play_are_13_17_25_and_epic_heroes_9_13_17_for_2_3_4_players() {
    let db = box_db();
    for (players, heroes, epics) in [(2, 13, 9), (3, 17, 13), (4, 25, 17)] {
        let used = |kind| of(&db, kind).into_iter().filter(|def| def.players <= players).count();
        assert_eq!((used(Kind::Hero), used(Kind::Epic)), (heroes, epics), "{players} players");
    }
}

#[test]
fn xp_values_differ_within_the_box_and_from_the_first() {
    let db = CardDb::build(&library::sets()[..2]).expect("they compile");
    let mut xp: Vec<u16> = of(&db, Kind::Boss).iter().map(|boss| boss.xp).collect();
    let bosses = xp.len();
    xp.sort_unstable();
    xp.dedup();
    assert_eq!((bosses, xp.len()), (20, 20));
}
