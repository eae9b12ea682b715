//! A patch on its way back through history: all changes of a newer revision, or the fewest of them.

use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::patch_series::{PatchSeries, PatchStep};
use crate::deltas::change_set::ChangeSet;
use crate::patches::fitting::fitting;
use crate::patches::patch_text::patch_of_good;
use crate::trees::mix::Mix;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Problem;
use howcome_run::words::count;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Changes that make older revisions fail as the newest one does.
///
/// The fewest changes that do are seldom what a test is about: an assertion also fails if the value that it asserts was never
/// computed. So the patch starts with all changes of a newer revision, unless these are many, and each older revision gets those lines
/// that fit. Once a revision passes, it is known what matters. The fewest changes are searched only if all of them are many, or not
/// enough.
#[derive(Clone, Debug)]
pub(super) struct BackportPatch {
    lines: Arc<ChangeSet>,
    hunks: Arc<ChangeSet>,
    pub(super) extent: PatchExtent,
    /// Files that older revisions get as a whole, because the changed lines do not fit these.
    files: Mix,
    /// Whether fewer hunks were sought with which an older revision passes and a newer one fails.
    pub(super) is_reduced: bool,
}

/// How much of what a newer revision has is in a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatchExtent {
    /// All of its changes.
    Whole,
    /// Some of its changes.
    Part,
    /// So few that fewer hunks are not enough, in the revision that the patch was made for.
    Least,
}

impl BackportPatch {
    /// The changes from a revision to a newer one, or to the same revision patched.
    pub(super) fn between(
        unpatched: &Candidate,
        patched: &Candidate,
        extent: PatchExtent,
    ) -> Result<Self, Problem> {
        let (lines, hunks) = (line_changes(unpatched, patched)?, hunk_changes(unpatched, patched)?);
        Ok(Self { lines, hunks, extent, files: Mix::default(), is_reduced: false })
    }

    /// The same patch, with files that older revisions get as a whole.
    pub(super) fn with_files(self, files: Mix) -> Self {
        Self { files, ..self }
    }

    /// The files that older revisions get as a whole.
    pub(super) fn files_as_a_whole(&self) -> &Mix {
        &self.files
    }

    /// The files of code to which not all changed lines fit in a version.
    pub(super) fn misfits(&self, version: &Candidate) -> Vec<TreePath> {
        let all = self.lines.all();
        let misfits = all.without(&fitting(&self.lines, &all, &version.tree()));
        let is_code = |delta: &DeltaId| {
            self.lines
                .describe(*delta)
                .is_some_and(|change| !change.is_remark() && !change.path.is_for_people())
        };
        let paths = self.lines.paths_of(&misfits.iter().filter(is_code).collect());
        paths.into_iter().cloned().collect()
    }

    /// Whether lines of code fit a newer version, and not an older one.
    pub(super) fn has_lines_that_only_fit(&self, newer: &Candidate, older: &Candidate) -> bool {
        let all = self.lines.all();
        let [in_newer, in_older] = [newer, older].map(|version| fitting(&self.lines, &all, &version.tree()));
        in_newer.without(&in_older).iter().any(|delta| {
            self.lines
                .describe(delta)
                .is_some_and(|change| !change.is_remark() && !change.path.is_for_people())
        })
    }

    /// The same patch, of which it is known that it was made smaller.
    pub(super) fn reduced(self) -> Self {
        Self { is_reduced: true, ..self }
    }

    /// The changes that only add lines to the revision that the patch was made for. They seldom break what was there before. `None`
    /// if all changes do, or no change does.
    pub(super) fn additions(&self, unpatched: &Candidate) -> Result<Option<Self>, Problem> {
        let adds =
            |delta: &DeltaId| self.lines.describe(*delta).is_some_and(|change| change.removed.is_empty());
        let additions: Configuration = self.lines.all().iter().filter(adds).collect();
        if additions.is_empty() || additions == self.lines.all() {
            return Ok(None);
        }
        let patched = ChangeSpace::on(unpatched, &self.lines).version(&additions);
        Self::between(unpatched, &patched, PatchExtent::Part).map(Some)
    }

    pub(super) fn is_least(&self) -> bool {
        self.extent == PatchExtent::Least
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// The lines that fit a version; the others are left out.
    pub(super) fn lines_that_fit(&self) -> PatchSeries {
        PatchSeries(vec![PatchStep {
            where_they_fit: true,
            files: self.files.clone(),
            ..PatchStep::making(&self.lines, self.lines.all())
        }])
    }

    /// All hunks. If one of them does not fit a version, the patch does not apply.
    pub(super) fn all_hunks(&self) -> PatchSeries {
        PatchSeries(vec![PatchStep::making(&self.hunks, self.hunks.all())])
    }

    /// How many of the changed lines fit a version; unknown of a patch that has the fewest hunks.
    pub(super) fn fit(&self, version: &Candidate) -> Option<PatchFit> {
        let all = self.lines.all();
        // What a test needs was added. A line that replaces another one has another form in an older revision.
        let is_addition = |delta: DeltaId| {
            self.lines.describe(delta).is_some_and(|change| {
                let adds_again = |line: &&[u8]| self.moves_import(change.path, line);
                change.removed.is_empty()
                    && !change.is_remark()
                    && !change.path.is_for_people()
                    && !change.added.iter().all(adds_again)
            })
        };
        let fit = || {
            let fits = fitting(&self.lines, &all, &version.tree());
            let has_additions = !all.without(&fits).iter().any(is_addition);
            let replaces = |delta: DeltaId| {
                self.lines.describe(delta).is_some_and(|change| {
                    !change.is_remark()
                        && !change.path.is_for_people()
                        && change.removed.iter().any(|line| !self.moves_import(change.path, line))
                })
            };
            PatchFit {
                lines: fits.len(),
                of: all.len(),
                has_additions,
                replaces_code: fits.iter().any(replaces),
            }
        };
        (self.extent != PatchExtent::Least).then(fit)
    }

    /// Whether a line brings names from elsewhere, and the patch both removes and adds it in the same file. Imports that are sorted anew
    /// replace no code.
    fn moves_import(&self, path: &TreePath, line: &[u8]) -> bool {
        const IMPORTS: [&[u8]; 5] = [b"import ", b"from ", b"#include ", b"use ", b"require "];
        let line = line.trim_ascii();
        let all = self.lines.all();
        let changes =
            || all.iter().filter_map(|delta| self.lines.describe(delta)).filter(|change| change.path == path);
        let has = |lines: &[&[u8]]| lines.iter().any(|other| other.trim_ascii() == line);
        let is_import = IMPORTS.iter().any(|begin| line.starts_with(begin));
        line.is_empty()
            || is_import
                && changes().any(|change| has(&change.removed))
                && changes().any(|change| has(&change.added))
    }

    pub(super) fn hunks(&self) -> u32 {
        self.hunks.len()
    }

    fn files(&self) -> usize {
        self.hunks.paths_of(&self.hunks.all()).len()
    }

    /// Whether one version has a line that this patch adds, and another version lacks it, as far as the patch knows its place.
    pub(super) fn is_brought_by(&self, lacking: &Candidate, having: &Candidate) -> Result<bool, Problem> {
        let brought = line_changes(lacking, having)?;
        let added = |changes: &ChangeSet, delta: DeltaId| -> Vec<Vec<u8>> {
            let change = changes.describe(delta);
            change.map_or_else(Vec::new, |change| change.added.iter().map(|line| line.to_vec()).collect())
        };
        let texts: BTreeSet<Vec<u8>> =
            brought.all().iter().flat_map(|delta| added(&brought, delta)).collect();
        let is_in = |delta: DeltaId, version: &Candidate| {
            let step = PatchStep::making(&self.lines, Configuration::empty().with_delta(delta));
            let made = PatchSeries(vec![step]).apply_to(version);
            made.is_ok_and(|made| made.content() == version.content())
        };
        let all = self.lines.all();
        let mut same_text =
            all.iter().filter(|delta| added(&self.lines, *delta).iter().any(|line| texts.contains(line)));
        Ok(same_text.any(|delta| is_in(delta, having) && !is_in(delta, lacking)))
    }

    /// How many lines it removes and adds.
    pub(super) fn changed_lines(&self) -> usize {
        let is_changed = |line: &&[u8]| {
            matches!(line.first(), Some(b'+' | b'-'))
                && !line.starts_with(b"+++ ")
                && !line.starts_with(b"--- ")
        };
        self.text().split(|byte| *byte == b'\n').filter(is_changed).count()
    }

    /// How large it is.
    pub(super) fn size(&self) -> PatchSize {
        PatchSize { hunks: self.hunks(), files: self.files() }
    }

    /// `a patch of 2 hunks`.
    pub(super) fn in_words(&self) -> String {
        format!("a patch of {}", count(self.hunks().into(), "hunk"))
    }

    /// As text for `git apply`, in the revision that it was made for.
    pub(super) fn text(&self) -> Vec<u8> {
        patch_of_good(&self.hunks, &self.hunks.all())
    }
}

/// How large a patch is, or a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PatchSize {
    pub(super) hunks: u32,
    pub(super) files: usize,
}

/// How much of a patch fits a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PatchFit {
    /// The lines that fit.
    pub(super) lines: usize,
    /// All lines.
    pub(super) of: usize,
    /// Whether all lines of code fit that are only added.
    pub(super) has_additions: bool,
    /// Whether it replaces or removes code of the version: that could be what breaks it.
    pub(super) replaces_code: bool,
}

/// The changes from one version to another, line by line.
pub(super) fn line_changes(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Problem> {
    let lines = ChangeSet::by_lines(&from.tree(), &to.tree());
    lines.map(Arc::new).map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
}

/// The changes from one version to another, hunk by hunk.
pub(super) fn hunk_changes(from: &Candidate, to: &Candidate) -> Result<Arc<ChangeSet>, Problem> {
    let hunks = ChangeSet::between(&from.tree(), &to.tree());
    hunks.map(Arc::new).map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::trees::tree::Tree;

    fn candidate(text: &str) -> Candidate {
        Candidate::of(Base::new(Tree::of_texts(&[("a.py", text)]), text.as_bytes()))
    }

    #[test]
    fn imports_that_are_sorted_anew_replace_no_code() {
        let fit = |from: &str, to: &str, oldest: &str| {
            let patch = BackportPatch::between(&candidate(from), &candidate(to), PatchExtent::Whole).unwrap();
            let fit = patch.fit(&candidate(oldest)).unwrap();
            (fit.has_additions, fit.replaces_code)
        };
        let old = "import re\nimport sys\nimport os\n\nx = 1\ny = 2\n";
        let sorted = "import os\nimport re\nimport sys\n\nx = 1\ny = 2\n";
        let added = format!("{sorted}\ndef f():\n    return x\n");
        assert_eq!(fit(old, &added, old), (true, false));
        // An older revision with other imports.
        assert_eq!(fit(old, &added, "import re\n\nx = 1\ny = 2\n"), (true, false));
        assert_eq!(fit(old, &added.replace("x = 1", "x = 3"), old), (true, true));
        // An import that goes is a change of code, and so are other lines that move.
        assert_eq!(fit(old, &old.replace("import sys\n", ""), old), (true, true));
        assert_eq!(fit(old, &old.replace("x = 1\ny = 2\n", "y = 2\nx = 1\n"), old), (true, true));
    }
}
