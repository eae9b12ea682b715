//! Where the files of a job are.
//!
//! ```text
//! ID/upload        what was sent, unpacked; the job never sees it
//! ID/work/files    a copy of it, in which the job works
//! ID/work/run      the folder of the run
//! ID/work/answer   the smaller input; answer.pass is one that passes and differs little
//! ID/work/tmp      temporary files
//! ID/prepared      exists when `files` is complete
//! ID/messages      what the commands printed
//! ID/lock          locked while any process of the job lives
//! ```
//!
//! The job can write to `work`, and can put links there. So nothing below them is opened by its path: see
//! `guarded_file`.

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Below `work`.
pub(crate) const FILES: &str = "files";
pub(crate) const RUN: &str = "run";
pub(crate) const ANSWER: &str = "answer";
pub(crate) const PASSING_ANSWER: &str = "answer.pass";
pub(crate) const TEMPORARY: &str = "tmp";

/// How long processes of a killed service may take to end: 30 seconds.
const LOCK_ATTEMPTS: u32 = 600;
/// They may end by themselves for this many attempts.
const PATIENT_ATTEMPTS: u32 = 20;
/// What the name of a file and the little that is known about it take.
const SMALLEST_FILE: u64 = 512;
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

    /// A lock that processes of the job inherit as their input. Waits for those that a killed service has left, and then ends them: one that
    /// was killed while it put up the walls can leave a process that waits forever.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let path = self.path.join("lock");
        drop(OpenOptions::new().create(true).append(true).open(&path)?);
        let file = File::open(path)?;
        for attempt in 0..LOCK_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => {
                    if attempt >= PATIENT_ATTEMPTS {
                        end_those_with_input(&file)?;
                    }
                    thread::sleep(LOCK_PERIOD);
                }
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

    /// How many bytes its files take, as far as that can be seen.
    pub(crate) fn bytes(&self) -> i64 {
        i64::try_from(self.measure().0).unwrap_or(i64::MAX)
    }

    /// How many bytes its files take; `None` if a folder in it cannot be read.
    pub(crate) fn bytes_if_known(&self) -> Option<u64> {
        let (bytes, is_known) = self.measure();
        is_known.then_some(bytes)
    }

    /// A file takes space even if it is empty.
    fn measure(&self) -> (u64, bool) {
        let (mut bytes, mut is_known) = (0u64, true);
        let mut open = vec![self.path.clone()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(folder) {
                Ok(entries) => entries,
                // It was just removed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => {
                    is_known = false;
                    continue;
                }
            };
            for entry in entries.flatten() {
                let Ok(about) = entry.metadata() else { continue };
                bytes = bytes.saturating_add(SMALLEST_FILE);
                match about.is_dir() {
                    true => open.push(entry.path()),
                    false => bytes = bytes.saturating_add(about.len()),
                }
            }
        }
        (bytes, is_known)
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        remove_if_there(&self.path)
    }
}

/// Ends all processes of this machine whose input is a file.
fn end_those_with_input(file: &File) -> io::Result<()> {
    let about = file.metadata()?;
    for process in fs::read_dir("/proc")?.flatten() {
        let pid = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        let Some(handle) = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { continue };
        let input = fs::metadata(process.path().join("fd/0"));
        if input.is_ok_and(|input| (input.dev(), input.ino()) == (about.dev(), about.ino())) {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
        }
    }
    Ok(())
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
    fn empty_files_take_space_and_a_folder_that_is_too_deep_is_noticed() {
        let jobs = tempfile::tempdir().unwrap();
        let folder = JobFolder::of(jobs.path(), "abcdefghijklmnopqrstuvwxyz");
        fs::create_dir_all(folder.work()).unwrap();
        for number in 0..100 {
            fs::write(folder.work().join(number.to_string()), "").unwrap();
        }
        assert!(folder.bytes() >= 100 * 512);
        assert!(folder.bytes_if_known().is_some());
        // Longer than any path that can be opened at once.
        let name = "x".repeat(200);
        let mut deep = File::open(folder.work()).unwrap();
        for _ in 0..30 {
            rustix::fs::mkdirat(&deep, &name, rustix::fs::Mode::RWXU).unwrap();
            let flags = rustix::fs::OFlags::DIRECTORY;
            deep = rustix::fs::openat(&deep, &name, flags, rustix::fs::Mode::empty()).unwrap().into();
        }
        assert_eq!(folder.bytes_if_known(), None);
        folder.remove().unwrap();
        assert!(!folder.path().exists());
    }

    #[test]
    fn a_process_that_an_earlier_service_has_left_is_ended() {
        let jobs = tempfile::tempdir().unwrap();
        let folder = JobFolder::of(jobs.path(), "abcdefghijklmnopqrstuvwxyz");
        fs::create_dir_all(folder.path()).unwrap();
        let lock = folder.lock().unwrap();
        let mut left = std::process::Command::new("sleep").arg("1000").stdin(lock).spawn().unwrap();
        drop(folder.lock().unwrap());
        assert!(!left.wait().unwrap().success());
    }

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
