//! What was seen beside the failure in question: other crashes, and what `--also` asks for. The smallest candidate of each
//! kind is kept: perhaps it is a second bug.

use super::keep;
use super::replay::replay;
use super::request::Request;
use crate::failure::Failure;
use howcome_input::Document;
use howcome_lab::{Condition, Oracle, Seen, Verdict};
use howcome_report::Summary;
use howcome_run::How;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The folder of a run that they are kept in.
const OTHER: &str = "other";
/// More kinds than this are noise.
const MOST_KINDS: usize = 20;

/// A judge who also looks out for what the user has asked for.
pub(crate) struct LooksOut {
    pub(crate) judge: Arc<dyn Oracle>,
    pub(crate) conditions: Vec<Condition>,
}

impl Oracle for LooksOut {
    fn judge(&self, seen: &Seen) -> Verdict {
        let mut verdict = self.judge.judge(seen);
        let holds = self.conditions.iter().filter(|condition| condition.holds(seen));
        verdict.also.extend(holds.map(ToString::to_string));
        verdict
    }
}

/// What was seen of one kind.
struct Other {
    tests: u64,
    smallest: Option<Document>,
}

/// Gathers what was seen, keeps the smallest candidate of each kind in the folder of the run, and gives two lists: what failed in
/// another way, and what was asked for.
pub(crate) fn gather(
    run: Option<&Path>,
    original: &Document,
    request: &Request,
    summary: &Summary,
) -> Result<(Vec<Value>, Vec<Value>), Failure> {
    let mut kinds: BTreeMap<String, Other> = BTreeMap::new();
    for kind in summary.trail.iter().filter(|step| step.how == How::Tested).flat_map(|step| &step.also) {
        if kinds.len() < MOST_KINDS || kinds.contains_key(kind) {
            kinds.entry(kind.clone()).or_insert(Other { tests: 0, smallest: None }).tests += 1;
        }
    }
    if kinds.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    replay(original, request, summary, |stage| {
        for step in stage.steps.iter().filter(|step| step.how == How::Tested && !step.also.is_empty()) {
            let Some(configuration) = &step.configuration else { continue };
            let candidate = stage.candidates.document(configuration);
            for kind in &step.also {
                let Some(other) = kinds.get_mut(kind) else { continue };
                if other.smallest.as_ref().is_none_or(|smallest| candidate.size() < smallest.size()) {
                    other.smallest = Some(candidate.clone());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    let (mut failures, mut asked_for) = (Vec::new(), Vec::new());
    for (number, (kind, Other { tests, smallest })) in kinds.into_iter().enumerate() {
        let mut json = json!({"what": kind, "tests": tests});
        if let Some(smallest) = smallest {
            json["bytes"] = smallest.size().into();
            if let Some(run) = run {
                let folder = run.join(OTHER).join((number + 1).to_string());
                fs::create_dir_all(run.join(OTHER))
                    .and_then(|()| keep::replace(&smallest, &folder))
                    .map_err(|error| Failure::file(&folder, &error))?;
                json["kept_in"] = folder.to_string_lossy().into();
            }
        }
        match request.also.contains(&kind) {
            true => asked_for.push(json),
            false => failures.push(json),
        }
    }
    Ok((failures, asked_for))
}
