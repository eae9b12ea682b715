//! What every request passes, before and after it is answered.

use super::answer::{LoggedRefusal, ShownRefusal, refusal_page, wants_json};
use crate::metrics::Metrics;
use crate::refusal::WebRefusal;
use crate::service::Service;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an answer may take. Uploads and live pages have limits of their own.
const PATIENCE: Duration = Duration::from_secs(60);

/// Scripts and styles of this host only; SVG pictures bring their style along.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The address of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

pub(crate) async fn guard(State(service): State<Arc<Service>>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    Metrics::count(&service.metrics.requests);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let json = wants_json(request.headers()) || path.contains("/api/");
    let client = client_of(&service, &request);
    request.extensions_mut().insert(ClientAddress(client));
    let is_long = is_long(&request);
    let mut response = match check(&service, &request, client) {
        Err(refusal) => {
            let mut response = refusal.status.into_response();
            let shown = ShownRefusal { message: refusal.message, cause: None };
            response.extensions_mut().insert(shown);
            response
        }
        Ok(()) if is_long => next.run(request).await,
        Ok(()) => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => response,
            Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
        },
    };
    let status = response.status();
    let logged = response.extensions_mut().remove::<LoggedRefusal>().map(|LoggedRefusal(shown)| shown);
    let shown = response.extensions_mut().remove::<ShownRefusal>();
    let cause = logged.or_else(|| shown.clone()).and_then(|shown| shown.cause);
    let is_bare = shown.is_none() && status.is_client_error() && is_without_body(&response);
    if shown.is_some() || is_bare {
        let message = shown.map_or_else(|| usual_message(status).to_owned(), |shown| shown.message);
        response = match json {
            true => (status, axum::Json(json!({"error": message}))).into_response(),
            false => refusal_page(&service, status, &message),
        };
    }
    if status.is_client_error() {
        Metrics::count(&service.metrics.refused);
    }
    if status.is_server_error() {
        Metrics::count(&service.metrics.errors);
    }
    add_headers(response.headers_mut());
    // Shared addresses and ids of jobs are secrets, and do not belong into a log.
    let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let line = json!({"method": method.as_str(), "path": without_secrets(&path), "status": status.as_u16(), "ms": took,
        "client": client.to_string(), "cause": cause});
    service.log("request", line);
    response
}

fn check(service: &Service, request: &Request, client: IpAddr) -> Result<(), WebRefusal> {
    let headers = request.headers();
    let host = host_of(request);
    if !is_known_host(service, host.as_deref()) {
        return Err(WebRefusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this host name is not one of the service's: see --host",
        ));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) && !is_same_origin(headers, host.as_deref()) {
        return Err(WebRefusal::new(StatusCode::FORBIDDEN, "this request comes from another site"));
    }
    if !service.rates.take(&format!("request {client}"), service.settings.limits.requests) {
        return Err(WebRefusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests: try again in a minute",
        ));
    }
    Ok(())
}

fn host_of(request: &Request) -> Option<String> {
    let header = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    header.map(str::to_owned).or_else(|| request.uri().authority().map(ToString::to_string))
}

/// Whether the host is one of ours. A page of another site can make its own name lead to this machine.
fn is_known_host(service: &Service, host: Option<&str>) -> bool {
    let settings = &service.settings;
    if settings.hosts.is_empty() && !settings.listen.ip().is_loopback() {
        return true;
    }
    let Some(host) = host else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let own = settings.listen.ip().to_string();
    let is_own = name == own || name.trim_matches(['[', ']']) == own;
    is_own
        || (settings.listen.ip().is_loopback() && matches!(name, "localhost" | "127.0.0.1" | "[::1]"))
        || settings.hosts.iter().any(|known| known == name || known == host)
}

/// Whether a request that changes something was made by a page of this service, or by a program. Browsers always say where a request
/// comes from.
fn is_same_origin(headers: &HeaderMap, host: Option<&str>) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let origin = origin.split_once("://").map(|(_, host)| host);
            origin.is_some() && origin == host
        }
        // Not a browser, so nobody else's cookie is sent along.
        (None, None) => !headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION),
    }
}

fn client_of(service: &Service, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<SocketAddr>().map(SocketAddr::ip);
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    let forwarded = forwarded
        .filter(|_| service.settings.trust_proxy)
        .and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    forwarded.or(peer).unwrap_or(IpAddr::from([0, 0, 0, 0]))
}

fn is_long(request: &Request) -> bool {
    let is_upload = request
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"));
    is_upload || request.uri().path().ends_with("/events")
}

fn is_without_body(response: &Response) -> bool {
    use axum::body::HttpBody;
    response.body().is_end_stream()
}

fn usual_message(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "there is no such page, or it is not yours",
        StatusCode::METHOD_NOT_ALLOWED => "that cannot be done with this address",
        StatusCode::REQUEST_TIMEOUT => "the request took too long",
        StatusCode::PAYLOAD_TOO_LARGE => "the request is too large",
        _ => "the request is not valid",
    }
}

fn add_headers(headers: &mut HeaderMap) {
    let mut set = |name: &'static str, value: &'static str| {
        if !headers.contains_key(name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    set("content-security-policy", POLICY);
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("cache-control", "no-store");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
}

/// A path in which texts that nobody can guess are left out.
fn without_secrets(path: &str) -> String {
    let is_secret = |part: &str| {
        part.len() >= 26 && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let parts: Vec<&str> = path.split('/').map(|part| if is_secret(part) { "…" } else { part }).collect();
    howcome_run::words::cut(&howcome_run::words::printable(&parts.join("/")), 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
            .collect::<HeaderMap>()
    }

    #[test]
    fn requests_of_other_sites_are_told_from_those_of_programs_and_of_our_pages() {
        let host = Some("howcome.example.org");
        for ours in [
            &[("sec-fetch-site", "same-origin"), ("cookie", "a=b")][..],
            &[("origin", "https://howcome.example.org"), ("cookie", "a=b")],
            &[],
            &[("authorization", "Bearer x")],
        ] {
            assert!(is_same_origin(&headers(ours), host), "{ours:?}");
        }
        for others in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site"), ("origin", "https://howcome.example.org")],
            &[("origin", "https://evil.example.org")],
            &[("origin", "null")],
            &[("cookie", "howcome-session=x")],
        ] {
            assert!(!is_same_origin(&headers(others), host), "{others:?}");
        }
    }

    #[test]
    fn a_log_has_no_address_that_opens_a_page() {
        let secret = crate::secret::Secret::new().unwrap();
        let path = format!("/shared/{}/events", secret.reveal());
        assert_eq!(without_secrets(&path), "/shared/…/events");
        assert_eq!(without_secrets("/api/v1/openapi.json"), "/api/v1/openapi.json");
        assert!(!without_secrets("/\u{1b}[2J").contains('\u{1b}'));
    }
}
