//! Puzzles.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use wire::Start;

use super::Update;

/// A puzzle in the list. What solves it is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleInfo {
    pub name: String,
    pub deck: String,
    /// The deck's.
    pub title: String,
    pub goal: PuzzleGoal,
    pub players: u8,
    pub seat: u8,
    /// How many answers have to be found.
    pub answers: u8,
    /// How many of a hundred tries of the bots miss the line, each level counting the same.
    pub missed: u8,
    pub difficulty: PuzzleDifficulty,
    /// By you.
    pub solved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleGoal {
    /// Win the game this turn.
    Win,
    /// Still be in the game when the turn is over.
    Survive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleDifficulty {
    Easy,
    Tricky,
    Hard,
    Fiendish,
}

/// Your answers so far, each by its place among those that were possible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswers {
    pub answers: Vec<u16>,
}

/// What came of the last answer; without any, the position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct PuzzleReply {
    pub stage: PuzzleStage,
    /// The cards; only with the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub start: Option<Start>,
    /// One for each answer of anybody, as at a table.
    #[schema(value_type = Vec<Object>)]
    pub updates: Vec<Update>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleStage {
    /// You are asked.
    Asked,
    Solved,
    /// The answer was wrong, and the updates show why.
    Failed,
}

/// The line that solves a puzzle, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleSolution {
    pub line: Vec<PuzzleStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleStep {
    pub seat: u8,
    pub words: String,
    /// An answer to be found: no other works.
    pub only: bool,
}
