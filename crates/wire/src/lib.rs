//! The game as JSON: what programs and clients are sent, and what they answer. docs/bot-protocol.md
//! explains every message with examples, which the tests parse as these types.
//!
//! Invariants: everything here is made from a `View`, field by field, so it cannot leak hidden
//! information. Seats are counted from 1, as people say them; a card's `id` is valid for one game
//! and reveals nothing about the card; what does not apply is left out.

mod board;
mod card;
mod event;
mod question;
mod table;
mod words;

use engine::tell::{Numbers, Reader};
use engine::view::View;
use engine::{Actions, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use board::{Board, Minion, Site, Solo, Summoned};
pub use card::{Card, CardText, Treasure};
pub use cards::vocabulary::{Class, Kind, Landmark, Phase, Subtype, Zone};
pub use engine::state::{Errand, Space};
pub use engine::{Ending, Score, What};
pub use event::{Event, Where};
pub use question::{Act, Choice, Decision, QuestionKind};
pub use table::{Fate, Forecast, Hand, Hero, Item, Miniboss, Pending, Player, Room, Table, Walked};
pub use words::vocabulary;

/// The protocol of these types. A change that old programs would misread gets another number.
pub const PROTOCOL: u32 = 3;

/// One line to a program. Each message has a key that no other has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "one line at a time")]
pub enum ToBot {
    Hello(Hello),
    Start { start: Start },
    Ask(Ask),
    Over { over: Over },
    Bye { bye: bool },
}

/// The first line, in both directions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Hello {
    /// The sender: `lair`, or the program's name.
    pub hello: String,
    pub protocol: u32,
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Start {
    /// The program's seat.
    pub seat: u8,
    pub players: u8,
    pub ruleset: String,
    pub variants: Vec<String>,
    /// The game stops after this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<u16>,
    /// The phases of a turn, in order.
    pub phases: Vec<Phase>,
    /// The classes in play: no other is counted or shown.
    pub classes: Vec<Class>,
    /// Every card of the game, with what is printed on it.
    pub cards: Vec<CardText>,
}

/// A question. The answer is an `Answer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Ask {
    /// The number of the question in this game.
    pub seq: u32,
    pub view: Table,
    pub decision: Decision,
    /// The answers that are possible; never empty.
    pub legal: Vec<Choice>,
}

/// One of the legal answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Answer {
    /// Its place in `legal`, counted from 0.
    pub index: usize,
    /// The question's number. Giving it rules out answering the wrong question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u32>,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Over {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// `ten souls`, `last standing`, `all lost`, `no heroes left` or `stopped`.
    pub reason: String,
    pub turns: u16,
    /// By seat.
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
}

/// A seat as it is counted here.
pub fn seat_number(seat: Seat) -> u8 {
    seat.0 + 1
}

impl Hello {
    /// The program's own.
    pub fn lair() -> Hello {
        Hello { hello: "lair".into(), protocol: PROTOCOL }
    }
}

impl Start {
    /// For the viewer who is to play.
    pub fn of(view: &View) -> Start {
        let rules = view.state().rules();
        Start {
            seat: view.viewer().map_or(0, seat_number),
            players: rules.players,
            ruleset: rules.ruleset().name().into(),
            variants: rules.variants().map(|variant| variant.name().into()).collect(),
            last_turn: Some(rules.last_turn).filter(|turn| *turn > 0),
            phases: rules.edition().phases.iter().collect(),
            classes: view.table().db.classes.iter().collect(),
            cards: CardText::all(view),
        }
    }
}

impl Ask {
    /// The question the viewer is asked now; `None` if another player is asked, or the game is
    /// over.
    pub fn of(view: &View, seq: u32, legal: &Actions) -> Option<Ask> {
        let decision = view.decision().filter(|decision| Some(decision.seat) == view.viewer())?;
        let (table, reader) = (view.table(), Reader::from(view.viewer()));
        Some(Ask {
            seq,
            view: Table::of(view),
            decision: Decision::of(table, &Numbers, reader, decision),
            legal: legal.iter().map(|action| Choice::of(table, &Numbers, reader, *action)).collect(),
        })
    }
}

impl Over {
    /// `None` while the game is running.
    pub fn of(view: &View) -> Option<Over> {
        let game = view.table();
        let outcome = game.outcome()?;
        let seats = || (0..game.state.rules().players).map(Seat);
        Some(Over {
            winner: Some(outcome.winner).filter(|seat| seat.exists()).map(seat_number),
            reason: outcome.reason.name().into(),
            turns: game.state.turn(),
            souls: seats().map(|seat| game.souls(seat)).collect(),
            wounds: seats().map(|seat| game.wounds(seat)).collect(),
        })
    }
}
