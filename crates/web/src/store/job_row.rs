//! A job as it is stored.

use super::database::SqlRow;
use howcome_run::QuestionName;
use std::fmt;

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobStatus {
    Queued,
    Running,
    /// It ended by itself, whatever it found.
    Ended,
    /// The user stopped it. It can be resumed.
    Cancelled,
}

impl JobStatus {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            JobStatus::Queued => "queued",
            JobStatus::Running => "running",
            JobStatus::Ended => "ended",
            JobStatus::Cancelled => "cancelled",
        }
    }

    fn read(text: &str) -> Self {
        match text {
            "queued" => JobStatus::Queued,
            "running" => JobStatus::Running,
            "cancelled" => JobStatus::Cancelled,
            _ => JobStatus::Ended,
        }
    }

    /// Whether nothing happens until somebody asks for it.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, JobStatus::Ended | JobStatus::Cancelled)
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A job.
#[derive(Clone, Debug)]
pub(crate) struct JobRow {
    pub(crate) id: String,
    /// The name of an account; empty where there are no accounts.
    pub(crate) owner: String,
    pub(crate) question: QuestionName,
    pub(crate) title: String,
    /// The submission, as JSON.
    pub(crate) request: String,
    pub(crate) status: JobStatus,
    /// How the run ended, in the words of its JSON; `failed` if howcome refused the request.
    pub(crate) ending: Option<String>,
    /// What howcome said if it gave no answer.
    pub(crate) problem: Option<String>,
    pub(crate) created: i64,
    pub(crate) started: Option<i64>,
    pub(crate) ended: Option<i64>,
    pub(crate) attempts: i64,
    /// Whether the user wants it to stop.
    pub(crate) is_cancelled: bool,
    /// The job whose chain is asked about.
    pub(crate) parent: Option<String>,
    /// The step of that chain, counted from 1.
    pub(crate) step: Option<i64>,
    /// How much its folder holds.
    pub(crate) bytes: i64,
}

impl JobRow {
    /// From the columns in the order of a query.
    pub(super) fn read(mut row: SqlRow) -> Self {
        let (id, owner) = (row.text(), row.text());
        let question = serde_json::from_value(serde_json::Value::String(row.text()));
        Self {
            id,
            owner,
            question: question.unwrap_or(QuestionName::Items),
            title: row.text(),
            request: row.text(),
            status: JobStatus::read(&row.text()),
            ending: row.optional_text(),
            problem: row.optional_text(),
            created: row.integer(),
            started: row.optional_integer(),
            ended: row.optional_integer(),
            attempts: row.integer(),
            is_cancelled: row.integer() != 0,
            parent: row.optional_text(),
            step: row.optional_integer(),
            bytes: row.integer(),
        }
    }
}

impl JobRow {
    /// Whether it ended before its question was answered.
    pub(crate) fn can_be_resumed(&self) -> bool {
        self.status.is_over() && (self.ending.is_none() || self.ending.as_deref() == Some("stopped"))
    }
}

/// A job that is submitted.
#[derive(Clone, Debug)]
pub(crate) struct NewJob {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) question: QuestionName,
    pub(crate) title: String,
    pub(crate) request: String,
    pub(crate) parent: Option<(String, i64)>,
    pub(crate) bytes: i64,
    /// A client that repeats a request because it saw no reply sends the same key.
    pub(crate) retry_key: Option<String>,
}

/// How a job ended.
#[derive(Clone, Debug)]
pub(crate) struct JobEnd {
    pub(crate) status: JobStatus,
    pub(crate) ending: Option<String>,
    pub(crate) problem: Option<String>,
    pub(crate) bytes: i64,
    pub(crate) cpu: i64,
}
