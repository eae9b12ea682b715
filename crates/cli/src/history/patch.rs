//! A patch on its way through history: all that a newer revision has, or the least of it.

use crate::changes::ground::Abort;
use crate::changes::origin::failure;
use howcome_changes::{Candidate, Carried, Carry, ChangeSet, Mixed, fitting, patch_of_good};
use howcome_dd::{Configuration, DeltaId};
use howcome_report::count;
use std::sync::Arc;

/// Changes that let older revisions fail as the newest one does.
///
/// The fewest that do are seldom all that a test is about: an assertion also fails where what it asserts was never computed. So at
/// first all that a newer revision has is carried along, line by line as far as it fits, until a revision passes and tells what
/// matters. The least is looked for where all of it does not do.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    lines: Arc<ChangeSet>,
    hunks: Arc<ChangeSet>,
    /// Whether fewer hunks would not do, where it was made.
    pub(super) is_least: bool,
}

impl Patch {
    /// What leads from a revision to a newer one, or to the same revision patched.
    pub(super) fn between(as_it_is: &Candidate, patched: &Candidate, is_least: bool) -> Result<Self, Abort> {
        let (lines, hunks) = (by_lines(as_it_is, patched)?, changes(as_it_is, patched)?);
        Ok(Self { lines, hunks, is_least })
    }

    /// What only adds lines, where it was made: seldom what breaks something that was there before. `None` where that is all of it
    /// or nothing.
    pub(super) fn additions(&self, as_it_is: &Candidate) -> Result<Option<Self>, Abort> {
        let adds =
            |delta: &DeltaId| self.lines.describe(*delta).is_some_and(|change| change.removed.is_empty());
        let additions: Configuration = self.lines.all().iter().filter(adds).collect();
        if additions.is_empty() || additions == self.lines.all() {
            return Ok(None);
        }
        let patched = Mixed::upon(as_it_is, &self.lines).version(&additions);
        Self::between(as_it_is, &patched, false).map(Some)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// As far as it fits.
    pub(super) fn carried(&self) -> Carried {
        Carried(vec![Carry { where_they_fit: true, ..Carry::making(&self.lines, self.lines.all()) }])
    }

    /// All of it, or it does not fit.
    pub(super) fn carried_whole(&self) -> Carried {
        Carried(vec![Carry::making(&self.hunks, self.hunks.all())])
    }

    /// How many of the changed lines of the newer revision an older one takes, and how many there are; not known of the least.
    pub(super) fn fits(&self, version: &Candidate) -> Option<(usize, usize)> {
        let all = self.lines.all();
        (!self.is_least).then(|| (fitting(&self.lines, &all, &version.tree()).len(), all.len()))
    }

    pub(super) fn hunks(&self) -> u32 {
        self.hunks.len()
    }

    pub(super) fn files(&self) -> usize {
        self.hunks.paths_of(&self.hunks.all()).len()
    }

    /// `a patch of 2 hunks`.
    pub(super) fn size(&self) -> String {
        format!("a patch of {}", count(self.hunks().into(), "hunk"))
    }

    /// As text for `git apply`, where it was made for.
    pub(super) fn text(&self) -> Vec<u8> {
        patch_of_good(&self.hunks, &self.hunks.all())
    }
}

/// The changes from one version to another, line by line.
pub(super) fn by_lines(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Abort> {
    let lines = ChangeSet::by_lines(&from.tree(), &to.tree());
    Ok(Arc::new(lines.map_err(|error| failure(&error, Some(error.hint().to_owned())))?))
}

/// The same in hunks.
pub(super) fn changes(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Abort> {
    let changes = ChangeSet::between(&from.tree(), &to.tree());
    Ok(Arc::new(changes.map_err(|error| failure(&error, Some(error.hint().to_owned())))?))
}
