//! Failures other than the one in question, and candidates that meet a condition of `--also`: the smallest of each is kept.

use super::storage::replace_folder;
use crate::{NoticedDocuments, NoticedKind};
use howcome_lab::{Condition, Execution, Oracle, Verdict};
use howcome_run::{OtherFailure, Problem};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The folder of a run that they are kept in.
const OTHER: &str = "other";

/// A judge that also notices what meets further conditions.
pub(crate) struct NoticingJudge {
    pub(crate) judge: Arc<dyn Oracle>,
    pub(crate) conditions: Vec<Condition>,
}

impl Oracle for NoticingJudge {
    fn judge(&self, seen: &Execution) -> Verdict {
        let mut verdict = self.judge.judge(seen);
        let holds = self.conditions.iter().filter(|condition| condition.holds(seen));
        verdict.also.extend(holds.map(ToString::to_string));
        verdict
    }
}

/// What was noticed beside the failure in question.
pub(crate) struct KeptCandidates {
    /// Candidates that failed differently.
    pub(crate) other_failures: Vec<OtherFailure>,
    /// Candidates that met a condition of the user.
    pub(crate) also: Vec<OtherFailure>,
}

/// Keeps the smallest candidate of each kind in the folder of the run. The user asked for the kinds in `also`.
pub(crate) fn keep_noticed(
    noticed: &NoticedDocuments,
    run: Option<&Path>,
    also: &[String],
) -> Result<KeptCandidates, Problem> {
    let mut kept = KeptCandidates { other_failures: Vec::new(), also: Vec::new() };
    for (number, (kind, NoticedKind { tests, smallest })) in noticed.kinds().enumerate() {
        let mut kept_in = None;
        if let Some(run) = run {
            let folder = run.join(OTHER).join((number + 1).to_string());
            fs::create_dir_all(run.join(OTHER))
                .and_then(|()| replace_folder(smallest, &folder))
                .map_err(|error| Problem::with_file(&folder, &error))?;
            kept_in = Some(folder.to_string_lossy().into_owned());
        }
        let is_asked_for = also.iter().any(|condition| condition == kind);
        let other =
            OtherFailure { what: kind.to_owned(), tests: *tests, bytes: Some(smallest.size()), kept_in };
        match is_asked_for {
            true => kept.also.push(other),
            false => kept.other_failures.push(other),
        }
    }
    Ok(kept)
}
