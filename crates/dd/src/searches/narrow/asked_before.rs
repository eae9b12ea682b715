//! The configurations that were asked before.

use crate::Configuration;
use std::sync::Arc;

/// A growing set of configurations that is cheap to copy: copies share all but the latest configurations.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedBefore {
    /// Sorted.
    older: Arc<[u128]>,
    latest: Vec<u128>,
}

/// How many configurations are collected before they join the shared ones.
const LATEST: usize = 128;

impl AskedBefore {
    pub(crate) fn contains(&self, configuration: &Configuration) -> bool {
        let fingerprint = configuration.fingerprint();
        self.latest.contains(&fingerprint) || self.older.binary_search(&fingerprint).is_ok()
    }

    pub(crate) fn insert(&mut self, configuration: &Configuration) {
        self.latest.push(configuration.fingerprint());
        if self.latest.len() == LATEST {
            let mut all: Vec<u128> = self.older.iter().copied().chain(self.latest.drain(..)).collect();
            all.sort_unstable();
            self.older = all.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_contains_exactly_what_was_inserted() {
        let mut asked = AskedBefore::default();
        for count in 0..3 * LATEST as u32 {
            assert!(!asked.contains(&Configuration::all(count)));
            asked.insert(&Configuration::all(count));
            assert!((0..=count).all(|count| asked.contains(&Configuration::all(count))));
        }
    }
}
