//! Files of a job: what it found, in every form.

use super::answer::{ApiRefusal, PageRefusal};
use super::caller::{ApiCaller, Caller};
use crate::job::folder::{ANSWER, JobFolder, PASSING_ANSWER, RUN};
use crate::job::guarded_file::open_guarded;
use crate::record::summary_of;
use crate::refusal::WebRefusal;
use crate::service::Service;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use howcome_report::{Summary, TextForm, html, json, markdown, text, trail_json};
use std::fs::File;
use std::path::Path as FilePath;
use std::sync::Arc;
use tokio_util::io::ReaderStream;

/// Files that a run writes, by their names in addresses: where they are below `work`, and what they are.
const RECORDED: &[(&str, &str, &str)] = &[
    ("culprit.patch", "run/culprit.patch", "The culprit as a patch"),
    ("backported.patch", "run/backported.patch", "What was back-ported"),
    ("forward.patch", "run/forward.patch", "A patch that makes it pass today"),
    ("smaller-input", ANSWER, "The smaller input"),
    ("passing-input", PASSING_ANSWER, "An input that passes"),
    ("items.txt", "run/best/items.txt", "The items"),
    ("journal.jsonl", "run/journal.jsonl", "The journal"),
];

/// Forms of the report.
const REPORTS: &[(&str, &str)] = &[
    ("report.html", "The report as one page"),
    ("report.txt", "The report as text"),
    ("report.md", "The report as Markdown"),
    ("finding.json", "The finding as JSON"),
    ("trail.json", "The trail as JSON"),
];

/// What can be downloaded.
pub(crate) fn available(folder: &JobFolder, summary: Option<&Summary>) -> Vec<(&'static str, &'static str)> {
    let reports = REPORTS.iter().copied().filter(|_| summary.is_some());
    let is_there = |path: &str| open_guarded(&folder.work(), FilePath::new(path)).is_ok();
    let files = RECORDED.iter().filter(|(_, path, _)| is_there(path)).map(|(name, _, what)| (*name, *what));
    let messages = folder.messages().is_file().then_some(("messages.txt", "What howcome printed"));
    files.chain(reports).chain(messages).collect()
}

enum Downloaded {
    File(File),
    Text(String),
}

fn find(folder: &JobFolder, name: &str) -> Result<Downloaded, WebRefusal> {
    if name == "messages.txt" {
        let file = open_guarded(folder.path(), FilePath::new("messages"));
        return file.map(Downloaded::File).map_err(|_| WebRefusal::not_found());
    }
    if let Some((_, path, _)) = RECORDED.iter().find(|(known, ..)| *known == name) {
        debug_assert!(path.starts_with(RUN) || path.starts_with(ANSWER));
        let file = open_guarded(&folder.work(), FilePath::new(path));
        return file.map(Downloaded::File).map_err(|_| WebRefusal::not_found());
    }
    let summary = summary_of(folder).ok_or_else(WebRefusal::not_found)?;
    Ok(Downloaded::Text(match name {
        "report.html" => html(&summary),
        "report.txt" => text(&summary, TextForm::PLAIN),
        "report.md" => markdown(&summary),
        "finding.json" => json(&summary).map_err(WebRefusal::internal)?,
        "trail.json" => trail_json(&summary).to_string(),
        _ => return Err(WebRefusal::not_found()),
    }))
}

/// The response: always an attachment, so that nothing in it runs as a page of this service.
async fn download(service: &Service, folder: JobFolder, name: String) -> Result<Response, WebRefusal> {
    let wanted = name.clone();
    let found = service.read(move || find(&folder, &wanted)).await??;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("json") => "application/json",
        Some("md" | "patch" | "txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    let body = match found {
        Downloaded::Text(text) => Body::from(text),
        Downloaded::File(file) => Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file))),
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (
            header::CONTENT_SECURITY_POLICY,
            "sandbox; default-src 'none'; style-src 'unsafe-inline'".to_owned(),
        ),
    ];
    Ok((headers, body).into_response())
}

pub(crate) async fn of_job(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, PageRefusal> {
    let job = service.job_of(&caller.owner, &id).await?;
    Ok(download(&service, service.folder(&job.id), name).await?)
}

pub(crate) async fn of_shared(
    State(service): State<Arc<Service>>,
    Path((secret, name)): Path<(String, String)>,
) -> Result<Response, PageRefusal> {
    let job = service.shared_job(&secret).await?;
    Ok(download(&service, service.folder(&job.id), name).await?)
}

/// A file of a job.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/files/{name}", operation_id = "file", tag = "jobs",
    params(("id" = String, Path), ("name" = String, Path, description = "`finding.json`, `trail.json`, `report.html`, `report.txt`, `report.md`, \
        `culprit.patch`, `backported.patch`, `forward.patch`, `smaller-input`, `passing-input`, `items.txt`, `journal.jsonl`, `messages.txt`")),
    responses((status = 200, description = "the file"), (status = 404, description = "there is no such file")))]
pub(crate) async fn of_api(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, ApiRefusal> {
    let job = service.job_of(&caller.owner, &id).await?;
    Ok(download(&service, service.folder(&job.id), name).await?)
}
