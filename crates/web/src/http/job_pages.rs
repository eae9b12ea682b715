//! The page of a job: live while it runs, then the diagnosis.

use super::answer::{PageResult, frame, page};
use super::before::answers_before;
use super::caller::Caller;
use super::downloads::available;
use crate::job::commands::INPUT;
use crate::job::folder::{ANSWER, JobFolder, PASSING_ANSWER};
use crate::job::guarded_file::read_guarded;
use crate::job::submission::Submission;
use crate::pages::{InputsBeside, JobPage, live_part, time};
use crate::record::summary_of;
use crate::refusal::WebRefusal;
use crate::service::Service;
use crate::store::JobRow;
use axum::extract::{Path, State};
use howcome_report::{WayBackLink, html_parts};
use howcome_run::QuestionName;
use howcome_run::words::{printable_lines, size};
use std::path::Path as FilePath;
use std::sync::Arc;

/// The longest input that is shown beside its answer.
const LONGEST_BESIDE: u64 = 200_000;

pub(crate) async fn job(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    let address = format!("{}/jobs/{id}", service.settings.prefix);
    let mut template = job_page(&service, Some(&caller), &job, address).await?;
    template.feedback = service.store.feedback_on(&id).await?;
    let shares = service.store.shares_of(&id).await?;
    template.shares = shares.iter().map(|share| time(share.expires)).collect::<Vec<_>>().join(", ");
    page(&template)
}

pub(crate) async fn shared(State(service): State<Arc<Service>>, Path(secret): Path<String>) -> PageResult {
    let job = service.shared_job(&secret).await?;
    let address = format!("{}/shared/{secret}", service.settings.prefix);
    page(&job_page(&service, None, &job, address).await?)
}

async fn job_page(
    service: &Arc<Service>,
    caller: Option<&Caller>,
    job: &JobRow,
    address: String,
) -> Result<JobPage, WebRefusal> {
    let frame = frame(service, caller.map(|caller| caller.owner.as_str()));
    let folder = service.folder(&job.id);
    let before = answers_before(service, job, &address, caller.is_some()).await?;
    let place = service.store.place_in_queue(job).await?;
    let (row, is_shared) = (job.clone(), caller.is_none());
    // What a job has written can be large, and nothing about it is certain.
    let made = service.read(move || {
        let summary = summary_of(&folder);
        let live =
            if row.status.is_over() { String::new() } else { live_part(&row, summary.as_ref(), place) };
        let way_back = |step: usize| before.at(step);
        let has_answer =
            summary.as_ref().is_some_and(|summary| summary.ending.is_some() || !summary.trail.is_empty());
        let parts = summary
            .as_ref()
            .filter(|_| row.status.is_over() && has_answer)
            .map(|summary| html_parts(summary, &WayBackLink::Html(&way_back)));
        let mut page = JobPage::of(frame, &row, address, parts, live);
        page.is_shared = is_shared;
        if row.status.is_over() {
            page.beside = beside(&row, &folder);
            page.downloads = available(&folder, summary.as_ref());
        }
        page
    });
    made.await
}

/// The original input beside the smaller one, or the two that differ little, if both are short texts.
fn beside(job: &JobRow, folder: &JobFolder) -> Option<InputsBeside> {
    if job.question != QuestionName::Input {
        return None;
    }
    let submission: Submission = serde_json::from_str(&job.request).ok()?;
    let name = if submission.input.is_empty() { INPUT } else { &submission.input };
    let text = |called: &str, folder: &FilePath, file: &str| {
        let (bytes, is_longer) = read_guarded(folder, FilePath::new(file), LONGEST_BESIDE).ok()?;
        let text = String::from_utf8(bytes).ok().filter(|text| !is_longer && !text.contains('\0'))?;
        Some((format!("{called}, {}", size(text.len() as u64)), printable_lines(&text).join("\n")))
    };
    let work = folder.work();
    let answer = text("the answer", &work, ANSWER)?;
    Some(match text("passes", &work, PASSING_ANSWER) {
        Some(passing) => InputsBeside {
            title: "The failing input beside the passing one",
            left: (answer.0.replace("the answer", "fails"), answer.1),
            right: passing,
        },
        None => InputsBeside {
            title: "The original beside the answer",
            left: text(name, &folder.upload(), name)?,
            right: answer,
        },
    })
}
