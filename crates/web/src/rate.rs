//! How often a client may ask.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Beyond this many clients, those that were quiet longest are forgotten.
const MOST_CLIENTS: usize = 10_000;

/// A budget for each client that fills up evenly.
#[derive(Default)]
pub(crate) struct RateLimits {
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    seen: Instant,
}

impl RateLimits {
    /// Takes one from the budget of a client. Returns whether there was one.
    pub(crate) fn take(&self, client: &str, per_minute: u32) -> bool {
        self.take_at(client, per_minute, Instant::now())
    }

    fn take_at(&self, client: &str, per_minute: u32, now: Instant) -> bool {
        let most = f64::from(per_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CLIENTS && !buckets.contains_key(client) {
            buckets.retain(|_, bucket| now.duration_since(bucket.seen).as_secs() < 60);
            // More clients than that in a minute: all begin again, so that they do not fill the memory.
            if buckets.len() >= MOST_CLIENTS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(client.to_owned()).or_insert(Bucket { left: most, seen: now });
        let passed = now.saturating_duration_since(bucket.seen).as_secs_f64();
        bucket.left = (bucket.left + passed * most / 60.0).min(most);
        bucket.seen = now;
        let is_allowed = bucket.left >= 1.0;
        if is_allowed {
            bucket.left -= 1.0;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_client_that_asks_too_often_waits_and_others_do_not() {
        let (rates, start) = (RateLimits::default(), Instant::now());
        let allowed = (0..100).filter(|_| rates.take_at("a", 60, start)).count();
        assert_eq!(allowed, 60);
        assert!(rates.take_at("b", 60, start));
        assert!(rates.take_at("a", 60, start + Duration::from_secs(1)));
        assert!(!rates.take_at("a", 60, start + Duration::from_secs(1)));
    }
}
