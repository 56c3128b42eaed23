//! One run on many machines. The command that wants the result hosts the run: it gives out pieces of numbered jobs to
//! whoever asks, itself included, and adds up what comes back. Workers pull, so slow and fast machines need no plan.
//!
//! Invariants: a job is a pure function of its number, and only sums of whole numbers are kept, so the result is the
//! same bytes as on one machine, whatever dies meanwhile; nobody's game waits for the bus.

mod host;
mod ledger;
mod message;
mod spec;
mod worker;

use engine::Game;

pub use host::{Host, Share, SpreadError, Status, Summary};
pub use ledger::Piece;
pub use message::OFFERS;
pub use spec::{CellSpec, DeckSpec, Kind, Spec};
pub use worker::{News, Worker};

/// Numbered jobs whose results can travel.
pub trait Jobs: Sync {
    /// What is kept of some jobs.
    type Part: Send;

    fn jobs(&self) -> u64;

    /// Games of a job.
    fn games(&self) -> u64;

    fn empty(&self) -> Self::Part;

    /// Plays one job and adds it to the part. Jobs of a part follow one another.
    fn play(&self, job: u64, part: &mut Self::Part, done: &dyn Fn());

    fn put(&self, part: &Self::Part) -> Packed;

    /// `None` if this cannot be the result of these jobs.
    fn get(&self, piece: Piece, packed: &Packed) -> Option<Self::Part>;

    /// A number that follows from how the games begin: a program with other rules, cards or bots finds another.
    fn probe(&self) -> u64;
}

/// A part on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The same for everyone who plays these jobs.
    pub result: Vec<u8>,
    /// Times, which differ.
    pub measured: Vec<u8>,
}

impl Packed {
    fn hash(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.result.hash(&mut hasher);
        hasher.finish()
    }
}

/// How many answers of each game a probe plays: enough to see rules, cards and bots at work, and soon done with slow
/// bots, too.
pub(crate) const PROBED: u32 = 40;

/// Adds a game to a probe.
pub(crate) fn probe(so_far: u64, game: &Game) -> u64 {
    crate::seated::derive_seed(so_far, game.state.fingerprint(), 0, 0)
}

/// What a test sets; never in a released program.
fn test_number(name: &str) -> Option<u64> {
    cfg!(debug_assertions).then(|| std::env::var(name).ok()?.parse().ok())?
}

/// In a test, every job takes so many milliseconds longer.
fn slowed() {
    if let Some(millis) = test_number("LAIR_TEST_SLOW") {
        std::thread::sleep(std::time::Duration::from_millis(millis));
    }
}

/// What a test asks of a worker that misbehaves; never in a released program.
pub(crate) fn pretends(what: &str) -> bool {
    cfg!(debug_assertions) && std::env::var("LAIR_TEST_WORKER").is_ok_and(|set| set == what)
}
