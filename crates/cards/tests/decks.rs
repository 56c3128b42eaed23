//! Decks: the lists of the guide against its own totals, what a deck file can say, and what is wrong with one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cards::deck::{Advice, Balance, DeckId, MAX_BYTES};
use cards::tree::{Card, Set};
use cards::vocabulary::{Class, Classes, Kind};
use cards::{CardDb, Deck, library};

static SETS: LazyLock<Vec<Set>> = LazyLock::new(library::sets);

fn preset(name: &str) -> Deck {
    library::deck(name, &SETS).unwrap_or_else(|| panic!("there is no deck {name}"))
}

fn own(text: &str) -> Deck {
    Deck::read("own", "own.deck", text, &SETS).unwrap_or_else(|errors| panic!("{errors}"))
}

/// All problems, as they are shown.
fn wrong(text: &str) -> String {
    Deck::read("own", "own.deck", text, &SETS).expect_err("it was read").to_string()
}

fn count(deck: &Deck, kind: Kind) -> usize {
    deck.cards(&SETS).filter(|(_, card, _)| card.kind == kind).map(|(.., n)| usize::from(n)).sum()
}

fn copies(deck: &Deck, name: &str) -> u8 {
    deck.cards(&SETS).find(|(_, card, _)| card.name == name).map_or(0, |(.., n)| n)
}

/// Cards by kind and set.
fn by_set(deck: &Deck, kind: Kind) -> BTreeMap<&'static str, usize> {
    let mut sets = BTreeMap::new();
    for (set, card, n) in deck.cards(&SETS) {
        if card.kind == kind {
            *sets.entry(set.code.as_str()).or_default() += usize::from(n);
        }
    }
    sets
}

/// Rooms of each class alone, then those of several, as the guide groups them.
fn rooms(deck: &Deck) -> [usize; 5] {
    let mut groups = [0; 5];
    for (_, card, n) in deck.cards(&SETS).filter(|(_, card, _)| card.kind == Kind::Room) {
        let icons = &card.fields.icons;
        let group = if icons.iter().all(|icon| *icon == icons[0]) { icons[0] as usize } else { 4 };
        groups[group] += usize::from(n);
    }
    groups
}

fn kinds(deck: &Deck) -> [usize; 5] {
    [Kind::Boss, Kind::Room, Kind::Spell, Kind::Hero, Kind::Epic].map(|kind| count(deck, kind))
}

// ---- decks that come with the program ----

#[test]
fn rule_13_2_the_boxes_with_their_expansions() {
    let items = |name: &str| count(&preset(name), Kind::Item);
    for name in ["bmr-thk", "tnl-thk", "bmr-crl-thk", "tnl-crl-thk", "combo-crl-thk"] {
        assert_eq!(items(name), 20, "{name}");
    }
    assert_eq!(kinds(&preset("bmr-crl-thk")), [11, 102, 40, 32, 21]);
    assert_eq!(kinds(&preset("combo-crl-thk")), [23, 102, 44, 32, 22]);
    assert_eq!(items("bmr"), 0);
}

/// Explorer cards of other boxes need explorers: without Crash Landing they stay in the box, unless a deck names them.
#[test]
fn rule_13_5_explorer_cards_come_with_crash_landing() {
    let explores = |card: &Card| card.fields.icons.contains(&Class::Explorer) && card.kind != Kind::Item;
    for name in ["bmr-iod", "tnl-iod", "bmr-vov", "tnl-vov", "rmb-vov", "sbm-vov"] {
        assert!(preset(name).cards(&SETS).all(|(_, card, _)| !explores(card)), "{name}");
        assert!(!preset(name).compile(&SETS).unwrap().classes.has(Class::Explorer), "{name}");
    }
    let vault = |text: &str| copies(&own(text), "Strata Shaft");
    assert_eq!(vault("deck A\nset BMR CRL VOV\n"), 1);
    assert_eq!(vault("deck A\nset BMR VOV\nrooms CRL\n"), 1);
    assert_eq!(vault("deck A\nset BMR VOV\nAlien Ooze\n"), 1);
    assert_eq!(vault("deck A\nset BMR VOV\nAlien Ooze x0\n"), 0);
    assert_eq!(vault("deck A\nset BMR VOV\nStrata Shaft x1\n"), 1);
    let bivan = |text: &str| copies(&own(text), "Banseer Bivan");
    assert_eq!([bivan("deck A\nset BMR IOD\n"), bivan("deck A\nset BMR IOD CRL\n")], [0, 1]);
    // Coins and minibosses for any base game.
    for name in ["bmr-vov", "tnl-vov", "rmb-vov", "bmr-crl-vov", "sbm-vov"] {
        let db = preset(name).compile(&SETS).unwrap();
        assert!(db.coins && db.minibosses, "{name}");
        assert_eq!(db.mixes_coins, name != "rmb-vov", "{name}");
    }
}

#[test]
fn rule_13_1_each_box_alone_and_both_together() {
    assert_eq!(kinds(&preset("bmr")), [8, 75, 31, 25, 16]);
    assert_eq!(kinds(&preset("tnl")), [12, 75, 31, 25, 17]);
    // The heroes of one box only (rule 3.1).
    assert_eq!(kinds(&preset("mash-up")), [20, 150, 62, 25, 16]);
    assert_eq!(kinds(&preset("bmr-crl")), [11, 98, 38, 32, 21]);
    assert_eq!(kinds(&preset("bmr-dbm")), [11, 83, 33, 25, 17]);
    assert_eq!(kinds(&preset("sbm")), [12, 75, 32, 25, 17]);
    assert_eq!(kinds(&preset("sbm-solo")), [12, 75, 17, 20, 12]);
    assert_eq!(kinds(&preset("sbm-crl")), [15, 98, 39, 32, 22]);
    assert_eq!(kinds(&preset("bmr-promo")), [16, 79, 33, 25, 20]);
    assert_eq!(kinds(&preset("tnl-promo"))[0], 20);
    assert_eq!(kinds(&preset("bmr-thk")), [8, 79, 33, 25, 16]);
    assert_eq!(kinds(&preset("bmr-kng")), [8, 75, 31, 31, 17]);
    assert_eq!(kinds(&preset("tnl-kng")), [12, 75, 31, 31, 18]);
    assert_eq!(kinds(&preset("bmr-lst")), [9, 79, 31, 25, 16]);
    assert_eq!(kinds(&preset("bmr-pop")), [9, 85, 31, 25, 16]);
    assert_eq!(kinds(&preset("tnl-pop")), [13, 85, 31, 25, 17]);
    // Without the explorer boss; the items are all there (rule 8.3).
    assert_eq!(kinds(&preset("bmr-iod")), [12, 75, 31, 25, 16]);
    assert_eq!(kinds(&preset("bmr-crl-iod")), [16, 98, 38, 32, 21]);
    assert_eq!(kinds(&preset("bmr-vov")), [10, 117, 40, 25, 16]);
    assert_eq!(kinds(&preset("bmr-crl-vov")), [13, 148, 47, 32, 21]);
    assert_eq!(kinds(&preset("tnl-crl")), [15, 98, 38, 32, 22]);
    assert_eq!(kinds(&preset("combo-crl")), [23, 98, 42, 32, 22]);
    for (name, _) in library::DECKS {
        let deck = preset(name);
        assert_eq!((deck.id.to_string(), deck.id.is_preset()), (name.to_string(), true));
        assert!(!deck.title.is_empty() && !deck.notes.is_empty(), "{name}");
    }
    assert!(library::deck("nonsense", &SETS).is_none());
}

/// The totals stand over the guide's lists: 20 bosses, 42 heroes, five times 15 rooms, 35 spells.
#[test]
fn rule_13_1_the_official_combo_has_the_totals_of_the_guide() {
    let deck = preset("official-combo");
    assert_eq!(rooms(&deck), [15; 5]);
    assert_eq!(kinds(&deck), [20, 75, 35, 25, 17]);
    assert_eq!(by_set(&deck, Kind::Boss), BTreeMap::from([("BMR", 8), ("TNL", 12)]));
    assert_eq!(by_set(&deck, Kind::Hero), BTreeMap::from([("TNL", 25)]));
    assert_eq!(by_set(&deck, Kind::Room), BTreeMap::from([("BMR", 26), ("TNL", 49)]));
    assert_eq!(by_set(&deck, Kind::Spell), BTreeMap::from([("BMR", 15), ("TNL", 20)]));
}

/// 12 bosses, 41 heroes, five times 15 rooms, 23 spells: one spell is listed twice and counted once.
#[test]
fn rule_13_1_the_e_rated_combo_has_the_totals_of_the_guide() {
    let deck = preset("e-rated-combo");
    assert_eq!(rooms(&deck), [15; 5]);
    assert_eq!(kinds(&deck), [12, 75, 23, 25, 16]);
    assert_eq!(by_set(&deck, Kind::Boss), BTreeMap::from([("BMR", 5), ("TNL", 7)]));
    assert_eq!(by_set(&deck, Kind::Hero), BTreeMap::from([("BMR", 25)]));
    assert_eq!(copies(&deck, "Giant Size"), 2);
}

/// No list asks for more copies than the box holds.
#[test]
fn decks_that_come_with_the_program_can_be_laid_out_from_one_of_each_box() {
    for (name, _) in library::DECKS {
        for (_, card, n) in preset(name).cards(&SETS) {
            assert!(n <= card.copies, "{name}: {n} {}", card.name);
        }
    }
}

// ---- what is picked ----

/// Other sets change nothing: the same cards, numbers and hash as the box compiled alone.
#[test]
fn the_deck_of_a_box_is_the_box() {
    let picked = preset("bmr").pick(&SETS);
    assert_eq!(picked, SETS[..1]);
    let (base, alone) =
        (library::base(), CardDb::build(&SETS[..1]).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!((base.hash, base.defs.len()), (alone.hash, alone.defs.len()));
}

#[test]
fn heroes_left_out_stay_without_a_copy_where_the_set_lends_rooms() {
    let picked = preset("mash-up").pick(&SETS);
    let heroes = |set: &Set| -> Vec<Card> {
        set.cards.iter().filter(|card| matches!(card.kind, Kind::Hero | Kind::Epic)).cloned().collect()
    };
    assert_eq!((heroes(&picked[0]).len(), heroes(&picked[1]).len()), (41, 42));
    assert!(heroes(&picked[0]).iter().all(|card| card.copies == 1));
    assert!(heroes(&picked[1]).iter().all(|card| card.copies == 0));
    let picked = own("deck Guests\nset BMR\nKazanna\n").pick(&SETS);
    assert_eq!(picked[1].cards.len(), 1);
}

// ---- what a deck file says ----

#[test]
fn lines_add_change_and_remove_cards_whatever_their_order() {
    let before = own("deck A\nDark Altar x7\nFreeze x0\nArcane Crypt\nset BMR\n");
    let after = own(
        "# A comment.\n\ndeck  A  # the title\nnote one\nnote two # three\n set BMR\n  dark altar   x7\nBMR045 x0\nTNL016 x1\n",
    );
    for deck in [&before, &after] {
        assert_eq!(copies(deck, "Dark Altar"), 7);
        assert_eq!(copies(deck, "Arcane Crypt"), 1);
        assert_eq!(copies(deck, "Open Grave"), 2);
    }
    assert_eq!((copies(&before, "Freeze"), after.title.as_str()), (0, "A"));
    assert_eq!(after.notes, ["one", "two"]);
}

#[test]
fn parts_of_sets() {
    let deck = own("deck Parts\nbosses BMR TNL\nrooms BMR\nspells TNL\nheroes TNL\n");
    assert_eq!(kinds(&deck), [20, 75, 31, 25, 17]);
    assert_eq!(by_set(&deck, Kind::Room), BTreeMap::from([("BMR", 75)]));
    assert_eq!(kinds(&own("deck Nothing\n")), [0; 5]);
}

#[test]
fn the_beginning_of_a_name_or_the_number_is_enough() {
    let deck = own(
        "deck Names\nDraculord\nbmr004\nTorix Uz’kali\nTHE SMASHINATOR x2\nDr. Timebender, Mad Alchemist\n",
    );
    assert_eq!(kinds(&deck), [4, 2, 0, 0, 0]);
}

/// Equal cards are equal decks, whatever else the files say.
#[test]
fn a_deck_is_named_by_its_content() {
    let id = |name: &str, text: &str| {
        Deck::read(name, "own.deck", text, &SETS).unwrap_or_else(|errors| panic!("{errors}")).id
    };
    let one = id("Ann's  Deck!", "deck One\nset BMR\n");
    assert!(one.to_string().starts_with("ann-s-deck@") && !one.is_preset(), "{one}");
    assert_eq!(one.to_string().parse::<DeckId>(), Ok(one.clone()));
    assert_eq!(one, id("ann s deck", "deck Another\nnote Other words.\nset BMR\nDark Altar x3\n"));
    assert_ne!(one, id("ann s deck", "deck One\nset BMR\nDark Altar x2\n"));
    assert!(id("···", "deck One\n").to_string().starts_with("deck@"));
}

// ---- what is wrong with one ----

#[test]
fn problems_have_place_reason_and_help() {
    for (text, parts) in [
        ("", &["no title", "own.deck:1:1", "begin the file with `deck`"][..]),
        ("set BMR\n", &["no title", "own.deck:1:1"]),
        ("deck A\ndeck B\n", &["a second title", ":2:1"]),
        ("deck\nset BMR\n", &["nothing follows `deck`", "the title is missing"]),
        ("deck A\nnote\n", &["nothing follows `note`"]),
        (
            "deck A\nset\n",
            &[
                "`set` does not say which set",
                "expected `BMR`, `TNL`, `CRL`, `DBM`, `RMB`, `KSA`, `THK`, `SBM`, `IOD`, `POP`, `LST`, `KNG` or `VOV`",
                "`set BMR`",
            ],
        ),
        ("deck A\nset BRM\n", &["no set `BRM`", ":2:5", "did you mean `BMR`?"]),
        ("deck A\nheroes bmr\n", &["no set `bmr`", "did you mean `BMR`?"]),
        ("deck A\nset BMR\nrooms TNL BMR\n", &["BMR is included twice", ":3:11", "line 2"]),
        (
            "deck A\nDark Altr x2\n",
            &["no card `Dark Altr`", "^^^^^^^^^ no set", "did you mean `Dark Altar`?"],
        ),
        ("deck A\nDraculrod\n", &["did you mean `Draculord, Hypnotic Vampire`?"]),
        ("deck A\nxyzzyxyzzy\n", &["no card `xyzzyxyzzy`", "lists all names"]),
        ("deck A\nTNL500\n", &["no card `TNL500`"]),
        ("deck A\nGoblin x2\n", &["could be several", "Goblin Armory (BMR015)", "write more of the name"]),
        (
            "deck A\nThe Fool\n",
            &["The Fool (BMR080), The Fool (TNL097) or The Fool (RMB104)", "the collector number"],
        ),
        ("deck A\n2x Dark Altar\n", &["the count is in the wrong place", "write `Dark Altar x2`"]),
        ("deck A\nDark Altar 2x\n", &["write `Dark Altar x2`"]),
        ("deck A\n3 Dark Altar\n", &["write `Dark Altar x3`"]),
        ("deck A\nDark Altar x100\n", &["too many copies", ":2:12", "at most 99"]),
        ("deck A\nDark Altar x99999999999\n", &["too many copies"]),
        ("deck A\nDark Altar\nbmr009 x2\n", &["Dark Altar is counted twice", ":3:1", "line 2"]),
    ] {
        let said = wrong(text);
        for part in parts {
            assert!(said.contains(part), "{part} in\n{said}");
        }
    }
    let all = wrong("deck A\nset BRM\nfoo bar\n2x Freeze\n");
    assert_eq!(all.matches("error: ").count(), 3, "{all}");
    assert!(wrong(&format!("deck A\n{}", "#\n".repeat(MAX_BYTES))).contains("at most 32768 bytes"));
}

#[test]
fn reading_stops_after_twenty_problems_and_says_so() {
    let exactly = wrong(&format!("deck A\n{}", "q\n".repeat(20)));
    assert!(exactly.matches("error: ").count() == 20 && !exactly.contains("more problems"), "{exactly}");
    for text in [
        "Dark Altr\n".repeat(2_500),
        "q\n".repeat(16_000),
        "set BRM\n".repeat(2_500),
        format!("set {}\n", "BRM ".repeat(7_000)),
        "Dark Altar\n".repeat(2_500),
        "deck B\n".repeat(2_500),
    ] {
        let said = wrong(&format!("deck A\n{text}"));
        assert_eq!(said.matches("error: ").count(), 20);
        assert!(said.ends_with("there are more problems: only the first 20 are listed"), "{said}");
        assert!(said.len() < 20_000, "{} bytes", said.len());
    }
}

// ---- balance ----

#[test]
fn rule_13_3_the_box_is_even_but_short_of_advanced_rooms() {
    let balance = Balance::of(&preset("bmr"), &SETS);
    assert_eq!((balance.ordinary, balance.advanced), (59, 16));
    assert_eq!((balance.monsters, balance.traps), (40, 35));
    for class in Classes::CORE.iter() {
        assert_eq!((balance.room_icons[class], balance.boss_icons[class]), (27, 2), "{class}");
    }
    assert_eq!(balance.classes, Classes::CORE);
    assert_eq!(balance.by_players, [(13, 8), (17, 12), (25, 16)]);
    assert_eq!(balance.with_icon, (24, 16));
    assert_eq!(balance.advice(), [Advice::Advanced { ordinary: 59, advanced: 16 }]);
    assert_eq!(Balance::of(&preset("tnl"), &SETS).advice(), []);
    for name in ["official-combo", "e-rated-combo"] {
        let advice = Balance::of(&preset(name), &SETS).advice();
        assert!(advice.iter().all(|advice| matches!(advice, Advice::Advanced { .. })), "{name}: {advice:?}");
    }
}

#[test]
fn rule_13_3_items_coins_and_the_explorer_are_counted() {
    let tools = Balance::of(&preset("bmr-thk"), &SETS);
    assert_eq!(tools.items, 20);
    for class in Classes::CORE.iter() {
        assert_eq!(tools.item_icons[class], 4, "{class}");
    }
    assert_eq!((tools.coins_from, tools.coins_for, tools.advice()), (0, 0, vec![]));
    let coins = Balance::of(&preset("rmb"), &SETS);
    assert!(coins.minibosses == 10 && coins.coins_from > 10 && coins.coins_for > 20, "{coins:?}");
    assert!(coins.advice().iter().all(|advice| matches!(advice, Advice::Advanced { .. })));
    // Six ordinary and four epic heroes more for the fifth treasure, as advised.
    let crash = Balance::of(&preset("bmr-crl"), &SETS);
    assert_eq!(crash.with_icon, (30, 20));
    assert!(!crash.advice().iter().any(|advice| matches!(advice, Advice::Heroes { .. })));
}

#[test]
fn rule_13_3_every_imbalance_is_reported() {
    let said = |text: &str| -> Vec<String> {
        Balance::of(&own(text), &SETS).advice().iter().map(Advice::to_string).collect()
    };
    let few = "Dark Altar x0\nOpen Grave x0\nSpecter's Sanctum x0\nSuccubus Spa x0\n";
    let advice = said(&format!("deck A\nset BMR\n{few}"));
    assert!(advice.iter().any(|line| line.contains("27 fighter and 13 cleric icons")), "{advice:?}");
    let advice = said("deck A\nset BMR THK\nExtra Life x5\n");
    assert!(
        advice.iter().any(|line| line.contains("8 items are for cleric heroes and 4 for fighter heroes")),
        "{advice:?}"
    );
    let advice = said("deck A\nset BMR\nSpike\n");
    assert!(advice.iter().any(|line| line == "1 card wants coins, and none brings any"), "{advice:?}");
    let advice = said("deck A\nset BMR\nRobobo x4\nBMR057 x9\n");
    assert!(advice.iter().any(|line| line.contains("bosses show 5 fighter and 2 cleric")), "{advice:?}");
    assert!(advice.iter().any(|line| line.contains("32 ordinary and 16 epic heroes")), "{advice:?}");
    assert!(
        advice.iter().any(|line| line.contains("18 heroes seek cleric and 10 seek fighter")),
        "{advice:?}"
    );
    assert!(advice.iter().any(|line| line.contains("cleric heroes have 116 health together")), "{advice:?}");
    let advice = said("deck A\nOpen Grave x10\nBottomless Pit\n");
    assert!(advice.iter().any(|line| line.contains("0 monster rooms and 11 trap rooms")), "{advice:?}");
    assert!(advice.iter().any(|line| line.contains("no advanced room")), "{advice:?}");
}
