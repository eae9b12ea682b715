//! For operators, and for everybody who wants to know how busy the service is.

use super::answer::{ApiRefusal, PageResult, frame, page};
use super::api_types::ServiceStatus;
use super::caller::Caller;
use crate::clock::now;
use crate::pages::StatusPage;
use crate::service::Service;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use howcome_run::words::{duration, thousands};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Whether the database answers.
#[utoipa::path(get, path = "/health", tag = "operator",
    responses((status = 200, description = "it works"), (status = 503, description = "it does not, or is about to end")))]
pub(crate) async fn health(State(service): State<Arc<Service>>) -> Response {
    match service.store.counts().await {
        Ok(_) if *service.ending.borrow() => (StatusCode::SERVICE_UNAVAILABLE, "ending\n").into_response(),
        Ok(_) => (StatusCode::OK, "ok\n").into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response(),
    }
}

/// Numbers in the format of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operator", responses((status = 200, description = "one number a line")))]
pub(crate) async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (name, kind, help, value) in service.metrics.values() {
        let _ = writeln!(
            text,
            "# HELP howcome_{name} {help}\n# TYPE howcome_{name} {kind}\nhowcome_{name} {value}"
        );
    }
    let _ = writeln!(text, "# HELP howcome_jobs jobs by state and ending\n# TYPE howcome_jobs gauge");
    for (status, ending, number) in service.store.counts().await.unwrap_or_default() {
        let _ = writeln!(text, "howcome_jobs{{status=\"{status}\",ending=\"{ending}\"}} {number}");
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Counts, queue and load.
#[utoipa::path(get, path = "/api/v1/status", tag = "operator",
    responses((status = 200, description = "counts, queue and load", body = inline(ServiceStatus))))]
pub(crate) async fn status_for_programs(
    State(service): State<Arc<Service>>,
) -> Result<Json<ServiceStatus>, ApiRefusal> {
    let mut status = ServiceStatus {
        running: 0,
        waiting: 0,
        slots: service.settings.slots,
        watching: service.metrics.watching.load(Ordering::Relaxed),
        ended: BTreeMap::new(),
    };
    for (state, ending, number) in service.store.counts().await? {
        match state.as_str() {
            "running" => status.running += number,
            "queued" => status.waiting += number,
            "cancelled" => *status.ended.entry(state).or_default() += number,
            _ => *status.ended.entry(ending).or_default() += number,
        }
    }
    Ok(Json(status))
}

/// Counts, queue and load, for everybody. It names no job and no user.
pub(crate) async fn status(State(service): State<Arc<Service>>, caller: Option<Caller>) -> PageResult {
    let counts = service.store.counts().await?;
    let of = |wanted: &str| {
        counts.iter().filter(|(status, ..)| status == wanted).map(|(.., number)| number).sum::<i64>()
    };
    let number = |number: i64| thousands(u64::try_from(number).unwrap_or(0));
    let (waiting, running) = (of("queued"), of("running"));
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("?").to_owned();
    let up = Duration::from_millis(u64::try_from(now() - service.started).unwrap_or(0));
    let headline = match (waiting, running) {
        (0, 0) => "The service is idle".to_owned(),
        (0, _) => "The service is busy, and nobody waits".to_owned(),
        _ => "The service is busy, and jobs wait".to_owned(),
    };
    let ended = |ending: &str| {
        let of_ending = counts.iter().filter(|(status, of, _)| status == "ended" && of == ending);
        number(of_ending.map(|(.., number)| number).sum())
    };
    page(&StatusPage {
        frame: frame(&service, caller.as_ref().map(|caller| caller.owner.as_str())),
        howcome: env!("CARGO_PKG_VERSION"),
        headline,
        now: vec![
            (number(running), "running".to_owned()),
            (number(waiting), "waiting".to_owned()),
            (service.settings.slots.to_string(), "jobs at a time on this node".to_owned()),
            (load, "load of the machine".to_owned()),
            (service.metrics.watching.load(Ordering::Relaxed).to_string(), "pages watching".to_owned()),
            (duration(up), "since the start".to_owned()),
        ],
        ended: vec![
            (number(counts.iter().map(|(.., number)| number).sum()), "in all".to_owned()),
            (ended("found"), "found".to_owned()),
            (ended("never-worked"), "never worked".to_owned()),
            (ended("undecided"), "undecided".to_owned()),
            (ended("stopped"), "stopped early".to_owned()),
            (ended("refused"), "nothing to explain".to_owned()),
            (ended("flaky"), "flaky".to_owned()),
            (ended("failed"), "no answer".to_owned()),
            (number(of("cancelled")), "cancelled".to_owned()),
        ],
    })
}
