//! Long answers, written and compressed once: compressing takes too long for the threads that serve requests, so it is
//! done at the start or in the work pool.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

/// A shorter body is not worth compressing.
const SHORT: usize = 256;

/// A body, plain and compressed.
#[derive(Clone)]
pub struct Packed {
    kind: HeaderValue,
    plain: Bytes,
    /// Absent if it would not be shorter.
    gzip: Option<Bytes>,
}

impl Packed {
    pub fn of(kind: HeaderValue, plain: impl Into<Bytes>) -> Packed {
        let plain = plain.into();
        let gzip = Some(&plain).filter(|plain| plain.len() > SHORT).and_then(compress);
        let gzip = gzip.filter(|gzip| gzip.len() < plain.len());
        Packed { kind, plain, gzip }
    }

    pub fn json(value: &impl Serialize) -> Packed {
        let text = serde_json::to_vec(value).unwrap_or_else(|error| unreachable!("plain data: {error}"));
        Packed::of(HeaderValue::from_static("application/json"), text)
    }

    /// The answer, in the form that the request's headers ask for.
    pub fn response(&self, request: &HeaderMap) -> Response {
        let (vary, kind) = ((header::VARY, "accept-encoding"), (header::CONTENT_TYPE, self.kind.clone()));
        match &self.gzip {
            Some(gzip) if accepts_gzip(request) => {
                ([vary, (header::CONTENT_ENCODING, "gzip")], [kind], gzip.clone()).into_response()
            }
            _ => ([vary], [kind], self.plain.clone()).into_response(),
        }
    }
}

fn compress(plain: &Bytes) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).ok()?;
    Some(encoder.finish().ok()?.into())
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        gzip && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(value: &str) -> bool {
        accepts_gzip(&[(header::ACCEPT_ENCODING, value.parse().unwrap())].into_iter().collect())
    }

    #[test]
    fn only_what_is_accepted_is_sent() {
        assert!(accepts("gzip") && accepts("deflate, GZIP;q=0.5, br") && accepts("*"));
        assert!(!accepts("") && !accepts("br") && !accepts("gzip;q=0") && !accepts("gzip; q=0.0, br"));
        assert!(!accepts_gzip(&HeaderMap::new()));
        let long = Packed::json(&vec![7; 1_000]);
        assert!(long.gzip.as_ref().is_some_and(|gzip| gzip.len() < long.plain.len()));
        assert!(Packed::json(&7).gzip.is_none());
    }
}
