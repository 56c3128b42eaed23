//! Two worlds: what a player may not see must not show, neither in the view, nor in the legal actions, nor in
//! the events.

mod common;

use common::{DB, Dice, game, mixed_game};
use engine::{Action, Actions, Event, Game, Rules, Seat, SeatSet, Seed};

/// Viewers of a game: every seat and a spectator.
fn viewers(players: u8) -> impl Iterator<Item = Option<Seat>> {
    (0..players).map(|seat| Some(Seat(seat))).chain([None])
}

#[test]
fn a_sample_looks_the_same_and_allows_the_same() {
    let mut positions = 0;
    for seed in 0..240 {
        let mut dice = Dice::new(seed);
        let mut game = game(seed, &mut ());
        let (mut actions, mut others) = (Actions::new(), Actions::new());
        while let Some(decision) = game.decision() {
            positions += 1;
            for viewer in viewers(game.state.rules().players) {
                let view = game.view(viewer);
                for world in 0..2 {
                    let sample = view.sample(seed << 8 | world);
                    sample.state.check(&DB).unwrap_or_else(|error| panic!("game {seed}: {error}"));
                    assert!(sample.view(viewer) == view, "game {seed}: the sample looks different");
                    if viewer == Some(decision.seat) {
                        game.legal(&mut actions);
                        sample.legal(&mut others);
                        assert_eq!(actions[..], others[..], "game {seed}: {:?}", decision.question);
                        view.legal(&mut others);
                        assert_eq!(actions[..], others[..], "game {seed}: {:?}", decision.question);
                    }
                }
            }
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
    assert!(positions > 5_000, "{positions} positions are too few to mean much");
}

/// Under cover, whoever passes cannot tell from who is asked next what the others hold.
#[test]
fn under_cover_who_is_asked_tells_nothing() {
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

fn covered_game(seed: u64) -> Game<'static> {
    let mut rules = Rules::classic(2 + (seed % 3) as u8);
    rules.cover = true;
    Game::new(&DB, rules, Seed::from(seed).0, &mut ()).expect("a game of the box")
}

/// A sample can be played on to its end: worlds that never were must not break the engine.
#[test]
fn a_sample_can_be_played_on() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut game = game(seed, &mut ());
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
            sample.state.check(&DB).unwrap_or_else(|error| panic!("game {seed}: {error}"));
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
        }
    }
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
        let mut game = game(seed, &mut events);
        let mut actions = Actions::new();
        loop {
            for viewer in viewers(game.state.rules().players) {
                let view = game.view(viewer);
                for event in &events {
                    for shown in event.for_viewer(&DB, viewer).cards() {
                        if cards::CardDb::is_blank(shown.def) {
                            hidden += 1;
                        } else {
                            assert!(
                                shown.seen.shows(viewer),
                                "game {seed}: {event:?} shows {viewer:?} too much"
                            );
                        }
                    }
                }
                assert_no_secret(seed, &game, viewer, &view);
            }
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

/// Hands, decks and face-down rooms of others are blank in a view.
fn assert_no_secret(seed: u64, game: &engine::Game, viewer: Option<Seat>, view: &engine::view::View) {
    use engine::PlaceKind::*;
    for id in game.state.card_ids() {
        let card = game.state.card(id);
        let theirs = card.place.seat() != viewer.unwrap_or(Seat::NONE);
        let hidden = match card.place.kind() {
            RoomDeck | SpellDeck | HeroDeck | EpicDeck => !game.has_seen(id, viewer),
            Hand => theirs && !game.has_seen(id, viewer),
            Dungeon => theirs && game.is_facedown(id),
            _ => false,
        };
        if hidden {
            let def = view.state().card(id).def;
            assert!(cards::CardDb::is_blank(def), "game {seed}: {viewer:?} sees card {id:?}");
        }
    }
}

/// Ids tell nothing: which card of a hand lies face down is independent of how the player came by it.
#[test]
fn the_id_of_a_face_down_room_does_not_tell_which_card_it_was() {
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
                    Event::Places { card, .. } => Some(*card),
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

/// Shuffling moves what cards are, not the cards: the same ids lie in the decks of every deal, in the same
/// order, and any of them can be anything.
#[test]
fn ids_of_a_deck_say_nothing_of_its_cards() {
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
    let spells = DB.cards().filter(|(_, def)| def.kind == cards::db::DefKind::Spell);
    for (_, def) in spells {
        let (copies, often) = (i32::from(def.copies), seen.get(def.face.name.as_str()).copied().unwrap_or(0));
        let expected = 600 * copies / 31;
        assert!((expected / 3..=expected * 3).contains(&often), "{} on top {often} times", def.face.name);
    }
}
