//! A puzzle: how its position came about, what has to be reached, and the line that reaches it.
//!
//! Invariant: the name follows from the position and the goal, so a puzzle that changes has another name.

use cards::{CardDb, library};
use engine::record::ActionText;
use engine::{Action, Game, Seat, Setup};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::prove::Goal;
use crate::rate::Rating;
use crate::solve::{Flaw, Solution, Step, solve};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub setup: Setup,
    /// Everybody's answers from the deal on.
    pub moves: Vec<Action>,
    /// The solver.
    pub seat: Seat,
    pub goal: Goal,
    pub line: Vec<Step>,
    pub rating: Rating,
    /// The position and the line in words, for readers of the file.
    pub notes: Vec<String>,
}

/// Why a puzzle no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    #[error("its deck `{0}` does not come with this program")]
    NoDeck(String),
    #[error("its game cannot be dealt: {0}")]
    Setup(String),
    #[error("answer {0}, `{1}`, is no longer possible in its game")]
    Move(usize, String),
    #[error(transparent)]
    Flaw(#[from] Flaw),
    #[error("another line solves it now: {0}")]
    OtherLine(String),
}

impl Puzzle {
    /// The deck, and a short hash of the position and the goal.
    pub fn name(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(format!("{} {} {}\n", self.setup, self.seat, self.goal.name()));
        for action in &self.moves {
            hash.update(format!("{}\n", ActionText(*action)));
        }
        let hash = hash.finalize();
        format!("{}-{:02x}{:02x}{:02x}", self.deck(), hash[0], hash[1], hash[2])
    }

    pub fn deck(&self) -> &str {
        self.setup.deck.name()
    }

    /// How many answers have to be found.
    pub fn only(&self) -> usize {
        self.line.iter().filter(|step| step.only).count()
    }

    /// The cards it is played with.
    pub fn db(&self, sets: &[cards::tree::Set]) -> Result<CardDb, Broken> {
        let deck = library::deck(self.deck(), sets).ok_or_else(|| Broken::NoDeck(self.deck().into()))?;
        deck.compile(sets).map_err(|error| Broken::Setup(error.to_string()))
    }

    /// The position, with open hands.
    pub fn position<'a>(&self, db: &'a CardDb) -> Result<Game<'a>, Broken> {
        let dealt = Game::new(db, self.setup.rules, self.setup.seed.0, &mut ());
        let mut game = dealt.map_err(|error| Broken::Setup(error.to_string()))?;
        for (at, action) in self.moves.iter().enumerate() {
            let refused = |_| Broken::Move(at + 1, ActionText(*action).to_string());
            game.apply(*action, &mut ()).map_err(refused)?;
        }
        game.open_hands(self.seat);
        Ok(game)
    }

    /// Proves it again, from nothing but its position.
    pub fn check(&self, db: &CardDb) -> Result<Solution, Broken> {
        let solution = solve(&self.position(db)?, self.seat, self.goal)?;
        if solution.line == self.line {
            return Ok(solution);
        }
        let text: Vec<String> =
            solution.line.iter().map(|step| ActionText(step.action).to_string()).collect();
        Err(Broken::OtherLine(text.join("; ")))
    }
}
