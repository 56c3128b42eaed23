//! Limits on how much anyone may ask for: token buckets, and slots for connections and tables.
//!
//! `governor` would replace a dozen lines of arithmetic, but not the bound on the number of keys nor the slots, which
//! are most of this module.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many keys are remembered. Once full, new keys have to wait, so that memory stays bounded.
const MAX_KEYS: usize = 50_000;

/// How many at once, and how many more each second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub burst: f32,
    pub per_s: f32,
}

/// Fills up again over time.
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket {
    tokens: f32,
    at: Instant,
}

/// A bucket for each key.
pub struct RateLimits<K> {
    rate: Rate,
    by: Mutex<HashMap<K, TokenBucket>>,
}

/// Limits how many of a thing each address has at once.
pub struct Slots {
    per_address: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// Given back when it is dropped.
pub struct Slot {
    of: Arc<Slots>,
    who: IpAddr,
}

impl Rate {
    pub const fn new(burst: u32, per_s: f32) -> Rate {
        Rate { burst: burst as f32, per_s }
    }
}

impl TokenBucket {
    pub fn full(rate: Rate, now: Instant) -> TokenBucket {
        TokenBucket { tokens: rate.burst, at: now }
    }

    /// Takes one, or says how long to wait for it.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.tokens = self.level(rate, now);
        self.at = now;
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        let wait = (1.0 - self.tokens) / rate.per_s.max(f32::MIN_POSITIVE);
        Err(Duration::from_secs_f32(wait.clamp(0.0, 86_400.0)))
    }

    /// Takes this much, which may leave it in debt.
    fn charge(&mut self, rate: Rate, now: Instant, amount: f32) {
        self.tokens = self.level(rate, now) - amount;
        self.at = now;
    }

    /// Takes this much; `false` if there was not enough.
    pub fn spend(&mut self, rate: Rate, now: Instant, amount: f32) -> bool {
        self.charge(rate, now, amount);
        self.tokens >= 0.0
    }

    fn level(&self, rate: Rate, now: Instant) -> f32 {
        let since = now.saturating_duration_since(self.at).as_secs_f32();
        (self.tokens + since * rate.per_s).min(rate.burst)
    }
}

impl<K: Hash + Eq> RateLimits<K> {
    pub fn new(rate: Rate) -> RateLimits<K> {
        RateLimits { rate, by: Mutex::new(HashMap::new()) }
    }

    pub fn take(&self, key: K) -> Result<(), Duration> {
        self.with_bucket(key, TokenBucket::take).unwrap_or(Err(Duration::from_secs(60)))
    }

    /// Whether anything is left, or how long to wait until there is. Used with `charge`, when the price is known only
    /// afterwards.
    pub fn check(&self, key: &K) -> Result<(), Duration> {
        let (now, rate) = (Instant::now(), self.rate);
        let level = locked(&self.by).get(key).map_or(rate.burst, |bucket| bucket.level(rate, now));
        if level > 0.0 {
            return Ok(());
        }
        let wait = -level / rate.per_s.max(f32::MIN_POSITIVE);
        Err(Duration::from_secs_f32(wait.clamp(0.0, 86_400.0)))
    }

    pub fn charge(&self, key: K, amount: f32) {
        let _ = self.with_bucket(key, |bucket, rate, now| bucket.charge(rate, now, amount));
    }

    /// `None` if there is no room for another key.
    fn with_bucket<T>(&self, key: K, change: impl FnOnce(&mut TokenBucket, Rate, Instant) -> T) -> Option<T> {
        let (now, rate) = (Instant::now(), self.rate);
        let mut by = locked(&self.by);
        if by.len() >= MAX_KEYS && !by.contains_key(&key) {
            by.retain(|_, bucket| bucket.level(rate, now) < rate.burst);
            if by.len() >= MAX_KEYS {
                return None;
            }
        }
        Some(change(by.entry(key).or_insert_with(|| TokenBucket::full(rate, now)), rate, now))
    }
}

impl Slots {
    pub fn new(per_address: usize) -> Arc<Slots> {
        Arc::new(Slots { per_address, taken: Mutex::default() })
    }

    pub fn take(self: &Arc<Slots>, who: IpAddr) -> Option<Slot> {
        let who = network(who);
        let mut taken = locked(&self.taken);
        let count = taken.entry(who).or_default();
        if *count >= self.per_address {
            return None;
        }
        *count += 1;
        Some(Slot { of: Arc::clone(self), who })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = locked(&self.of.taken);
        if let Some(count) = taken.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.who);
            }
        }
    }
}

/// What limits count as one client: an IPv4 address, or the /64 network of an IPv6 address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let (rate, start) = (Rate::new(3, 2.0), Instant::now());
        let mut bucket = TokenBucket::full(rate, start);
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, start), Ok(()));
        }
        assert_eq!(bucket.take(rate, start), Err(Duration::from_millis(500)));
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.take(rate, later), Ok(()));
        assert_eq!(bucket.take(rate, later), Ok(()));
        assert!(bucket.take(rate, later).is_err());
        let much_later = start + Duration::from_secs(1000);
        assert_eq!((0..9).filter(|_| bucket.take(rate, much_later).is_ok()).count(), 3);
    }

    #[test]
    fn keys_have_their_own_buckets_and_are_bounded() {
        let buckets = RateLimits::new(Rate::new(1, 0.001));
        assert!(buckets.take(0).is_ok());
        assert!(buckets.take(0).is_err());
        for key in 1..2 * MAX_KEYS {
            assert_eq!(buckets.take(key).is_ok(), key < MAX_KEYS);
        }
        assert_eq!(locked(&buckets.by).len(), MAX_KEYS);
    }

    #[test]
    fn slots_are_counted_by_network_and_given_back() {
        let slots = Slots::new(2);
        let (a, b): (IpAddr, IpAddr) = ("2001:db8::1".parse().unwrap(), "2001:db8::2:1".parse().unwrap());
        let first = slots.take(a).unwrap();
        let _second = slots.take(b).unwrap();
        assert!(slots.take(a).is_none());
        let mapped = ("::ffff:192.0.2.1".parse().unwrap(), "192.0.2.1".parse().unwrap());
        assert_eq!(network(mapped.0), mapped.1);
        assert!(slots.take(mapped.1).is_some());
        drop(first);
        assert!(slots.take(b).is_some());
    }
}
