//! Calls that are repeated when they fail for a reason that can pass.

use crate::protocol::{Code, Status, described};
use std::future::Future;
use std::time::Duration;

/// How often a call is tried before the cluster counts as lost.
pub(crate) const MOST_TRIES: u32 = 5;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    /// It failed again and again, or for a reason that does not pass.
    #[error("{0}")]
    Lost(String),
    /// It was refused, and will be the next time.
    #[error("{0}")]
    Refused(String),
    /// The server has lost blobs that an action needs.
    #[error("the server has lost files of an action: {0}")]
    MissingBlobs(String),
    /// The server failed, perhaps because it lacks blobs.
    #[error("{0}")]
    Failed(String),
    /// The server does not know it.
    #[error("{0}")]
    NotFound(String),
    /// Something on this machine is wrong.
    #[error("{0}")]
    Here(String),
}

/// Tries calls again, later each time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) first_delay: Duration,
    pub(crate) call_timeout: Duration,
}

impl Patience {
    /// Calls until it works, at most five times.
    pub(crate) async fn call<T, F: Future<Output = Result<T, Status>>>(
        &self,
        what: &str,
        call: impl FnMut() -> F,
    ) -> Result<T, CallError> {
        self.call_unless(|_| false, what, call).await
    }

    /// The same, but some errors are final.
    pub(crate) async fn call_unless<T, F: Future<Output = Result<T, Status>>>(
        &self,
        is_final: impl Fn(&Status) -> bool,
        what: &str,
        mut call: impl FnMut() -> F,
    ) -> Result<T, CallError> {
        let mut tries = 0;
        loop {
            let status = match in_time(self.call_timeout, call()).await {
                Ok(reply) => return Ok(reply),
                Err(status) => status,
            };
            tries += 1;
            if is_final(&status) {
                return Err(CallError::Refused(format!("{what} failed: {}", said(&status))));
            }
            if let Some(error) = verdict(what, &status, tries) {
                return Err(error);
            }
            self.wait(tries).await;
        }
    }

    /// Waits before the next try.
    pub(crate) async fn wait(&self, tries: u32) {
        let delay = self.first_delay.saturating_mul(4_u32.saturating_pow(tries.saturating_sub(1)));
        tokio::time::sleep(delay).await;
    }
}

/// The reply to a call, or an error if it takes too long.
pub(crate) async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    let late = || Err(Status::deadline_exceeded("there was no reply in time"));
    tokio::time::timeout(limit, call).await.unwrap_or_else(|_| late())
}

/// Why there is no further try, if there is none.
pub(crate) fn verdict(what: &str, status: &Status, tries: u32) -> Option<CallError> {
    let said = said(status);
    match status.code() {
        Code::NotFound => Some(CallError::NotFound(format!("{what}: {said}"))),
        Code::FailedPrecondition => Some(CallError::MissingBlobs(said)),
        Code::Unavailable
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Internal
        | Code::Unknown
        | Code::Cancelled
        | Code::DataLoss => {
            (tries >= MOST_TRIES).then(|| CallError::Lost(format!("{what} failed {tries} times: {said}")))
        }
        _ => Some(CallError::Refused(format!("{what} was refused: {said}"))),
    }
}

/// Whether the two sides do not agree on how to encrypt the connection, or do not trust each other's certificates. Waiting changes nothing.
pub(crate) fn is_about_certificates(status: &Status) -> bool {
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        let is_invalid = |error: &std::io::Error| {
            error.kind() == std::io::ErrorKind::InvalidData && error.get_ref().is_some()
        };
        if error.downcast_ref::<std::io::Error>().is_some_and(is_invalid) {
            return true;
        }
        cause = error.source();
    }
    false
}

pub(crate) fn said(status: &Status) -> String {
    let name = format!("{:?}", status.code());
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let source = std::error::Error::source(status).map(described);
    let text = [Some(status.message().to_owned()), source];
    let text: Vec<String> = text.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    if text.is_empty() { words } else { format!("{words}: {}", text.join(": ")) }
}
