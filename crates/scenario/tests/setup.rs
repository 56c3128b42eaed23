//! Rules about which cards a game is played with: a scenario brings its own decks and cannot show them.

use cards::db::DefKind;
use engine::setup::contents;
use engine::{Game, Place, Rules, SetupError, Variant};

fn count(players: u8, kind: DefKind) -> usize {
    let db = cards::library::builtin();
    contents(&db, &Rules::classic(players)).filter(|id| db.def(*id).kind == kind).count()
}

#[test]
fn rule_3_1_two_to_four_players_and_all_bosses_rooms_and_spells() {
    let db = cards::library::builtin();
    for players in [0, 1, 5, 6, 7, 255] {
        let refused = Game::new(&db, Rules::classic(players), [1; 32], &mut ()).err();
        assert_eq!(refused, Some(SetupError::Players(players)));
    }
    for players in 2..=4 {
        assert_eq!(count(players, DefKind::Boss), 8);
        assert_eq!(count(players, DefKind::Room), 75);
        assert_eq!(count(players, DefKind::Spell), 31);
        let game = Game::new(&db, Rules::classic(players), [1; 32], &mut ()).unwrap();
        assert_eq!(game.state.pile_len(Place::BOX), 8 - usize::from(players));
    }
}

#[test]
fn rule_3_2_the_heroes_depend_on_the_number_of_players() {
    for (players, ordinary, epic) in [(2, 13, 8), (3, 17, 12), (4, 25, 16)] {
        assert_eq!(count(players, DefKind::Hero), ordinary);
        assert_eq!(count(players, DefKind::Epic), epic);
    }
}

#[test]
fn rule_12_2_hard_mode_leaves_out_ordinary_heroes_with_four_health() {
    let db = cards::library::builtin();
    let rules = Rules::classic(4).with(Variant::Hard);
    let heroes: Vec<_> =
        contents(&db, &rules).map(|id| db.def(id)).filter(|def| def.kind == DefKind::Hero).collect();
    assert_eq!(heroes.len(), 17);
    assert!(heroes.iter().all(|def| def.health != 4));
}
