//! The append-only record of a run, one JSON object per line.

use crate::Problem;
use crate::entry::{Entry, JOURNAL_VERSION};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes entries to a file and passes them on to a watcher.
///
/// If the journal can no longer be written (disk full, read-only), the run continues with a journal in memory.
pub struct Journal {
    file: Option<File>,
    /// How many bytes of it are intact.
    written: u64,
    buffer: Vec<u8>,
    /// Entries that could not be written.
    unwritten: Vec<Entry>,
    lost: Option<io::Error>,
    /// Steps of an earlier session that the searches have not repeated yet.
    replay: VecDeque<Entry>,
    watcher: Box<dyn Watcher>,
}

/// Watches a run.
pub trait Watcher {
    /// An entry was added.
    fn entry(&mut self, _entry: &Entry) {}

    /// The driver waits for a test.
    fn waiting(&mut self, _waiting: Waiting<'_>) {}
}

/// What the driver waits for.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// The question that is asked now.
    pub question: &'a howcome_dd::Question,
    /// How many tests are running.
    pub running: usize,
    /// About how many questions are left, if the search can estimate that.
    pub questions_left: Option<f64>,
}

/// A watcher that ignores everything.
pub struct NoWatcher;

impl Watcher for NoWatcher {}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A line other than the last one cannot be read.
    #[error("{}, line {line}: {source}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// It was written by a newer howcome.
    #[error("{} has journal version {version}; this howcome reads versions up to {JOURNAL_VERSION}", path.display())]
    Newer {
        /// The journal.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The search does not ask what the record says.
    #[error(
        "the search does not match the record at this point ({recorded}), so the run cannot be continued"
    )]
    Diverged {
        /// The recorded step.
        recorded: String,
    },
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// The content of a journal.
#[derive(Debug, Default)]
pub struct Recorded {
    /// Its entries, in order.
    pub entries: Vec<Entry>,
    /// The last line was damaged and was dropped. That happens if a run is killed while it writes.
    pub last_line_damaged: bool,
    /// How many bytes the intact lines take.
    sound: u64,
}

/// Reads a journal.
///
/// # Errors
/// If it cannot be read, is damaged in a line other than the last one, or is of a newer version.
pub fn read_journal(path: &Path) -> Result<Recorded, JournalError> {
    let bytes = fs::read(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    let mut recorded = Recorded::default();
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let is_last = lines.peek().is_none();
        match serde_json::from_slice(line) {
            Ok(Entry::Opened { journal, .. }) if journal > JOURNAL_VERSION => {
                return Err(JournalError::Newer { path: path.to_owned(), version: journal });
            }
            Ok(entry) if line.ends_with(b"\n") => {
                recorded.entries.push(entry);
                recorded.sound += line.len() as u64;
            }
            Err(source) if !is_last => {
                return Err(JournalError::Damaged { path: path.to_owned(), line: index + 1, source });
            }
            _ => recorded.last_line_damaged = true,
        }
    }
    Ok(recorded)
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        let hint = match &error {
            JournalError::Damaged { .. } => {
                Some("the lines before it are intact: delete this line and all lines after it, then resume")
            }
            JournalError::Newer { .. } => Some("use the version of howcome that wrote it"),
            JournalError::Diverged { .. } => {
                Some("start a new run: howcome or the test has changed since this run began")
            }
            JournalError::Io { .. } => None,
        };
        Self::hinted(&error, hint.map(str::to_owned))
    }
}

impl Journal {
    /// Begins a new journal.
    #[must_use]
    pub fn create(path: &Path, watcher: Box<dyn Watcher>) -> Self {
        let file = OpenOptions::new().create_new(true).append(true).open(path);
        Self::over(file, 0, VecDeque::new(), watcher)
    }

    /// Continues a journal. Recorded steps are not written again.
    #[must_use]
    pub fn resume(path: &Path, recorded: &Recorded, watcher: Box<dyn Watcher>) -> Self {
        let open = || {
            let file = OpenOptions::new().append(true).open(path)?;
            file.set_len(recorded.sound)?;
            Ok(file)
        };
        let replay = recorded.entries.iter().filter(|entry| is_step(entry)).cloned().collect();
        Self::over(open(), recorded.sound, replay, watcher)
    }

    /// A journal in memory only.
    #[must_use]
    pub fn in_memory(replay: &[Entry], watcher: Box<dyn Watcher>) -> Self {
        let replay = replay.iter().filter(|entry| is_step(entry)).cloned().collect();
        Self {
            file: None,
            written: 0,
            buffer: Vec::new(),
            unwritten: Vec::new(),
            lost: None,
            replay,
            watcher,
        }
    }

    fn over(
        file: io::Result<File>,
        written: u64,
        replay: VecDeque<Entry>,
        watcher: Box<dyn Watcher>,
    ) -> Self {
        let (file, lost) = match file {
            Ok(file) => (Some(file), None),
            Err(error) => (None, Some(error)),
        };
        Self { file, written, buffer: Vec::new(), unwritten: Vec::new(), lost, replay, watcher }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If an earlier session recorded another step at this point.
    pub fn add(&mut self, entry: Entry) -> Result<(), JournalError> {
        self.watcher.entry(&entry);
        if is_step(&entry)
            && let Some(recorded) = self.replay.pop_front()
        {
            return if recorded == entry { Ok(()) } else { Err(diverged(&recorded)) };
        }
        if self.file.is_some() && serde_json::to_writer(&mut self.buffer, &entry).is_ok() {
            self.buffer.push(b'\n');
        }
        // Kept until it is written, in case it cannot be written.
        self.unwritten.push(entry);
        Ok(())
    }

    /// Writes the added entries. A killed run loses nothing that was flushed.
    pub fn flush(&mut self) {
        if let Some(file) = &mut self.file {
            match file.write_all(&self.buffer) {
                Ok(()) => {
                    self.written += self.buffer.len() as u64;
                    self.unwritten.clear();
                }
                Err(error) => {
                    // The incomplete line is cut off; its entry is in memory.
                    let _ = file.set_len(self.written);
                    self.file = None;
                    self.lost = Some(error);
                }
            }
            self.buffer.clear();
        }
    }

    /// Why the journal cannot be written. Returned only once.
    pub fn take_lost(&mut self) -> Option<io::Error> {
        self.lost.take()
    }

    /// The entries that are in memory only.
    #[must_use]
    pub fn unwritten(&self) -> &[Entry] {
        &self.unwritten
    }

    /// Whether the searches still repeat the steps of an earlier session.
    pub(crate) fn is_replaying(&self) -> bool {
        !self.replay.is_empty()
    }

    pub(crate) fn watcher(&mut self) -> &mut dyn Watcher {
        self.watcher.as_mut()
    }
}

fn is_step(entry: &Entry) -> bool {
    matches!(entry, Entry::Stage { .. } | Entry::Told { .. })
}

fn diverged(recorded: &Entry) -> JournalError {
    let recorded = serde_json::to_string(recorded).unwrap_or_else(|error| error.to_string());
    JournalError::Diverged { recorded }
}
