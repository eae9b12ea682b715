//! Recalls what earlier sessions have observed. The searches themselves are replayed, not stored.

use super::Driver;
use crate::memory::Memory;
use crate::{Entry, Recorded};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// What earlier sessions have recorded, and how much of it is in memory.
#[derive(Default)]
pub(super) struct Recollection {
    /// The entries that are not in memory yet, if there are any.
    later: VecDeque<Entry>,
    /// How many entries are in memory.
    recalled: usize,
    /// The number of the subject of each stage.
    subjects: HashMap<u32, u32>,
}

impl Driver {
    /// Rebuilds memory from the observations of earlier sessions. If the searches may leave the record, they must not know what was
    /// observed after that: a later stage of the same name can be about other deltas.
    pub(super) fn recall(&mut self, recorded: &Recorded) {
        for entry in &recorded.entries {
            let (test, seconds) = match entry {
                Entry::Observed { test, at, .. } => (Some(test), *at),
                Entry::Cancelled { test, .. } => (Some(test), 0.0),
                Entry::Ended { seconds, .. } => (None, *seconds),
                _ => continue,
            };
            self.next_test = self.next_test.max(test.map_or(0, |test| test.0 + 1));
            self.earlier = self.earlier.max(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        }
        match self.journal.entries_before_next_step() {
            None => recorded.entries.iter().for_each(|entry| self.recall_entry(entry)),
            Some(_) => {
                self.recollection.later = recorded.entries.iter().cloned().collect();
                self.recall_up_to_next_step();
            }
        }
    }

    /// Recalls what was recorded before the next step of the record, or everything if there is none.
    pub(super) fn recall_up_to_next_step(&mut self) {
        let Recollection { later, recalled, .. } = &mut self.recollection;
        if self.journal.has_left_record() {
            later.clear();
        }
        if later.is_empty() {
            return;
        }
        let end = self.journal.entries_before_next_step().unwrap_or(*recalled + later.len());
        let entries: Vec<Entry> = later.drain(..end.saturating_sub(*recalled)).collect();
        *recalled += entries.len();
        entries.iter().for_each(|entry| self.recall_entry(entry));
    }

    fn recall_entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Stage { stage, subject, .. } => {
                self.recollection.subjects.insert(*stage, self.memory.subject(subject));
            }
            Entry::Observed { test, stage, purpose, configuration, repeat, content, observation, .. } => {
                // The baseline comes before the first stage begins.
                let subject = self.recollection.subjects.get(stage).copied().unwrap_or(0);
                let key = Memory::key(subject, configuration).of_run(*repeat);
                self.remember(*test, *purpose, &[key], *content, observation.clone());
            }
            _ => {}
        }
    }
}
