//! What the baseline shows besides its outcome. It is kept with the run, so that a resumed run asks the same questions.

use crate::candidates::checkout::changed_since_written;
use crate::candidates::tree_test::Reads;
use crate::search::plan::{BaselineOutputs, SearchPlan};
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use howcome_dd::Configuration;
use howcome_lab::Execution;
use howcome_lab::inquiry::{BaselineResult, Session};
use howcome_run::{FileReplacement, Problem};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::PoisonError;

/// Learns from the baseline what both sides print, which files the build has changed, and which files neither side reads.
pub(super) fn learn_from_baseline(
    session: &mut Session,
    versions: &ComparedVersions,
    plan: &mut SearchPlan,
    ready: &BaselineResult,
    reads: &Reads,
) -> Result<(), Problem> {
    let shown =
        |seen: &Execution| seen.stdout.pieces().chain(seen.stderr.pieces()).collect::<Vec<_>>().join(&b'\n');
    let [bad, good] = &ready.executions;
    let sides = [(bad, &versions.bad), (good, &versions.good)];
    if session.is_new() {
        let changed: BTreeSet<TreePath> = sides
            .iter()
            .flat_map(|(seen, version)| changed_since_written(&seen.workspace, version))
            .collect();
        if let Some(first) = changed.first() {
            let more =
                if changed.len() > 1 { format!(" and {} more", changed.len() - 1) } else { String::new() };
            session.warn(&format!(
                "the build or the test writes into the source tree ({first}{more}); such files are restored before each test, \
                 but a build that continues from them can be wrong; --clean CMD prevents that"
            ))?;
        }
    }
    let outputs = BaselineOutputs { good: shown(good), bad: shown(bad) };
    keep_outputs(session, &outputs);
    // The outputs of the first session, so that a resumed run asks the same questions.
    plan.outputs = session.dir().and_then(read_outputs).or(Some(outputs));
    let unread = unread(reads, &ready.executions, versions);
    match session.dir() {
        Some(dir) => {
            if !dir.join(UNREAD).exists() {
                let names = unread.iter().map(TreePath::as_bytes).collect::<Vec<_>>().join(&0);
                let _ = FileReplacement::at(&dir.join(UNREAD)).write_bytes(&names);
            }
            plan.unread = read_unread(dir);
        }
        None => plan.unread = unread,
    }
    Ok(())
}

/// The files that no side has read that has them, sorted.
fn unread(reads: &Reads, seen: &[Execution; 2], versions: &ComparedVersions) -> Vec<TreePath> {
    let mut reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
    let mut unread = |configuration: Configuration, seen: &Execution| {
        let trace = reads.remove(&configuration.to_string())?;
        Some(trace.finish_in(&seen.workspace))
    };
    let sides = (unread(Configuration::all(1), &seen[0]), unread(Configuration::empty(), &seen[1]));
    let (Some(bad), Some(good)) = sides else { return Vec::new() };
    let [in_bad, in_good] = [&versions.bad, &versions.good].map(|version| version.tree());
    let of_good = good.iter().filter(|path| bad.contains(*path) || in_bad.get(path).is_none());
    let of_bad = bad.iter().filter(|path| in_good.get(path).is_none());
    of_good.chain(of_bad).cloned().collect::<BTreeSet<TreePath>>().into_iter().collect()
}

const OUTPUTS: [&str; 2] = ["good-output", "bad-output"];

const UNREAD: &str = "unread";

fn keep_outputs(session: &Session, outputs: &BaselineOutputs) {
    let Some(dir) = session.dir() else { return };
    for (name, printed) in OUTPUTS.iter().zip([&outputs.good, &outputs.bad]) {
        let path = dir.join(name);
        if !path.exists() {
            // If this cannot be kept, a resumed search only needs more tests.
            let _ = FileReplacement::at(&path).write_bytes(printed);
        }
    }
}

fn read_outputs(run: &Path) -> Option<BaselineOutputs> {
    let read = |name: &str| fs::read(run.join(name)).ok();
    Some(BaselineOutputs { good: read(OUTPUTS[0])?, bad: read(OUTPUTS[1])? })
}

fn read_unread(run: &Path) -> Vec<TreePath> {
    let listed = fs::read(run.join(UNREAD)).unwrap_or_default();
    let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.filter_map(|path| TreePath::new(path).ok()).collect()
}

/// Keeps what the failing version prints, and returns what the first session kept.
pub(crate) fn keep_failing_output(session: &Session, printed: Vec<u8>) -> Vec<u8> {
    let Some(dir) = session.dir() else { return printed };
    let path = dir.join(OUTPUTS[1]);
    if !path.exists() {
        let _ = FileReplacement::at(&path).write_bytes(&printed);
    }
    recall_failing_output(dir)
}

/// What the failing version printed in an earlier session.
pub(crate) fn recall_failing_output(run: &Path) -> Vec<u8> {
    fs::read(run.join(OUTPUTS[1])).unwrap_or_default()
}

/// Adds what an earlier session has learnt to a plan.
pub(super) fn recall_baseline(run: &Path, plan: &mut SearchPlan) {
    plan.outputs = read_outputs(run);
    plan.unread = read_unread(run);
}
