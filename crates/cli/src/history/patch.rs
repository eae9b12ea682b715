//! A patch on its way through history: the changes that it takes, and the others that they were chosen from.

use crate::changes::ground::Abort;
use crate::changes::origin::failure;
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, fitting, patch_of_good};
use howcome_report::count;
use std::sync::Arc;

/// Changes that let older revisions fail as the newest one does.
///
/// The fewest that do are seldom all that a test is about: an assertion also fails where what it asserts was never computed. So
/// the others that came with them are carried along as far as they fit, until a revision passes and tells what matters.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    needed: Arc<ChangeSet>,
    others: Option<Arc<ChangeSet>>,
}

impl Patch {
    /// What leads from a revision to the same revision patched, and on to a newer one.
    pub(super) fn between(
        as_it_is: &Candidate,
        patched: &Candidate,
        newer: &Candidate,
    ) -> Result<Self, Abort> {
        Ok(Self { needed: changes(as_it_is, patched)?, others: Some(by_lines(as_it_is, newer)?) })
    }

    /// What leads from a revision to the same revision patched, and nothing else.
    pub(super) fn alone(as_it_is: &Candidate, patched: &Candidate) -> Result<Self, Abort> {
        Ok(Self { needed: changes(as_it_is, patched)?, others: None })
    }

    /// Without all that was only carried along.
    pub(super) fn needed_alone(&self) -> Option<Self> {
        self.others.is_some().then(|| Self { others: None, ..self.clone() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty()
    }

    pub(super) fn carried(&self) -> Carried {
        let needed = Carry::making(&self.needed, self.needed.all());
        let others = self
            .others
            .as_ref()
            .map(|others| Carry { where_they_fit: true, ..Carry::making(others, others.all()) });
        Carried([needed].into_iter().chain(others).collect())
    }

    /// How many of the changed lines that it was chosen from a version takes, and how many there are.
    pub(super) fn fits(&self, version: &Candidate) -> (usize, usize) {
        let changes = self.others.as_ref().unwrap_or(&self.needed);
        let all = changes.all();
        (fitting(changes, &all, &version.tree()).len(), all.len())
    }

    pub(super) fn hunks(&self) -> u32 {
        self.needed.len()
    }

    pub(super) fn files(&self) -> usize {
        self.needed.paths_of(&self.needed.all()).len()
    }

    /// `a patch of 2 hunks`.
    pub(super) fn size(&self) -> String {
        format!("a patch of {}", count(self.hunks().into(), "hunk"))
    }

    /// As text for `git apply`, where it was made for.
    pub(super) fn text(&self) -> Vec<u8> {
        patch_of_good(&self.needed, &self.needed.all())
    }
}

/// The same line by line.
pub(super) fn by_lines(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Abort> {
    let lines = ChangeSet::by_lines(&from.tree(), &to.tree());
    Ok(Arc::new(lines.map_err(|error| failure(&error, Some(error.hint().to_owned())))?))
}

/// The changes from one version to another.
pub(super) fn changes(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Abort> {
    let changes = ChangeSet::between(&from.tree(), &to.tree());
    Ok(Arc::new(changes.map_err(|error| failure(&error, Some(error.hint().to_owned())))?))
}
