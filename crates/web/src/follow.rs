//! Reads the journal of a job while somebody watches it.

use crate::live::LivePart;
use crate::pages::live_part;
use crate::record::JournalReader;
use crate::service::Service;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often a journal is looked at while somebody watches.
const PERIOD: Duration = Duration::from_millis(400);

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
            service.live.send(&id, LivePart { html: String::new(), is_over: true });
            return;
        };
        let place = service.store.place_in_queue(&job).await.unwrap_or(0);
        let read = tokio::task::spawn_blocking(move || {
            reader.read();
            let html = live_part(&job, reader.summary().as_ref(), place);
            (reader, job, html)
        });
        let Ok((back, job, html)) = read.await else { return };
        reader = back;
        let is_over = job.status.is_over();
        service.live.send(&id, LivePart { html, is_over });
        if is_over || service.live.is_unwatched(&id) {
            return;
        }
        tokio::time::sleep(PERIOD).await;
    }
}
