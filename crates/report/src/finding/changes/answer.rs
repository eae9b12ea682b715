//! What was found between two versions, in one sentence.

use crate::finding::changes::{ChangeWords, ChangesReport, CommitWords, joined};
use howcome_run::words::{count, cut_middle, printable, thousands};
use howcome_run::{ChangeExtent, CommitCheck, CommitInfo, Conclusion, Ending, Unit};

/// Of a longer path both ends are shown.
const FILE: usize = 160;

impl ChangesReport {
    /// The answer: `commit 3f2a91c broke it: 1 line of src/parse.c makes the test fail`.
    pub(crate) fn found(&self, conclusion: Option<&Conclusion>) -> String {
        if let (true, Some(one_of)) =
            (self.changes.is_empty() && self.patch.is_empty(), self.one_of_the_suspects())
        {
            return format!("{one_of} makes the test {}", self.effect());
        }
        let (number, unit) = self.amount(conclusion.map(|conclusion| conclusion.minimal.of));
        let s = if number == 1 { "s" } else { "" };
        let verified = conclusion.map(|conclusion| conclusion.verified).unwrap_or_default();
        let is_of_commit =
            !self.suspects.is_empty() || self.by_commit().iter().any(|(commit, _)| commit.is_some());
        let is_shown_at_commit = is_of_commit && self.at_commit == Some(CommitCheck::Holds) && !self.in_mix;
        // It can need what it was found with.
        let needs_others = match verified.alone_fails {
            Some(fails) => !fails,
            None => self.in_mix,
        };
        let effect = match needs_others && !is_shown_at_commit {
            true => format!("decide{s} whether the test {}", if self.fix { "passes" } else { "fails" }),
            false => format!("make{s} the test {}", self.effect()),
        };
        let is_minimal = conclusion.is_some_and(|conclusion| conclusion.minimal.checked);
        let together = match (self.by_commit().len(), is_minimal) {
            (0 | 1, _) => "",
            (_, true) => ", only together",
            (_, false) => ", together",
        };
        let further = match self.further.len() as u64 {
            0 => String::new(),
            1 => "; there is 1 further cause".to_owned(),
            more => format!("; there are {} further causes", thousands(more)),
        };
        match self.guilty_commit(conclusion) {
            Some(commit) => {
                let broke =
                    format!("Commit {} {} it", commit.short(), if self.fix { "fixed" } else { "broke" });
                match unit {
                    Unit::Commit => format!("{broke}{further}"),
                    _ => format!(
                        "{broke}: {}{} {effect}{further}",
                        count(number, unit.as_str()),
                        self.in_files()
                    ),
                }
            }
            None => format!("{} {effect}{together}{further}", self.part(number, unit)),
        }
    }

    /// ` of src/parse.c`, ` in 3 files`
    fn in_files(&self) -> String {
        let mut files: Vec<&str> = self.changes.iter().map(|change| change.path.as_str()).collect();
        files.dedup();
        match files.as_slice() {
            [only] => format!(" of {}", cut_middle(&printable(only), FILE)),
            _ if self.files > 0 => format!(" in {}", count(self.files, "file")),
            _ => String::new(),
        }
    }

    /// The commit that broke it, or fixed it: all changes come from it, and a confirmation shows that they decide.
    fn guilty_commit(&self, conclusion: Option<&Conclusion>) -> Option<CommitInfo> {
        let verified = conclusion?.verified;
        let is_shown = verified.alone_fails == Some(true)
            || verified.without_passes == Some(true)
            || matches!(self.at_commit, Some(CommitCheck::Holds | CommitCheck::Decides)) && !self.in_mix;
        match self.by_commit().as_slice() {
            [(Some(commit), _)] if is_shown && self.suspects.is_empty() => Some(commit.clone()),
            _ => None,
        }
    }

    /// How much there was to search, if the answer names the commit instead.
    pub(crate) fn searched(&self, conclusion: Option<&Conclusion>) -> Option<String> {
        self.guilty_commit(conclusion)?;
        let ChangeExtent { commits, hunks, .. } = self.of;
        let commits = commits.map(|commits| count(commits, "commit"));
        let hunks = hunks.map(|hunks| count(hunks, "hunk"));
        let searched: Vec<String> = commits.into_iter().chain(hunks).collect();
        (!searched.is_empty()).then(|| format!("The versions differ by {}.", searched.join(" and ")))
    }

    /// What is known if a search did not finish.
    pub(crate) fn known(&self, ending: Ending) -> Option<String> {
        let cause = if self.fix { "the fix" } else { "the cause" };
        if let (true, Some(one_of)) = (self.changes.is_empty(), self.one_of_the_suspects()) {
            let untestable = match (ending, self.suspects.len()) {
                (Ending::Undecided, 1) => ", which cannot be tested",
                (Ending::Undecided, _) => ", none of which can be tested alone",
                _ => "",
            };
            return Some(format!("{cause} is {}{untestable}", one_of.to_lowercase()));
        }
        if let (Some(CommitCheck::Refuted), [(Some(commit), _)]) =
            (self.at_commit, self.by_commit().as_slice())
        {
            return Some(format!("{cause} is in commit {}, and not only in these changes", commit.short()));
        }
        let hunks = match (self.hunks, self.changes.len() as u64) {
            (0, 0) => return None,
            (0, changes) => count(changes, "change"),
            (hunks, _) => count(hunks, "hunk"),
        };
        let files = if self.files > 0 { format!(" in {}", count(self.files, "file")) } else { String::new() };
        let smaller = if ending == Ending::Undecided { ", and nothing smaller can be tested" } else { "" };
        let by_commit = self.by_commit();
        if let (true, Ending::Undecided) = (self.in_mix, ending) {
            let decide = format!("{hunks}{files} decide in a mix of versions");
            return Some(match by_commit.as_slice() {
                [(Some(commit), _)] => format!("{cause} is in commit {}; {decide}", commit.short()),
                _ => format!("{cause} was not found; {decide}"),
            });
        }
        let commit = match by_commit.as_slice() {
            [(Some(commit), _)] => format!("in commit {}, ", commit.short()),
            _ => String::new(),
        };
        Some(format!("{cause} is {commit}among {hunks}{files}{smaller}"))
    }

    fn one_of_the_suspects(&self) -> Option<String> {
        match self.suspects.len() as u64 {
            0 => None,
            1 => Some("This commit".to_owned()),
            more => Some(format!("One of these {}", count(more, "commit"))),
        }
    }

    /// Its size, in the finest unit that makes sense.
    fn amount(&self, unit: Option<Unit>) -> (u64, Unit) {
        let changes = self.changes.len() as u64;
        let commits = self.by_commit().iter().filter(|(commit, _)| commit.is_some()).count() as u64;
        let lines = match changes {
            0 => self.lines_removed.max(self.lines_added),
            _ => joined(&self.changes).iter().map(ChangeWords::size).sum(),
        };
        match unit {
            Some(Unit::Commit) if commits > 0 => (commits, Unit::Commit),
            Some(Unit::Hunk) if self.hunks > 0 => (self.hunks, Unit::Hunk),
            _ if !self.changes.iter().all(ChangeWords::is_of_lines) => (changes, Unit::Change),
            _ if lines > 0 => (lines, Unit::Line),
            _ if self.hunks > 0 => (self.hunks, Unit::Hunk),
            _ => (changes.max(1), Unit::Change),
        }
    }

    fn part(&self, number: u64, unit: Unit) -> String {
        let ChangeExtent { commits, hunks, files } = self.of;
        let in_commits =
            commits.map(|commits| format!(" in {}", count(commits, "commit"))).unwrap_or_default();
        let part = count(number, unit.as_str());
        match (unit, commits, hunks, files) {
            (Unit::Commit, Some(commits), ..) => {
                format!("{} of {}", thousands(number), count(commits, "commit"))
            }
            (Unit::Commit, None, ..) => part,
            (Unit::Hunk, _, Some(hunks), _) => {
                format!("{} of {}{in_commits}", thousands(number), count(hunks, "hunk"))
            }
            (_, _, Some(hunks), _) => format!("{part} of {}{in_commits}", count(hunks, "hunk")),
            (_, _, None, Some(files)) => format!("{part} of {}{in_commits}", count(files, "changed file")),
            (_, Some(commits), None, None) => format!("{part} of {}", count(commits, "commit")),
            (_, None, None, None) => part,
        }
    }
}
