//! The progress of a job, live, as server-sent events. A client that is slow skips what is out of date.

use super::answer::{ApiRefusal, PageRefusal};
use super::caller::{ApiCaller, Caller};
use crate::follow::watch_job;
use crate::live::LivePart;
use crate::metrics::Gauge;
use crate::service::Service;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

pub(crate) async fn of_job(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, PageRefusal> {
    let job = service.job_of(&caller.owner, &id).await?;
    Ok(live(service, &job.id, as_html))
}

pub(crate) async fn of_shared(
    State(service): State<Arc<Service>>,
    Path(secret): Path<String>,
) -> Result<Response, PageRefusal> {
    let job = service.shared_job(&secret).await?;
    Ok(live(service, &job.id, as_html))
}

/// The progress of a job as server-sent events: `progress` with the job as JSON, whenever it changes, and `over` at the end. A client that
/// connects again gets the newest state first.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", operation_id = "events", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, description = "server-sent events", content_type = "text/event-stream", body = String),
        (status = 404, description = "there is no such job")))]
pub(crate) async fn of_api(
    State(service): State<Arc<Service>>,
    ApiCaller(caller): ApiCaller,
    Path(id): Path<String>,
) -> Result<Response, ApiRefusal> {
    let job = service.job_of(&caller.owner, &id).await?;
    Ok(live(service, &job.id, |part| Event::default().event("progress").data(&part.json)))
}

fn as_html(part: &LivePart) -> Event {
    Event::default().event("live").data(part.html.replace(['\r', '\n'], " "))
}

fn live(service: Arc<Service>, id: &str, shown: fn(&LivePart) -> Event) -> Response {
    let watched = watch_job(&service, id);
    Sse::new(events(service, watched, shown))
        .keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
        .into_response()
}

fn events(
    service: Arc<Service>,
    mut watched: tokio::sync::watch::Receiver<Arc<LivePart>>,
    shown: fn(&LivePart) -> Event,
) -> impl Stream<Item = Result<Event, Infallible>> {
    // The first part may be there already.
    watched.mark_changed();
    let ending = service.ending.subscribe();
    futures_util::stream::unfold(Some((service, watched, ending, false)), move |state| async move {
        let (service, mut watched, mut ending, was_over) = state?;
        if was_over {
            return Some((Ok(Event::default().event("over").data("over")), None));
        }
        let _watching = Gauge::raise(&service.metrics.watching);
        loop {
            tokio::select! {
                changed = watched.changed() => {
                    if changed.is_err() {
                        // The job is over and nobody reads its journal any longer.
                        return Some((Ok(Event::default().event("over").data("over")), None));
                    }
                }
                // The browser connects again when the service is back.
                _ = ending.changed() => return None,
            }
            let part = watched.borrow_and_update().clone();
            if part.html.is_empty() && !part.is_over {
                continue;
            }
            drop(_watching);
            return Some((Ok(shown(&part)), Some((service, watched, ending, part.is_over))));
        }
    })
}
