//! What can be done with jobs, for pages and for the HTTP interface alike: who may do it, and within which limits.

use crate::accounts_in_use::AccountsInUse;
use crate::clock::now;
use crate::job::files_check::check_files;
use crate::job::folder::{JobFolder, copy_folder, is_id};
use crate::job::submission::Submission;
use crate::job::upload::ReceivedJob;
use crate::live::LiveFeeds;
use crate::metrics::Metrics;
use crate::rate::RateLimits;
use crate::record::has_run;
use crate::refusal::WebRefusal;
use crate::secret::{Secret, random_text};
use crate::settings::ServeSettings;
use crate::store::{Feedback, JobRow, NewJob, Store};
use axum::http::StatusCode;
use howcome_run::QuestionName;
use howcome_run::words::size_limit;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tokio::sync::{Notify, Semaphore, watch};

/// The longest comment on a diagnosis.
const LONGEST_COMMENT: usize = 4_000;
/// The longest time for which an address can be shared.
const LONGEST_SHARE_DAYS: u32 = 365;
/// Questions about one chain.
const MOST_ASKED_FURTHER: usize = 100;

/// The service.
pub(crate) struct Service {
    pub(crate) settings: ServeSettings,
    pub(crate) store: Store,
    pub(crate) live: LiveFeeds,
    pub(crate) metrics: Metrics,
    pub(crate) rates: RateLimits,
    /// Records that are read at a time: a job can make its record large.
    pub(crate) readers: Semaphore,
    /// Rings when there is a job to do.
    pub(crate) bell: Notify,
    /// Becomes true when the service is to end.
    pub(crate) ending: watch::Sender<bool>,
    pub(crate) accounts: AccountsInUse,
    /// When it was started.
    pub(crate) started: i64,
}

impl Service {
    pub(crate) fn log(&self, event: &str, more: serde_json::Value) {
        let mut line = json!({"time": now(), "event": event});
        if let (Some(line), serde_json::Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        (self.settings.log)(&line);
    }

    /// Whether everybody needs a token.
    pub(crate) async fn is_closed(&self) -> Result<bool, WebRefusal> {
        Ok(!self.settings.open && self.accounts.look(&self.store).await?)
    }

    pub(crate) fn jobs_folder(&self) -> PathBuf {
        self.settings.data.join("jobs")
    }

    pub(crate) fn folder(&self, id: &str) -> JobFolder {
        JobFolder::of(&self.jobs_folder(), id)
    }

    /// Reads the record of a job, when it is its turn.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        reading: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WebRefusal> {
        let _turn = self.readers.acquire().await.map_err(WebRefusal::internal)?;
        tokio::task::spawn_blocking(reading).await.map_err(WebRefusal::internal)
    }

    /// A job of its owner.
    pub(crate) async fn job_of(&self, owner: &str, id: &str) -> Result<JobRow, WebRefusal> {
        if !is_id(id) {
            return Err(WebRefusal::not_found());
        }
        let job = self.store.job(id).await?;
        job.filter(|job| job.owner == owner && job.parent.is_none()).ok_or_else(WebRefusal::not_found)
    }

    /// The job that a shared address leads to.
    pub(crate) async fn shared_job(&self, secret: &str) -> Result<JobRow, WebRefusal> {
        let id = self.store.shared_job(&Secret::of(secret)).await?.ok_or_else(WebRefusal::not_found)?;
        self.store.job(&id).await?.ok_or_else(WebRefusal::not_found)
    }

    /// Refuses somebody who has used up what they may use.
    pub(crate) async fn check_quota(&self, owner: &str) -> Result<(), WebRefusal> {
        let limits = &self.settings.limits;
        let used = self.store.use_of(owner).await?;
        let beyond = |used: i64, limit: u64| u64::try_from(used).unwrap_or(0) >= limit;
        let refuse = |message: String| Err(WebRefusal::new(StatusCode::TOO_MANY_REQUESTS, message));
        if beyond(used.open, limits.jobs) {
            return refuse(format!(
                "{} of your jobs wait or run, which is the limit: wait for one to end",
                used.open
            ));
        }
        if beyond(used.bytes, limits.disk) {
            return refuse(format!(
                "your jobs take {}, which is the limit: delete some",
                size_limit(limits.disk)
            ));
        }
        if beyond(used.cpu / 1_000, limits.cpu) {
            return refuse(
                "your jobs have used up the processor time of a day: try again tomorrow".to_owned(),
            );
        }
        Ok(())
    }

    /// Stores a job whose files are complete. From then on it is not lost.
    pub(crate) async fn submit(&self, owner: &str, received: ReceivedJob) -> Result<String, WebRefusal> {
        let ReceivedJob { folder, id, submission, retry_key, .. } = received;
        let question = submission.check().map_err(WebRefusal::bad)?;
        (self.settings.check)(&submission).map_err(WebRefusal::bad)?;
        check_files(&submission, question, &folder.folder().upload()).map_err(WebRefusal::bad)?;
        self.check_webhook(&submission)?;
        self.check_quota(owner).await?;
        let request = serde_json::to_string(&submission).map_err(WebRefusal::internal)?;
        let bytes = folder.folder().bytes();
        let target = self.folder(&id);
        folder.keep_as(&target)?;
        let job = NewJob {
            id: id.clone(),
            owner: owner.to_owned(),
            question,
            title: submission.title_or_command(),
            request,
            parent: None,
            bytes,
            retry_key,
        };
        let stored = match self.store.submit(job).await {
            Ok(stored) => stored,
            Err(error) => {
                let _ = target.remove();
                return Err(error.into());
            }
        };
        if stored != id {
            // The client has sent this before and did not see the reply.
            let _ = target.remove();
            return Ok(stored);
        }
        Metrics::count(&self.metrics.submissions);
        self.metrics.uploaded.fetch_add(u64::try_from(bytes).unwrap_or(0), Ordering::Relaxed);
        self.log("job.submitted", json!({"job": id, "question": question.as_str(), "bytes": bytes}));
        self.bell.notify_waiters();
        Ok(id)
    }

    fn check_webhook(&self, submission: &Submission) -> Result<(), WebRefusal> {
        match submission.webhook.as_str() {
            "" => Ok(()),
            webhook if crate::webhook::is_allowed(webhook, &self.settings.webhook_hosts) => Ok(()),
            _ => Err(WebRefusal::bad("the operator does not allow webhooks to this address")),
        }
    }

    /// The same question again, as another job.
    pub(crate) async fn again(&self, job: &JobRow) -> Result<String, WebRefusal> {
        let submission: Submission = serde_json::from_str(&job.request).map_err(WebRefusal::internal)?;
        let received = ReceivedJob::begin(&self.jobs_folder(), submission)?;
        let (from, to) = (self.folder(&job.id).upload(), received.folder.folder().upload());
        let copied = tokio::task::spawn_blocking(move || {
            std::fs::remove_dir(&to)?;
            copy_folder(&from, &to)
        });
        copied.await.map_err(WebRefusal::internal)??;
        self.submit(&job.owner, received).await
    }

    pub(crate) async fn cancel(&self, job: &JobRow) -> Result<(), WebRefusal> {
        self.log("job.cancelled", json!({"job": job.id}));
        Ok(self.store.cancel(&job.id).await?)
    }

    /// Continues a job that was cancelled or stopped early.
    pub(crate) async fn resume(&self, job: &JobRow) -> Result<(), WebRefusal> {
        self.check_quota(&job.owner).await?;
        if !job.can_be_resumed() || !self.store.requeue(&job.id).await? {
            return Err(WebRefusal::new(
                StatusCode::CONFLICT,
                "this job has nothing to continue: run it again",
            ));
        }
        self.bell.notify_waiters();
        Ok(())
    }

    /// "How did this come to be?": narrows the interval before a step of a chain.
    pub(crate) async fn ask_before(&self, job: &JobRow, step: i64) -> Result<(), WebRefusal> {
        if job.question != QuestionName::State || !job.status.is_over() || !has_run(&self.folder(&job.id)) {
            return Err(WebRefusal::new(StatusCode::CONFLICT, "this job has no chain to ask about"));
        }
        let asked = self.store.asked_further(&job.id).await?;
        if asked.iter().any(|other| other.step == Some(step)) {
            return Ok(());
        }
        if asked.len() >= MOST_ASKED_FURTHER || !(1..=10_000).contains(&step) {
            return Err(WebRefusal::bad("this chain has no such step, or was asked about too often"));
        }
        self.check_quota(&job.owner).await?;
        let id = random_text(26)?;
        std::fs::create_dir(self.folder(&id).path())?;
        let further = NewJob {
            id,
            owner: job.owner.clone(),
            question: job.question,
            title: format!("before step {step}"),
            request: "{}".to_owned(),
            parent: Some((job.id.clone(), step)),
            bytes: 0,
            // One question for each step, even if a button is pressed twice.
            retry_key: Some(format!("{} before {step}", job.id)),
        };
        self.store.submit(further).await?;
        self.bell.notify_waiters();
        Ok(())
    }

    /// Makes an address that can't be guessed. It is shown once.
    pub(crate) async fn share(&self, job: &JobRow, days: u32) -> Result<(Secret, i64), WebRefusal> {
        if !(1..=LONGEST_SHARE_DAYS).contains(&days) {
            return Err(WebRefusal::bad(format!(
                "an address can be shared for 1 to {LONGEST_SHARE_DAYS} days"
            )));
        }
        let (secret, expires) = (Secret::new()?, now() + i64::from(days) * 86_400_000);
        self.store.share(&job.id, &secret, expires).await?;
        self.log("job.shared", json!({"job": job.id, "days": days}));
        Ok((secret, expires))
    }

    pub(crate) async fn give_feedback(
        &self,
        job: &JobRow,
        author: &str,
        verdict: &str,
        comment: &str,
    ) -> Result<(), WebRefusal> {
        if !["right", "wrong", "unsure"].contains(&verdict) {
            return Err(WebRefusal::bad("the verdict is `right`, `wrong` or `unsure`"));
        }
        if comment.len() > LONGEST_COMMENT || comment.contains('\0') {
            return Err(WebRefusal::bad(format!("a comment has at most {LONGEST_COMMENT} characters")));
        }
        let feedback = Feedback {
            author: author.to_owned(),
            verdict: verdict.to_owned(),
            comment: comment.trim().to_owned(),
        };
        Ok(self.store.give_feedback(&job.id, feedback).await?)
    }

    /// Deletes a job that is over, with all its files.
    pub(crate) async fn delete(&self, job: &JobRow) -> Result<(), WebRefusal> {
        if !self.forget(&job.id).await? {
            return Err(WebRefusal::new(StatusCode::CONFLICT, "cancel the job before you delete it"));
        }
        Ok(())
    }

    /// Deletes a job that is over. Returns whether it was.
    pub(crate) async fn forget(&self, id: &str) -> Result<bool, WebRefusal> {
        let further = self.store.asked_further(id).await?;
        if !self.store.forget(id).await? {
            return Ok(false);
        }
        let folders: Vec<JobFolder> =
            further.iter().map(|job| self.folder(&job.id)).chain([self.folder(id)]).collect();
        let removed = tokio::task::spawn_blocking(move || folders.iter().try_for_each(JobFolder::remove));
        removed.await.map_err(WebRefusal::internal)??;
        self.log("job.deleted", json!({"job": id}));
        Ok(true)
    }
}
