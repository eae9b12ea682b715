//! Who asks: the owner of a token or of a session; everybody where there are no accounts.

use super::answer::{ApiRefusal, PageRefusal};
use crate::job::folder::is_id;
use crate::refusal::WebRefusal;
use crate::secret::Secret;
use crate::service::Service;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::sync::Arc;

/// The name of the cookie of a session.
pub(crate) const COOKIE: &str = "howcome-session";

/// Somebody who may submit jobs.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The name of the account; empty where there are no accounts.
    pub(crate) owner: String,
}

/// The same for the interface of programs, which are not sent to a form.
pub(crate) struct ApiCaller(pub(crate) Caller);

/// The secret in the cookie of a session.
pub(crate) fn session_of(headers: &HeaderMap) -> Option<Secret> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';'));
    let mut ours = pairs.filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    ours.next().map(Secret::of)
}

async fn find(service: &Service, headers: &HeaderMap) -> Result<Option<Caller>, WebRefusal> {
    if !service.is_closed().await? {
        return Ok(Some(Caller { owner: String::new() }));
    }
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        let owner = service.store.owner_of_token(&Secret::of(token.trim())).await?;
        return Ok(owner.map(|owner| Caller { owner }));
    }
    match session_of(headers) {
        Some(session) => {
            let owner = service.store.owner_of_session(&session).await?;
            Ok(owner.map(|owner| Caller { owner }))
        }
        None => Ok(None),
    }
}

/// Where to sign in. Only the id of a job is kept of the path, so that nobody can be led elsewhere.
fn login_address(service: &Service, path: &str) -> String {
    let job = path.split_once("/jobs/").and_then(|(_, rest)| rest.split('/').next());
    let wanted = job.filter(|job| is_id(job)).map(|job| format!("?job={job}")).unwrap_or_default();
    format!("{}/login{wanted}", service.settings.prefix)
}

impl FromRequestParts<Arc<Service>> for Caller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, Response> {
        match find(service, &parts.headers).await {
            Ok(Some(caller)) => Ok(caller),
            Ok(None) => Err(Redirect::to(&login_address(service, parts.uri.path())).into_response()),
            Err(refusal) => Err(PageRefusal(refusal).into_response()),
        }
    }
}

impl OptionalFromRequestParts<Arc<Service>> for Caller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Option<Self>, Response> {
        find(service, &parts.headers).await.map_err(|refusal| PageRefusal(refusal).into_response())
    }
}

impl FromRequestParts<Arc<Service>> for ApiCaller {
    type Rejection = ApiRefusal;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiRefusal> {
        let wanted =
            || WebRefusal::new(StatusCode::UNAUTHORIZED, "send a token: `Authorization: Bearer TOKEN`");
        find(service, &parts.headers).await?.map(ApiCaller).ok_or_else(|| ApiRefusal(wanted()))
    }
}
