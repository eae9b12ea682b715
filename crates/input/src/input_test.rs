//! How a candidate is given to the test: written into the folder in which the test runs, and named in its command.

use crate::Document;
use howcome_lab::{Command, WorkFolder};
use howcome_run::Because;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// How a candidate is given to the test.
#[derive(Clone, Debug, Default)]
pub struct InputTest {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; `{}` in them is the path of the candidate.
    pub arguments: Vec<OsString>,
    /// The folder in which the user asked.
    pub directory: PathBuf,
    /// The file or folder that `{}` names: the first one that the user named.
    pub candidate: PathBuf,
    /// Whether the candidate is the standard input of the test.
    pub stdin: bool,
}

impl InputTest {
    /// Writes a document into the folder of a test, and returns the command that tests it there.
    pub(crate) fn prepare(
        &self,
        document: &Document,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let workspace = folder.path();
        document.write(workspace).map_err(|(path, error)| match error.kind() {
            io::ErrorKind::StorageFull => {
                Because::DiskFull(format!("the candidate could not be written to {}", path.display()))
            }
            _ => Because::Broken(format!("{}: {error}", path.display())),
        })?;
        let candidate = workspace.join(&self.candidate);
        let arguments = self.arguments.iter().map(|argument| fill_in(argument, &candidate));
        let mut command = Command::new(&self.program, workspace)
            .arguments(arguments)
            .variable("HOWCOME_INPUT", &candidate)
            .variable("HOWCOME_DIR", &self.directory)
            .varies(&self.candidate);
        command.varied.extend(document.files().into_iter().map(|(path, _)| path));
        Ok(if self.stdin { command.standard_input(candidate) } else { command })
    }
}

/// An argument in which each `{}` is replaced by the path.
fn fill_in(argument: &OsStr, path: &Path) -> OsString {
    let (bytes, path) = (argument.as_bytes(), path.as_os_str().as_bytes());
    let mut filled = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"{}") {
            filled.extend_from_slice(path);
            at += 2;
        } else {
            filled.push(bytes[at]);
            at += 1;
        }
    }
    OsString::from_vec(filled)
}
