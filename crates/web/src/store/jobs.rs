//! Jobs: submitted, listed, changed, forgotten.

use super::Store;
use super::database::{StoreError, values};
use super::job_row::{JobRow, NewJob};
use crate::clock::now;

/// What somebody has used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnerUse {
    /// Jobs that wait or run.
    pub(crate) open: i64,
    pub(crate) bytes: i64,
    /// Processor time of the last 24 hours, in milliseconds.
    pub(crate) cpu: i64,
}

/// A query with all columns of a job, in the order in which `JobRow::read` reads them. Queries are static texts, so that both databases
/// can remember them.
macro_rules! select_jobs {
    ($rest:literal) => {
        const_format_columns!("SELECT ", $rest)
    };
}
macro_rules! const_format_columns {
    ($first:literal, $rest:literal) => {
        concat!(
            $first,
            "id, owner, question, title, request, status, ending, problem, created, started, ended, attempts, \
             cancelled, parent, step, bytes",
            $rest
        )
    };
}
pub(super) use const_format_columns;

impl Store {
    /// Stores a job. Returns its id, or that of the job which the same request made before.
    pub(crate) async fn submit(&self, job: NewJob) -> Result<String, StoreError> {
        let NewJob { id, owner, question, title, request, parent, bytes, retry_key } = job;
        let (parent, step) = parent.unzip();
        let sql = "INSERT INTO jobs (id, owner, question, title, request, status, created, attempts, cancelled, parent, step, \
             bytes, cpu, retry_key) VALUES ($1, $2, $3, $4, $5, 'queued', $6, 0, 0, $7, $8, $9, 0, $10) \
             ON CONFLICT DO NOTHING RETURNING id";
        let values = values![
            id.as_str(),
            owner.as_str(),
            question.as_str(),
            title,
            request,
            now(),
            parent,
            step,
            bytes,
            retry_key.clone()
        ];
        if !self.database.query(sql, values).await?.is_empty() {
            return Ok(id);
        }
        let sql = "SELECT id FROM jobs WHERE owner = $1 AND retry_key = $2";
        let mut rows = self.database.query(sql, values![owner, retry_key]).await?;
        rows.first_mut().map(|row| row.text()).ok_or_else(|| StoreError("a job was not stored".to_owned()))
    }

    pub(crate) async fn job(&self, id: &str) -> Result<Option<JobRow>, StoreError> {
        let rows = self.database.query(select_jobs!(" FROM jobs WHERE id = $1"), values![id]).await?;
        Ok(rows.into_iter().next().map(JobRow::read))
    }

    /// The newest jobs of somebody, without the questions about their chains.
    pub(crate) async fn jobs_of(&self, owner: &str, at_most: i64) -> Result<Vec<JobRow>, StoreError> {
        let sql =
            select_jobs!(" FROM jobs WHERE owner = $1 AND parent IS NULL ORDER BY created DESC, id LIMIT $2");
        let rows = self.database.query(sql, values![owner, at_most]).await?;
        Ok(rows.into_iter().map(JobRow::read).collect())
    }

    /// The questions about the chain of a job.
    pub(crate) async fn asked_further(&self, parent: &str) -> Result<Vec<JobRow>, StoreError> {
        let sql = select_jobs!(" FROM jobs WHERE parent = $1 ORDER BY created");
        let rows = self.database.query(sql, values![parent]).await?;
        Ok(rows.into_iter().map(JobRow::read).collect())
    }

    /// What somebody has used.
    pub(crate) async fn use_of(&self, owner: &str) -> Result<OwnerUse, StoreError> {
        let sql = "SELECT COUNT(CASE WHEN status IN ('queued', 'running') THEN 1 END), \
             CAST(SUM(bytes) AS BIGINT), CAST(SUM(CASE WHEN created > $1 THEN cpu ELSE 0 END) AS BIGINT) \
             FROM jobs WHERE owner = $2";
        let since = now() - 24 * 60 * 60 * 1000;
        let mut rows = self.database.query(sql, values![since, owner]).await?;
        let read = |row: &mut super::database::SqlRow| OwnerUse {
            open: row.integer(),
            bytes: row.integer(),
            cpu: row.integer(),
        };
        Ok(rows.first_mut().map(read).unwrap_or_default())
    }

    /// How many jobs there are of each status and ending.
    pub(crate) async fn counts(&self) -> Result<Vec<(String, String, i64)>, StoreError> {
        let sql = "SELECT status, ending, COUNT(*) FROM jobs WHERE parent IS NULL GROUP BY status, ending";
        let rows = self.database.query(sql, Vec::new()).await?;
        Ok(rows.into_iter().map(|mut row| (row.text(), row.text(), row.integer())).collect())
    }

    /// How many jobs wait before this one.
    pub(crate) async fn place_in_queue(&self, job: &JobRow) -> Result<i64, StoreError> {
        let sql = "SELECT COUNT(*) FROM jobs WHERE status = 'queued' AND created < $1";
        let mut rows = self.database.query(sql, values![job.created]).await?;
        Ok(rows.first_mut().map_or(0, |row| row.integer()))
    }

    /// Wants a job to stop. A job that waits is stopped at once.
    pub(crate) async fn cancel(&self, id: &str) -> Result<(), StoreError> {
        let sql = "UPDATE jobs SET cancelled = 1, status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END \
             WHERE id = $1 AND status IN ('queued', 'running')";
        self.database.query(sql, values![id]).await.map(drop)
    }

    /// Puts a job that is over into the queue again. Returns whether it was over.
    pub(crate) async fn requeue(&self, id: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE jobs SET status = 'queued', cancelled = 0, ending = NULL, problem = NULL, ended = NULL, attempts = 0 \
             WHERE id = $1 AND status IN ('ended', 'cancelled') RETURNING id";
        Ok(!self.database.query(sql, values![id]).await?.is_empty())
    }

    /// Jobs that ended before a time.
    pub(crate) async fn older_than(&self, time: i64) -> Result<Vec<String>, StoreError> {
        let sql =
            "SELECT id FROM jobs WHERE status IN ('ended', 'cancelled') AND COALESCE(ended, created) < $1";
        let rows = self.database.query(sql, values![time]).await?;
        Ok(rows.into_iter().map(|mut row| row.text()).collect())
    }

    /// Forgets a job that is over, and everything that belongs to it. Returns whether it was over.
    pub(crate) async fn forget(&self, id: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM jobs WHERE id = $1 AND status IN ('ended', 'cancelled') RETURNING id";
        if self.database.query(sql, values![id]).await?.is_empty() {
            return Ok(false);
        }
        for sql in [
            "DELETE FROM jobs WHERE parent = $1",
            "DELETE FROM shares WHERE job = $1",
            "DELETE FROM feedback WHERE job = $1",
        ] {
            self.database.query(sql, values![id]).await?;
        }
        Ok(true)
    }
}
