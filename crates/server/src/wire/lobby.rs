//! Tables, people and lookups, as HTTP and the lobby show them.

use bots::wire::CardText;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// Everything around the game that everybody may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct TableInfo {
    pub id: String,
    pub settings: Settings,
    pub state: TableState,
    pub seats: Vec<SeatInfo>,
    /// How many only watch.
    pub spectators: u32,
    /// SHA-256 of the server's part of the seed, in hexadecimal: fixed before the first card.
    pub commitment: String,
    pub turn: u16,
    /// The table where the same players play once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableState {
    Open,
    Playing,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct SeatInfo {
    /// Counted from 1.
    pub seat: u8,
    /// Absent: free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Occupant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Occupant {
    Person {
        name: String,
        connected: bool,
        host: bool,
        /// A bot plays until they are back.
        away: bool,
        resigned: bool,
    },
    Bot {
        level: BotLevel,
        name: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BotLevel {
    Kobold,
    Minion,
    MiniBoss,
    Boss,
    TotalBoss,
    GrandBoss,
}

/// What is settled when a table is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct Settings {
    /// A deck that comes with the program, by name.
    pub deck: String,
    /// The text of a deck of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck_text: Option<String>,
    pub variants: Vec<String>,
    pub players: u8,
    /// Absent: no hurry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    pub undo: UndoRule,
    pub spectators: Spectators,
    /// Shown in the lobby; otherwise only those with the link find it.
    pub listed: bool,
    /// How long a window stays open that nobody holds, in milliseconds. 0 for tables of friends who do not mind
    /// that a quick pass shows an empty hand.
    pub window_ms: u32,
}

/// So much for every answer, and a reserve for the game. Who has used up both is replaced by a bot until they
/// are back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub move_s: u32,
    pub reserve_s: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoRule {
    /// Freely while nobody else has acted, else with the others' consent; never past what was revealed.
    Consent,
    /// Only while nobody else has acted.
    Own,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    None,
    /// They see what everybody at the table sees.
    Open,
    /// The same, a minute later.
    Delayed,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct NewTable {
    #[serde(default)]
    pub settings: Settings,
    /// Bots to seat at once, from the last seat backwards.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<BotLevel>>")]
    pub bots: Vec<BotLevel>,
    /// Begin as soon as every seat is taken.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub start: bool,
    /// Begin from a moment of a finished game of this server, bots in the other seats: `record@step`.
    #[serde(default)]
    pub from: Option<String>,
    /// With `from`: the seat to play.
    #[serde(default)]
    pub seat: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct NewTableReply {
    pub id: String,
    /// The path to share.
    pub link: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Lobby {
    /// Listed tables with a free seat, newest first.
    pub open: Vec<TableInfo>,
    /// Listed tables that can be watched.
    pub playing: Vec<TableInfo>,
    /// The asker's own tables that are not over.
    pub mine: Vec<TableInfo>,
}

/// Who the browser is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct Me {
    /// Absent: nobody yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// With an account; otherwise a guest.
    pub account: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGuest {
    pub name: String,
}

/// To sign in, or to make an account.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub name: String,
    pub passphrase: String,
}

/// A game of one's own, in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct GameSummary {
    pub id: String,
    /// When it began, in seconds since 1970.
    #[ts(type = "number")]
    pub began: i64,
    pub state: TableState,
    pub deck: String,
    /// By seat.
    pub names: Vec<String>,
    pub seat: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub turns: u16,
}

/// What went wrong with an HTTP request, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    /// One word for programs.
    pub code: String,
    pub words: String,
}

/// A card of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct CardPage {
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub card: CardText,
    pub rulings: Vec<String>,
    /// Where its facts come from, in words.
    pub provenance: String,
    /// The card as it is written in the card language.
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckInfo {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// As it is written.
    pub text: String,
    pub most_players: u8,
}

/// A deck of somebody's own, to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeckText {
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckCheck {
    /// It can be played.
    pub ok: bool,
    /// What is wrong with it, with places; empty if nothing.
    pub problems: String,
    pub title: String,
    pub cards: Vec<DeckCard>,
    pub advice: Vec<DeckAdvice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckCard {
    pub name: String,
    pub set: String,
    pub kind: String,
    pub copies: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckAdvice {
    /// It meets what the guide asks for.
    pub met: bool,
    pub words: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            deck: cards::library::DECKS[0].0.into(),
            deck_text: None,
            variants: Vec::new(),
            players: 2,
            clock: None,
            undo: UndoRule::Consent,
            spectators: Spectators::Open,
            listed: false,
            window_ms: 3_000,
        }
    }
}

impl From<BotLevel> for bots::Level {
    fn from(level: BotLevel) -> bots::Level {
        match level {
            BotLevel::Kobold => bots::Level::Kobold,
            BotLevel::Minion => bots::Level::Minion,
            BotLevel::MiniBoss => bots::Level::MiniBoss,
            BotLevel::Boss => bots::Level::Boss,
            BotLevel::TotalBoss => bots::Level::TotalBoss,
            BotLevel::GrandBoss => bots::Level::GrandBoss,
        }
    }
}

impl TableInfo {
    /// Before anything is known.
    pub fn unknown() -> TableInfo {
        TableInfo {
            id: String::new(),
            settings: Settings::default(),
            state: TableState::Open,
            seats: Vec::new(),
            spectators: 0,
            commitment: String::new(),
            turn: 0,
            rematch: None,
        }
    }
}
