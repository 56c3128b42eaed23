//! Replays of finished games.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use wire::{Decision, Event, Phase, Start, Table};

/// A finished game, except for the table at each moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct Replay {
    #[schema(value_type = Object)]
    pub start: Start,
    /// By seat.
    pub seats: Vec<ReplaySeat>,
    /// The line that names the game: players, deck, variants, seed.
    pub setup: String,
    /// The deal, then every answer.
    pub steps: Vec<ReplayStep>,
    /// Absent if the game was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ReplayResult>,
    /// Absent if the shuffle was that of another game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<FairShuffle>,
    /// The record was replayed, and everything in it agreed.
    pub verified: bool,
    /// What the check found.
    pub verdict: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ReplaySeat {
    pub name: String,
    /// `person`, or the kind of bot.
    pub kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ReplayStep {
    /// How many answers have been given after it.
    pub step: u32,
    /// Who answered; absent for the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub turn: u16,
    #[schema(value_type = String)]
    pub phase: Phase,
    /// The answer; empty for a pass, and if this viewer did not see it.
    pub words: String,
    /// What happened, sentence by sentence.
    pub told: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ReplayResult {
    pub winner: u8,
    pub reason: String,
    pub turns: u16,
    /// By seat.
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
}

/// The proof that nobody chose the shuffle; all numbers are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct FairShuffle {
    /// The hash of the secret, shown before the first card.
    pub commitment: String,
    pub secret: String,
    /// By seat.
    pub players: Vec<FairContribution>,
    /// The hash of it all, with which the cards were shuffled.
    pub seed: String,
}

/// What a seat's client added to the shuffle: nothing, a commitment that it did not keep, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct FairContribution {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
}

/// One moment of a finished game: the table after this many answers, and what happened since the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ReplayMoment {
    pub step: u32,
    #[schema(value_type = Object)]
    pub view: Table,
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Event>,
    /// The question that was open then; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub decision: Option<Decision>,
}

/// The turning points of a finished game for one player, as they could see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GameReview {
    /// In their order: at most three.
    pub points: Vec<ReviewPoint>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ReviewPoint {
    /// How many answers had been given: for a choice, the table it was made at.
    pub step: u32,
    pub turn: u16,
    /// `choice`: there was a better answer; `luck`.
    pub turned: String,
    /// The chance of winning in percent: of a choice, with the best answer and with the one given; otherwise before and
    /// after.
    pub before: u8,
    pub after: u8,
    pub words: String,
}

/// How a finished game went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GameStory {
    /// The start of every turn, and the end.
    pub turns: Vec<StoryTurn>,
    /// Heroes that died or reached a boss, bosses that levelled up or were eliminated.
    pub moments: Vec<StoryMoment>,
    /// By seat.
    pub players: Vec<StoryPlayer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct StoryTurn {
    /// How many answers had been given.
    pub step: u32,
    pub turn: u16,
    /// Everybody's chance to win in percent, by seat, as the bots' network estimates it from all cards.
    pub chances: Vec<u8>,
    /// By seat.
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct StoryMoment {
    /// The step in which it happened.
    pub step: u32,
    pub turn: u16,
    /// `dies`, `wounds`, `levels_up` or `eliminated`.
    pub kind: String,
    /// Whom it happened to, or who gained by it.
    pub seat: u8,
    pub words: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct StoryPlayer {
    /// Heroes that died for this player's souls.
    pub killed: u16,
    /// Heroes that reached the boss.
    pub survived: u16,
    /// Rooms placed or built.
    pub built: u16,
    /// Rooms destroyed.
    pub lost: u16,
    /// Spells cast.
    pub cast: u16,
    /// The room in which most heroes died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadliest: Option<StoryRoom>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct StoryRoom {
    pub face: u16,
    pub kills: u16,
}
