//! Files in which the user writes down which deltas belong together, or which deltas need which others.

use howcome_run::Problem;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Such a file as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationFile {
    /// Its path, as the user named it.
    pub path: PathBuf,
    /// Its content.
    pub text: String,
}

/// Deltas that belong together, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGroup {
    /// The number of its line, from 1.
    pub line: usize,
    /// Its members.
    pub names: Vec<String>,
}

/// Deltas that need others, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNeed {
    /// The number of its line, from 1.
    pub line: usize,
    /// The deltas that need the others.
    pub dependents: Vec<String>,
    /// What each of them needs.
    pub needed: Vec<String>,
}

impl RelationFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not text.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Problem::new(format!("{} is not UTF-8 text", path.display()))
                .hint("write one group or one need a line, as plain text"),
            io::ErrorKind::IsADirectory => Problem::new(format!("{} is a folder", path.display()))
                .hint("give a file with one group or one need a line"),
            _ => Problem::with_file(path, &error).hint("give a file with one group or one need a line"),
        })?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// The groups of the file, one a line.
    ///
    /// # Errors
    /// If a quote is not closed, or there are no groups.
    pub fn groups(&self) -> Result<Vec<NamedGroup>, Problem> {
        let lines = self.lines("write the names of a group in a line: a b c")?;
        Ok(lines.into_iter().map(|(line, names)| NamedGroup { line, names }).collect())
    }

    /// The needs of the file, one a line: `a: b c`.
    ///
    /// # Errors
    /// If a quote is not closed, a name is missing before or after the colon, or there are no needs.
    pub fn needs(&self) -> Result<Vec<NamedNeed>, Problem> {
        const FORM: &str = "write what needs something, a colon, and what it needs: a: b c";
        let need = |(line, words): (usize, Vec<String>)| {
            let wrong = |message: &str| self.problem(line, message).hint(FORM);
            // A colon inside a name is part of the name; a colon of its own stands for nothing but itself.
            let Some(colon) = words.iter().position(|word| word.ends_with(':')) else {
                return Err(wrong("a name with a colon after it is missing"));
            };
            let mut dependents = words[..=colon].to_vec();
            if let Some(last) = dependents.pop().as_deref().and_then(|last| last.strip_suffix(':')) {
                dependents.extend((!last.is_empty()).then(|| last.to_owned()));
            }
            let needed = words[colon + 1..].to_vec();
            match (dependents.is_empty(), needed.is_empty()) {
                (true, _) => Err(wrong("no name before the colon")),
                (_, true) => Err(wrong("no name after the colon")),
                _ => Ok(NamedNeed { line, dependents, needed }),
            }
        };
        self.lines(FORM)?.into_iter().map(need).collect()
    }

    /// What is wrong in a line.
    #[must_use]
    pub fn problem(&self, line: usize, message: &str) -> Problem {
        Problem::new(format!("{}:{line}: {message}", self.path.display()))
    }

    /// The words of each line that has any, as a shell would split them. `#` begins a comment.
    fn lines(&self, form: &str) -> Result<Vec<(usize, Vec<String>)>, Problem> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            let words = shlex::split(line).ok_or_else(|| {
                self.problem(number, "a quote is not closed")
                    .hint("close it, or put a backslash before a quote that is part of a name")
            })?;
            if !words.is_empty() {
                lines.push((number, words));
            }
        }
        match lines.is_empty() {
            true => Err(Problem::new(format!("{} says nothing", self.path.display())).hint(form)),
            false => Ok(lines),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn file(text: &str) -> RelationFile {
        RelationFile { path: "needs.txt".into(), text: text.to_owned() }
    }

    fn need(line: usize, dependents: &[&str], needed: &[&str]) -> NamedNeed {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        NamedNeed { line, dependents: owned(dependents), needed: owned(needed) }
    }

    #[test]
    fn names_are_words_as_in_a_shell() {
        let groups = file("# flags\n'-O2 -g' -Wall\n\n\"a b\" c\\ d # twice\n").groups().unwrap();
        let group = |line, names: [&str; 2]| NamedGroup { line, names: names.map(str::to_owned).to_vec() };
        assert_eq!(groups, [group(2, ["-O2 -g", "-Wall"]), group(4, ["a b", "c d"])]);
    }

    #[test]
    fn a_colon_inside_a_name_is_part_of_it() {
        let needs = file("a: b c\nd e : f\nPATH=/a:/b: x:y\n'a b': c").needs().unwrap();
        let expected = [
            need(1, &["a"], &["b", "c"]),
            need(2, &["d", "e"], &["f"]),
            need(3, &["PATH=/a:/b"], &["x:y"]),
            need(4, &["a b"], &["c"]),
        ];
        assert_eq!(needs, expected);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let message = |text: &str| file(text).needs().unwrap_err().to_string();
        for (text, expected) in [
            ("a: b\nc d", "needs.txt:2: a name with a colon after it is missing"),
            (": b", "needs.txt:1: no name before the colon"),
            ("a:", "needs.txt:1: no name after the colon"),
            ("a: 'b", "needs.txt:1: a quote is not closed"),
            ("\n# nothing\n", "needs.txt says nothing"),
        ] {
            assert_eq!(message(text).lines().next(), Some(format!("error: {expected}").as_str()));
            assert!(message(text).contains("\nhint: "));
        }
    }
}
