//! The players in a bot's simulations: fast, and sensible enough that the results mean something. They
//! build what looks strong, or the best of a few by the network, use a card now and then, and otherwise
//! pass.

use cards::db::Def;
use cards::vocabulary::Kind;
use engine::{Action, Actions, Game, Question, SeatSet};

use crate::BotRng;
use crate::network::{Net, chances};
use crate::scratch::BuildScratch;

/// How often they use a card rather than pass.
const USES: f64 = 0.1;
/// How often they promote a miniboss, or give up a room for a coin.
const TRADES: f64 = 0.25;
/// How often they cancel a spell when they can.
const CANCELS: f64 = 0.5;
/// How often they say yes.
const AGREES: f64 = 0.8;

/// Random builds that the network compares with the one that looks strong.
const OTHERS: usize = 3;

/// What a dungeon gains by a miniboss that can be paid; one that cannot is a room not built.
const MINIBOSS: i32 = 6;

/// The most answers given in one game.
const MOST: usize = 4_000;

/// Plays to the end of the game.
pub fn play_out(game: &mut Game, legal: &mut Actions, rng: &mut BotRng) {
    play_while(game, legal, rng, |_| true, strong);
}

/// Plays to the end of the turn, or of the game. These seats choose their rooms by the network, which is slower but
/// better.
pub(crate) fn play_turn_by<'a>(
    net: &Net,
    guided: SeatSet,
    game: &mut Game<'a>,
    legal: &mut Actions,
    rng: &mut BotRng,
    spare: &mut BuildScratch<'a>,
) {
    let turn = game.state.turn();
    let promising = |game: &Game<'a>, builds: &[Action], rng: &mut BotRng| {
        let chooses = game.decision().is_some_and(|decision| guided.has(decision.seat));
        if chooses { promising(net, game, builds, rng, spare) } else { strong(game, builds, rng) }
    };
    play_while(game, legal, rng, |game| game.state.turn() == turn, promising);
}

fn play_while<'a>(
    game: &mut Game<'a>,
    legal: &mut Actions,
    rng: &mut BotRng,
    goes_on: impl Fn(&Game) -> bool,
    mut build: impl FnMut(&Game<'a>, &[Action], &mut BotRng) -> Action,
) {
    for _ in 0..MOST {
        let Some(decision) = game.decision().filter(|_| goes_on(game)) else { return };
        game.legal(legal);
        let action = pick(game, decision.question, legal, rng, &mut build);
        if game.apply(action, &mut ()).is_err() {
            return;
        }
    }
}

fn pick<'a>(
    game: &Game<'a>,
    question: Question,
    legal: &Actions,
    rng: &mut BotRng,
    mut build: impl FnMut(&Game<'a>, &[Action], &mut BotRng) -> Action,
) -> Action {
    match question {
        Question::Act => {
            let uses = legal.iter().filter(|action| matches!(action, Action::Use { .. })).count();
            // The list is sorted: passing, uses, builds, and what coins are for.
            let trades = legal.iter().rev().take_while(|action| is_trade(**action)).count();
            let builds = legal.len() - trades - uses - 1;
            if uses > 0 && rng.unit() < USES {
                legal[1 + rng.below(uses)]
            } else if trades > 0 && rng.unit() < TRADES {
                legal[legal.len() - 1 - rng.below(trades)]
            } else if builds > 0 {
                build(game, &legal[1 + uses..legal.len() - trades], rng)
            } else {
                Action::Pass
            }
        }
        Question::Cancel if legal.len() < 2 || rng.unit() >= CANCELS => Action::Pass,
        Question::Cancel => legal[1 + rng.below(legal.len() - 1)],
        Question::FirstRoom if legal.len() > 1 => build(game, &legal[1..], rng),
        Question::May | Question::Machinations => {
            if rng.unit() < AGREES {
                Action::Yes
            } else {
                Action::No
            }
        }
        _ => legal[rng.below(legal.len())],
    }
}

fn is_trade(action: Action) -> bool {
    matches!(action, Action::Promote { .. } | Action::Sell { .. } | Action::TakeBack { .. })
}

/// The best of a few random builds: good, but varied.
fn strong(game: &Game, builds: &[Action], rng: &mut BotRng) -> Action {
    let mut best = (i32::MIN, builds[0]);
    for _ in 0..3 {
        let action = builds[rng.below(builds.len())];
        let gain = build_gain(game, action);
        if gain > best.0 {
            best = (gain, action);
        }
    }
    best.1
}

/// The build, out of a few, that would give the builder the best chance if it were revealed now.
fn promising<'a>(
    net: &Net,
    game: &Game<'a>,
    builds: &[Action],
    rng: &mut BotRng,
    spare: &mut BuildScratch<'a>,
) -> Action {
    let BuildScratch { built, ahead } = spare;
    let strong = strong(game, builds, rng);
    let Some(seat) = game.decision().map(|decision| decision.seat) else { return strong };
    let mut best = (f64::MIN, strong);
    for tried in 0..=OTHERS {
        let action = if tried == 0 { strong } else { builds[rng.below(builds.len())] };
        let Action::Build { card, spot } = action else { continue };
        game.if_built_in(built, seat, card, spot);
        let chance = chances(built, net, ahead)[seat.index()];
        if chance > best.0 {
            best = (chance, action);
        }
    }
    best.1
}

/// What the dungeon gains, by the printed numbers: damage counts double, and a new room adds a bonus.
pub(crate) fn build_gain(game: &Game, action: Action) -> i32 {
    let Action::Build { spot, card } = action else { return 0 };
    let Some(seat) = game.decision().map(|decision| decision.seat) else { return 0 };
    let at = spot.dungeon(seat);
    if game.def(card).kind == Kind::Miniboss {
        return if game.coins(seat) > 0 { MINIBOSS } else { -MINIBOSS };
    }
    let gain = match game.state.slots(at).get(spot.slot()) {
        Some(top) => printed_value(game.def(card)) - printed_value(game.def(*top)),
        None => printed_value(game.def(card)) + 3,
    };
    if at == seat { gain } else { -gain }
}

/// A room's value, by its printed numbers.
pub(crate) fn printed_value(def: &Def) -> i32 {
    2 * i32::from(def.damage) + i32::from(def.icon_count())
}
