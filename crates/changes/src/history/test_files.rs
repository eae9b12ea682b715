//! Files of the bad revision that belong to the test itself.

use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_lab::inquiry::TestCommand;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The files of the bad revision that belong to the test. Every revision gets them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestFiles {
    /// The program of the test, if it is one of them.
    pub(super) program: Option<String>,
    /// All of them: the program, or the script that an interpreter runs.
    pub(super) paths: Vec<String>,
}

const INTERPRETERS: [&str; 10] =
    ["sh", "bash", "dash", "zsh", "python", "perl", "ruby", "node", "php", "lua"];

impl TestFiles {
    /// The files of the bad revision, whose working tree begins at `top`, that belong to a test.
    pub(super) fn find(test: &TestCommand, top: Option<&Path>, bad: &Tree) -> Self {
        let program = Some(&test.program).filter(|program| test.is_path && program.is_absolute());
        if let Some(program) = program.and_then(|program| path_in_tree(program, top?, bad)) {
            return Self { program: Some(program.clone()), paths: vec![program] };
        }
        let script = test.arguments.iter().find(|word| !word.as_bytes().starts_with(b"-"));
        let script = script.filter(|_| is_interpreter(&test.program)).and_then(|word| {
            // The test runs at the top of each revision, so its arguments are relative to that.
            let path = TreePath::new(word.as_bytes().strip_prefix(b"./").unwrap_or(word.as_bytes())).ok()?;
            text_of(&path, bad)
        });
        Self { program: None, paths: script.into_iter().collect() }
    }
}

fn path_in_tree(path: &Path, top: &Path, bad: &Tree) -> Option<String> {
    let (top, path) = (top.canonicalize().ok()?, path.canonicalize().ok()?);
    text_of(&TreePath::new(path.strip_prefix(top).ok()?.as_os_str().as_bytes()).ok()?, bad)
}

/// A path of the bad revision as text. A file whose path is not text is not copied to other revisions.
fn text_of(path: &TreePath, bad: &Tree) -> Option<String> {
    bad.get(path)?;
    String::from_utf8(path.as_bytes().to_vec()).ok()
}

fn is_interpreter(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_version = |rest: &str| rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    INTERPRETERS.iter().any(|known| name.strip_prefix(known).is_some_and(is_version))
}
