//! What server and clients say to each other. docs/protocol.md explains every message; the client's TypeScript
//! types are printed from these (`typescript`).
//!
//! Invariant: what a client is told of a game is made from its own view (`bots::wire`), never from the state.

mod lobby;
mod replay;

use bots::wire as game;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use lobby::*;
pub use replay::*;

/// A change that old clients would misread gets another number.
pub const PROTOCOL: u32 = 2;

/// What a client sends over the WebSocket of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMsg {
    /// The first message. `entropy` is 64 hexadecimal digits of the client's own making; it goes into the shuffle.
    Hello {
        protocol: u32,
        #[serde(default)]
        #[ts(optional)]
        entropy: Option<String>,
    },
    /// The answer to the question that came with the update `seq`.
    Act {
        seq: u32,
        index: u32,
    },
    /// Keeps a window open that would close by itself. Anybody asked may, with or without something to do.
    Hold {
        seq: u32,
    },
    /// What an answer would do, before it is given.
    Preview {
        seq: u32,
        index: u32,
    },
    /// What a good player would answer.
    Hint {
        seq: u32,
    },
    /// When to be asked.
    Stops {
        stops: Stops,
    },
    /// To take back one's last answer.
    Undo,
    /// The answer to somebody else's wish to take back.
    Consent {
        request: u32,
        yes: bool,
    },
    /// To take a free seat, any or this one.
    Sit {
        #[serde(default)]
        #[ts(optional)]
        seat: Option<u8>,
    },
    /// To leave one's seat before the game begins.
    Stand,
    /// To put a bot into a free seat, or to take it away. The host's right.
    Bot {
        seat: u8,
        #[serde(default)]
        #[ts(optional)]
        level: Option<BotLevel>,
    },
    /// To begin. The host's right.
    Start,
    /// To give up.
    Resign,
    /// A bot plays for somebody who has gone, until they are back.
    Replace {
        seat: u8,
    },
    /// To take one's seat back from the bot that played meanwhile.
    Back,
    /// The same players, once more.
    Rematch,
    Chat {
        text: String,
    },
    /// To be sent everything anew.
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
    /// Who sits where, and what else changed around the game.
    Table {
        table: TableInfo,
        you: You,
    },
    /// A game begins, or is joined: every card of it.
    Cards {
        start: game::Start,
    },
    Update(Box<Update>),
    Preview(Box<Preview>),
    Hint {
        seq: u32,
        moves: Vec<HintMove>,
    },
    /// Somebody wishes to take back an answer and needs consent.
    UndoAsked {
        request: u32,
        seat: u8,
        words: String,
    },
    /// The wish was granted, refused or withdrawn.
    UndoAnswered {
        request: u32,
        granted: bool,
        words: String,
    },
    Chat {
        line: ChatLine,
    },
    /// A message was not taken. Nothing has changed.
    Refused {
        code: Refusal,
        words: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        seq: Option<u32>,
    },
    /// The last message of a connection.
    Bye {
        code: Farewell,
        words: String,
    },
}

/// The game as it stands, for one viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Update {
    /// Grows with every change. Answers name it, so a late click cannot mean something else.
    pub seq: u32,
    /// Begins anew: show the table as it is; `events` are the story so far.
    pub fresh: bool,
    pub view: game::Table,
    /// What happened since the last update, in order; with `fresh` since the deal.
    pub events: Vec<game::Happening>,
    /// Whom the game waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
    /// The question, if it is yours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<AskYou>,
    pub undo: Undo,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<GameOver>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Waiting {
    pub seat: u8,
    /// In a window, where the player may act or pass.
    pub window: bool,
    /// When the table goes on by itself, in milliseconds from now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u32>,
    /// Somebody keeps the window open.
    pub held: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AskYou {
    pub decision: game::Decision,
    /// The possible answers; never empty. `act` names one by its place, counted from 0.
    pub legal: Vec<game::Choice>,
}

/// Whether one's last answer can be taken back.
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
    /// `ten souls`, `last standing`, `all lost`, `no heroes left`, `stopped` or `resigned`.
    pub reason: String,
    pub turns: u16,
    /// By seat.
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
    /// Everybody's cards are open in the record: `/record/{id}`.
    pub record: String,
}

/// What an answer would do if nobody else did anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Preview {
    pub seq: u32,
    pub index: u32,
    pub words: String,
    /// The table as it would be; of a build only.
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

/// When to be asked in windows. Whatever is chosen, the time a window takes does not depend on the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Stops {
    pub windows: StopAt,
    /// Always ask when somebody else's spell or ability could be answered.
    pub answer_spells: bool,
    /// Pass everything until the next turn.
    pub pass_turn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopAt {
    /// When something concerns the player, as all can see.
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
    /// A bot plays your seat until you say `back`.
    pub away: bool,
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

/// Why a message was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It cannot be read.
    Malformed,
    /// `hello` comes first, and once.
    HelloFirst,
    /// The question has been answered, or the game has gone on.
    Stale,
    /// Somebody else is asked.
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
    /// Too many messages; slow down.
    TooFast,
    TooLong,
    /// The server could not store it. Try again.
    NotStored,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Farewell {
    /// Client and server speak different protocols: reload the page.
    Protocol,
    NoSuchTable,
    /// The table does not take spectators.
    NotWelcome,
    /// The server stops. Everything is stored: come back in a moment.
    Stopping,
    /// Too many bad messages.
    Misbehaved,
    Closed,
}

impl Default for Stops {
    fn default() -> Stops {
        Stops { windows: StopAt::Concerning, answer_spells: true, pass_turn: false }
    }
}

/// All types as TypeScript, for the client.
pub fn typescript() -> String {
    let config = ts_rs::Config::default();
    let mut out = String::from("// Printed from the server's types: UPDATE_EXPECT=1 cargo test -p server\n");
    macro_rules! print {
        ($($type:ty),* $(,)?) => {$(
            out.push_str("\nexport ");
            out.push_str(&<$type as TS>::decl(&config));
            out.push('\n');
        )*};
    }
    print!(
        ClientMsg,
        ServerMsg,
        Update,
        Waiting,
        AskYou,
        Undo,
        UndoAllowed,
        GameOver,
        Preview,
        HintMove,
        Stops,
        StopAt,
        You,
        ChatLine,
        Refusal,
        Farewell
    );
    print!(
        TableInfo,
        TableState,
        SeatInfo,
        Occupant,
        BotLevel,
        Settings,
        Clock,
        UndoRule,
        Spectators,
        NewTable,
        NewTableReply,
        Lobby,
        Me,
        SignIn,
        NewGuest,
        GameSummary,
        Problem,
        CardPage,
        DeckInfo,
        DeckCheck,
        DeckText,
        DeckCard,
        DeckAdvice,
        Replay,
        ReplaySeat,
        ReplayStep,
        ReplayResult,
        FairShuffle,
        ReplayMoment
    );
    print!(
        game::Start,
        game::CardText,
        game::Card,
        game::Kind,
        game::Treasure,
        game::Table,
        game::Phase,
        game::Player,
        game::Room,
        game::Hero,
        game::Forecast,
        game::Walked,
        game::Fate,
        game::Hand,
        game::Pending,
        game::Decks,
        game::Decision,
        game::Asked,
        game::Choice,
        game::Act,
        game::Happening,
        game::What,
        game::Where,
        game::Site
    );
    out.push_str(&format!("\nexport const PROTOCOL = {PROTOCOL};\n"));
    out
}
