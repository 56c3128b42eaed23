//! The parts of a turn: one row for each says what people call it.

use super::{Phase, set_of};

struct Row {
    /// Where a bar lists all of them.
    title: &'static str,
    /// Where a line speaks of it.
    name: &'static str,
}

set_of!(Phases(u16) of Phase);

impl Phase {
    /// The phases in which spells are cast and abilities used.
    pub const OF_ACTIONS: &'static [(&'static str, Phase)] =
        &[(Phase::Build.word(), Phase::Build), (Phase::Adventure.word(), Phase::Adventure)];

    const fn row(self) -> Row {
        match self {
            Phase::Setup => Row { title: "Setup", name: "Setup" },
            Phase::Begin => Row { title: "Begin", name: "Beginning of turn" },
            Phase::Build => Row { title: "Build", name: "Build phase" },
            Phase::Bait => Row { title: "Bait", name: "Bait phase" },
            Phase::Adventure => Row { title: "Adventure", name: "Adventure phase" },
            Phase::End => Row { title: "End", name: "End of turn" },
            Phase::Town => Row { title: "Town", name: "Town phase" },
            Phase::Minion => Row { title: "Minion", name: "Minion phase" },
        }
    }

    /// One word, where a bar lists all phases.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// What a line that speaks of it says: "Build phase".
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub(super) const fn index(self) -> u32 {
        self as u32
    }
}
