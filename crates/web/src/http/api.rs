//! The interface for programs.

use super::answer::ApiRefusal;
use super::api_types::{
    CreatedJob, FeedbackRequest, GivenFeedback, JobInfo, ShareRequest, SharedAddress, StepOrigin,
    SubmissionForm,
};
use super::before::answers_before;
use super::caller::{ApiCaller, Caller};
use super::guard::ClientAddress;
use super::home::receive;
use super::job_actions::origin;
use super::{downloads, events};
use crate::record::summary_of;
use crate::refusal::WebRefusal;
use crate::service::Service;
use crate::store::{Feedback, JobRow};
use axum::extract::{DefaultBodyLimit, Extension, Multipart, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use std::sync::Arc;

type ApiResult<T> = Result<Json<T>, ApiRefusal>;

/// `upload` is the largest submission.
pub(crate) fn routes(upload: usize) -> Router<Arc<Service>> {
    use axum::routing::{get, post};
    Router::new()
        .route("/api/v1/jobs", get(list).post(submit).layer(DefaultBodyLimit::max(upload)))
        .route("/api/v1/jobs/{id}", get(job).delete(delete))
        .route("/api/v1/jobs/{id}/cancel", post(cancel))
        .route("/api/v1/jobs/{id}/resume", post(resume))
        .route("/api/v1/jobs/{id}/again", post(again))
        .route("/api/v1/jobs/{id}/before/{step}", get(origin_of).post(before))
        .route("/api/v1/jobs/{id}/events", get(events::of_api))
        .route("/api/v1/jobs/{id}/feedback", get(given_feedback).post(feedback))
        .route("/api/v1/jobs/{id}/share", post(share).delete(unshare))
        .route("/api/v1/jobs/{id}/files/{name}", get(downloads::of_api))
}

async fn find(service: &Service, caller: &Caller, id: &str) -> Result<JobRow, ApiRefusal> {
    Ok(service.job_of(&caller.owner, id).await?)
}

/// Submits a job.
#[utoipa::path(post, path = "/api/v1/jobs", tag = "jobs",
    request_body(content = inline(SubmissionForm), content_type = "multipart/form-data"),
    responses((status = 201, description = "the job is stored and will not be lost", body = CreatedJob),
        (status = 400, description = "something is wrong with the request"), (status = 401, description = "no valid token"),
        (status = 413, description = "too large"), (status = 429, description = "a limit is reached")))]
pub(crate) async fn submit(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Extension(client): Extension<ClientAddress>,
    form: Multipart,
) -> Result<Response, ApiRefusal> {
    let job = receive(&service, &caller, client, form).await?;
    let page = format!("{}/jobs/{job}", service.settings.prefix);
    Ok((StatusCode::CREATED, Json(CreatedJob { job, page })).into_response())
}

/// The newest jobs.
#[utoipa::path(get, path = "/api/v1/jobs", tag = "jobs", responses((status = 200, description = "at most 500 jobs", body = Vec<JobInfo>)))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
) -> ApiResult<Vec<JobInfo>> {
    let jobs = service.store.jobs_of(&caller.owner, 500).await?;
    Ok(Json(jobs.iter().map(|job| JobInfo::of(&service, job)).collect()))
}

/// A job and its progress.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "the job", body = JobInfo), (status = 404, description = "there is no such job")))]
pub(crate) async fn job(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<JobInfo> {
    let job = find(&service, &caller, &id).await?;
    let (info, folder) = (JobInfo::of(&service, &job), service.folder(&job.id));
    Ok(Json(service.read(move || info.with_progress(summary_of(&folder).as_ref())).await?))
}

/// Stops a job. Its best so far is kept.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/cancel", tag = "jobs", params(("id" = String, Path)), responses((status = 200, description = "it is done"), (status = 404, description = "there is no such job")))]
pub(crate) async fn cancel(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.cancel(&job).await?;
    Ok(StatusCode::OK)
}

/// Continues a job that was cancelled or stopped early.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/resume", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "it is done"), (status = 409, description = "there is nothing to continue")))]
pub(crate) async fn resume(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.resume(&job).await?;
    Ok(StatusCode::OK)
}

/// Asks the same question again, as another job.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/again", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "the new job", body = CreatedJob), (status = 429, description = "a limit is reached")))]
pub(crate) async fn again(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<CreatedJob> {
    let job = find(&service, &caller, &id).await?;
    let job = service.again(&job).await?;
    let page = format!("{}/jobs/{job}", service.settings.prefix);
    Ok(Json(CreatedJob { job, page }))
}

/// Asks how a step of a chain came to be.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/before/{step}", tag = "jobs",
    params(("id" = String, Path), ("step" = i64, Path, description = "counted from 1")),
    responses((status = 200, description = "it is done"), (status = 409, description = "the job has no chain")))]
pub(crate) async fn before(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path((id, step)): Path<(String, i64)>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.ask_before(&job, step).await?;
    Ok(StatusCode::OK)
}

/// How a step of a chain came to be, if that was asked.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/before/{step}", tag = "jobs",
    params(("id" = String, Path), ("step" = usize, Path, description = "counted from 1")),
    responses((status = 200, description = "the answer, if it is known", body = inline(StepOrigin)),
        (status = 404, description = "that was not asked")))]
pub(crate) async fn origin_of(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path((id, step)): Path<(String, usize)>,
) -> ApiResult<StepOrigin> {
    let job = find(&service, &caller, &id).await?;
    let answers = answers_before(&service, &job, "", true).await?;
    let origin = service.read(move || answers.for_program(step)).await?;
    Ok(Json(origin.ok_or_else(WebRefusal::not_found)?))
}

/// What was said about a diagnosis.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/feedback", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "one entry for each author", body = inline(Vec<GivenFeedback>))))]
pub(crate) async fn given_feedback(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Vec<GivenFeedback>> {
    let job = find(&service, &caller, &id).await?;
    let given = service.store.feedback_on(&job.id).await?;
    let shown = given.into_iter().map(|Feedback { author, verdict, comment }| GivenFeedback {
        author,
        verdict,
        comment,
    });
    Ok(Json(shown.collect()))
}

/// Says whether a diagnosis is right.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/feedback", tag = "jobs", params(("id" = String, Path)),
    request_body = inline(FeedbackRequest), responses((status = 200, description = "it is done"), (status = 404, description = "there is no such job")))]
pub(crate) async fn feedback(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
    Json(said): Json<FeedbackRequest>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.give_feedback(&job, &caller.owner, &said.verdict, &said.comment).await?;
    Ok(StatusCode::OK)
}

/// Makes an address under which others can read the diagnosis.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/share", tag = "jobs", params(("id" = String, Path)),
    request_body = inline(ShareRequest), responses((status = 200, description = "the address", body = inline(SharedAddress)), (status = 400, description = "not 1 to 365 days")))]
pub(crate) async fn share(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    headers: HeaderMap,
    Path(id): Path<String>,
    Json(ShareRequest { days }): Json<ShareRequest>,
) -> ApiResult<SharedAddress> {
    let job = find(&service, &caller, &id).await?;
    let (secret, expires) = service.share(&job, days).await?;
    let address = format!("{}/shared/{}", origin(&service, &headers), secret.reveal());
    Ok(Json(SharedAddress { address, expires }))
}

/// Makes all shared addresses of a job invalid.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}/share", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "they are invalid"), (status = 404, description = "there is no such job")))]
pub(crate) async fn unshare(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.store.unshare(&job.id).await?;
    Ok(StatusCode::OK)
}

/// Deletes a job that is over, with all its files.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "it is done"), (status = 409, description = "it runs")))]
pub(crate) async fn delete(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.delete(&job).await?;
    Ok(StatusCode::OK)
}
