//! The answer as it is recorded: how far back, with which patch, what the cause is, and what mends the newest revision.

use super::explain::Explained;
use super::patch::Patch;
use super::request::{Past, Request};
use super::travelled::{End, Made, Travelled};
use crate::changes::conclusion::conclude;
use crate::changes::finding::{Scribe as CauseScribe, commit_info};
use crate::changes::origin::{Origin, Origins};
use crate::investigate::why_stopped;
use crate::session::Answered;
use howcome_changes::Candidate;
use howcome_run::{
    Because, CommitInfo, Conclusion, Ending, Finding, ForwardStep, HistoryFinding, Minimal, NeverWorked,
    Observation, PatchMade, RevisionOutcome, RevisionTried, SkippedRevision, Stop, Verified,
};
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
        let mut finding = self.way(&way);
        let mut files = Vec::new();
        let answered = match end {
            End::Explained(explained) => self.explained(*explained, &mut finding, &mut files),
            End::NeverWorked { fits } => {
                finding.never_worked = Some(NeverWorked {
                    revision: self.name(way.front),
                    because: self.ends.to_string(),
                    whole: fits.map(|(fits, of)| fits == of).filter(|whole| *whole),
                    lines: fits.map(|(fits, _)| fits as u64),
                    lines_of: fits.map(|(_, of)| of as u64),
                });
                self.back_port(&mut finding, &mut files, way.front, way.patch.as_ref());
                answered(Ending::NeverWorked, None)
            }
            End::Unreachable => {
                self.back_port(&mut finding, &mut files, way.front, way.patch.as_ref());
                let why = format!("what is older than {} could not be judged", self.name(way.front));
                answered(Ending::Undecided, Some(why))
            }
            End::Stopped(why) => {
                self.back_port(&mut finding, &mut files, way.front, way.patch.as_ref());
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
        let finding = Finding::History(Box::new(finding)).into();
        let conclusion = match answered.conclusion {
            Some(conclusion) => Conclusion { finding, ..conclusion },
            None => Conclusion {
                finding,
                minimal: Minimal { of: "hunks".to_owned(), checked: false },
                verified: Verified::default(),
                confidence: None,
            },
        };
        (Answered { conclusion: Some(conclusion), ..answered }, files)
    }

    fn name(&self, index: usize) -> String {
        if index + 1 == self.past.line.len() { self.request.bad_name() } else { self.past.line.name(index) }
    }

    /// What is known of the way, wherever it ended.
    fn way(&self, way: &Travelled) -> HistoryFinding {
        let outcomes = way.tried.iter().map(|(index, mark)| (*index, mark.outcome()));
        let mut tried: Vec<(usize, RevisionOutcome)> =
            outcomes.chain(way.skipped.keys().map(|index| (*index, RevisionOutcome::Skipped))).collect();
        tried.sort_by_key(|(index, _)| *index);
        let skipped = way.skipped.iter();
        let skipped: Vec<SkippedRevision> = skipped
            .map(|(index, why)| SkippedRevision { revision: self.name(*index), why: why.clone() })
            .collect();
        HistoryFinding {
            bad: Some(self.request.bad_name()),
            oldest: Some(self.past.line.name(0)),
            revisions: self.past.line.len() as u64,
            passing_revision: way.passes_at.map(|index| self.name(index)),
            failing_revision: Some(self.name(way.front)),
            passing_commit: way.passes_at.and_then(|index| self.commit(index)),
            failing_commit: self.commit(way.front),
            revisions_tried: tried.len() as u64,
            skipped: skipped.len() as u64,
            skipped_revisions: skipped,
            patches: way.patches.iter().map(|made| self.made(made)).collect(),
            tried: tried
                .into_iter()
                .map(|(index, outcome)| RevisionTried { index: index as u64, outcome })
                .collect(),
            patch_top: self.top(),
            ..HistoryFinding::default()
        }
    }

    fn made(&self, made: &Made) -> PatchMade {
        PatchMade {
            revision: self.name(made.revision),
            index: Some(made.revision as u64),
            newer: self.name(made.newer),
            because: made.because.as_ref().map(|seen| self.because(seen)),
            hunks: made.patch.hunks() as u64,
            files: made.patch.files() as u64,
            least: Some(made.patch.is_least),
        }
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

    fn commit(&self, index: usize) -> Option<CommitInfo> {
        let (id, trees) = self.past.line.commit(index).zip(self.past.trees.as_ref())?;
        commit_info(trees, &id)
    }

    /// Where `git apply` has to be run, if the user does not stand there.
    fn top(&self) -> Option<String> {
        let top = self.request.repository()?.canonicalize().ok()?;
        let stands = self.request.test.directory.canonicalize().ok();
        (stands.as_ref() != Some(&top)).then(|| top.display().to_string())
    }

    fn file(&self, files: &mut Files, name: &str, text: &[u8]) -> Option<String> {
        let path = self.dir?.join(name);
        files.push((path.clone(), text.to_vec()));
        let shown = if self.top().is_some() { self.request.test.directory.join(&path) } else { path };
        Some(shown.display().to_string())
    }

    /// The patch as it is for a revision.
    fn back_port(&self, finding: &mut HistoryFinding, files: &mut Files, onto: usize, patch: Option<&Patch>) {
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
        finding.backported = Some(String::from_utf8_lossy(&text).into_owned());
        finding.backported_onto = Some(self.name(onto));
        finding.backported_lines = text.split(|byte| *byte == b'\n').filter(is_line).count() as u64;
        finding.backported_hunks = patch.hunks() as u64;
        finding.backported_file = self.file(files, "backported.patch", &text);
    }

    fn explained(&self, explained: Explained, finding: &mut HistoryFinding, files: &mut Files) -> Answered {
        let Explained { passing, failing, patch, is_patch_minimal, sources, hunted, forward } = explained;
        finding.passing_revision = Some(self.name(passing));
        finding.passing_commit = self.commit(passing);
        finding.failing_revision = Some(self.name(failing));
        finding.failing_commit = self.commit(failing);
        finding.backported_minimal = is_patch_minimal && patch.is_some();
        self.back_port(finding, files, passing, patch.as_ref());
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
        finding.cause = written.map(|written| written.finding);
        if let Some(patch) = &forward.patch {
            finding.forward = Some(String::from_utf8_lossy(patch).into_owned());
            finding.forward_file = self.file(files, "forward.patch", patch);
        }
        finding.forward_why = forward.why;
        finding.forward_at = forward.at.map(|index| self.name(index));
        finding.forward_steps = forward
            .steps
            .iter()
            .map(|(index, hunks)| ForwardStep { revision: self.name(*index), hunks: *hunks as u64 })
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
