//! Puzzles: the list, an attempt answer by answer, and hints and the solution for whoever asks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use puzzle::{Puzzle, shipped};
use tokio::sync::OnceCell;

use super::client::{Body, Client, Known};
use super::library::cached;
use super::packed::Packed;
use super::{ApiError, App, Result};
use crate::hall::{Hall, PlayableDeck};
use crate::puzzles::{self, PuzzleError};
use crate::wire::{
    Preview, Problem, PuzzleAnswers, PuzzleHint, PuzzleInfo, PuzzlePosition, PuzzlePreview, PuzzleReason,
    PuzzleReply, PuzzleSolution, PuzzleStage, PuzzleWhy, Settings,
};
use crate::work::Requester;

/// What is kept once somebody has asked for puzzles: until then they cost nothing.
#[derive(Default)]
pub struct Puzzles {
    list: OnceCell<Packed>,
    /// The decks that have puzzles, compiled.
    decks: Mutex<BTreeMap<&'static str, Arc<PlayableDeck>>>,
}

impl Puzzles {
    async fn cards(&self, hall: &Hall, deck: &'static str) -> Result<Arc<PlayableDeck>> {
        let known = || self.decks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cards) = known().get(deck) {
            return Ok(Arc::clone(cards));
        }
        let cards = hall.cards(&Settings { deck: deck.into(), ..Settings::default() }).await?;
        known().insert(deck, Arc::clone(&cards));
        Ok(cards)
    }

    /// Puzzles that do not hold with the cards of this server are left out.
    async fn write_list(&self, hall: &Hall) -> Result<Packed> {
        let mut all = Vec::new();
        for puzzle in hall.work("puzzles", || shipped::ALL.iter()).await? {
            if let Ok(cards) = self.cards(hall, puzzle.deck()).await {
                all.push((puzzle, cards));
            }
        }
        let write = move || {
            let infos = all.iter().filter_map(|(puzzle, cards)| puzzles::info(puzzle, cards).ok());
            Packed::json(&infos.collect::<Vec<PuzzleInfo>>())
        };
        Ok(hall.work("puzzles", write).await?)
    }
}

/// All puzzles
#[utoipa::path(get, path = "/api/puzzles", tag = "puzzles", responses(
    (status = 200, body = Vec<PuzzleInfo>), (status = 503, body = Problem),
))]
pub async fn list(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    let hall = app.hall.on_behalf_of(Requester::Server);
    let list = app.puzzles.list.get_or_try_init(|| app.puzzles.write_list(&hall)).await?;
    Ok(cached(list, &headers))
}

/// The names of the puzzles that you have solved
#[utoipa::path(get, path = "/api/me/puzzles", tag = "people", responses(
    (status = 200, body = Vec<String>), (status = 401, body = Problem),
))]
pub async fn solved(State(app): State<App>, Known(person): Known) -> Result<Json<Vec<String>>> {
    Ok(Json(app.hall.store().solved(person.id).await?))
}

/// The position, and what you are asked
#[utoipa::path(get, path = "/api/puzzles/{name}", tag = "puzzles", params(("name" = String, Path)),
    responses(
        (status = 200, body = PuzzlePosition), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn position(
    State(app): State<App>,
    client: Client,
    Path(name): Path<String>,
) -> Result<Json<PuzzlePosition>> {
    with_puzzle(&app, &client, &name, puzzles::position).await
}

/// What comes of your last answer: you are asked again, it is solved, or you see what refutes it
#[utoipa::path(post, path = "/api/puzzles/{name}/attempt", tag = "puzzles", params(("name" = String, Path)),
    request_body = PuzzleAnswers,
    responses(
        (status = 200, body = PuzzleReply), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn attempt(
    State(app): State<App>,
    client: Client,
    known: Option<Known>,
    Path(name): Path<String>,
    Body(given): Body<PuzzleAnswers>,
) -> Result<Json<PuzzleReply>> {
    let work = move |puzzle: &Puzzle, cards: &PlayableDeck| puzzles::attempt(puzzle, cards, &given.answers);
    let reply = with_puzzle(&app, &client, &name, work).await?;
    if let Some(Known(person)) = known.filter(|_| reply.stage == PuzzleStage::Solved) {
        app.hall.store().solve(person.id, name).await?;
    }
    Ok(reply)
}

/// What another answer would do if nobody responded
#[utoipa::path(post, path = "/api/puzzles/{name}/preview", tag = "puzzles", params(("name" = String, Path)),
    request_body = PuzzlePreview,
    responses(
        (status = 200, body = Object), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn preview(
    State(app): State<App>,
    client: Client,
    Path(name): Path<String>,
    Body(asked): Body<PuzzlePreview>,
) -> Result<Json<Preview>> {
    let work = move |puzzle: &Puzzle, cards: &PlayableDeck| {
        puzzles::look(puzzle, cards, &asked.answers, asked.index)
    };
    with_puzzle(&app, &client, &name, work).await
}

/// Why one of your cards cannot be used
#[utoipa::path(post, path = "/api/puzzles/{name}/why", tag = "puzzles", params(("name" = String, Path)),
    request_body = PuzzleWhy,
    responses(
        (status = 200, body = PuzzleReason), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn why(
    State(app): State<App>,
    client: Client,
    Path(name): Path<String>,
    Body(asked): Body<PuzzleWhy>,
) -> Result<Json<PuzzleReason>> {
    let work =
        move |puzzle: &Puzzle, cards: &PlayableDeck| puzzles::why(puzzle, cards, &asked.answers, asked.card);
    with_puzzle(&app, &client, &name, work).await
}

/// An answer that works, and what kind of answer it is
#[utoipa::path(post, path = "/api/puzzles/{name}/hint", tag = "puzzles", params(("name" = String, Path)),
    request_body = PuzzleAnswers,
    responses(
        (status = 200, body = PuzzleHint), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn hint(
    State(app): State<App>,
    client: Client,
    Path(name): Path<String>,
    Body(given): Body<PuzzleAnswers>,
) -> Result<Json<PuzzleHint>> {
    let work = move |puzzle: &Puzzle, cards: &PlayableDeck| puzzles::hint(puzzle, cards, &given.answers);
    with_puzzle(&app, &client, &name, work).await
}

/// The line that solves it, in words
#[utoipa::path(get, path = "/api/puzzles/{name}/solution", tag = "puzzles", params(("name" = String, Path)),
    responses(
        (status = 200, body = PuzzleSolution), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn solution(
    State(app): State<App>,
    client: Client,
    Path(name): Path<String>,
) -> Result<Json<PuzzleSolution>> {
    with_puzzle(&app, &client, &name, puzzles::solution).await
}

/// In the work pool: a game is replayed, and an answer off the line is searched.
async fn with_puzzle<T: Send + 'static>(
    app: &App,
    client: &Client,
    name: &str,
    work: impl FnOnce(&Puzzle, &PlayableDeck) -> Result<T, PuzzleError> + Send + 'static,
) -> Result<Json<T>> {
    let puzzle = shipped::find(name).ok_or(ApiError::NoSuchPuzzle)?;
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let cards = app.puzzles.cards(&hall, puzzle.deck()).await?;
    Ok(Json(hall.work("puzzle", move || work(puzzle, &cards)).await??))
}
