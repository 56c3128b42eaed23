//! Hidden information: what a player may not see must not show in the view, the legal actions or
//! the events.

mod common;

use common::{DB, Dice, any_game, game, mixed_game, super_game};
use contract::secrets::{self, Tally, viewers};
use engine::view::View;
use engine::{Action, Actions, Event, Game, Rules, SeatSet, Seed, What};

#[test]
fn a_sample_looks_the_same_and_allows_the_same() {
    let mut positions = 0;
    for seed in 0..320 {
        let mut dice = Dice::new(seed);
        let mut game = any_game(seed, &mut ());
        let mut actions = Actions::new();
        while game.decision().is_some() {
            positions += 1;
            for world in 0..2 {
                secrets::samples(&game, seed << 8 | world)
                    .unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
            }
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
    assert!(positions > 5_000, "{positions} positions are too few to mean much");
}

/// On another machine a view is the same, allows the same, and tells nothing of what others hold.
#[test]
fn a_view_travels_and_tells_nothing_of_other_hands() {
    let mut others = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut game = if seed % 2 == 0 { covered_game(seed) } else { any_game(seed, &mut ()) };
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut actions);
            let view = game.view(Some(decision.seat));
            let bytes = view.to_bytes();
            let there = View::from_bytes(game.db, &bytes).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert!(there == view && there.to_bytes() == bytes, "game {seed}");
            let mut legal = Actions::new();
            there.legal(&mut legal);
            assert_eq!(legal[..], actions[..], "game {seed}");
            for other in game.state.seats().filter(|other| *other != decision.seat) {
                let world = game.with_other_secrets(other, seed);
                others += u32::from(world.state != game.state);
                assert_eq!(world.view(Some(decision.seat)).to_bytes(), bytes, "game {seed}");
            }
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
    assert!(others > 1_000, "{others} other hands are too few to mean much");
    let view = any_game(1, &mut ()).view(None);
    assert!(View::from_bytes(view.table().db, &view.to_bytes()).unwrap() == view);
    for cut in [0, 1, 2, 100] {
        assert!(View::from_bytes(view.table().db, &view.to_bytes()[..cut]).is_err());
    }
}

/// With `cover`, who is asked next does not reveal what the others hold.
#[test]
fn with_cover_who_is_asked_reveals_nothing() {
    let (mut passes, mut nothing_to_do) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut game = covered_game(seed);
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut actions);
            nothing_to_do += u32::from(actions.len() == 1);
            if actions[0] == Action::Pass {
                let after = |mut world: Game| {
                    let mut events: Vec<Event> = Vec::new();
                    world.apply(Action::Pass, &mut events).expect("it is legal");
                    let seen = |event: &Event| event.for_viewer(&DB, Some(decision.seat));
                    (events.iter().map(seen).collect::<Vec<_>>(), world.decision().map(|next| next.seat))
                };
                let (events, next) = after(game.clone());
                for world in 0..3 {
                    let (same, asked) =
                        after(game.view(Some(decision.seat)).sample(seed << 8 | world).under_cover());
                    if same == events {
                        passes += 1;
                        assert_eq!(asked, next, "game {seed}, decision {}", game.state.decisions());
                    }
                }
            }
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
    assert!(passes > 2_000 && nothing_to_do > 1_000, "{passes} passes, {nothing_to_do} idle questions");
}

/// With `cover`, whatever a player answers brings the same questions and events to the others, whatever else the
/// player holds. The worlds may differ only once somebody else is shown a card that differs.
#[test]
fn with_cover_another_hand_brings_the_same_questions() {
    let mut tally = Tally::default();
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let game = match seed % 5 {
            0 | 2 => game(seed, &mut ()),
            1 | 3 => mixed_game(seed, &mut ()),
            _ => super_game(seed / 5, &mut ()),
        };
        let mut rules = *game.state.rules();
        rules.cover = true;
        let mut game = Game::new(game.db, rules, common::key(seed), &mut ()).expect("the same, under cover");
        let mut actions = Actions::new();
        while game.decision().is_some() {
            secrets::another_hand(&game, seed, &mut dice, &mut tally)
                .unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
    let Tally { answers, unlike, forced } = tally;
    assert!(answers > 200_000 && unlike > 10_000, "{answers} answers, {unlike} with others to choose from");
    assert!(forced.len() > 4, "asked although there is one answer: {forced:?}");
}

fn covered_game(seed: u64) -> Game<'static> {
    let mut rules = Rules::classic(2 + (seed % 3) as u8);
    rules.cover = true;
    Game::new(&DB, rules, Seed::from(seed).0, &mut ()).expect("a game of the box")
}

/// A sample can be played to its end: states that never occurred must not break the engine.
#[test]
fn a_sample_can_be_played_on() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut game = any_game(seed, &mut ());
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut actions);
            let mut sample = game.view(Some(decision.seat)).sample(seed);
            for _ in 0..common::BOUND {
                if sample.decision().is_none() {
                    break;
                }
                sample.legal(&mut actions);
                sample.apply(dice.pick(&actions), &mut ()).expect("it is legal");
            }
            sample.state.check(game.db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
}

/// A die that was not cast yet falls anyhow in a sample, and as it will where the game itself goes on.
#[test]
fn a_sample_does_not_foretell_a_die() {
    let db = common::compiled(&common::deck("bmr-dbm"));
    let rolled = |game: &Game, action| {
        let (mut game, mut events): (_, Vec<Event>) = (game.clone(), Vec::new());
        game.apply(action, &mut events).expect("it is legal");
        events.iter().find_map(|event| match event.what {
            What::Rolls { sides, face } if sides > 2 => Some(face),
            _ => None,
        })
    };
    let mut dice_cast = 0;
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let mut game =
            Game::new(&db, Rules::classic(2), common::key(seed), &mut ()).expect("it can be played");
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut actions);
            let action = dice.pick_eager(&actions);
            if let Some(face) = rolled(&game, action) {
                assert_eq!(rolled(&game, action), Some(face), "taken back and played again");
                let sampled = |world| rolled(&game.view(Some(decision.seat)).sample(world), action);
                let faces: std::collections::BTreeSet<_> = (0..24).filter_map(sampled).collect();
                // Where the sample plays alike at all.
                assert!(faces.len() != 1, "game {seed}: the die shows {faces:?} in every sample");
                dice_cast += 1;
            }
            game.apply(action, &mut ()).expect("it is legal");
        }
    }
    assert!(dice_cast > 5, "only {dice_cast} dice were cast");
}

/// A sample is dealt from the cards of the deck, those added for five and six players included.
#[test]
fn a_sample_holds_the_cards_of_the_deck() {
    let cards = |game: &Game| {
        let mut cards: Vec<_> = game.state.card_ids().map(|id| game.def_id(id).index()).collect();
        cards.sort_unstable();
        cards
    };
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut game = mixed_game(seed, &mut ());
        let all = cards(&game);
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            let view = game.view(Some(decision.seat));
            let sample = view.sample(seed);
            assert!(cards(&sample) == all && sample.view(Some(decision.seat)) == view, "game {seed}");
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
}

/// No event sent to a viewer names a card that the viewer has not seen.
#[test]
fn events_name_only_what_was_seen() {
    let mut hidden = 0;
    for seed in 0..240 {
        let mut dice = Dice::new(seed);
        let mut events: Vec<Event> = Vec::new();
        let mut game = any_game(seed, &mut events);
        let mut actions = Actions::new();
        loop {
            hidden += secrets::shown(&game, &events).unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
            events.clear();
            if game.decision().is_none() {
                break;
            }
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut events).expect("it is legal");
        }
    }
    assert!(hidden > 1_000, "only {hidden} cards were hidden: the test sees too little");
}

/// Ids reveal nothing: the id of a face-down room is independent of how the player got the card.
#[test]
fn the_id_of_a_face_down_room_does_not_reveal_which_card_it_was() {
    let mut changed = 0;
    let mut placed = 0;
    for seed in 0..400 {
        let mut game = game(seed * 3, &mut ());
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut actions);
            let build = actions.iter().copied().find(|a| matches!(a, engine::Action::Build { .. }));
            if let Some(action @ engine::Action::Build { card, .. }) = build {
                let named = game.def_id(card);
                let mut events: Vec<Event> = Vec::new();
                game.apply(action, &mut events).expect("it is legal");
                let lies = events.iter().find_map(|event| match event {
                    Event { what: What::Places, card, .. } => *card,
                    _ => None,
                });
                let lies = lies.expect("a room was placed");
                assert_eq!(lies.def, named, "another card than the one named was placed");
                assert_eq!(lies.seen, SeatSet::only(decision.seat));
                placed += 1;
                changed += usize::from(lies.card != card);
                break;
            }
            game.apply(actions[0], &mut ()).expect("it is legal");
        }
    }
    assert!(placed > 300 && changed * 2 > placed, "{changed} of {placed} ids changed");
}

/// A card that goes from one hand to another: whatever was known of that hand before, only the two
/// players know which card went and which are left, and its id is not the one that was known.
#[test]
fn a_card_taken_from_a_hand_is_known_to_giver_and_taker_only() {
    let (mut known_before, mut known_id_went) = (0, 0);
    for seed in 0..24_000 {
        let mut dice = Dice::new(seed);
        let mut game = game(seed, &mut ());
        let mut actions = Actions::new();
        while game.decision().is_some() {
            game.legal(&mut actions);
            let before = game.clone();
            let mut events: Vec<Event> = Vec::new();
            game.apply(dice.pick_eager(&actions), &mut events).expect("it is legal");
            let taken = events.iter().find_map(|event| match *event {
                Event { what: What::Takes, card: Some(card), from: Some(from), to: Some(to), .. } => {
                    let between_hands = from.place.is_hand_of(from.place.seat()) && from.place != to.place;
                    between_hands.then_some((card, from.place, to.place.seat()))
                }
                _ => None,
            });
            let Some((card, hand, taker)) = taken.filter(|(_, hand, _)| before.state.pile(*hand).count() > 1)
            else {
                continue;
            };
            for viewer in viewers(game.state.rules().players) {
                if viewer == Some(taker) || viewer == Some(hand.seat()) {
                    continue;
                }
                let (earlier, now) = (before.view(viewer), game.view(viewer));
                let knew = |id| !DB.is_blank(earlier.table().def_id(id));
                if !before.state.pile(hand).any(knew) {
                    continue;
                }
                assert!(!card.seen.shows(viewer), "game {seed}: the card that went is told");
                let left = game.state.pile(hand).filter(|id| before.state.card(*id).place == hand);
                // Much may have happened since, the end of its new owner included.
                let went = [card.card].into_iter().filter(|id| game.state.card(*id).place.is_hand_of(taker));
                for id in left.chain(went) {
                    let blank = DB.is_blank(now.table().def_id(id));
                    assert!(blank, "game {seed}: a card is still known to {viewer:?}");
                }
                known_before += 1;
                let same_face = before.def_id(card.card) == card.def;
                known_id_went += usize::from(same_face);
            }
        }
    }
    assert!(known_before > 100, "only {known_before} cases");
    assert!(known_id_went * 4 < known_before * 3, "{known_id_went} of {known_before} ids did not change");
}

/// Shuffling permutes definitions, not cards: the decks of every deal have the same ids in the same
/// order, and any of them can be any card.
#[test]
fn ids_of_a_deck_reveal_nothing_about_its_cards() {
    let place = engine::Place::SPELL_DECK;
    let ids = |game: &engine::Game| game.state.pile(place).map(|id| id.0).collect::<Vec<_>>();
    let mut seen = std::collections::BTreeMap::new();
    let mut order = None;
    for seed in 0..600 {
        let game = game(seed * 48, &mut ());
        assert_eq!(*order.get_or_insert_with(|| ids(&game)), ids(&game), "deal {seed}");
        let top = game.state.pile(place).next().expect("the deck is not empty");
        *seen.entry(game.name(top)).or_insert(0) += 1;
    }
    let spells = DB.cards().filter(|(_, def)| def.kind == cards::vocabulary::Kind::Spell);
    for (_, def) in spells {
        let (copies, often) = (i32::from(def.copies), seen.get(def.face.name.as_str()).copied().unwrap_or(0));
        let expected = 600 * copies / 31;
        assert!((expected / 3..=expected * 3).contains(&often), "{} on top {often} times", def.face.name);
    }
}
