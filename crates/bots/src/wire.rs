//! The game as JSON: what programs and clients are told, and what they answer. docs/bot-protocol.md explains
//! every message with examples, which the tests read as these types.
//!
//! Invariants: everything here is made from a `View`, field by field, so nothing is told that the viewer may not
//! know. Seats are counted from 1, as people say them; a card's `id` names it for one game and tells nothing of
//! what it is; what does not apply is left out.

mod card;
mod event;
mod question;
mod table;

use engine::tell::Numbers;
use engine::view::View;
use engine::{Actions, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use card::{Card, CardText, Kind, Treasure};
pub use event::{Happening, Site, What, Where};
pub use question::{Act, Asked, Choice, Decision};
pub use table::{Decks, Fate, Forecast, Hand, Hero, Pending, Phase, Player, Room, Table, Walked};

/// The protocol of these types. A change that old programs would misread gets another number.
pub const PROTOCOL: u32 = 2;

/// One line to a program. Each message has a key that no other has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
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
    /// Who speaks: `lair`, or the program's name.
    pub hello: String,
    pub protocol: u32,
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Start {
    /// Whom the program plays.
    pub seat: u8,
    pub players: u8,
    pub ruleset: String,
    pub variants: Vec<String>,
    /// The game stops after this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<u16>,
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
    /// The question's number. Who gives it cannot answer the wrong question.
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
            ruleset: rules.ruleset.name().into(),
            variants: rules.variants().map(|variant| variant.name().into()).collect(),
            last_turn: Some(rules.last_turn).filter(|turn| *turn > 0),
            cards: CardText::all(view),
        }
    }
}

impl Ask {
    /// The question the viewer is asked now; `None` if it is somebody else's, or the game is over.
    pub fn of(view: &View, seq: u32, legal: &Actions) -> Option<Ask> {
        let decision = view.decision().filter(|decision| Some(decision.seat) == view.viewer())?;
        let table = view.table();
        Some(Ask {
            seq,
            view: Table::of(view),
            decision: Decision::of(table, &Numbers, decision),
            legal: legal.iter().map(|action| Choice::of(table, &Numbers, *action)).collect(),
        })
    }
}

impl Over {
    /// `None` while the game goes on.
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
