//! How hard a puzzle is: how rarely the six levels of bots find its line.
//!
//! Invariant: a bot is shown the position as the solver sees it, hands open, and its seeds follow from the
//! puzzle, so a rating can be repeated.

use bots::{BotLevel, BotSpec};
use engine::{Actions, Game, Luck, Seat};

use crate::prove::alike;
use crate::solve::{Step, step};

/// How often each level tries. The strong ones nearly always answer the same.
pub const TRIES: [u8; 6] = [4, 4, 2, 2, 1, 1];

/// By level, the weakest first: how often it found the first answer, and how often the whole line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rating {
    pub first: [u8; 6],
    pub line: [u8; 6],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    Easy,
    Tricky,
    Hard,
    Fiendish,
}

impl Difficulty {
    pub const ALL: [Difficulty; 4] =
        [Difficulty::Easy, Difficulty::Tricky, Difficulty::Hard, Difficulty::Fiendish];

    pub fn name(self) -> &'static str {
        match self {
            Difficulty::Easy => "easy",
            Difficulty::Tricky => "tricky",
            Difficulty::Hard => "hard",
            Difficulty::Fiendish => "fiendish",
        }
    }
}

impl Rating {
    /// How many of a hundred tries miss the line, where each level counts the same.
    pub fn missed(&self) -> u32 {
        let missed =
            |(found, tries): (&u8, u8)| 100 * u32::from(tries.saturating_sub(*found)) / u32::from(tries);
        self.line.iter().zip(TRIES).map(missed).sum::<u32>() / TRIES.len() as u32
    }

    pub fn difficulty(&self) -> Difficulty {
        match self.missed() {
            0..40 => Difficulty::Easy,
            40..65 => Difficulty::Tricky,
            65..90 => Difficulty::Hard,
            _ => Difficulty::Fiendish,
        }
    }

    /// Lets every level try.
    pub fn of(position: &Game, seat: Seat, line: &[Step], seed: u64) -> Rating {
        let mut rating = Rating::default();
        for (at, level) in BotLevel::ALL.into_iter().enumerate() {
            for n in 0..TRIES[at] {
                let seed = seed ^ (at as u64) << 8 ^ u64::from(n) << 16;
                let (first, whole) = attempt(level, position, seat, line, seed);
                rating.first[at] += u8::from(first);
                rating.line[at] += u8::from(whole);
            }
        }
        rating
    }
}

/// Whether the level finds the first answer, and whether it finds all.
fn attempt(level: BotLevel, position: &Game, seat: Seat, line: &[Step], seed: u64) -> (bool, bool) {
    let Ok(mut bot) = BotSpec::Level(level).seat(seed) else { return (false, false) };
    let (mut game, mut legal, mut found) = (position.clone(), Actions::new(), 0);
    for next in line {
        if next.only {
            game.legal(&mut legal);
            let chosen = bot.choose(&game.view(Some(seat)), &legal);
            if alike(&game, chosen) != alike(&game, next.action) {
                return (found > 0, false);
            }
            found += 1;
        }
        game = step(&game, next.action, &Luck::default(), seat).0;
    }
    (found > 0, true)
}
