//! Tools of Hero-Kind against a second, handwritten list of its facts and the counts on its box.

use cards::db::Def;
use cards::tree::Subtype;
use cards::vocabulary::{Class, Kind, Phase};
use cards::{CardDb, library};

use Class::{Cleric, Fighter, Mage, Thief};
use Subtype::{Monster, Trap};

fn box_db() -> CardDb {
    let sets = library::sets();
    let own: Vec<_> = sets.into_iter().filter(|set| set.code == "THK").collect();
    CardDb::build(&own).expect("it compiles")
}

fn of(db: &CardDb, kind: Kind) -> Vec<&Def> {
    db.cards().map(|(_, def)| def).filter(|def| def.kind == kind).collect()
}

/// Name, subtype, icon; all are advanced and deal 3.
const ROOMS: [(&str, &str, Subtype, Class); 4] = [
    ("THK021", "Burial Mound", Trap, Cleric),
    ("THK022", "Orcish Smithy", Monster, Fighter),
    ("THK023", "Artificer's Workbench", Trap, Mage),
    ("THK024", "Magnetic Ceiling", Trap, Thief),
];

const ITEMS: [(&str, &str, Option<Class>); 20] = [
    ("THK001", "Extra Life", Some(Cleric)),
    ("THK002", "Holy Hand Grenade", Some(Cleric)),
    ("THK003", "Inquisitor's Robes", Some(Cleric)),
    ("THK004", "Staff of Healing", Some(Cleric)),
    ("THK005", "Goblin Suit", Some(Fighter)),
    ("THK006", "Claws of the Berserker", Some(Fighter)),
    ("THK007", "Oversized Sword", Some(Fighter)),
    ("THK008", "Vorpal Blade", Some(Fighter)),
    ("THK009", "Antimagic Lizard", Some(Mage)),
    ("THK010", "Ice Rod", Some(Mage)),
    ("THK011", "Magic Mirror", Some(Mage)),
    ("THK012", "Necronomicon", Some(Mage)),
    ("THK013", "Bag of Holding", Some(Thief)),
    ("THK014", "Cheat Code", Some(Thief)),
    ("THK015", "Ten Foot Pole", Some(Thief)),
    ("THK016", "The Bomb", Some(Thief)),
    ("THK017", "Boots of Jumping", None),
    ("THK018", "Pet Monster", None),
    ("THK019", "Star of Invulnerability", None),
    ("THK020", "Ring of Invisibility", None),
];

#[test]
fn the_box_holds_4_rooms_2_spells_and_20_items_as_listed() {
    let db = box_db();
    assert_eq!(db.cards().count(), 25);
    let rooms = of(&db, Kind::Room);
    assert_eq!(rooms.len(), ROOMS.len());
    for (def, (number, name, subtype, class)) in rooms.iter().zip(ROOMS) {
        let found = (def.face.number.as_deref(), &*def.face.name, def.subtype, def.damage, def.advanced);
        assert_eq!(found, (Some(number), name, Some(subtype), 3, true));
        assert_eq!((def.icon_count(), def.icons[class], def.copies), (1, 1, 1), "{name}");
    }
    let [spell] = of(&db, Kind::Spell)[..] else { panic!("one spell") };
    assert_eq!((&*spell.face.name, spell.copies), ("Excavation", 2));
    assert_eq!([Phase::Build, Phase::Adventure].map(|phase| spell.castable_in(phase)), [true, true]);
    let items = of(&db, Kind::Item);
    assert_eq!(items.len(), ITEMS.len());
    for (def, (number, name, class)) in items.iter().zip(ITEMS) {
        assert_eq!((def.face.number.as_deref(), &*def.face.name), (Some(number), name));
        let icons = class.map_or(0, |class| def.icons[class]);
        assert_eq!((def.icon_count(), icons, def.copies), (u8::from(class.is_some()), icons, 1), "{name}");
        assert_eq!(def.play.len(), 1, "{name}");
    }
    // Only the Ring is for one phase.
    let build: Vec<&str> =
        items.iter().filter(|def| !def.castable_in(Phase::Build)).map(|def| &*def.face.name).collect();
    assert_eq!(build, ["Ring of Invisibility"]);
    assert!(items.iter().all(|def| def.castable_in(Phase::Adventure)));
}
