//! What the baseline shows beside its outcome. It is kept with the run, so that a resumed one goes the same way.

use super::plan::{Outputs, Plan};
use super::sources::Sources;
use crate::baseline::Ready;
use crate::failure::Failure;
use crate::session::Session;
use howcome_changes::{Reads, TreePath, changed_since_written};
use howcome_dd::Configuration;
use howcome_lab::Seen;
use std::fs;
use std::path::Path;
use std::sync::PoisonError;

/// What the baseline shows beside its outcome: what both sides print, and files that the build has changed.
pub(super) fn look_at_baseline(
    session: &mut Session,
    sources: &Sources,
    plan: &mut Plan,
    ready: &Ready,
    reads: &Reads,
) -> Result<(), Failure> {
    let printed =
        |seen: &Seen| seen.stdout.pieces().chain(seen.stderr.pieces()).collect::<Vec<_>>().join(&b'\n');
    let [bad, good] = &ready.seen;
    let sides = [(bad, &sources.bad), (good, &sources.good)];
    if session.is_new() {
        let changed: std::collections::BTreeSet<TreePath> = sides
            .iter()
            .flat_map(|(seen, version)| changed_since_written(&seen.workspace, version))
            .collect();
        if let Some(first) = changed.first() {
            let more =
                if changed.len() > 1 { format!(" and {} more", changed.len() - 1) } else { String::new() };
            session.warn(&format!(
                "the build or the test writes into the source tree ({first}{more}); such files are restored before each test, \
                 but a build that goes on from what it wrote there may be wrong; --clean CMD helps"
            ))?;
        }
    }
    let outputs = Outputs { good: printed(good), bad: printed(bad) };
    keep_outputs(session, &outputs);
    // Those of the first session, so that a resumed run asks the same.
    plan.outputs = session.dir().and_then(read_outputs).or(Some(outputs));
    let unread = unread_by_both(reads, &ready.seen);
    match session.dir() {
        Some(dir) => {
            if !dir.join(UNREAD).exists() {
                let _ = fs::write(
                    dir.join(UNREAD),
                    unread.iter().map(TreePath::as_bytes).collect::<Vec<_>>().join(&0),
                );
            }
            plan.unread = read_unread(dir);
        }
        None => plan.unread = unread,
    }
    Ok(())
}

/// The files that neither side has read.
pub(super) fn unread_by_both(reads: &Reads, seen: &[Seen; 2]) -> Vec<TreePath> {
    let mut reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
    let mut unread = |configuration: Configuration, seen: &Seen| {
        let trace = reads.remove(&configuration.to_string())?;
        Some(trace.finish_in(&seen.workspace))
    };
    match (unread(Configuration::all(1), &seen[0]), unread(Configuration::empty(), &seen[1])) {
        (Some(bad), Some(good)) => good.intersection(&bad).cloned().collect(),
        _ => Vec::new(),
    }
}

pub(super) const OUTPUTS: [&str; 2] = ["good-output", "bad-output"];

pub(super) const UNREAD: &str = "unread";

pub(super) fn keep_outputs(session: &Session, outputs: &Outputs) {
    let Some(dir) = session.dir() else { return };
    for (name, printed) in OUTPUTS.iter().zip([&outputs.good, &outputs.bad]) {
        let path = dir.join(name);
        if !path.exists() {
            // What cannot be kept only makes the search less clever when it is resumed.
            let _ = fs::write(path, printed);
        }
    }
}

pub(super) fn read_outputs(run: &Path) -> Option<Outputs> {
    let read = |name: &str| fs::read(run.join(name)).ok();
    Some(Outputs { good: read(OUTPUTS[0])?, bad: read(OUTPUTS[1])? })
}

pub(super) fn read_unread(run: &Path) -> Vec<TreePath> {
    let listed = fs::read(run.join(UNREAD)).unwrap_or_default();
    let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.filter_map(|path| TreePath::new(path).ok()).collect()
}
