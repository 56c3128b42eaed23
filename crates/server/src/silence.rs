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
struct Due {
    beat: bool,
    ping: bool,
    /// It did not answer.
    give_up: bool,
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
        let due = self.patience.due(connection.grow_silent());
        if due.give_up {
            connection.give_up();
        }
        if due.beat {
            connection.beat(self.beat.clone());
        }
        if due.ping {
            connection.send_in_silence(Bytes::from_static(PING));
        }
        connection.ended().is_none()
    }
}

impl Patience {
    fn due(self, Silences { unsent, unheard }: Silences) -> Due {
        Due {
            beat: unsent >= self.beat,
            ping: unheard > 0 && unheard.is_multiple_of(self.ping),
            give_up: unheard > self.gone,
        }
    }
}

fn lock<T>(group: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    group.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is due at each look, in seconds, for a client that never says a word: beats, pings, the end.
    fn all_due() -> [Vec<u64>; 3] {
        let Watch { patience, every, .. } = Watch::new(&Limits::default());
        let (mut unsent, mut all) = (0, [const { Vec::new() }; 3]);
        for unheard in 1..=31 {
            unsent += 1;
            let Due { beat, ping, give_up } = patience.due(Silences { unsent, unheard });
            // A ping is no message: it does not put off the next beat.
            unsent *= u32::from(!beat);
            let now = u64::from(unheard) * every.as_secs();
            for (times, due) in all.iter_mut().zip([beat, ping, give_up]) {
                times.extend(due.then_some(now));
            }
        }
        all
    }

    #[test]
    fn a_silent_connection_is_pinged_and_then_given_up() {
        let [_, pings, ends] = all_due();
        assert_eq!((pings, ends), (vec![20, 40, 60], vec![62]));
    }

    /// A client takes 12 s of silence for a server that is stuck (docs/protocol.md); the look before the first may have
    /// been up to one look ago.
    #[test]
    fn beats_are_never_too_far_apart() {
        let [beats, ..] = all_due();
        let apart = beats.windows(2).map(|two| two[1] - two[0]).max();
        assert_eq!((beats[0], apart), (8, Some(8)));
    }
}
