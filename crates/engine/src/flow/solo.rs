//! A game for one ends with a score and a title (rule 15.5).

use crate::Game;
use crate::model::id::Seat;

/// The titles, each with the lowest score that earns it.
const TITLES: [(i32, &str); 10] = [
    (0, "Kobold"),
    (7, "Minion"),
    (13, "Mini Boss"),
    (17, "Boss"),
    (22, "Total Boss"),
    (26, "Dungeon Sultan"),
    (29, "Boss Monster"),
    (32, "Grand Boss"),
    (35, "Master of the Dungeon"),
    (36, "Grand Ultimate Master of the Dungeon"),
];
const FAILURE: &str = "Failure";

/// What a game for one comes to, or would if it ended now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloScore {
    pub score: i32,
    pub title: String,
    /// The next better title, and the score it needs.
    pub next: Option<(String, i32)>,
}

impl SoloScore {
    pub fn of(score: i32, challenge: bool) -> SoloScore {
        let name = |title: &str| if challenge { format!("True {title}") } else { title.to_string() };
        let earned = TITLES.iter().rev().find(|(least, _)| score >= *least);
        let next = TITLES.iter().find(|(least, _)| score < *least);
        SoloScore {
            score,
            title: name(earned.map_or(FAILURE, |(_, title)| title)),
            next: next.map(|(least, title)| (name(title), *least)),
        }
    }
}

impl Game<'_> {
    /// The score of a game for one: souls minus wounds. `None` in every other game.
    pub fn solo_score(&self) -> Option<SoloScore> {
        let challenge = self.state.rules().ruleset().is_challenge();
        let alone = self.state.rules().players == 1;
        alone.then(|| SoloScore::of(self.souls(Seat(0)) - self.wounds(Seat(0)), challenge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_the_title_of_the_rules() {
        let title = |score| SoloScore::of(score, false).title;
        for (scores, expected) in [
            (-40..=-1, "Failure"),
            (0..=6, "Kobold"),
            (7..=12, "Minion"),
            (13..=16, "Mini Boss"),
            (17..=21, "Boss"),
            (22..=25, "Total Boss"),
            (26..=28, "Dungeon Sultan"),
            (29..=31, "Boss Monster"),
            (32..=34, "Grand Boss"),
            (35..=35, "Master of the Dungeon"),
            (36..=36, "Grand Ultimate Master of the Dungeon"),
        ] {
            scores.for_each(|score| assert_eq!(title(score), expected, "{score}"));
        }
        assert_eq!(SoloScore::of(30, true).title, "True Boss Monster");
        assert_eq!(SoloScore::of(30, false).next, Some(("Grand Boss".into(), 32)));
        assert_eq!(SoloScore::of(36, false).next, None);
    }
}
