//! Rules about the cards of a game, which scenarios cannot show because they bring their own decks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cards::db::Def;
use cards::tree::Set;
use cards::vocabulary::{Class, Kind};
use cards::{CardDb, Deck, library};
use engine::setup::{Offer, contents};
use engine::{Game, Place, Rules, Ruleset, SetupError, Variant};

static SETS: LazyLock<Vec<Set>> = LazyLock::new(library::sets);

fn cards_of(deck: &Deck) -> CardDb {
    deck.compile(&SETS).unwrap_or_else(|error| panic!("{error}"))
}

fn deck(name: &str) -> CardDb {
    cards_of(&library::deck(name, &SETS).unwrap_or_else(|| panic!("no deck {name}")))
}

fn own(text: &str) -> CardDb {
    cards_of(&Deck::read("own", "own.deck", text, &SETS).unwrap_or_else(|errors| panic!("{errors}")))
}

fn count(db: &CardDb, rules: Rules, kind: Kind) -> usize {
    contents(db, &rules).filter(|id| db.def(*id).kind == kind).count()
}

fn refused(db: &CardDb, rules: Rules) -> Option<SetupError> {
    Game::new(db, rules, [1; 32], &mut ()).err()
}

fn unlimited(players: u8) -> Rules {
    Rules::classic(players).with(Variant::UnlimitedLives)
}

#[test]
fn rule_3_1_two_to_six_players_and_all_bosses_rooms_and_spells_of_the_deck() {
    let db = deck("bmr");
    for players in [0, 1, 7, 255] {
        assert_eq!(refused(&db, unlimited(players)), Some(SetupError::Players(players)));
    }
    for players in 2..=4 {
        let rules = Rules::classic(players);
        assert_eq!(count(&db, rules, Kind::Boss), 8);
        assert_eq!(count(&db, rules, Kind::Room), 75);
        assert_eq!(count(&db, rules, Kind::Spell), 31);
        let game = Game::new(&db, rules, [1; 32], &mut ()).unwrap();
        assert_eq!(game.state.pile_len(Place::BOX), 8 - usize::from(players));
    }
    let db = deck("mash-up");
    for players in 2..=6 {
        assert_eq!(count(&db, unlimited(players), Kind::Boss), 20);
        assert_eq!(count(&db, unlimited(players), Kind::Room), 150);
        assert_eq!(count(&db, unlimited(players), Kind::Spell), 62);
    }
}

#[test]
fn rule_3_2_the_heroes_depend_on_the_number_of_players() {
    for (name, epics) in [("bmr", [8, 12, 16]), ("tnl", [9, 13, 17]), ("mash-up", [8, 12, 16])] {
        let db = deck(name);
        for ((players, ordinary), epic) in [(2, 13), (3, 17), (4, 25)].into_iter().zip(epics) {
            let rules = Rules::classic(players);
            assert_eq!(count(&db, rules, Kind::Hero), ordinary, "{name}");
            assert_eq!(count(&db, rules, Kind::Epic), epic, "{name}");
        }
    }
}

#[test]
fn rule_13_5_items_and_explorer_are_there_with_their_cards() {
    let items = |name: &str| deck_items(&deck(name));
    assert_eq!([items("bmr"), items("bmr-thk"), items("bmr-crl"), items("combo-crl-thk")], [0, 20, 0, 20]);
    let explorer = |name: &str| deck(name).classes.has(Class::Explorer);
    assert_eq!(["bmr-thk", "bmr-crl", "bmr-crl-thk"].map(explorer), [false, true, true]);
}

fn deck_items(db: &CardDb) -> usize {
    let game = Game::new(db, Rules::classic(2), [1; 32], &mut ()).unwrap();
    // Before the first question no turn has begun.
    game.state.pile_len(Place::ITEM_DECK)
}

#[test]
fn rule_13_6_star_heroes_take_the_places_of_heroes_like_them() {
    let (db, rules) = (deck("bmr-promo"), Rules::classic(4));
    assert_eq!(count(&db, rules, Kind::Epic), 16 + 4);
    let swapped = rules.with(Variant::Stars);
    let names =
        |rules: Rules| -> Vec<String> { contents(&db, &rules).map(|id| db.name(id).to_owned()).collect() };
    let (all, left) = (names(rules), names(swapped));
    let gone: Vec<&Def> = db
        .cards()
        .map(|(_, def)| def)
        .filter(|def| {
            let of = |names: &[String]| names.iter().filter(|name| **name == def.face.name).count();
            of(&all) > of(&left)
        })
        .collect();
    // The two hybrids with 13 health replace heroes of one of their classes; Demigod and Pixel
    // Lincoln, who have no class, are like nobody and join.
    assert_eq!(left.len(), all.len() - 2);
    assert_eq!(gone.len(), 2);
    for (def, classes) in gone.iter().zip([[0, 1], [2, 3]]) {
        assert_eq!((def.kind, def.health), (Kind::Epic, 13));
        assert!(classes.iter().any(|class| def.icons.0[*class] == 1), "{}", def.face.name);
    }
    assert!(left.iter().any(|name| name == "Trap Master") && left.iter().any(|name| name == "Demigod"));
    // The second box has a star hero of its own, which is not a guest.
    let (tnl, stars) = (deck("tnl"), Rules::classic(4).with(Variant::Stars));
    assert_eq!(count(&tnl, stars, Kind::Epic), 17);
    assert_eq!(count(&deck("tnl-promo"), stars, Kind::Epic), 17 + 2);
    assert!(Game::new(&db, swapped, [1; 32], &mut ()).is_ok());
}

/// What five and six players get beyond the heroes of four: name, class, health.
fn more_heroes(db: &CardDb, rules: Rules) -> Vec<&Def> {
    let four = Rules::classic(4);
    let mut left: BTreeMap<usize, usize> = BTreeMap::new();
    contents(db, &four).for_each(|id| *left.entry(id.index()).or_default() += 1);
    let mut more = Vec::new();
    for id in contents(db, &rules) {
        match left.get_mut(&id.index()).filter(|n| **n > 0) {
            Some(n) => *n -= 1,
            None => more.push(db.def(id)),
        }
    }
    more
}

#[test]
fn rule_3_2_five_and_six_players_get_more_heroes_from_the_set_whose_heroes_are_left_out() {
    for (name, from) in [("mash-up", "TNL"), ("official-combo", "BMR"), ("e-rated-combo", "TNL")] {
        let db = deck(name);
        for (players, epics) in [(5, 1), (6, 2)] {
            let more = more_heroes(&db, unlimited(players));
            assert_eq!(more.len(), 4 + 4 * epics, "{name}");
            assert!(more.iter().all(|def| def.face.set == from), "{name}");
            for class in cards::vocabulary::Classes::CORE.iter() {
                let of = |kind, health| {
                    let fits = |def: &&&Def| def.kind == kind && def.health == health;
                    more.iter().filter(fits).filter(|def| def.icons[class] == 1).count()
                };
                assert_eq!((of(Kind::Hero, 4), of(Kind::Epic, 11)), (1, epics), "{name} {class}");
            }
            let names: std::collections::BTreeSet<&str> =
                more.iter().map(|def| def.face.name.as_str()).collect();
            assert_eq!(names.len(), more.len(), "{name}: one hero twice");
        }
    }
}

/// With every hero of both boxes in the deck there is none left to add: some come twice.
#[test]
fn rule_3_2_when_no_hero_is_left_one_of_the_deck_is_added_again() {
    let db = own("deck All\nset BMR TNL\n");
    let more = more_heroes(&db, unlimited(5));
    assert_eq!(more.len(), 8);
    assert!(more.iter().all(|def| def.face.set == "BMR" && def.copies == 1));
    Game::new(&db, unlimited(6), [1; 32], &mut ()).unwrap();
}

/// Seven ordinary and five epic heroes, beside all heroes of the other box; fewer players do without.
#[test]
fn rule_3_2_the_heroes_of_crash_landing_come_with_the_fifth_player() {
    for (name, epics) in [("bmr-crl", [8, 12, 16, 21, 21]), ("combo-crl", [9, 13, 17, 22, 22])] {
        let db = deck(name);
        for ((players, heroes), epics) in (2..).zip([13, 17, 25, 32, 32]).zip(epics) {
            let ruleset = if players > 4 { Ruleset::Crash } else { Ruleset::Classic };
            let rules = Rules::new(ruleset, players);
            assert_eq!(count(&db, rules, Kind::Hero), heroes, "{name}, {players}");
            assert_eq!(count(&db, rules, Kind::Epic), epics, "{name}, {players}");
            assert_eq!(refused(&db, rules), None, "{name}, {players}");
        }
    }
}

#[test]
fn rule_12_6_crash_is_for_five_and_six_and_needs_its_cards() {
    let crash = |players| Rules::new(Ruleset::Crash, players);
    for players in [2, 4] {
        let error = refused(&deck("bmr-crl"), crash(players)).map(|error| error.to_string());
        assert_eq!(error, Some(format!("the ruleset `crash` is for 5 to 6 players, not {players}")));
    }
    let error = refused(&deck("mash-up"), crash(5)).map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("cards of the set CRL"), "{error}");
    let tables = engine::setup::Tables::of(&deck("bmr-crl"));
    let offered = |offer: &Offer| (offer.rules.players, offer.heroes, offer.epics);
    let offers: Vec<_> = tables.offers.iter().map(offered).collect();
    assert_eq!(offers, [(2, 13, 8), (3, 17, 12), (4, 25, 16), (5, 32, 21), (6, 32, 21)]);
    assert_eq!(tables.offers[4].terms().as_deref(), Some("by the ruleset crash"));
    assert_eq!(tables.offers[0].terms(), None);
    let lives = engine::setup::Tables::of(&deck("mash-up")).offers[3].terms();
    assert_eq!(lives.as_deref(), Some("with unlimited-lives"));
    let board = engine::setup::offers(&deck("sbm-crl"));
    let six = board.into_iter().find(|(ruleset, players, _)| (*ruleset, *players) == (Ruleset::Super, 6));
    let terms = six.and_then(|(.., offer)| offer.ok()).and_then(|offer| offer.terms());
    assert_eq!(terms.as_deref(), Some("by the ruleset super"));
}

#[test]
fn rule_12_2_hard_mode_leaves_out_ordinary_heroes_with_four_health() {
    for (name, rules, heroes) in
        [("bmr", Rules::classic(4), 17), ("tnl", Rules::classic(4), 17), ("mash-up", unlimited(6), 17)]
    {
        let (db, rules) = (deck(name), rules.with(Variant::Hard));
        let found: Vec<_> =
            contents(&db, &rules).map(|id| db.def(id)).filter(|def| def.kind == Kind::Hero).collect();
        assert_eq!(found.len(), heroes);
        assert!(found.iter().all(|def| def.health != 4));
    }
}

#[test]
fn rule_12_7_five_and_six_players_need_unlimited_lives_and_the_rooms_of_two_base_games() {
    for players in [5, 6] {
        for name in ["bmr-thk", "bmr-promo", "rmb-vov", "tnl-dbm"] {
            let one = Some(SetupError::OneSet(players));
            assert_eq!(refused(&deck(name), unlimited(players)), one, "{name}");
        }
        assert_eq!(refused(&deck("mash-up"), Rules::classic(players)), Some(SetupError::NeedsLives(players)));
        assert_eq!(refused(&deck("bmr"), unlimited(players)), Some(SetupError::OneSet(players)));
        assert_eq!(
            refused(&own("deck Own\nset BMR\nheroes TNL\n"), unlimited(players)),
            Some(SetupError::OneSet(players))
        );
        for name in ["mash-up", "official-combo", "e-rated-combo"] {
            assert_eq!(refused(&deck(name), unlimited(players)), None, "{name}");
        }
    }
    let all = Variant::ALL.into_iter().fold(Rules::classic(6), Rules::with);
    assert_eq!(refused(&deck("mash-up"), all), None);
    // Twelve bosses for six to choose from: just enough.
    assert_eq!(refused(&deck("e-rated-combo"), all), None);
}

#[test]
fn rule_13_4_what_cannot_be_played_is_refused() {
    let two = Rules::classic(2);
    let lonely = own("deck Own\nrooms BMR\nheroes BMR\nRobobo\n");
    assert_eq!(refused(&lonely, two), Some(SetupError::Bosses { players: 2, needed: 2, there: 1 }));
    let choice = two.with(Variant::ChooseBoss);
    let four = own("deck Own\nset BMR\nRobobo x0\nGorgona x0\nSeducia x0\nXyzax x0\nDraculord x0\n");
    assert_eq!(refused(&four, choice), Some(SetupError::Bosses { players: 2, needed: 4, there: 3 }));
    assert_eq!(refused(&four, two), None);
    let steep = own("deck Own\nbosses BMR\nheroes BMR\nDracolich Lair x9\n");
    assert_eq!(refused(&steep, two), Some(SetupError::NoOrdinaryRoom));
    assert_eq!(refused(&own("deck Own\nbosses BMR\nrooms BMR\n"), two), Some(SetupError::NoHero));
    let easy = own("deck Own\nbosses BMR\nrooms BMR\nTNL073\nTNL079\n");
    assert_eq!(refused(&easy, two), None);
    assert_eq!(refused(&easy, two.with(Variant::Hard)), Some(SetupError::NoHero));
    let many = ["Dark Altar", "Open Grave", "Freeze", "Fear", "Golem Factory", "Dark Laboratory"];
    let more = ["Specter's Sanctum", "Succubus Spa", "Goblin Armory", "Bottomless Pit", "Witch's Kitchen"];
    let huge: String = many.iter().chain(&more).map(|card| format!("{card} x99\n")).collect();
    let huge = own(&format!("deck Own\nset BMR\n{huge}"));
    // 103 other cards of the box, and eleven 99 times each.
    assert_eq!(refused(&huge, two), Some(SetupError::TooManyCards(1192)));
}
