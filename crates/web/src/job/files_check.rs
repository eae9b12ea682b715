//! Whether the files that a question is about were uploaded, as far as that can be known before anything runs.

use super::commands::{BAD, BUNDLE, GOOD};
use super::submission::{Submission, is_inside};
use howcome_run::QuestionName;
use std::fs;
use std::path::Path;

/// What is missing, as a sentence for the one who asks.
pub(crate) fn check_files(
    submission: &Submission,
    question: QuestionName,
    upload: &Path,
) -> Result<(), String> {
    if !submission.setup.trim().is_empty() {
        // It can make any file.
        return Ok(());
    }
    match question {
        QuestionName::Changes | QuestionName::History => check_versions(submission, upload),
        QuestionName::State => check_program(submission, upload),
        QuestionName::Input | QuestionName::Items => Ok(()),
    }
}

fn check_versions(submission: &Submission, upload: &Path) -> Result<(), String> {
    let is_there = |name: &str| is_inside(name) && upload.join(name).exists();
    let has_repository = is_there(BUNDLE) || is_there(".git") || !submission.repo.trim().is_empty();
    let has_folders = is_there(submission.good.trim()) && is_there(submission.bad.trim());
    let missing = match (is_there(GOOD), is_there(BAD)) {
        _ if has_repository || has_folders => return Ok(()),
        (true, true) => return Ok(()),
        (true, false) => "the version that fails is missing: upload its archive, too",
        (false, true) => "the version that passes is missing: upload its archive, too",
        (false, false) => "the versions are missing: upload two archives, or a git bundle",
    };
    Err(missing.to_owned())
}

fn check_program(submission: &Submission, upload: &Path) -> Result<(), String> {
    let has_files = fs::read_dir(upload).is_ok_and(|mut entries| entries.next().is_some());
    let is_of_the_system =
        shlex::split(&submission.fail).is_some_and(|words| words.iter().any(|word| word.starts_with('/')));
    match has_files || is_of_the_system {
        true => Ok(()),
        false => {
            Err("the program is missing: upload it, or its source and the command that compiles it"
                .to_owned())
        }
    }
}
