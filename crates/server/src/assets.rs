//! The client's files, which are part of the program.
//!
//! Invariant: a path of the client's own (`/t/{id}`, `/cards`) gives the page; a path of the API, or one that names a
//! file, gives what it names or nothing.

use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::Fault;

/// Vite puts files there whose names change with their content.
const HASHED: &str = "assets/";
const INDEX: &str = "index.html";

#[derive(RustEmbed)]
#[folder = "$CLIENT_DIST"]
struct Files;

pub async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_api = path == "api" || path.starts_with("api/") || path.starts_with("record/");
    if is_api || !matches!(method, Method::GET | Method::HEAD) {
        return Fault::NotFound.into_response();
    }
    match Files::get(path) {
        Some(file) if !path.is_empty() => file_response(path, file, &headers),
        _ if path.rsplit('/').next().is_some_and(|name| name.contains('.')) => {
            Fault::NotFound.into_response()
        }
        _ => match Files::get(INDEX) {
            Some(index) => file_response(INDEX, index, &headers),
            None => Fault::NotFound.into_response(),
        },
    }
}

fn file_response(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // Compressing makes a weak tag of it.
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let cache = match path.starts_with(HASHED) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let about = [(header::CACHE_CONTROL, cache.to_string()), (header::ETAG, tag.clone())];
    if known.is_some_and(|tags| tags.contains(&tag)) {
        return (axum::http::StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_string(),
    };
    (about, [(header::CONTENT_TYPE, kind)], file.data).into_response()
}
