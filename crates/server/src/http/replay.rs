//! Finished games, looked at again.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use engine::record::Record;
use serde::{Deserialize, Serialize};

use super::{App, Fault, Result};
use crate::hall::Cards;
use crate::replay::{self, Eyes};
use crate::wire::{Problem, Replay, ReplayMoment};

#[derive(Deserialize)]
pub struct Asked {
    /// `all`, or a seat counted from 1.
    #[serde(default = "all")]
    seat: String,
}

fn all() -> String {
    "all".into()
}

/// A finished game in words, with the proof of its shuffle
#[utoipa::path(get, path = "/api/replay/{id}", tag = "tables",
    params(("id" = String, Path), ("seat" = Option<String>, Query, description = "`all`, or a seat counted from 1")),
    responses(
        (status = 200, body = Replay), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game goes on"),
    ),
)]
pub async fn game(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    let (record, cards) = over(&app, &id).await?;
    let eyes = eyes(&asked, &record)?;
    let work = move || replay::replay(&record, &cards.db, eyes);
    tokio::task::spawn_blocking(work).await.map(kept).map_err(|_| Fault::Internal)
}

/// A moment of a finished game: the table after so many answers
#[utoipa::path(get, path = "/api/replay/{id}/{step}", tag = "tables",
    params(
        ("id" = String, Path), ("step" = u32, Path, description = "How many answers had been given"),
        ("seat" = Option<String>, Query, description = "`all`, or a seat counted from 1"),
    ),
    responses(
        (status = 200, body = ReplayMoment), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game goes on"),
    ),
)]
pub async fn moment(
    State(app): State<App>,
    Path((id, step)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    let step: usize = step.parse().map_err(|_| Fault::NoSuchStep)?;
    let (record, cards) = over(&app, &id).await?;
    let eyes = eyes(&asked, &record)?;
    let work = move || replay::moment(&record, &cards.db, step, eyes);
    let found = tokio::task::spawn_blocking(work).await.map_err(|_| Fault::Internal)?;
    found.map(kept).ok_or(Fault::NoSuchStep)
}

async fn over(app: &App, id: &str) -> Result<(Record, Arc<Cards>)> {
    match app.hall.record_and_cards(id).await? {
        Some(found) => Ok(found),
        None if app.hall.info(id).await.is_some() => Err(Fault::NotOver),
        None => Err(Fault::NoSuchTable),
    }
}

fn eyes(asked: &Asked, record: &Record) -> Result<Eyes> {
    Eyes::read(&asked.seat, record.setup.rules.players).ok_or(Fault::NoSuchSeat)
}

/// Over is over: it will not change.
fn kept(found: impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "public, max-age=86400")], Json(found)).into_response()
}
