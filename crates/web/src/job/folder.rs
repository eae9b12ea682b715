//! Where the files of a job are.
//!
//! ```text
//! ID/upload        what was sent, unpacked; the job never sees it
//! ID/work/files    a copy of it, in which the job works
//! ID/work/run      the folder of the run
//! ID/work/answer   the smaller input
//! ID/work/tmp      temporary files
//! ID/prepared      exists when `files` is complete
//! ID/messages      what the commands printed
//! ID/lock          locked while any process of the job lives
//! ```
//!
//! The job can write to `work`, and can put links there. So nothing below them is opened by its path: see
//! `guarded_file`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Below `work`.
pub(crate) const FILES: &str = "files";
pub(crate) const RUN: &str = "run";
pub(crate) const ANSWER: &str = "answer";
pub(crate) const TEMPORARY: &str = "tmp";

/// How long processes of a killed service may take to end: 30 seconds.
const LOCK_ATTEMPTS: u32 = 600;
const LOCK_PERIOD: Duration = Duration::from_millis(50);

/// The folder of a job.
#[derive(Clone, Debug)]
pub(crate) struct JobFolder {
    path: PathBuf,
}

impl JobFolder {
    /// The folder of a job with a valid id.
    pub(crate) fn of(jobs: &Path, id: &str) -> Self {
        debug_assert!(is_id(id));
        Self { path: jobs.join(id) }
    }

    /// A folder that has another name for now.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn upload(&self) -> PathBuf {
        self.path.join("upload")
    }

    /// All that the job can write to.
    pub(crate) fn work(&self) -> PathBuf {
        self.path.join("work")
    }

    pub(crate) fn messages(&self) -> PathBuf {
        self.path.join("messages")
    }

    /// What a command that asks further printed.
    pub(crate) fn answer(&self) -> PathBuf {
        self.path.join("answer.json")
    }

    pub(crate) fn is_prepared(&self) -> bool {
        self.path.join("prepared").exists()
    }

    pub(crate) fn mark_prepared(&self) -> io::Result<()> {
        fs::write(self.path.join("prepared"), "")
    }

    /// A lock that processes of the job inherit. Waits for those that a killed service has left to end.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let path = self.path.join("lock");
        drop(OpenOptions::new().create(true).append(true).open(&path)?);
        let file = File::open(path)?;
        for _ in 0..LOCK_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PERIOD),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other("processes of an earlier attempt do not end"))
    }

    /// Makes a fresh copy of what was uploaded. What an interrupted attempt has left is removed.
    pub(crate) fn make_files(&self) -> io::Result<()> {
        remove_if_there(&self.work())?;
        fs::create_dir(self.work())?;
        copy_folder(&self.upload(), &self.work().join(FILES))?;
        self.make_temporary()
    }

    /// An empty folder for temporary files.
    pub(crate) fn make_temporary(&self) -> io::Result<()> {
        let folder = self.work().join(TEMPORARY);
        remove_if_there(&folder)?;
        fs::create_dir(folder)
    }

    /// How many bytes its files take.
    pub(crate) fn bytes(&self) -> i64 {
        let mut bytes = 0i64;
        let mut open = vec![self.path.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(about) = entry.metadata() else { continue };
                if about.is_dir() {
                    open.push(entry.path());
                } else {
                    bytes = bytes.saturating_add(i64::try_from(about.len()).unwrap_or(i64::MAX));
                }
            }
        }
        bytes
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        remove_if_there(&self.path)
    }
}

/// Whether a text is the id of a job: it becomes part of a path.
pub(crate) fn is_id(text: &str) -> bool {
    (16..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    for attempt in 0.. {
        make_removable(path);
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            // A process that is being killed can still have made a file.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty && attempt < LOCK_ATTEMPTS => {
                thread::sleep(LOCK_PERIOD);
            }
            removed => return removed,
        }
    }
    Ok(())
}

/// A job can leave folders behind that not even their owner may write to.
fn make_removable(path: &Path) {
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(about) = fs::symlink_metadata(&folder) else { continue };
        if !about.is_dir() {
            continue;
        }
        if about.permissions().mode() & 0o700 != 0o700 {
            let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        }
        let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
        open.extend(
            inside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|e| e.path()),
        );
    }
}

/// Copies plain files and folders. There is nothing else in what was uploaded.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type()? {
            kind if kind.is_dir() => copy_folder(&source, &target)?,
            kind if kind.is_file() => drop(fs::copy(&source, &target)?),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_leaves_the_folder_of_jobs() {
        for text in
            ["..", "", "../../etc/passwd", "abc", "abcdefghijklmnopq/", "ABCDEFGHIJKLMNOPQRST", "%2e%2e"]
        {
            assert!(!is_id(text), "{text}");
        }
        assert!(is_id(&crate::secret::random_text(26).unwrap()));
    }
}
