//! What is varied in one stage of a search: the configurations of a space are versions of the tree.

use crate::candidates::candidate::Candidate;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, Hints};
use howcome_run::{Because, StageRunner, Subject};

/// A set of deltas whose configurations are versions of a tree.
pub trait Space: Subject + Send + Sync {
    /// The version that a configuration makes.
    ///
    /// # Errors
    /// [`Because::DidNotApply`] if there is no such version.
    fn candidate(&self, configuration: &Configuration) -> Result<Candidate, Because>;

    /// The commit that it is, or is made from, if there is one.
    fn revision(&self, configuration: &Configuration) -> Option<RevisionId>;

    /// The name of that revision for the test.
    fn revision_name(&self, configuration: &Configuration) -> Option<String> {
        self.revision(configuration).map(|commit| commit.to_string())
    }

    /// If a configuration is a mix that no author wrote: the versions that it is compared with.
    fn written(&self, configuration: &Configuration) -> Option<WrittenVersions> {
        let _ = configuration;
        None
    }

    /// What to learn from the output of a test that could not be judged.
    fn hints(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        let _ = (configuration, printed);
        Hints::default()
    }
}

/// Versions that authors wrote, as configurations of a space.
pub struct WrittenVersions {
    /// The versions.
    pub configurations: Vec<Configuration>,
    /// Whether all of them must build, so that something can be called new.
    pub must_build: bool,
}

/// A space as the subject of a stage.
#[must_use]
pub fn as_subject<'a>(space: &'a (dyn Space + 'static)) -> &'a dyn Subject {
    space
}

/// Runs stages whose configurations are versions of a tree.
pub trait TreeStages: StageRunner<Subject = dyn Space> {}

impl<R: StageRunner<Subject = dyn Space>> TreeStages for R {}
