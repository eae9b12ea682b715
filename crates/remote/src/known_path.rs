//! Whether the search still moves where the action cache knows the outcomes.
//!
//! As long as it does, a guess that the cache does not know is probably one that no search has ever asked for. To execute it would only
//! keep the cluster busy: the second run of a question would execute what the first one had cancelled. So it waits until somebody needs it,
//! or until the search has left the known path.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How often a guess looks whether somebody waits for it.
const PAUSE: Duration = Duration::from_millis(10);

/// Whether the last outcome that the search waited for was in the cache.
#[derive(Debug)]
pub(crate) struct KnownPath(watch::Sender<bool>);

impl Default for KnownPath {
    fn default() -> Self {
        Self(watch::Sender::new(true))
    }
}

impl KnownPath {
    /// Takes note of a look into the cache for an outcome that somebody waits for.
    pub(crate) fn looked_up(&self, was_found: bool) {
        self.0.send_replace(was_found);
    }

    /// Waits until it is worth executing something.
    pub(crate) async fn end(&self, is_awaited: &AtomicBool) {
        let mut known = self.0.subscribe();
        while !is_awaited.load(Ordering::Acquire) {
            if tokio::time::timeout(PAUSE, known.wait_for(|is_known| !is_known)).await.is_ok() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn is_worth_executing(path: &KnownPath, is_awaited: &AtomicBool) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let mut context = Context::from_waker(Waker::noop());
        pin!(path.end(is_awaited)).poll(&mut context).is_ready()
    }

    #[test]
    fn a_guess_waits_while_the_cache_knows_the_way() {
        let (path, guess, awaited) = (KnownPath::default(), AtomicBool::new(false), AtomicBool::new(true));
        assert!(!is_worth_executing(&path, &guess), "nothing is known yet");
        assert!(is_worth_executing(&path, &awaited));
        path.looked_up(false);
        assert!(is_worth_executing(&path, &guess));
        path.looked_up(true);
        assert!(!is_worth_executing(&path, &guess));
    }
}
