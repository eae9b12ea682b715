//! Hears about a run while it goes on.

use howcome_run::{NoWatcher, Watcher};

/// Receives messages for people. The command line prints them; a service passes them on.
pub trait Listener {
    /// A warning, which the user should see in any case.
    fn warn(&self, text: &str);

    /// A note.
    fn note(&self, text: &str);

    /// The current activity.
    fn now(&self, text: &str);

    /// The current activity, if it is worth a line in the log of a long run.
    fn milestone(&self, text: &str);

    /// All activity has ended.
    fn finish(&self);

    /// A watcher of the journal, for live progress.
    fn watcher(&self) -> Box<dyn Watcher>;

    /// Shows each better candidate, if somebody looks.
    fn candidate_view(&self) -> Option<CandidateView> {
        None
    }
}

/// Shows a candidate.
pub type CandidateView = Box<dyn Fn(SeenCandidate)>;

/// What is shown of a candidate while the search goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenCandidate {
    /// Its first lines.
    pub lines: Vec<String>,
    /// About how many tests are left if nothing more can be removed from it, if that is known.
    pub tests_left: Option<u64>,
}

/// A listener that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoListener;

impl Listener for NoListener {
    fn warn(&self, _: &str) {}
    fn note(&self, _: &str) {}
    fn now(&self, _: &str) {}
    fn milestone(&self, _: &str) {}
    fn finish(&self) {}
    fn watcher(&self) -> Box<dyn Watcher> {
        Box::new(NoWatcher)
    }
}
