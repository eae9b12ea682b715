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
    replay: VecDeque<RecordedStep>,
    /// Where the searches leave the record, it is cut off.
    may_leave: bool,
    has_left: bool,
    opened: Option<Entry>,
    watcher: Box<dyn Watcher>,
}

/// A step of an earlier session.
struct RecordedStep {
    entry: Entry,
    /// Which entry of the record it is.
    index: usize,
    /// Where its line begins in the file.
    offset: u64,
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
    /// Where each line begins in the file.
    offsets: Vec<u64>,
    /// How many bytes the intact lines take.
    sound: u64,
}

/// Reads a journal.
///
/// # Errors
/// If it cannot be read, is damaged in a line other than the last one, or is of a newer version.
pub fn read_journal(path: &Path) -> Result<Recorded, JournalError> {
    let bytes = fs::read(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    parse_journal(&bytes, path)
}

/// Reads a journal from the bytes of a file. The path is for messages.
///
/// # Errors
/// If it is damaged in a line other than the last one, or is of a newer version.
pub fn parse_journal(bytes: &[u8], path: &Path) -> Result<Recorded, JournalError> {
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
                recorded.offsets.push(recorded.sound);
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
        Self::over(open(), recorded.sound, recorded_steps(&recorded.entries, &recorded.offsets), watcher)
    }

    /// For searches that may go another way than the record from some step on: the record is cut off there. What was recorded
    /// after that step is lost.
    #[must_use]
    pub fn cut_where_left(self) -> Self {
        Self { may_leave: true, ..self }
    }

    /// A journal in memory only.
    #[must_use]
    pub fn in_memory(replay: &[Entry], watcher: Box<dyn Watcher>) -> Self {
        Self {
            file: None,
            written: 0,
            buffer: Vec::new(),
            unwritten: Vec::new(),
            lost: None,
            replay: recorded_steps(replay, &[]),
            may_leave: false,
            has_left: false,
            opened: None,
            watcher,
        }
    }

    fn over(
        file: io::Result<File>,
        written: u64,
        replay: VecDeque<RecordedStep>,
        watcher: Box<dyn Watcher>,
    ) -> Self {
        let (file, lost) = match file {
            Ok(file) => (Some(file), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            file,
            written,
            buffer: Vec::new(),
            unwritten: Vec::new(),
            lost,
            replay,
            may_leave: false,
            has_left: false,
            opened: None,
            watcher,
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If an earlier session recorded another step at this point.
    pub fn add(&mut self, entry: Entry) -> Result<(), JournalError> {
        self.watcher.entry(&entry);
        if is_step(&entry)
            && let Some(recorded) = self.replay.front()
        {
            if recorded.entry == entry {
                self.replay.pop_front();
                return Ok(());
            }
            let problem = diverged(&recorded.entry);
            if !self.leave_record() {
                return Err(problem);
            }
        }
        if let Entry::Opened { .. } = entry {
            self.opened = Some(entry.clone());
        }
        self.append(entry);
        Ok(())
    }

    fn append(&mut self, entry: Entry) {
        if self.file.is_some() && serde_json::to_writer(&mut self.buffer, &entry).is_ok() {
            self.buffer.push(b'\n');
        }
        // Kept until it is written, in case it cannot be written.
        self.unwritten.push(entry);
    }

    /// Cuts the record off before the next recorded step, if that is allowed. Returns whether it was.
    pub(crate) fn leave_record(&mut self) -> bool {
        let (true, Some(next), Some(file)) = (self.may_leave, self.replay.front(), &mut self.file) else {
            return false;
        };
        self.written = next.offset;
        if let Err(error) = file.set_len(next.offset) {
            (self.file, self.lost) = (None, Some(error));
        }
        self.replay.clear();
        self.has_left = true;
        // What this session has written so far is cut off, too.
        if let Some(opened) = self.opened.clone() {
            self.append(opened);
        }
        true
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

    /// How many entries of the record come before its next step. `None` if there is no next step, or the searches must not leave the
    /// record.
    pub(crate) fn entries_before_next_step(&self) -> Option<usize> {
        self.replay.front().filter(|_| self.may_leave).map(|next| next.index)
    }

    /// Whether the searches have left the record of an earlier session.
    pub(crate) fn has_left_record(&self) -> bool {
        self.has_left
    }

    pub(crate) fn watcher(&mut self) -> &mut dyn Watcher {
        self.watcher.as_mut()
    }
}

/// The steps among some entries. The offsets are those of a file.
fn recorded_steps(entries: &[Entry], offsets: &[u64]) -> VecDeque<RecordedStep> {
    let steps = entries.iter().enumerate().filter(|(_, entry)| is_step(entry));
    let offset = |index: usize| offsets.get(index).copied().unwrap_or_default();
    steps.map(|(index, entry)| RecordedStep { entry: entry.clone(), index, offset: offset(index) }).collect()
}

fn is_step(entry: &Entry) -> bool {
    matches!(entry, Entry::Stage { .. } | Entry::Told { .. })
}

fn diverged(recorded: &Entry) -> JournalError {
    let recorded = serde_json::to_string(recorded).unwrap_or_else(|error| error.to_string());
    JournalError::Diverged { recorded }
}
