//! Today's dungeon, and the titles of games for one.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::client::{Client, Known};
use super::{App, Result};
use crate::wire::{BossTitle, Daily, NewTableReply, Problem};
use crate::work::Requester;

/// Today's dungeon: its scores, and your attempt
#[utoipa::path(get, path = "/api/daily", tag = "tables", responses((status = 200, body = Daily)))]
pub async fn today(State(app): State<App>, known: Option<Known>) -> Result<Json<Daily>> {
    let me = known.as_ref().map(|Known(person)| person);
    Ok(Json(app.hall.daily(me).await?))
}

/// Your attempt at today's dungeon: a new table, or the one you have had since you first asked
#[utoipa::path(post, path = "/api/daily", tag = "tables", responses(
    (status = 201, body = NewTableReply),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem),
    (status = 503, body = Problem, description = "The server cannot hold any more tables"),
))]
pub async fn play(State(app): State<App>, client: Client, Known(person): Known) -> Result<Response> {
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let id = hall.play_daily(&person).await?;
    let link = format!("/t/{id}");
    let reply = Json(NewTableReply { id, link: link.clone() });
    Ok((axum::http::StatusCode::CREATED, [(header::LOCATION, link)], reply).into_response())
}

/// Your best titles, by boss
#[utoipa::path(get, path = "/api/me/titles", tag = "people", responses(
    (status = 200, body = Vec<BossTitle>), (status = 401, body = Problem),
))]
pub async fn titles(State(app): State<App>, Known(person): Known) -> Result<Json<Vec<BossTitle>>> {
    Ok(Json(app.hall.store().titles_of(person.id).await?))
}
