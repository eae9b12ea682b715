//! Why a program could not be started.

use crate::Command;
use crate::first_line::explain_not_found;
use howcome_run::Because;
use std::io;
use std::path::Path;

/// Why a program could not be started in a workspace.
pub(crate) fn not_started(command: &Command, workspace: &Path, error: &io::Error) -> Because {
    let program = command.program.display();
    let is_candidates = command.program.starts_with(workspace);
    let why = match error.kind() {
        io::ErrorKind::ArgumentListTooLong => {
            return Because::DidNotApply("its argument list is longer than the system allows".to_owned());
        }
        _ if !command.directory.is_dir() => {
            let directory = command.directory.display();
            return Because::DidNotApply(format!("{directory}: no such folder to run the test in"));
        }
        io::ErrorKind::NotFound if has_folder(&command.program) && command.program.exists() => {
            explain_not_found(&command.program)
        }
        io::ErrorKind::NotFound => format!("{program}: program not found"),
        // This error also occurs if a folder of `PATH` is not readable.
        io::ErrorKind::PermissionDenied if !has_folder(&command.program) => {
            format!("{program}: no executable program of this name")
        }
        io::ErrorKind::PermissionDenied => format!("{program} is not executable"),
        _ if error.raw_os_error() == Some(nix::libc::ENOEXEC) => {
            format!("{program} is neither a program nor a script with an interpreter in its first line (#!)")
        }
        _ => format!("{program}: {error}"),
    };
    // A program that belongs to the candidate is missing because of the configuration.
    if is_candidates { Because::DidNotApply(why) } else { Because::CouldNotStart(why) }
}

fn has_folder(program: &Path) -> bool {
    program.components().count() > 1
}
