//! Pages and refusals as responses.

use crate::pages::{MessagePage, PageFrame};
use crate::refusal::WebRefusal;
use crate::service::Service;
use askama::Template;
use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde_json::json;

/// What every handler of a page returns.
pub(crate) type PageResult = Result<Response, PageRefusal>;

/// A refusal that is shown as a page.
pub(crate) struct PageRefusal(pub(crate) WebRefusal);

impl<E: Into<WebRefusal>> From<E> for PageRefusal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageRefusal {
    fn into_response(self) -> Response {
        // The guard makes a page of it: it knows the frame.
        let mut response = self.0.status.into_response();
        response.extensions_mut().insert(ShownRefusal { message: self.0.message, cause: self.0.cause });
        response
    }
}

/// A refusal on its way to the guard.
#[derive(Clone)]
pub(crate) struct ShownRefusal {
    pub(crate) message: String,
    pub(crate) cause: Option<String>,
}

/// A refusal for a program.
pub(crate) struct ApiRefusal(pub(crate) WebRefusal);

impl<E: Into<WebRefusal>> From<E> for ApiRefusal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for ApiRefusal {
    fn into_response(self) -> Response {
        let mut response = (self.0.status, Json(json!({"error": self.0.message}))).into_response();
        if self.0.cause.is_some() {
            let shown = ShownRefusal { message: self.0.message, cause: self.0.cause };
            response.extensions_mut().insert(LoggedRefusal(shown));
        }
        response
    }
}

/// A refusal that is complete, and only to be logged.
#[derive(Clone)]
pub(crate) struct LoggedRefusal(pub(crate) ShownRefusal);

pub(crate) fn page(template: &impl Template) -> PageResult {
    Ok(Html(template.render().map_err(WebRefusal::internal)?).into_response())
}

/// After a button was pressed.
pub(crate) fn go_to(address: &str) -> PageResult {
    Ok(Redirect::to(address).into_response())
}

/// `owner` is the name of the caller's account, if the caller may submit jobs.
pub(crate) fn frame(service: &Service, owner: Option<&str>) -> PageFrame {
    PageFrame {
        base: service.settings.prefix.clone(),
        name: owner.unwrap_or_default().to_owned(),
        is_member: owner.is_some(),
        version: super::assets::version(),
    }
}

/// A refusal as a page.
pub(crate) fn refusal_page(service: &Service, status: StatusCode, message: &str) -> Response {
    let title = match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::TOO_MANY_REQUESTS => "Too much at once",
        StatusCode::PAYLOAD_TOO_LARGE => "Too large",
        status if status.is_server_error() => "The service has a problem",
        _ => "That did not work",
    };
    let template = MessagePage {
        frame: frame(service, None),
        title: title.to_owned(),
        message: howcome_run::words::printable(message),
        is_failure: true,
        address: String::new(),
        back: format!("{}/", service.settings.prefix),
    };
    (status, Html(template.render().unwrap_or_default())).into_response()
}

/// Whether a client wants JSON: a script of the form does.
pub(crate) fn wants_json(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes().starts_with(b"application/json"))
}
