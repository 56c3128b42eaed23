//! Applies to every request: the check of its origin, the time limit, response headers, and logging. Written here
//! rather than with tower-http's layers, whose errors are not a `Problem`.

use std::any::Any;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ApiError, App, Client, Result};

/// A request that takes longer is abandoned.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Scripts, styles and pictures come from the server itself, and nobody may embed the pages.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // The link of a private table is its key: other sites must not see it.
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

/// Anyone can point a name of their own at this machine, and so make their page look like one of ours to a browser (DNS
/// rebinding). Names must therefore be known; an address is nobody's but its own.
pub async fn known_host(State(app): State<App>, request: Request, next: Next) -> Response {
    match check_host(&request, &app.origins) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check_host(request: &Request, origins: &[String]) -> Result<()> {
    let named = request.headers().get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let mut hosts = named.chain(request.uri().authority().map(|authority| authority.as_str())).peekable();
    // Old health checks have none.
    if hosts.peek().is_none() && request.version() >= Version::HTTP_11 {
        return Err(ApiError::NoHost);
    }
    match hosts.find(|host| !is_known_host(host, origins)) {
        Some(host) => Err(ApiError::UnknownHost(host.chars().take(100).collect())),
        None => Ok(()),
    }
}

fn is_known_host(host: &str, origins: &[String]) -> bool {
    let Some(name) = host_name(host).filter(|_| !host.contains('@')) else { return false };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_own = |origin: &String| {
        let authority = origin.split_once("://").map_or(origin.as_str(), |(_, authority)| authority);
        host_name(authority).as_ref() == Some(&name)
    };
    address.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.ends_with(".localhost")
        || origins.iter().any(is_own)
}

/// Without the port.
fn host_name(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    Some(authority.host().trim_end_matches('.').to_ascii_lowercase())
}

/// Pages of other sites can neither change anything nor open a WebSocket, and no form can be sent as JSON.
/// Programs other than browsers send no origin.
pub async fn same_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    let (method, headers) = (request.method(), request.headers());
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if (changes || headers.contains_key(header::UPGRADE)) && !is_own(headers, request.uri(), &app.origins) {
        return ApiError::ForeignOrigin.into_response();
    }
    // No route takes any other method with a body.
    if *method == Method::POST && !is_json(headers) {
        return ApiError::NotJson.into_response();
    }
    next.run(request).await
}

fn is_own(headers: &HeaderMap, uri: &Uri, origins: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        // Browsers that send no origin still say which site made the request.
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

/// When connections are scarce, a proxy's are left to players. Without a proxy that is checked before anything is read.
pub async fn admission(State(app): State<App>, client: Client, request: Request, next: Next) -> Response {
    if !app.behind_proxy || app.admission.is_welcome(client.address) {
        return next.run(request).await;
    }
    metrics::counter!("lair_connections_refused_total").increment(1);
    let close = (header::CONNECTION, HeaderValue::from_static("close"));
    ([close], ApiError::Busy).into_response()
}

pub async fn time_limit(request: Request, next: Next) -> Response {
    match tokio::time::timeout(TIME_LIMIT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::Late.into_response(),
    }
}

pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    tracing::error!(panic = words, "a request panicked");
    ApiError::Internal.into_response()
}

/// Counted and logged by route: the id of a private table is not for the log.
pub async fn log(request: Request, next: Next) -> Response {
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
    fn a_host_is_an_address_this_machine_or_configured() {
        let origins = ["https://lair.example".into(), "http://den:8080".into()];
        for known in [
            "127.0.0.1:8080",
            "192.168.1.20:8080",
            "[::1]:8080",
            "[fe80::1]",
            "localhost",
            "LOCALHOST:5173",
            "a.localhost:1",
            "lair.example",
            "Lair.Example.:443",
            "den",
        ] {
            assert!(is_known_host(known, &origins), "{known}");
        }
        for unknown in [
            "",
            "evil.example",
            "lair.example.evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "evil@127.0.0.1",
            "0x7f.1",
            "lair",
        ] {
            assert!(!is_known_host(unknown, &origins), "{unknown}");
        }
    }

    #[test]
    fn an_origin_is_our_own_if_it_is_the_host_or_configured() {
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
