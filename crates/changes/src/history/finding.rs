//! The finding: how far back, with which patch, the cause, and the fix for the newest revision.

use super::backport_patch::{BackportPatch, PatchExtent, PatchFit};
use super::explanation::Explanation;
use super::forward::{AdaptedFix, ForwardFix};
use super::known_part::{AnswerPart, KnownPart};
use super::procedure::{HistorySearch, SearchEnd};
use super::revisions::HistoryRevisions;
use super::walk_state::{Backport, WalkState};
use crate::candidates::candidate::Candidate;
use crate::knowledge::first_error;
use crate::question::conclusion::conclude;
use crate::question::finding_builder::{FindingBuilder, FindingWithPatches};
use crate::search::cause::{CausesFound, CausesSoFar};
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::{VersionOrigin, VersionOrigins};
use howcome_lab::inquiry::{Concluded, explain_stop};
use howcome_run::words::count;
use howcome_run::{
    Because, CommitInfo, Conclusion, Ending, FailsSince, Finding, ForwardStep, Halt, HistoryFinding, Minimal,
    NeverWorked, Observation, PatchMade, RevisionTried, SkippedRevision, Stop, Unit, Verified, read_log,
};
use std::path::{Path, PathBuf};

/// Builds the finding of a search through history.
pub struct HistoryFindingBuilder<'a> {
    /// The revisions.
    pub revisions: &'a HistoryRevisions,
    /// The bad revision, as the user named it.
    pub bad: &'a str,
    /// How the bad revision ends.
    pub bad_ends: &'a Because,
    /// What the bad revision prints.
    pub printed: &'a [u8],
    /// The repository, if the revisions are commits.
    pub repository: Option<&'a Path>,
    /// The user's folder.
    pub here: &'a Path,
    /// The folder of the run, in which the files of the answer are kept.
    pub run: Option<&'a Path>,
}

/// A file that belongs to the answer.
pub struct AnswerFile {
    /// Where it goes.
    pub path: PathBuf,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl HistoryFindingBuilder<'_> {
    /// How the question ended, and the files that belong to the answer.
    ///
    /// # Errors
    /// If the search for the cause did not end by finding something or by being stopped.
    pub fn conclude(&self, search: HistorySearch) -> Result<(Concluded, Vec<AnswerFile>), Halt> {
        let HistorySearch { state, end } = search;
        let mut finding = self.walk(&state);
        let mut files = Vec::new();
        if !matches!(end, SearchEnd::Explained { .. }) {
            self.add_backport(&mut finding, &mut files, state.front, state.patch.as_ref());
        }
        let concluded = match end {
            // Lines of the patch are not what the revision has changed.
            SearchEnd::Explained { explanation, .. } if state.is_cause_of_patch => {
                let Explanation { passing, patch, .. } = *explanation;
                self.add_backport(&mut finding, &mut files, passing, patch.as_ref());
                Concluded::new(Ending::Undecided, None).because(OF_PATCH.to_owned())
            }
            SearchEnd::Explained { explanation, forward } => {
                let is_of_other_cause = forward.is_of_other_cause;
                let concluded = self.explained(*explanation, forward, &mut finding, &mut files)?;
                let is_found = concluded.ending == Ending::Found;
                let lost = match () {
                    () if is_of_other_cause => Some(OTHER_CAUSE),
                    () if state.is_cause_lost => Some(LOST),
                    () => None,
                };
                if let Some(why) = lost.filter(|_| is_found && state.gone_since.is_none()) {
                    let concluded = Concluded { ending: Ending::Undecided, ..concluded };
                    return self.finish(concluded.because(why.to_owned()), finding, files);
                }
                if let Some(gone) = state.gone_since.filter(|_| is_found) {
                    let concluded = Concluded { ending: Ending::Undecided, ..concluded };
                    let why = match gone + 1 == self.revisions.line.len() {
                        true => GONE.to_owned(),
                        false => format!("{GONE}: it was undone in {}", self.name(gone)),
                    };
                    return self.finish(concluded.because(why), finding, files);
                }
                match state.undone_at.filter(|_| is_found) {
                    Some(later) => Concluded { ending: Ending::Undecided, ..concluded }.because(format!(
                        "the change was undone in {later}, and it was broken again later; --back-to {later} looks at what came after that",
                        later = self.name(later)
                    )),
                    None => concluded,
                }
            }
            SearchEnd::NeverWorked { fit } => {
                let never_worked = self.never_worked(state.front, fit, &state.backports);
                let is_unearned = !state.has_whole_patch(fit) || state.has_untried_parts;
                match state.backports.first().filter(|_| is_unearned) {
                    Some(newest)
                        if never_worked.did_not_run.is_none()
                            || state.backports.len() > 1
                            || state.has_untried_parts =>
                    {
                        let number = newest.newer as u64 + 1;
                        finding.fails_since = Some(FailsSince { revision: self.name(newest.newer), number });
                        Concluded::new(Ending::Undecided, None).because(PARTS_FAIL.to_owned())
                    }
                    _ => {
                        finding.never_worked = Some(never_worked);
                        Concluded::new(Ending::NeverWorked, None)
                    }
                }
            }
            SearchEnd::Unreachable => Concluded::new(Ending::Undecided, None)
                .because(format!("revisions older than {} cannot be tested", self.name(state.front))),
            SearchEnd::TooManyTests(tests) => {
                finding.patches_ended_after = Some(tests);
                Concluded::new(Ending::Undecided, None).because(format!(
                    "the search for patches ended after {}; `howcome resume --thorough` goes on",
                    count(tests, "test")
                ))
            }
            SearchEnd::Stopped(why) => self.stopped(why),
        };
        self.finish(concluded, finding, files)
    }

    /// The conclusion with its finding.
    fn finish(
        &self,
        concluded: Concluded,
        finding: HistoryFinding,
        files: Vec<AnswerFile>,
    ) -> Result<(Concluded, Vec<AnswerFile>), Halt> {
        let finding = Finding::History(Box::new(finding)).into();
        let conclusion = match concluded.conclusion {
            Some(conclusion) => Conclusion { finding, ..conclusion },
            None => Conclusion {
                finding,
                minimal: Minimal::new(Unit::Hunk, false),
                verified: Verified::default(),
                confidence: None,
            },
        };
        Ok((Concluded { conclusion: Some(conclusion), ..concluded }, files))
    }

    /// The files of a part of the answer that is known before the run ends.
    #[must_use]
    pub fn files_of(&self, part: &KnownPart<'_>) -> Vec<AnswerFile> {
        let mut files = Vec::new();
        match *part {
            KnownPart(AnswerPart::Backport { passing, patch }) => {
                self.add_backport(&mut HistoryFinding::default(), &mut files, passing, Some(patch));
            }
            KnownPart(AnswerPart::Cause(explanation)) => {
                let Explanation { passing, failing, versions, causes, .. } = explanation;
                if let Ok(found) = causes
                    && let Ok((_, cause)) = self.cause([*passing, *failing], versions, Ok(found.clone()))
                {
                    files.extend(cause.as_ref().and_then(|cause| self.culprit_file(cause)));
                }
            }
        }
        files
    }

    pub(super) fn name(&self, index: usize) -> String {
        let line = &self.revisions.line;
        if index + 1 == line.len() { self.bad.to_owned() } else { line.name(index) }
    }

    fn commit(&self, index: usize) -> Option<CommitInfo> {
        let line = &self.revisions.line;
        line.source.commit_info(&line.commit(index)?)
    }

    /// How far the walk back came.
    fn walk(&self, state: &WalkState) -> HistoryFinding {
        let skipped =
            |(index, why): (usize, &str)| SkippedRevision { revision: self.name(index), why: why.to_owned() };
        let skipped: Vec<SkippedRevision> = state.outcomes.skipped().map(skipped).collect();
        let tried = state.outcomes.all().into_iter();
        let tried: Vec<RevisionTried> =
            tried.map(|(index, outcome)| RevisionTried { index: index as u64, outcome }).collect();
        HistoryFinding {
            bad: Some(self.bad.to_owned()),
            oldest: Some(self.revisions.line.name(0)),
            revisions: self.revisions.line.len() as u64,
            passing_revision: state.passes_at.map(|index| self.name(index)),
            failing_revision: Some(self.name(state.front)),
            passing_commit: state.passes_at.and_then(|index| self.commit(index)),
            failing_commit: self.commit(state.front),
            revisions_tried: tried.len() as u64,
            skipped: skipped.len() as u64,
            skipped_revisions: skipped,
            patches: state.backports.iter().map(|backport| self.patch_made(backport)).collect(),
            tried,
            patch_top: self.top(),
            ..HistoryFinding::default()
        }
    }

    fn patch_made(&self, backport: &Backport) -> PatchMade {
        PatchMade {
            revision: self.name(backport.revision),
            index: Some(backport.revision as u64),
            newer: self.name(backport.newer),
            because: match &backport.lacks {
                Some(name) => Some(format!("it lacks `{name}`, which the test uses")),
                None => backport.without.as_ref().map(|seen| self.because(seen)),
            },
            hunks: backport.added.hunks.into(),
            files: backport.added.files as u64,
            lines: backport.patch.changed_lines() as u64,
            least: match backport.patch.extent {
                PatchExtent::Whole => Some(false),
                PatchExtent::Least => Some(true),
                PatchExtent::Part => None,
            },
        }
    }

    /// How a revision ended, and the line of its output that probably says why.
    fn because(&self, seen: &Observation) -> String {
        let printed = self.run.map_or_else(Vec::new, |run| read_log(run, seen));
        let printed = String::from_utf8_lossy(&printed);
        let says_why = matches!(
            seen.because,
            Because::DidNotApply(_) | Because::DidNotBuild(_) | Because::TestDidNotBuild(_)
        );
        match first_error(&printed).filter(|_| !says_why) {
            Some(line) => format!("{}: {line}", seen.because),
            None => seen.because.to_string(),
        }
    }

    /// The folder in which `git apply` has to be run, if the user is in another one.
    fn top(&self) -> Option<String> {
        let top = self.repository?.canonicalize().ok()?;
        let here = self.here.canonicalize().ok();
        (here.as_ref() != Some(&top)).then(|| top.display().to_string())
    }

    /// Adds a file to the answer, and returns its path as the user needs it.
    fn add_file(&self, files: &mut Vec<AnswerFile>, name: &str, bytes: &[u8]) -> Option<String> {
        let path = self.run?.join(name);
        files.push(AnswerFile { path: path.clone(), bytes: bytes.to_vec() });
        let shown = if self.top().is_some() { self.here.join(&path) } else { path };
        Some(shown.display().to_string())
    }

    /// Adds a patch in the form that applies to a revision.
    fn add_backport(
        &self,
        finding: &mut HistoryFinding,
        files: &mut Vec<AnswerFile>,
        onto: usize,
        patch: Option<&BackportPatch>,
    ) {
        let Some(patch) = patch else { return };
        let made = || {
            let unpatched = Candidate::of(self.revisions.line.base(onto).ok()?);
            let patched = patch.lines_that_fit().apply_to(&unpatched).ok()?;
            BackportPatch::between(&unpatched, &patched, PatchExtent::Part).ok()
        };
        let Some(patch) = made().filter(|patch| !patch.is_empty()) else { return };
        let text = patch.text();
        finding.backported = Some(String::from_utf8_lossy(&text).into_owned());
        finding.backported_onto = Some(self.name(onto));
        finding.backported_lines = patch.changed_lines() as u64;
        finding.backported_hunks = patch.hunks() as u64;
        finding.backported_file = self.add_file(files, "backported.patch", &text);
    }

    fn never_worked(&self, oldest: usize, fit: Option<PatchFit>, backports: &[Backport]) -> NeverWorked {
        // In a revision in which the test did not run, the patch brings what it needs, and perhaps the cause with it.
        let not_run = backports.iter().find_map(|backport| match &backport.without.as_ref()?.because {
            Because::DidNotRun(why) => Some((self.name(backport.newer), why.clone())),
            _ => None,
        });
        let (runs_since, did_not_run) = not_run.unzip();
        NeverWorked {
            revision: self.name(oldest),
            because: self.bad_ends.to_string(),
            whole: fit.map(|fit| fit.lines == fit.of).filter(|is_whole| *is_whole),
            lines: fit.map(|fit| fit.lines as u64),
            lines_of: fit.map(|fit| fit.of as u64),
            runs_since,
            did_not_run,
        }
    }

    fn stopped(&self, why: Stop) -> Concluded {
        let is_broken = matches!(&why, Stop::NoVerdict(seen) if matches!(seen.because, Because::Broken(_)));
        let checkout = self.revisions.checkout_problem().filter(|_| is_broken);
        let concluded = Concluded::stopped(why, None);
        Concluded { problem: checkout.or(concluded.problem), ..concluded }
    }

    fn explained(
        &self,
        explanation: Explanation,
        forward: ForwardFix,
        finding: &mut HistoryFinding,
        files: &mut Vec<AnswerFile>,
    ) -> Result<Concluded, Halt> {
        let Explanation { passing, failing, patch, is_patch_minimal, versions, causes, .. } = explanation;
        (finding.passing_index, finding.failing_index) = (Some(passing as u64), Some(failing as u64));
        finding.passing_revision = Some(self.name(passing));
        finding.passing_commit = self.commit(passing);
        finding.failing_revision = Some(self.name(failing));
        finding.failing_commit = self.commit(failing);
        finding.backported_minimal = is_patch_minimal && patch.is_some();
        self.add_backport(finding, files, passing, patch.as_ref());
        let (concluded, cause) = self.cause([passing, failing], &versions, causes)?;
        files.extend(cause.as_ref().and_then(|cause| self.culprit_file(cause)));
        finding.cause = cause.map(|cause| cause.finding);
        let stopped = forward.stopped.clone();
        self.add_forward(forward, finding, files);
        match (stopped, concluded.ending) {
            (Some(stop), Ending::Found) => {
                let (ending, why, problem) = explain_stop(stop);
                Ok(Concluded { ending, why: Some(why), problem, ..concluded })
            }
            _ => Ok(concluded),
        }
    }

    /// The cause between two revisions, and how the search for it ended.
    fn cause(
        &self,
        [passing, failing]: [usize; 2],
        versions: &ComparedVersions,
        causes: Result<CausesFound, Halt<CausesSoFar>>,
    ) -> Result<(Concluded, Option<FindingWithPatches>), Halt> {
        let origins = VersionOrigins {
            repository: self.repository.map(Path::to_owned),
            good: vec![self.origin(passing)],
            bad: self.origin(failing),
            head: None,
            kept: None,
        };
        let patch_file = self.culprit_path();
        let builder = FindingBuilder {
            versions,
            origins: &origins,
            here: self.here,
            fix: false,
            is_test_varied: false,
            printed: self.printed,
            patch_file: patch_file.as_deref(),
        };
        conclude(&builder, causes)
    }

    fn culprit_path(&self) -> Option<PathBuf> {
        self.run.map(|run| run.join("culprit.patch"))
    }

    fn culprit_file(&self, cause: &FindingWithPatches) -> Option<AnswerFile> {
        let path = self.culprit_path()?;
        cause.patches.first().map(|patch| AnswerFile { path, bytes: patch.clone() })
    }

    fn origin(&self, index: usize) -> VersionOrigin {
        match self.revisions.line.commit(index) {
            Some(commit) => VersionOrigin::Commit { name: self.name(index), id: commit.to_string() },
            None => VersionOrigin::Revision(self.name(index)),
        }
    }

    fn add_forward(&self, forward: ForwardFix, finding: &mut HistoryFinding, files: &mut Vec<AnswerFile>) {
        if let Some(patch) = &forward.patch {
            finding.forward = Some(String::from_utf8_lossy(patch).into_owned());
            finding.forward_file = self.add_file(files, "forward.patch", patch);
        }
        finding.forward_other_lines = forward.other_lines.into();
        finding.forward_why = forward.why;
        finding.forward_at = forward.at.map(|index| self.name(index));
        let step =
            |step: &AdaptedFix| ForwardStep { revision: self.name(step.revision), hunks: step.hunks as u64 };
        finding.forward_steps = forward.steps.iter().map(step).collect();
    }
}

/// Why a change that the newest revision does not have is not the cause.
const GONE: &str = "the newest revision does not have this change any more, and fails all the same";

/// Why a change whose lines were rewritten, and that nobody could undo, is not the cause.
const LOST: &str =
    "the newest revision has other lines there, and no fix was found, so it can fail for another reason";

/// Why a change is not the cause if the newest revision passes with other changes.
const OTHER_CAUSE: &str = "the newest revision passes with changes that have nothing in common with this change, so it fails for another reason";

/// Why it is no answer that older revisions fail with parts of newer ones.
const PARTS_FAIL: &str = "older revisions have parts of newer ones only, and these might fail by themselves";

/// Why a change that comes from the back-ported patch is not the cause.
const OF_PATCH: &str = "the change that was found comes from the back-ported patch, which fits only the newer of the two revisions";
