//! Why an answer is good, in a player's words: what it changes on the viewer's own table if nobody else does
//! anything.
//!
//! Invariant: only what the viewer may know is told, and only what the same steps as in the game have shown.

mod compare;

use engine::tell::{self, Names};
use engine::view::View;
use engine::{Action, Actions, Decision, Event, Fate, Game, Place, Question, Seat};

use crate::greedy::value_of;
use crate::{Advice, Bot, Dice, Weights};
use compare::Comparison;

/// Answers that follow from one, at most.
const STEPS: usize = 60;

/// An answer worth considering, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    pub action: Action,
    pub words: String,
    /// The chance to win with it, from 0 to 1.
    pub chance: Option<f64>,
    pub reason: String,
}

/// The best few answers to the view's question, as the bot sees it: of those it has weighed, if it weighs. Two cards that
/// are alike are one answer.
pub fn hints(view: &View, names: &(impl Names + ?Sized), bot: &mut dyn Bot, top: usize) -> Vec<Hint> {
    let mut legal = Actions::new();
    view.legal(&mut legal);
    let advice = bot.advise(view, &legal);
    let weighed = advice.iter().any(|advice| advice.chance.is_some());
    let mut hints: Vec<Hint> = Vec::new();
    for Advice { action, chance } in advice {
        let words = tell::action(view.table(), names, action);
        let worth_it = chance.is_some() || !weighed;
        if worth_it && hints.len() < top && hints.iter().all(|hint| hint.words != words) {
            hints.push(Hint { action, words, chance, reason: reasons(view, names, action) });
        }
    }
    hints
}

/// Why a good player would answer so: at most two reasons, or one for and one against it; the weightiest first.
pub fn reasons(view: &View, names: &(impl Names + ?Sized), action: Action) -> String {
    let Some(decision) = view.decision() else { return "the game is over".into() };
    let told = Findings::of(view.table(), names, decision, action).told();
    told.unwrap_or_else(|| otherwise(view.table(), decision, action))
}

/// What the answer changes, and no judgement: any answer may be looked at, not only a good one. `None` if nothing is
/// known.
pub fn effects(view: &View, names: &(impl Names + ?Sized), action: Action) -> Option<String> {
    let findings = Findings::of(view.table(), names, view.decision()?, action);
    let guessed = findings.guessed;
    // What the player has not chosen yet is theirs to choose.
    findings.told().map(|told| if guessed { format!("for example: {told}") } else { told })
}

/// What an answer changes.
#[derive(Default)]
struct Findings {
    found: Vec<(f64, String)>,
    /// Later choices of the player's own were made for them.
    guessed: bool,
}

impl Findings {
    fn of(table: &Game, names: &(impl Names + ?Sized), decision: Decision, action: Action) -> Findings {
        let mut findings = match (action, decision.question) {
            (Action::Build { card, spot }, _) => {
                let before = table.if_revealed(decision.seat);
                let after = table.if_built(decision.seat, card, spot);
                let comparison = Comparison { names, me: decision.seat, now: table };
                Findings { found: comparison.all((&before, &[]), (&after, &[])), guessed: false }
            }
            (Action::Pass, _) => Findings::default(),
            (_, Question::Act | Question::Cancel) => {
                difference(table, names, decision, Some(Action::Pass), action)
            }
            (Action::Yes, Question::May) => difference(table, names, decision, Some(Action::No), action),
            (Action::No, Question::May) => {
                let mut findings = difference(table, names, decision, Some(Action::Yes), action);
                // What is not taken is not lost.
                findings.found.retain(|(value, _)| *value > 0.0);
                findings
            }
            (_, Question::Choose(_) | Question::Option) => difference(table, names, decision, None, action),
            _ => Findings::default(),
        };
        findings.found.sort_by(|a, b| b.0.total_cmp(&a.0));
        findings.found.dedup_by(|a, b| a.1 == b.1);
        findings
    }

    fn told(self) -> Option<String> {
        let found = self.found;
        Some(match &found[..] {
            [] => return None,
            [(_, only)] => only.clone(),
            // What speaks against it is told when it weighs more than a second reason for it.
            [(good, first), .., (bad, last)] if *good > 0.0 && -bad > found[1].0 => {
                format!("{first}, but {last}")
            }
            [(_, first), (second_value, second), ..] if *second_value > 0.0 => format!("{first}; {second}"),
            [(good, first), ..] if *good > 0.0 => first.clone(),
            // Nothing speaks for it.
            [.., (_, last)] => last.clone(),
        })
    }
}

/// What one answer leads to that the other, or doing nothing, does not.
fn difference(
    table: &Game,
    names: &(impl Names + ?Sized),
    decision: Decision,
    instead: Option<Action>,
    action: Action,
) -> Findings {
    let me = decision.seat;
    let still = table.if_time_stops();
    let without = match instead {
        Some(other) => finish(&still, me, other),
        None => Some(Finished { game: still.clone(), events: Vec::new(), guessed: false }),
    };
    let (Some(old), Some(new)) = (without, finish(&still, me, action)) else {
        return Findings::default();
    };
    let (before, after) = (old.game.if_revealed(me), new.game.if_revealed(me));
    let comparison = Comparison { names, me, now: table };
    Findings {
        found: comparison.all((&before, &old.events), (&after, &new.events)),
        guessed: old.guessed || new.guessed,
    }
}

/// The table once everything an answer has begun is done, and what has happened.
struct Finished<'a> {
    game: Game<'a>,
    events: Vec<Event>,
    /// The seat had other choices on the way.
    guessed: bool,
}

/// The seat's own questions are answered well, and the others do nothing.
fn finish<'a>(still: &Game<'a>, me: Seat, action: Action) -> Option<Finished<'a>> {
    let (mut game, mut events, mut guessed) = (still.clone(), Vec::new(), false);
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
        guessed |= mine && legal.len() > 1;
        let answer = if mine { best(&game, &mut dice) } else { idle.or(legal.first().copied()) };
        game.apply(answer?, &mut events).ok()?;
    }
    Some(Finished { game, events, guessed })
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
        (Question::Choose(_) | Question::Option, Action::Pick(_)) => "no difference on the table yet".into(),
        _ => "nothing better to do".into(),
    }
}

/// A name as people say it: without what comes after the comma.
fn short(name: &str) -> &str {
    name.split(',').next().unwrap_or(name)
}
