//! Why an answer is good, in a player's words: what it changes on the viewer's own table if nobody else does
//! anything.
//!
//! Invariant: only what the viewer may know is told, and only what the same steps as in the game have shown.

mod compare;

use engine::tell::Names;
use engine::view::View;
use engine::{Action, Actions, Decision, Event, Fate, Game, Place, Question, Seat};

use crate::greedy::value_of;
use crate::{Dice, Weights};
use compare::Comparison;

/// Answers that follow from one, at most.
const STEPS: usize = 60;

/// At most two reasons for the answer, or one for and one against it; the weightiest first.
pub fn reasons(view: &View, names: &(impl Names + ?Sized), action: Action) -> String {
    let Some(decision) = view.decision() else { return "the game is over".into() };
    let table = view.table();
    let mut found = match (action, decision.question) {
        (Action::Build { card, spot }, _) => {
            let before = table.if_revealed(decision.seat);
            let after = table.if_built(decision.seat, card, spot);
            Comparison { names, me: decision.seat, now: table }.all((&before, &[]), (&after, &[]))
        }
        (Action::Pass, _) => Vec::new(),
        (_, Question::Act | Question::Cancel) => {
            difference(table, names, decision, Some(Action::Pass), action)
        }
        (Action::Yes, Question::May) => difference(table, names, decision, Some(Action::No), action),
        (Action::No, Question::May) => {
            let mut found = difference(table, names, decision, Some(Action::Yes), action);
            // What is not taken is not lost.
            found.retain(|(value, _)| *value > 0.0);
            found
        }
        (_, Question::Choose(_) | Question::Option) => difference(table, names, decision, None, action),
        _ => Vec::new(),
    };
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.dedup_by(|a, b| a.1 == b.1);
    match &found[..] {
        [] => otherwise(table, decision, action),
        [(_, only)] => only.clone(),
        // What speaks against it is told when it weighs more than a second reason for it.
        [(good, first), .., (bad, last)] if *good > 0.0 && -bad > found[1].0 => {
            format!("{first}, but {last}")
        }
        [(_, first), (second_value, second), ..] if *second_value > 0.0 => format!("{first}; {second}"),
        [(good, first), ..] if *good > 0.0 => first.clone(),
        // Nothing speaks for it.
        [.., (_, last)] => last.clone(),
    }
}

/// What one answer leads to that the other, or doing nothing, does not.
fn difference(
    table: &Game,
    names: &(impl Names + ?Sized),
    decision: Decision,
    instead: Option<Action>,
    action: Action,
) -> Vec<(f64, String)> {
    let me = decision.seat;
    let still = table.if_time_stops();
    let without = match instead {
        Some(other) => finish(&still, me, other),
        None => Some((still.clone(), Vec::new())),
    };
    let (Some((before, old)), Some((after, new))) = (without, finish(&still, me, action)) else {
        return Vec::new();
    };
    let (before, after) = (before.if_revealed(me), after.if_revealed(me));
    Comparison { names, me, now: table }.all((&before, &old), (&after, &new))
}

/// The table once everything the answer has begun is done, the seat's own questions answered well and the others
/// doing nothing, and what has happened.
fn finish<'a>(still: &Game<'a>, me: Seat, action: Action) -> Option<(Game<'a>, Vec<Event>)> {
    let (mut game, mut events) = (still.clone(), Vec::new());
    let (mut legal, mut dice) = (Actions::new(), Dice::new(0));
    game.apply(action, &mut events).ok()?;
    for _ in 0..STEPS {
        let Some(decision) = game.decision() else { break };
        game.legal(&mut legal);
        let mine = decision.seat == me && !matches!(decision.question, Question::Act | Question::Cancel);
        let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
        let best = |game: &Game, dice: &mut Dice| {
            let value = |action: &Action| value_of(dice, &Weights::BY_HAND, game, me, *action);
            let values: Vec<f64> = legal.iter().map(value).collect();
            (0..values.len()).rev().max_by(|a, b| values[*a].total_cmp(&values[*b])).map(|best| legal[best])
        };
        let answer = if mine { best(&game, &mut dice) } else { idle.or(legal.first().copied()) };
        game.apply(answer?, &mut events).ok()?;
    }
    Some((game, events))
}

/// What can be said when nothing changes on the table.
fn otherwise(table: &Game, decision: Decision, action: Action) -> String {
    let me = decision.seat;
    let cards = |place| table.state.pile(place);
    match (decision.question, action) {
        (_, Action::Pass) => {
            let here = cards(Place::inside(me)).chain(cards(Place::entrance(me)));
            let dying = here.map(|hero| (hero, table.forecast(hero, me)));
            let mut dying = dying.filter(|(_, walk)| walk.fate == Fate::Dies);
            match dying.next() {
                Some((hero, walk)) => match walk.rooms.last() {
                    Some((room, _)) => {
                        format!("{} dies in {} anyway", short(table.name(hero)), table.name(*room))
                    }
                    None => "nothing better to do".into(),
                },
                None => "nothing better to do".into(),
            }
        }
        (Question::May, Action::No) => "not worth it now".into(),
        (Question::Act, Action::Use { .. }) => "changes nothing on the table yet".into(),
        (Question::KeepBoss, Action::Pick(boss)) => match boss.as_card().map(|boss| table.def(boss)) {
            Some(def) => format!("{} XP: early in player order", def.xp),
            None => "as good as any".into(),
        },
        (Question::Mulligan, Action::Yes) => "a new hand is likely to be better".into(),
        (Question::Mulligan, _) => "the hand is good enough".into(),
        (Question::DiscardTwo, _) => "needed least".into(),
        (Question::Machinations, Action::Yes) => "draws a card".into(),
        (Question::WhichFirst, _) => "this order does no harm".into(),
        _ => "nothing better to do".into(),
    }
}

/// A name as people say it: without what comes after the comma.
fn short(name: &str) -> &str {
    name.split(',').next().unwrap_or(name)
}
