//! A part of a cause: changes that come from the same commit.

use super::edit_forms::EditForms;
use crate::candidates::patch_series::PatchStep;
use crate::deltas::change::DescribedChange;
use crate::deltas::change_set::ChangeSet;
use crate::trees::tree_path::TreePath;
use crate::versions::revision_id::RevisionId;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Changes that belong together and come from the same commit.
#[derive(Clone, Debug)]
pub struct CausePart {
    /// The set that the changes belong to.
    pub changes: Arc<ChangeSet>,
    /// Which of them.
    pub chosen: Configuration,
    /// The commit that they come from, if it is known.
    pub commit: Option<RevisionId>,
    /// Whether the other parts cannot even be judged without them.
    pub is_needed_only: bool,
    /// How the changes are made and undone, if that is not line by line.
    pub forms: Option<EditForms>,
}

/// A line of a file, and whether it is added.
type ChangedLine = (TreePath, bool, Vec<u8>);

impl CausePart {
    /// The changes of test files apart from the others. A test shows the failure, but is not the cause of it.
    pub(super) fn with_tests_apart(self, is_test: impl Fn(&TreePath) -> bool) -> Vec<Self> {
        let of_test =
            |delta: &DeltaId| self.changes.describe(*delta).is_some_and(|change| is_test(change.path));
        let tests: Configuration = self.chosen.iter().filter(of_test).collect();
        let others = self.chosen.without(&tests);
        let parts = [(tests, true), (others, self.is_needed_only)];
        let part = |(chosen, is_needed_only)| Self { chosen, is_needed_only, ..self.clone() };
        parts.into_iter().filter(|(chosen, _)| !chosen.is_empty()).map(part).collect()
    }

    /// The lines of several parts, with those apart that only a part has without which the others cannot be judged.
    pub(super) fn with_needed_apart(self, parts: &[Self]) -> Vec<Self> {
        let lines = |is_needed_only| -> BTreeSet<ChangedLine> {
            let own = parts.iter().filter(|part| part.is_needed_only == is_needed_only);
            own.flat_map(|part| part.chosen.iter().flat_map(|delta| part.lines_of(delta))).collect()
        };
        let [deciding, needed] = [false, true].map(lines);
        let is_needed = |delta: &DeltaId| {
            let own = self.lines_of(*delta);
            !own.is_empty() && own.iter().all(|line| needed.contains(line) && !deciding.contains(line))
        };
        let apart: Configuration = self.chosen.iter().filter(is_needed).collect();
        if apart == self.chosen {
            return vec![self];
        }
        let sides = [(self.chosen.without(&apart), false), (apart, true)];
        let part = |(chosen, is_needed_only)| Self { chosen, is_needed_only, ..self.clone() };
        sides.into_iter().filter(|(chosen, _)| !chosen.is_empty()).map(part).collect()
    }

    /// The lines that a change adds or removes.
    fn lines_of(&self, delta: DeltaId) -> Vec<ChangedLine> {
        let Some(DescribedChange { path, added, removed, .. }) = self.changes.describe(delta) else {
            return Vec::new();
        };
        let sides = [(true, added), (false, removed)];
        let line = |is_added, line: &[u8]| (path.clone(), is_added, line.to_vec());
        sides
            .into_iter()
            .flat_map(|(is_added, lines)| lines.into_iter().map(move |text| line(is_added, text)))
            .collect()
    }

    /// Whether all changes are in files of some kind.
    pub(super) fn is_all(&self, is_kind: impl Fn(&TreePath) -> bool) -> bool {
        let mut changes = self.chosen.iter().filter_map(|delta| self.changes.describe(delta));
        changes.all(|change| is_kind(change.path))
    }

    /// The changes, to be made in another version or to be undone there.
    #[must_use]
    pub fn patch(&self, undone: bool) -> PatchStep {
        let step = match &self.forms {
            Some(forms) => {
                let changes = if undone { &forms.undone } else { &forms.made };
                PatchStep::making(changes, changes.all())
            }
            None => PatchStep::making(&self.changes, self.chosen.clone()),
        };
        PatchStep { undone, ..step }
    }
}

/// How parts are undone: the last one first, without those that are only there to let the others build.
pub fn undoing(parts: &[CausePart]) -> impl Iterator<Item = PatchStep> {
    parts.iter().rev().filter(|part| !part.is_needed_only).map(|part| part.patch(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    fn part(good: &[(&str, &str)], bad: &[(&str, &str)], is_needed_only: bool) -> CausePart {
        let changes = ChangeSet::by_lines(&Tree::of_texts(good), &Tree::of_texts(bad)).unwrap();
        let chosen = changes.all();
        CausePart { changes: Arc::new(changes), chosen, commit: None, is_needed_only, forms: None }
    }

    #[test]
    fn lines_of_needed_parts_stay_apart_from_those_that_decide() {
        let good = [("a.c", "one\ntwo\n"), ("b.c", "int b;\n")];
        let deciding = part(&good, &[("a.c", "one\n2\n"), ("b.c", "int b;\n")], false);
        let needed = part(&good, &[("a.c", "#include <b.h>\none\ntwo\n"), ("b.c", "long b;\n")], true);
        let together = part(&good, &[("a.c", "#include <b.h>\none\n2\n"), ("b.c", "long b;\n")], false);
        let apart = together.with_needed_apart(&[deciding, needed]);
        let shown: Vec<(String, bool)> = apart
            .iter()
            .flat_map(|part| {
                part.chosen.iter().filter_map(|delta| part.changes.describe(delta)).map(|change| {
                    (String::from_utf8_lossy(&change.added.concat()).into_owned(), part.is_needed_only)
                })
            })
            .collect();
        let expected = [("2\n", false), ("#include <b.h>\n", true), ("long b;\n", true)];
        assert_eq!(shown, expected.map(|(text, is_needed_only)| (text.to_owned(), is_needed_only)));
    }
}
