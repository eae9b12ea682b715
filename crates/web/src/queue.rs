//! Keeps the slots busy: takes jobs, runs them, prolongs their leases, records how they end. Deletes what is too old.

use crate::clock::now;
use crate::metrics::{Gauge, Metrics};
use crate::runner::{JobRunner, LeftNode};
use crate::service::Service;
use crate::store::{JobEnd, JobRow, JobStatus};
use crate::supervised::Stopping;
use crate::webhook;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a node has a job without a sign of life, in milliseconds.
const LEASE: i64 = 15_000;
/// How often a node gives a sign of life, and looks whether the job is still wanted.
const HEARTBEAT: Duration = Duration::from_millis(1_000);
/// How often a node looks for jobs that others have submitted or lost.
const LOOK: Duration = Duration::from_secs(2);
/// A job that has brought its node down this often is not tried again.
const MOST_ATTEMPTS: i64 = 100;
const HOUR: Duration = Duration::from_secs(3_600);

/// Works on jobs until the service ends, then gives back the one that runs.
pub(crate) async fn work(service: Arc<Service>, node: String, slot: usize) {
    let mut ending = service.ending.subscribe();
    loop {
        if *ending.borrow() {
            return;
        }
        // Before the look, so that a job submitted after it is not missed.
        let bell = service.bell.notified();
        match service.store.claim(&node, LEASE).await {
            Ok(Some(job)) => {
                run(&service, &node, slot, job).await;
                continue;
            }
            Ok(None) => {}
            Err(error) => service.log("queue.error", json!({"error": error.to_string()})),
        }
        tokio::select! {
            () = bell => {}
            () = tokio::time::sleep(LOOK) => {}
            _ = ending.changed() => {}
        }
    }
}

async fn run(service: &Arc<Service>, node: &str, slot: usize, job: JobRow) {
    let _running = Gauge::raise(&service.metrics.jobs_running);
    Metrics::count(&service.metrics.jobs_started);
    service.log("job.started", json!({"job": job.id, "attempt": job.attempts, "slot": slot}));
    let left = match job.attempts > MOST_ATTEMPTS {
        false => run_supervised_job(service, node, slot, &job).await,
        true => LeftNode::Over(JobEnd {
            status: JobStatus::Ended,
            ending: Some("failed".to_owned()),
            problem: Some("the service ended too often while this job ran".to_owned()),
            bytes: job.bytes,
            cpu: 0,
        }),
    };
    let recorded = match &left {
        LeftNode::Over(end) => service.store.finish(&job.id, node, end).await,
        LeftNode::Continues => service.store.give_back(&job.id, node).await.map(|()| false),
    };
    match (left, recorded) {
        (_, Err(error)) => {
            service.log("job.unrecorded", json!({"job": job.id, "error": error.to_string()}));
        }
        (LeftNode::Over(end), Ok(true)) => {
            Metrics::count(&service.metrics.jobs_ended);
            let (status, ending) = (end.status.as_str(), &end.ending);
            service
                .log("job.ended", json!({"job": job.id, "status": status, "ending": ending, "cpu": end.cpu}));
            call_webhook(service, &job.id).await;
        }
        _ => service.log("job.left", json!({"job": job.id})),
    }
}

async fn run_supervised_job(service: &Arc<Service>, node: &str, slot: usize, job: &JobRow) -> LeftNode {
    let stopping = Arc::new(Stopping::default());
    let runner = JobRunner {
        program: service.settings.program.clone(),
        limits: service.settings.limits.clone(),
        folder: service.folder(&job.id),
        parent: job.parent.as_deref().map(|id| service.folder(id)),
        job: job.clone(),
        slot,
        settings: service.settings.data.join("etc"),
    };
    let (sender, mut receiver) = oneshot::channel();
    let for_thread = Arc::clone(&stopping);
    // A thread of its own: the kernel ends the process with the thread that started it.
    let started = std::thread::Builder::new().name(format!("job {slot}")).spawn(move || {
        let _ = sender.send(runner.run(&for_thread));
    });
    if let Err(error) = started {
        service.log("job.error", json!({"job": job.id, "error": error.to_string()}));
        return LeftNode::Continues;
    }
    let mut ending = service.ending.subscribe();
    if *ending.borrow() {
        stopping.end_service();
    }
    let mut last_sign = now();
    loop {
        tokio::select! {
            left = &mut receiver => return left.unwrap_or(LeftNode::Continues),
            _ = ending.changed() => stopping.end_service(),
            () = tokio::time::sleep(HEARTBEAT) => match service.store.prolong(&job.id, node, LEASE).await {
                Ok(Some(is_cancelled)) => {
                    last_sign = now();
                    if is_cancelled {
                        stopping.cancel();
                    }
                }
                Ok(None) => stopping.lose(),
                // Another node takes the job when the lease ends, so it must not run here any longer.
                Err(_) if now() - last_sign > LEASE * 2 / 3 => stopping.lose(),
                Err(_) => {}
            },
        }
    }
}

async fn call_webhook(service: &Arc<Service>, id: &str) {
    let Ok(Some(job)) = service.store.job(id).await else { return };
    let request: serde_json::Value = serde_json::from_str(&job.request).unwrap_or_default();
    let Some(address) = request["webhook"].as_str().filter(|address| !address.is_empty()) else { return };
    if !webhook::is_allowed(address, &service.settings.webhook_hosts) {
        return;
    }
    let (address, service) = (address.to_owned(), Arc::clone(service));
    tokio::task::spawn_blocking(move || {
        if let Err(error) = webhook::tell(&address, &job) {
            service.log("webhook.failed", json!({"job": job.id, "error": error}));
        }
    });
}

/// Deletes jobs that are over for longer than the operator wants to keep them, and folders of submissions that were never
/// acknowledged.
pub(crate) async fn tidy(service: Arc<Service>) {
    loop {
        let days = i64::from(service.settings.retention_days);
        if days > 0 {
            let old = service.store.older_than(now() - days * 86_400_000).await.unwrap_or_default();
            for id in old {
                if let Err(refusal) = service.forget(&id).await {
                    service.log("tidy.error", json!({"job": id, "error": refusal.cause}));
                }
            }
        }
        let _ = service.store.drop_expired_shares().await;
        let jobs = service.jobs_folder();
        let _ = tokio::task::spawn_blocking(move || crate::job::upload::remove_abandoned(&jobs)).await;
        tokio::time::sleep(HOUR).await;
    }
}
