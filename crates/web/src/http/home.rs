//! The pages without a job: the start, the forms, signing in.

use super::answer::{PageResult, frame, go_to, page, wants_json};
use super::caller::{COOKIE, Caller, session_of};
use super::guard::ClientAddress;
use crate::clock::now;
use crate::job::folder::is_id;
use crate::job::submission::Submission;
use crate::job::upload::ReceivedJob;
use crate::pages::{HomePage, JobsPage, ListedJob, LoginPage, NewPage, QUESTIONS};
use crate::refusal::WebRefusal;
use crate::secret::Secret;
use crate::service::Service;
use axum::Json;
use axum::extract::{Extension, Form, Multipart, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

const LAST_JOBS: i64 = 10;
const ALL_JOBS: i64 = 500;
const SESSION_DAYS: i64 = 30;
/// Tokens that one client may try in a minute.
const SIGN_INS: u32 = 10;

pub(crate) async fn home(State(service): State<Arc<Service>>, caller: Caller) -> PageResult {
    let jobs = service.store.jobs_of(&caller.owner, LAST_JOBS).await?;
    page(&HomePage {
        frame: frame(&service, Some(&caller.owner)),
        questions: QUESTIONS,
        examples: service.settings.examples.clone(),
        jobs: jobs.iter().map(ListedJob::from).collect(),
    })
}

pub(crate) async fn jobs(State(service): State<Arc<Service>>, caller: Caller) -> PageResult {
    let jobs = service.store.jobs_of(&caller.owner, ALL_JOBS).await?;
    page(&JobsPage {
        frame: frame(&service, Some(&caller.owner)),
        jobs: jobs.iter().map(ListedJob::from).collect(),
    })
}

#[derive(Deserialize)]
pub(crate) struct LikeJob {
    from: Option<String>,
}

pub(crate) async fn new(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(question): Path<String>,
    Query(like): Query<LikeJob>,
) -> PageResult {
    let has_webhooks = !service.settings.webhook_hosts.is_empty();
    let template = NewPage::of(
        frame(&service, Some(&caller.owner)),
        &question,
        service.settings.limits.upload,
        has_webhooks,
    )
    .ok_or_else(WebRefusal::not_found)?;
    let template = match like.from {
        Some(from) => {
            let job = service.job_of(&caller.owner, &from).await?;
            let old: Submission = serde_json::from_str(&job.request).map_err(WebRefusal::internal)?;
            template.like(&job.id, old)
        }
        None => template,
    };
    page(&template)
}

pub(crate) async fn submit(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
    Extension(client): Extension<ClientAddress>,
    form: Multipart,
) -> PageResult {
    let id = receive(&service, &caller, client, form).await?;
    let address = format!("{}/jobs/{id}", service.settings.prefix);
    match wants_json(&headers) {
        true => Ok((StatusCode::CREATED, Json(json!({"job": id, "page": address}))).into_response()),
        false => go_to(&address),
    }
}

/// Receives a submission from a form or a program.
pub(crate) async fn receive(
    service: &Service,
    caller: &Caller,
    client: ClientAddress,
    form: Multipart,
) -> Result<String, WebRefusal> {
    check_rate(service, caller, client)?;
    service.check_quota(&caller.owner).await?;
    let received = ReceivedJob::receive(&service.jobs_folder(), &service.settings.limits, form).await?;
    if let Some(from) = &received.from {
        let job = service.job_of(&caller.owner, from).await?;
        received.add_files_of(&service.folder(&job.id)).await?;
    }
    service.submit(&caller.owner, received).await
}

fn check_rate(
    service: &Service,
    caller: &Caller,
    ClientAddress(client): ClientAddress,
) -> Result<(), WebRefusal> {
    let who = if caller.owner.is_empty() { client.to_string() } else { caller.owner.clone() };
    match service.rates.take(&format!("submit {who}"), service.settings.limits.submissions) {
        true => Ok(()),
        false => {
            Err(WebRefusal::new(StatusCode::TOO_MANY_REQUESTS, "too many submissions: try again in a minute"))
        }
    }
}

pub(crate) async fn example(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Extension(client): Extension<ClientAddress>,
    Path(name): Path<String>,
) -> PageResult {
    check_rate(&service, &caller, client)?;
    let example = service.settings.examples.iter().find(|example| example.name == name);
    let received =
        ReceivedJob::of_example(&service.jobs_folder(), example.ok_or_else(WebRefusal::not_found)?)?;
    let id = service.submit(&caller.owner, received).await?;
    go_to(&format!("{}/jobs/{id}", service.settings.prefix))
}

/// The job that somebody wanted to see who had to sign in first.
#[derive(Deserialize)]
pub(crate) struct WantedJob {
    #[serde(default)]
    job: String,
}

pub(crate) async fn login(
    State(service): State<Arc<Service>>,
    caller: Option<Caller>,
    Query(WantedJob { job }): Query<WantedJob>,
) -> PageResult {
    match caller {
        Some(_) => go_to(&after_login(&service, &job)),
        None => page(&LoginPage { frame: frame(&service, None), is_wrong: false, job }),
    }
}

fn after_login(service: &Service, job: &str) -> String {
    let prefix = &service.settings.prefix;
    if is_id(job) { format!("{prefix}/jobs/{job}") } else { format!("{prefix}/") }
}

#[derive(Deserialize)]
pub(crate) struct SignIn {
    token: String,
    #[serde(default)]
    job: String,
}

pub(crate) async fn sign_in(
    State(service): State<Arc<Service>>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    headers: HeaderMap,
    Form(SignIn { token, job }): Form<SignIn>,
) -> PageResult {
    if !service.rates.take(&format!("sign in {client}"), SIGN_INS) {
        return Err(WebRefusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many attempts: try again in a minute",
        )
        .into());
    }
    let Some(owner) = service.store.owner_of_token(&Secret::of(token.trim())).await? else {
        service.log("sign-in.refused", json!({"client": client.to_string()}));
        let template = LoginPage { frame: frame(&service, None), is_wrong: true, job };
        return page(&template).map(|page| (StatusCode::UNAUTHORIZED, page).into_response());
    };
    let secret = Secret::new()?;
    service.store.begin_session(&owner, &secret, now() + SESSION_DAYS * 86_400_000).await?;
    let is_secure = service.settings.trust_proxy
        && headers.get("x-forwarded-proto").is_some_and(|protocol| protocol.as_bytes() == b"https");
    let cookie = cookie(&service, secret.reveal(), SESSION_DAYS * 86_400, is_secure);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&after_login(&service, &job))).into_response())
}

pub(crate) async fn sign_out(State(service): State<Arc<Service>>, headers: HeaderMap) -> PageResult {
    if let Some(session) = session_of(&headers) {
        service.store.end_session(&session).await?;
    }
    let cookie = cookie(&service, "", 0, false);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&format!("{}/login", service.settings.prefix)))
        .into_response())
}

fn cookie(service: &Service, value: &str, seconds: i64, is_secure: bool) -> String {
    let path = if service.settings.prefix.is_empty() { "/" } else { &service.settings.prefix };
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}
