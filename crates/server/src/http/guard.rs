//! What holds for every request: its origin, its time, the headers of its answer, and the log.

use std::any::Any;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{App, Fault};

/// A request that takes longer is given up.
const TIME: Duration = Duration::from_secs(20);

/// Scripts, styles and pictures come from the server itself, and nothing else may be done with the pages.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // The link of a private table is its key: no other site is told of it.
    ("referrer-policy", "no-referrer"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Pages of other sites can neither change anything nor open a WebSocket, and no form can be sent as JSON.
/// Programs other than browsers send no origin.
pub async fn same_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    let (method, headers) = (request.method(), request.headers());
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if (changes || headers.contains_key(header::UPGRADE)) && !is_own(headers, request.uri(), &app.origins) {
        return Fault::ForeignOrigin.into_response();
    }
    // Other methods are not taken anywhere.
    if *method == Method::POST && !is_json(headers) {
        return Fault::NotJson.into_response();
    }
    next.run(request).await
}

fn is_own(headers: &HeaderMap, uri: &Uri, origins: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        // Browsers that send no origin still say where a request was made.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        return matches!(site, None | Some(b"same-origin" | b"none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| uri.authority().map(|authority| authority.as_str()));
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let same = authority.zip(host).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
    same || origins.iter().any(|own| own.eq_ignore_ascii_case(origin))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

pub async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Fault::Late.into_response(),
    }
}

pub fn mistake(panic: Box<dyn Any + Send>) -> Response {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
    tracing::error!(panic = words, "a request panicked");
    Fault::Internal.into_response()
}

/// Counted and logged by route: the id of a private table is not for the log.
pub async fn watched(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let (route, status) = (route.unwrap_or_else(|| "page".into()), response.status());
    let took = began.elapsed();
    tracing::debug!(%method, route, status = status.as_u16(), ms = took.as_secs_f64() * 1e3, "request");
    let method = if method == Method::GET { "get" } else { "other" };
    metrics::counter!("lair_requests_total", "route" => route.clone(), "method" => method,
        "status" => status.as_str().to_owned())
    .increment(1);
    metrics::histogram!("lair_request_seconds", "route" => route).record(took.as_secs_f64());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(headers: &[(&'static str, &'static str)], origins: &[&str]) -> bool {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let origins: Vec<String> = origins.iter().map(|origin| origin.to_string()).collect();
        is_own(&headers.collect(), &Uri::from_static("/api/guest"), &origins)
    }

    #[test]
    fn an_origin_is_own_if_it_is_the_host_or_named() {
        let host = ("host", "lair.example:8080");
        assert!(own(&[host], &[]));
        assert!(own(&[host, ("origin", "http://lair.example:8080")], &[]));
        assert!(own(&[host, ("origin", "https://LAIR.example:8080")], &[]));
        assert!(own(&[host, ("origin", "https://play.example")], &["https://play.example"]));
        assert!(own(&[host, ("sec-fetch-site", "same-origin")], &[]));
        for foreign in [
            "null",
            "http://lair.example",
            "http://lair.example:80",
            "http://lair.example:8080.evil.example",
            "http://evil.example",
            "ftp://lair.example:8080",
            "lair.example:8080",
            "",
        ] {
            assert!(!own(&[host, ("origin", foreign)], &["https://play.example"]), "{foreign}");
        }
        assert!(!own(&[host, ("sec-fetch-site", "cross-site")], &[]));
        assert!(!own(&[host, ("sec-fetch-site", "same-site")], &[]));
        assert!(!own(&[("origin", "http://lair.example")], &[]), "no host at all");
    }
}
