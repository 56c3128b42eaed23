//! The log as lines for a terminal: sentences from `engine::tell`, with turns and phases as headings.

use cards::CardDb;
use engine::tell::{self, Reader, Told};
use engine::{Event, What};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Turn(u16),
    Phase(&'static str),
    Good(String),
    Bad(String),
    Plain(String),
}

/// The name of the only person at the table.
pub const YOU: &str = "You";

pub fn tell(db: &CardDb, names: &[String], events: &[Event], reader: Reader) -> Vec<Line> {
    tell::story(db, names, reader, events).into_iter().map(|told| line(told, reader)).collect()
}

fn line(Told { words, event }: Told, reader: Reader) -> Line {
    let own = reader.is(event.owner());
    match event.what {
        What::TurnBegins { turn } => Line::Turn(turn),
        What::PhaseBegins { phase } => Line::Phase(phase.name()),
        What::Dies { .. } if own => Line::Good(words),
        What::Wounds { .. } if own => Line::Bad(words),
        What::GameOver { .. } | What::LevelsUp => Line::Good(words),
        What::Eliminated { .. } => Line::Bad(words),
        _ => Line::Plain(words),
    }
}
