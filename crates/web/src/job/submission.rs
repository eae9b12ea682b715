//! What somebody asks, as the form and the HTTP interface send it.

use howcome_run::QuestionName;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question about a failure, without the files that it is about.
///
/// Commands are split into words as in a shell. A shell runs them if they contain `|`, `&&`, `$` or the like. All commands run in
/// the folder of the uploaded files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Submission {
    /// The question: `changes`, `history`, `input`, `items` or `state`.
    #[schema(value_type = String, example = "input")]
    pub question: Option<QuestionName>,
    /// What the job is called in lists.
    pub title: String,
    /// A command that runs once, before the question is asked: it compiles a program, for example.
    pub setup: String,
    /// The test: a command. `{}` in it is the candidate of `input` and `items`.
    #[schema(example = "./program {}")]
    pub test: String,
    /// A test of your own, as a script. It is the test if `test` is empty.
    pub script: String,
    /// The test fails when all these conditions hold: `exit=3`, `crash`, `timeout`, `stderr~REGEX` and so on.
    pub fails_when: Vec<String>,
    /// The test passes when all these conditions hold.
    pub passes_when: Vec<String>,
    /// How exit codes are read: empty, or `bisect`.
    pub codes: String,
    /// Any error message counts as the same failure.
    pub any_message: bool,
    /// The test fails only sometimes.
    pub flaky: bool,
    /// How long a test may take, such as `10s`.
    pub timeout: String,
    /// Stop after this many tests.
    pub max_tests: Option<u64>,
    /// `changes`, `history`: the command that builds a version.
    pub build: String,
    /// `changes`: the revision that passes. With two archives it is the archive `good`.
    pub good: String,
    /// `changes`, `history`: the revision that fails. With two archives it is the archive `bad`.
    pub bad: String,
    /// `history`: the oldest revision to test.
    pub back_to: String,
    /// `changes`, `history`: where the repository is, if it is not a bundle: a folder that `setup` or an archive makes.
    pub repo: String,
    /// `changes`: find the change that fixed it.
    pub fix: bool,
    /// `changes`: vary only changes at or below these paths.
    pub only: Vec<String>,
    /// `input`: the failing input, one of the uploaded files.
    pub input: String,
    /// `input`: the failing input as text, instead of a file.
    pub input_text: String,
    /// `input`: an input that passes. The smallest difference between the two is found.
    pub pass_input: String,
    /// `input`, `items`: find the smallest difference that decides, not the smallest part that fails.
    pub isolate: bool,
    /// `input`: the test reads the candidate from its standard input.
    pub stdin: bool,
    /// `items`: the list, one item a line.
    pub list: String,
    /// `items`: each item needs all items before it.
    pub order: bool,
    /// `state`: the run that fails.
    #[schema(example = "./sample 9 8 7")]
    pub fail: String,
    /// `state`: the run that passes.
    pub pass: String,
    /// `state`: places to examine: `FUNCTION[:HIT]` or `FILE:LINE[:HIT]`.
    pub at: Vec<String>,
    /// `state`: find all moments at which the cause changes from one variable to another.
    pub transitions: bool,
    /// An address that is told when the job is over, if the operator allows it.
    pub webhook: String,
}

/// The longest text of a field that is not a list, a script or an input.
const LONGEST_FIELD: usize = 4_000;
/// The longest list, script or pasted input.
const LONGEST_TEXT: usize = 1 << 20;
const MOST_CONDITIONS: usize = 50;

impl Submission {
    /// Checks what can be checked without running anything.
    ///
    /// # Errors
    /// What is wrong, as a sentence for the one who asks.
    pub fn check(&self) -> Result<QuestionName, String> {
        let question = self.question.ok_or("choose a question: changes, history, input, items or state")?;
        for (name, text) in self.short_fields() {
            if text.len() > LONGEST_FIELD {
                return Err(format!("`{name}` is longer than {LONGEST_FIELD} characters"));
            }
            if text.contains(['\0', '\n']) {
                return Err(format!("`{name}` has more than one line"));
            }
        }
        for (name, text) in [("script", &self.script), ("list", &self.list), ("input_text", &self.input_text)]
        {
            if text.len() > LONGEST_TEXT || text.contains('\0') {
                return Err(format!("`{name}` is longer than 1 MB, or is not a text: upload it as a file"));
            }
        }
        for (name, texts) in [
            ("fails_when", &self.fails_when),
            ("passes_when", &self.passes_when),
            ("only", &self.only),
            ("at", &self.at),
        ] {
            let is_fine = |text: &String| text.len() <= LONGEST_FIELD && !text.contains(['\0', '\n']);
            if texts.len() > MOST_CONDITIONS || !texts.iter().all(is_fine) {
                return Err(format!("`{name}` has too many or too long entries"));
            }
        }
        let has_test = !self.test.trim().is_empty() || !self.script.trim().is_empty();
        match question {
            QuestionName::State if self.fail.trim().is_empty() || self.pass.trim().is_empty() => {
                return Err("`state` needs a run that fails and a run that passes".to_owned());
            }
            QuestionName::State => {}
            _ if !has_test => return Err("give a test: a command or a script".to_owned()),
            QuestionName::Items if self.list.trim().is_empty() => {
                return Err("`items` needs a list, one item a line".to_owned());
            }
            QuestionName::Input if self.input.is_empty() && self.input_text.is_empty() => {
                return Err("`input` needs the failing input: upload it or paste it".to_owned());
            }
            _ => {}
        }
        for path in [&self.input, &self.pass_input, &self.repo] {
            if !path.is_empty() && !is_inside(path) {
                return Err(format!("`{path}` is not the path of an uploaded file"));
            }
        }
        for command in [&self.test, &self.fail, &self.pass, &self.build, &self.setup] {
            if !command.is_empty() && shlex::split(command).is_none() {
                return Err(format!("the quotes in `{command}` are not closed"));
            }
        }
        Ok(question)
    }

    fn short_fields(&self) -> [(&'static str, &String); 15] {
        [
            ("title", &self.title),
            ("setup", &self.setup),
            ("test", &self.test),
            ("codes", &self.codes),
            ("timeout", &self.timeout),
            ("build", &self.build),
            ("good", &self.good),
            ("bad", &self.bad),
            ("back_to", &self.back_to),
            ("repo", &self.repo),
            ("input", &self.input),
            ("pass_input", &self.pass_input),
            ("fail", &self.fail),
            ("pass", &self.pass),
            ("webhook", &self.webhook),
        ]
    }

    /// What the job is called if the user gives it no name.
    pub(crate) fn title_or_command(&self) -> String {
        let given = [&self.title, &self.fail, &self.test].into_iter().find(|text| !text.trim().is_empty());
        let title = given.map_or_else(|| "own test".to_owned(), |text| text.trim().to_owned());
        howcome_run::words::cut(&howcome_run::words::printable(&title), 120)
    }
}

/// Whether a path stays inside the folder from which it starts.
pub(crate) fn is_inside(path: &str) -> bool {
    use std::path::{Component, Path};
    let is_fine = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && !path.contains('\0') && Path::new(path).components().all(is_fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        for path in ["../x", "/etc/passwd", "a/../../b", "", "a\0b", ".."] {
            assert!(!is_inside(path), "{path:?}");
        }
        for path in ["x", "a/b", "./a", "-rf", "a b"] {
            assert!(is_inside(path), "{path:?}");
        }
    }

    #[test]
    fn a_submission_says_what_is_missing() {
        let ask = |question| Submission { question: Some(question), ..Submission::default() };
        assert!(Submission::default().check().unwrap_err().contains("choose a question"));
        assert!(ask(QuestionName::State).check().unwrap_err().contains("a run that fails"));
        assert!(ask(QuestionName::Changes).check().unwrap_err().contains("give a test"));
        let list = Submission { test: "true".into(), ..ask(QuestionName::Items) };
        assert!(list.check().unwrap_err().contains("needs a list"));
        let quotes = Submission { test: "sh -c 'x".into(), list: "a".into(), ..ask(QuestionName::Items) };
        assert!(quotes.check().unwrap_err().contains("quotes"));
    }

    #[test]
    fn unknown_fields_are_refused_so_that_a_misspelt_one_is_noticed() {
        let misspelt = r#"{"question": "items", "fails_wen": ["crash"]}"#;
        assert!(serde_json::from_str::<Submission>(misspelt).is_err());
    }
}
