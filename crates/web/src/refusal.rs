//! Why a request was not served, for pages and for the HTTP interface.

use crate::store::StoreError;
use axum::http::StatusCode;
use std::io;

/// A status and a sentence for the one who asked.
#[derive(Debug)]
pub(crate) struct WebRefusal {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// For the log: it can name paths of this machine.
    pub(crate) cause: Option<String>,
}

impl WebRefusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), cause: None }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The same for what does not exist and what belongs to others, so that nobody can tell them apart.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is no such page, or it is not yours")
    }

    pub(crate) fn internal(cause: impl ToString) -> Self {
        let message = "the service has a problem; the request was not carried out";
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            message: message.to_owned(),
            cause: Some(cause.to_string()),
        }
    }
}

impl From<StoreError> for WebRefusal {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<io::Error> for WebRefusal {
    fn from(error: io::Error) -> Self {
        Self::internal(error)
    }
}
