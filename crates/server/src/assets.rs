//! The client's files, which are embedded in the program.
//!
//! Invariant: a path of the client's own (`/t/{id}`, `/cards`) gives the page; a path of the API or of a file gives
//! what it names or 404. So does `/metrics`, which are served elsewhere.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::{ApiError, Packed};

/// Vite puts files here whose names change with their content.
const HASHED: &str = "assets/";
const INDEX: &str = "index.html";

#[derive(RustEmbed)]
#[folder = "$CLIENT_DIST"]
struct Files;

/// A file of the client, compressed, and its ETag.
struct Page {
    packed: Packed,
    tag: String,
}

static PAGES: LazyLock<HashMap<String, Page>> = LazyLock::new(|| {
    Files::iter().filter_map(|path| Some((path.to_string(), Page::of(Files::get(&path)?)))).collect()
});

/// Compresses the files, which takes a moment.
pub fn prepare() {
    LazyLock::force(&PAGES);
}

pub async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_api = path == "api" || path.starts_with("api/") || path.starts_with("record/");
    if is_api || path == "metrics" || !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::NotFound.into_response();
    }
    match PAGES.get(path) {
        Some(page) if !path.is_empty() => page.response(path, &headers),
        _ if path.rsplit('/').next().is_some_and(|name| name.contains('.')) => {
            ApiError::NotFound.into_response()
        }
        _ => match PAGES.get(INDEX) {
            Some(index) => index.response(INDEX, &headers),
            None => ApiError::NotFound.into_response(),
        },
    }
}

impl Page {
    fn of(file: EmbeddedFile) -> Page {
        let hash = file.metadata.sha256_hash();
        let tag: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let kind = match file.metadata.mimetype() {
            text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
            other => other.to_string(),
        };
        let kind = HeaderValue::try_from(kind);
        let kind = kind.unwrap_or(HeaderValue::from_static("application/octet-stream"));
        Page { packed: Packed::of(kind, file.data.into_owned()), tag: format!("\"{tag}\"") }
    }

    fn response(&self, path: &str, headers: &HeaderMap) -> Response {
        let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let cache = match path.starts_with(HASHED) {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        };
        // A weak tag: it stands for the file, compressed or not.
        let about = [(header::CACHE_CONTROL, cache.to_string()), (header::ETAG, format!("W/{}", self.tag))];
        if known.is_some_and(|tags| tags.contains(&self.tag)) {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        (about, self.packed.response(headers)).into_response()
    }
}
