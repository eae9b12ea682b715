//! Reads the journal of a job while somebody watches it.

use crate::http::api_types::JobInfo;
use crate::live::LivePart;
use crate::pages::live_part;
use crate::record::JournalReader;
use crate::service::Service;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often a journal is looked at while somebody watches.
const PERIOD: Duration = Duration::from_millis(400);
/// The pause is this many times longer than a look, so that a long journal does not keep the machine busy.
const LONGER: u32 = 10;

/// Watches a job.
pub(crate) fn watch_job(service: &Arc<Service>, id: &str) -> watch::Receiver<Arc<LivePart>> {
    let (receiver, is_first) = service.live.watch(id);
    if is_first {
        tokio::spawn(follow(Arc::clone(service), id.to_owned()));
    }
    receiver
}

async fn follow(service: Arc<Service>, id: String) {
    let mut reader = Box::new(JournalReader::of(&service.folder(&id)));
    loop {
        let Ok(Some(job)) = service.store.job(&id).await else {
            service.live.send(&id, LivePart { is_over: true, ..LivePart::default() });
            return;
        };
        let place = service.store.place_in_queue(&job).await.unwrap_or(0);
        let (began, info) = (Instant::now(), JobInfo::of(&service, &job));
        let read = service.read(move || {
            reader.read();
            let summary = reader.summary();
            let json = serde_json::to_string(&info.with_progress(summary.as_ref())).unwrap_or_default();
            let is_over = job.status.is_over();
            (reader, LivePart { html: live_part(&job, summary.as_ref(), place), json, is_over })
        });
        let Ok((back, part)) = read.await else { return };
        reader = back;
        let is_over = part.is_over;
        service.live.send(&id, part);
        if is_over || service.live.is_unwatched(&id) {
            return;
        }
        tokio::time::sleep(PERIOD.max(began.elapsed() * LONGER)).await;
    }
}
