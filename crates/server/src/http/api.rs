//! The OpenAPI document.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;

use super::packed::Packed;
use super::{daily, library, mixes, ops, people, puzzles, replay, sessions, tables};
use crate::ws;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lair",
        description = "Tables for Boss Monster. Anyone with a session cookie (from /api/guest, /api/account or \
            /api/sign-in) can create tables; the game itself runs over the WebSocket of the table.",
    ),
    paths(
        people::me, people::guest, people::account, people::sign_in, people::sign_out, people::games, daily::titles,
        daily::today, daily::play,
        puzzles::list, puzzles::solved, puzzles::position, puzzles::attempt, puzzles::preview, puzzles::why,
        puzzles::hint, puzzles::solution,
        sessions::list, sessions::revoke,
        tables::lobby, tables::create, tables::info, tables::deck, tables::cards, tables::record, replay::game,
        replay::story, replay::review, replay::moment,
        ws::connect,
        library::cards, library::decks, library::check, library::check_cards, library::rules,
        mixes::boxes, mixes::mix, mixes::surprised,
        document, ops::health, ops::ready,
    ),
    tags(
        (name = "people", description = "Guests, accounts, sessions"),
        (name = "tables", description = "The lobby, tables and records"),
        (name = "puzzles", description = "Positions with one line that wins, or that saves the game"),
        (name = "library", description = "Cards, decks and rules"),
        (name = "operations", description = "For operators"),
    )
)]
struct Api;

pub fn description() -> Description {
    Api::openapi()
}

/// This document
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses((status = 200, body = Object)))]
pub async fn document(headers: HeaderMap) -> Response {
    DOCUMENT.response(&headers)
}

/// Written at the start.
pub static DOCUMENT: LazyLock<Packed> = LazyLock::new(|| Packed::json(&description()));
