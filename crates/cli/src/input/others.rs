//! What was seen beside the failure in question: other crashes, and what `--also` asks for. The smallest candidate of each
//! kind is kept: perhaps it is a second bug.

use super::keep;
use super::request::Request;
use crate::failure::Failure;
use howcome_input::{Candidates, Document};
use howcome_lab::{Condition, Oracle, Seen, Verdict};
use howcome_run::{Noticed, OtherFailure};
use std::collections::BTreeMap;
use std::fs;
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

/// What was seen beside the failure in question, by kind.
#[derive(Default)]
pub(crate) struct Others {
    kinds: BTreeMap<String, Other>,
}

/// What was seen of one kind.
struct Other {
    tests: u64,
    smallest: Document,
}

impl Others {
    /// Takes in what was noticed in a stage.
    pub(crate) fn see(&mut self, candidates: &Candidates, noticed: Vec<Noticed>) {
        for (configuration, kinds) in noticed {
            let candidate = candidates.document(&configuration);
            for kind in kinds {
                let is_room = self.kinds.len() < MOST_KINDS;
                match self.kinds.get_mut(&kind) {
                    Some(other) => {
                        other.tests += 1;
                        if candidate.size() < other.smallest.size() {
                            other.smallest = candidate.clone();
                        }
                    }
                    None if is_room => {
                        self.kinds.insert(kind, Other { tests: 1, smallest: candidate.clone() });
                    }
                    None => {}
                }
            }
        }
    }

    /// Keeps the smallest candidate of each kind in the folder of the run, and gives two lists: what failed in another way, and
    /// what was asked for.
    pub(crate) fn keep(
        self,
        run: Option<&Path>,
        request: &Request,
    ) -> Result<(Vec<OtherFailure>, Vec<OtherFailure>), Failure> {
        let (mut failures, mut asked_for) = (Vec::new(), Vec::new());
        for (number, (kind, Other { tests, smallest })) in self.kinds.into_iter().enumerate() {
            let mut kept_in = None;
            if let Some(run) = run {
                let folder = run.join(OTHER).join((number + 1).to_string());
                fs::create_dir_all(run.join(OTHER))
                    .and_then(|()| keep::replace(&smallest, &folder))
                    .map_err(|error| Failure::file(&folder, &error))?;
                kept_in = Some(folder.to_string_lossy().into_owned());
            }
            let is_asked_for = request.also.contains(&kind);
            let other = OtherFailure { what: kind, tests, bytes: Some(smallest.size()), kept_in };
            match is_asked_for {
                true => asked_for.push(other),
                false => failures.push(other),
            }
        }
        Ok((failures, asked_for))
    }
}
