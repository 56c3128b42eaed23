//! The turning points of a finished game for one player: the answers that cost most, and the turns in which luck
//! turned.
//!
//! Invariant: made from what the seat could see at each moment, and nothing else. Whatever the others held, a game that
//! looked the same to the player is told the same.

use cards::CardDb;
use cards::english::capital;
use engine::record::Record;
use engine::tell::{self, Names, Reader, Told};
use engine::view::View;
use engine::{Action, Actions, Game, Question, Seat, What};

use crate::explain::reasons;
use crate::planner::Planner;
use crate::{Bot, network};

/// Points that are told.
const POINTS: usize = 3;
/// A smaller change of the chance is noise.
const LEAST: f64 = 0.04;
/// Worlds per answer: at every decision, and again for those that seem to have cost most, since the largest of many
/// guesses is too large.
const FIRST: u32 = 12;
const AGAIN: u32 = 96;
const CHECKED: usize = 8;
/// Worlds in which a turn's beginning is judged.
const WORLDS: u64 = 48;
/// More than any real game has: a longer one is reviewed as far as this.
const MOST: u32 = 3000;

/// What turned the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turned {
    /// The player's own answer: there was a better one.
    Choice,
    /// What happened, whatever the player did.
    Luck,
}

impl Turned {
    pub fn name(self) -> &'static str {
        match self {
            Turned::Choice => "choice",
            Turned::Luck => "luck",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TurningPoint {
    /// How many answers had been given before: for a choice, the table it was made at.
    pub step: u32,
    pub turn: u16,
    pub turned: Turned,
    /// The chance of winning, from 0 to 1: of a choice, with the best answer and with the one given; otherwise before
    /// and after.
    pub before: f64,
    pub after: f64,
    /// Whole sentences.
    pub words: String,
}

impl TurningPoint {
    fn size(&self) -> f64 {
        (self.before - self.after).abs()
    }
}

/// The turning points of a recorded game for the player in this seat, in their order. A record that does not agree with
/// itself is reviewed as far as it goes.
pub fn review(record: &Record, db: &CardDb, names: &[String], seat: Seat) -> Vec<TurningPoint> {
    let mut reviewer = Reviewer::new(names, seat);
    let legal_of = |view: &View| {
        let mut legal = Actions::new();
        view.legal(&mut legal);
        legal
    };
    drop(record.replay(db, |answer, events, after| {
        let told = tell::story(db, names, Reader::Seat(seat), events);
        if let Some((before, action)) = answer
            && before.decision().is_some_and(|decision| decision.seat == seat)
        {
            let view = before.view(Some(seat));
            reviewer.answered(&view, &legal_of(&view), action);
        }
        reviewer.then(&told, &after.view(Some(seat)));
    }));
    reviewer.points()
}

/// Follows a game from one seat.
pub struct Reviewer<'a, 'n, N: Names + ?Sized> {
    names: &'n N,
    seat: Seat,
    step: u32,
    turn: Option<Turn>,
    turns: Vec<(Turn, f64)>,
    choices: Vec<Choice<'a>>,
}

/// A turn that goes on.
struct Turn {
    number: u16,
    /// The chance at its beginning.
    chance: f64,
    /// What the player heard of heroes and bosses, and when.
    heard: Vec<(u32, String)>,
    begins: u32,
}

struct Choice<'a> {
    step: u32,
    turn: u16,
    view: View<'a>,
    legal: Actions,
    given: Action,
    /// What it seems to have cost.
    cost: f64,
}

impl<'a, 'n, N: Names + ?Sized> Reviewer<'a, 'n, N> {
    pub fn new(names: &'n N, seat: Seat) -> Reviewer<'a, 'n, N> {
        Reviewer { names, seat, step: 0, turn: None, turns: Vec::new(), choices: Vec::new() }
    }

    /// The player answered the question of this view.
    pub fn answered(&mut self, view: &View<'a>, legal: &Actions, given: Action) {
        let table = view.table();
        if legal.len() < 2 || table.state.turn() == 0 || self.step >= MOST {
            return;
        }
        if let Some((_, best, chance)) = weigh(view, legal, given, FIRST)
            && best - chance >= LEAST
        {
            let (view, legal, turn) = (view.clone(), legal.clone(), table.state.turn());
            self.choices.push(Choice { step: self.step - 1, turn, view, legal, given, cost: best - chance });
        }
    }

    /// What the player was told after an answer, or the deal, and what the table looked like then.
    pub fn then(&mut self, told: &[Told], view: &View) {
        let table = view.table();
        let over = table.outcome().is_some();
        if let Some(turn) = &mut self.turn {
            let counts = told.iter().filter(|told| is_news(told.event.what));
            turn.heard.extend(counts.map(|told| (self.step, told.words.clone())));
        }
        let number = table.state.turn();
        let is_new = self.turn.as_ref().is_none_or(|turn| turn.number != number);
        if self.step < MOST && (over || (number > 0 && is_new)) {
            let chance = standing(view, self.seat);
            if let Some(turn) = self.turn.take() {
                self.turns.push((turn, chance));
            }
            if !over {
                let heard = Vec::new();
                self.turn = Some(Turn { number, chance, heard, begins: self.step });
            }
        }
        self.step += 1;
    }

    /// The largest, in their order.
    pub fn points(mut self) -> Vec<TurningPoint> {
        let mut choices = std::mem::take(&mut self.choices);
        choices.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.step.cmp(&b.step)));
        choices.truncate(CHECKED);
        let mut points: Vec<TurningPoint> = choices.iter().filter_map(|choice| self.choice(choice)).collect();
        // What a turn cost by choice is not luck.
        let by_choice = |turn: u16| -> f64 {
            points.iter().filter(|point| point.turn == turn).map(TurningPoint::size).sum()
        };
        let luck: Vec<TurningPoint> = self
            .turns
            .iter()
            .filter_map(|(turn, after)| luck(turn, *after, by_choice(turn.number)))
            .collect();
        points.extend(luck);
        points.sort_by(|a, b| b.size().total_cmp(&a.size()).then(a.step.cmp(&b.step)));
        // One for a turn's choices is enough.
        let mut told: Vec<TurningPoint> = Vec::new();
        for point in points {
            let again = told.iter().any(|other| other.turn == point.turn && other.turned == point.turned);
            if told.len() < POINTS && !again {
                told.push(point);
            }
        }
        told.sort_by_key(|point| point.step);
        told
    }

    fn choice(&self, choice: &Choice<'a>) -> Option<TurningPoint> {
        let Choice { view, legal, given, .. } = choice;
        let (best, before, after) = weigh(view, legal, *given, AGAIN)?;
        if before - after < LEAST {
            return None;
        }
        let say = |action| tell::action(view.table(), self.names, Reader::Seat(self.seat), action);
        let (better, mine) = (say(best), say(*given));
        if better == mine {
            return None;
        }
        let question = view.decision()?.question;
        // What is picked says little without what it was picked for.
        let asked = match question {
            Question::Act | Question::Cancel => String::new(),
            _ => format!("{} ", sentence(&tell::question(view.table(), self.names, Reader::Seat(self.seat)))),
        };
        let answered =
            if *given == Action::Pass { "You passed.".into() } else { format!("You answered: {mine}.") };
        let better = format!("Better: {better}, {} instead of {}.", percent(before), percent(after));
        let why = reasons(view, self.names, best);
        let words = format!("{asked}{answered} {better} Why: {why}.");
        let (step, turn) = (choice.step, choice.turn);
        Some(TurningPoint { step, turn, turned: Turned::Choice, before, after, words })
    }
}

/// The best answer, its chance, and the chance of the answer given; `None` if it was not weighed.
fn weigh(view: &View, legal: &Actions, given: Action, worlds: u32) -> Option<(Action, f64, f64)> {
    let seed = u64::from(view.state().decisions());
    let opponents = view.state().seats().count().saturating_sub(1).max(1) as u32;
    let advice = Planner::new(seed, worlds.div_ceil(opponents)).advise(view, legal);
    let mine = advice.iter().find(|advice| advice.action == given)?.chance?;
    let best = advice.first()?;
    Some((best.action, best.chance?, mine))
}

/// The player's chance, over worlds that fit what they can see.
fn standing(view: &View, seat: Seat) -> f64 {
    if view.table().outcome().is_some() {
        return network::chances_of(view.table())[seat.index()];
    }
    let mut world: Game = view.table().clone();
    let chance = |luck: u64| {
        view.sample_into(luck, &mut world);
        network::chances_of(&world)[seat.index()]
    };
    (0..WORLDS).map(chance).sum::<f64>() / WORLDS as f64
}

fn luck(turn: &Turn, after: f64, by_choice: f64) -> Option<TurningPoint> {
    let before = turn.chance;
    let swing = after - before + by_choice;
    // Told as it was, but only if luck had the larger part in it.
    if swing.abs() < LEAST || swing * (after - before) <= 0.0 || by_choice > swing.abs() {
        return None;
    }
    let way = if after > before { "rose" } else { "fell" };
    let number = turn.number;
    let sum = format!("In turn {number} your chance {way} from {} to {}", percent(before), percent(after));
    let words = match &turn.heard[..] {
        [] => format!("{sum}, by what was built and drawn."),
        heard => {
            let last: Vec<&str> =
                heard[heard.len().saturating_sub(3)..].iter().map(|(_, words)| words.as_str()).collect();
            format!("{sum}. {}", last.join(" "))
        }
    };
    let step = turn.heard.last().map_or(turn.begins, |(step, _)| *step);
    Some(TurningPoint { step, turn: number, turned: Turned::Luck, before, after, words })
}

/// What turns a game, as far as the log goes.
fn is_news(what: What) -> bool {
    matches!(
        what,
        What::Dies { .. }
            | What::Wounds { .. }
            | What::LevelsUp
            | What::Eliminated { .. }
            | What::Healed { .. }
            | What::GameOver { .. }
    )
}

/// With a capital letter and a full stop.
fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end}", capital(words))
}

fn percent(chance: f64) -> String {
    format!("{:.0} %", chance * 100.0)
}
