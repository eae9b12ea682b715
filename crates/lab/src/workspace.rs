//! The folder in which a test runs: empty at the start and removed at the end, unless the next test takes it over.

use crate::placement::keep_folders_apart;
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// With fewer free bytes than this, a test might not have written everything.
const ROOM_NEEDED: u64 = 1 << 20;

/// The folder of one worker, with the workspace of its current test and a place for temporary files.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: PathBuf,
    work: ManagedFolder,
    temp: ManagedFolder,
    /// No test has run since both folders were emptied.
    is_empty: bool,
    /// When the current test began.
    began: SystemTime,
}

/// A folder with which a test can do anything.
#[derive(Debug)]
struct ManagedFolder {
    path: PathBuf,
    /// The identity of the folder, if it was empty when it was last checked.
    made: Option<FolderIdentity>,
    /// When it was last changed, according to the file system, if it was empty afterwards.
    untouched_since: Option<SystemTime>,
}

/// File times have a limited resolution. A change to a folder at least this long after another one shows in its times.
const STEP_OF_TIMES: Duration = Duration::from_millis(25);

/// When a folder, or what is in it, was last changed. Tests can set the time of modification, but not this one.
fn changed_at(metadata: &Metadata) -> SystemTime {
    let seconds = Duration::from_secs(metadata.ctime().max(0).unsigned_abs());
    SystemTime::UNIX_EPOCH + seconds + Duration::from_nanos(metadata.ctime_nsec().unsigned_abs())
}

/// Identifies a folder, including its permissions and owners.
#[derive(Debug, PartialEq, Eq)]
struct FolderIdentity {
    device: u64,
    inode: u64,
    mode: u32,
    owners: (u32, u32),
}

impl FolderIdentity {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            mode: metadata.mode(),
            owners: (metadata.uid(), metadata.gid()),
        }
    }
}

impl ManagedFolder {
    fn new(path: PathBuf) -> Self {
        Self { path, made: None, untouched_since: None }
    }

    /// Empties the folder after a test that began at this time. Removes the folder if it is not the one that was
    /// created.
    fn clear(&mut self, began: SystemTime) -> io::Result<()> {
        // Emptying a folder, which is mostly empty already, is much cheaper than creating another one. The time of its last
        // change shows even more cheaply that nothing was written to it.
        let made = self.made.take();
        if let (Some(made), Ok(now)) = (made, fs::symlink_metadata(&self.path))
            && FolderIdentity::of(&now) == made
        {
            let is_untouched = self.untouched_since.is_some_and(|since| {
                changed_at(&now) == since
                    && began.duration_since(since).is_ok_and(|after| after > STEP_OF_TIMES)
            });
            if is_untouched {
                self.made = Some(made);
                return Ok(());
            }
            self.untouched_since = None;
            if let Ok(was_empty) = empty(&self.path) {
                self.untouched_since = was_empty.then(|| changed_at(&now));
                self.made = Some(made);
                return Ok(());
            }
        }
        remove(&self.path)
    }

    fn make(&mut self) -> io::Result<()> {
        if self.made.is_none() {
            fs::create_dir(&self.path)?;
            let metadata = fs::symlink_metadata(&self.path)?;
            self.untouched_since = Some(changed_at(&metadata));
            self.made = Some(FolderIdentity::of(&metadata));
        }
        Ok(())
    }
}

/// The names of the two folders in the folder of a worker: for running tests, and for their temporary files.
pub(crate) const WORK: &str = "work";
pub(crate) const TEMP: &str = "temp";

impl Workspace {
    /// Nothing is created before it is needed, so a worker that never works leaves nothing to clean up.
    pub(crate) fn new(folder: PathBuf) -> Self {
        let [work, temp] = [folder.join(WORK), temporary_files(&folder)].map(ManagedFolder::new);
        Self { folder, work, temp, is_empty: false, began: SystemTime::UNIX_EPOCH }
    }

    /// The worker's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in which the test runs.
    pub(crate) fn path(&self) -> &Path {
        &self.work.path
    }

    /// Makes an empty workspace, whatever was there before.
    pub(crate) fn renew(&mut self) -> io::Result<()> {
        if !self.is_empty {
            self.clear()?;
        }
        if self.work.make().and_then(|()| self.temp.make()).is_err() {
            // The test can have removed or locked the folder.
            fs::create_dir_all(&self.folder)?;
            allow(&self.folder)?;
            self.clear()?;
            self.work.make()?;
            self.temp.make()?;
        }
        // A test will run in it now.
        (self.is_empty, self.began) = (false, SystemTime::now());
        Ok(())
    }

    /// Takes over the workspace of the previous test, except its temporary files.
    pub(crate) fn take_over(&mut self) -> io::Result<()> {
        self.temp.clear(self.began)?;
        self.temp.make()?;
        // The folder now contains files that `make` did not create.
        (self.work.made, self.is_empty, self.began) = (None, false, SystemTime::now());
        Ok(())
    }

    /// Removes everything in the workspace.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let cleared = self.work.clear(self.began).and(self.temp.clear(self.began));
        self.is_empty = cleared.is_ok();
        cleared
    }

    /// Moves the workspace to another place on the same file system, for a later look.
    pub(crate) fn keep_as(&mut self, place: &Path) -> io::Result<()> {
        (self.work.made, self.is_empty) = (None, false);
        match fs::rename(&self.work.path, place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(place),
            done => done,
        }
    }

    /// Moves a folder from another place on the same file system here.
    pub(crate) fn adopt(&mut self, place: &Path) -> io::Result<()> {
        self.renew()?;
        self.work.made = None;
        // Replaces the empty folder.
        fs::rename(place, &self.work.path)
    }

    /// Describes the problem if the file system is full.
    pub(crate) fn no_room(&self) -> Option<String> {
        let state = nix::sys::statvfs::statvfs(&self.folder).ok()?;
        // Some file systems do not count and report zero for everything.
        let free = state.blocks_available().saturating_mul(state.fragment_size());
        if state.blocks() > 0 && free < ROOM_NEEDED {
            return Some(format!("{free} bytes are left on the file system of {}", self.folder.display()));
        }
        (state.files() > 0 && state.files_available() == 0)
            .then(|| format!("no more files can be made on the file system of {}", self.folder.display()))
    }
}

/// Makes the folder of a worker, and the folder in which it is if this is the first worker.
pub(crate) fn make_folder(folder: &Path, is_first: bool) -> io::Result<()> {
    let root = folder.parent().filter(|_| is_first);
    if let Some(root) = root {
        // Candidates can contain files that other users of the machine must not read.
        DirBuilder::new().mode(0o700).create(root)?;
        keep_folders_apart(root);
    }
    match fs::create_dir(folder) {
        // Another warden of this worker was killed.
        Err(error) if !is_first && error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.inspect_err(|_| drop(root.map(fs::remove_dir))),
    }
}

/// The folder for temporary files of a worker's tests. Killed tests leave them behind, so they must not go to `/tmp`.
pub(crate) fn temporary_files(folder: &Path) -> PathBuf {
    folder.join(TEMP)
}

/// Empties a folder. Returns whether it was empty already.
fn empty(folder: &Path) -> io::Result<bool> {
    let mut was_empty = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        was_empty = false;
        if entry.file_type()?.is_dir() {
            remove(&entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(was_empty)
}

/// Removes a folder and everything in it, including read-only folders, however deeply they are nested.
///
/// # Errors
/// If something in it belongs to another user, or is in use as a mount point.
pub fn remove(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(metadata) if !metadata.is_dir() => return fs::remove_file(folder),
        other => other.map(drop)?,
    }
    // Folders can be nested deeper than the longest path or the stack allow. So each folder found inside is moved up,
    // next to those that wait for removal, and all paths stay short.
    allow(folder)?;
    let mut waiting = vec![folder.to_owned()];
    let mut found = 0_u64;
    while let Some(next) = waiting.pop() {
        // Read completely first: entries that are moved into a folder while it is read might or might not be listed.
        let entries: Vec<_> = fs::read_dir(&next)?.collect::<io::Result<_>>()?;
        for entry in entries {
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            // Moving a folder changes its `..` entry, so it must be writable.
            allow(&entry.path())?;
            if fs::remove_dir(entry.path()).is_ok() {
                continue;
            }
            let aside = loop {
                found += 1;
                let aside = folder.join(format!(".howcome-{found}"));
                if fs::symlink_metadata(&aside).is_err() {
                    break aside;
                }
            };
            fs::rename(entry.path(), &aside)?;
            waiting.push(aside);
        }
        if next != folder {
            fs::remove_dir(&next)?;
        }
    }
    fs::remove_dir(folder)
}

fn allow(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_is_empty_whatever_was_there_before() {
        let temp = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::new(temp.path().join("0"));
        workspace.renew().unwrap();
        fs::create_dir_all(workspace.path().join("a/b/c")).unwrap();
        fs::write(workspace.path().join("a/b/file"), "").unwrap();
        std::os::unix::fs::symlink("/", workspace.path().join("link")).unwrap();
        fs::set_permissions(workspace.path().join("a/b"), Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(workspace.path(), Permissions::from_mode(0o500)).unwrap();
        workspace.renew().unwrap();
        assert_eq!(fs::read_dir(workspace.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_whose_times_a_test_sets_back_is_emptied_too() {
        let temp = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::new(temp.path().join("0"));
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        for writes in [false, true, false] {
            workspace.renew().unwrap();
            let folder = workspace.temp.path.clone();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
            if writes {
                fs::write(folder.join("cache"), "").unwrap();
            }
            fs::File::open(&folder).unwrap().set_modified(long_ago).unwrap();
            // As if the test had begun long after the folder was last changed.
            workspace.began = SystemTime::now() + Duration::from_secs(1);
            workspace.clear().unwrap();
        }
    }

    #[test]
    fn a_workspace_that_was_removed_or_replaced_is_restored() {
        let temp = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::new(temp.path().join("0"));
        for _ in 0..2 {
            workspace.renew().unwrap();
            fs::remove_dir(workspace.path()).unwrap();
            fs::write(workspace.path(), "not a folder").unwrap();
        }
        workspace.renew().unwrap();
        fs::remove_dir_all(workspace.folder()).unwrap();
        workspace.renew().unwrap();
        assert!(workspace.path().is_dir());
    }

    #[test]
    fn folders_nested_deeper_than_the_longest_path_are_removed() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("deep");
        fs::create_dir(&folder).unwrap();
        // Built from the inside out, because no path reaches the innermost folder.
        for _ in 0..400 {
            let outer = temp.path().join("outer");
            fs::create_dir(&outer).unwrap();
            fs::write(outer.join("beside"), "").unwrap();
            fs::rename(&folder, outer.join("a folder in a folder")).unwrap();
            fs::rename(&outer, &folder).unwrap();
        }
        remove(&folder).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn the_target_of_a_link_stays() {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir_all(temp.path().join("precious/inside")).unwrap();
        let folder = temp.path().join("work");
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(temp.path().join("precious"), folder.join("link")).unwrap();
        remove(&folder).unwrap();
        assert!(temp.path().join("precious/inside").is_dir());
    }
}
