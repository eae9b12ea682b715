//! The buttons on the page of a job.

use super::answer::{PageResult, frame, go_to, page};
use super::caller::Caller;
use crate::pages::{MessagePage, time};
use crate::service::Service;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, header};
use serde::Deserialize;
use std::sync::Arc;

fn address(service: &Service, id: &str) -> String {
    format!("{}/jobs/{id}", service.settings.prefix)
}

pub(crate) async fn cancel(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.cancel(&job).await?;
    go_to(&address(&service, &id))
}

pub(crate) async fn resume(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.resume(&job).await?;
    go_to(&address(&service, &id))
}

pub(crate) async fn again(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    let id = service.again(&job).await?;
    go_to(&address(&service, &id))
}

pub(crate) async fn before(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path((id, step)): Path<(String, i64)>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.ask_before(&job, step).await?;
    go_to(&format!("{}#before-{step}", address(&service, &id)))
}

pub(crate) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.delete(&job).await?;
    go_to(&format!("{}/jobs", service.settings.prefix))
}

#[derive(Deserialize)]
pub(crate) struct FeedbackForm {
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) comment: String,
}

pub(crate) async fn feedback(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
    Form(said): Form<FeedbackForm>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.give_feedback(&job, &caller.owner, &said.verdict, &said.comment).await?;
    go_to(&format!("{}#feedback", address(&service, &id)))
}

#[derive(Deserialize)]
pub(crate) struct ShareForm {
    pub(crate) days: u32,
}

pub(crate) async fn share(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(ShareForm { days }): Form<ShareForm>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    let (secret, expires) = service.share(&job, days).await?;
    page(&MessagePage {
        frame: frame(&service, Some(&caller.owner)),
        title: "Shared".to_owned(),
        message: format!(
            "Everybody who has this address can read the diagnosis until {}. It is shown only once.",
            time(expires)
        ),
        is_failure: false,
        address: format!("{}/shared/{}", origin(&service, &headers), secret.reveal()),
        back: address(&service, &id),
    })
}

pub(crate) async fn unshare(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> PageResult {
    let job = service.job_of(&caller.owner, &id).await?;
    service.store.unshare(&job.id).await?;
    go_to(&format!("{}#share", address(&service, &id)))
}

/// The address of the service as the client sees it.
pub(crate) fn origin(service: &Service, headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let trusted = |name: &str| text(name).filter(|_| service.settings.trust_proxy);
    let protocol = trusted("x-forwarded-proto").filter(|protocol| *protocol == "https").unwrap_or("http");
    let listen = service.settings.listen.to_string();
    let host = trusted("x-forwarded-host").or(text(header::HOST.as_str())).unwrap_or(&listen);
    format!("{protocol}://{host}{}", service.settings.prefix)
}
