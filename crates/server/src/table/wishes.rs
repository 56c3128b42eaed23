//! Tests of what players say about being asked: armed cards, passing on, the key that asks everywhere. Real tables at
//! positions of random games, on a clock that the test moves.

use std::time::Duration;

use engine::{Action, Condition, Game, Granted, Seat, Seed, Setup, Wish};
use tokio::time::{Instant, advance};

use super::two_worlds::Folder;
use super::two_worlds::world::{World, legal, on_a_paused_clock};
use super::windows::is_window;
use crate::hall::{self, Hall, PlayableDeck};
use crate::serve::Limits;
use crate::store::Store;
use crate::wire::{ArmedFor, ClientMsg, PassUntil, ServerMsg, Settings, StopAt, Stops, You};

const EVERY: Stops = Stops { windows: StopAt::Every, answer_spells: true };
const NEVER: Stops = Stops { windows: StopAt::Never, answer_spells: true };

fn with_a_hall(work: impl AsyncFnOnce(&Hall)) {
    let folder = Folder::new();
    let store = Store::open(&folder.0).expect("a data folder");
    let hall = Hall::new(store, cards::library::sets(), &Limits::none());
    on_a_paused_clock(work(&hall));
}

fn table() -> Settings {
    Settings { players: 2, window_ms: 2_000, ..Settings::default() }
}

/// The first position of some random game that suits.
fn find<'a, T>(
    cards: &'a PlayableDeck,
    suits: impl Fn(&Game<'a>, Seat) -> Option<T>,
) -> (Game<'a>, Setup, Seat, T) {
    let rules = hall::rules(&table()).expect("a game can be set up");
    for seed in 0..400 {
        let setup = Setup { rules, deck: cards.deck.id.clone(), seed: Seed::from(seed) };
        let mut game = Game::new(&cards.db, rules, setup.seed.0, &mut ()).expect("it can be dealt");
        for step in 0..120_u64 {
            let Some(decision) = game.decision() else { break };
            if is_window(decision.question)
                && !game.is_building_time(decision.seat)
                && let Some(found) = suits(&game, decision.seat)
            {
                return (game, setup, decision.seat, found);
            }
            let legal = legal(&game);
            let pick = (seed + 7 * step) as usize % legal.len();
            game.apply(legal[pick], &mut ()).expect("it is legal");
        }
    }
    panic!("no position of 400 games suits");
}

/// A card that could be used here, and how it would be if it were armed.
fn armed_here(game: &Game, seat: Seat, free: bool) -> Option<(Wish, Action)> {
    let legal = legal(game);
    let wishes =
        game.armable(seat).into_iter().filter_map(|card| game.wish(seat, card, Condition::NextChance));
    wishes.into_iter().find_map(|wish| match game.granted(seat, &wish, &legal)? {
        Granted::Use(action) if free => Some((wish, action)),
        Granted::Ask(action) if !free => Some((wish, action)),
        _ => None,
    })
}

fn told(world: &World, seat: Seat) -> Vec<ServerMsg> {
    let messages = world.people[seat.index()].1.messages();
    messages.iter().map(|(_, frame)| serde_json::from_slice(frame.text()).expect("a message")).collect()
}

fn you(world: &World, seat: Seat) -> You {
    let found = told(world, seat).into_iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } | ServerMsg::Table { you, .. } => Some(you),
        _ => None,
    });
    found.expect("everyone is told who they are")
}

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

/// The table waits as long for a player with nothing to do as for one with options, and a quick pass reveals nothing.
#[test]
fn a_window_lasts_the_same_whatever_is_in_the_hand() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        for able in [true, false] {
            let (game, setup, seat, ()) =
                find(&cards, |game, _| ((legal(game).len() > 1) == able).then_some(()));
            let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
            let (opened, open) = (Instant::now(), Duration::from_millis(2_000));
            let closes = world.table.question.closes.expect("the window closes");
            assert_eq!(closes, (opened + open).max(world.table.shown_until + open / 2));
            let seq = world.table.seq;
            world.act(seat, Action::Pass).await;
            advance(closes - opened - Duration::from_millis(1)).await;
            world.tick().await;
            assert_eq!(world.table.seq, seq, "an early pass takes effect when the window closes");
            advance(Duration::from_millis(1)).await;
            world.tick().await;
            assert!(world.table.seq > seq);
        }
    });
}

/// What has just happened is shown first; then half of the window at least is left.
#[test]
fn a_window_stays_open_until_everyone_has_seen_what_it_is_about() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let (game, setup, seat, ()) = find(&cards, |game, _| (game.state.turn() > 1).then_some(()));
        let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
        let mut longer = 0;
        for _ in 0..200 {
            let Some(asked) = world.table.asked_seat() else { break };
            let (now, shown) = (Instant::now(), world.table.shown_until);
            assert!(shown <= now + super::pace::LONGEST);
            let Some(closes) = world.table.question.closes else {
                let choices = legal(world.game());
                world.act(asked, choices[choices.len() - 1]).await;
                continue;
            };
            assert!(closes >= now + Duration::from_secs(2) && closes >= shown + Duration::from_millis(500));
            longer += u32::from(closes > now + Duration::from_secs(2));
            advance(closes - now).await;
            world.tick().await;
        }
        assert!(longer > 0, "after seat {} something takes long to show", seat.0);
    });
}

#[test]
fn an_armed_card_that_needs_no_choice_is_used_by_the_table() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let (game, setup, seat, (wish, action)) = find(&cards, |game, seat| armed_here(game, seat, true));
        let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
        let when = Some(ArmedFor::NextChance);
        world.send(seat, ClientMsg::Arm { card: wish.card.0, when }).await;
        let steps = &world.table.live.as_ref().expect("a game").steps;
        assert!(steps.iter().any(|step| step.seat == seat && step.action == action), "it is used at once");
        assert!(you(&world, seat).armed.is_empty(), "and armed no longer");
    });
}

#[test]
fn an_armed_card_with_a_choice_asks_its_owner_and_nobody_else_can_tell() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let (game, setup, seat, (wish, action)) = find(&cards, |game, seat| armed_here(game, seat, false));
        let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
        let (before, closes) = (told(&world, other(seat)).len(), world.table.question.closes);
        let when = Some(ArmedFor::NextChance);
        world.send(seat, ClientMsg::Arm { card: wish.card.0, when }).await;
        // The window is open already, and other stops do not close it.
        world.send(seat, ClientMsg::Stops { stops: NEVER }).await;
        assert_eq!(world.table.asked_seat(), Some(seat));
        assert_eq!(world.table.question.closes, closes, "the window lasts as long as it would have");
        assert_eq!(told(&world, other(seat)).len(), before, "nobody else is told anything");
        // It survives a new connection, which is shown what to use.
        world.send(seat, ClientMsg::Refresh).await;
        assert_eq!(you(&world, seat).armed.len(), 1);
        let asked = told(&world, seat).into_iter().rev().find_map(|message| match message {
            ServerMsg::Update(update) => update.ask,
            _ => None,
        });
        let index = asked.and_then(|ask| ask.armed).expect("the card is picked out");
        assert_eq!(legal(world.game())[index as usize], action);
        // Passing ends it, with a line to its owner alone.
        let left = closes.expect("the window closes") - Instant::now();
        advance(left).await;
        world.tick().await;
        assert!(you(&world, seat).armed.is_empty());
        let lines = |seat| {
            told(&world, seat).iter().filter(|message| matches!(message, ServerMsg::Disarmed { .. })).count()
        };
        assert_eq!((lines(seat), lines(other(seat))), (1, 0));
    });
}

#[test]
fn a_card_is_disarmed_by_its_owner_and_only_cards_with_a_use_can_be_armed() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let (game, setup, seat, (wish, _)) = find(&cards, |game, seat| armed_here(game, seat, false));
        let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
        let arm = |card, when| ClientMsg::Arm { card, when };
        world.send(seat, arm(wish.card.0, Some(ArmedFor::NextChance))).await;
        assert_eq!(you(&world, seat).armed.len(), 1);
        world.send(seat, arm(wish.card.0, None)).await;
        assert!(you(&world, seat).armed.is_empty());
        let strange = world.game().armable(other(seat)).first().map_or(u16::MAX, |card| card.0);
        for (card, when) in [
            (strange, ArmedFor::NextChance),
            (u16::MAX, ArmedFor::NextChance),
            (wish.card.0, ArmedFor::HeroSurvives { hero: wish.card.0 }),
            (wish.card.0, ArmedFor::HeroInRoom { room: u16::MAX }),
        ] {
            world.send(seat, arm(card, Some(when))).await;
            assert!(matches!(told(&world, seat).last(), Some(ServerMsg::Refused { .. })), "{card} {when:?}");
        }
        assert!(you(&world, seat).armed.is_empty());
    });
}

/// Lets the game run, everyone passing, until `seat` is asked in a window other than at their time to build.
async fn asked_again(world: &mut World<'_>, seat: Seat) -> Option<u16> {
    for _ in 0..400 {
        let asked = world.table.asked_seat()?;
        let game = world.game();
        let window = is_window(game.decision().expect("somebody is asked").question);
        if asked == seat && window && !game.is_building_time(seat) {
            return Some(game.state.turn());
        }
        match world.table.question.closes {
            Some(closes) => {
                advance(closes.saturating_duration_since(Instant::now())).await;
                world.tick().await;
            }
            None => {
                let choices = legal(world.game());
                world.act(asked, choices[choices.len() - 1]).await;
            }
        }
    }
    None
}

#[test]
fn passing_on_ends_with_the_turn_with_the_next_hero_or_with_what_concerns_the_player() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        for until in [PassUntil::Turn, PassUntil::Hero, PassUntil::Concern] {
            let walking = |game: &Game, _| game.state.present(game.state.walk().hero);
            let (game, setup, seat, hero) = find(&cards, walking);
            let mut world = World::open(hall, &cards, &table(), &setup, game, None, &[EVERY; 2]).await;
            let (turn, seq) = (world.game().state.turn(), world.table.seq);
            world.send(seat, ClientMsg::PassOn { until: Some(until), seq: Some(seq) }).await;
            assert_eq!(you(&world, seat).passing, Some(until));
            assert_eq!(you(&world, other(seat)).passing, None, "nobody else is told");
            // The question itself is passed when its window closes.
            let closes = world.table.question.closes.expect("the window closes");
            advance(closes - Instant::now()).await;
            world.tick().await;
            let Some(then) = asked_again(&mut world, seat).await else { continue };
            assert_eq!(you(&world, seat).passing, None, "it is over, and its owner knows");
            let walker = world.game().state.present(world.game().state.walk().hero);
            match until {
                PassUntil::Turn => assert!(then > turn),
                PassUntil::Hero => assert!(then > turn || walker != Some(hero)),
                PassUntil::Concern => {
                    let question = world.game().decision().expect("somebody is asked").question;
                    assert!(world.game().occasion(seat, question).is_some());
                }
            }
        }
    });
}

#[test]
fn whoever_holds_the_key_is_asked_everywhere() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let quiet = |game: &Game, seat| {
            let question = game.decision()?.question;
            game.occasion(seat, question).is_none().then_some(question)
        };
        let (game, setup, seat, question) = find(&cards, quiet);
        let mut world = World::open(hall, &cards, &table(), &setup, game.clone(), None, &[EVERY; 2]).await;
        let wants = |world: &World| world.table.seats[seat.index()].wants_to_be_asked(&game, seat, question);
        world.table.seats[seat.index()].stops = Stops::default();
        assert!(!wants(&world));
        world.send(seat, ClientMsg::AskEverywhere { on: true }).await;
        assert!(wants(&world));
        world.send(seat, ClientMsg::AskEverywhere { on: false }).await;
        assert!(!wants(&world));
        assert_eq!(world.table.asked_seat(), Some(seat), "what is asked already stays asked");
        // Whoever loses the connection has let go.
        world.send(seat, ClientMsg::AskEverywhere { on: true }).await;
        let gone = world.people[seat.index()].0;
        world.table.command(super::Command::Leave(gone)).await;
        assert!(!wants(&world));
    });
}

#[test]
fn alone_with_bots_passing_on_takes_no_time() {
    with_a_hall(async |hall| {
        let cards = hall.cards(&table()).await.expect("the deck is there");
        let (game, setup, seat, ()) = find(&cards, |game, _| (legal(game).len() > 1).then_some(()));
        let bot = Some(other(seat));
        let mut world = World::open(hall, &cards, &table(), &setup, game, bot, &[EVERY; 2]).await;
        assert_eq!(world.table.asked_seat(), Some(seat));
        let (start, seq) = (Instant::now(), world.table.seq);
        world.send(seat, ClientMsg::PassOn { until: Some(PassUntil::Turn), seq: Some(seq) }).await;
        assert!(world.table.seq > seq, "the question is passed");
        assert!(start.elapsed() < Duration::from_millis(1));
    });
}
