//! The lobby: which tables there are, a new one, and what is left of those that are over.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::client::{Body, Client, Known};
use super::{App, Fault, Result};
use crate::limits::network;
use crate::wire::{Lobby, NewTable, NewTableReply, Problem, TableInfo};

/// Tables to join, to watch, and one's own
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Lobby)))]
pub async fn lobby(State(app): State<App>, known: Option<Known>) -> Json<Lobby> {
    Json(app.hall.lobby(known.as_ref().map(|Known(person)| person)).await)
}

/// A new table, its host in the first seat
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable, responses(
    (status = 201, body = NewTableReply),
    (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 422, body = Problem, description = "Such a table cannot be"),
    (status = 503, body = Problem, description = "There are as many tables as there can be"),
))]
pub async fn create(
    State(app): State<App>,
    client: Client,
    Known(person): Known,
    Body(new): Body<NewTable>,
) -> Result<Response> {
    app.tables_of.take(person.id).map_err(Fault::TooFast)?;
    app.tables_from.take(network(client.address)).map_err(Fault::TooFast)?;
    let id = app.hall.create(&person, new).await?;
    let link = format!("/t/{id}");
    let reply = Json(NewTableReply { id, link: link.clone() });
    Ok((axum::http::StatusCode::CREATED, [(header::LOCATION, link)], reply).into_response())
}

/// A table by its id
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = TableInfo), (status = 404, body = Problem),
))]
pub async fn info(State(app): State<App>, Path(id): Path<String>) -> Result<Json<TableInfo>> {
    app.hall.info(&id).await.map(Json).ok_or(Fault::NoSuchTable)
}

/// The record of a game that is over, as `lair replay` and `lair verify` read it
#[utoipa::path(get, path = "/record/{id}", tag = "tables", params(("id" = String, Path)), responses(
    (status = 200, body = Object, description = "The record"),
    (status = 404, body = Problem),
    (status = 409, body = Problem, description = "The game goes on"),
))]
pub async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Response> {
    match app.hall.record(&id).await? {
        Some(record) => {
            // Over is over: it will not change.
            let cache = (header::CACHE_CONTROL, "public, max-age=86400");
            Ok(([cache], Json(record)).into_response())
        }
        None if app.hall.info(&id).await.is_some() => Err(Fault::NotOver),
        None => Err(Fault::NoSuchTable),
    }
}
