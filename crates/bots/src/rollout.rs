//! How the players in a bot's head go on: quick, and sensible enough that what becomes of them means
//! something. Everybody builds what looks strong, or what the network thinks best of a few, uses a card now and then,
//! and otherwise passes.

use cards::db::Def;
use engine::{Action, Actions, Game, Question};

use crate::Dice;
use crate::outlook::{Net, chances};

/// The chance to use a card where one could also pass.
const USES: f64 = 0.1;
/// The chance to answer a spell by a cancel.
const CANCELS: f64 = 0.5;
/// The chance to say yes.
const AGREES: f64 = 0.8;

/// Rooms at random that the network compares with the one that looks strong.
const OTHERS: usize = 3;

/// Answers of one game that are given at most.
const MOST: usize = 4_000;

/// Plays to the end of the game.
pub fn play_out(game: &mut Game, legal: &mut Actions, dice: &mut Dice) {
    play_while(game, legal, dice, |_| true, strong);
}

/// Plays to the end of the turn, or of the game.
pub(crate) fn play_turn(game: &mut Game, legal: &mut Actions, dice: &mut Dice) {
    let turn = game.state.turn();
    play_while(game, legal, dice, |game| game.state.turn() == turn, strong);
}

/// The same with rooms that are chosen with more care, and more time.
pub(crate) fn play_turn_by(net: &Net, game: &mut Game, legal: &mut Actions, dice: &mut Dice) {
    let turn = game.state.turn();
    let promising = |game: &Game, builds: &[Action], dice: &mut Dice| promising(net, game, builds, dice);
    play_while(game, legal, dice, |game| game.state.turn() == turn, promising);
}

fn play_while(
    game: &mut Game,
    legal: &mut Actions,
    dice: &mut Dice,
    goes_on: impl Fn(&Game) -> bool,
    build: impl Fn(&Game, &[Action], &mut Dice) -> Action,
) {
    for _ in 0..MOST {
        let Some(decision) = game.decision().filter(|_| goes_on(game)) else { return };
        game.legal(legal);
        let action = pick(game, decision.question, legal, dice, &build);
        if game.apply(action, &mut ()).is_err() {
            return;
        }
    }
}

fn pick(
    game: &Game,
    question: Question,
    legal: &Actions,
    dice: &mut Dice,
    build: impl Fn(&Game, &[Action], &mut Dice) -> Action,
) -> Action {
    match question {
        Question::Act => {
            let uses = legal.iter().filter(|action| matches!(action, Action::Use { .. })).count();
            let builds = legal.len() - uses - 1;
            // The list is sorted: passing, uses, builds.
            if uses > 0 && dice.unit() < USES {
                legal[1 + dice.below(uses)]
            } else if builds > 0 {
                build(game, &legal[1 + uses..], dice)
            } else {
                Action::Pass
            }
        }
        Question::Cancel if legal.len() < 2 || dice.unit() >= CANCELS => Action::Pass,
        Question::Cancel => legal[1 + dice.below(legal.len() - 1)],
        Question::FirstRoom if legal.len() > 1 => build(game, &legal[1..], dice),
        Question::May | Question::Machinations => {
            if dice.unit() < AGREES {
                Action::Yes
            } else {
                Action::No
            }
        }
        _ => legal[dice.below(legal.len())],
    }
}

/// The best of a few at random: variety among what is good.
fn strong(game: &Game, builds: &[Action], dice: &mut Dice) -> Action {
    let mut best = (i32::MIN, builds[0]);
    for _ in 0..3 {
        let action = builds[dice.below(builds.len())];
        let gain = build_gain(game, action);
        if gain > best.0 {
            best = (gain, action);
        }
    }
    best.1
}

/// The one of a few that gives the builder the best chances, were it to be seen now.
fn promising(net: &Net, game: &Game, builds: &[Action], dice: &mut Dice) -> Action {
    let strong = strong(game, builds, dice);
    let Some(seat) = game.decision().map(|decision| decision.seat) else { return strong };
    let mut best = (f64::MIN, strong);
    for tried in 0..=OTHERS {
        let action = if tried == 0 { strong } else { builds[dice.below(builds.len())] };
        let Action::Build { card, spot } = action else { continue };
        let chance = chances(&game.if_built(seat, card, spot), net)[seat.index()];
        if chance > best.0 {
            best = (chance, action);
        }
    }
    best.1
}

/// What the dungeon gains by it, as printed: damage counts double, a new place more.
pub(crate) fn build_gain(game: &Game, action: Action) -> i32 {
    let Action::Build { spot, card } = action else { return 0 };
    let Some(seat) = game.decision().map(|decision| decision.seat) else { return 0 };
    let at = spot.dungeon(seat);
    let gain = match game.state.slots(at).get(spot.slot()) {
        Some(top) => printed_worth(game.def(card)) - printed_worth(game.def(*top)),
        None => printed_worth(game.def(card)) + 3,
    };
    if at == seat { gain } else { -gain }
}

/// A room as printed.
pub(crate) fn printed_worth(def: &Def) -> i32 {
    2 * i32::from(def.damage) + i32::from(def.icon_count())
}
