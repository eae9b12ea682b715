//! Style and script. They are part of the program: no other host is asked for anything.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use howcome_report::PAGE_STYLE;
use std::sync::LazyLock;

static STYLE: LazyLock<String> =
    LazyLock::new(|| [PAGE_STYLE, include_str!("../../assets/app.css")].concat());
const SCRIPT: &str = include_str!("../../assets/app.js");
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let hash = blake3::hash([STYLE.as_bytes(), SCRIPT.as_bytes()].concat().as_slice());
    hash.to_hex()[..12].to_owned()
});

/// Changes when style or script do, so that browsers can keep them.
pub(crate) fn version() -> &'static str {
    &VERSION
}

pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", STYLE.as_str()),
        "app.js" => ("text/javascript; charset=utf-8", SCRIPT),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")], text)
        .into_response()
}
