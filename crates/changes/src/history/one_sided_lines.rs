//! Lines of a patch that fit a revision that fails, and not the one before it, which passes.
//!
//! If the patch has brought the cause along, older revisions fail with it up to the first one to which that line does not fit. That revision
//! passes, but what lies between the two is not the cause. So the lines that fit only one of them are left out.

use super::backport_patch::{BackportPatch, PatchExtent, line_changes};
use super::explanation::Explanation;
use super::stages::HistoryStages;
use super::walk_state::{PassingRevision, WalkState};
use crate::candidates::candidate::Candidate;
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use howcome_dd::{DeltaId, Outcome, VersionOutcome};
use howcome_run::{Halt, Problem, RevisionOutcome};
use std::collections::BTreeSet;

/// At most this many patches are made smaller.
const MOST_PATCHES: usize = 4;

/// Leaves out the lines of the patch that fit only the front, and not the revision before it. If the front passes without them, walks on to
/// the revision that they come from.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn leave_out_one_sided_lines(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    mut passing: PassingRevision,
) -> Result<PassingRevision, Halt> {
    if state.keeps_patch || !passing.is_patched {
        return Ok(passing);
    }
    for _ in 0..MOST_PATCHES {
        let Some(patch) = &state.patch else { break };
        let (good, bad) = (stages.version(passing.index)?, stages.version(state.front)?);
        if !patch.has_lines_that_only_fit(&bad, &good) {
            break;
        }
        // Made anew for the older revision, the patch has what fits there, and that revision stays the same with it.
        let patched = stages.patched(&patch.lines_that_fit(), &good)?;
        let patch = BackportPatch::between(&good, &patched, PatchExtent::Part)?
            .with_files(patch.files_as_a_whole().clone());
        let Ok(candidate) = patch.lines_that_fit().apply_to(&bad) else { break };
        let front = state.front;
        let what =
            format!("{} with the lines that fit {}, too", stages.name(front), stages.name(passing.index));
        match stages.try_version(&what, candidate, front)? {
            Outcome::Fail => {
                state.patch = Some(patch);
                break;
            }
            Outcome::Unresolved => break,
            Outcome::Pass => {}
        }
        state.outcomes.note(front, RevisionOutcome::Pass, true);
        let walked = stages.walk_forward(state, front, patch.lines_that_fit())?;
        let Some((failing, VersionOutcome::Opposite)) = walked.first_changed else { break };
        state.patch = Some(patch);
        (state.front, passing.index) = (failing as usize, walked.last_same as usize);
        state.outcomes.note(state.front, RevisionOutcome::Fail, true);
        state.outcomes.note(passing.index, RevisionOutcome::Pass, true);
    }
    Ok(passing)
}

/// Whether lines of a cause are not among what the revision changes without the patch, so that they come from the patch.
///
/// # Errors
/// If a revision is not available.
pub(super) fn is_of_patch(
    stages: &HistoryStages<'_, impl TreeStages>,
    explanation: &Explanation,
) -> Result<bool, Problem> {
    let Some(cause) = explanation.cause().filter(|_| explanation.patch.is_some()) else { return Ok(false) };
    let [good, bad] = [explanation.passing, explanation.failing].map(|index| stages.version(index));
    let changed = ChangedTexts::between(&good?, &bad?)?;
    let parts = cause.parts.iter().filter(|part| !part.is_needed_only);
    Ok(parts
        .flat_map(|part| part.chosen.iter().map(|delta| (&part.changes, delta)))
        .any(|(changes, delta)| changed.lacks(changes, delta)))
}

/// The texts of the lines that differ between two versions.
struct ChangedTexts {
    removed: BTreeSet<Vec<u8>>,
    added: BTreeSet<Vec<u8>>,
}

impl ChangedTexts {
    fn between(good: &Candidate, bad: &Candidate) -> Result<Self, Problem> {
        let lines = line_changes(good, bad)?;
        let mut texts = Self { removed: BTreeSet::new(), added: BTreeSet::new() };
        for change in lines.all().iter().filter_map(|delta| lines.describe(delta)) {
            texts.removed.extend(change.removed.iter().map(|line| line.trim_ascii().to_vec()));
            texts.added.extend(change.added.iter().map(|line| line.trim_ascii().to_vec()));
        }
        Ok(texts)
    }

    /// Whether a change of lines has a line that is not among them.
    fn lacks(&self, changes: &ChangeSet, delta: DeltaId) -> bool {
        let is_missing = |lines: &[&[u8]], texts: &BTreeSet<Vec<u8>>| {
            let mut lines = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
            lines.any(|line| !texts.contains(line))
        };
        changes.describe(delta).is_some_and(|change| {
            is_missing(&change.added, &self.added)
                || change.added.is_empty() && is_missing(&change.removed, &self.removed)
        })
    }
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
    fn a_line_that_only_patched_versions_have_is_not_of_the_revision() {
        let changed = ChangedTexts::between(&candidate("a = x[:7]\n"), &candidate("a = x[0:7]\n")).unwrap();
        let of_patch = line_changes(&candidate("a = x[:7]\n"), &candidate("a = x[5:7]\n")).unwrap();
        assert!(changed.lacks(&of_patch, DeltaId(0)));
        let of_revision = line_changes(&candidate("a = x[:7]\n"), &candidate("a = x[0:7]\n")).unwrap();
        assert!(!changed.lacks(&of_revision, DeltaId(0)));
    }
}
