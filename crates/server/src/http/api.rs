//! The API in the form that programs read.

use std::sync::LazyLock;

use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;

use super::{library, ops, people, replay, tables};
use crate::ws;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lair",
        description = "Tables for Boss Monster. Whoever has a session cookie (from /api/guest, /api/account or \
            /api/sign-in) can make tables; the game itself runs over the WebSocket of the table.",
    ),
    paths(
        people::me, people::guest, people::account, people::sign_in, people::sign_out, people::games,
        tables::lobby, tables::create, tables::info, tables::record, replay::game, replay::moment,
        ws::connect,
        library::cards, library::decks, library::check, library::rules,
        document, ops::metrics, ops::health,
    ),
    tags(
        (name = "people", description = "Guests, accounts, sessions"),
        (name = "tables", description = "The lobby, tables and records"),
        (name = "library", description = "Cards, decks and rules"),
        (name = "operations", description = "For those who run the server"),
    )
)]
struct Api;

pub fn description() -> Description {
    Api::openapi()
}

/// This document
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses((status = 200, body = Object)))]
pub async fn document() -> Json<&'static Description> {
    static DOCUMENT: LazyLock<Description> = LazyLock::new(description);
    Json(&DOCUMENT)
}
