//! The lines of an answer about two versions with their commits, the changes they need, suspected commits; and how to undo
//! them.

use crate::account::Exhibit;
use crate::account::NextStep;
use crate::finding::changes::hunk::shown_in_hunks;
use crate::finding::changes::patch;
use crate::finding::changes::{ChangeWords, ChangesReport, CommitWords};
use howcome_run::words::{count, printable, shell_word, thousands};
use howcome_run::{CommitCheck, CommitInfo, Conclusion, FoundChange};
use std::cmp::Reverse;

/// More changes are counted, not shown: so many are not an answer yet.
const MOST_CHANGES_IN_FULL: usize = 40;

/// A longer list of needed changes is cut.
const NEEDS: usize = 10;

/// So is a longer list of files.
const FILES: usize = 12;

impl ChangesReport {
    /// The answer, then what belongs to it.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let first = (!self.further.is_empty()).then(|| "cause 1".to_owned());
        let needed = self.needed(first.as_deref().unwrap_or("it"));
        let mut exhibits = match (self.changes.is_empty(), self.suspects.is_empty()) {
            (true, false) if self.patch.is_empty() => vec![suspects(&self.suspects, true)],
            _ => self.lines(first),
        };
        exhibits.extend(needed);
        if !self.changes.is_empty() && !self.suspects.is_empty() {
            exhibits.push(suspects(&self.suspects, false));
        }
        for (number, further) in (2..).zip(&self.further) {
            let which = format!("cause {number}");
            exhibits.extend(further.lines(Some(which.clone())));
            exhibits.extend(further.needed(&which));
        }
        exhibits.retain(|exhibit| !exhibit.lines.is_empty());
        exhibits
    }

    /// The whole patch, if the answer shows only its lines.
    pub(crate) fn whole_patch(&self) -> Option<Exhibit> {
        let shown_apart = !self.changes.is_empty() && !self.patch.is_empty();
        shown_apart.then(|| Exhibit { caption: Some("the patch".to_owned()), ..self.patch_as_exhibit() })
    }

    fn patch_as_exhibit(&self) -> Exhibit {
        Exhibit::diff(patch::marked(&self.patch))
    }

    /// The changes, by commit. The caption tells one cause from the others, if there are several.
    fn lines(&self, caption: Option<String>) -> Vec<Exhibit> {
        let groups = self.by_commit();
        let is_part = groups.len() > 1 || caption.is_some();
        if self.changes.is_empty() {
            let commit = groups.into_iter().next().and_then(|(commit, _)| commit);
            let lines = commit.iter().map(CommitWords::title).collect();
            return vec![match self.patch.is_empty() {
                true => Exhibit { caption, is_part, lines, is_answer: true, ..Exhibit::default() },
                false => Exhibit { caption, is_part, commit, is_answer: true, ..self.patch_as_exhibit() },
            }];
        }
        if self.changes.len() > MOST_CHANGES_IN_FULL {
            let is_part = caption.is_some();
            return vec![Exhibit {
                caption,
                is_part,
                lines: self.by_file(),
                is_answer: true,
                ..Exhibit::default()
            }];
        }
        let is_only_group = groups.len() == 1;
        let exhibit = |(commit, changes): (Option<CommitInfo>, Vec<&FoundChange>)| {
            let unknown =
                || (commit.is_none() && !is_only_group).then(|| "from an unknown commit".to_owned());
            let caption = caption.clone().or_else(unknown);
            Exhibit { caption, commit, is_part, is_answer: true, ..shown_in_hunks(changes) }
        };
        groups.into_iter().map(exhibit).collect()
    }

    /// How many changes each file has. Of many files, those with the most changes are named.
    fn by_file(&self) -> Vec<String> {
        let mut files: Vec<(&str, u64)> = Vec::new();
        for change in &self.changes {
            match files.last_mut() {
                Some((path, changes)) if *path == change.path => *changes += 1,
                _ => files.push((&change.path, 1)),
            }
        }
        let line =
            |(path, changes): &(&str, u64)| format!("{}: {}", printable(path), count(*changes, "change"));
        if files.len() <= FILES {
            return files.iter().map(line).collect();
        }
        files.sort_by_key(|(_, changes)| Reverse(*changes));
        let more = format!("… and {}", count((files.len() - FILES) as u64, "more file"));
        files.iter().take(FILES).map(line).chain([more]).collect()
    }

    fn needed(&self, which: &str) -> Option<Exhibit> {
        let line = |need: &FoundChange| match self.commit_of_need(need) {
            Some(commit) => format!("{}, from commit {}", need.described(), commit.name()),
            None => need.described(),
        };
        let mut lines: Vec<String> = self.needs.iter().take(NEEDS).map(line).collect();
        if self.needs.len() > NEEDS {
            lines.push(format!("… and {} more", thousands((self.needs.len() - NEEDS) as u64)));
        }
        let caption = Some(format!("other changes that {which} needs"));
        (!lines.is_empty()).then(|| Exhibit { caption, lines, ..Exhibit::default() })
    }

    /// Sentences after the answer.
    pub(crate) fn remarks(&self, conclusion: Option<&Conclusion>) -> Vec<String> {
        let bad = self.bad_version();
        let fixed = || format!("In the counts and the trail, \"fail\" means that the test ends as in {bad}.");
        self.searched(conclusion).into_iter().chain(self.fix.then(fixed)).collect()
    }

    /// How to undo it.
    pub(crate) fn undo(&self, conclusion: Option<&Conclusion>) -> Vec<NextStep> {
        // What was seen not to help is no advice. Further causes were confirmed apart.
        let is_refused =
            conclusion.is_some_and(|conclusion| conclusion.verified.without_passes == Some(false));
        if is_refused && self.further.is_empty() && !self.is_covered() {
            return Vec::new();
        }
        let undo = |(number, cause): (usize, &ChangesReport)| {
            let patch = shell_word(cause.patch_file.as_ref()?);
            // It is a patch of a mix of two folders, which is nowhere, or its commit could not be judged without it.
            let helps = !matches!(cause.at_commit, Some(CommitCheck::Refuted | CommitCheck::Unknown));
            if cause.is_covered() && (cause.bad_folder.is_some() || !helps) {
                return None;
            }
            // In a folder inside a repository, git takes paths from the top of the repository.
            let command = match (&cause.bad_folder, &cause.top) {
                (Some(folder), _) => format!("patch -R -p1 -d {} < {patch}", shell_word(folder)),
                (None, Some(top)) => format!("git -C {} apply -R {patch}", shell_word(top)),
                (None, None) => format!("git apply -R {patch}"),
            };
            let which = match (number, self.further.is_empty()) {
                (_, true) => "undo it".to_owned(),
                _ => format!("undo cause {number}"),
            };
            let from = if cause.is_covered() { cause.taken_from() } else { self.bad_version() };
            let only = match cause.is_covered() {
                true => " only: its lines have changed or moved since",
                false => "",
            };
            Some(NextStep { purpose: format!("{which} in {from}{only}"), command: Some(command) })
        };
        (1..).zip(self.all()).filter_map(undo).collect()
    }
}

fn suspects(suspects: &[CommitInfo], is_answer: bool) -> Exhibit {
    let these = match suspects.len() as u64 {
        1 => "this commit".to_owned(),
        more => format!("one of these {}", count(more, "commit")),
    };
    let caption = (!is_answer).then(|| format!("it comes from {these}, which cannot be tested alone"));
    Exhibit {
        caption,
        is_answer,
        lines: suspects.iter().map(CommitWords::title).collect(),
        ..Exhibit::default()
    }
}
