//! The subject: a document, and the deltas that a pass proposes for it.

use crate::delta::Changes;
use crate::describe::describe;
use crate::{Delta, Document, File};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a candidate is given to the test.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; `{}` in them is the path of the candidate.
    pub arguments: Vec<OsString>,
    /// Where the user stands.
    pub directory: PathBuf,
    /// The file or folder that `{}` stands for: the first one that was named on the command line.
    pub candidate: PathBuf,
    /// Whether the candidate is the standard input of the test.
    pub stdin: bool,
}

/// What is tested in one stage.
#[derive(Clone, Debug)]
pub struct Candidates {
    document: Document,
    deltas: u32,
    changes: Changes,
    given: Arc<Given>,
}

impl Candidates {
    /// The candidates that come of a document when some of these deltas are carried out.
    #[must_use]
    pub fn new(document: Document, deltas: &[Delta], given: Arc<Given>) -> Self {
        Self { document, deltas: deltas.len() as u32, changes: Changes::of(deltas), given }
    }

    /// The document in which all deltas but the chosen ones are carried out.
    #[must_use]
    pub fn document(&self, kept: &Configuration) -> Document {
        self.changes.apply(&self.document, |delta| !kept.contains(DeltaId(delta)))
    }
}

impl Subject for Candidates {
    fn deltas(&self) -> u32 {
        self.deltas
    }

    fn describe(&self, delta: DeltaId) -> String {
        describe(&self.document, self.changes.of_delta(delta.0))
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        Some(content(&self.document(configuration)))
    }

    fn bytes(&self, configuration: &Configuration) -> Option<u64> {
        Some(self.document(configuration).size())
    }
}

/// What identifies a document: the names and the bytes of its files.
pub(crate) fn content(document: &Document) -> Content {
    let files = document.files();
    let mut sizes = Vec::with_capacity(files.len());
    for (_, file) in &files {
        sizes.push(match file {
            File::Bytes(bytes, _) => (bytes.len() as u64).to_le_bytes(),
            File::Folder => u64::MAX.to_le_bytes(),
            File::Link(_) => (u64::MAX - 1).to_le_bytes(),
        });
    }
    Content::of(files.iter().zip(&sizes).flat_map(|((path, file), size)| {
        let bytes: &[u8] = match file {
            File::Bytes(bytes, _) => bytes,
            File::Folder => b"",
            File::Link(target) => target.as_os_str().as_bytes(),
        };
        [path.as_os_str().as_bytes(), b"\0", size.as_slice(), bytes]
    }))
}

impl Prepare for Candidates {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        lay_out(&self.document(configuration), &self.given, folder)
    }
}

/// Writes a document where the test finds it.
pub(crate) fn lay_out(
    document: &Document,
    given: &Given,
    folder: &mut WorkFolder<'_>,
) -> Result<Command, Because> {
    let workspace = folder.path();
    document.write(workspace).map_err(|(path, error)| match error.kind() {
        io::ErrorKind::StorageFull => {
            Because::DiskFull(format!("the candidate could not be written to {}", path.display()))
        }
        _ => Because::Broken(format!("{}: {error}", path.display())),
    })?;
    let candidate = workspace.join(&given.candidate);
    let arguments = given.arguments.iter().map(|argument| filled_in(argument, &candidate));
    let command = Command::new(&given.program, workspace)
        .arguments(arguments)
        .variable("HOWCOME_INPUT", &candidate)
        .variable("HOWCOME_DIR", &given.directory);
    Ok(if given.stdin { command.standard_input(candidate) } else { command })
}

/// An argument with the path in the place of each `{}`.
fn filled_in(argument: &OsStr, path: &Path) -> OsString {
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
