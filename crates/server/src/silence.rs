//! Whoever is sent nothing for a while is sent a beat, so that a client knows its server is there; whoever says nothing
//! is pinged, and given up if that goes unanswered.
//!
//! One task looks at all connections, a share of them at a time: with a timer of its own, each connection's task would
//! wake up more often than people move (docs/performance.md).
//!
//! Invariant: a look only writes to a socket that takes everything at once; it never waits.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::body::Bytes;

use crate::frame::Frame;
use crate::outgoing::Outgoing;
use crate::serve::Limits;
use crate::wire::ServerMsg;

/// The connections are looked at in so many groups, one after the other.
const GROUPS: usize = 8;
/// How many looks it takes at least until something is due: silences are known to within one look.
const FINE: u32 = 4;
/// An empty ping (RFC 6455, section 5.5.2).
const PING: &[u8] = b"\x89\0";

/// After how many looks in silence something is due.
#[derive(Clone, Copy)]
pub struct Patience {
    beat: u32,
    ping: u32,
    gone: u32,
}

/// How long a connection has been silent, in looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silences {
    /// Nothing was sent to it.
    pub unsent: u32,
    /// Nothing was heard from it.
    pub unheard: u32,
}

/// What is due for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Nothing,
    Beat,
    Ping,
    /// It did not answer.
    GiveUp,
}

/// All connections that play or watch.
pub struct Watch {
    groups: [Mutex<Vec<Weak<Outgoing>>>; GROUPS],
    patience: Patience,
    beat: Bytes,
    /// Between two looks at the same connection.
    every: Duration,
}

impl Watch {
    pub fn new(limits: &Limits) -> Watch {
        let Limits { beat_every, ping_every, silence, .. } = *limits;
        let every = beat_every.min(ping_every).min(silence) / FINE;
        let looks = |time: Duration| time.div_duration_f64(every).ceil() as u32;
        let patience = Patience { beat: looks(beat_every), ping: looks(ping_every), gone: looks(silence) };
        let beat = Frame::of(&ServerMsg::Beat).bytes().clone();
        Watch { groups: Default::default(), patience, beat, every }
    }

    /// From now on, until it is dropped.
    pub fn add(&self, connection: &Arc<Outgoing>) {
        let smallest = self.groups.iter().min_by_key(|group| lock(group).len());
        if let Some(group) = smallest {
            lock(group).push(Arc::downgrade(connection));
        }
    }

    /// Looks at one group after the other, without end.
    pub async fn keep(&self) {
        let mut ticks = tokio::time::interval(self.every / GROUPS as u32);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        for group in self.groups.iter().cycle() {
            ticks.tick().await;
            lock(group).retain(|connection| connection.upgrade().is_some_and(|open| self.look(&open)));
        }
    }

    /// Whether it is still there.
    fn look(&self, connection: &Outgoing) -> bool {
        match self.patience.due(connection.grow_silent()) {
            Due::Nothing => {}
            Due::Beat => connection.send_in_silence(self.beat.clone()),
            Due::Ping => connection.send_in_silence(Bytes::from_static(PING)),
            Due::GiveUp => connection.give_up(),
        }
        connection.ended().is_none()
    }
}

impl Patience {
    fn due(self, Silences { unsent, unheard }: Silences) -> Due {
        if unheard > self.gone {
            Due::GiveUp
        } else if unheard > 0 && unheard.is_multiple_of(self.ping) {
            Due::Ping
        } else if unsent >= self.beat {
            Due::Beat
        } else {
            Due::Nothing
        }
    }
}

fn lock<T>(group: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    group.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_connection_is_sent_beats_and_pings_and_then_given_up() {
        let Watch { patience, every, .. } = Watch::new(&Limits::default());
        let silent = |looks| Silences { unsent: looks, unheard: looks };
        let due: Vec<(u64, Due)> = (1..=31)
            .map(|looks| (u64::from(looks) * every.as_secs(), patience.due(silent(looks))))
            .filter(|(_, due)| !matches!(due, Due::Nothing | Due::Beat))
            .collect();
        assert_eq!(due, [(20, Due::Ping), (40, Due::Ping), (60, Due::Ping), (62, Due::GiveUp)]);
        // A client waits 12 s for a sign of life: the last look before it, and the look itself, must be in time.
        let first = (1..).find(|looks| patience.due(silent(*looks)) == Due::Beat).unwrap();
        assert!((first + 1) * every.as_secs() as u32 <= 10, "{first} looks");
    }

    #[test]
    fn whoever_is_heard_is_not_pinged() {
        let patience = Watch::new(&Limits::default()).patience;
        assert_eq!(patience.due(Silences { unsent: 1, unheard: 0 }), Due::Nothing);
        assert_eq!(patience.due(Silences { unsent: 4, unheard: 0 }), Due::Beat);
    }
}
