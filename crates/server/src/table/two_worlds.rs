//! Two worlds: the same game with another hidden hand. Whoever does not see that hand, players and spectators alike,
//! is sent the same messages, byte for byte, in the same order and at the same times, and the lobby shows the same.
//!
//! Both worlds are real tables with a real store, on a clock that the test moves. The player who holds the hidden
//! hand answers alike in both, except for what nobody may notice: passing early or letting a window close (where they
//! have nothing to use that everyone can see), changing
//! stops, asking for a preview, arming cards, holding the key that asks everywhere where they are asked anyway. The
//! worlds part only when a card that differs is shown or an armed card is used; that ends a run.
//!
//! `TWO_WORLDS=20000 cargo test -p server --lib two_worlds` plays that many runs instead of a few hundred.

pub mod world;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::{Action, Actions, CardId, Game, Place, Seat, Seed, Setup, Zone};
use serde_json::Value;
use tokio::time::{Instant, advance};

use super::game::Step;
use super::windows::is_window;
use crate::frame::Frame;
use crate::hall::{self, Hall, PlayableDeck};
use crate::serve::Limits;
use crate::store::Store;
use crate::wire::{ArmedFor, ClientMsg, Clock, Settings, Spectators, StopAt, Stops, UndoRule};

use world::{World, legal, on_a_paused_clock};

/// Runs without `TWO_WORLDS`.
const RUNS: u64 = 900;
/// Positions of each run, at most.
const STEPS: u32 = 12;
/// The store writes in batches, so many tables at once are quicker than one.
const THREADS: u64 = 24;
const DECKS: [&str; 3] = ["bmr", "tnl", "mash-up"];

#[test]
fn another_hidden_hand_looks_the_same_to_everyone_else() {
    let runs = std::env::var("TWO_WORLDS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let folder = Folder::new();
    // Opened outside any runtime, so that what was stored is reported at once.
    let store = Store::open(&folder.0).expect("a data folder");
    let sets = cards::library::sets();
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(run) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|run| *run < runs) {
                    let hall = Hall::new(store.clone(), sets.clone(), &Limits::none());
                    let outcome = on_a_paused_clock(compare(&hall, run));
                    tally.lock().unwrap_or_else(PoisonError::into_inner).add(outcome);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{tally:#?}");
    assert!(tally.leaks.is_empty(), "{tally:#?}");
    let Tally { positions, unlike, messages, secret_acts, armed, .. } = tally;
    assert!(armed > runs / 20, "{armed} cards armed in one world only");
    assert!(positions >= runs * 3, "{positions} positions of {runs} runs");
    assert!(unlike * 12 > positions, "{unlike} of {positions} positions gave the worlds different answers");
    assert!(messages > positions && secret_acts > runs / 2, "{messages} messages, {secret_acts} secret acts");
}

/// However often somebody comes and goes, little is kept for those who watch with a delay.
#[test]
fn what_waits_for_spectators_is_bounded() {
    let folder = Folder::new();
    let hall =
        Hall::new(Store::open(&folder.0).expect("a data folder"), cards::library::sets(), &Limits::none());
    on_a_paused_clock(async {
        let settings = Settings { spectators: Spectators::Delayed, ..Settings::default() };
        let cards = hall.cards(&settings).await.expect("the deck is there");
        let rules = hall::rules(&settings).expect("a game can be set up");
        let setup = Setup { rules, deck: cards.deck.id.clone(), seed: Seed::from(1) };
        let game = Game::new(&cards.db, rules, setup.seed.0, &mut ()).expect("it can be dealt");
        let mut world = World::open(&hall, &cards, &settings, &setup, game, None, &[]).await;
        for _ in 0..200 {
            world.come_and_go(Seat(0)).await;
        }
        let waiting = world.table.delayed.len();
        assert!((1..20).contains(&waiting), "{waiting} messages wait");
    });
}

#[derive(Debug, Default)]
struct Tally {
    /// Questions put in both worlds.
    positions: u64,
    /// Those at which the hidden seat was asked and had other answers in the other world.
    unlike: u64,
    /// Messages compared.
    messages: u64,
    /// What was done in one world only.
    secret_acts: u64,
    /// Cards armed in one world only.
    armed: u64,
    /// By what differed: how often, and the first one.
    leaks: BTreeMap<String, (u64, String)>,
}

impl Tally {
    fn add(&mut self, run: Tally) {
        self.positions += run.positions;
        self.unlike += run.unlike;
        self.messages += run.messages;
        self.secret_acts += run.secret_acts;
        self.armed += run.armed;
        for (what, (times, first)) in run.leaks {
            self.leaks.entry(what).or_insert((0, first)).0 += times;
        }
    }
}

/// One run: a position of a random game, and the same with another hidden hand.
async fn compare(hall: &Hall, run: u64) -> Tally {
    let mut dice = Dice(run);
    let settings = Settings {
        deck: DECKS[dice.below(DECKS.len())].into(),
        players: 2 + dice.below(3) as u8,
        spectators: if dice.below(2) == 0 { Spectators::Open } else { Spectators::Delayed },
        clock: (dice.below(3) == 0).then_some(Clock { move_s: 5, reserve_s: 300 }),
        undo: [UndoRule::Own, UndoRule::Consent, UndoRule::Never][dice.below(3)],
        window_ms: 3_000,
        ..Settings::default()
    };
    let cards = hall.cards(&settings).await.expect("the deck is there");
    let rules = hall::rules(&settings).expect("a game can be set up");
    let seed = Seed::from(run);
    let setup = Setup { rules, deck: cards.deck.id.clone(), seed };
    let Some((first, hidden)) = position(&cards, &setup, &mut dice) else { return Tally::default() };
    let second = other_world(&first, hidden, &mut dice);
    // Mostly people, sometimes a bot with something to hide.
    let bot = (dice.below(8) == 0).then_some(hidden);
    let stops: Vec<Stops> = (0..settings.players).map(|_| some_stops(&mut dice)).collect();
    let mut worlds = Vec::new();
    for game in [first, second] {
        worlds.push(World::open(hall, &cards, &settings, &setup, game, bot, &stops).await);
    }
    let [one, two] = &mut worlds[..] else { unreachable!("there are two") };
    let mut pair = Pair { one, two, hidden, bot: bot.is_some(), tally: Tally::default(), run };
    pair.play(&mut dice).await;
    pair.tally
}

/// A position of a random game, and whose hand is hidden: usually that of the player asked.
fn position<'a>(cards: &'a PlayableDeck, setup: &Setup, dice: &mut Dice) -> Option<(Game<'a>, Seat)> {
    let mut game = Game::new(&cards.db, setup.rules, setup.seed.0, &mut ()).ok()?;
    let mut actions = Actions::new();
    if dice.below(8) == 0 {
        // From the deal: everyone has something to decide.
        return Some((game, Seat(dice.below(usize::from(setup.rules.players)) as u8)));
    }
    for _ in 0..dice.below(160) {
        let before = game.clone();
        game.legal(&mut actions);
        game.apply(dice.pick_eager(&actions), &mut ()).ok()?;
        if game.decision().is_none() {
            game = before;
            break;
        }
    }
    // In a window, being asked says nothing about a hand; elsewhere the question may follow from it. Best is one in
    // which the player could use a card that lies open, which may have to be paid for with the hand.
    let wants_use = dice.below(4) > 0;
    let mut decision = game.decision()?;
    for left in (0..60).rev() {
        game.legal(&mut actions);
        let suits = !wants_use || left < 20 || actions.iter().any(|action| is_open_use(&game, *action));
        if is_window(decision.question) && suits {
            break;
        }
        game.apply(dice.pick_eager(&actions), &mut ()).ok()?;
        decision = game.decision()?;
    }
    if !is_window(decision.question) {
        return None;
    }
    let hidden = if dice.below(4) > 0 {
        decision.seat
    } else {
        let seats: Vec<Seat> = game.state.order().to_vec();
        seats[dice.below(seats.len())]
    };
    Some((game, hidden))
}

/// If possible, one in which the player has other answers.
fn other_world<'a>(game: &Game<'a>, hidden: Seat, dice: &mut Dice) -> Game<'a> {
    let mut other = game.with_other_secrets(hidden, dice.next());
    for _ in 0..4 {
        if legal(&other)[..] != legal(game)[..] {
            break;
        }
        other = game.with_other_secrets(hidden, dice.next());
    }
    other
}

/// Something that the player could arm.
fn some_wish(game: &Game, seat: Seat, dice: &mut Dice) -> Option<(u16, ArmedFor)> {
    let cards = game.armable(seat);
    let card = cards.get(dice.below(cards.len().max(1)))?;
    let (state, owner) =
        (&game.state, Some(game.state.active()).filter(|seat| seat.exists()).unwrap_or(seat));
    let room = state.slots(owner).get(dice.below(5));
    let hero = [Place::inside(owner), Place::entrance(owner), Place::TOWN];
    let hero = hero.into_iter().find_map(|place| state.pile(place).next());
    Some((
        card.0,
        match (dice.below(3), room, hero) {
            (0, Some(room), _) => ArmedFor::HeroInRoom { room: room.0 },
            (1, _, Some(hero)) => ArmedFor::HeroSurvives { hero: hero.0 },
            _ => ArmedFor::NextChance,
        },
    ))
}

fn some_stops(dice: &mut Dice) -> Stops {
    let usual = Stops::default();
    match dice.below(7) {
        0 | 3 => Stops { windows: StopAt::Every, ..usual },
        1 => Stops { windows: StopAt::Never, ..usual },
        2 => Stops { answer_spells: false, ..usual },
        _ => usual,
    }
}

/// What a player does with a question, and when.
#[derive(Clone, Copy, PartialEq)]
enum Plan {
    Wait,
    Answer(Action, Duration),
}

/// The two worlds, moved on together.
struct Pair<'w, 'a> {
    one: &'w mut World<'a>,
    two: &'w mut World<'a>,
    hidden: Seat,
    bot: bool,
    tally: Tally,
    run: u64,
}

impl Pair<'_, '_> {
    async fn play(&mut self, dice: &mut Dice) {
        for step in 0..STEPS {
            if self.differ_openly() || !self.compare(step) {
                return;
            }
            let Some(seat) = self.one.table.asked_seat() else { return };
            self.tally.positions += 1;
            if seat == self.hidden && legal(self.one.game())[..] != legal(self.two.game())[..] {
                self.tally.unlike += 1;
            }
            let Some(plans) = self.plan(seat, dice) else { return };
            if seat != self.hidden || dice.below(2) == 0 {
                self.meddle(dice).await;
                if self.differ_openly() {
                    return;
                }
            }
            self.run_until_answered(seat, plans).await;
        }
        if !self.differ_openly() && self.compare(STEPS) && !self.bot {
            // What spectators with a delay have not been shown yet. A bot would go on, and decide by its hand.
            self.run_for(Duration::from_secs(61)).await;
            if !self.differ_openly() {
                self.compare(STEPS + 1);
            }
        }
    }

    /// What the player asked does in each world; `None` if their answers have nothing in common.
    fn plan(&mut self, seat: Seat, dice: &mut Dice) -> Option<[Plan; 2]> {
        if self.bot && seat == self.hidden {
            // It decides by its hand.
            let alike = self.one.table.question.decided == self.two.table.question.decided;
            return alike.then_some([Plan::Wait; 2]);
        }
        let (one, two) = (legal(self.one.game()), legal(self.two.game()));
        let alike = |action: &Action| {
            two.contains(action) && {
                let card = match *action {
                    Action::Use { card, .. } | Action::Build { card, .. } => Some(card),
                    Action::Pick(picked) => picked.as_card(),
                    _ => None,
                };
                card.is_none_or(|card| self.one.game().def_id(card) == self.two.game().def_id(card))
            }
        };
        let common: Vec<Action> = one.iter().copied().filter(alike).collect();
        let think = Duration::from_millis(300 + 100 * dice.below(60) as u64);
        let window = self.one.table.question.closes.is_some();
        let mut action = *common.get(dice.below(common.len().max(1)))?;
        let open_use = common.iter().find(|action| is_open_use(self.one.game(), **action));
        match (dice.below(4), open_use) {
            (0..2, Some(open_use)) => action = *open_use,
            (2, _) if window => action = Action::Pass,
            _ => {}
        }
        let plan = Plan::Answer(action, think);
        let openly = window && self.one.game().seems_able(seat);
        if action != Action::Pass || !window || seat != self.hidden || openly {
            return Some([plan; 2]);
        }
        // An early pass is a secret, unless everyone can see that there is something to use.
        Some(match dice.below(4) {
            0 => [plan; 2],
            1 => [Plan::Wait; 2],
            2 => {
                self.tally.secret_acts += 1;
                [plan, Plan::Wait]
            }
            _ => {
                self.tally.secret_acts += 1;
                [Plan::Wait, plan]
            }
        })
    }

    /// In one world only, the hidden player does something that concerns nobody else.
    async fn meddle(&mut self, dice: &mut Dice) {
        if self.bot {
            return;
        }
        let hidden = self.hidden;
        let world = if dice.below(2) == 0 { &mut *self.one } else { &mut *self.two };
        let stops = world.table.seats[hidden.index()].stops;
        let asked_anyway = stops.windows == StopAt::Every;
        let message = match dice.below(8) {
            0 => ClientMsg::Stops { stops },
            1 => ClientMsg::Preview { seq: world.table.seq, index: 0 },
            2 => ClientMsg::Refresh,
            3 => ClientMsg::PassOn { until: None, seq: None },
            4 if asked_anyway => ClientMsg::AskEverywhere { on: dice.below(2) == 0 },
            5 | 6 => {
                let Some((card, when)) = some_wish(world.game(), hidden, dice) else { return };
                self.tally.armed += 1;
                ClientMsg::Arm { card, when: Some(when) }
            }
            _ => return,
        };
        self.tally.secret_acts += 1;
        world.send(hidden, message).await;
    }

    /// Moves the clock until the question is answered in both worlds, or in one of them long before the other.
    async fn run_until_answered(&mut self, seat: Seat, plans: [Plan; 2]) {
        let start = Instant::now();
        let questions = [self.one.table.question.ticket, self.two.table.question.ticket];
        let mut plans = plans;
        loop {
            let mut next = start + Duration::from_secs(40);
            let mut open = false;
            for (at, world) in [&mut *self.one, &mut *self.two].into_iter().enumerate() {
                if world.table.question.ticket != questions[at] {
                    continue;
                }
                open = true;
                next = next.min(world.table.deadline());
                if let Plan::Answer(_, after) = plans[at] {
                    next = next.min(start + after);
                }
            }
            if !open || start.elapsed() >= Duration::from_secs(40) {
                return;
            }
            advance(next.saturating_duration_since(Instant::now())).await;
            for (at, world) in [&mut *self.one, &mut *self.two].into_iter().enumerate() {
                if world.table.question.ticket == questions[at]
                    && let Plan::Answer(action, after) = plans[at]
                    && start.elapsed() >= after
                {
                    plans[at] = Plan::Wait;
                    world.act(seat, action).await;
                }
                world.tick().await;
            }
        }
    }

    /// Nobody answers anything for a while.
    async fn run_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let next = self.one.table.deadline().min(self.two.table.deadline()).min(end);
            advance(next.saturating_duration_since(Instant::now())).await;
            self.one.tick().await;
            self.two.tick().await;
        }
    }

    /// Somebody else has seen a card that is another one in the other world: from here on the games differ.
    fn differ_openly(&self) -> bool {
        let (one, two) = (self.one.game(), self.two.game());
        let players = one.state.rules().players;
        let others = || (0..players).map(Seat).filter(|seat| *seat != self.hidden).map(Some).chain([None]);
        // Each world may have armed another card.
        let used = |world: &World| -> Vec<Action> {
            let steps = &world.table.live.as_ref().expect("a game").steps;
            let mine = |step: &&Step| step.seat == self.hidden && matches!(step.action, Action::Use { .. });
            steps.iter().filter(mine).map(|step| step.action).collect()
        };
        if used(self.one) != used(self.two) {
            return true;
        }
        let shown =
            |card: CardId| others().any(|viewer| one.has_seen(card, viewer) && two.has_seen(card, viewer));
        one.state.card_ids().any(|card| one.def_id(card) != two.def_id(card) && shown(card))
    }

    /// `false` if anybody else can tell the worlds apart.
    fn compare(&mut self, step: u32) -> bool {
        let mut told = None;
        let people = self.one.people.iter().zip(&self.two.people).enumerate();
        for (viewer, (one, two)) in people.filter(|(viewer, _)| *viewer != self.hidden.index()) {
            let (one, two) = (one.1.messages(), two.1.messages());
            self.tally.messages += one.len().max(two.len()) as u64;
            told = told.or_else(|| difference(&one, &two).map(|what| (viewer, what)));
        }
        let lobbies = [&*self.one, &*self.two].map(|world| world.lobby.borrow().clone());
        if told.is_none() && lobbies[0] != lobbies[1] {
            told = Some((usize::MAX, ("lobby".into(), format!("{lobbies:?}"))));
        }
        let Some((viewer, (what, how))) = told else { return true };
        // A card that differs was shown and is hidden again already.
        if what.ends_with(".face") {
            return false;
        }
        let game = self.one.game();
        let words = format!(
            "run {}, step {step}: viewer {viewer} sees the difference of seat {}'s hand, turn {}, {:?} against {:?}: {how}",
            self.run,
            self.hidden.0,
            game.state.turn(),
            game.decision(),
            self.two.game().decision(),
        );
        self.tally.leaks.insert(what, (1, words));
        false
    }
}

/// The first difference: what it is about, and in full.
fn difference(one: &[(Instant, Frame)], two: &[(Instant, Frame)]) -> Option<(String, String)> {
    for at in 0..one.len().max(two.len()) {
        let (Some((when, what)), Some((then, that))) = (one.get(at), two.get(at)) else {
            let more = one.get(at).or(two.get(at)).map(|(_, frame)| text(frame)).unwrap_or_default();
            return Some((
                "traffic".into(),
                format!("one more: {}", more.chars().take(300).collect::<String>()),
            ));
        };
        if what.text() != that.text() {
            let (one, two) = (text(what), text(that));
            let parse = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
            let kind = |text: &str| parse(text)["type"].to_string();
            if kind(&one) != kind(&two) {
                return Some(("traffic".into(), format!("{} against {}", kind(&one), kind(&two))));
            }
            let (path, here, there) = first_difference(&parse(&one), &parse(&two), String::new())
                .unwrap_or_else(|| ("order".into(), one.clone(), two.clone()));
            let cut = |text: String| text.chars().take(200).collect::<String>();
            return Some((format!("content: {path}"), format!("{} against {}", cut(here), cut(there))));
        }
        if when != then {
            return Some(("time".into(), format!("{:?} apart", *when.max(then) - *when.min(then))));
        }
    }
    None
}

fn text(frame: &Frame) -> String {
    String::from_utf8_lossy(frame.text()).into_owned()
}

/// Where two messages differ first.
fn first_difference(one: &Value, two: &Value, path: String) -> Option<(String, String, String)> {
    match (one, two) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys());
            let get = |from: &serde_json::Map<String, Value>, key: &str| {
                from.get(key).cloned().unwrap_or(Value::Null)
            };
            keys.into_iter()
                .find_map(|key| first_difference(&get(a, key), &get(b, key), format!("{path}.{key}")))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).find_map(|(a, b)| first_difference(a, b, path.clone()))
        }
        _ => (one != two).then(|| (path, one.to_string(), two.to_string())),
    }
}

/// An ability of a card that everyone sees.
fn is_open_use(game: &Game, action: Action) -> bool {
    matches!(action, Action::Use { card, .. } if game.state.card(card).place.zone() != Zone::Hand)
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    /// Passes less than chance would, so that games last and much is in play.
    fn pick_eager(&mut self, actions: &Actions) -> Action {
        let action = actions[self.below(actions.len())];
        if action == Action::Pass && actions.len() > 1 && self.below(4) > 0 {
            return actions[1 + self.below(actions.len() - 1)];
        }
        action
    }
}

/// A data folder that is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static FOLDERS: AtomicU64 = AtomicU64::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("lair-two-worlds-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
