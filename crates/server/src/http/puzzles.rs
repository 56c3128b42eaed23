//! Puzzles: the list, an attempt answer by answer, and the solution for whoever asks.

use axum::Json;
use axum::extract::{Path, State};
use puzzle::{Puzzle, shipped};

use super::client::{Body, Client, Known};
use super::{ApiError, App, Result};
use crate::hall::PlayableDeck;
use crate::puzzles::{self, MOST_ANSWERS, PuzzleError};
use crate::wire::{Problem, PuzzleAnswers, PuzzleInfo, PuzzleReply, PuzzleSolution, PuzzleStage, Settings};
use crate::work::Requester;

/// All puzzles, and which of them you have solved
#[utoipa::path(get, path = "/api/puzzles", tag = "puzzles", responses((status = 200, body = Vec<PuzzleInfo>)))]
pub async fn list(State(app): State<App>, known: Option<Known>) -> Result<Json<Vec<PuzzleInfo>>> {
    let mut all = app.library.puzzles.clone();
    if let Some(Known(person)) = known {
        let solved = app.hall.store().solved(person.id).await?;
        for puzzle in &mut all {
            puzzle.solved = solved.binary_search(&puzzle.name).is_ok();
        }
    }
    Ok(Json(all))
}

/// What comes of your last answer: you are asked again, it is solved, or you see why it was wrong
#[utoipa::path(post, path = "/api/puzzles/{name}", tag = "puzzles", params(("name" = String, Path)),
    request_body = PuzzleAnswers,
    responses(
        (status = 200, body = PuzzleReply), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
        (status = 409, body = Problem, description = "The cards of this server are others"),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
)]
pub async fn play(
    State(app): State<App>,
    client: Client,
    known: Option<Known>,
    Path(name): Path<String>,
    Body(given): Body<PuzzleAnswers>,
) -> Result<Json<PuzzleReply>> {
    if given.answers.len() > MOST_ANSWERS {
        return Err(ApiError::Malformed(format!("no puzzle has more than {MOST_ANSWERS} answers")));
    }
    let work = move |puzzle: &Puzzle, cards: &PlayableDeck| puzzles::play(puzzle, cards, &given.answers);
    let reply = with_puzzle(&app, &client, &name, work).await?;
    if let Some(Known(person)) = known.filter(|_| reply.stage == PuzzleStage::Solved) {
        app.hall.store().solve(person.id, name).await?;
    }
    Ok(Json(reply))
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
    Ok(Json(with_puzzle(&app, &client, &name, puzzles::solution).await?))
}

/// In the work pool: it replays a game, and an answer off the line is searched.
async fn with_puzzle<T: Send + 'static>(
    app: &App,
    client: &Client,
    name: &str,
    work: impl FnOnce(&Puzzle, &PlayableDeck) -> Result<T, PuzzleError> + Send + 'static,
) -> Result<T> {
    let puzzle = shipped::find(name).ok_or(ApiError::NoSuchPuzzle)?;
    let hall = app.hall.on_behalf_of(Requester::at(client.address));
    let settings = Settings { deck: puzzle.deck().into(), ..Settings::default() };
    let cards = hall.cards(&settings).await?;
    Ok(hall.work("puzzle", move || work(puzzle, &cards)).await??)
}
