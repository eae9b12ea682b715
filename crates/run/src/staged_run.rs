//! A new run, made beside its place and moved there when it is complete.

use crate::run_dir_error::RunDirError;
use crate::run_file::{RunFile, write_run_file};
use crate::run_inputs::{RunInputs, hash_all_in};
use crate::run_lock::lock;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// The files and folders of a run that are not its input.
const OWN: [&str; 4] = ["lock", ".gitignore", "log", "best"];

/// How often the parent of the folder is created again if it disappears.
const MOST_TRIES: u32 = 100;

/// The folder of a new run that is not complete yet. When dropped, it is removed.
///
/// So a folder that looks like a run is one that can be resumed, whenever howcome was killed.
#[derive(Debug)]
pub(crate) struct StagedRun {
    folder: PathBuf,
    /// The folders above it that do not exist yet, the innermost first.
    new_parents: Vec<PathBuf>,
}

impl StagedRun {
    /// Chooses a folder beside the place of a run. Nothing is created yet.
    pub(crate) fn beside(place: &Path) -> Self {
        let parent = place.parent().unwrap_or(Path::new(""));
        // Unique, also among processes that have the same id in different containers.
        let number = RandomState::new().build_hasher().finish();
        let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && fs::symlink_metadata(folder).is_err();
        let new_parents = parent.ancestors().take_while(is_new).map(Path::to_owned).collect();
        Self { folder: parent.join(format!(".howcome-{number:016x}")), new_parents }
    }

    /// The folder, and the folders above it that have to be removed with it if they are empty.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        std::iter::once(&self.folder).chain(&self.new_parents).cloned().collect()
    }

    /// Creates the folder with everything in it, `run.json` last. Returns the lock.
    pub(crate) fn fill(&self, file: &mut RunFile, inputs: &dyn RunInputs) -> Result<File, RunDirError> {
        let io = |at: &Path| {
            let at = at.to_owned();
            move |source| RunDirError::Io { path: at, source }
        };
        let folder = &self.folder;
        self.create().map_err(io(folder))?;
        let lock = lock(folder)?;
        // Runs must not be committed to a repository.
        fs::write(folder.join(".gitignore"), "*\n").map_err(io(folder))?;
        fs::create_dir(folder.join("log")).map_err(io(folder))?;
        fs::create_dir(folder.join("best")).map_err(io(folder))?;
        inputs.write_into(folder).map_err(|(path, source)| RunDirError::Io { path, source })?;
        file.inputs = hash_all_in(folder, &OWN).map_err(io(folder))?;
        write_run_file(folder, file)?;
        Ok(lock)
    }

    fn create(&self) -> io::Result<()> {
        let mut tries = 0;
        loop {
            if let Some(parent) = self.folder.parent() {
                fs::create_dir_all(parent)?;
            }
            match fs::create_dir(&self.folder) {
                // Another howcome has just removed the parent, because it was empty.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MOST_TRIES => tries += 1,
                created => return created,
            }
        }
    }

    /// Moves the folder to the first of these places where nothing is. Returns the place.
    pub(crate) fn move_to(self, places: impl IntoIterator<Item = PathBuf>) -> Result<PathBuf, RunDirError> {
        let mut taken = PathBuf::new();
        for place in places {
            match rename_if_free(&self.folder, &place) {
                Ok(()) => {
                    std::mem::forget(self);
                    return Ok(place);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = place,
                Err(source) => return Err(RunDirError::Io { path: place, source }),
            }
        }
        Err(RunDirError::Exists(taken))
    }
}

impl Drop for StagedRun {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        for parent in &self.new_parents {
            let _ = fs::remove_dir(parent);
        }
    }
}

fn rename_if_free(folder: &Path, place: &Path) -> io::Result<()> {
    match renameat_with(CWD, folder, CWD, place, RenameFlags::NOREPLACE) {
        // Some file systems do not know this flag. Another howcome would have to choose the same place at this very moment.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => match fs::symlink_metadata(place) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(folder, place),
        },
        renamed => Ok(renamed?),
    }
}
