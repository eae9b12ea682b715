//! Numbers for Prometheus and for the status page.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the service was started.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) requests: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) errors: AtomicU64,
    pub(crate) submissions: AtomicU64,
    pub(crate) uploaded: AtomicU64,
    pub(crate) jobs_started: AtomicU64,
    pub(crate) jobs_ended: AtomicU64,
    pub(crate) jobs_running: AtomicU64,
    pub(crate) watching: AtomicU64,
}

impl Metrics {
    pub(crate) fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Each with its name, kind and help.
    pub(crate) fn values(&self) -> [(&'static str, &'static str, &'static str, u64); 9] {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [
            ("requests_total", "counter", "HTTP requests", value(&self.requests)),
            (
                "requests_refused_total",
                "counter",
                "requests answered with a 4xx status",
                value(&self.refused),
            ),
            ("requests_failed_total", "counter", "requests answered with a 5xx status", value(&self.errors)),
            ("submissions_total", "counter", "accepted submissions", value(&self.submissions)),
            ("uploaded_bytes_total", "counter", "bytes of accepted submissions", value(&self.uploaded)),
            (
                "jobs_started_total",
                "counter",
                "jobs started or continued by this node",
                value(&self.jobs_started),
            ),
            ("jobs_ended_total", "counter", "jobs ended by this node", value(&self.jobs_ended)),
            ("jobs_running", "gauge", "jobs that run on this node", value(&self.jobs_running)),
            ("live_watchers", "gauge", "pages that watch a job", value(&self.watching)),
        ]
    }
}

/// Adds one while it lives.
pub(crate) struct Gauge<'a>(&'a AtomicU64);

impl<'a> Gauge<'a> {
    pub(crate) fn raise(counter: &'a AtomicU64) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter)
    }
}

impl Drop for Gauge<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
