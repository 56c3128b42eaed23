//! Who may connect. Every connection is an open file, and the system allows only so many.
//!
//! Invariant: the last part of what the server can hold is kept for the addresses of people who are at a table, or
//! were a moment ago, so that strangers can keep nobody from coming back to a game.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::network;

/// Files that are not connections: the database, the log, the listener.
const OWN_FILES: u64 = 64;
/// One connection in this many is kept for players.
const RESERVE: usize = 8;
/// How long an address is remembered after its last player has left.
const REMEMBERED: Duration = Duration::from_secs(600);
/// More addresses than this are not remembered at all.
const MAX_ADDRESSES: usize = 50_000;

pub struct Admission {
    most: usize,
    free: Arc<Semaphore>,
    players: Mutex<HashMap<IpAddr, Seen>>,
}

/// Players at one address.
struct Seen {
    at_tables: usize,
    last: Instant,
}

/// Someone is at a table for as long as this exists.
pub struct Present {
    of: Arc<Admission>,
    who: IpAddr,
}

impl Admission {
    /// As many connections as wanted, or as the system allows open files for.
    pub fn open(wanted: usize) -> Arc<Admission> {
        let files = rlimit::increase_nofile_limit(wanted as u64 + OWN_FILES);
        let most = files.map_or(wanted, |files| possible(wanted, files));
        // A few less are nothing to worry an operator about.
        if most < wanted / 10 * 9 {
            tracing::warn!(most, wanted, "the limit on open files allows fewer connections (ulimit -n)");
        }
        Admission::new(most)
    }

    pub fn new(most: usize) -> Arc<Admission> {
        Arc::new(Admission { most, free: Arc::new(Semaphore::new(most)), players: Mutex::default() })
    }

    /// A connection, if there is one to be had for this address; `None` as address if it is not known yet.
    pub fn connect(&self, from: Option<IpAddr>) -> Option<OwnedSemaphorePermit> {
        if from.is_some_and(|from| !self.is_welcome(from)) {
            return None;
        }
        Arc::clone(&self.free).try_acquire_owned().ok()
    }

    /// There is plenty of room, or the address is a player's.
    pub fn is_welcome(&self, from: IpAddr) -> bool {
        let scarce = self.free.available_permits() < self.most.div_ceil(RESERVE);
        !scarce || self.players().get(&network(from)).is_some_and(Seen::is_recent)
    }

    /// Someone at this address has come to a table.
    pub fn player(self: &Arc<Admission>, from: IpAddr) -> Present {
        let who = network(from);
        let mut players = self.players();
        if players.len() >= MAX_ADDRESSES {
            players.retain(|_, seen| seen.is_recent());
        }
        let seen = players.entry(who).or_insert_with(|| Seen { at_tables: 0, last: Instant::now() });
        seen.at_tables += 1;
        Present { of: Arc::clone(self), who }
    }

    /// Done when all connections are closed.
    pub async fn all_closed(&self) {
        let _ = self.free.acquire_many(self.most as u32).await;
    }

    fn players(&self) -> MutexGuard<'_, HashMap<IpAddr, Seen>> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn is_recent(&self) -> bool {
        self.at_tables > 0 || self.last.elapsed() < REMEMBERED
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        if let Some(seen) = self.of.players().get_mut(&self.who) {
            seen.at_tables -= 1;
            seen.last = Instant::now();
        }
    }
}

/// How many connections this many files allow.
fn possible(wanted: usize, files: u64) -> usize {
    // With very few files it is better to try than to refuse everyone.
    let files = files.saturating_sub(OWN_FILES).max(16);
    usize::try_from(files).unwrap_or(usize::MAX).min(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_limits_connections() {
        assert_eq!(possible(20_000, 1_000_000), 20_000);
        assert_eq!(possible(20_000, 1_024), 960);
        assert_eq!(possible(20_000, 10), 16);
        assert_eq!(possible(5, 10), 5);
    }

    #[test]
    fn the_last_connections_are_kept_for_players() {
        let admission = Admission::new(16);
        let [stranger, player] = [[192, 0, 2, 1], [192, 0, 2, 2]].map(IpAddr::from);
        let present = admission.player(player);
        let held: Vec<_> = std::iter::from_fn(|| admission.connect(Some(stranger))).collect();
        assert_eq!(held.len(), 15, "below an eighth, strangers are refused");
        drop(present);
        let last = admission.connect(Some(player));
        assert!(last.is_some(), "who has just left may come back");
        assert!(
            admission.connect(Some(player)).is_none() && admission.connect(None).is_none(),
            "there is no more"
        );
        drop(held);
        assert!(admission.connect(Some(stranger)).is_some());
    }
}
