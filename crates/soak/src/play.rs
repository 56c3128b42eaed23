//! Plays one game to its end, and checks at every step what must hold.
//!
//! What costs little is checked in every game. The rest is checked in every game whose number is a
//! multiple of its rate, or in all of them if the run is `thorough`.

use std::cell::Cell;

use cards::Deck;
use engine::record::{Record, SeatText};
use engine::{Action, Actions, Dealer, Event, Game, Outcome, Setup, What};

use crate::follow::Follower;
use crate::twin::Twin;
use crate::{BOUND, Broken, Dice, hold, secrets, step};

/// Checks that are not made in every game: name, and one game in how many.
pub const RATES: [(&str, u64); 7] = [
    ("each listed answer is tried on a copy", 8),
    ("events tell where every card is", 8),
    ("a twin is asked every question", 8),
    ("a record replays to the same bytes", 4),
    ("samples of views look the same and allow the same", 64),
    ("events and views name only what was seen", 64),
    ("another hand brings the others the same questions", 32),
];

/// Which of `RATES` are checked in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan([bool; RATES.len()]);

impl Plan {
    pub const THOROUGH: Plan = Plan([true; RATES.len()]);

    /// By the game's number. The rates meet in few games, so that none takes very long.
    pub fn of(number: u64) -> Plan {
        Plan(std::array::from_fn(|i| (number + i as u64).is_multiple_of(RATES[i].1)))
    }

    pub fn has(self, check: usize) -> bool {
        self.0[check]
    }
}

/// How a game went.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub outcome: Outcome,
    pub decisions: usize,
    pub turns: u16,
}

/// Plays the game `number` by random answers. `at` always holds the number of the decision.
pub fn play(
    dealer: &Dealer,
    setup: &Setup,
    deck: &Deck,
    number: u64,
    plan: Plan,
    at: &Cell<usize>,
) -> Result<Played, Broken> {
    let key = setup.seed.0;
    let mut dice = Dice::nth(setup.seed.number(), number);
    let mut events: Vec<Event> = Vec::new();
    let mut silent = dealer.deal(key, &mut ());
    let mut logged = dealer.deal(key, &mut events);
    same("the log", &silent, &logged)?;
    let rules = setup.rules;
    let db = silent.db;
    let mut twin = None;
    if plan.has(2) && !rules.cover {
        let mut all = rules;
        all.ask_all = true;
        let dealt = Game::new(db, all, key, &mut ()).map_err(|error| Broken(error.to_string()))?;
        twin = Some(Twin::new(dealt));
    }
    let mut record = plan.has(3).then(|| {
        let seat = |n| SeatText { name: format!("p{n}"), kind: "random".into() };
        Record::new(rules, setup.seed, deck, db, (1..=rules.players).map(seat).collect())
    });
    let mut follower = plan.has(1).then(|| Follower::of(&logged));
    let mut tally = secrets::Tally::default();
    let mut legal = Actions::new();
    // One earlier position, drawn evenly from all, and what was answered since.
    let mut earlier: Option<Game> = None;
    let mut since: Vec<Action> = Vec::new();
    let mut last_over = false;
    while let Some(decision) = silent.decision() {
        let steps = at.get() + 1;
        at.set(steps);
        hold(steps < BOUND, || "the game does not end".into())?;
        hold(silent.state.in_game(decision.seat), || "an eliminated player is asked".into())?;
        silent.legal(&mut legal);
        step::list(&silent, &legal)?;
        step::plain(&silent, &legal)?;
        if let Some(twin) = &mut twin {
            twin.catch_up(&silent)?;
        }
        if plan.has(0) {
            step::every_answer(&silent, &legal)?;
        }
        if steps % 11 == 0 {
            step::refusals(&silent, &legal, 4, &mut dice)?;
            step::bytes(&silent)?;
        }
        if plan.has(4) {
            secrets::samples(&silent, dice.number())?;
        }
        if plan.has(5) {
            secrets::shown(&logged, &events)?;
        }
        if plan.has(6) && rules.cover {
            secrets::another_hand(&silent, number, &mut dice, &mut tally)?;
        }
        if dice.one_in(steps) {
            match &mut earlier {
                Some(game) => game.clone_from(&silent),
                None => earlier = Some(silent.clone()),
            }
            since.clear();
        }
        let action = match number % 4 {
            0 => dice.pick(&legal),
            1 | 2 => dice.pick_eager(&legal),
            _ => dice.pick_busy(&legal),
        };
        events.clear();
        let refused = |error| Broken(format!("{action:?} is listed and refused: {error}"));
        silent.apply(action, &mut ()).map_err(refused)?;
        logged.apply(action, &mut events).map_err(refused)?;
        since.push(action);
        same("the log", &silent, &logged)?;
        step::sound(&silent)?;
        last_over = matches!(events.last(), Some(Event { what: What::GameOver { .. }, .. }));
        if let Some(twin) = &mut twin {
            twin.apply(action)?;
        }
        if let Some(follower) = &mut follower {
            follower.follow(&events, &logged)?;
        }
        if let Some(record) = &mut record {
            record.push(action, &silent);
        }
    }
    let outcome = silent.outcome().ok_or_else(|| Broken("nothing is asked, and it is not over".into()))?;
    hold(silent.state.pending().is_empty(), || "something is left declared".into())?;
    hold(last_over, || "the last event is not the end of the game".into())?;
    silent.legal(&mut legal);
    hold(legal.is_empty(), || "it is over, and an answer is listed".into())?;
    hold(silent.apply(Action::Pass, &mut ()).is_err(), || "it is over, and an answer is taken".into())?;
    step::bytes(&silent)?;
    if let Some(twin) = &mut twin {
        twin.catch_up(&silent)?;
    }
    if let Some(mut again) = earlier {
        for action in since {
            let refused = |error| Broken(format!("taken back, {action:?} is refused: {error}"));
            again.apply(action, &mut ()).map_err(refused)?;
        }
        same("taking back", &silent, &again)?;
    }
    if let Some(record) = record {
        let record = Record::from_json(&record.to_json()).map_err(|error| Broken(error.to_string()))?;
        let replayed = record.verify(db).map_err(|error| Broken(format!("its record: {error}")))?;
        hold(replayed.state.to_bytes() == silent.state.to_bytes(), || "its record ends elsewhere".into())?;
    }
    Ok(Played { outcome, decisions: at.get(), turns: silent.state.turn() })
}

fn same(what: &str, one: &Game, two: &Game) -> Result<(), Broken> {
    hold(one.state == two.state, || format!("{what} changes the game"))
}
