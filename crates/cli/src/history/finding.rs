//! The answer as it is recorded: how far back, with which patch, what the cause is, and what mends the newest revision.

use super::explain::Explained;
use super::patch::Patch;
use super::request::{Past, Request};
use super::travelled::{End, Made, Travelled};
use crate::changes::conclusion::conclude;
use crate::changes::finding::{Scribe as CauseScribe, commit_json};
use crate::changes::origin::{Origin, Origins};
use crate::investigate::why_stopped;
use crate::session::Answered;
use howcome_changes::Candidate;
use howcome_run::{Because, Conclusion, Ending, Minimal, Observation, Stop, Verified};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Makes the finding of what a journey has come to.
pub(super) struct Scribe<'a> {
    pub(super) request: &'a Request,
    pub(super) past: &'a Past,
    /// How the bad revision ends.
    pub(super) ends: &'a Because,
    /// The folder of the run.
    pub(super) dir: Option<&'a Path>,
}

/// Files of the answer, with what goes into them.
type Files = Vec<(PathBuf, Vec<u8>)>;

impl Scribe<'_> {
    pub(super) fn conclude(&self, mut way: Travelled) -> (Answered, Files) {
        let end = way.end.take().unwrap_or(End::Unreachable);
        let mut json = self.way(&way);
        let mut files = Vec::new();
        let answered = match end {
            End::Explained(explained) => self.explained(*explained, &mut json, &mut files),
            End::NeverWorked { fits } => {
                json["never_worked"] = json!({
                    "revision": self.name(way.front),
                    "because": self.ends.to_string(),
                    "whole": fits.map(|(fits, of)| fits == of).filter(|whole| *whole),
                    "lines": fits.map(|(fits, _)| fits),
                    "lines_of": fits.map(|(_, of)| of),
                });
                self.back_port(&mut json, &mut files, way.front, way.patch.as_ref());
                answered(Ending::NeverWorked, None)
            }
            End::Unreachable => {
                self.back_port(&mut json, &mut files, way.front, way.patch.as_ref());
                let why = format!("what is older than {} could not be judged", self.name(way.front));
                answered(Ending::Undecided, Some(why))
            }
            End::Stopped(why) => {
                self.back_port(&mut json, &mut files, way.front, way.patch.as_ref());
                let of_a_list = match &why {
                    Stop::NoVerdict(seen) if matches!(seen.because, Because::Broken(_)) => {
                        self.past.failure()
                    }
                    _ => None,
                };
                let (ending, why, failure) = why_stopped(why);
                Answered { failure: of_a_list.or(failure), ..answered(ending, Some(why)) }
            }
        };
        let conclusion =
            answered.conclusion.map(|conclusion| Conclusion { finding: json.clone(), ..conclusion });
        let conclusion = conclusion.unwrap_or_else(|| Conclusion {
            finding: json,
            minimal: Minimal { of: "hunks".to_owned(), checked: false },
            verified: Verified::default(),
            confidence: None,
        });
        (Answered { conclusion: Some(conclusion), ..answered }, files)
    }

    fn name(&self, index: usize) -> String {
        if index + 1 == self.past.line.len() { self.request.bad_name() } else { self.past.line.name(index) }
    }

    /// What is known of the way, wherever it ended.
    fn way(&self, way: &Travelled) -> Value {
        let outcomes = way.tried.iter().map(|(index, mark)| (*index, mark.name()));
        let mut tried: Vec<(usize, &str)> =
            outcomes.chain(way.skipped.keys().map(|index| (*index, "skipped"))).collect();
        tried.sort_unstable();
        let skipped: Vec<Value> = way
            .skipped
            .iter()
            .map(|(index, why)| json!({"revision": self.name(*index), "why": why}))
            .collect();
        json!({
            "bad": self.request.bad_name(),
            "oldest": self.past.line.name(0),
            "revisions": self.past.line.len(),
            "passing_revision": way.passes_at.map(|index| self.name(index)),
            "failing_revision": self.name(way.front),
            "passing_commit": way.passes_at.map(|index| self.commit(index)),
            "failing_commit": self.commit(way.front),
            "revisions_tried": tried.len(),
            "skipped": skipped.len(),
            "skipped_revisions": skipped,
            "backported": null,
            "backported_file": null,
            "backported_onto": null,
            "backported_lines": 0,
            "backported_hunks": 0,
            "backported_minimal": false,
            "patches": way.patches.iter().map(|made| self.made(made)).collect::<Vec<Value>>(),
            "cause": null,
            "forward": null,
            "forward_file": null,
            "forward_why": null,
            "forward_at": null,
            "forward_steps": [],
            "never_worked": null,
            "tried": tried.iter().map(|(index, outcome)| json!({"index": index, "outcome": outcome})).collect::<Vec<Value>>(),
            "patch_top": self.top(),
        })
    }

    fn made(&self, made: &Made) -> Value {
        json!({
            "revision": self.name(made.revision),
            "index": made.revision,
            "newer": self.name(made.newer),
            "because": made.because.as_ref().map(|seen| self.because(seen)),
            "hunks": made.patch.hunks(),
            "files": made.patch.files(),
            "least": made.patch.is_least,
        })
    }

    /// How a revision ended, and what it had to say.
    fn because(&self, seen: &Observation) -> String {
        let log = seen.log.as_ref().zip(self.dir).map(|(log, dir)| dir.join("log").join(log));
        let printed = log.and_then(|path| fs::read(path).ok()).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        let is_told_already = matches!(seen.because, Because::DidNotApply(_) | Because::DidNotBuild(_));
        match saying(&printed).filter(|_| !is_told_already) {
            Some(line) => format!("{}: {line}", seen.because),
            None => seen.because.to_string(),
        }
    }

    fn commit(&self, index: usize) -> Value {
        let commit = self.past.line.commit(index).zip(self.past.trees.as_ref());
        commit.and_then(|(id, trees)| commit_json(trees, &id)).unwrap_or_default()
    }

    /// Where `git apply` has to be run, if the user does not stand there.
    fn top(&self) -> Option<String> {
        let top = self.request.repository()?.canonicalize().ok()?;
        let stands = self.request.test.directory.canonicalize().ok();
        (stands.as_ref() != Some(&top)).then(|| top.display().to_string())
    }

    fn file(&self, files: &mut Files, name: &str, text: &[u8]) -> Value {
        let Some(dir) = self.dir else { return Value::Null };
        let path = dir.join(name);
        files.push((path.clone(), text.to_vec()));
        let shown = if self.top().is_some() { self.request.test.directory.join(&path) } else { path };
        json!(shown.display().to_string())
    }

    /// The patch as it is for a revision.
    fn back_port(&self, json: &mut Value, files: &mut Files, onto: usize, patch: Option<&Patch>) {
        let Some(patch) = patch else { return };
        let made = || {
            let as_it_is = Candidate::of(self.past.line.base(onto).ok()?);
            let patched = patch.carried().onto(&as_it_is).ok()?;
            Patch::between(&as_it_is, &patched, false).ok()
        };
        let Some(patch) = made().filter(|patch| !patch.is_empty()) else { return };
        let text = patch.text();
        let is_line = |line: &&[u8]| {
            matches!(line.first(), Some(b'+' | b'-'))
                && !line.starts_with(b"+++ ")
                && !line.starts_with(b"--- ")
        };
        json["backported"] = json!(String::from_utf8_lossy(&text));
        json["backported_onto"] = json!(self.name(onto));
        json["backported_lines"] = json!(text.split(|byte| *byte == b'\n').filter(is_line).count());
        json["backported_hunks"] = json!(patch.hunks());
        json["backported_file"] = self.file(files, "backported.patch", &text);
    }

    fn explained(&self, explained: Explained, json: &mut Value, files: &mut Files) -> Answered {
        let Explained { passing, failing, patch, is_patch_minimal, sources, hunted, forward } = explained;
        json["passing_revision"] = json!(self.name(passing));
        json["passing_commit"] = self.commit(passing);
        json["failing_revision"] = json!(self.name(failing));
        json["failing_commit"] = self.commit(failing);
        json["backported_minimal"] = json!(is_patch_minimal && patch.is_some());
        self.back_port(json, files, passing, patch.as_ref());
        let origin = |index: usize| match self.past.line.commit(index) {
            Some(commit) => Origin::Commit { name: self.name(index), id: commit.to_string() },
            None => Origin::Revision(self.name(index)),
        };
        let origins = Origins {
            repository: self.request.repository().map(Path::to_owned),
            good: vec![origin(passing)],
            bad: origin(failing),
            head: None,
        };
        let patch_file = self.dir.map(|dir| dir.join("culprit.patch"));
        let scribe = CauseScribe {
            sources: &sources,
            origins: &origins,
            stands: &self.request.test.directory,
            fix: false,
            patch_file: patch_file.as_deref(),
        };
        let (mut answered, written) = conclude(&scribe, hunted);
        if let (Some(path), Some(written)) =
            (patch_file, written.as_ref().and_then(|written| written.patches.first()))
        {
            files.push((path, written.clone()));
        }
        json["cause"] = answered.conclusion.as_ref().map(|found| found.finding.clone()).unwrap_or_default();
        if let Some(patch) = &forward.patch {
            json["forward"] = json!(String::from_utf8_lossy(patch));
            json["forward_file"] = self.file(files, "forward.patch", patch);
        }
        json["forward_why"] = json!(forward.why);
        json["forward_at"] = json!(forward.at.map(|index| self.name(index)));
        json["forward_steps"] = forward
            .steps
            .iter()
            .map(|(index, hunks)| json!({"revision": self.name(*index), "hunks": hunks}))
            .collect();
        if let (Some(stop), Ending::Found) = (forward.stopped, answered.ending) {
            let (ending, why, failure) = why_stopped(stop);
            answered = Answered { ending, why: Some(why), failure, ..answered };
        }
        answered
    }
}

fn answered(ending: Ending, why: Option<String>) -> Answered {
    Answered { ending, conclusion: None, answer: None, failure: None, why }
}

/// The line of an output that probably says why: the last that speaks of an error, or else the last one.
fn saying(printed: &str) -> Option<&str> {
    let lines =
        || printed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--- "));
    let speaks = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["error", "unknown", "undefined", "not defined", "not found", "no such"]
            .iter()
            .any(|word| line.contains(word))
    };
    lines().rfind(speaks).or_else(|| lines().next_back())
}
