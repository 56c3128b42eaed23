//! Turning points: found where they are, and told from what the seat could see.

mod common;

use bots::{Bot, BotRng, Greedy, Reviewer, Turned, TurningPoint, review};
use cards::library;
use common::deal;
use engine::record::{Record, SeatText};
use engine::tell::{self, Reader};
use engine::{Actions, Event, Game, Seat};

const NAMES: [&str; 6] = ["Ann", "Ben", "Cid", "Dora", "Emil", "Flo"];

fn names() -> Vec<String> {
    NAMES.map(String::from).into()
}

/// Plays a game with these bots and reviews it for a seat. `world` is what the reviewer is shown instead of the game.
fn reviewed(
    number: u64,
    seat: Seat,
    world: impl Fn(&Game<'static>, u64) -> Game<'static>,
) -> Vec<TurningPoint> {
    let names = names();
    let mut game = deal(number);
    let mut reviewer = Reviewer::new(&names[..], seat);
    let (mut good, mut rng) = (Greedy::new(number), BotRng::new(number));
    let (mut legal, mut step) = (Actions::new(), 0);
    reviewer.then(&[], &world(&game, step).view(Some(seat)));
    while let Some(decision) = game.decision() {
        game.legal(&mut legal);
        // The one who is reviewed answers at random now and then.
        let careless = decision.seat == seat && rng.below(3) == 0;
        let answer = match careless {
            true => legal[rng.below(legal.len())],
            false => good.choose(&game.view(Some(decision.seat)), &legal),
        };
        if decision.seat == seat {
            reviewer.answered(&world(&game, step).view(Some(seat)), &legal, answer);
        }
        let mut events: Vec<Event> = Vec::new();
        game.apply(answer, &mut events).expect("it is legal");
        step += 1;
        let told = tell::story(game.db, &names[..], Reader::Seat(seat), &events);
        reviewer.then(&told, &world(&game, step).view(Some(seat)));
    }
    reviewer.points()
}

/// With another hidden hand and other decks the same is told, word for word and number for number.
#[test]
fn another_hidden_hand_gives_the_same_words() {
    let mut told = 0;
    for number in 0..4 {
        let seat = Seat((number % 2) as u8);
        let mut differ = 0;
        let other = |game: &Game<'static>, step: u64| game.with_other_secrets(Seat(1 - seat.0), step);
        let points = reviewed(number, seat, |game, _| game.clone());
        assert_eq!(points, reviewed(number, seat, other));
        // The worlds really differ.
        let game = deal(number);
        differ += usize::from((0..20).any(|step| other(&game, step).state != game.state));
        assert_eq!(differ, 1);
        told += points.len();
    }
    assert!(told >= 8, "{told} turning points in four games");
}

#[test]
fn a_careless_player_is_shown_better_answers() {
    let mut choices = 0;
    for number in 10..16 {
        let points = reviewed(number, Seat(0), |game, _| game.clone());
        assert!(points.len() <= 3 && points.is_sorted_by_key(|point| point.step));
        for TurningPoint { turned, before, after, words, .. } in &points {
            assert!((0.0..=1.0).contains(before) && (0.0..=1.0).contains(after));
            if *turned == Turned::Choice {
                choices += 1;
                assert!(after < before && words.contains("Better: ") && words.contains("Why: "), "{words}");
            } else {
                assert!(words.starts_with("In turn ") && words.contains("your chance"), "{words}");
            }
        }
    }
    assert!(choices > 3, "{choices}");
}

/// A record gives the same as the game it is of.
#[test]
fn a_record_is_reviewed() {
    let sets = library::sets();
    let deck = library::deck("bmr", &sets).unwrap();
    let db = deck.compile(&sets).unwrap();
    let engine::Setup { rules, seed, .. } = "--players 2 --deck bmr --seed 5".parse().unwrap();
    let seats = [0, 1].map(|seat| SeatText { name: NAMES[seat].into(), kind: "greedy".into() });
    let mut record = Record::new(rules, seed, &deck, &db, seats.into());
    let mut game = Game::new(&db, rules, seed.0, &mut ()).unwrap();
    let (mut bot, mut legal) = (Greedy::new(1), Actions::new());
    while let Some(decision) = game.decision() {
        game.legal(&mut legal);
        let answer = bot.choose(&game.view(Some(decision.seat)), &legal);
        game.apply(answer, &mut ()).unwrap();
        record.push(answer, &game);
    }
    let points = review(&record, &db, &names(), Seat(0));
    assert_eq!(points, review(&record, &db, &names(), Seat(0)));
    assert!(!points.is_empty());
    for point in &points {
        assert!((point.step as usize) <= record.actions.len());
        assert!(!point.words.contains("p1") && !point.words.contains("p2"), "{}", point.words);
    }
}
