//! Whether accounts are in use. A service that was started without any notices the first one.

use crate::clock::now;
use crate::store::{Store, StoreError};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// How long it counts that there was no account, in milliseconds.
const BELIEVED: i64 = 1_000;

/// Once there are accounts, the service stays closed, even if the last one is removed.
#[derive(Debug)]
pub(crate) struct AccountsInUse {
    is_closed: AtomicBool,
    looked: AtomicI64,
}

impl AccountsInUse {
    pub(crate) fn at_the_start(is_closed: bool) -> Self {
        Self { is_closed: AtomicBool::new(is_closed), looked: AtomicI64::new(now()) }
    }

    /// Looks into the store, at most about once a second.
    pub(crate) async fn look(&self, store: &Store) -> Result<bool, StoreError> {
        if self.is_closed.load(Ordering::SeqCst) {
            return Ok(true);
        }
        // A clock that was set back must not keep the service open.
        if (0..BELIEVED).contains(&(now() - self.looked.load(Ordering::SeqCst))) {
            return Ok(false);
        }
        if store.accounts().await?.is_empty() {
            self.looked.store(now(), Ordering::SeqCst);
            return Ok(self.is_closed.load(Ordering::SeqCst));
        }
        self.is_closed.store(true, Ordering::SeqCst);
        Ok(true)
    }
}
