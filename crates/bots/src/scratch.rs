//! Scratch games for looking ahead. Copying into an existing game costs far less than making a new one.

use engine::{Game, State};

/// For evaluating a position.
pub(crate) struct EvalScratch<'a> {
    /// With a player's own face-down rooms revealed.
    pub revealed: Game<'a>,
    /// With a hero walking through a dungeon.
    pub walk: State,
}

impl<'a> EvalScratch<'a> {
    pub fn new(game: &Game<'a>) -> EvalScratch<'a> {
        EvalScratch { revealed: game.clone(), walk: game.state.clone() }
    }
}

/// For comparing builds by the position they lead to.
pub(crate) struct BuildScratch<'a> {
    /// With a room built.
    pub built: Game<'a>,
    pub ahead: EvalScratch<'a>,
}

impl<'a> BuildScratch<'a> {
    pub fn new(game: &Game<'a>) -> BuildScratch<'a> {
        BuildScratch { built: game.clone(), ahead: EvalScratch::new(game) }
    }
}
