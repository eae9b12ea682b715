//! The interface for programs, with its description as OpenAPI.

use super::answer::{ApiRefusal, PageResult, frame, page};
use super::api_types::{CreatedJob, FeedbackRequest, JobInfo, ShareRequest, SharedAddress, SubmissionForm};
use super::caller::{ApiCaller, Caller};
use super::downloads;
use super::guard::ClientAddress;
use super::home::receive;
use super::job_actions::origin;
use crate::pages::ApiPage;
use crate::service::Service;
use crate::store::JobRow;
use axum::extract::{DefaultBodyLimit, Extension, Multipart, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use std::sync::Arc;
use utoipa::OpenApi;

/// The description.
#[derive(OpenApi)]
#[openapi(
    info(title = "howcome", description = "Find out, by experiment, why something fails"),
    paths(submit, list, job, cancel, resume, again, before, feedback, share, delete, downloads::of_api),
    components(schemas(crate::job::submission::Submission, JobInfo, CreatedJob))
)]
pub(crate) struct ApiDescription;

type ApiResult<T> = Result<Json<T>, ApiRefusal>;

/// `upload` is the largest submission.
pub(crate) fn routes(upload: usize) -> Router<Arc<Service>> {
    use axum::routing::{get, post};
    Router::new()
        .route("/api/v1/openapi.json", get(description))
        .route("/api/v1/jobs", get(list).post(submit).layer(DefaultBodyLimit::max(upload)))
        .route("/api/v1/jobs/{id}", get(job).delete(delete))
        .route("/api/v1/jobs/{id}/cancel", post(cancel))
        .route("/api/v1/jobs/{id}/resume", post(resume))
        .route("/api/v1/jobs/{id}/again", post(again))
        .route("/api/v1/jobs/{id}/before/{step}", post(before))
        .route("/api/v1/jobs/{id}/feedback", post(feedback))
        .route("/api/v1/jobs/{id}/share", post(share))
        .route("/api/v1/jobs/{id}/files/{name}", get(downloads::of_api))
}

async fn description() -> Response {
    Json(ApiDescription::openapi()).into_response()
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
async fn submit(
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
#[utoipa::path(get, path = "/api/v1/jobs", tag = "jobs", responses((status = 200, body = Vec<JobInfo>)))]
async fn list(State(service): State<Arc<Service>>, ApiCaller(caller): ApiCaller) -> ApiResult<Vec<JobInfo>> {
    let jobs = service.store.jobs_of(&caller.owner, 500).await?;
    Ok(Json(jobs.iter().map(|job| JobInfo::of(&service, job)).collect()))
}

/// A job and its progress.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, body = JobInfo), (status = 404, description = "there is no such job")))]
async fn job(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<JobInfo> {
    let job = find(&service, &caller, &id).await?;
    Ok(Json(JobInfo::with_progress(&service, &job).await))
}

/// Stops a job. Its best so far is kept.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/cancel", tag = "jobs", params(("id" = String, Path)), responses((status = 200)))]
async fn cancel(
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
    responses((status = 200), (status = 409, description = "there is nothing to continue")))]
async fn resume(
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
    responses((status = 200, body = CreatedJob)))]
async fn again(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<CreatedJob> {
    let job = find(&service, &caller, &id).await?;
    let job = service.again(&job).await?;
    let page = format!("{}/jobs/{job}", service.settings.prefix);
    Ok(Json(CreatedJob { job, page }))
}

/// Asks how a step of a chain came to be. The answer is on the page of the job.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/before/{step}", tag = "jobs",
    params(("id" = String, Path), ("step" = i64, Path, description = "counted from 1")),
    responses((status = 200), (status = 409, description = "the job has no chain")))]
async fn before(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path((id, step)): Path<(String, i64)>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.ask_before(&job, step).await?;
    Ok(StatusCode::OK)
}

/// Says whether a diagnosis is right.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/feedback", tag = "jobs", params(("id" = String, Path)),
    request_body = inline(FeedbackRequest), responses((status = 200)))]
async fn feedback(
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
    request_body = inline(ShareRequest), responses((status = 200, body = inline(SharedAddress))))]
async fn share(
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

/// Deletes a job that is over, with all its files.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200), (status = 409, description = "it runs")))]
async fn delete(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiRefusal> {
    let job = find(&service, &caller, &id).await?;
    service.delete(&job).await?;
    Ok(StatusCode::OK)
}

/// The page that shows the description to people.
pub(crate) async fn api_page(
    State(service): State<Arc<Service>>,
    caller: Option<Caller>,
    headers: HeaderMap,
) -> PageResult {
    let description = serde_json::to_value(ApiDescription::openapi()).unwrap_or_default();
    let mut paths = Vec::new();
    for (path, methods) in description["paths"].as_object().into_iter().flatten() {
        for (method, about) in methods.as_object().into_iter().flatten() {
            let what = about["summary"].as_str().unwrap_or_default().to_owned();
            paths.push((method.to_uppercase(), path.clone(), what));
        }
    }
    page(&ApiPage {
        frame: frame(&service, caller.as_ref().map(|caller| caller.owner.as_str())),
        address: origin(&service, &headers),
        paths,
    })
}
