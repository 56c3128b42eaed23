//! The same scenario as people play it: questions with one answer are not asked. Invariant:
//! whenever the scenario is at a real question, its twin is at the same one, in the same state.

use cards::CardDb;
use contract::Broken;
use contract::twin::alike;
use engine::position::Position;
use engine::{Action, Game, Script, SetupError};

use crate::error::Problem;

#[derive(Clone)]
pub(crate) struct Twin<'a> {
    game: Game<'a>,
    script: Script,
}

impl<'a> Twin<'a> {
    pub(crate) fn of(
        db: &'a CardDb,
        position: &Position,
        mut script: Script,
    ) -> Result<Twin<'a>, SetupError> {
        let mut position = position.clone();
        position.rules.ask_all = false;
        let game = Game::from_position_scripted(db, &position, &mut (), &mut script)?;
        Ok(Twin { game, script })
    }

    /// Takes an answer to a question with several answers.
    pub(crate) fn apply(&mut self, action: Action) -> Result<(), Problem> {
        let applied = self.game.apply_scripted(action, &mut (), &mut self.script);
        applied.map_err(|_| Problem::Twin("the answer is not allowed there".into()))
    }

    pub(crate) fn compare(&self, game: &Game, script: &Script) -> Result<(), Problem> {
        if self.script != *script {
            return Err(Problem::Twin("chance has brought something else there".into()));
        }
        alike(&self.game, game).map_err(|Broken(what)| Problem::Twin(what))
    }
}
