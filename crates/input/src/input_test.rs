//! How a candidate is given to the test: written into the folder in which the test runs, and named in its command.

use crate::Document;
use howcome_lab::inquiry::{TestFolder, could_not_be_written};
use howcome_lab::{Command, WorkFolder};
use howcome_run::Because;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

/// How a candidate is given to the test.
#[derive(Clone, Debug, Default)]
pub struct InputTest {
    /// The test and the folder in which it runs. `{}` in its arguments is the path of the candidate.
    pub folder: TestFolder,
    /// Where the files and folders of the input belong in this folder, by their names. The first one is what `{}` names.
    pub places: Vec<(OsString, PathBuf)>,
    /// Whether the candidate is the standard input of the test.
    pub stdin: bool,
}

impl InputTest {
    /// How the files and folders that the user named are given to a test.
    pub(crate) fn new(folder: TestFolder, files: &[PathBuf], stdin: bool) -> Self {
        let place = |file: &PathBuf| (file.file_name().unwrap_or_default().to_owned(), folder.place_of(file));
        Self { places: files.iter().map(place).collect(), folder, stdin }
    }

    /// The path of the candidate in the folder of a test.
    pub(crate) fn candidate(&self, folder: &Path) -> PathBuf {
        self.places.first().map_or_else(|| folder.to_owned(), |(_, place)| folder.join(place))
    }

    /// Writes a document into the folder of a test, and returns the command that tests it there.
    pub(crate) fn prepare(
        &self,
        document: &Document,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        self.folder.make(folder)?;
        let workspace = folder.path();
        self.write(document, workspace)
            .map_err(|(path, error)| could_not_be_written(&path.display().to_string(), &error))?;
        Ok(self.command(workspace))
    }

    /// The command that tests the candidate in a folder.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let candidate = self.candidate(folder);
        let varied: Vec<PathBuf> = self.places.iter().map(|(_, place)| place.clone()).collect();
        let mut command = self.folder.command(folder, &varied).variable("HOWCOME_INPUT", &candidate);
        for argument in &mut command.arguments {
            *argument = fill_in(argument, &candidate);
        }
        if self.stdin { command.standard_input(candidate) } else { command }
    }

    /// Writes a document to its place in a folder.
    ///
    /// # Errors
    /// The path of a file that could not be written, and the reason.
    pub(crate) fn write(&self, document: &Document, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        for (_, place) in &self.places {
            if let Some(parent) = place.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                let parent = folder.join(parent);
                fs::create_dir_all(&parent).map_err(|error| (parent, error))?;
            }
        }
        document.write_to(|path| folder.join(self.placed(path)))
    }

    /// Where a path of the document is, relative to the folder of a test.
    fn placed(&self, path: &Path) -> PathBuf {
        let mut parts = path.components();
        let top = parts.next().map(Component::as_os_str).unwrap_or_default();
        let place = self.places.iter().find(|(name, _)| name == top);
        let rest = parts.as_path();
        match place {
            Some((_, place)) if rest.as_os_str().is_empty() => place.clone(),
            Some((_, place)) => place.join(rest),
            None => path.to_owned(),
        }
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
