//! What servers that share a database have to agree on.
//!
//! Invariant: of the living servers any can read what another writes, and play what another has begun. One that does not
//! fit those that live is not let in, so no table ever comes to it.

use cards::library::DECKS;
use cards::tree::Set;
use engine::record::{Hex, VERSION};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::LogEntry;
use crate::nodes::SPEAKS;

/// What a server says of itself before it may take tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The version of what it says to others over the bus; `None` without one.
    pub speaks: Option<u32>,
    /// The newest kind of log entries that it reads.
    pub reads: u32,
    /// The version of the rules.
    pub rules: u32,
    /// The hash of the cards and decks that can be played with; `None` for one that plays nothing.
    pub cards: Option<Hex<32>>,
}

/// How a server differs from one that lives: what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misfit {
    #[error("has other cards: start all servers with the same program and the same --cards")]
    Cards,
    #[error(
        "plays by other rules (version {there}, and this one by version {here}): games would go wrong. Stop all servers \
         before you start this program"
    )]
    Rules { there: u32, here: u32 },
    #[error(
        "says other things over the bus (version {there}, and this one version {here}). Stop all servers before you start \
         this program"
    )]
    Speech { there: u32, here: u32 },
    #[error("has a bus, and this one has none: start this one with the same --nats")]
    NoBus,
    #[error("has no bus, and this one has: start all servers with the same --nats, or all without")]
    OnlyBus,
}

impl Fit {
    /// This program with these cards, with or without a bus.
    pub fn of(sets: &[Set], bus: bool) -> Fit {
        let mut hasher = Sha256::new();
        sets.iter().for_each(|set| hasher.update(set.to_string()));
        DECKS.iter().for_each(|(name, text)| hasher.update(format!("{name}\n{text}")));
        Fit { cards: Some(Hex(hasher.finalize().into())), ..Fit::without_cards(bus) }
    }

    pub fn without_cards(bus: bool) -> Fit {
        Fit { speaks: bus.then_some(SPEAKS), reads: LogEntry::NEWEST, rules: VERSION, cards: None }
    }

    /// Whether this server can share tables with one that lives. What the two read may differ: see `LogEntry::kind`.
    pub fn compare(&self, other: &Fit) -> Result<(), Misfit> {
        match (self.speaks, other.speaks) {
            (None, Some(_)) => return Err(Misfit::NoBus),
            (Some(_), None) => return Err(Misfit::OnlyBus),
            (Some(here), Some(there)) if here != there => return Err(Misfit::Speech { there, here }),
            _ => {}
        }
        if self.rules != other.rules {
            return Err(Misfit::Rules { there: other.rules, here: self.rules });
        }
        match (&self.cards, &other.cards) {
            (Some(mine), Some(theirs)) if mine != theirs => Err(Misfit::Cards),
            _ => Ok(()),
        }
    }
}
