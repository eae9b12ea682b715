//! A submission as commands of the command line. What users write becomes a value of a flag, or comes after `--`: no text of
//! theirs can become a flag.

use super::folder::ANSWER;
use super::submission::{Submission, is_inside};
use howcome_run::QuestionName;

/// The names of files that the service itself makes.
pub(crate) const SCRIPT: &str = "howcome-test.sh";
pub(crate) const LIST: &str = "howcome-list.txt";
pub(crate) const INPUT: &str = "howcome-input.txt";
pub(crate) const BUNDLE: &str = "howcome-bundle.git";
/// The folders of two versions that are uploaded as archives, and of a repository from a bundle.
pub(crate) const GOOD: &str = "good";
pub(crate) const BAD: &str = "bad";
pub(crate) const REPOSITORY: &str = "repository";

/// The folder of the run, seen from the files.
const RUN_FOLDER: &str = "../run";

/// What of a submission is there as files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UploadedParts {
    /// Two archives: `good` and `bad`.
    pub(crate) versions: bool,
    /// A git bundle.
    pub(crate) bundle: bool,
    /// The program of the test is part of the versions, and was not uploaded beside them.
    pub(crate) test_in_versions: bool,
}

/// Limits that the operator sets for each job.
#[derive(Clone, Debug)]
pub(crate) struct JobLimits {
    /// Tests at a time.
    pub(crate) workers: usize,
    /// How long a run may take, in seconds.
    pub(crate) seconds: u64,
}

/// A command that prepares the folder.
pub(crate) struct PreparationCommand {
    pub(crate) words: Vec<String>,
    /// As its user would write it.
    pub(crate) shown: String,
}

/// The commands that prepare the folder.
pub(crate) fn preparation(submission: &Submission, parts: UploadedParts) -> Vec<PreparationCommand> {
    let mut commands = Vec::new();
    if parts.bundle {
        // With a name for the first branch, git gives no advice about it.
        let settings = ["-c", "core.hooksPath=/dev/null", "-c", "init.defaultBranch=main"];
        let clone = ["clone", "-q", "--no-local", BUNDLE, REPOSITORY];
        let words = ["git"].into_iter().chain(settings).chain(clone).map(str::to_owned).collect();
        commands.push(PreparationCommand { words, shown: format!("git clone {BUNDLE}") });
    }
    let setup = submission.setup.trim();
    if !setup.is_empty() {
        let words = ["sh", "-c", setup].map(str::to_owned).to_vec();
        commands.push(PreparationCommand { words, shown: setup.to_owned() });
    }
    commands
}

/// The words after `howcome` that ask the question.
pub(crate) fn question(
    submission: &Submission,
    name: QuestionName,
    parts: UploadedParts,
    limits: &JobLimits,
) -> Vec<String> {
    let mut words = vec![name.to_string(), format!("--run-dir={RUN_FOLDER}")];
    let mut flag = |flag: &str, value: &str| {
        if !value.trim().is_empty() {
            words.push(format!("--{flag}={}", value.trim()));
        }
    };
    for condition in &submission.fails_when {
        flag("fails-when", condition);
    }
    for condition in &submission.passes_when {
        flag("passes-when", condition);
    }
    flag("timeout", &submission.timeout);
    flag("max-tests", &submission.max_tests.map(|tests| tests.to_string()).unwrap_or_default());
    match name {
        QuestionName::Changes => {
            flag("build", &submission.build);
            submission.only.iter().for_each(|path| flag("only", path));
            match parts.versions {
                true => {
                    flag("good", GOOD);
                    flag("bad", BAD);
                }
                false => {
                    flag("good", &submission.good);
                    flag("bad", &submission.bad);
                    flag("repo", repository(submission, parts));
                }
            }
        }
        QuestionName::History => {
            flag("build", &submission.build);
            match parts.versions {
                // Two releases are a short history.
                true => {
                    flag("revisions-from", &format!("printf '%s\\n' {GOOD} {BAD}"));
                    flag("checkout", r#"sh -c 'cp -a "$HOWCOME_DIR/$HOWCOME_REVISION/." .'"#);
                    words.push("--in-this-order".to_owned());
                }
                false => {
                    flag("bad", &submission.bad);
                    flag("back-to", &submission.back_to);
                    flag("repo", repository(submission, parts));
                }
            }
        }
        QuestionName::State => {
            flag("fail", &submission.fail);
            flag("pass", &submission.pass);
            submission.at.iter().for_each(|place| flag("at", place));
        }
        QuestionName::Input => {
            flag("pass", &in_folder(&submission.pass_input));
            // Not beside the original, where the test might look for it.
            flag("output", &format!("../{ANSWER}"));
        }
        QuestionName::Items => {}
    }
    let switches = [
        ("--any-message", submission.any_message && name != QuestionName::State),
        ("--flaky", submission.flaky && name != QuestionName::State),
        ("--codes=bisect", submission.codes == "bisect" && name != QuestionName::State),
        ("--fix", submission.fix && name == QuestionName::Changes),
        ("--transitions", submission.transitions && name == QuestionName::State),
        ("--order", submission.order && name == QuestionName::Items),
        ("--stdin", submission.stdin && name == QuestionName::Input),
        (
            "--isolate",
            submission.isolate
                && submission.pass_input.is_empty()
                && matches!(name, QuestionName::Items | QuestionName::Input),
        ),
    ];
    words.extend(switches.into_iter().filter(|(_, given)| *given).map(|(switch, _)| switch.to_owned()));
    words.extend(run_limits(limits));
    match name {
        QuestionName::Items => words.push(in_folder(LIST)),
        QuestionName::Input if submission.input.is_empty() => words.push(in_folder(INPUT)),
        QuestionName::Input => words.push(in_folder(&submission.input)),
        QuestionName::Changes | QuestionName::History | QuestionName::State => {}
    }
    let test = test_words(submission, parts.test_in_versions);
    if !test.is_empty() {
        words.push("--".to_owned());
        words.extend(test);
    }
    words
}

/// The words after `howcome` that continue a run.
pub(crate) fn resume(limits: &JobLimits) -> Vec<String> {
    let words = ["resume", RUN_FOLDER].map(str::to_owned);
    words.into_iter().chain(run_limits(limits)).collect()
}

/// The words after `howcome` that ask how a step of a chain came about.
pub(crate) fn before(step: i64) -> Vec<String> {
    vec!["show".to_owned(), RUN_FOLDER.to_owned(), format!("--before={step}"), "--json".to_owned()]
}

fn run_limits(limits: &JobLimits) -> [String; 2] {
    [format!("--jobs={}", limits.workers), format!("--max-time={}s", limits.seconds)]
}

fn repository(submission: &Submission, parts: UploadedParts) -> &str {
    if parts.bundle { REPOSITORY } else { &submission.repo }
}

/// A path that no command takes for a flag.
fn in_folder(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("./{}", path.trim_start_matches("./")) }
}

fn test_words(submission: &Submission, is_in_versions: bool) -> Vec<String> {
    let test = submission.test.trim();
    if test.is_empty() {
        return match submission.script.trim().is_empty() {
            true => Vec::new(),
            false => vec![in_folder(SCRIPT)],
        };
    }
    // A shell looks for the program where the test runs: in each version.
    match is_in_versions || needs_shell(test) {
        true => ["sh", "-c", test].map(str::to_owned).to_vec(),
        false => shlex::split(test).unwrap_or_default(),
    }
}

/// The program of a test, if it is named by a path in the folder of the files.
pub(crate) fn test_program(submission: &Submission) -> Option<String> {
    let word = shlex::split(&submission.test)?.into_iter().next()?;
    let path = word.strip_prefix("./").unwrap_or(&word);
    (word.contains('/') && is_inside(path)).then(|| path.to_owned())
}

/// Whether a command uses what only a shell knows.
fn needs_shell(command: &str) -> bool {
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), character) if open == character => quote = None,
            (Some('\''), _) => {}
            (Some(_), '$' | '`') | (None, '|' | '&' | ';' | '<' | '>' | '$' | '`' | '*') => return true,
            (None, '\'' | '"') => quote = Some(character),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: JobLimits = JobLimits { workers: 2, seconds: 60 };

    #[test]
    fn no_text_of_a_user_becomes_a_flag() {
        let evil = "--html=/etc/cron.d/x";
        let submission = Submission {
            test: evil.into(),
            good: evil.into(),
            bad: evil.into(),
            build: evil.into(),
            input: evil.into(),
            pass_input: evil.into(),
            fail: evil.into(),
            pass: evil.into(),
            repo: evil.into(),
            timeout: evil.into(),
            fails_when: vec![evil.into()],
            at: vec![evil.into()],
            only: vec![evil.into()],
            ..Submission::default()
        };
        for name in QuestionName::ALL {
            let words = question(&submission, name, UploadedParts::default(), &LIMITS);
            let before_test = words.iter().take_while(|word| *word != "--");
            assert!(before_test.clone().all(|word| word != evil), "{words:?}");
            assert!(words.contains(&"--".to_owned()), "{words:?}");
        }
    }

    #[test]
    fn a_command_with_a_pipe_runs_in_a_shell_and_a_plain_one_does_not() {
        assert!(needs_shell("./a | grep b"));
        assert!(needs_shell(r#"gcc $(cat "$HOWCOME_ITEMS")"#));
        assert!(!needs_shell("./check.sh 'a | b' {}"));
        assert!(!needs_shell("python3 -m pytest tests/test_cart.py::test_total"));
    }

    #[test]
    fn two_archives_are_two_versions() {
        let submission = Submission { test: "make check".into(), ..Submission::default() };
        let parts = UploadedParts { versions: true, ..UploadedParts::default() };
        let words = question(&submission, QuestionName::Changes, parts, &LIMITS);
        let expected = [
            "changes",
            "--run-dir=../run",
            "--good=good",
            "--bad=bad",
            "--jobs=2",
            "--max-time=60s",
            "--",
            "make",
            "check",
        ];
        assert_eq!(words, expected);
    }
}
