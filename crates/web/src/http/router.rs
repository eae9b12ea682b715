//! Which address leads where.

use super::guard::guard;
use super::{api, api_description, assets, downloads, events, home, job_actions, job_pages, operator};
use crate::service::Service;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::sync::Arc;

/// The largest body of a request that is not an upload.
const LARGEST_FORM: usize = 64 << 10;

pub(crate) fn router(service: &Arc<Service>) -> Router {
    let upload =
        usize::try_from(service.settings.limits.upload).unwrap_or(usize::MAX).saturating_add(1 << 20);
    let routes = Router::new()
        .route("/", get(home::home))
        .route("/jobs", get(home::jobs).post(home::submit).layer(DefaultBodyLimit::max(upload)))
        .route("/new/{question}", get(home::new))
        .route("/examples/{name}", post(home::example))
        .route("/login", get(home::login).post(home::sign_in))
        .route("/logout", post(home::sign_out))
        .route("/jobs/{id}", get(job_pages::job))
        .route("/jobs/{id}/events", get(events::of_job))
        .route("/jobs/{id}/cancel", post(job_actions::cancel))
        .route("/jobs/{id}/resume", post(job_actions::resume))
        .route("/jobs/{id}/again", post(job_actions::again))
        .route("/jobs/{id}/before/{step}", post(job_actions::before))
        .route("/jobs/{id}/feedback", post(job_actions::feedback))
        .route("/jobs/{id}/share", post(job_actions::share))
        .route("/jobs/{id}/unshare", post(job_actions::unshare))
        .route("/jobs/{id}/delete", post(job_actions::delete))
        .route("/jobs/{id}/download/{name}", get(downloads::of_job))
        .route("/shared/{secret}", get(job_pages::shared))
        .route("/shared/{secret}/events", get(events::of_shared))
        .route("/shared/{secret}/download/{name}", get(downloads::of_shared))
        .route("/status", get(operator::status))
        .route("/health", get(operator::health))
        .route("/metrics", get(operator::metrics))
        .route("/assets/{name}", get(assets::asset))
        .route("/api", get(api_description::api_page))
        .route("/api/v1/openapi.json", get(api_description::description))
        .route("/api/v1/status", get(operator::status_for_programs))
        .merge(api::routes(upload))
        .layer(DefaultBodyLimit::max(LARGEST_FORM));
    let routes = match service.settings.prefix.as_str() {
        "" => routes,
        prefix => Router::new().route(&format!("{prefix}/"), get(home::home)).nest(prefix, routes),
    };
    routes.layer(from_fn_with_state(Arc::clone(service), guard)).with_state(Arc::clone(service))
}
