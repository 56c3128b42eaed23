//! `lair hint`, and `hint` at the table: what a bot would do, and why.
//! Invariant: advice and reasons come from the view of the player who is asked.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use bots::{BotSpec, Hint, hints};
use engine::tell::{self, Reader};
use engine::view::View;
use engine::{Action, Game};
use serde_json::json;

use crate::cli;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::record_cmd::{about, cards_of, load, names};
use crate::term::{BOLD, DIM, HEAD, paint, paragraph, printable, say};

/// A record, and the decision in it: `evening.json@12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordStep {
    pub file: PathBuf,
    /// Counted from 1; `None` is the decision still to be made.
    pub step: Option<usize>,
}

impl FromStr for RecordStep {
    type Err = String;

    fn from_str(text: &str) -> Result<RecordStep, String> {
        match text.rsplit_once('@').filter(|_| !Path::new(text).exists()) {
            None => Ok(RecordStep { file: text.into(), step: None }),
            Some((file, step)) => match step.parse() {
                Ok(step) if step > 0 => Ok(RecordStep { file: file.into(), step: Some(step) }),
                _ => Err(format!("`{step}` is not a valid step: write a number from 1, as in {file}@12")),
            },
        }
    }
}

/// The bot's best few answers to this view's question.
pub fn ask(player: &BotSpec, view: &View, names: &[String], top: usize) -> Result<Vec<Hint>, Failure> {
    // The same question gets the same advice.
    let mut bot = player.seat(u64::from(view.state().decisions())).map_err(Failure::failed)?;
    let hints = hints(view, names, &mut *bot, top);
    match bot.forfeit() {
        None => Ok(hints),
        Some(why) => Err(Failure::failed(format!("`{player}` failed to give advice: {why}"))),
    }
}

pub fn draw(hints: &[Hint]) -> String {
    let line = |hint: &Hint| {
        let chance = hint.chance.map_or_else(|| "    ".into(), |chance| format!("{:>3.0}%", chance * 100.0));
        let words = paint(BOLD, &hint.words);
        format!("  {} {words}\n{}", paint(HEAD, chance), paragraph("       ", &hint.reason, DIM))
    };
    hints.iter().map(line).collect()
}

pub fn run(args: &cli::Hint, library: &Library) -> Result<(), Failure> {
    let RecordStep { file, step } = &args.step;
    let record = load(file)?;
    let db = cards_of(&record, library).map_err(|error| about(file, error))?;
    let steps = record.actions.len();
    let mut there: Option<(Game, Action)> = None;
    let mut now = 0;
    let last = record.replay(&db, |step_taken, _, _| {
        if let Some((before, action)) = step_taken {
            now += 1;
            if Some(now) == *step {
                there = Some((before.clone(), action));
            }
        }
    });
    let last = last.map_err(|error| about(file, error))?;
    let open = last.outcome().is_none();
    let (game, played) = match (there, step) {
        (Some((game, action)), _) => (game, Some(action)),
        (None, None) if open => (last, None),
        (None, Some(step)) if open && *step == steps + 1 => (last, None),
        (None, None) => {
            let example = format!("{}@{steps}", file.display());
            return Err(about(
                file,
                format!("this game is over: name one of its {steps} steps, as in {example}"),
            ));
        }
        (None, Some(step)) => {
            let most = steps + usize::from(open);
            return Err(about(file, format!("there is no step {step}: the record has {most}")));
        }
    };
    let Some(decision) = game.decision() else {
        return Err(about(file, "there is no decision to make there"));
    };
    let (names, view) = (names(&record), game.view(Some(decision.seat)));
    let hints = ask(&args.level, &view, &names, usize::from(args.top))?;
    let (table, reader) = (view.table(), Reader::Seat(decision.seat));
    let (question, name) = (tell::question(table, &names[..], reader), &names[decision.seat.index()]);
    let step = step.unwrap_or(steps + 1);
    let played = played.map(|action| (action, tell::action(table, &names[..], reader, action)));
    if args.json {
        let advice = |hint: &Hint| {
            let Hint { words, chance, reason, .. } = hint;
            json!({"answer": words, "chance": chance, "reason": reason})
        };
        let all = json!({
            "step": step, "turn": game.state.turn(), "seat": decision.seat.0 + 1, "player": name,
            "question": question, "bot": args.level.to_string(),
            "advice": hints.iter().map(advice).collect::<Vec<_>>(),
            "played": played.map(|(_, words)| words),
        });
        return Ok(say(format!("{all:#}\n"))?);
    }
    let turn = game.state.turn();
    say(format!("{}\n", printable(&format!("Step {step}, turn {turn}, {name}: {question}"))))?;
    say(draw(&hints))?;
    if let Some((action, words)) = played {
        let first = hints.first().is_some_and(|hint| hint.action == action || hint.words == words);
        let remark = if first { "played as advised".into() } else { format!("played instead: {words}") };
        say(paint(DIM, format!("  {remark}")) + "\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_and_a_step() {
        let spot = |file: &str, step| Ok(RecordStep { file: file.into(), step });
        assert_eq!("evening.json".parse(), spot("evening.json", None));
        assert_eq!("a@b.json@12".parse(), spot("a@b.json", Some(12)));
        for text in ["evening.json@", "evening.json@0", "evening.json@-1", "evening.json@last"] {
            assert!(
                text.parse::<RecordStep>().is_err_and(|error| error.contains("as in evening.json@12")),
                "{text}"
            );
        }
    }
}
