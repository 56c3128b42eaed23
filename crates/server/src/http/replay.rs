//! Replays of finished games.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use engine::record::Record;
use serde::Deserialize;

use super::client::{Client, Params, TableId};
use super::packed::Packed;
use super::{ApiError, App, Result};
use crate::hall::PlayableDeck;
use crate::replay::{self, Viewpoint};
use crate::story;
use crate::wire::{GameReview, GameStory, Problem, Replay, ReplayMoment, TableState};
use crate::work::Requester;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayQuery {
    /// `all`, or a seat counted from 1.
    #[serde(default = "all")]
    seat: String,
}

fn all() -> String {
    "all".into()
}

/// A finished game step by step, with the proof of its shuffle
#[utoipa::path(get, path = "/api/replay/{id}", tag = "tables",
    params(("id" = String, Path), ("seat" = Option<String>, Query, description = "`all`, or a seat counted from 1")),
    responses(
        (status = 200, body = Replay), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game is still in progress"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn game(
    State(app): State<App>,
    client: Client,
    TableId(id): TableId,
    Params(query): Params<ReplayQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let make = move |record: Record, cards: &PlayableDeck| {
        let viewpoint = viewpoint(&query, &record)?;
        Ok(Packed::json(&replay::replay(&record, cards, viewpoint)))
    };
    finished(&app, &client, &headers, &id, "replay", make).await
}

/// How a finished game went: chances turn by turn, the moments that counted, what each player did
#[utoipa::path(get, path = "/api/replay/{id}/story", tag = "tables",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = GameStory), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game is still in progress"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn story(
    State(app): State<App>,
    client: Client,
    TableId(id): TableId,
    headers: HeaderMap,
) -> Result<Response> {
    let make =
        move |record: Record, cards: &PlayableDeck| Ok(Packed::json(&story::story(&record, &cards.db)));
    finished(&app, &client, &headers, &id, "story", make).await
}

/// The turning points of a finished game for one player, as they could see it
#[utoipa::path(get, path = "/api/replay/{id}/review/{seat}", tag = "tables",
    params(("id" = String, Path), ("seat" = u8, Path, description = "counted from 1")),
    responses(
        (status = 200, body = GameReview), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game is still in progress"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn review(
    State(app): State<App>,
    client: Client,
    Path((id, seat)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let make = move |record: Record, cards: &PlayableDeck| match Viewpoint::read(
        &seat,
        record.setup.rules.players,
    ) {
        Some(Viewpoint::Seat(seat)) => Ok(Packed::json(&replay::review(&record, &cards.db, seat))),
        _ => Err(ApiError::NoSuchSeat),
    };
    finished(&app, &client, &headers, &id, "review", make).await
}

/// The table at one moment of a finished game
#[utoipa::path(get, path = "/api/replay/{id}/{step}", tag = "tables",
    params(
        ("id" = String, Path), ("step" = u32, Path, description = "How many answers have been given"),
        ("seat" = Option<String>, Query, description = "`all`, or a seat counted from 1"),
    ),
    responses(
        (status = 200, body = ReplayMoment), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The game is still in progress"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn moment(
    State(app): State<App>,
    client: Client,
    Path((id, step)): Path<(String, String)>,
    Params(query): Params<ReplayQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let step: usize = step.parse().map_err(|_| ApiError::NoSuchStep)?;
    let make = move |record: Record, cards: &PlayableDeck| {
        let viewpoint = viewpoint(&query, &record)?;
        let found = replay::moment(&record, &cards.db, step, viewpoint).ok_or(ApiError::NoSuchStep)?;
        Ok(Packed::json(&found))
    };
    finished(&app, &client, &headers, &id, "moment", make).await
}

fn viewpoint(query: &ReplayQuery, record: &Record) -> Result<Viewpoint> {
    Viewpoint::read(&query.seat, record.setup.rules.players).ok_or(ApiError::NoSuchSeat)
}

/// What is made from the record of a finished game, in the work pool. A finished game will not change.
pub async fn finished(
    app: &App,
    client: &Client,
    headers: &HeaderMap,
    id: &str,
    kind: &'static str,
    make: impl FnOnce(Record, &PlayableDeck) -> Result<Packed> + Send + 'static,
) -> Result<Response> {
    match app.hall.state(id).await? {
        None => return Err(ApiError::NoSuchTable),
        Some(TableState::Open | TableState::Playing) => return Err(ApiError::NotOver),
        Some(TableState::Over) => {}
    }
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let made = hall.with_record(id, kind, move |record, cards| make(record, cards)).await?;
    let packed = made.ok_or(ApiError::NotOver)??;
    Ok(([(header::CACHE_CONTROL, "public, max-age=86400")], packed.response(headers)).into_response())
}
