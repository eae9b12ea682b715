//! The files of a commit.

use super::command::GitFailed;
use super::{ObjectId, Repository};
use std::path::PathBuf;
use std::{ffi::OsString, os::unix::ffi::OsStringExt};

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// A file.
    Regular,
    /// An executable file.
    Executable,
    /// A symbolic link, whose content is its target.
    Symlink,
    /// A commit of another repository; there is no blob of its name.
    Submodule,
}

impl Mode {
    /// Reads a mode as git writes it, in octal digits.
    pub(super) fn from_octal(digits: &[u8]) -> Option<Self> {
        match digits {
            // Group-writable files were stored in the first months of git.
            b"100644" | b"100664" => Some(Mode::Regular),
            b"100755" => Some(Mode::Executable),
            b"120000" => Some(Mode::Symlink),
            b"160000" => Some(Mode::Submodule),
            _ => None,
        }
    }
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitTreeEntry {
    /// Where it is, from the top, in bytes.
    pub path: Vec<u8>,
    /// What kind of file it is.
    pub mode: Mode,
    /// The blob, or the commit of a submodule.
    pub id: ObjectId,
}

/// All files of a commit, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitTree {
    entries: Vec<GitTreeEntry>,
}

/// Why the files of a commit cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum NoTree {
    /// A file would be written outside of the workspace, or into `.git`.
    #[error("the path `{}` would leave the workspace", .0.display())]
    Leaves(PathBuf),
    /// Git does not say.
    #[error(transparent)]
    Git(#[from] GitFailed),
}

impl NoTree {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NoTree::Leaves(_) => Some(
                "no honest program makes such a tree: check with git fsck where it comes from".to_owned(),
            ),
            NoTree::Git(failed) => failed.hint(),
        }
    }
}

impl GitTree {
    /// All files, sorted by the bytes of their paths.
    #[must_use]
    pub fn entries(&self) -> &[GitTreeEntry] {
        &self.entries
    }

    /// The file at a path.
    #[must_use]
    pub fn get(&self, path: &[u8]) -> Option<&GitTreeEntry> {
        let found = self.entries.binary_search_by(|entry| entry.path.as_slice().cmp(path));
        found.ok().map(|index| &self.entries[index])
    }

    /// Reads what `git ls-tree -r -z` prints.
    ///
    /// # Errors
    /// If it is something else, or if a path in it would leave the workspace.
    pub fn parse(listed: &[u8]) -> Result<Self, NoTree> {
        let mut entries = Vec::new();
        for record in listed.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
            let entry = entry(record).ok_or_else(|| GitFailed::unexpected("ls-tree", record))?;
            if leaves(&entry.path) {
                return Err(NoTree::Leaves(path_buf(entry.path)));
            }
            entries.push(entry);
        }
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        let tree = Self { entries };
        match tree.through_another() {
            Some(entry) => Err(NoTree::Leaves(path_buf(entry.path.clone()))),
            None => Ok(tree),
        }
    }

    /// An entry below an entry that is not a folder, or at the same path as another: a forged tree can have a symlink and a folder of the
    /// same name, and files in the folder would be written to the target of the link.
    fn through_another(&self) -> Option<&GitTreeEntry> {
        let twice = self.entries.windows(2).find(|pair| pair[0].path == pair[1].path);
        let below = || {
            self.entries.iter().filter(|entry| entry.mode == Mode::Symlink).find_map(|link| {
                let folder = [&link.path[..], b"/"].concat();
                let first = self.entries.partition_point(|entry| entry.path < folder);
                self.entries.get(first).filter(|entry| entry.path.starts_with(&folder))
            })
        };
        twice.map(|pair| &pair[1]).or_else(below)
    }
}

impl Repository {
    /// The files of a commit.
    ///
    /// # Errors
    /// If there is no such commit, or if a path in it would leave the workspace.
    pub fn tree(&self, commit: ObjectId) -> Result<GitTree, NoTree> {
        GitTree::parse(&self.git.read("ls-tree", ["-r", "-z", "--full-tree", &commit.to_string()])?)
    }
}

/// `mode kind id TAB path`.
fn entry(record: &[u8]) -> Option<GitTreeEntry> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let mut words = record[..tab].split(|byte| *byte == b' ');
    let mode = Mode::from_octal(words.next()?)?;
    let id = ObjectId::from_hex(words.nth(1)?).ok()?;
    Some(GitTreeEntry { path: record[tab + 1..].to_vec(), mode, id })
}

/// Whether a path goes up, or into the `.git` of a workspace.
pub(super) fn leaves(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/')
        .any(|name| matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git"))
}

pub(super) fn path_buf(path: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(entries: &[(&str, &str)]) -> Vec<u8> {
        let id = "1".repeat(40);
        entries.iter().flat_map(|(mode, path)| format!("{mode} blob {id}\t{path}\0").into_bytes()).collect()
    }

    #[test]
    fn a_path_that_leaves_the_workspace_is_refused() {
        for path in ["../x", "a/../x", "/etc/passwd", "a//b", ".git/config", "a/.GIT/hooks/x", "./x", ""] {
            let tree = GitTree::parse(&listed(&[("100644", path)]));
            assert!(matches!(tree, Err(NoTree::Leaves(_))), "{path}");
        }
        assert!(GitTree::parse(&listed(&[("100644", "..a/.gitignore")])).is_ok());
    }

    #[test]
    fn a_file_below_a_symlink_is_refused() {
        let forged = [("120000", "a"), ("100644", "a-b"), ("100644", "a/b")];
        assert!(matches!(GitTree::parse(&listed(&forged)), Err(NoTree::Leaves(_))));
        assert!(matches!(
            GitTree::parse(&listed(&[("100644", "a"), ("120000", "a")])),
            Err(NoTree::Leaves(_))
        ));
    }

    #[test]
    fn an_unknown_mode_is_not_guessed() {
        assert!(matches!(GitTree::parse(&listed(&[("100600", "a")])), Err(NoTree::Git(_))));
    }
}
