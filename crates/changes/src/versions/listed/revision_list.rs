//! Revisions by their names, each fetched once and kept in a pool.

use super::pool::{NotAdded, Pool};
use super::pool_record::PoolRecord;
use crate::candidates::candidate::Base;
use crate::test_code::common_files::CommonFiles;
use crate::versions::revision_id::RevisionId;
use crate::versions::source::VersionSource;
use howcome_run::Because;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Fetches the revision of a name into a folder, which is removed once it has been read.
///
/// It is never called twice at the same time, however many workers there are.
pub type FetchRevision = Arc<dyn Fn(&str) -> Result<PathBuf, NotFetched> + Send + Sync>;

/// Why a revision was not fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFetched {
    /// This revision is not available, now or later, for this reason. Other revisions can be.
    Absent(String),
    /// Something went wrong that can be fixed.
    Failed(String),
}

/// Named revisions, the oldest first. Each is fetched when it is first needed, and never again.
pub struct RevisionList {
    pool: Pool,
    fetch: FetchRevision,
    /// What every version has, whatever its revision holds.
    common: CommonFiles,
    /// Held while a revision is fetched.
    fetching: Mutex<()>,
    /// The trees that were used last.
    recent: Mutex<VecDeque<(RevisionId, Arc<Base>)>>,
}

/// A tree can have hundreds of thousands of files, so few are kept.
const RECENT: usize = 8;

impl RevisionList {
    /// Revisions by their names, no two of which are the same, and what each of them gets.
    #[must_use]
    pub fn new(pool: Pool, fetch: FetchRevision, common: CommonFiles) -> Self {
        Self { pool, fetch, common, fetching: Mutex::default(), recent: Mutex::default() }
    }

    fn known(&self, revision: &RevisionId) -> Option<Arc<Base>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().find(|(known, _)| known == revision).map(|(_, base)| Arc::clone(base))
    }

    fn remember(&self, revision: &RevisionId, base: Arc<Base>) -> Arc<Base> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // Perhaps another worker was faster, and trees are compared by their addresses first.
        if let Some((_, base)) = recent.iter().find(|(known, _)| known == revision) {
            return Arc::clone(base);
        }
        recent.push_front((revision.clone(), Arc::clone(&base)));
        recent.truncate(RECENT);
        base
    }

    /// The record of a revision, which is fetched if the pool does not have all of its files.
    fn record(&self, name: &str) -> Result<PoolRecord, Because> {
        if let Some(record) = self.pool.complete_record(name) {
            return Ok(record);
        }
        let _one_at_a_time = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(record) = self.pool.complete_record(name) {
            return Ok(record);
        }
        let record = match (self.fetch)(name) {
            Ok(folder) => {
                let added = self.pool.add_folder(&folder);
                // The folder is a temporary one, so it is not worth an error if it cannot be removed.
                let _ = howcome_lab::remove(&folder);
                added.map_err(|error| match error {
                    NotAdded::Unreadable(error) => {
                        Because::Broken(format!("revision {name} cannot be read: {error}"))
                    }
                    NotAdded::NotWritten(error) => not_kept(name, &error),
                })?
            }
            Err(NotFetched::Absent(why)) => PoolRecord::Absent(why),
            Err(NotFetched::Failed(why)) => return Err(Because::Broken(why)),
        };
        if matches!(&record, PoolRecord::Files(files) if files.is_empty()) {
            return Err(Because::Broken(format!("the checkout of {name} left no files")));
        }
        // Files of a pool can get lost, but a revision never changes.
        if self.pool.record(name).is_some_and(|before| before != record) {
            return Err(Because::Broken(format!("revision {name} has changed since the run began")));
        }
        self.pool.write_record(name, &record).map_err(|error| not_kept(name, &error))?;
        Ok(record)
    }
}

impl VersionSource for RevisionList {
    fn tree(&self, revision: &RevisionId) -> Result<Arc<Base>, Because> {
        if let Some(base) = self.known(revision) {
            return Ok(base);
        }
        let name = revision.as_str();
        match self.record(name)? {
            PoolRecord::Absent(why) => Err(Because::DidNotApply(format!("it is not available: {why}"))),
            PoolRecord::Files(files) => {
                let mut tree = self.pool.tree(&files).map_err(|error| Because::Broken(error.to_string()))?;
                self.common.add_to(&mut tree);
                Ok(self.remember(revision, Base::new(tree, name.as_bytes())))
            }
        }
    }
}

fn not_kept(name: &str, error: &io::Error) -> Because {
    Because::not_written(format!("revision {name} cannot be stored: {error}"), error)
}

#[cfg(test)]
mod tests;
