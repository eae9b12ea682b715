//! The working tree as it is: tracked files, changed or not, and new files that are not ignored.

use super::command::GitFailed;
use super::tree::path_buf;
use super::{Mode, NoTree, ObjectId, Repository, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Everything that a commit of all files would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkingTree {
    /// The files, by path.
    pub files: Vec<WorkingFile>,
    /// Tracked files that are no longer there.
    pub deleted: Vec<Vec<u8>>,
    /// Files with a merge conflict. Their content is that on disk, with conflict markers.
    pub unmerged: Vec<Vec<u8>>,
    /// Folders with a repository of their own that are not submodules. They are left out.
    pub nested: Vec<Vec<u8>>,
}

/// A file of the working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingFile {
    /// Where it is, from the top, in bytes.
    pub path: Vec<u8>,
    /// What kind of file it is.
    pub mode: Mode,
    /// Where its content is.
    pub content: WorkingContent,
    /// Whether git knows of it.
    pub is_tracked: bool,
}

/// Where the content of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkingContent {
    /// As in the index: in this blob, or this commit of a submodule. It can differ from the last commit.
    Stored(ObjectId),
    /// It was changed or is new: on the disk. A submodule has another commit checked out there than the index says.
    OnDisk,
}

#[derive(Clone, Copy)]
struct Indexed {
    mode: Mode,
    id: ObjectId,
    is_unmerged: bool,
}

impl Repository {
    /// What lies in the working tree; none if the repository is bare. The index is left as it is, even where it is out
    /// of date.
    ///
    /// # Errors
    /// If a path would leave the workspace, or git does not say.
    pub fn working_tree(&self) -> Result<Option<WorkingTree>, NoTree> {
        let Some(top) = self.work_tree() else { return Ok(None) };
        let settings = self.settings()?;
        let indexed = indexed(&self.git.read_with(&settings.overrides, "ls-files", ["-z", "-s"])?)?;
        let listed = |options: &[&str]| {
            let listed = self.git.read_with(&settings.overrides, "ls-files", [&["-z"], options].concat())?;
            let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
            Ok::<_, GitFailed>(paths.map(<[u8]>::to_vec).collect::<BTreeSet<_>>())
        };
        let changed = listed(&["-m", "-d"])?;
        let new = listed(&["-o", "--exclude-standard"])?;

        let mut tree = WorkingTree::default();
        for (path, known) in indexed {
            if tree::leaves(&path) {
                return Err(NoTree::Leaves(path_buf(path)));
            }
            if known.is_unmerged {
                tree.unmerged.push(path.clone());
            }
            if !known.is_unmerged && !changed.contains(&path) {
                let (mode, content) = (known.mode, WorkingContent::Stored(known.id));
                tree.files.push(WorkingFile { path, mode, content, is_tracked: true });
                continue;
            }
            match mode_on_disk(&top.join(path_buf(path.clone())), Some(known.mode), settings.trusts_mode) {
                Some(mode) => {
                    let content = WorkingContent::OnDisk;
                    tree.files.push(WorkingFile { path, mode, content, is_tracked: true });
                }
                None => tree.deleted.push(path),
            }
        }
        for path in new {
            if path.ends_with(b"/") {
                tree.nested.push(path);
            } else if let Some(mode) =
                mode_on_disk(&top.join(path_buf(path.clone())), None, settings.trusts_mode)
            {
                tree.files.push(WorkingFile {
                    path,
                    mode,
                    content: WorkingContent::OnDisk,
                    is_tracked: false,
                });
            }
        }
        tree.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Some(tree))
    }

    /// The files of the working tree that git neither tracks nor ignores, without folders that are repositories of their own. A bare
    /// repository has none.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn untracked(&self) -> Result<Vec<Vec<u8>>, GitFailed> {
        if self.work_tree().is_none() {
            return Ok(Vec::new());
        }
        let listed = self.git.read("ls-files", ["-z", "-o", "--exclude-standard"])?;
        let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty() && !path.ends_with(b"/"));
        Ok(paths.map(<[u8]>::to_vec).collect())
    }

    /// The tracked files that are not as they were committed.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn changed_files(&self) -> Result<Vec<Vec<u8>>, GitFailed> {
        let overrides = self.settings()?.overrides;
        // With the patch, git reads the files: in a copy of a repository, the times of all of them differ from those in the index.
        let changed =
            self.git.read_with(&overrides, "diff-index", ["--numstat", "-z", "--no-renames", "HEAD"])?;
        let lines = changed.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let paths = lines.filter_map(|line| line.splitn(3, |byte| *byte == b'\t').nth(2));
        Ok(paths.map(<[u8]>::to_vec).collect())
    }

    /// To see whether a file changed, git would send it through the programs of `filter.NAME.clean`. They may write
    /// (Git LFS puts a copy into the repository), so they are turned off: what only a filter could tell to be unchanged
    /// counts as changed.
    fn settings(&self) -> Result<Settings, GitFailed> {
        let wanted = r"^(filter\..*|core\.filemode)$";
        let output = self.git.ask("config", ["-z", "--get-regexp", wanted])?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(GitFailed::refused("config", &output));
        }
        let mut settings = Settings { overrides: Vec::new(), trusts_mode: true };
        let mut filters = BTreeSet::new();
        for setting in output.stdout.split(|byte| *byte == 0) {
            let end = setting.iter().position(|byte| *byte == b'\n').unwrap_or(setting.len());
            let (name, value) = (&setting[..end], setting.get(end + 1..).unwrap_or_default());
            if name == b"core.filemode" {
                settings.trusts_mode = !["false", "no", "off", "0"]
                    .iter()
                    .any(|word| value.eq_ignore_ascii_case(word.as_bytes()));
            } else if let Some(dot) = name.iter().rposition(|byte| *byte == b'.') {
                filters.insert(&name[..dot]);
            }
        }
        for filter in filters {
            for off in [&b".clean="[..], b".process=", b".required=false"] {
                settings.overrides.push(OsString::from_vec([filter, off].concat()));
            }
        }
        Ok(settings)
    }
}

struct Settings {
    overrides: Vec<OsString>,
    /// Whether the file system keeps what can be run.
    trusts_mode: bool,
}

/// `mode id stage TAB path`; a file with a conflict stands there up to three times.
fn indexed(listed: &[u8]) -> Result<BTreeMap<Vec<u8>, Indexed>, GitFailed> {
    let read = |record: &[u8]| {
        let tab = record.iter().position(|byte| *byte == b'\t')?;
        let mut words = record[..tab].split(|byte| *byte == b' ');
        let mode = Mode::from_octal(words.next()?)?;
        let id = ObjectId::from_hex(words.next()?).ok()?;
        let is_unmerged = words.next()? != b"0";
        Some((record[tab + 1..].to_vec(), Indexed { mode, id, is_unmerged }))
    };
    let records = listed.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    records.map(|record| read(record).ok_or_else(|| GitFailed::unexpected("ls-files", record))).collect()
}

/// What kind of file lies there; none if it is gone, or something that git does not keep.
fn mode_on_disk(path: &Path, known: Option<Mode>, trusts_mode: bool) -> Option<Mode> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let kind = metadata.file_type();
    if kind.is_symlink() {
        Some(Mode::Symlink)
    } else if kind.is_dir() {
        known.filter(|known| *known == Mode::Submodule)
    } else if !kind.is_file() {
        None
    } else if let (false, Some(mode @ (Mode::Regular | Mode::Executable))) = (trusts_mode, known) {
        Some(mode)
    } else if trusts_mode && metadata.permissions().mode() & 0o100 != 0 {
        Some(Mode::Executable)
    } else {
        Some(Mode::Regular)
    }
}
