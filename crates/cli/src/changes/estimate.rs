//! How many tests it will take, before the first one.

use super::plan::{Plan, Within};
use super::sources::Sources;
use crate::baseline::Ready;
use crate::session::Session;
use crate::streams::answer;
use howcome_changes::ChangeSet;
use howcome_lab::Repeat;
use howcome_report::{count, seconds};

/// Says what would be varied, and about how long that would take.
pub(crate) fn say(session: &Session, sources: &Sources, plan: &Plan, ready: &Ready) {
    session.talk.finish();
    let changes = ChangeSet::between(sources.good.base.tree(), sources.bad.base.tree());
    let Ok(changes) = changes else { return };
    let (varied, _) = changes.split_by(&plan.filter);
    let files = changes.paths_of(&varied).len() as u64;
    let hunks = varied.len() as u64;
    let commits = sources.past.as_ref().filter(|_| plan.within == Within::Commit);
    let commits = commits.map(|past| past.range.revisions().len() as u64 + u64::from(past.ends_uncommitted));
    let halvings = |things: f64| things.max(1.0).log2().ceil();
    let (what, tests) = match commits {
        Some(commits) => {
            // What a commit changes on average, and more, since those that break something are seldom small.
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
    let runs = match &ready.repeat {
        Repeat::Times(times) => f64::from(*times),
        Repeat::Flaky(noise) => noise.expected_runs(),
    };
    // The baseline is built from nothing, and so are the two tests that confirm the answer.
    let each = ready.seconds * runs;
    answer!("{what} would be searched.\n");
    answer!(
        "If one change is the cause and most mixtures can be built: about {}, about {} one at a time, beside writing out the versions.\n",
        count(tests as u64, "test"),
        seconds((tests + 2.0) * each)
    );
}

/// What it takes to go from a hunk to its lines.
const LINES: f64 = 3.0;
