//! The command that asks `howcome history` the same question.

use super::as_history::changed_tests;
use super::request::ChangesRequest;
use crate::versions::origin::VersionOrigin;
use howcome_run::words::shell_word;

/// The command that walks back from the bad version to the good one, if these are commits or the working tree, and what to do before it.
#[must_use]
pub fn history_command(request: &ChangesRequest) -> Option<String> {
    let repository = request.origins.repository.as_deref();
    let is_dirty = matches!(request.origins.bad, VersionOrigin::WorkingTree)
        && repository.and_then(|top| changed_tests(request, top)).is_none_or(|changed| !changed.is_empty());
    let name = |origin: &VersionOrigin| match origin {
        // A name such as HEAD~3 means another commit after the next commit.
        VersionOrigin::Commit { name, id } if is_dirty && name.contains("HEAD") => {
            Some(id.get(..12).unwrap_or(id).to_owned())
        }
        VersionOrigin::Commit { name, .. } => Some(name.clone()),
        VersionOrigin::WorkingTree => Some("HEAD".to_owned()),
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
    let failure = &request.failure;
    for (flag, conditions) in [("--fails-when", &failure.fails_when), ("--passes-when", &failure.passes_when)]
    {
        words.extend(conditions.iter().flat_map(|condition| [flag.to_owned(), shell_word(condition)]));
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
    let before = match is_dirty {
        true => "commit your changes first, because `howcome history` looks at commits only, then: ",
        false => "",
    };
    Some(format!("{before}{}", words.join(" ")))
}
