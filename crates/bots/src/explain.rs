//! Why an answer is good, in a player's words: what it changes, as far as the viewer can see, if nobody
//! else does anything.
//!
//! Invariant: it tells only what the viewer may know, and only what the engine itself has played out.

mod compare;
mod outlook;
mod town;

use engine::tell::{self, Names, Reader};
use engine::view::View;
use engine::{Action, Actions, Decision, Event, Fate, Game, Place, Question, Seat};

use crate::greedy::Lookahead;
use crate::{Advice, Bot, BotRng, Weights};
use compare::{Comparison, Reason};

pub use outlook::{Outlook, outlook};

/// The most follow-up answers played out.
const STEPS: usize = 60;

/// An answer worth considering, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    pub action: Action,
    pub words: String,
    /// The chance of winning with it, from 0 to 1.
    pub chance: Option<f64>,
    pub reason: String,
}

/// The bot's best few answers to the view's question; if it estimates chances, only answers with one.
/// Copies of a card count as one answer.
pub fn hints(view: &View, names: &(impl Names + ?Sized), bot: &mut dyn Bot, top: usize) -> Vec<Hint> {
    let mut legal = Actions::new();
    view.legal(&mut legal);
    let advice = bot.advise(view, &legal);
    let weighed = advice.iter().any(|advice| advice.chance.is_some());
    let mut hints: Vec<Hint> = Vec::new();
    for Advice { action, chance } in advice {
        let is_best = hints.is_empty();
        let words = tell::action(view.table(), names, Reader::from(view.viewer()), action);
        let worth_it = chance.is_some() || !weighed;
        if worth_it && hints.len() < top && hints.iter().all(|hint| hint.words != words) {
            let mut reason = reasons(view, names, action);
            if is_best && only_costs(view, names, action) {
                // The bot has seen more in its worlds than shows on the table.
                reason = format!("pays off later, but {reason}");
            }
            hints.push(Hint { action, words, chance, reason });
        }
    }
    hints
}

/// Why a good player would answer this: at most two reasons, or one for and one against, weightiest first; and what
/// would happen otherwise.
pub fn reasons(view: &View, names: &(impl Names + ?Sized), action: Action) -> String {
    let Some(decision) = view.decision() else { return "the game is over".into() };
    let findings = Findings::of(view.table(), names, decision, action);
    findings.plan().unwrap_or_else(|| fallback(view.table(), decision, action))
}

/// Does all that shows on the table speak against it?
fn only_costs(view: &View, names: &(impl Names + ?Sized), action: Action) -> bool {
    let Some(decision) = view.decision() else { return false };
    let found = Findings::of(view.table(), names, decision, action).found;
    !found.is_empty() && found.iter().all(|reason| reason.value <= 0.0)
}

/// What the answer changes, without judging it: any answer can be previewed. `None` if nothing is known.
pub fn effects(view: &View, names: &(impl Names + ?Sized), action: Action) -> Option<String> {
    let findings = Findings::of(view.table(), names, view.decision()?, action);
    // Later choices are still up to the player.
    findings.summary().map(|words| if findings.guessed { format!("for example: {words}") } else { words })
}

/// What an answer changes.
#[derive(Default)]
struct Findings {
    found: Vec<Reason>,
    /// The player would have had later choices, which were made for them.
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
            (_, Question::Act | Question::Cancel | Question::UseItem) => {
                difference(table, names, decision, Some(Action::Pass), action)
            }
            (Action::Yes, Question::May) => difference(table, names, decision, Some(Action::No), action),
            (Action::No, Question::May) => {
                let mut findings = difference(table, names, decision, Some(Action::Yes), action);
                // Turning something down does not lose it.
                findings.found.retain(|reason| reason.value > 0.0);
                findings
            }
            (
                _,
                Question::Choose(_)
                | Question::Option
                | Question::Number { .. }
                | Question::TurnDown
                | Question::Arrange(_)
                | Question::MinionAsks(_),
            ) => difference(table, names, decision, None, action),
            _ => Findings::default(),
        };
        findings.found.sort_by(|a, b| b.value.total_cmp(&a.value));
        findings.found.dedup_by(|a, b| a.words == b.words);
        findings
    }

    /// At most two reasons, or one for and one against.
    fn summary(&self) -> Option<String> {
        let found: Vec<(f64, &str)> =
            self.found.iter().map(|reason| (reason.value, reason.words.as_str())).collect();
        Some(match &found[..] {
            [] => return None,
            [(_, only)] => only.to_string(),
            // The drawback is worth telling if it outweighs the second advantage.
            [(good, first), .., (bad, last)] if *good > 0.0 && -bad > found[1].0 => {
                format!("{first}, but {last}")
            }
            [(_, first), (second_value, second), ..] if *second_value > 0.0 => format!("{first}; {second}"),
            [(good, first), ..] if *good > 0.0 => first.to_string(),
            // No advantages.
            [.., (_, last)] => last.to_string(),
        })
    }

    /// The same, and what would become of the hero that it is most about.
    fn plan(&self) -> Option<String> {
        let words = self.summary()?;
        let heroes = self.found.iter().filter(|reason| reason.value > 0.0 && words.contains(&reason.words));
        let otherwise = heroes.take(2).find_map(|reason| reason.otherwise.as_ref());
        Some(otherwise.map_or_else(|| words.clone(), |otherwise| format!("{words}; otherwise {otherwise}")))
    }
}

/// What one answer leads to that the alternative (or doing nothing) does not.
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

/// The game once everything an answer set off is done, and the events on the way.
struct Finished<'a> {
    game: Game<'a>,
    events: Vec<Event>,
    /// The player had real choices on the way.
    guessed: bool,
}

/// The player's own questions are answered well, and the others do nothing.
fn finish<'a>(still: &Game<'a>, me: Seat, action: Action) -> Option<Finished<'a>> {
    let (mut game, mut events, mut guessed) = (still.clone(), Vec::new(), false);
    let (mut legal, mut rng) = (Actions::new(), BotRng::new(0));
    game.apply(action, &mut events).ok()?;
    for _ in 0..STEPS {
        let Some(decision) = game.decision() else { break };
        game.legal(&mut legal);
        let mine = decision.seat == me && !matches!(decision.question, Question::Act | Question::Cancel);
        let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
        let best = |game: &Game, rng: &mut BotRng| {
            let mut lookahead = Lookahead::new(rng, &Weights::HAND_SET, me, game);
            let values: Vec<f64> = legal.iter().map(|action| lookahead.value_of(game, *action)).collect();
            (0..values.len()).rev().max_by(|a, b| values[*a].total_cmp(&values[*b])).map(|best| legal[best])
        };
        guessed |= mine && legal.len() > 1;
        let answer = if mine { best(&game, &mut rng) } else { idle.or(legal.first().copied()) };
        game.apply(answer?, &mut events).ok()?;
    }
    Some(Finished { game, events, guessed })
}

/// Is it a card of the player's hand?
fn is_own(table: &Game, me: Seat, card: engine::Ref) -> bool {
    card.as_card().is_some_and(|card| table.state.hand(me).any(|own| own == card))
}

/// What can be said when nothing changes on the table.
fn fallback(table: &Game, decision: Decision, action: Action) -> String {
    let me = decision.seat;
    let cards = |place| table.state.pile(place);
    match (decision.question, action) {
        (_, Action::Pass) => {
            let here = cards(Place::inside(me)).chain(cards(Place::entrance(me)));
            let dying = here.map(|hero| (hero, table.forecast(hero, me)));
            let mut dying = dying.filter(|(_, walk)| walk.fate == Fate::Dies);
            match dying.next() {
                Some((hero, walk)) => match walk.rooms.last() {
                    Some(visit) => {
                        format!("{} dies in {} anyway", table.def(hero).face.short(), table.name(visit.room))
                    }
                    None => "nothing better to do".into(),
                },
                None => "nothing better to do".into(),
            }
        }
        (Question::May, Action::No) => "not worth it now".into(),
        (_, Action::Use { .. }) => "changes nothing on the table yet".into(),
        (_, Action::Build { card, .. }) => format!("for what {} does", table.def(card).face.short()),
        (Question::KeepBoss, Action::Pick(boss)) => match boss.as_card().map(|boss| table.def(boss)) {
            Some(def) => format!("{} XP: early in player order", def.xp),
            None => "as good as any".into(),
        },
        (Question::Draft, Action::Pick(card)) => {
            card.as_card().map_or_else(|| "as good as any".into(), |card| town::market(table, me, card))
        }
        (Question::PlaceMinion, Action::Pick(place)) => town::minion(table, place),
        (Question::Mulligan, Action::Yes) => "a new hand is likely to be better".into(),
        (Question::Mulligan, _) => "the hand is good enough".into(),
        (Question::DiscardTwo, _) => "needed least".into(),
        (Question::MinionAsks(_), Action::Pick(card)) if is_own(table, me, card) => "needed least".into(),
        (Question::Machinations, Action::Yes) => "draws a card".into(),
        (Question::WhichFirst, _) => "this order does no harm".into(),
        (_, Action::Pick(_)) => "no difference on the table yet".into(),
        _ => "nothing better to do".into(),
    }
}
