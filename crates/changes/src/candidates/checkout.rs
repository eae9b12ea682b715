//! A candidate on disk, changed into the next one by writing as little as possible.

use crate::candidates::candidate::Candidate;
use crate::candidates::cleaning::{FolderModes, RemainingFiles, remove_all_but, remove_others, set_times};
use crate::candidates::file_writer::{can_be_overwritten, make_way, write_files};
use crate::candidates::watch::{Touched, Watch};
use crate::trees::entry::EntryKind;
use crate::trees::tree_path::TreePath;
use howcome_lab::FileStamp;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::SystemTime;

/// The contents of a folder: a candidate, and whatever its build has added.
#[derive(Debug)]
pub struct Checkout {
    candidate: Candidate,
    /// What shows that a file is still as it was written.
    stamps: BTreeMap<TreePath, FileStamp>,
    /// The folder itself and how the folders in it were made.
    modes: FolderModes,
    /// Files that a build or a test has changed, and will probably change again.
    touched: BTreeSet<TreePath>,
    /// Reports touched files, if the system allows it. Otherwise all files are checked each time.
    watch: Option<Watch>,
    /// Whether files were added or removed since the folder was clean.
    is_rearranged: bool,
}

impl Checkout {
    /// Writes a candidate to an empty folder. All files get the same time, so that none of them looks newer than another.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn fresh(folder: &Path, candidate: Candidate) -> io::Result<Self> {
        let now = SystemTime::now();
        let stamps = write_files(folder, &candidate.files(), &HashSet::new(), now)?.into_iter().collect();
        let modes = FolderModes::of(folder, &stamps)?;
        let watch = Watch::over(folder, stamps.keys());
        Ok(Self { candidate, stamps, modes, touched: BTreeSet::new(), watch, is_rearranged: false })
    }

    /// Turns the folder into what [`Checkout::fresh`] would make of an empty one, whatever was done in it: everything else is
    /// removed, and files are written only if they differ or were changed.
    ///
    /// # Errors
    /// If something cannot be read, written or removed, or if another folder is in this place. The contents are then unknown.
    pub fn renew(&mut self, folder: &Path, candidate: Candidate) -> io::Result<()> {
        let now = SystemTime::now();
        // It would report all of this.
        self.watch = None;
        self.modes.restore_top(folder)?;
        let mut differing: BTreeSet<TreePath> = self.candidate.differences(&candidate)?.into_iter().collect();
        differing.extend(self.touched.iter().cloned());
        let files = candidate.files();
        let is_overwritable = |path: &TreePath| self.is_overwritable(&candidate, path);
        let overwritable: BTreeMap<TreePath, FileStamp> = differing
            .iter()
            .filter(|path| is_overwritable(path))
            .filter_map(|path| Some((path.clone(), *self.stamps.get(path)?)))
            .collect();
        self.stamps.retain(|path, _| candidate.at(path).is_some() && !differing.contains(path));
        let paths = files.iter().map(|(path, _)| *path);
        let RemainingFiles { kept, overwritten } =
            remove_all_but(folder, &self.modes, paths, &self.stamps, &overwritable)?;
        self.stamps.retain(|path, _| kept.contains(path));
        for (path, stamp) in &mut self.stamps {
            *stamp = set_times(&folder.join(path.as_path()), now)?;
        }
        let missing: Vec<_> = files.into_iter().filter(|(path, _)| !kept.contains(*path)).collect();
        let written = write_files(folder, &missing, &overwritten, now)?;
        drop(missing);
        self.stamps.extend(written);
        self.modes.learn(folder, &self.stamps)?;
        self.candidate = candidate;
        self.is_rearranged = false;
        self.watch = Watch::over(folder, self.stamps.keys());
        Ok(())
    }

    /// Where the candidate differs from what is there.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn differences(&self, candidate: &Candidate) -> io::Result<Vec<TreePath>> {
        self.candidate.differences(candidate)
    }

    /// Whether the other candidate lacks a file of this one, so that what was built from it would stay behind.
    #[must_use]
    pub fn loses(&self, candidate: &Candidate, differing: &[TreePath]) -> bool {
        let is_lost = |path: &&TreePath| candidate.at(path).is_none() && self.stamps.contains_key(*path);
        differing.iter().filter(is_lost).any(|path| !path.is_for_people())
    }

    /// Turns the folder into another candidate. Only files that differ, and files that something has changed in the meantime, are
    /// written, with the current time. Other files, such as those that a build has added, stay.
    ///
    /// # Errors
    /// If something cannot be read or written. The contents of the folder are then unknown.
    pub fn switch(&mut self, folder: &Path, candidate: Candidate) -> io::Result<()> {
        let now = SystemTime::now();
        self.modes.restore_top(folder)?;
        let mut differing: BTreeSet<TreePath> = self.candidate.differences(&candidate)?.into_iter().collect();
        self.look_for_touched(folder);
        differing.extend(self.touched.iter().cloned());
        // Files are removed first: a directory can replace a file.
        for path in differing.iter().filter(|path| candidate.at(path).is_none()) {
            if self.stamps.remove(path).is_some() {
                self.is_rearranged = true;
                remove(folder, path)?;
            }
        }
        let changed = differing.iter().filter_map(|path| Some((path, candidate.at(path)?)));
        let changed: Vec<_> = changed.collect();
        let mut overwritten = HashSet::new();
        for (path, _) in &changed {
            let place = make_way(folder, path)?;
            forget_bytecode(&place, |beside| {
                let beside = beside.strip_prefix(folder).ok().map(|path| path.as_os_str().as_bytes());
                beside
                    .and_then(|path| TreePath::new(path).ok())
                    .is_none_or(|path| candidate.at(&path).is_some())
            });
            let stamp = self.stamps.get(*path).filter(|_| self.is_overwritable(&candidate, path));
            let found = stamp.and_then(|stamp| Some((stamp, fs::symlink_metadata(&place).ok()?)));
            match found.is_some_and(|(stamp, found)| can_be_overwritten(&found, stamp)) {
                true => drop(overwritten.insert((*path).clone())),
                false => howcome_lab::remove(&place)?,
            }
        }
        for (path, stamp) in write_files(folder, &changed, &overwritten, now)? {
            self.is_rearranged |= self.stamps.insert(path, stamp).is_none();
        }
        drop(changed);
        self.candidate = candidate;
        // Files that were written just now do not count as touched.
        let written = differing.iter().filter(|path| self.stamps.contains_key(*path));
        let goes_on =
            |watch: &mut Watch| watch.extend(folder, written) && matches!(watch.take(), Touched::Paths(_));
        if !self.watch.as_mut().is_some_and(goes_on) {
            self.watch = Watch::over(folder, self.stamps.keys());
        }
        Ok(())
    }

    /// Removes everything that is not a file of the candidate, such as what a build has added.
    ///
    /// # Errors
    /// If something cannot be removed.
    pub fn remove_additions(&mut self, folder: &Path) -> io::Result<()> {
        self.modes.restore_top(folder)?;
        remove_others(folder, &self.stamps)?;
        self.is_rearranged = false;
        Ok(())
    }

    /// Accepts the files as they are now as written, after their times have been set.
    pub fn look_again(&mut self, folder: &Path) {
        for (path, stamp) in &mut self.stamps {
            if let Ok(found) = fs::symlink_metadata(folder.join(path.as_path())) {
                *stamp = FileStamp::of(&found);
            }
        }
        let _ = self.watch.as_mut().map(Watch::take);
    }

    /// Whether files were added or removed since the folder was clean, which can confuse a build that remembers them.
    #[must_use]
    pub fn is_rearranged(&self) -> bool {
        self.is_rearranged
    }

    /// Whether a file can get the content of another candidate if it is still as it was written.
    fn is_overwritable(&self, candidate: &Candidate, path: &TreePath) -> bool {
        let kinds = [&self.candidate, candidate].map(|candidate| candidate.at(path).map(|at| at.kind()));
        matches!(kinds[0], Some(EntryKind::File { .. }))
            && kinds[0] == kinds[1]
            && !self.touched.contains(path)
    }

    /// Finds the files that something has changed since they were written. Whatever changed a file once can change it again
    /// unnoticed, for example through a memory map, so such files are written each time from then on.
    fn look_for_touched(&mut self, folder: &Path) {
        let is_changed = |path: &TreePath, stamp: &FileStamp| {
            let now = fs::symlink_metadata(folder.join(path.as_path()));
            now.map(|now| FileStamp::of(&now)).ok() != Some(*stamp)
        };
        let told = self.watch.as_mut().map_or(Touched::Anything, Watch::take);
        let changed: Vec<TreePath> = match &told {
            Touched::Paths(paths) => {
                let known = paths.iter().filter_map(|path| self.stamps.get_key_value(path));
                known.filter(|(path, stamp)| is_changed(path, stamp)).map(|(path, _)| path.clone()).collect()
            }
            Touched::Anything => {
                let all = self.stamps.iter();
                all.filter(|(path, stamp)| is_changed(path, stamp)).map(|(path, _)| path.clone()).collect()
            }
        };
        if matches!(told, Touched::Anything) {
            self.watch = None;
        }
        self.touched.extend(changed);
    }
}

/// Python identifies the bytecode of a file by its size and the second in which it was written, and several versions of one
/// size can be written within a second. Python 2 does not even look at the size, and writes the bytecode beside the file.
fn forget_bytecode(place: &Path, is_kept: impl Fn(&Path) -> bool) {
    let (Some(stem), Some("py"), Some(parent)) =
        (place.file_stem(), place.extension().and_then(|end| end.to_str()), place.parent())
    else {
        return;
    };
    for end in ["pyc", "pyo"] {
        let beside = place.with_extension(end);
        if !is_kept(&beside) {
            let _ = fs::remove_file(beside);
        }
    }
    let mut start = stem.to_owned();
    start.push(".");
    let cache = parent.join("__pycache__");
    // A link would lead elsewhere, and without a cache there is nothing to remove.
    if !fs::symlink_metadata(&cache).is_ok_and(|found| found.is_dir()) {
        return;
    }
    for entry in fs::read_dir(&cache).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The files of a candidate that something has changed since it was written to an empty folder.
#[must_use]
pub fn changed_since_written(folder: &Path, candidate: &Candidate) -> Vec<TreePath> {
    let files = candidate.base.tree().iter().map(|(path, _)| path);
    let files =
        files.filter(|path| candidate.at(path).is_some_and(|at| matches!(at.kind(), EntryKind::File { .. })));
    let modified = |path: &TreePath| {
        fs::symlink_metadata(folder.join(path.as_path())).and_then(|metadata| metadata.modified()).ok()
    };
    let times: Vec<(&TreePath, Option<SystemTime>)> = files.map(|path| (path, modified(path))).collect();
    // All were written at the same time, before anything else could happen.
    let written = times.iter().filter_map(|(_, time)| *time).min();
    times.into_iter().filter(|(_, time)| *time != written).map(|(path, _)| path.clone()).collect()
}

/// Removes a file, and the directories above it that become empty.
fn remove(folder: &Path, path: &TreePath) -> io::Result<()> {
    let place = make_way(folder, path)?;
    howcome_lab::remove(&place)?;
    let mut above = place.parent();
    while let Some(directory) = above.filter(|directory| *directory != folder) {
        if fs::remove_dir(directory).is_err() {
            break;
        }
        above = directory.parent();
    }
    Ok(())
}
