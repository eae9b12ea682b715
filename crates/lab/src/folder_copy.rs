//! A copy of the user's folder, for tests that need its files. The user's own files are never touched.

use crate::file_stamp::FileStamp;
use crate::forks::writing_a_program;
use howcome_run::RunDir;
use std::collections::BTreeMap;
use std::fs::{self, DirEntry, File, FileTimes, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A larger folder is not copied: each test would take too long.
const MOST_FILES: usize = 5_000;
const MOST_BYTES: u64 = 100_000_000;

/// The folder in which git keeps its own files.
const GIT: &str = ".git";

/// What a copy of the user's folder contains.
#[derive(Debug)]
pub struct FolderCopy {
    /// The folder that is copied: the work tree that the user's folder is a part of, or that folder alone.
    root: PathBuf,
    /// The user's folder, relative to the root.
    inside: PathBuf,
    /// Each folder comes before its entries.
    entries: BTreeMap<PathBuf, CopiedEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum CopiedEntry {
    Folder,
    File,
    Link(PathBuf),
}

/// What a copy was when it was made, to find out what a test has changed.
#[derive(Debug, Default)]
pub struct CopyStamps(BTreeMap<PathBuf, FileStamp>);

impl FolderCopy {
    /// Plans a copy of the work tree around the user's folder, or of that folder alone, without these files and folders and
    /// without records of runs. `None` if there is nothing to copy, or too much.
    #[must_use]
    pub fn plan(user_folder: &Path, left_out: &[PathBuf]) -> Option<Self> {
        let work_tree = user_folder.ancestors().find(|folder| folder.join(GIT).exists());
        let roots = work_tree.into_iter().chain([user_folder]);
        let mut plans = roots.filter_map(|root| Self::of(root, user_folder, left_out));
        plans.next().filter(|plan| plan.entries.values().any(|entry| *entry != CopiedEntry::Folder))
    }

    fn of(root: &Path, user_folder: &Path, left_out: &[PathBuf]) -> Option<Self> {
        let is_left_out =
            |path: &Path| left_out.iter().any(|out| out == path) || path.ends_with(RunDir::RUNS);
        let inside = user_folder.strip_prefix(root).ok()?.to_owned();
        let mut entries = BTreeMap::new();
        let mut room = Room::default();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let Ok(listed) = fs::read_dir(root.join(&folder)) else { continue };
            for entry in listed.filter_map(Result::ok) {
                let path = folder.join(entry.file_name());
                // Git's own files are rarely needed and can be many.
                if is_left_out(&entry.path()) || path == Path::new(GIT) {
                    continue;
                }
                let Some(kind) = kind_of(&entry) else { continue };
                if kind == CopiedEntry::Folder && RunDir::is_run(&entry.path()) {
                    continue;
                }
                room.take(&entry)?;
                if kind == CopiedEntry::Folder {
                    folders.push(path.clone());
                }
                entries.insert(path, kind);
            }
        }
        Some(Self { root: root.to_owned(), inside, entries })
    }

    /// The folder that is copied.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The user's folder, relative to the folder that is copied. Tests run there.
    #[must_use]
    pub fn inside(&self) -> &Path {
        &self.inside
    }

    /// Where a file of the user is in the copy, relative to its top. A file from elsewhere comes into the folder of the test; if
    /// that has a file of this name already, into a folder of its own.
    #[must_use]
    pub fn place_of(&self, path: &Path) -> PathBuf {
        if let Ok(place) = path.strip_prefix(&self.root)
            && !place.as_os_str().is_empty()
        {
            return place.to_owned();
        }
        let name = path.file_name().unwrap_or_default();
        let place = self.inside.join(name);
        match self.entries.contains_key(&place) {
            true => self.inside.join("howcome.candidate").join(name),
            false => place,
        }
    }

    /// Whether one of the copied files contains a text. Long files are not read: nobody writes them by hand.
    #[must_use]
    pub fn mentions(&self, text: &str) -> bool {
        const LONGEST: u64 = 1 << 20;
        let files = self.entries.iter().filter(|(_, entry)| **entry == CopiedEntry::File);
        let mut paths = files.map(|(path, _)| self.root.join(path));
        paths.any(|path| {
            // A file can grow while it is read.
            let read = || {
                let mut bytes = Vec::new();
                File::open(&path)?.take(LONGEST + 1).read_to_end(&mut bytes).map(|_| bytes)
            };
            let read: io::Result<Vec<u8>> = read();
            read.is_ok_and(|bytes| {
                bytes.len() as u64 <= LONGEST
                    && bytes.windows(text.len()).any(|window| window == text.as_bytes())
            })
        })
    }

    /// Makes the copy in a folder: an empty one, or one in which an earlier test ran. Only what that test has changed is copied
    /// again.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn write(&self, folder: &Path, left: Option<CopyStamps>) -> io::Result<CopyStamps> {
        let left = match left {
            Some(left) => self.remove_what_was_added(folder, left)?,
            None => CopyStamps::default(),
        };
        let mut stamps = BTreeMap::new();
        for (path, entry) in &self.entries {
            let place = folder.join(path);
            let then = left.0.get(path);
            let now = fs::symlink_metadata(&place).ok().map(|metadata| FileStamp::of(&metadata));
            if then.is_none() || then != now.as_ref() {
                // A file that the user has removed in the meantime is not there for anybody.
                if self.write_entry(path, entry, &place)?.is_none() {
                    continue;
                }
            }
            stamps.insert(path.clone(), FileStamp::of(&fs::symlink_metadata(&place)?));
        }
        Ok(CopyStamps(stamps))
    }

    fn write_entry(&self, path: &Path, entry: &CopiedEntry, place: &Path) -> io::Result<Option<()>> {
        if *entry != CopiedEntry::Folder || !place.is_dir() {
            crate::workspace::remove(place)?;
        }
        match entry {
            CopiedEntry::Folder => {
                fs::create_dir_all(place)?;
                fs::set_permissions(place, Permissions::from_mode(0o755))?;
            }
            CopiedEntry::Link(target) => symlink(target, place)?,
            CopiedEntry::File => {
                let original = self.root.join(path);
                let copied = writing_a_program(|| fs::copy(&original, place));
                if let Err(error) = copied {
                    let is_gone =
                        error.kind() == io::ErrorKind::NotFound && place.parent().is_some_and(Path::exists);
                    return if is_gone { Ok(None) } else { Err(error) };
                }
                // Programs such as `make` compare the times of files.
                let metadata = fs::metadata(&original)?;
                fs::set_permissions(place, Permissions::from_mode(metadata.mode() & 0o777 | 0o600))?;
                File::open(place)?.set_times(FileTimes::new().set_modified(metadata.modified()?))?;
            }
        }
        Ok(Some(()))
    }

    /// Removes everything that is not a part of the copy.
    fn remove_what_was_added(&self, folder: &Path, left: CopyStamps) -> io::Result<CopyStamps> {
        let mut folders = vec![PathBuf::new()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(folder.join(&inner))? {
                let entry = entry?;
                let path = inner.join(entry.file_name());
                let is_folder = entry.file_type()?.is_dir();
                match self.entries.get(&path) {
                    Some(CopiedEntry::Folder) if is_folder => {
                        fs::set_permissions(entry.path(), Permissions::from_mode(0o755))?;
                        folders.push(path);
                    }
                    Some(_) if !is_folder => {}
                    _ => crate::workspace::remove(&entry.path())?,
                }
            }
        }
        Ok(left)
    }
}

/// How much a copy can still take.
#[derive(Default)]
struct Room {
    files: usize,
    bytes: u64,
}

impl Room {
    fn take(&mut self, entry: &DirEntry) -> Option<()> {
        self.files += 1;
        self.bytes +=
            entry.metadata().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 });
        (self.files <= MOST_FILES && self.bytes <= MOST_BYTES).then_some(())
    }
}

/// What an entry is. Pipes, devices and files that cannot be read are left out.
fn kind_of(entry: &DirEntry) -> Option<CopiedEntry> {
    let kind = entry.file_type().ok()?;
    if kind.is_dir() {
        return Some(CopiedEntry::Folder);
    }
    if kind.is_symlink() {
        return fs::read_link(entry.path()).ok().map(CopiedEntry::Link);
    }
    (kind.is_file() && File::open(entry.path()).is_ok()).then_some(CopiedEntry::File)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    /// Everything in a folder: paths, with the contents of files.
    fn listed(folder: &Path) -> Vec<String> {
        let mut all = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(folder.join(&inner)).unwrap().map(Result::unwrap) {
                let path = inner.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    folders.push(path.clone());
                    all.push(format!("{}/", path.display()));
                } else {
                    all.push(format!("{}: {}", path.display(), fs::read_to_string(entry.path()).unwrap()));
                }
            }
        }
        all.sort();
        all
    }

    fn user_folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("Makefile", "all:"),
            ("src/a.c", "a"),
            ("src/b.c", "b"),
            ("howcome.out/run/journal.jsonl", "{}"),
            ("my-run/journal.jsonl", "{}"),
            ("my-run/run.json", "{}"),
            ("input.json", "[]"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        symlink("src/a.c", folder.path().join("link")).unwrap();
        folder
    }

    #[test]
    fn a_copy_has_everything_but_the_candidate_and_records_of_runs() {
        let (from, to) = (user_folder(), tempfile::tempdir().unwrap());
        let old = SystemTime::now() - Duration::from_secs(1000);
        File::options().write(true).open(from.path().join("src/a.c")).unwrap().set_modified(old).unwrap();
        let copy = FolderCopy::plan(from.path(), &[from.path().join("input.json")]).unwrap();
        copy.write(to.path(), None).unwrap();
        assert_eq!(listed(to.path()), ["Makefile: all:", "link: a", "src/", "src/a.c: a", "src/b.c: b"]);
        assert_eq!(fs::metadata(to.path().join("src/a.c")).unwrap().modified().unwrap(), old);
        assert_eq!(copy.place_of(&from.path().join("src/x.c")), Path::new("src/x.c"));
        assert_eq!(copy.place_of(Path::new("/elsewhere/x.c")), Path::new("x.c"));
        assert_eq!(copy.place_of(Path::new("/elsewhere/Makefile")), Path::new("howcome.candidate/Makefile"));
    }

    #[test]
    fn what_a_test_changes_in_its_copy_is_undone_and_never_reaches_the_user() {
        let (from, to) = (user_folder(), tempfile::tempdir().unwrap());
        let before = listed(from.path());
        let copy = FolderCopy::plan(from.path(), &[]).unwrap();
        let stamps = copy.write(to.path(), None).unwrap();
        let fresh = listed(to.path());
        let here = |path: &str| to.path().join(path);
        // The same size and the same time as before.
        let time = fs::metadata(here("src/a.c")).unwrap().modified().unwrap();
        fs::write(here("src/a.c"), "x").unwrap();
        File::options().write(true).open(here("src/a.c")).unwrap().set_modified(time).unwrap();
        fs::remove_file(here("Makefile")).unwrap();
        fs::create_dir_all(here("Makefile/now/a/folder")).unwrap();
        fs::create_dir(here("build")).unwrap();
        fs::write(here("src/a.o"), "").unwrap();
        fs::write(here("link"), "y").unwrap();
        fs::remove_file(here("src/b.c")).unwrap();
        fs::set_permissions(here("src"), Permissions::from_mode(0o500)).unwrap();
        copy.write(to.path(), Some(stamps)).unwrap();
        assert_eq!(listed(to.path()), fresh);
        assert_eq!(listed(from.path()), before);
    }

    #[test]
    fn the_whole_work_tree_is_copied_around_the_users_folder() {
        let (from, to) = (user_folder(), tempfile::tempdir().unwrap());
        fs::create_dir(from.path().join(GIT)).unwrap();
        let copy = FolderCopy::plan(&from.path().join("src"), &[]).unwrap();
        copy.write(to.path(), None).unwrap();
        assert_eq!(copy.inside(), Path::new("src"));
        assert!(to.path().join("Makefile").is_file() && !to.path().join(GIT).exists());
        assert_eq!(copy.place_of(Path::new("/elsewhere/a.c")), Path::new("src/howcome.candidate/a.c"));
    }

    #[test]
    fn nothing_and_too_much_are_not_copied() {
        let from = tempfile::tempdir().unwrap();
        assert!(FolderCopy::plan(from.path(), &[]).is_none());
        File::create(from.path().join("large")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(FolderCopy::plan(from.path(), &[]).is_none());
    }
}
