//! What is said at a table.
//!
//! Invariants: a line is kept before anybody reads it, so it survives a restart; nobody can write faster than a table can
//! bear, or more than its log has room for.

use std::collections::{HashMap, VecDeque};

use engine::Seat;
use tokio::time::Instant;

use super::{Refused, TableTask, refused};
use crate::limits::TokenBucket;
use crate::store::LogEntry;
use crate::wire::{ChatLine, Refusal, ServerMsg};

/// How many lines a newcomer is shown.
const SHOWN: usize = 100;
const LENGTH: usize = 300;
/// The most lines in a log.
const KEPT: u32 = 5_000;

#[derive(Default)]
pub struct Chat {
    lines: VecDeque<ChatLine>,
    /// How many there are in the log.
    kept: u32,
    /// By seat; those who watch share one.
    budgets: HashMap<Option<Seat>, TokenBucket>,
}

impl Chat {
    /// The newest lines.
    pub fn lines(&self) -> Vec<ChatLine> {
        self.lines.iter().cloned().collect()
    }

    pub fn kept(&self) -> u32 {
        self.kept
    }

    /// A line that is in the log.
    pub fn said(&mut self, seat: Option<Seat>, name: String, text: String) {
        self.kept += 1;
        self.show(ChatLine { from: name, seat: seat.map(wire::seat_number), text });
    }

    fn show(&mut self, line: ChatLine) {
        self.lines.push_back(line);
        if self.lines.len() > SHOWN {
            self.lines.pop_front();
        }
    }
}

impl TableTask<'_> {
    pub(super) async fn chat(&mut self, seat: Option<Seat>, name: String, text: &str) -> Result<(), Refused> {
        let text: String = text.chars().filter(|c| !c.is_control() && !is_disguise(*c)).collect();
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        if text.chars().count() > LENGTH {
            let words = format!("That is too long: {LENGTH} characters at most.");
            return Err(refused(Refusal::TooLong, &words));
        }
        let (rate, now) = (self.hall.chat_rate(seat.is_some()), Instant::now().into_std());
        let budget = self.chat.budgets.entry(seat).or_insert_with(|| TokenBucket::full(rate, now));
        if budget.take(rate, now).is_err() {
            let words = match seat {
                Some(_) => "You are writing too fast: wait a moment.",
                None => "The spectators are writing too fast: wait a moment.",
            };
            return Err(refused(Refusal::TooFast, words));
        }
        if self.chat.kept >= KEPT {
            let words = "So much has been said at this table that no more can be kept.";
            return Err(refused(Refusal::NotNow, words));
        }
        let entry = LogEntry::Said { seat: seat.map(|seat| seat.0), name: name.clone(), text: text.into() };
        let line = ChatLine { from: name, seat: seat.map(wire::seat_number), text: text.into() };
        if self.hall.store().takes(&entry) {
            self.log_entry(entry).await?;
            self.chat.kept += 1;
        }
        self.chat.show(line.clone());
        self.tell_all(&ServerMsg::Chat { line });
        Ok(())
    }
}

/// Invisible, or changes the direction of text.
fn is_disguise(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
