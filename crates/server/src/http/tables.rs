//! The lobby, new tables, and the records of finished games.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::client::{Body, Client, Known, TableId};
use super::packed::Packed;
use super::replay::finished;
use super::{ApiError, App, Result};
use crate::hall::NewTableError;
use crate::own_cards::{self, OwnCards};
use crate::wire::{DeckText, Lobby, NewTable, NewTableReply, Problem, TableCards, TableInfo};
use crate::work::Requester;

/// Tables to join, tables to watch, and your own
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Lobby)))]
pub async fn lobby(State(app): State<App>, known: Option<Known>, headers: HeaderMap) -> Response {
    let listed = app.hall.listed().await;
    let mine = app.hall.tables_of(known.as_ref().map(|Known(person)| person)).await;
    if mine.is_empty() {
        return listed.json.response(&headers);
    }
    Json(Lobby { mine, ..listed.lobby.clone() }).into_response()
}

/// Creates a table, with you as its host in the first seat
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable, responses(
    (status = 201, body = NewTableReply),
    (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 422, body = Problem, description = "These settings are not possible"),
    (status = 503, body = Problem, description = "The server cannot hold any more tables"),
))]
pub async fn create(
    State(app): State<App>,
    client: Client,
    Known(person): Known,
    Body(new): Body<NewTable>,
) -> Result<Response> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let id = hall.create(&person, new).await?;
    let link = format!("/t/{id}");
    let reply = Json(NewTableReply { id, link: link.clone() });
    Ok((axum::http::StatusCode::CREATED, [(header::LOCATION, link)], reply).into_response())
}

/// A table by its id
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = TableInfo), (status = 404, body = Problem),
    (status = 500, body = Problem, description = "The table cannot be restored; its log is kept"),
))]
pub async fn info(State(app): State<App>, TableId(id): TableId) -> Result<Json<TableInfo>> {
    Ok(Json(app.hall.info(&id).await?))
}

/// The deck that a table is played with
#[utoipa::path(get, path = "/api/tables/{id}/deck", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = DeckText), (status = 404, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn deck(State(app): State<App>, client: Client, TableId(id): TableId) -> Result<Json<DeckText>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    hall.deck(&id).await?.map(Json).ok_or(ApiError::NoSuchTable)
}

/// The cards of its own that a table is played with
#[utoipa::path(get, path = "/api/tables/{id}/cards", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = TableCards), (status = 404, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem),
))]
pub async fn cards(State(app): State<App>, client: Client, TableId(id): TableId) -> Result<Json<TableCards>> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let text = hall.own_cards(&id).await?.ok_or(ApiError::NoSuchTable)?.ok_or(ApiError::NoOwnCards)?;
    let read = move || {
        let own = OwnCards::read(&text).map_err(NewTableError::Cards)?;
        let cards = own_cards::pages(&own, &app.library.names);
        Ok::<_, ApiError>(TableCards { title: own.homebrew.set.title, text: own.text, cards })
    };
    Ok(Json(hall.work("cards", read).await??))
}

/// The record of a finished game, for `lair replay` and `lair verify`
#[utoipa::path(get, path = "/record/{id}", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = Object, description = "The record"),
    (status = 404, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    (status = 409, body = Problem, description = "The game is still in progress"),
))]
pub async fn record(
    State(app): State<App>,
    client: Client,
    TableId(id): TableId,
    headers: HeaderMap,
) -> Result<Response> {
    finished(&app, &client, &headers, &id, "record", |record, _| Ok(Packed::json(&record))).await
}
