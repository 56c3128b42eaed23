//! The messages between server and clients. docs/protocol.md explains each of them; the client's TypeScript types are
//! generated from these (`typescript`).
//!
//! Invariant: what a client is told about a game is made from its own view (the `wire` crate), never from the state.

mod lobby;
mod puzzles;
mod replay;
mod typescript;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire as game;

pub use bots::BotLevel;
pub use lobby::*;
pub use puzzles::*;
pub use replay::*;
pub use typescript::typescript;

/// Raised with every change that old clients would misread.
pub const PROTOCOL: u32 = 5;

/// What a client sends over the WebSocket of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMsg {
    /// The first message. `commitment` is the hash of the bytes that the client will add to the shuffle, in hexadecimal.
    Hello {
        protocol: u32,
        #[serde(default)]
        #[ts(optional)]
        commitment: Option<String>,
    },
    /// The bytes that the client has committed to, in hexadecimal, once the commitments of all players are published.
    Reveal {
        bytes: String,
    },
    /// The answer to the question that came with the update `seq`.
    Act {
        seq: u32,
        index: u32,
    },
    /// Keeps a window open that would close by itself, whether or not the player has anything to do.
    Hold {
        seq: u32,
    },
    /// What an answer would do, before it is given.
    Preview {
        seq: u32,
        index: u32,
    },
    /// Why one of the player's own cards cannot be used now.
    Why {
        card: u16,
    },
    /// What a good player would answer.
    Hint {
        seq: u32,
    },
    /// When to be asked.
    Stops {
        stops: Stops,
    },
    /// Passes everything until then; without `until`, no longer. `seq` names a question to begin with.
    PassOn {
        #[serde(default)]
        #[ts(optional)]
        until: Option<PassUntil>,
        #[serde(default)]
        #[ts(optional)]
        seq: Option<u32>,
    },
    /// Ask in every window, as long as the player holds a key.
    AskEverywhere {
        on: bool,
    },
    /// Use this card later; without `when`, no longer.
    Arm {
        card: u16,
        #[serde(default)]
        #[ts(optional)]
        when: Option<ArmedFor>,
    },
    /// Takes back the player's last answer.
    Undo,
    /// Agrees or refuses when another player asks to take back an answer.
    Consent {
        request: u32,
        yes: bool,
    },
    /// Takes a free seat: this one, or any.
    Sit {
        #[serde(default)]
        #[ts(optional)]
        seat: Option<u8>,
    },
    /// Leaves one's seat before the game starts.
    Stand,
    /// Puts a bot into a free seat, or removes it. Only the host may.
    Bot {
        seat: u8,
        #[serde(default)]
        #[ts(optional)]
        level: Option<BotLevel>,
    },
    /// Takes a person's seat away before the game starts; they cannot sit at this table again. Only the host may.
    Remove {
        seat: u8,
    },
    /// Changes the settings before the game starts; a custom deck stays if it is named. Only the host may.
    Settings {
        settings: Box<Settings>,
    },
    /// Starts the game. Only the host may.
    Start,
    /// Gives up.
    Resign,
    /// Lets a bot play for a player who has left, or agrees that one plays for a player who does not answer, until they
    /// are back.
    Replace {
        seat: u8,
    },
    /// Takes one's seat back from the bot, once it has answered what it was asked.
    Back,
    /// Proposes a rematch or agrees to one; or declines it, or withdraws one's own proposal.
    Rematch {
        yes: bool,
    },
    Chat {
        text: String,
    },
    /// Asks for everything to be sent again.
    Refresh,
}

/// What the server sends over the WebSocket of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMsg {
    /// The answer to `hello`.
    Welcome {
        protocol: u32,
        you: You,
        table: TableInfo,
        chat: Vec<ChatLine>,
    },
    /// Who sits where, and anything else that changed around the game.
    Table {
        table: TableInfo,
        you: You,
    },
    /// The cards of the game, when it starts or is joined.
    Cards {
        start: game::Start,
    },
    Update(Box<Update>),
    Preview(Box<Preview>),
    /// Why the player's card cannot be used at this moment; empty if it can.
    Why {
        seq: u32,
        card: u16,
        words: String,
    },
    Hint {
        seq: u32,
        moves: Vec<HintMove>,
    },
    /// A player asks to take back an answer and needs consent.
    UndoAsked {
        request: u32,
        seat: u8,
        words: String,
    },
    /// The request was granted, refused or withdrawn.
    UndoAnswered {
        request: u32,
        granted: bool,
        words: String,
    },
    /// A card is no longer armed, although its owner did not say so.
    Disarmed {
        card: u16,
        words: String,
    },
    Chat {
        line: ChatLine,
    },
    /// A message was refused. Nothing has changed.
    Refused {
        code: Refusal,
        words: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        seq: Option<u32>,
    },
    /// Nothing else was sent for a while: the server is there.
    Beat,
    /// The last message of a connection.
    Bye {
        code: CloseReason,
        words: String,
    },
}

/// The game as it stands, for one viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Update {
    /// Grows with every change. Answers name it, so a late click cannot mean something else.
    pub seq: u32,
    /// A fresh start: show the table as it is; `events` is everything so far.
    pub fresh: bool,
    pub view: game::Table,
    /// What happened since the last update, in order; with `fresh` since the deal.
    pub events: Vec<game::Event>,
    /// Who the game is waiting for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingFor>,
    /// The question, if it is yours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<YourQuestion>,
    /// Your cards that can be armed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u16>>")]
    pub armable: Vec<u16>,
    pub undo: Undo,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<GameOver>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct WaitingFor {
    pub seat: u8,
    /// In a window, where the player may act or pass.
    pub window: bool,
    /// When the table moves on by itself, in milliseconds from now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u32>,
    /// A player is keeping the window open.
    pub held: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct YourQuestion {
    pub decision: game::Decision,
    /// The possible answers; never empty. `act` names one by its place, counted from 0.
    pub legal: Vec<game::Choice>,
    /// The answer that uses an armed card whose moment has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armed: Option<u32>,
}

/// Whether the player's last answer can be taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Undo {
    pub allowed: UndoAllowed,
    /// Why, or why not.
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UndoAllowed {
    Freely,
    /// The other people at the table are asked.
    ByConsent,
    No,
}

/// How the game ended, and what proves the shuffle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct GameOver {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// `ten souls`, `last standing`, `all lost`, `no heroes left`, `stopped` or `resigned`; alone `last hero`,
    /// `five wounds` or `a hero in the tavern`.
    pub reason: String,
    pub turns: u16,
    /// By seat.
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
    /// Only of a game for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solo: Option<SoloResult>,
    /// Where to find the record, with everyone's cards open: `/record/{id}`.
    pub record: String,
}

/// What a game for one came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SoloResult {
    pub score: i32,
    pub title: String,
    /// The boss's name.
    pub boss: String,
}

/// What an answer would do if nobody responded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Preview {
    pub seq: u32,
    pub index: u32,
    pub words: String,
    /// What it does to the player's own things.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The table as it would be; absent where chance has a hand in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<game::Table>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct HintMove {
    pub index: u32,
    /// The answer.
    pub words: String,
    pub reason: String,
    /// The chance to win, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// When to be asked in windows. Whatever is chosen, how long a window takes does not depend on the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Stops {
    pub windows: StopAt,
    /// Always ask when another player's spell or ability could be answered.
    pub answer_spells: bool,
}

/// Until when everything is passed. Your time to build is always yours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PassUntil {
    /// Another hero begins its walk, or the turn ends.
    Hero,
    /// The turn ends.
    Turn,
    /// Something is at stake for the player, as with `concerning`.
    Concern,
}

/// A card that its owner wants to use, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Armed {
    pub card: u16,
    pub when: ArmedFor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ArmedFor {
    NextChance,
    /// A hero stands in this room.
    HeroInRoom {
        room: u16,
    },
    /// This hero walks through a dungeon and would reach the boss.
    HeroSurvives {
        hero: u16,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopAt {
    /// When something concerns the player, judging by what everyone can see.
    Concerning,
    Every,
    Never,
}

/// Who the client is at this table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct You {
    pub name: String,
    /// Absent for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub host: bool,
    pub stops: Stops,
    /// Everything is passed for you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing: Option<PassUntil>,
    /// What you have armed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Armed>>")]
    pub armed: Vec<Armed>,
    /// A bot plays your seat until you say `back`.
    pub away: bool,
    /// You are back as soon as the bot has answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub returning: bool,
    /// The host has removed you: you cannot sit at this table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub removed: bool,
    /// For whom you can have a bot play, with `replace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MayReplace>>")]
    pub may_replace: Vec<MayReplace>,
}

/// A player who has left or does not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MayReplace {
    pub seat: u8,
    /// When a bot can play for them, in milliseconds from now.
    pub left_ms: u32,
    /// Who has agreed so far.
    pub agreed: Vec<u8>,
    /// How many must agree.
    pub needed: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ChatLine {
    pub from: String,
    /// Absent for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub text: String,
}

/// Why a message was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It cannot be read.
    Malformed,
    /// `hello` comes first, and once.
    HelloFirst,
    /// The question has been answered, or the game has gone on.
    Stale,
    /// Another player is asked.
    NotAsked,
    /// There is no such answer.
    NotLegal,
    /// Only seated players may.
    NotSeated,
    /// Only the host may.
    NotHost,
    /// Not now: the game has, or has not, begun.
    NotNow,
    SeatTaken,
    /// Too many messages.
    TooFast,
    TooLong,
    /// The server could not save it. Try again.
    NotStored,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// Client and server use different versions of the protocol: reload the page.
    Protocol,
    NoSuchTable,
    /// The table's log cannot be replayed. It is kept as it is.
    CannotRestore,
    /// The table does not allow spectators.
    NotWelcome,
    /// The server is stopping. Everything is saved: come back in a moment.
    Stopping,
    /// Too many bad messages.
    Misbehaved,
    /// The session was revoked, or replaced by another one.
    SignedOut,
    Closed,
}

impl ClientMsg {
    /// Refuses unknown fields in every message; by itself serde accepts them where a message has none of its own.
    pub fn read(text: &str) -> serde_json::Result<ClientMsg> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct TypeOnly {
            #[serde(rename = "type")]
            _type: String,
        }
        use ClientMsg::*;
        // By itself serde also accepts a list of the fields.
        if !text.trim_start().starts_with('{') {
            return Err(serde::de::Error::custom("a message must be a JSON object"));
        }
        let message = serde_json::from_str(text)?;
        if let Undo | Stand | Start | Resign | Back | Refresh = message {
            let TypeOnly { .. } = serde_json::from_str(text)?;
        }
        Ok(message)
    }
}

impl Default for Stops {
    fn default() -> Stops {
        Stops { windows: StopAt::Concerning, answer_spells: true }
    }
}
