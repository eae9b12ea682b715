//! The command that asks `howcome history` the same question.

use super::as_history::changed_tests;
use super::request::ChangesRequest;
use crate::versions::origin::VersionOrigin;
use howcome_run::words::shell_word;

/// The command that walks back from the bad version to the good one, if both are commits or as committed.
#[must_use]
pub fn history_command(request: &ChangesRequest) -> Option<String> {
    let repository = request.origins.repository.as_deref();
    let is_as_committed =
        repository.and_then(|top| changed_tests(request, top)).is_some_and(|changed| changed.is_empty());
    let name = |origin: &VersionOrigin| match origin {
        VersionOrigin::Commit { name, .. } => Some(name.clone()),
        // Tests that are not committed are not those of HEAD.
        VersionOrigin::WorkingTree if is_as_committed => Some("HEAD".to_owned()),
        _ => None,
    };
    if request.fix {
        return None;
    }
    let (good, bad) = (name(request.origins.good.first()?)?, name(&request.origins.bad)?);
    let mut words = vec!["howcome".to_owned(), "history".to_owned(), "--bad".to_owned(), shell_word(&bad)];
    if !request.finds_good {
        words.extend(["--back-to".to_owned(), shell_word(&good)]);
    }
    for (flag, command) in [("--build", &request.build), ("--clean", &request.clean)] {
        if let Some(command) = command {
            let command = command.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
            words.extend([flag.to_owned(), shell_word(&command)]);
        }
    }
    for path in &request.copy {
        words.extend(["--copy".to_owned(), shell_word(&path.to_string_lossy())]);
    }
    let program = match request.test.program.strip_prefix(&request.test.directory) {
        Ok(inside) => format!("./{}", inside.display()),
        Err(_) if !request.test.is_path => request.test.program.file_name()?.to_string_lossy().into_owned(),
        Err(_) => request.test.program.to_string_lossy().into_owned(),
    };
    words.extend(["--".to_owned(), shell_word(&program)]);
    words.extend(request.test.arguments.iter().map(|word| shell_word(&word.to_string_lossy())));
    Some(words.join(" "))
}
