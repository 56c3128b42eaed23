//! What holds for every bot: its answers are legal and depend only on what it sees and its seed.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bots::{Bot, BotSpec, Budget, Greedy, Pace, Planner, Random, Search};
use common::{DECKS, deal, deal_with, play};
use engine::{Actions, Rules, Ruleset, Variant};

/// One of each kind in turn, small enough for many games.
fn seated(kind: usize, seed: u64) -> Box<dyn Bot> {
    match kind % 5 {
        0 => Box::new(Random::new(seed)),
        1 => Box::new(Greedy::new(seed)),
        2 => Box::new(Planner::new(seed, 2)),
        3 => Box::new(Search::new(seed, Budget { simulations: 6 })),
        _ => Box::new(Greedy::careless(seed, 0.5)),
    }
}

/// Two to six players, three decks, all variants; `play` checks every answer.
#[test]
fn every_answer_is_legal_and_every_game_ends() {
    let mut turns = 0;
    for number in 0..60 {
        let mut game = deal(number);
        let players = usize::from(game.state.rules().players);
        let mut bots: Vec<_> =
            (0..players).map(|seat| seated(seat + number as usize, number << 3 | seat as u64)).collect();
        play(&mut game, &mut bots);
        assert!(game.outcome().is_some());
        turns += u32::from(game.state.turn());
    }
    assert!(turns > 300, "only {turns} turns");
}

/// Far more games, each with one bot that sometimes thinks: every deck, and every number of players.
#[test]
fn two_thousand_mixed_games_are_legal() {
    let mut games = [[0; 7]; DECKS.len()];
    for number in 0..2_000 {
        // One box is enough for four players.
        let decks = DECKS.len() as u64;
        let (deck, most) = ((number % decks) as usize, if number % decks < 2 { 4 } else { 6 });
        let players = 2 + (number / decks % (most - 1)) as u8;
        let rules = match players {
            5.. if DECKS[deck] == "bmr-crl" => Rules::new(Ruleset::Crash, players),
            5.. => Rules::classic(players).with(Variant::UnlimitedLives),
            _ => Rules::classic(players),
        };
        let mut game = deal_with(number, rules, DECKS[deck]);
        let thinker = usize::from(players) * (number as usize / 25 % 4) / 4;
        let seated = |seat: usize| -> Box<dyn Bot> {
            let seed = number << 3 | seat as u64;
            if seat == thinker { Box::new(Greedy::careless(seed, 0.7)) } else { Box::new(Random::new(seed)) }
        };
        let mut bots: Vec<_> = (0..usize::from(players)).map(seated).collect();
        play(&mut game, &mut bots);
        games[deck][usize::from(players)] += 1;
    }
    let enough = |deck: &[u32; 7], most: usize| deck[2..=most].iter().all(|games| *games >= 60);
    assert!(games[..2].iter().all(|deck| enough(deck, 4)) && games[2..].iter().all(|deck| enough(deck, 6)));
}

/// Every kind of bot plays on the town board, with others and alone.
#[test]
fn every_answer_on_the_town_board_is_legal() {
    for number in 0..30 {
        let (ruleset, players, deck) = match number % 5 {
            0 => (Ruleset::Solo, 1, "sbm-solo"),
            1 => (Ruleset::Challenge, 1, "sbm-solo"),
            n => (Ruleset::Super, n as u8, "sbm"),
        };
        let mut game = deal_with(number, Rules::new(ruleset, players), deck);
        let mut bots: Vec<_> = (0..usize::from(players))
            .map(|seat| seated(seat + number as usize / 5, number << 3 | seat as u64))
            .collect();
        play(&mut game, &mut bots);
        assert!(game.outcome().is_some());
        assert_eq!(game.solo_score().is_some(), players == 1);
    }
}

/// Two worlds that look alike to a player: a bot with the same seed does the same in both.
#[test]
fn what_a_bot_cannot_see_does_not_matter_to_it() {
    let (mut asked, mut differed) = (0, 0);
    for number in 0..20 {
        let mut game = deal(number);
        let mut rng = bots::BotRng::new(number);
        let (mut legal, mut other_legal) = (Actions::new(), Actions::new());
        // Bots that stay in their seats and keep their search trees.
        let players = usize::from(game.state.rules().players);
        let searches = || (0..players).map(|seat| seated(3, seat as u64)).collect::<Vec<_>>();
        let mut lasting = [searches(), searches()];
        while let Some(decision) = game.decision() {
            game.legal(&mut legal);
            if rng.below(6) == 0 {
                let view = game.view(Some(decision.seat));
                let world = view.sample(rng.seed());
                differed += u32::from(world.state != game.state);
                let other = world.view(Some(decision.seat));
                assert!(other == view, "game {number}: a sample looks different");
                world.legal(&mut other_legal);
                for kind in 0..5 {
                    let seed = rng.seed();
                    let here = seated(kind, seed).choose(&view, &legal);
                    let there = seated(kind, seed).choose(&other, &other_legal);
                    assert_eq!(here, there, "game {number}, {:?}, bot {kind}", decision.question);
                    let here = seated(kind, seed).advise(&view, &legal);
                    assert_eq!(here, seated(kind, seed).advise(&other, &other_legal));
                    assert!(here.iter().all(|advice| legal.contains(&advice.action)));
                }
                let [here, there] = &mut lasting;
                let here = here[decision.seat.index()].choose(&view, &legal);
                assert_eq!(here, there[decision.seat.index()].choose(&other, &other_legal));
                game.apply(here, &mut ()).expect("it is legal");
                asked += 1;
                continue;
            }
            game.apply(legal[rng.below(legal.len())], &mut ()).expect("it is legal");
        }
    }
    assert!(asked > 100 && differed * 10 > asked * 9, "{differed} of {asked} worlds were different");
}

/// The same game again, answer for answer.
#[test]
fn the_same_seeds_give_the_same_game() {
    for number in 0..4 {
        let finish = |number: u64| {
            let mut game = deal(number);
            let players = usize::from(game.state.rules().players);
            let mut bots: Vec<_> = (0..players).map(|seat| seated(seat, seat as u64)).collect();
            play(&mut game, &mut bots);
            game.state
        };
        assert!(finish(number) == finish(number));
    }
}

/// Lets a thought go on this many times.
struct Stops {
    after: u32,
    asked: AtomicU32,
}

impl Pace for Stops {
    fn go_on(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) < self.after
    }
}

/// A bot that is paused answers the same; one that is stopped soon gives a legal answer.
#[test]
fn long_thoughts_can_be_paused_and_stopped() {
    let mut asked = 0;
    for number in 0..6 {
        let mut game = deal(number);
        let (mut legal, mut rng) = (Actions::new(), bots::BotRng::new(number));
        while let Some(decision) = game.decision().filter(|_| game.state.turn() < 3) {
            game.legal(&mut legal);
            let view = game.view(Some(decision.seat));
            let bots: [fn() -> Box<dyn Bot>; 2] =
                [|| Box::new(Search::new(7, Budget { simulations: 160 })), || Box::new(Planner::new(7, 5))];
            for bot in bots {
                let answer = |after| {
                    let (mut bot, pace) = (bot(), Arc::new(Stops { after, asked: AtomicU32::new(0) }));
                    bot.set_pace(pace.clone());
                    (bot.choose(&view, &legal), pace.asked.load(Ordering::Relaxed))
                };
                let (paused, often) = answer(u32::MAX);
                assert_eq!(paused, bot().choose(&view, &legal));
                asked += often;
                for after in [0, 2] {
                    let (stopped, often) = answer(after);
                    assert!(legal.contains(&stopped) && often <= after + 1, "asked {often} times");
                }
            }
            game.apply(legal[rng.below(legal.len())], &mut ()).expect("it is legal");
        }
    }
    assert!(asked > 100, "asked {asked} times");
}

#[test]
fn bot_names_parse_and_print() {
    for name in
        ["random", "greedy", "planner:16", "search:40", "kobold", "mini-boss", "grand-boss", "exec:./x -a"]
    {
        let player: BotSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(player.to_string(), name);
    }
    for name in ["", "planner", "planner:0", "search:", "search:0", "search:many", "exec:", "Boss"] {
        let error = name.parse::<BotSpec>().expect_err(name).to_string();
        assert!(error.contains("exec:./mybot") && error.contains("total-boss"), "{error}");
    }
    assert!(BotSpec::Greedy.seat(1).is_ok_and(|bot| bot.forfeit().is_none()));
}
