//! What the interface for programs sends and receives, besides a submission.

use crate::service::Service;
use crate::store::JobRow;
use howcome_report::Summary;
use howcome_run::QuestionName;
use howcome_run::words::count;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A job.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct JobInfo {
    /// Its id.
    pub id: String,
    /// The question.
    #[schema(value_type = String)]
    pub question: QuestionName,
    /// Its name in lists.
    pub title: String,
    /// `queued`, `running`, `ended` or `cancelled`.
    pub status: String,
    /// How it ended: `found`, `never-worked`, `undecided`, `stopped`, `refused`, `flaky` or `failed`.
    pub ending: Option<String>,
    /// What howcome said if it gave no answer.
    pub problem: Option<String>,
    /// When it was submitted, in milliseconds since 1970.
    pub created: i64,
    /// When it began.
    pub started: Option<i64>,
    /// When it ended.
    pub ended: Option<i64>,
    /// Tests so far.
    pub tests: Option<u64>,
    /// Deltas that are left, and what a delta is.
    pub left: Option<String>,
    /// The path of its page.
    pub page: String,
}

impl JobInfo {
    pub(crate) fn of(service: &Service, job: &JobRow) -> Self {
        Self {
            id: job.id.clone(),
            question: job.question,
            title: job.title.clone(),
            status: job.status.to_string(),
            ending: job.ending.clone(),
            problem: job.problem.clone(),
            created: job.created,
            started: job.started,
            ended: job.ended,
            tests: None,
            left: None,
            page: format!("{}/jobs/{}", service.settings.prefix, job.id),
        }
    }

    /// The same with its progress, as far as there is a record.
    pub(crate) fn with_progress(mut self, summary: Option<&Summary>) -> Self {
        self.tests = summary.map(|summary| summary.counts.told);
        let stage = summary.and_then(|summary| summary.stages.last());
        self.left = stage.map(|stage| count(stage.left.into(), stage.unit.as_str()));
        self
    }
}

/// A job that was submitted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CreatedJob {
    /// Its id.
    pub job: String,
    /// The path of its page.
    pub page: String,
}

/// An address that was made to be shared.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SharedAddress {
    /// The address. It is shown only once.
    pub(crate) address: String,
    /// When it becomes invalid, in milliseconds since 1970.
    pub(crate) expires: i64,
}

/// For how long an address is shared.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct ShareRequest {
    /// 1 to 365.
    pub(crate) days: u32,
}

/// What somebody says about a diagnosis.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct FeedbackRequest {
    /// `right`, `wrong` or `unsure`.
    pub(crate) verdict: String,
    /// A comment.
    #[serde(default)]
    pub(crate) comment: String,
}

/// A submission with its files, as `multipart/form-data`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes what is sent")]
pub(crate) struct SubmissionForm {
    /// The question.
    request: crate::job::submission::Submission,
    /// A file that the test needs (repeatable).
    #[schema(value_type = Option<String>, format = Binary)]
    file: Option<Vec<u8>>,
    /// A tar, tar.gz or zip file whose content the test needs.
    #[schema(value_type = Option<String>, format = Binary)]
    archive: Option<Vec<u8>>,
    /// `changes`, `history`: the version that passes, as an archive.
    #[schema(value_type = Option<String>, format = Binary)]
    good_archive: Option<Vec<u8>>,
    /// `changes`, `history`: the version that fails, as an archive.
    #[schema(value_type = Option<String>, format = Binary)]
    bad_archive: Option<Vec<u8>>,
    /// `changes`, `history`: a git bundle.
    #[schema(value_type = Option<String>, format = Binary)]
    bundle: Option<Vec<u8>>,
    /// Any text. A client that repeats a request because it saw no reply sends the same one, and no second job is made.
    retry_key: Option<String>,
}

/// What somebody has said about a diagnosis.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GivenFeedback {
    /// The name of an account; empty where there are no accounts.
    pub(crate) author: String,
    /// `right`, `wrong` or `unsure`.
    pub(crate) verdict: String,
    /// A comment.
    pub(crate) comment: String,
}

/// How a step of a chain came to be.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StepOrigin {
    /// `waiting`, `found` or `failed`.
    pub(crate) state: String,
    /// The answer, or why there is none.
    pub(crate) sentence: String,
    /// The number and the text of each line that hands the cause on.
    pub(crate) lines: Vec<(u64, String)>,
}

/// Counts, queue and load.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ServiceStatus {
    /// Jobs that run.
    pub(crate) running: i64,
    /// Jobs that wait.
    pub(crate) waiting: i64,
    /// Jobs at a time on this node.
    pub(crate) slots: usize,
    /// Live pages.
    pub(crate) watching: u64,
    /// The number of jobs for each ending.
    pub(crate) ended: std::collections::BTreeMap<String, i64>,
}
