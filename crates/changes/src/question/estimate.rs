//! About how many tests a search takes, before the first one.

use crate::deltas::change_set::ChangeSet;
use crate::search::plan::{SearchPlan, SearchWithin};
use crate::versions::compared::ComparedVersions;
use howcome_lab::inquiry::BaselineResult;
use howcome_run::words::{count, seconds};

/// What would be varied, and about how long that would take.
pub(super) fn estimate(versions: &ComparedVersions, plan: &SearchPlan, ready: &BaselineResult) -> String {
    let changes = ChangeSet::between(versions.good.base.tree(), versions.bad.base.tree());
    let Ok(changes) = changes else { return String::new() };
    let (varied, _) = changes.split_by(&plan.filter);
    let files = changes.paths_of(&varied).len() as u64;
    let hunks = varied.len() as u64;
    let between = versions.between.as_ref().filter(|_| plan.within == SearchWithin::Commit);
    let commits =
        between.map(|between| between.range.revisions.len() as u64 + u64::from(between.ends_uncommitted));
    let halvings = |things: f64| things.max(1.0).log2().ceil();
    let (what, tests) = match commits {
        Some(commits) => {
            // More hunks than an average commit has, because commits that break something are seldom small.
            let in_commit = 8.0 * hunks as f64 / commits.max(1) as f64;
            let what = format!(
                "{} and {} in {}",
                count(commits, "commit"),
                count(hunks, "hunk"),
                count(files, "file")
            );
            (what, halvings(commits as f64) + halvings(in_commit.max(4.0)) + LINES)
        }
        None => {
            let what = format!("{} in {}", count(hunks, "hunk"), count(files, "file"));
            (what, 2.0 * halvings(hunks as f64) + LINES)
        }
    };
    // The baseline is built from a clean checkout, and so are the two tests that confirm the answer.
    let each = ready.seconds * ready.runs_per_question();
    let clean = ready.executions.iter().map(|seen| seen.prepared.as_secs_f64()).fold(0.0, f64::max);
    // For each other test, at most the files that differ between the two versions are written.
    let share = (files as f64 / versions.bad.base.tree().len().max(1) as f64).min(1.0);
    let writing = (2.0 + tests * share) * clean;
    format!(
        "{what} would be searched.\n\
         If one change is the cause and most mixes build: about {}, about {} one at a time, including the time to write the versions.\n",
        count(tests as u64, "test"),
        seconds((tests + 2.0) * each + writing)
    )
}

/// The tests from a hunk to its lines.
const LINES: f64 = 3.0;
