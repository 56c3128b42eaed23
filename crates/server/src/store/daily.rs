//! Today's dungeon: days are counted from 1970, in UTC.

use super::PersonId;
use crate::wire::DailyScore;

/// Days since 1970, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

/// Games for one that count for somebody's titles: the newest of them.
pub(super) const TITLE_GAMES: u32 = 2_000;

impl Day {
    pub const SECONDS: i64 = 86_400;

    /// The day of this moment, in seconds since 1970.
    pub fn at(now: i64) -> Day {
        Day(now.div_euclid(Day::SECONDS))
    }

    /// When it is over.
    pub fn ends(self) -> i64 {
        (self.0 + 1) * Day::SECONDS
    }
}

/// Best first; equal scores share a place.
pub(super) fn place(mut scores: Vec<(PersonId, DailyScore)>) -> Vec<(PersonId, DailyScore)> {
    let mut place = (0, i32::MAX);
    for (at, (_, score)) in (1..).zip(&mut scores) {
        if score.score != place.1 {
            place = (at, score.score);
        }
        score.place = place.0;
    }
    scores
}
