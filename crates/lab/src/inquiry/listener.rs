//! Who is told about a run while it goes on.

use howcome_run::{NoWatcher, Watcher};

/// Is told what people should know. The command line prints it; a service passes it on.
pub trait Listener {
    /// Something that the user should know, whatever else happens.
    fn warn(&self, text: &str);

    /// Something that is good to know.
    fn note(&self, text: &str);

    /// What is being done now.
    fn now(&self, text: &str);

    /// How far it has come: what is being done now, and worth a line in the log of a long run.
    fn milestone(&self, text: &str);

    /// Nothing is being done any more.
    fn finish(&self);

    /// Follows the journal, for live progress.
    fn watcher(&self) -> Box<dyn Watcher>;
}

/// Nobody is told.
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
