//! Which node works on which job.
//!
//! A node that takes a job has it for the time of a lease, and prolongs the lease while the job runs. If the node dies, the lease
//! ends, and another node continues the job from its journal.

use super::Store;
use super::database::{StoreError, values};
use super::job_row::{JobEnd, JobRow};
use super::jobs::const_format_columns;
use crate::clock::now;

impl Store {
    /// Takes the job that has waited longest, or one whose node is gone.
    pub(crate) async fn claim(&self, node: &str, lease: i64) -> Result<Option<JobRow>, StoreError> {
        // A second node that wants the same row waits for the first one, and then finds the row changed.
        let sql = const_format_columns!(
            "UPDATE jobs SET status = 'running', node = $1, lease = $2, attempts = attempts + 1, \
             started = COALESCE(started, $3) \
             WHERE id = (SELECT id FROM jobs WHERE status = 'queued' OR (status = 'running' AND lease < $3) \
             ORDER BY created, id LIMIT 1) AND (status = 'queued' OR (status = 'running' AND lease < $3)) RETURNING ",
            ""
        );
        let now = now();
        let rows = self.database.query(sql, values![node, now + lease, now]).await?;
        Ok(rows.into_iter().next().map(JobRow::read))
    }

    /// Prolongs the lease. `None` if the node has lost the job; otherwise whether the user wants it to stop.
    pub(crate) async fn prolong(&self, id: &str, node: &str, lease: i64) -> Result<Option<bool>, StoreError> {
        let sql = "UPDATE jobs SET lease = $1 WHERE id = $2 AND node = $3 AND status = 'running' RETURNING cancelled";
        let rows = self.database.query(sql, values![now() + lease, id, node]).await?;
        Ok(rows.into_iter().next().map(|mut row| row.integer() != 0))
    }

    /// Records the end of a job, once. Returns whether the node still had it.
    pub(crate) async fn finish(&self, id: &str, node: &str, end: &JobEnd) -> Result<bool, StoreError> {
        let sql = "UPDATE jobs SET status = $1, ending = $2, problem = $3, bytes = $4, cpu = cpu + $5, ended = $6, node = NULL \
             WHERE id = $7 AND node = $8 AND status = 'running' RETURNING id";
        let JobEnd { status, ending, problem, bytes, cpu } = end.clone();
        let values = values![status.as_str(), ending, problem, bytes, cpu, now(), id, node];
        Ok(!self.database.query(sql, values).await?.is_empty())
    }

    /// Gives a job back, so that it is continued later, here or elsewhere.
    pub(crate) async fn give_back(&self, id: &str, node: &str) -> Result<(), StoreError> {
        let sql = "UPDATE jobs SET status = 'queued', node = NULL, lease = NULL, attempts = attempts - 1 \
             WHERE id = $1 AND node = $2 AND status = 'running'";
        self.database.query(sql, values![id, node]).await.map(drop)
    }

    /// Puts all running jobs into the queue: for a single node that has just started.
    pub(crate) async fn recover(&self) -> Result<i64, StoreError> {
        let sql = "UPDATE jobs SET status = 'queued', node = NULL, lease = NULL WHERE status = 'running' RETURNING id";
        Ok(self.database.query(sql, Vec::new()).await?.len() as i64)
    }
}
