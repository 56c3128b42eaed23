//! Armed cards: when a wish is granted, and when it is over.

mod common;

use engine::{Action, Actions, Condition, Fate, Game, Granted, Question, Seat, Zone};

/// Every card a player could arm, for everything it could wait for.
fn conditions(game: &Game) -> Vec<Condition> {
    let zone = |card| game.state.card(card).place.zone();
    let cards = game.state.card_ids();
    let waits = cards.flat_map(|card| match zone(card) {
        Zone::Dungeon => vec![Condition::HeroInRoom(card)],
        Zone::Town | Zone::Entrance | Zone::Inside => vec![Condition::HeroSurvives(card)],
        _ => vec![],
    });
    waits.chain([Condition::NextChance]).collect()
}

/// A wish is granted in a window only, with a legal use of its card, at the moment it names, and alike whatever the
/// others hold.
#[test]
fn a_wish_is_granted_at_its_moment_and_by_what_its_owner_sees() {
    let (mut used, mut asked) = ([0; 3], 0);
    for seed in 0..60 {
        let mut game = common::game(seed, &mut ());
        let mut legal = Actions::new();
        for step in 0..150_u64 {
            let Some(decision) = game.decision() else { break };
            game.legal(&mut legal);
            let seat = decision.seat;
            if matches!(decision.question, Question::Act | Question::Cancel) && legal.len() > 1 {
                let other = Seat((seat.0 + 1) % game.state.rules().players);
                let elsewhere = game.with_other_secrets(other, seed ^ step);
                for (card, when) in game
                    .armable(seat)
                    .into_iter()
                    .flat_map(|card| conditions(&game).into_iter().map(move |when| (card, when)))
                {
                    let wish = game.wish(seat, card, when).expect("it can be armed");
                    assert_eq!(game.kept(seat, wish), Some(wish));
                    let granted = game.granted(seat, &wish, &legal);
                    assert_eq!(granted, elsewhere.granted(seat, &wish, &legal), "{seed} {step} {when:?}");
                    let Some(granted) = granted else { continue };
                    let (Granted::Use(action) | Granted::Ask(action)) = granted;
                    assert!(matches!(action, Action::Use { card: used, .. } if used == card));
                    assert!(legal.contains(&action));
                    let walk = game.state.walk();
                    let at = match when {
                        Condition::NextChance => 0,
                        Condition::HeroInRoom(room) => {
                            assert_eq!(game.state.present(walk.room), Some(room));
                            1
                        }
                        Condition::HeroSurvives(hero) => {
                            assert_eq!(game.state.present(walk.hero), Some(hero));
                            let fate = game.view(Some(seat)).table().forecast(hero, game.state.active()).fate;
                            assert_eq!(fate, Fate::Wounds);
                            2
                        }
                    };
                    match granted {
                        Granted::Use(_) => used[at] += 1,
                        Granted::Ask(_) => asked += 1,
                    }
                }
            }
            game.apply(legal[(seed + 5 * step) as usize % legal.len()], &mut ()).expect("it is legal");
        }
    }
    assert!(used.iter().all(|used| *used > 0) && asked > 0, "{used:?} used, {asked} asked");
}

/// Nobody can arm what is not theirs, and a wish is over when its card, its room or its hero is gone.
#[test]
fn a_wish_ends_with_its_card_and_with_what_it_waits_for() {
    let (mut kept, mut gone) = (0, 0);
    for seed in 0..30 {
        let mut game = common::game(seed, &mut ());
        let mut legal = Actions::new();
        let mut wishes = Vec::new();
        for step in 0..120_u64 {
            if game.decision().is_none() {
                break;
            }
            if step == 40 {
                for seat in game.state.order().to_vec() {
                    let other = Seat((seat.0 + 1) % game.state.rules().players);
                    for card in game.armable(seat) {
                        assert_eq!(game.wish(other, card, Condition::NextChance), None);
                        let all =
                            conditions(&game).into_iter().filter_map(|when| game.wish(seat, card, when));
                        wishes.extend(all.map(|wish| (seat, wish)));
                    }
                }
            }
            wishes.retain(|(seat, wish)| {
                let there = game.kept(*seat, *wish);
                let zone = |card| game.state.card(card).place.zone();
                let possible = match wish.when {
                    Condition::NextChance => true,
                    Condition::HeroInRoom(room) => zone(room) == Zone::Dungeon,
                    Condition::HeroSurvives(hero) => {
                        matches!(zone(hero), Zone::Town | Zone::Entrance | Zone::Inside)
                    }
                };
                let has = game.armable(*seat).iter().any(|card| game.def_id(*card) == wish.def());
                match there {
                    Some(wish) => assert!(has && possible && game.def_id(wish.card) == wish.def()),
                    None => assert!(!game.armable(*seat).contains(&wish.card) || !has || !possible),
                }
                *(if there.is_some() { &mut kept } else { &mut gone }) += 1;
                there.is_some()
            });
            game.legal(&mut legal);
            game.apply(legal[(seed + 3 * step) as usize % legal.len()], &mut ()).expect("it is legal");
        }
    }
    assert!(kept > 100 && gone > 20, "{kept} kept, {gone} gone");
}
