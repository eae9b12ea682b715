//! Whether two errors are the same error.

use crate::Execution;
use crate::message::{lasting, without_quoted};
use crate::runners::TestError;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// How strictly errors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternTerms {
    /// The program is the same in every run, so the place of the error counts. Quoted text counts if `quoted`.
    SameProgram { quoted: bool },
    /// The program varies, so lines move: the same function, or the same text of the line, is the same place.
    VaryingProgram,
}

/// An error, without what differs from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorPattern {
    terms: PatternTerms,
    kind: String,
    message: String,
    function: Option<String>,
    place: Option<(String, u32)>,
    line: Option<String>,
}

/// A longer file is not a source file whose lines are worth a comparison.
const LONGEST_SOURCE: u64 = 4 << 20;

impl ErrorPattern {
    /// The pattern of an error that a run printed.
    pub(crate) fn of(error: &TestError, execution: &Execution, terms: PatternTerms) -> Self {
        let keeps_quoted = terms == PatternTerms::SameProgram { quoted: true };
        let shape = |text: &str| if keeps_quoted { lasting(text) } else { lasting(&without_quoted(text)) };
        let local = |text: &str| without_folder(text, execution);
        let place = error.place.as_ref().map(|(file, line)| (local(file), *line));
        let shown = error.line.clone();
        let line = shown.or_else(|| place.as_ref().and_then(|place| line_of(place, &execution.workspace)));
        let place =
            place.filter(|(file, _)| terms != PatternTerms::VaryingProgram && !is_candidate(file, execution));
        // A program that varies prints other things before the same check fails.
        let message = match terms {
            PatternTerms::SameProgram { .. } if error.message.is_empty() => &error.context,
            PatternTerms::SameProgram { .. } | PatternTerms::VaryingProgram => &error.message,
        };
        Self {
            terms,
            kind: error.kind.clone(),
            message: shape(&local(message)),
            function: error.function.clone(),
            place: place.map(|(file, line)| (lasting(&file), line)),
            line: line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// Whether another error, printed by a run, is the same error.
    pub(crate) fn matches(&self, error: &TestError, execution: &Execution) -> bool {
        let other = Self::of(error, execution, self.terms);
        if self.kind != other.kind {
            return false;
        }
        match self.terms {
            PatternTerms::SameProgram { .. } => {
                self.message == other.message && self.function == other.function && self.place == other.place
            }
            PatternTerms::VaryingProgram => {
                let same_line = self.line.is_some() && self.line == other.line;
                // The two values that an assertion compares differ between versions.
                if same_line && self.is_assertion() {
                    return true;
                }
                let is_known = self.function.is_some() && other.function.is_some();
                self.message == other.message && (!is_known || self.function == other.function || same_line)
            }
        }
    }

    fn is_assertion(&self) -> bool {
        let says_so = |text: &str| text.to_ascii_lowercase().contains("assert");
        says_so(&self.kind) || (self.kind == "panic" && says_so(&self.message)) || self.kind.is_empty()
    }
}

/// A text without the folder in which the test ran, which has another name in every run.
fn without_folder(text: &str, execution: &Execution) -> String {
    let ran_in = execution.ran_in.to_string_lossy();
    match ran_in.is_empty() {
        true => text.to_owned(),
        false => text.replace(&format!("{ran_in}/"), "").replace(&*ran_in, ""),
    }
}

/// How programs name a file that they read from their standard input, and how shells name one: by their own name.
const STANDARD_INPUT: [&str; 9] =
    ["-", "<stdin>", "stdin", "(stdin)", "(standard_in)", "STDIN", "sh", "bash", "dash"];

/// Whether a file is the candidate, or was made by the test. Lines in it move, whatever the program does.
fn is_candidate(file: &str, execution: &Execution) -> bool {
    let path: PathBuf = Path::new(file).components().filter(|part| *part != Component::CurDir).collect();
    if execution.varied.iter().any(|varied| path.starts_with(varied)) || STANDARD_INPUT.contains(&file) {
        return true;
    }
    // The folder that contains the workspace also contains temporary files.
    let is_temporary = execution.ran_in.parent().is_some_and(|folder| {
        folder.components().count() > 1 && path.is_absolute() && path.starts_with(folder)
    });
    let is_users = execution.copy_of.iter().any(|folder| folder.join(&path).exists());
    is_temporary || (path.is_relative() && !is_users && execution.workspace.join(&path).exists())
}

/// The text of a line of a file in the workspace.
fn line_of((file, number): &(String, u32), workspace: &Path) -> Option<String> {
    let path = workspace.join(file);
    let is_source = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= LONGEST_SOURCE);
    let bytes = if is_source { fs::read(path).ok()? } else { return None };
    let text = String::from_utf8_lossy(&bytes);
    text.lines().nth(number.checked_sub(1)? as usize).map(|line| line.trim().to_owned())
}

impl fmt::Display for ErrorPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.kind.is_empty() || self.message.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.kind, self.message)?;
        match &self.function {
            Some(function) => write!(f, " in {function}"),
            None => Ok(()),
        }
    }
}

/// An error as people recognise it: as it was printed, without the folder in which the test ran, and with the function.
pub(crate) fn as_printed(error: &TestError, execution: &Execution) -> String {
    let printed = without_folder(&in_words(error), execution);
    match &error.function {
        Some(function) => format!("{printed} in {function}"),
        None => printed,
    }
}

/// An error as people read it in a reason: its type and its message.
pub(crate) fn in_words(error: &TestError) -> String {
    match (error.kind.as_str(), error.message.as_str()) {
        ("", message) => message.to_owned(),
        (kind, "") => kind.to_owned(),
        (kind, message) => format!("{kind}: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEnding;
    use crate::workspace::WORK;

    fn error(kind: &str, message: &str) -> TestError {
        TestError { kind: kind.to_owned(), message: message.to_owned(), ..TestError::default() }
    }

    fn matches(terms: PatternTerms, one: &TestError, other: &TestError) -> bool {
        let execution = Execution::new(TestEnding::Exit(1));
        ErrorPattern::of(one, &execution, terms).matches(other, &execution)
    }

    #[test]
    fn another_type_or_message_is_another_error_and_another_number_is_not() {
        let varying = PatternTerms::VaryingProgram;
        let one = error("ValueError", "bad value 12 for 'x'");
        assert!(matches(varying, &one, &error("ValueError", "bad value 7 for 'y'")));
        assert!(!matches(varying, &one, &error("TypeError", "bad value 12 for 'x'")));
        assert!(!matches(varying, &one, &error("ValueError", "missing value")));
    }

    #[test]
    fn the_same_function_or_the_same_line_is_the_same_place_if_the_program_varies() {
        let at = |function: &str, line: &str| TestError {
            function: Some(function.to_owned()),
            line: Some(line.to_owned()),
            ..error("KeyError", "'a'")
        };
        let varying = PatternTerms::VaryingProgram;
        assert!(matches(varying, &at("f", "x[a]"), &at("f", "y[a]")));
        assert!(matches(varying, &at("f", "x[a]"), &at("g", "x[a]")));
        assert!(!matches(varying, &at("f", "x[a]"), &at("g", "y[a]")));
    }

    #[test]
    fn the_values_of_an_assertion_do_not_count_if_the_line_is_the_same() {
        let failed = |message: &str, line: &str| TestError {
            line: Some(line.to_owned()),
            ..error("AssertionError", message)
        };
        let varying = PatternTerms::VaryingProgram;
        assert!(matches(
            varying,
            &failed("assert [1] == []", "assert f() == g()"),
            &failed("assert None == []", "assert  f() == g()")
        ));
        assert!(!matches(
            varying,
            &failed("assert [1] == []", "assert f()"),
            &failed("assert None == []", "assert g()")
        ));
    }

    #[test]
    fn the_place_and_quoted_text_count_if_the_program_is_the_same() {
        let at = |file: &str, line, said: &str| TestError {
            place: Some((file.to_owned(), line)),
            ..error("KeyError", said)
        };
        let same = PatternTerms::SameProgram { quoted: true };
        assert!(matches(same, &at("/p/x.py", 3, "'a'"), &at("/p/x.py", 3, "'a'")));
        assert!(!matches(same, &at("/p/x.py", 3, "'a'"), &at("/p/x.py", 4, "'a'")));
        assert!(!matches(same, &at("/p/x.py", 3, "'a'"), &at("/p/x.py", 3, "'b'")));
        assert!(matches(
            PatternTerms::SameProgram { quoted: false },
            &at("/p/x.py", 3, "'a'"),
            &at("/p/x.py", 3, "'b'")
        ));
    }

    #[test]
    fn the_text_of_a_line_is_read_from_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.rs"), "one\n  assert!(two());\n").unwrap();
        let at = |line| TestError {
            place: Some(("x.rs".to_owned(), line)),
            ..error("panic", "assertion failed: two()")
        };
        let workspace = folder.path().to_owned();
        let execution =
            Execution { ran_in: workspace.clone(), workspace, ..Execution::new(TestEnding::Exit(1)) };
        let pattern = ErrorPattern::of(&at(2), &execution, PatternTerms::VaryingProgram);
        assert_eq!(pattern.line.as_deref(), Some("assert!(two());"));
        let path = folder.path().join("x.rs");
        let absolute = TestError { place: Some((path.display().to_string(), 2)), ..at(2) };
        assert!(pattern.matches(&absolute, &execution));
    }

    #[test]
    fn lines_of_the_candidate_move_and_lines_of_the_program_do_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("made.c"), "").unwrap();
        // One run was kept in another folder than the one in which it ran, as the baseline is.
        let run = |ran_in: &str| Execution {
            workspace: folder.path().to_owned(),
            ran_in: ran_in.into(),
            varied: vec!["src/spool.c".into()],
            ..Execution::new(TestEnding::Exit(1))
        };
        let in_work = |worker: u32, file: &str| format!("/tmp/howcome-1-0/{worker}/{WORK}{file}");
        let (one, other) = (run(&in_work(0, "")), run(&in_work(1, "")));
        let at =
            |file: &str, line| TestError { place: Some((file.to_owned(), line)), ..error("error", "no") };
        let same = PatternTerms::SameProgram { quoted: true };
        let is_same = |[before, after]: [&str; 2]| {
            ErrorPattern::of(&at(before, 3), &one, same).matches(&at(after, 4), &other)
        };
        assert!(is_same([&in_work(0, "/src/spool.c"), &in_work(1, "/src/spool.c")]));
        assert!(is_same(["src/spool.c", "./src/spool.c"]));
        assert!(is_same(["made.c", "made.c"]));
        assert!(is_same(["/tmp/howcome-1-0/0/temp/cc7.s", "/tmp/howcome-1-0/1/temp/ccX.s"]));
        assert!(is_same(["<stdin>", "<stdin>"]));
        assert!(!is_same(["src/lib.rs", "src/lib.rs"]));
        assert!(!is_same(["/home/me/prog.py", "/home/me/prog.py"]));
    }
}
