//! Lair for Python: games, batches of games and bots, with fixed actions and named observations. The
//! environments themselves are written in Python, in `lair_env/`.
//!
//! Invariant: what Python is told of a game for a seat comes from that seat's view.

mod actions;
mod batch;
mod cardlist;
mod crew;
mod error;
mod game;
mod given;
mod observation;
mod picture;
mod play;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use engine::Variant;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::error::{GameOver, IllegalAction, LairError};
    #[pymodule_export]
    use crate::game::{Bot, Game};

    /// The decks that come with the program; boxes can also be mixed, as in `bmr+crl`.
    #[pyfunction]
    fn decks() -> Vec<&'static str> {
        crate::table::decks()
    }

    /// The rulesets by which games can be played.
    #[pyfunction]
    fn rulesets() -> Vec<&'static str> {
        crate::table::rulesets()
    }

    /// The variants that can be named for a table; not all of them fit every ruleset.
    #[pyfunction]
    fn variants() -> Vec<&'static str> {
        Variant::ALL.into_iter().map(Variant::name).collect()
    }

    /// The six levels, weakest first.
    #[pyfunction]
    fn levels() -> Vec<String> {
        bots::BotLevel::ALL.iter().map(|level| level.to_string()).collect()
    }
}
