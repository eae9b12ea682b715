//! The description of the interface for programs, as OpenAPI and as a page.

use super::answer::{PageResult, frame, page};
use super::api_types::{CreatedJob, JobInfo};
use super::caller::Caller;
use super::job_actions::origin;
use super::{api, downloads, events, operator};
use crate::job::submission::Submission;
use crate::pages::ApiPage;
use crate::service::Service;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// The description.
#[derive(OpenApi)]
#[openapi(
    info(title = "howcome", description = "Find out, by experiment, why something fails"),
    paths(
        api::submit,
        api::list,
        api::job,
        api::cancel,
        api::resume,
        api::again,
        api::before,
        api::origin_of,
        api::feedback,
        api::given_feedback,
        api::share,
        api::unshare,
        api::delete,
        events::of_api,
        downloads::of_api,
        operator::status_for_programs,
        operator::health,
        operator::metrics
    ),
    components(schemas(Submission, JobInfo, CreatedJob)),
    modifiers(&TokenScheme),
    // Without accounts, no token is needed.
    security((), ("token" = []))
)]
pub(crate) struct ApiDescription;

struct TokenScheme;

impl Modify for TokenScheme {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = description.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

pub(crate) async fn description() -> Response {
    Json(ApiDescription::openapi()).into_response()
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
