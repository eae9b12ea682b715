//! What was found between two versions, in one sentence.

use crate::finding::changes::{ChangeWords, ChangesReport, joined};
use howcome_run::words::{count, thousands};
use howcome_run::{ChangeExtent, Conclusion, Ending, Unit};

impl ChangesReport {
    /// The answer: `1 line of 7,600 hunks in 854 commits makes the test fail`.
    pub(crate) fn found(&self, conclusion: Option<&Conclusion>) -> String {
        if let (true, Some(one_of)) =
            (self.changes.is_empty() && self.patch.is_empty(), self.one_of_the_suspects())
        {
            return format!("{one_of} makes the test {}", self.effect());
        }
        let (number, unit) = self.amount(conclusion.map(|conclusion| conclusion.minimal.of));
        let s = if number == 1 { "s" } else { "" };
        let effect = match conclusion.and_then(|conclusion| conclusion.verified.alone_fails) {
            // It may well need what it was tried together with.
            Some(false) => {
                format!("decide{s} whether the test {}", if self.fix { "passes" } else { "fails" })
            }
            _ => format!("make{s} the test {}", self.effect()),
        };
        let together =
            match (self.by_commit().len(), conclusion.is_some_and(|conclusion| conclusion.minimal.checked)) {
                (0 | 1, _) => "",
                (_, true) => ", only together",
                (_, false) => ", together",
            };
        let further = match self.further.len() as u64 {
            0 => String::new(),
            1 => "; there is 1 further cause".to_owned(),
            more => format!("; there are {} further causes", thousands(more)),
        };
        format!("{} {effect}{together}{further}", self.part(number, unit))
    }

    /// What is known when a search did not come to its end.
    pub(crate) fn known(&self, ending: Ending) -> Option<String> {
        let cause = if self.fix { "what mended it" } else { "the cause" };
        if let (true, Some(one_of)) = (self.changes.is_empty(), self.one_of_the_suspects()) {
            let untestable = match (ending, self.suspects.len()) {
                (Ending::Undecided, 1) => ", which cannot be tested",
                (Ending::Undecided, _) => ", none of which can be tested alone",
                _ => "",
            };
            return Some(format!("{cause} is {}{untestable}", one_of.to_lowercase()));
        }
        let hunks = match (self.hunks, self.changes.len() as u64) {
            (0, 0) => return None,
            (0, changes) => count(changes, "change"),
            (hunks, _) => count(hunks, "hunk"),
        };
        let files = if self.files > 0 { format!(" in {}", count(self.files, "file")) } else { String::new() };
        let smaller = if ending == Ending::Undecided { ", and nothing smaller can be tested" } else { "" };
        Some(format!("{cause} is among {hunks}{files}{smaller}"))
    }

    fn one_of_the_suspects(&self) -> Option<String> {
        match self.suspects.len() as u64 {
            0 => None,
            1 => Some("This commit".to_owned()),
            more => Some(format!("One of these {}", count(more, "commit"))),
        }
    }

    /// How large it is, in a unit as fine as it makes sense.
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
