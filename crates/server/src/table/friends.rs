//! How a game of two friends flows: real tables with the usual settings on a simulated clock, played by bots that take
//! their time like people. Prints what share of the time nobody had any use for:
//!
//!     cargo test -p server --lib friends -- --nocapture
//!
//! Both watch what happens at normal speed, then think: 10 s about what to build, 4 s about any other choice, and 1 s
//! about a window in which they act or, where they visibly could, pass. Any other window takes as long as the table keeps
//! it open.

use std::time::Duration;

use bots::{Bot, BotLevel, BotSpec};
use engine::{Action, Game, Seat, Seed, Setup};
use tokio::time::{Instant, advance};

use super::two_worlds::Folder;
use super::two_worlds::world::{World, legal, on_a_paused_clock};
use crate::hall::{self, Hall};
use crate::serve::Limits;
use crate::store::Store;
use crate::wire::{Settings, Stops};

const GAMES: u64 = 24;
const BUILD: Duration = Duration::from_secs(10);
const CHOICE: Duration = Duration::from_secs(4);
const ACT: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
struct Times {
    turns: u32,
    all: Duration,
    /// Windows with a limit, and those that nobody used.
    windows: u32,
    unused: u32,
    /// From the moment an unused window opens until it closes.
    unused_open: Duration,
    /// The part of it in which there was nothing left to watch.
    unused_idle: Duration,
}

impl Times {
    fn and(self, other: Times) -> Times {
        Times {
            turns: self.turns + other.turns,
            all: self.all + other.all,
            windows: self.windows + other.windows,
            unused: self.unused + other.unused,
            unused_open: self.unused_open + other.unused_open,
            unused_idle: self.unused_idle + other.unused_idle,
        }
    }

    fn share(&self, of: Duration) -> f64 {
        100.0 * of.as_secs_f64() / self.all.as_secs_f64()
    }
}

#[test]
fn a_game_of_two_friends_is_hardly_spent_in_windows_that_nobody_uses() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).expect("a data folder");
    let sets = cards::library::sets();
    let played = std::thread::scope(|scope| {
        // The store writes in batches, so many tables at once are quicker than one.
        let game = |seed| {
            let hall = Hall::new(store.clone(), sets.clone(), &Limits::none());
            scope.spawn(move || on_a_paused_clock(play(&hall, seed)))
        };
        let games: Vec<_> = (0..GAMES).map(game).collect();
        games.into_iter().map(|game| game.join().expect("it is played")).collect::<Vec<_>>()
    });
    let times = played.into_iter().fold(Times::default(), Times::and);
    let minutes = |time: Duration| time.as_secs_f64() / 60.0 / GAMES as f64;
    let per_turn = |time: Duration| time.as_secs_f64() / f64::from(times.turns);
    println!(
        "{GAMES} games of two: {:.1} turns and {:.1} minutes each, {:.1} s per turn",
        f64::from(times.turns) / GAMES as f64,
        minutes(times.all),
        per_turn(times.all),
    );
    println!("{} windows, {} of them used by nobody", times.windows, times.unused);
    println!(
        "windows that nobody used: {:.1} % of the time, {:.1} % with nothing left to watch",
        times.share(times.unused_open),
        times.share(times.unused_idle),
    );
    assert!(times.share(times.unused_open) <= 10.0, "{times:?}");
    assert!(times.unused > 30, "{times:?}");
}

async fn play(hall: &Hall, seed: u64) -> Times {
    let mut times = Times::default();
    let settings = Settings::default();
    let cards = hall.cards(&settings).await.expect("the deck is there");
    let rules = hall::rules(&settings).expect("a game can be set up");
    let setup = Setup { rules, deck: cards.deck.id.clone(), seed: Seed::from(seed) };
    let game = Game::new(&cards.db, rules, setup.seed.0, &mut ()).expect("it can be dealt");
    let mut world = World::open(hall, &cards, &settings, &setup, game, None, &[Stops::default(); 2]).await;
    let mut bots: Vec<Box<dyn Bot>> =
        (0..2).map(|seat| BotSpec::Level(BotLevel::Boss).seat(seed * 2 + seat).expect("a bot")).collect();
    let start = Instant::now();
    while let Some(seat) = world.table.asked_seat() {
        answer(&mut world, seat, bots[seat.index()].as_mut(), &mut times).await;
    }
    times.all += start.elapsed();
    times.turns += u32::from(world.game().state.turn());
    times
}

async fn answer(world: &mut World<'_>, seat: Seat, bot: &mut dyn Bot, times: &mut Times) {
    let choices = legal(world.game());
    let action = bot.choose(&world.game().view(Some(seat)), &choices);
    let (opened, shown) = (Instant::now(), world.table.shown_until.max(Instant::now()));
    let Some(closes) = world.table.question.closes else {
        let building = world.game().is_building_time(seat);
        let think = if building { BUILD } else { CHOICE };
        advance(shown + think - opened).await;
        return world.act(seat, action).await;
    };
    times.windows += 1;
    if action != Action::Pass {
        advance((shown + ACT).min(closes - Duration::from_millis(1)) - opened).await;
        return world.act(seat, action).await;
    }
    times.unused += 1;
    // Where everyone can see that they have something to use, a pass counts at once.
    let able = world.game().seems_able(seat);
    let passes = if able { closes.min(shown + ACT) } else { closes };
    times.unused_open += passes - opened;
    times.unused_idle += passes.saturating_duration_since(shown);
    advance(passes - opened).await;
    match passes < closes {
        true => world.act(seat, action).await,
        false => world.tick().await,
    }
}
