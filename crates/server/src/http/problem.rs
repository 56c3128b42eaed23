//! What can go wrong with a request: its status, a code for programs, and a message that says what to do about it.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use thiserror::Error;

use super::passphrase::BadPassphrase;
use crate::hall::{NewTableError, NoTable, RecordError};
use crate::names::BadName;
use crate::puzzles::PuzzleError;
use crate::store::StoreError;
use crate::wire::Problem;
use crate::work::WorkError;

pub type Result<T, E = ApiError> = std::result::Result<T, E>;

#[derive(Debug, Error)]
pub enum ApiError {
    #[error("there is nothing here: GET /api/openapi.json lists everything")]
    NotFound,
    #[error("this method is not allowed here: see GET /api/openapi.json")]
    Method,
    #[error(
        "this request came from a page of another site; if that page is this server's own behind a proxy, start \
         the server with --origin"
    )]
    ForeignOrigin,
    #[error("send JSON, with the header `content-type: application/json`")]
    NotJson,
    #[error("the body could not be read: {0}")]
    Malformed(String),
    #[error("the body is too long: at most {} KiB are allowed", super::MAX_BODY / 1024)]
    TooLarge,
    #[error("this is a WebSocket address: connect with a WebSocket client")]
    NotWebSocket,
    #[error("the server does not know you yet: POST /api/guest with a name, or POST /api/sign-in")]
    NoSession,
    #[error(transparent)]
    Name(#[from] BadName),
    #[error(transparent)]
    Passphrase(#[from] BadPassphrase),
    #[error("there is no such session: GET /api/sessions lists yours")]
    NoSuchSession,
    #[error("you are signed in as {0}: sign out first")]
    SignedIn(String),
    #[error("this name, or one that looks like it, is taken: sign in if it is yours, or choose another")]
    NameTaken,
    #[error("the name or the passphrase is wrong")]
    WrongPassphrase,
    #[error("there is no such table: the link may be incomplete")]
    NoSuchTable,
    #[error("{0}")]
    BadMix(String),
    #[error("this table is played without cards of its own")]
    NoOwnCards,
    #[error("there is no such puzzle: GET /api/puzzles lists them")]
    NoSuchPuzzle,
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    #[error(transparent)]
    NoTable(#[from] NoTable),
    #[error("the game is still in progress: its record can be read when it is over")]
    NotOver,
    #[error("this is today's dungeon: its record can be read tomorrow")]
    Withheld,
    #[error("the game has no such step")]
    NoSuchStep,
    #[error("the game has no such seat: ask for `all` or a seat counted from 1")]
    NoSuchSeat,
    #[error(transparent)]
    NewTable(NewTableError),
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error("too many requests of this kind: try again in {} s", .0.as_secs() + 1)]
    TooFast(std::time::Duration),
    #[error("too many connections from your address: close some first")]
    TooMany,
    #[error("the server is busy: try again in a moment")]
    Busy,
    #[error("this took too long: try again")]
    Late,
    #[error("the server could not save or load this; its log says why")]
    Store(#[from] StoreError),
    #[error("the server is not well: {0}")]
    Unhealthy(String),
    #[error(
        "this server does not know that it is called `{0}`: use its IP address or localhost, or start it with \
         --origin https://{0} if that is its name"
    )]
    UnknownHost(String),
    #[error("a request must have a `host` header")]
    NoHost,
    #[error("the query could not be read: {0}")]
    Query(String),
    #[error("something went wrong on the server; its log says what")]
    Internal,
}

impl ApiError {
    /// The status, and the code for programs.
    pub fn kind(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            ApiError::NotFound => (S::NOT_FOUND, "not_found"),
            ApiError::Method => (S::METHOD_NOT_ALLOWED, "method_not_allowed"),
            ApiError::ForeignOrigin => (S::FORBIDDEN, "foreign_origin"),
            ApiError::NotJson => (S::UNSUPPORTED_MEDIA_TYPE, "not_json"),
            ApiError::Malformed(_) => (S::BAD_REQUEST, "malformed"),
            ApiError::TooLarge => (S::PAYLOAD_TOO_LARGE, "too_large"),
            ApiError::NotWebSocket => (S::UPGRADE_REQUIRED, "not_web_socket"),
            ApiError::NoSession => (S::UNAUTHORIZED, "no_session"),
            ApiError::Name(_) => (S::UNPROCESSABLE_ENTITY, "bad_name"),
            ApiError::Passphrase(_) => (S::UNPROCESSABLE_ENTITY, "bad_passphrase"),
            ApiError::NoSuchSession => (S::NOT_FOUND, "no_such_session"),
            ApiError::SignedIn(_) => (S::CONFLICT, "signed_in"),
            ApiError::NameTaken => (S::CONFLICT, "name_taken"),
            ApiError::WrongPassphrase => (S::UNAUTHORIZED, "wrong_passphrase"),
            ApiError::NoSuchTable | ApiError::NoTable(NoTable::Unknown) => (S::NOT_FOUND, "no_such_table"),
            ApiError::NoTable(NoTable::CannotRestore) => (S::INTERNAL_SERVER_ERROR, "cannot_restore"),
            ApiError::NoTable(NoTable::Stopping) => (S::SERVICE_UNAVAILABLE, "stopping"),
            ApiError::NoTable(NoTable::Waiting) => (S::SERVICE_UNAVAILABLE, "waiting"),
            ApiError::NoTable(NoTable::Elsewhere(_) | NoTable::Withdrawn) => {
                (S::SERVICE_UNAVAILABLE, "elsewhere")
            }
            ApiError::BadMix(_) => (S::UNPROCESSABLE_ENTITY, "bad_mix"),
            ApiError::NoSuchPuzzle => (S::NOT_FOUND, "no_such_puzzle"),
            ApiError::Puzzle(PuzzleError::Broken(_)) => (S::CONFLICT, "broken_puzzle"),
            ApiError::Puzzle(PuzzleError::TooMany) => (S::BAD_REQUEST, "too_many_answers"),
            ApiError::Puzzle(PuzzleError::NoSuchAnswer(_)) => (S::BAD_REQUEST, "no_such_answer"),
            ApiError::Puzzle(PuzzleError::Over) => (S::BAD_REQUEST, "attempt_over"),
            ApiError::NoOwnCards => (S::NOT_FOUND, "no_own_cards"),
            ApiError::NotOver => (S::CONFLICT, "not_over"),
            ApiError::Withheld => (S::CONFLICT, "withheld"),
            ApiError::NoSuchStep => (S::NOT_FOUND, "no_such_step"),
            ApiError::NoSuchSeat => (S::BAD_REQUEST, "no_such_seat"),
            ApiError::NewTable(error) => match error {
                NewTableError::NoDeck(_) => (S::UNPROCESSABLE_ENTITY, "no_such_deck"),
                NewTableError::Deck(_) => (S::UNPROCESSABLE_ENTITY, "bad_deck"),
                NewTableError::Cards(_) => (S::UNPROCESSABLE_ENTITY, "bad_cards"),
                NewTableError::Rules(_) => (S::UNPROCESSABLE_ENTITY, "bad_rules"),
                NewTableError::Settings(_) => (S::UNPROCESSABLE_ENTITY, "bad_settings"),
                NewTableError::TooFast(_) => (S::TOO_MANY_REQUESTS, "too_fast"),
                NewTableError::TooMany | NewTableError::TooManyOwn => {
                    (S::TOO_MANY_REQUESTS, "too_many_tables")
                }
                NewTableError::Work(error) => work_kind(error),
                NewTableError::Full | NewTableError::FullOwn => (S::SERVICE_UNAVAILABLE, "full"),
                NewTableError::Stopping => (S::SERVICE_UNAVAILABLE, "stopping"),
                NewTableError::Store(_) => (S::INTERNAL_SERVER_ERROR, "not_stored"),
            },
            ApiError::Work(error) => work_kind(error),
            ApiError::TooFast(_) => (S::TOO_MANY_REQUESTS, "too_fast"),
            ApiError::TooMany => (S::TOO_MANY_REQUESTS, "too_many_connections"),
            ApiError::Busy => (S::SERVICE_UNAVAILABLE, "busy"),
            ApiError::Late => (S::SERVICE_UNAVAILABLE, "late"),
            ApiError::Unhealthy(_) => (S::SERVICE_UNAVAILABLE, "unhealthy"),
            ApiError::UnknownHost(_) => (S::MISDIRECTED_REQUEST, "unknown_host"),
            ApiError::NoHost => (S::BAD_REQUEST, "no_host"),
            ApiError::Query(_) => (S::BAD_REQUEST, "malformed"),
            ApiError::Store(_) => (S::INTERNAL_SERVER_ERROR, "not_stored"),
            ApiError::Internal => (S::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    pub fn problem(&self) -> Problem {
        Problem { code: self.kind().1.into(), words: self.to_string() }
    }
}

fn work_kind(error: &WorkError) -> (StatusCode, &'static str) {
    match error {
        WorkError::TooMuch(_) => (StatusCode::TOO_MANY_REQUESTS, "too_fast"),
        WorkError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
        WorkError::Failed => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
    }
}

impl From<NewTableError> for ApiError {
    fn from(error: NewTableError) -> ApiError {
        match error {
            // What the database says is for the operator only.
            NewTableError::Store(error) => ApiError::Store(error),
            NewTableError::TooFast(wait) => ApiError::TooFast(wait),
            NewTableError::Work(error) => ApiError::Work(error),
            other => ApiError::NewTable(other),
        }
    }
}

impl From<RecordError> for ApiError {
    fn from(error: RecordError) -> ApiError {
        match error {
            RecordError::Store(error) => ApiError::Store(error),
            RecordError::Work(error) => ApiError::Work(error),
            RecordError::Withheld => ApiError::Withheld,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // What the database says is for the operator only.
        let error = match self {
            ApiError::NewTable(NewTableError::Store(error)) => ApiError::Store(error),
            ApiError::Store(StoreError::Damaged(what)) => {
                tracing::error!(what, "a table cannot be restored; its log is kept");
                NoTable::CannotRestore.into()
            }
            other => other,
        };
        let error = match error {
            ApiError::Store(reason @ (StoreError::Away(..) | StoreError::Stopped)) => {
                tracing::warn!(error = %reason, "a request failed");
                NoTable::Waiting.into()
            }
            other => other,
        };
        if let ApiError::Store(error) = &error {
            tracing::error!(%error, "a request failed");
        }
        let mut response = (error.kind().0, Json(error.problem())).into_response();
        let wait = match &error {
            ApiError::TooFast(wait) | ApiError::Work(WorkError::TooMuch(wait)) => Some(wait.as_secs() + 1),
            ApiError::Work(WorkError::Busy) => Some(1),
            ApiError::Busy | ApiError::Late => Some(1),
            ApiError::NoTable(NoTable::Waiting | NoTable::Elsewhere(_) | NoTable::Withdrawn) => Some(1),
            _ => None,
        };
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
        response
    }
}
