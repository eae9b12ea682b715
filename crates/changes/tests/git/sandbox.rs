//! Repositories to try things on.

use howcome_changes::versions::git::{ObjectId, Repository};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A repository in a folder of its own, that no setting of the machine reaches.
pub(crate) struct Sandbox {
    pub(crate) folder: TempDir,
    /// The time of the last commit, in seconds.
    pub(crate) clock: Cell<u64>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap(), clock: 1_700_000_000.into() };
        sandbox.git(&["init", "-q", "-b", "main", "."]);
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn repository(&self) -> Repository {
        Repository::discover(self.path()).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_with(arguments, b"")
    }

    pub(crate) fn git_with(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.path()).args(arguments);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(variable);
        }
        for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
            git.env(name, value);
        }
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "Ada Lovelace")
                .env(format!("GIT_{role}_EMAIL"), "ada@example.org");
            git.env(format!("GIT_{role}_DATE"), format!("{} +0100", self.clock.get()));
        }
        let mut child = git.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Commits all that lies there.
    pub(crate) fn commit(&self, subject: &str) -> ObjectId {
        self.clock.set(self.clock.get() + 60);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.head()
    }

    pub(crate) fn head(&self) -> ObjectId {
        self.git(&["rev-parse", "HEAD"]).parse().unwrap()
    }

    pub(crate) fn merge(&self, branch: &str) -> ObjectId {
        self.clock.set(self.clock.get() + 60);
        self.git(&["merge", "-q", "--no-ff", "-m", "merge", branch]);
        self.head()
    }

    /// Every file with its content, `.git` and all.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn collect(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let path = entry.path();
                if entry.file_type().unwrap().is_dir() {
                    collect(&path, all);
                } else {
                    all.insert(path.clone(), fs::read(&path).unwrap_or_default());
                }
            }
        }
        let mut all = BTreeMap::new();
        collect(self.path(), &mut all);
        all
    }
}
