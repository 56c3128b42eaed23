//! How much anybody may ask for: buckets that fill again with time, and places for connections.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Keys a list of buckets remembers. Beyond, whoever is not among them waits: memory stays bounded.
const MOST_KEYS: usize = 50_000;

/// So many at once, and so many more each second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub burst: f32,
    pub per_s: f32,
}

/// Starts full.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    left: f32,
    at: Instant,
}

/// A bucket for each key.
pub struct Buckets<K> {
    rate: Rate,
    by: Mutex<HashMap<K, Bucket>>,
}

/// Places for connections, so many for each address.
pub struct Places {
    each: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// Taken until it is dropped.
pub struct Place {
    of: Arc<Places>,
    who: IpAddr,
}

impl Rate {
    pub const fn new(burst: u32, per_s: f32) -> Rate {
        Rate { burst: burst as f32, per_s }
    }
}

impl Bucket {
    pub fn full(rate: Rate, now: Instant) -> Bucket {
        Bucket { left: rate.burst, at: now }
    }

    /// Takes one, or says how long to wait for it.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.left = self.level(rate, now);
        self.at = now;
        if self.left >= 1.0 {
            self.left -= 1.0;
            return Ok(());
        }
        let wait = (1.0 - self.left) / rate.per_s.max(f32::MIN_POSITIVE);
        Err(Duration::from_secs_f32(wait.clamp(0.0, 86_400.0)))
    }

    fn level(&self, rate: Rate, now: Instant) -> f32 {
        let since = now.saturating_duration_since(self.at).as_secs_f32();
        (self.left + since * rate.per_s).min(rate.burst)
    }
}

impl<K: Hash + Eq> Buckets<K> {
    pub fn new(rate: Rate) -> Buckets<K> {
        Buckets { rate, by: Mutex::new(HashMap::new()) }
    }

    pub fn take(&self, key: K) -> Result<(), Duration> {
        let (now, rate) = (Instant::now(), self.rate);
        let mut by = locked(&self.by);
        if by.len() >= MOST_KEYS && !by.contains_key(&key) {
            by.retain(|_, bucket| bucket.level(rate, now) < rate.burst);
            if by.len() >= MOST_KEYS {
                return Err(Duration::from_secs(60));
            }
        }
        by.entry(key).or_insert_with(|| Bucket::full(rate, now)).take(rate, now)
    }
}

impl Places {
    pub fn new(each: usize) -> Arc<Places> {
        Arc::new(Places { each, taken: Mutex::default() })
    }

    pub fn take(self: &Arc<Places>, who: IpAddr) -> Option<Place> {
        let who = network(who);
        let mut taken = locked(&self.taken);
        let count = taken.entry(who).or_default();
        if *count >= self.each {
            return None;
        }
        *count += 1;
        Some(Place { of: Arc::clone(self), who })
    }
}

impl Drop for Place {
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

/// Whom limits count as one: an IPv4 address, or the 64 bits of an IPv6 address that one household has.
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
        let mut bucket = Bucket::full(rate, start);
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
    fn keys_do_not_share_and_do_not_pile_up() {
        let buckets = Buckets::new(Rate::new(1, 0.001));
        assert!(buckets.take(0).is_ok());
        assert!(buckets.take(0).is_err());
        for key in 1..2 * MOST_KEYS {
            assert_eq!(buckets.take(key).is_ok(), key < MOST_KEYS);
        }
        assert_eq!(locked(&buckets.by).len(), MOST_KEYS);
    }

    #[test]
    fn places_are_counted_by_household_and_given_back() {
        let places = Places::new(2);
        let (a, b): (IpAddr, IpAddr) = ("2001:db8::1".parse().unwrap(), "2001:db8::2:1".parse().unwrap());
        let first = places.take(a).unwrap();
        let _second = places.take(b).unwrap();
        assert!(places.take(a).is_none());
        let mapped = ("::ffff:192.0.2.1".parse().unwrap(), "192.0.2.1".parse().unwrap());
        assert_eq!(network(mapped.0), mapped.1);
        assert!(places.take(mapped.1).is_some());
        drop(first);
        assert!(places.take(b).is_some());
    }
}
