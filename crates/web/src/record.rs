//! The record of a job's run, as far as it is written. The job can write to it as well, so nothing in it is believed.

use crate::job::folder::{JobFolder, RUN};
use crate::job::guarded_file::{open_guarded, read_guarded};
use howcome_report::Summary;
use howcome_run::{Entry, RunFile, parse_journal};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A longer journal is not read further: that of a run with 100,000 tests is shorter.
const LONGEST_JOURNAL: u64 = 64 << 20;
const LONGEST_RUN_FILE: u64 = 16 << 20;

/// Reads what is new each time.
pub(crate) struct JournalReader {
    folder: JobFolder,
    file: Option<RunFile>,
    entries: Vec<Entry>,
    read: u64,
}

impl JournalReader {
    pub(crate) fn of(folder: &JobFolder) -> Self {
        Self { folder: folder.clone(), file: None, entries: Vec::new(), read: 0 }
    }

    /// Reads what is new.
    pub(crate) fn read(&mut self) {
        let work = self.folder.work();
        if self.file.is_none() {
            let path = Path::new(RUN).join("run.json");
            let bytes = read_guarded(&work, &path, LONGEST_RUN_FILE);
            self.file = bytes.ok().and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok());
        }
        let _ = self.read_journal(&work);
    }

    fn read_journal(&mut self, work: &Path) -> io::Result<()> {
        let path = Path::new(RUN).join("journal.jsonl");
        let mut file = open_guarded(work, &path)?;
        let length = file.metadata()?.len().min(LONGEST_JOURNAL);
        if length < self.read {
            // A resumed run can cut off what it does not repeat.
            self.entries.clear();
            self.read = 0;
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.take(length - self.read).read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        bytes.truncate(whole);
        if let Ok(recorded) = parse_journal(&bytes, &path) {
            self.entries.extend(recorded.entries);
            self.read += whole as u64;
        }
        Ok(())
    }

    /// What the record says so far.
    pub(crate) fn summary(&self) -> Option<Summary> {
        let file = self.file.as_ref()?;
        Some(Summary::of(file, Path::new("run"), &self.entries))
    }
}

/// The record of a job's run.
pub(crate) fn summary_of(folder: &JobFolder) -> Option<Summary> {
    let mut reader = JournalReader::of(folder);
    reader.read();
    reader.summary()
}

/// Whether a job has a run that can be continued.
pub(crate) fn has_run(folder: &JobFolder) -> bool {
    open_guarded(&folder.work(), &Path::new(RUN).join("run.json")).is_ok()
}
