//! The names of tests in the short summary of `pytest`, matched with the failures that are told under titles.

use super::TestError;
use super::pytest_failure::{ToldFailure, read_exception};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What the summary says about a name.
pub(super) enum SummaryEntry {
    /// A test that passed; `-rA` lists those too.
    Passed,
    Failed(TestError),
    /// A file that cannot be imported.
    NotCollected(TestError),
}

/// The names in the lines of the short summary. Without a summary (`-rN`, old versions), the names come from the titles.
/// `named` has the names that the progress told.
pub(super) fn read_names(
    summary: &[&str],
    errors: &[ToldFailure<'_>],
    failures: &[ToldFailure<'_>],
    named: &BTreeSet<&str>,
) -> Vec<(String, SummaryEntry)> {
    let words: Vec<&str> = summary.iter().map(|line| first_word(line)).collect();
    let count = |wanted: &[&str]| words.iter().filter(|word| wanted.contains(word)).count();
    let mut errors = Unmatched::of(errors, count(&["ERROR"]));
    let mut failures = Unmatched::of(failures, count(FAILED));
    let mut names = Vec::new();
    for (line, word) in summary.iter().zip(words) {
        let Some(rest) = after_word(line) else { continue };
        match word {
            "PASSED" | "XPASS" | "XFAIL" => {
                names.push((name_in(rest, |name| named.contains(name)), SummaryEntry::Passed))
            }
            "ERROR" => names.push(errors.take_for(rest, named)),
            word if FAILED.contains(&word) => names.push(failures.take_for(rest, named)),
            _ => {}
        }
    }
    names.extend(errors.take_rest().chain(failures.take_rest()));
    names
}

const FAILED: &[&str] = &["FAILED", "SUBFAILED", "SUBFAIL"];

fn first_word(line: &str) -> &str {
    line.split([' ', '(', '[']).next().unwrap_or_default()
}

/// The line from the name on. The parameters of a subtest come before the name: `SUBFAILED(n=1, m=2) tests/test_a.py::test_x`.
fn after_word(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once(' ')?;
    if word.chars().all(|character| character.is_ascii_uppercase()) {
        return Some(rest);
    }
    let before = &line[..line.find("::")?];
    Some(&line[before.rfind(' ')? + 1..])
}

/// The failures of a section that no line of the summary has named yet.
struct Unmatched<'f> {
    failures: &'f [ToldFailure<'f>],
    by_title: BTreeMap<&'f str, VecDeque<usize>>,
    is_named: Vec<bool>,
    /// There is one line in the summary for each failure, so both are in the same order.
    is_in_order: bool,
    next: usize,
}

impl<'f> Unmatched<'f> {
    fn of(failures: &'f [ToldFailure<'f>], lines: usize) -> Self {
        let mut by_title: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        for (at, failure) in failures.iter().enumerate() {
            by_title.entry(failure.title.map_or("", plain_title)).or_default().push_back(at);
        }
        let is_named = vec![false; failures.len()];
        Self { failures, by_title, is_named, is_in_order: lines == failures.len(), next: 0 }
    }

    /// The name in a line of the summary (without its first word), and its failure.
    fn take_for(&mut self, rest: &str, named: &BTreeSet<&str>) -> (String, SummaryEntry) {
        let failures = self.failures;
        let in_order = self.is_in_order.then_some(self.next);
        self.next += 1;
        let has_title = |name: &str| self.by_title.contains_key(title_of(name).as_str());
        let name = name_in(rest, |name| named.contains(name) || has_title(name));
        let at = in_order.or_else(|| self.by_title.get_mut(title_of(&name).as_str())?.pop_front());
        let error = match at {
            Some(at) => {
                self.is_named[at] = true;
                failures[at].error.clone()
            }
            None => read_exception(rest[name.len()..].strip_prefix(" - ").unwrap_or_default()),
        };
        let is_test = name.contains("::");
        (name, if is_test { SummaryEntry::Failed(error) } else { SummaryEntry::NotCollected(error) })
    }

    /// The failures that the summary does not name, by their titles and the files of their tests.
    fn take_rest(self) -> impl Iterator<Item = (String, SummaryEntry)> {
        let rest = self.failures.iter().zip(self.is_named).filter(|(_, is_named)| !is_named);
        rest.filter_map(|(failure, _)| {
            let (title, error) = (failure.title?, failure.error.clone());
            if let Some(file) = title.strip_prefix("ERROR collecting ") {
                return Some((file.to_owned(), SummaryEntry::NotCollected(error)));
            }
            let title = plain_title(title);
            let end = title.find('[').unwrap_or(title.len());
            let below = format!("{}{}", title[..end].replace('.', "::"), &title[end..]);
            Some((format!("{}::{below}", failure.test_file.as_ref()?), SummaryEntry::Failed(error)))
        })
    }
}

/// The title without what comes before the name in the section ERRORS, and without the parameters of a subtest.
fn plain_title(title: &str) -> &str {
    let starts = ["ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting "];
    if let Some(name) = starts.iter().find_map(|start| title.strip_prefix(start)) {
        return name;
    }
    // The parameters of a test can contain spaces; the text before them does not.
    let has_parameters = title.find(['[', ' ']).is_some_and(|at| title[at..].starts_with('['));
    let end = if has_parameters { title.rfind("] (").map(|at| at + 1) } else { title.find(' ') };
    &title[..end.unwrap_or(title.len())]
}

/// The title under which the failure of a test is told: `TestAdd.test_zero`.
fn title_of(name: &str) -> String {
    let Some((_, below)) = name.split_once("::") else { return name.to_owned() };
    let end = below.find('[').unwrap_or(below.len());
    format!("{}{}", below[..end].replace("::", "."), &below[end..])
}

/// The name at the beginning of `name - message`. The parameters in a name can contain ` - `, so the names that are known from
/// titles and the progress decide where the name ends.
fn name_in(rest: &str, is_known: impl Fn(&str) -> bool) -> String {
    let ends = || rest.match_indices(" - ").map(|(at, _)| at).chain([rest.len()]);
    let known = ends().map(|end| &rest[..end]).find(|name| is_known(name));
    let guess = || {
        // Parameters end with a bracket.
        let has_parameters = rest.find('[').is_some_and(|at| !rest[..at].contains(" - "));
        let end = if has_parameters { rest.find("] - ").map(|at| at + 1) } else { rest.find(" - ") };
        &rest[..end.unwrap_or(rest.len())]
    };
    known.unwrap_or_else(guess).trim_end().to_owned()
}
