//! What readers see of a job while it runs. All who watch a job get the same part of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// What all who watch a job see.
#[derive(Clone, Debug, Default)]
pub(crate) struct LivePart {
    pub(crate) html: String,
    /// The same for programs: a job with its progress, as JSON.
    pub(crate) json: String,
    pub(crate) is_over: bool,
}

/// The jobs that somebody watches.
#[derive(Default)]
pub(crate) struct LiveFeeds {
    feeds: Mutex<HashMap<String, watch::Sender<Arc<LivePart>>>>,
}

impl LiveFeeds {
    /// What is known about a job, and whether nobody has watched it so far.
    pub(crate) fn watch(&self, id: &str) -> (watch::Receiver<Arc<LivePart>>, bool) {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(feed) = feeds.get(id) {
            return (feed.subscribe(), false);
        }
        let (sender, receiver) = watch::channel(Arc::default());
        feeds.insert(id.to_owned(), sender);
        (receiver, true)
    }

    /// Stops following a job if nobody watches it any longer.
    pub(crate) fn is_unwatched(&self, id: &str) -> bool {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unwatched = feeds.get(id).is_none_or(|feed| feed.receiver_count() == 0);
        if is_unwatched {
            feeds.remove(id);
        }
        is_unwatched
    }

    pub(crate) fn send(&self, id: &str, part: LivePart) {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(feed) = feeds.get(id) else { return };
        let is_over = part.is_over;
        feed.send_if_modified(|last| {
            let is_news = last.html != part.html || last.json != part.json || last.is_over != part.is_over;
            if is_news {
                *last = Arc::new(part);
            }
            is_news
        });
        if is_over {
            feeds.remove(id);
        }
    }
}
