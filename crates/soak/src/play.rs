//! Plays one game to its end, and checks at every step what must hold.
//!
//! What costs little is checked in every game. The rest is checked in every game whose number is a
//! multiple of its rate, or in all of them if the run is `thorough`.

use std::cell::Cell;

use cards::Deck;
use engine::record::{Record, SeatText};
use engine::{Action, Actions, Dealer, Event, Game, Outcome, Setup};

use contract::follow::Follower;
use contract::twin::Twin;
use contract::{BOUND, Broken, Dice, Kept, hold, secrets, step};

/// Checks that are not made in every game: name, and one game in how many.
pub const RATES: [(&str, u64); 7] = [
    ("each listed answer is tried on a copy", 8),
    ("events tell where every card is", 8),
    ("a twin is asked every question", 8),
    ("a record replays to the same bytes", 4),
    ("samples of views look the same and allow the same", 32),
    ("events and views name only what was seen", 32),
    ("another hand brings the others the same questions", 8),
];

/// After so many answers players pass when they can.
const PATIENCE: usize = 2_000;

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
    let mut run = Run::begin(dealer, setup, deck, number, plan)?;
    while let Some(decision) = run.silent.decision() {
        at.set(at.get() + 1);
        let source = decision.source.map(|card| run.silent.name(card));
        run.step(at.get()).map_err(|Broken(what)| {
            let because = source.unwrap_or("the rules");
            Broken(format!("{what} (asked {:?} because of {because})", decision.question))
        })?;
    }
    run.finish(at.get())
}

/// A game in play, with everything that is kept to check it.
struct Run<'a> {
    plan: Plan,
    number: u64,
    /// Of the game: what is drawn for a check does not depend on which others are made.
    seed: u64,
    dice: Dice,
    silent: Game<'a>,
    /// The same with a log.
    logged: Game<'a>,
    events: Vec<Event>,
    legal: Actions,
    twin: Option<Twin<'a>>,
    record: Option<Record>,
    follower: Option<Follower>,
    /// One earlier position, drawn evenly from all, and what was answered since.
    earlier: Option<Game<'a>>,
    since: Vec<Action>,
    compared: secrets::Tally,
}

impl<'a> Run<'a> {
    fn begin(
        dealer: &Dealer<'a>,
        setup: &Setup,
        deck: &Deck,
        number: u64,
        plan: Plan,
    ) -> Result<Run<'a>, Broken> {
        let (key, seed, rules) = (setup.seed.0, setup.seed.number(), setup.rules);
        let mut events: Vec<Event> = Vec::new();
        let silent = dealer.deal(key, &mut ());
        let logged = dealer.deal(key, &mut events);
        step::sound(&silent)?;
        same("the log", &silent, &logged)?;
        let twin = (plan.has(2) && !rules.cover).then(|| {
            let mut all = rules;
            all.ask_all = true;
            Game::new(silent.db, all, key, &mut ()).map(Twin::new)
        });
        let twin = twin.transpose().map_err(|error| Broken(error.to_string()))?;
        let record = plan.has(3).then(|| {
            let seat = |n| SeatText { name: format!("p{n}"), kind: "random".into() };
            Record::new(rules, setup.seed, deck, silent.db, (1..=rules.players).map(seat).collect())
        });
        let follower = plan.has(1).then(|| Follower::of(&logged));
        Ok(Run {
            plan,
            number,
            seed,
            dice: Dice::nth(seed, number),
            silent,
            logged,
            events,
            legal: Actions::new(),
            twin,
            record,
            follower,
            earlier: None,
            since: Vec::new(),
            compared: secrets::Tally::default(),
        })
    }

    /// Checks the present decision, answers it, and checks what that did.
    fn step(&mut self, steps: usize) -> Kept {
        let Run { plan, silent, logged, legal, .. } = self;
        let dice_for = |check: u64| Dice::nth(self.seed ^ check, steps as u64);
        hold(steps < BOUND, || "the game does not end".into())?;
        silent.legal(legal);
        step::asked(silent, legal)?;
        step::plain(silent, legal)?;
        if let Some(twin) = &mut self.twin {
            twin.catch_up(silent)?;
        }
        if plan.has(0) {
            step::every_answer(silent, legal)?;
        }
        if steps.is_multiple_of(11) {
            step::refusals(silent, legal, 4, &mut dice_for(1))?;
            step::bytes(silent)?;
        }
        if plan.has(4) {
            secrets::samples(silent, dice_for(2).number())?;
        }
        if plan.has(5) {
            secrets::shown(logged, &self.events)?;
        }
        if plan.has(6) && silent.state.rules().cover {
            secrets::another_hand(silent, self.number, &mut dice_for(3), &mut self.compared)?;
        }
        if dice_for(4).one_in(steps) {
            match &mut self.earlier {
                Some(game) => game.clone_from(silent),
                None => self.earlier = Some(silent.clone()),
            }
            self.since.clear();
        }
        let action = match self.number % 4 {
            // Two players could pay each other the same coin for ever: in the end everybody tires of it.
            _ if steps > PATIENCE && legal[0] == Action::Pass && !self.dice.one_in(8) => Action::Pass,
            0 => self.dice.pick(legal),
            1 | 2 => self.dice.pick_eager(legal),
            _ => self.dice.pick_busy(legal),
        };
        self.answer(action)
    }

    fn answer(&mut self, action: Action) -> Kept {
        let Run { silent, logged, events, .. } = self;
        events.clear();
        let refused = |error| Broken(format!("{action:?} is listed and refused: {error}"));
        silent.apply(action, &mut ()).map_err(refused)?;
        logged.apply(action, events).map_err(refused)?;
        self.since.push(action);
        same("the log", silent, logged)?;
        step::sound(silent)?;
        if let Some(twin) = &mut self.twin {
            twin.apply(action)?;
        }
        if let Some(follower) = &mut self.follower {
            follower.follow(events, logged)?;
        }
        if let Some(record) = &mut self.record {
            record.push(action, silent);
        }
        Ok(())
    }

    /// The game is over: what must hold then, and what can be played again.
    fn finish(mut self, decisions: usize) -> Result<Played, Broken> {
        let silent = &self.silent;
        let outcome = step::over(silent, &self.events)?;
        step::bytes(silent)?;
        if let Some(twin) = &mut self.twin {
            twin.catch_up(silent)?;
        }
        if let Some(mut again) = self.earlier {
            for action in self.since {
                let refused = |error| Broken(format!("taken back, {action:?} is refused: {error}"));
                again.apply(action, &mut ()).map_err(refused)?;
            }
            same("taking back", silent, &again)?;
        }
        if let Some(record) = self.record {
            let record = Record::from_json(&record.to_json()).map_err(|error| Broken(error.to_string()))?;
            let replayed =
                record.verify(silent.db).map_err(|error| Broken(format!("its record: {error}")))?;
            let same = replayed.state.to_bytes() == silent.state.to_bytes();
            hold(same, || "its record ends elsewhere".into())?;
        }
        Ok(Played { outcome, decisions, turns: silent.state.turn() })
    }
}

fn same(what: &str, one: &Game, two: &Game) -> Kept {
    hold(one.state == two.state, || format!("{what} changes the game"))
}
