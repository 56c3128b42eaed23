//! A finished game, to be looked at again.

use bots::wire::{Decision, Happening, Phase, Start, Table};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// Everything about a finished game but the tables of its moments.
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
    /// Absent if it did not come to its own end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ReplayResult>,
    /// Absent if the shuffle was taken over from another game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<FairShuffle>,
    /// The record was played again, and everything in it agreed.
    pub verified: bool,
    /// What was found.
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
    /// How many answers had been given after it.
    pub step: u32,
    /// Who answered; absent for the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub turn: u16,
    #[schema(value_type = String)]
    pub phase: Phase,
    /// The answer; empty for a pass, and if these eyes did not see it.
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

/// What proves that nobody chose the shuffle; all numbers in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct FairShuffle {
    /// SHA-256 of the secret, shown before the first card.
    pub commitment: String,
    pub secret: String,
    /// What each seat's client added; zeros of those who added nothing.
    pub entropy: Vec<String>,
    /// SHA-256 of it all: what the cards were shuffled with.
    pub seed: String,
}

/// One moment of a finished game: the table after so many answers, and what led there from the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ReplayMoment {
    pub step: u32,
    #[schema(value_type = Object)]
    pub view: Table,
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Happening>,
    /// The question that was open then; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub decision: Option<Decision>,
}
