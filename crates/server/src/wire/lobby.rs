//! Tables, people and lookups, as HTTP and the lobby show them.

use bots::BotLevel;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use wire::{CardText, Kind};

/// Everything around the game that everyone may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct TableInfo {
    pub id: String,
    /// Without the texts of a deck and of cards, which can be long: `GET /api/tables/{id}/deck` and `.../cards` have
    /// them.
    pub settings: Settings,
    /// It is played with a custom deck.
    pub own_deck: bool,
    /// How many different cards of its own it is played with, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_cards: Option<u16>,
    pub state: TableState,
    pub seats: Vec<SeatInfo>,
    /// How many people are watching.
    pub spectators: u32,
    /// The hash of the server's part of the seed, in hexadecimal: fixed when the table is made.
    pub commitment: String,
    /// From the start on: whose client has committed to what. A client that is `waiting` is asked to reveal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<Vec<ShuffleContribution>>,
    pub turn: u16,
    /// The table of the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// A rematch that waits for the others to agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<RematchProposal>,
}

/// Who wants a rematch and who does not, by seat. Everyone else is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct RematchProposal {
    pub by: u8,
    pub agreed: Vec<u8>,
    pub declined: Vec<u8>,
}

/// What a player's client adds to the shuffle, as far as it is public before the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ShuffleContribution {
    pub seat: u8,
    /// The hash of its bytes, in hexadecimal.
    pub commitment: String,
    pub state: ContributionState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContributionState {
    /// The client is asked to reveal its bytes.
    Waiting,
    Revealed,
    /// It did not reveal in time, and its bytes are left out.
    Absent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
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

/// The settings of a table, fixed when it is created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct Settings {
    /// A deck that comes with the program, by name.
    pub deck: String,
    /// The text of a custom deck, when a table is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck_text: Option<String>,
    /// The text of a card file of one's own, when a table is made. Its cards are added to the deck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards_text: Option<String>,
    /// The rules to play by, and variants of them, by name.
    pub ruleset: String,
    pub variants: Vec<String>,
    pub players: u8,
    /// Absent: no time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    pub undo: UndoRule,
    pub spectators: Spectators,
    /// Listed in the lobby; otherwise only people with the link can find it.
    pub listed: bool,
    /// How long a window stays open unless someone holds it, in milliseconds. 0 for tables of friends who do not mind
    /// that a quick pass shows an empty hand.
    pub window_ms: u32,
}

/// Time for every answer, and a reserve for the whole game. A player who has used up both is replaced by a bot until they
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
    /// Freely while nobody else has acted, else with the others' consent; never past anything revealed.
    Consent,
    /// Only while nobody else has acted.
    Own,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    None,
    /// They see what everyone at the table sees.
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
    /// Bots for the last seats, from the last one backwards.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<BotLevel>>")]
    pub bots: Vec<BotLevel>,
    /// Start as soon as every seat is taken.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub start: bool,
    /// Continue a finished game of this server from a moment of it, with bots in the other seats: `record@step`.
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
    /// Listed tables that can be watched, newest first.
    pub playing: Vec<TableInfo>,
    /// Your own tables that are not over, newest first.
    pub mine: Vec<TableInfo>,
}

/// The person of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct Me {
    /// Absent: no session yet.
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

/// To sign in, or to create an account.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub name: String,
    pub passphrase: String,
}

/// A browser in which you are signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct SessionInfo {
    pub id: String,
    /// In seconds since 1970.
    #[ts(type = "number")]
    pub began: i64,
    /// When it was last used, to the hour.
    #[ts(type = "number")]
    pub seen: i64,
    /// The kind of browser.
    pub about: String,
    /// The one that asks.
    pub current: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// The id of a session, or `others` for all but the one that asks.
    pub session: String,
}

/// One of your games, in the history.
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

/// Today's dungeon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct Daily {
    /// Days since 1970, in UTC.
    #[ts(type = "number")]
    pub day: i64,
    /// When the next one begins, in seconds since 1970.
    #[ts(type = "number")]
    pub ends: i64,
    /// The hash of the day's secret, from which its cards follow, in hexadecimal.
    pub commitment: String,
    /// The secret of the day before, if it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yesterday: Option<String>,
    /// The table of your attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The best of today, best first.
    pub scores: Vec<DailyScore>,
}

/// A finished attempt at a day's dungeon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DailyScore {
    /// Counted from 1; equal scores share a place.
    pub place: u32,
    pub name: String,
    /// With an account; guests could have come back under another name.
    pub account: bool,
    /// Which attempt of the day from its network it is, counted from 1.
    pub attempt: u32,
    pub score: i32,
    pub title: String,
    pub boss: String,
    pub you: bool,
}

/// The best that you have reached with a boss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BossTitle {
    pub boss: String,
    pub challenge: bool,
    pub score: i32,
    pub title: String,
    /// Finished games with that boss.
    pub games: u32,
}

/// What went wrong with an HTTP request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    /// A code for programs.
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
    /// Where its data come from.
    pub provenance: String,
    /// The card in the card language.
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckInfo {
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// The deck file.
    pub text: String,
    pub most_players: u8,
}

/// A box of cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BoxInfo {
    pub code: String,
    pub title: String,
    /// It has heroes of its own; all others are expansions.
    pub base: bool,
    /// Cards in it, copies included.
    pub cards: u32,
    /// All of its cards are of our own design.
    pub house: bool,
    /// The card on its lid.
    pub lid: String,
}

/// Whole boxes shuffled together, and what that comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MixInfo {
    /// The name of the deck, such as `bmr+crl`.
    pub name: String,
    pub title: String,
    pub notes: Vec<String>,
    /// The deck file.
    pub text: String,
    /// The codes of its boxes; the first lends the heroes.
    pub boxes: Vec<String>,
    /// What it brings to the game.
    pub brings: Vec<MixPart>,
    /// Every other box: what adding it brings, or why it cannot be added. And every box in it: why it
    /// cannot be taken out.
    pub steps: Vec<MixStep>,
    /// Every ruleset with every number of players.
    pub tables: Vec<MixTable>,
    /// The number it was drawn by, if nobody has chosen it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seed: Option<u32>,
    /// What to play it by, if it was drawn for a number of players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub advised: Option<MixTable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MixPart {
    pub title: String,
    pub means: String,
}

/// Adding or taking out one box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MixStep {
    pub code: String,
    /// The mix after it; absent if it cannot be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// What comes or goes with it.
    pub changes: Vec<String>,
    /// Why it cannot be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why_not: Option<String>,
}

/// A number of players by a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct MixTable {
    pub ruleset: String,
    pub players: u8,
    /// The variants it takes.
    pub variants: Vec<String>,
    /// Why it cannot be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why_not: Option<String>,
}

/// A deck by name, with its text.
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
    /// What is wrong with it; empty if nothing is.
    pub problems: Vec<DeckProblem>,
    pub title: String,
    pub cards: Vec<DeckCard>,
    pub advice: Vec<DeckAdvice>,
}

/// A card file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CardsText {
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct CardsCheck {
    /// A table can be made with it.
    pub ok: bool,
    /// What is wrong with it, and warnings; empty if nothing is.
    pub problems: Vec<DeckProblem>,
    /// Of the set, if nothing is wrong.
    pub title: String,
    /// Those that make sense, in the order of the file.
    pub cards: Vec<OwnCard>,
}

/// The card file that a table is played with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct TableCards {
    pub title: String,
    /// The file.
    pub text: String,
    pub cards: Vec<OwnCard>,
}

/// A card from a table's own card file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct OwnCard {
    #[serde(flatten)]
    pub page: CardPage,
    /// Where it begins in the file, counted from 1.
    pub line: u32,
    /// The title of the set whose card of the same name it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

/// One thing that is wrong with a deck or a card file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct DeckProblem {
    /// Counted from 1; absent if it is about the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// In characters, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What is wrong, in one line.
    pub message: String,
    /// Why it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// It is possible all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub warning: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckCard {
    pub name: String,
    pub set: String,
    #[schema(value_type = String)]
    pub kind: Kind,
    pub copies: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckAdvice {
    /// It follows the guide.
    pub met: bool,
    pub words: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            deck: cards::library::DECKS[0].0.into(),
            deck_text: None,
            cards_text: None,
            ruleset: engine::Ruleset::default().name().into(),
            variants: Vec::new(),
            players: 2,
            clock: None,
            undo: UndoRule::Consent,
            spectators: Spectators::Open,
            listed: false,
            window_ms: 2_000,
        }
    }
}

impl TableInfo {
    /// Before anything is known.
    pub fn unknown() -> TableInfo {
        TableInfo {
            id: String::new(),
            settings: Settings::default(),
            own_deck: false,
            own_cards: None,
            state: TableState::Open,
            seats: Vec::new(),
            spectators: 0,
            commitment: String::new(),
            shuffle: None,
            turn: 0,
            rematch: None,
            proposal: None,
        }
    }
}
