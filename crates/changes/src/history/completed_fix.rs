//! A fix together with the changes that it needs by their names.
//!
//! The test can pass although a fix undoes half of a renaming: code that the test does not run still uses the other name.

use super::backport_patch::line_changes;
use super::stages::HistoryStages;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::space::TreeStages;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{Dependencies, Words};
use crate::search::version_pair::VersionPair;
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{Halt, Problem};
use std::collections::BTreeSet;

/// A version that passes, between the two of a pair, with all changes that it needs. The version itself if it has these already, or does not
/// pass with them.
///
/// # Errors
/// If the run is stopped, or something is wrong.
pub(super) fn completed(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    pair: &VersionPair,
    fixed: Candidate,
    revision: usize,
) -> Result<Candidate, Halt> {
    let Some(candidate) = with_needs(&pair.low, &pair.high, &fixed)? else { return Ok(fixed) };
    let what = format!("{} with the fix, and what it needs", stages.name(revision));
    let outcome = stages.try_version(&what, candidate.clone(), revision)?;
    Ok(if outcome == Outcome::Pass { candidate } else { fixed })
}

/// A version between two others with all changes that it needs; `None` if it has these already.
fn with_needs(low: &Candidate, high: &Candidate, version: &Candidate) -> Result<Option<Candidate>, Problem> {
    let all = line_changes(low, high)?;
    let chosen = made_in(&all, low, version)?;
    let needed = Dependencies::of(&all, &Words::of(&all)).closure(&chosen, &all.all());
    let is_complete = chosen.is_empty() || needed == chosen;
    Ok((!is_complete).then(|| ChangeSpace::on(low, &all).version(&needed)))
}

/// The changes of a set that a version has made on the low one.
fn made_in(all: &ChangeSet, low: &Candidate, version: &Candidate) -> Result<Configuration, Problem> {
    let made = line_changes(low, version)?;
    let text = |changes: &ChangeSet, delta: DeltaId| {
        changes.describe(delta).map(|change| {
            let lines = |lines: &[&[u8]]| lines.iter().map(|line| line.to_vec()).collect::<Vec<_>>();
            (change.path.clone(), change.old_line, lines(&change.removed), lines(&change.added))
        })
    };
    let texts: BTreeSet<_> = made.all().iter().filter_map(|delta| text(&made, delta)).collect();
    let is_made = |delta: &DeltaId| text(all, *delta).is_some_and(|text| texts.contains(&text));
    Ok(all.all().iter().filter(is_made).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::trees::tree::Tree;

    const MODEL: &str = "class Trip:\n    def __init__(self, FIELD):\n        self.FIELD = FIELD\n";

    fn candidate(model: &str, report: &str) -> Candidate {
        let texts = [
            ("model.py", MODEL.replace("FIELD", model)),
            ("report.py", format!("def name(trip):\n    return trip.{report}\n")),
        ];
        let texts = texts.each_ref().map(|(path, text)| (*path, text.as_str()));
        Candidate::of(Base::new(Tree::of_texts(&texts), format!("{model} {report}").as_bytes()))
    }

    #[test]
    fn half_of_a_renaming_is_completed() {
        let (low, high) = (candidate("the_line", "the_line"), candidate("line", "line"));
        let completed = with_needs(&low, &high, &candidate("line", "the_line")).unwrap().unwrap();
        assert!(completed.is_same(&high));
        assert!(with_needs(&low, &high, &high).unwrap().is_none());
    }
}
