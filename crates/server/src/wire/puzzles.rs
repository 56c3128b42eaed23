//! Puzzles.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use wire::{CardText, Event, Start, Table};

use super::YourQuestion;

/// A puzzle in the list. What solves it is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct PuzzleInfo {
    pub name: String,
    pub deck: String,
    pub ruleset: String,
    pub players: u8,
    pub turn: u16,
    /// Yours.
    pub seat: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub boss: Option<CardText>,
    pub goal: PuzzleGoal,
    /// How many answers have to be found.
    pub answers: u8,
    /// How many of a hundred tries of the bots miss the line, each level counting the same.
    pub missed: u8,
    pub difficulty: PuzzleDifficulty,
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

/// The position, with all hands open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzlePosition {
    pub puzzle: PuzzleInfo,
    /// What the players are called in sentences, by seat.
    pub names: Vec<String>,
    #[schema(value_type = Object)]
    pub start: Start,
    #[schema(value_type = Object)]
    pub view: Table,
    #[schema(value_type = Object)]
    pub ask: YourQuestion,
}

/// Your answers so far, each by its place among those that were possible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswers {
    pub answers: Vec<u16>,
}

/// Asks what another answer would do after these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzlePreview {
    pub answers: Vec<u16>,
    pub index: u16,
}

/// Asks why one of your cards cannot be used after these answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleWhy {
    pub answers: Vec<u16>,
    pub card: u16,
}

/// The reason; empty if the card can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleReason {
    pub words: String,
}

/// What came of the last answer; without any, that you are asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct PuzzleReply {
    pub stage: PuzzleStage,
    /// Your answer and everybody's after it, until you are asked again or it is over.
    pub moves: Vec<PuzzleMove>,
    /// The table after them.
    #[schema(value_type = Object)]
    pub view: Table,
    /// The next question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub ask: Option<YourQuestion>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleStage {
    /// You are asked.
    Asked,
    Solved,
    /// The last answer was wrong, and the moves after it show why.
    Refuted,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleMove {
    pub seat: u8,
    /// The answer; empty for a pass.
    pub words: String,
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Event>,
}

/// An answer that works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct PuzzleHint {
    /// What kind of answer it is, where that leaves something to find.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its place among the answers.
    pub index: u16,
    pub words: String,
}

/// The line that solves a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleSolution {
    pub line: Vec<PuzzleStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleStep {
    pub seat: u8,
    /// The answer, in words.
    pub words: String,
    /// No other answer works.
    pub only: bool,
}
