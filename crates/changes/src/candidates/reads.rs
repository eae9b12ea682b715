//! The files of a folder that nothing reads, by their access times: no privileges, no tracing of processes.
//!
//! File systems record when a file was last read, at least if that was before it was last changed (`relatime`). So all access
//! times are set far back, and a file that still has that time afterwards was not read. Writing a file and asking for its size
//! do not count as reads. Modification times stay as they are, so that `make` does not notice.
//!
//! The content of a file that was not read cannot have mattered, but its existence can. And a build that starts from the
//! results of an earlier one reads less than a build from scratch.

use crate::trees::tree_path::TreePath;
use nix::fcntl::{AT_FDCWD, OFlag, open};
use nix::sys::stat::{Mode, UtimensatFlags, utimensat};
use nix::sys::time::TimeSpec;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// In 2001: before any file of interest was changed, and a time that every file system can record.
const FAR_BACK: i64 = 1_000_000_000;

/// An observation of a folder that has begun.
#[derive(Debug)]
pub struct ReadTrace {
    root: PathBuf,
    paths: BTreeSet<TreePath>,
}

impl ReadTrace {
    /// Begins to watch these files of a folder; `None` if its file system does not record every kind of read, or if there is
    /// nothing to watch.
    ///
    /// It watches files with content and symbolic links in the folder itself, but not the targets of links or mounted folders.
    /// Other files, and files that do not exist, are never reported as unread.
    pub fn begin<'a>(root: &Path, paths: impl Iterator<Item = &'a TreePath>) -> io::Result<Option<Self>> {
        let device = fs::metadata(root)?.dev();
        let mut folders = Folders::new(root);
        let mut watched = BTreeSet::new();
        let mut noted = None;
        for path in paths {
            let place = root.join(path.as_path());
            let Some(metadata) = folders.hold(path).then(|| metadata(&place)).transpose()?.flatten() else {
                continue;
            };
            let can_be_watched = (metadata.is_file() && metadata.size() > 0) || metadata.is_symlink();
            if !can_be_watched || metadata.dev() != device {
                continue;
            }
            if metadata.is_file() && noted.is_none() {
                noted = Some(are_reads_noted(root, &place)?);
            }
            if noted == Some(false) {
                return Ok(None);
            }
            set_back(&place)?;
            watched.insert(path.clone());
        }
        Ok((noted == Some(true)).then(|| Self { root: root.to_owned(), paths: watched }))
    }

    /// The files that were not read since.
    #[must_use]
    pub fn finish(self) -> BTreeSet<TreePath> {
        let root = self.root.clone();
        self.finish_in(&root)
    }

    /// The same if the folder was moved in the meantime.
    #[must_use]
    pub fn finish_in(self, root: &Path) -> BTreeSet<TreePath> {
        let mut folders = Folders::new(root);
        let mut is_unread =
            |path: &TreePath| folders.hold(path) && is_set_back(&root.join(path.as_path())).unwrap_or(false);
        self.paths.iter().filter(|path| is_unread(path)).cloned().collect()
    }
}

/// Whether reading this file, and copying it, changes its access time. Some file systems copy by sharing blocks, and do not
/// count that as an access.
fn are_reads_noted(root: &Path, file: &Path) -> io::Result<bool> {
    set_back(file)?;
    // A file system that records only the day, or nothing at all.
    if !is_set_back(file)? {
        return Ok(false);
    }
    File::open(file)?.read_exact(&mut [0])?;
    if is_set_back(file)? {
        return Ok(false);
    }
    // A file without a name: nobody sees it, and it is removed when it is closed, whatever happens.
    let flags = OFlag::O_TMPFILE | OFlag::O_RDWR | OFlag::O_CLOEXEC;
    let Ok(copy) = open(root, flags, Mode::S_IRUSR | Mode::S_IWUSR) else { return Ok(false) };
    set_back(file)?;
    io::copy(&mut File::open(file)?, &mut File::from(copy))?;
    Ok(!is_set_back(file)?)
}

fn set_back(place: &Path) -> io::Result<()> {
    let far_back = TimeSpec::new(FAR_BACK, 0);
    utimensat(AT_FDCWD, place, &far_back, &TimeSpec::UTIME_OMIT, UtimensatFlags::NoFollowSymlink)?;
    Ok(())
}

fn is_set_back(place: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(place)?;
    Ok((metadata.atime(), metadata.atime_nsec()) == (FAR_BACK, 0))
}

/// The status of what is there, if anything is.
fn metadata(place: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(place) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The folders within a folder: a link among them could lead out of it.
struct Folders<'a> {
    root: &'a Path,
    known: BTreeMap<Vec<u8>, bool>,
}

impl<'a> Folders<'a> {
    fn new(root: &'a Path) -> Self {
        Self { root, known: BTreeMap::new() }
    }

    /// Whether all components above a path are folders.
    fn hold(&mut self, path: &TreePath) -> bool {
        path.directories().all(|folder| match self.known.get(folder) {
            Some(&is_folder) => is_folder,
            None => {
                let place = TreePath::new(folder).map(|folder| self.root.join(folder.as_path()));
                let is_folder =
                    place.is_ok_and(|place| fs::symlink_metadata(place).is_ok_and(|it| it.is_dir()));
                self.known.insert(folder.to_vec(), is_folder);
                is_folder
            }
        })
    }
}
