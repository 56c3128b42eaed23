//! What can go wrong with a request: the status, one word for programs, and words that say how to mend it.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use thiserror::Error;

use crate::hall::NewTableError;
use crate::store::StoreError;
use crate::wire::Problem;

pub type Result<T, E = Fault> = std::result::Result<T, E>;

#[derive(Debug, Error)]
pub enum Fault {
    #[error("there is nothing here: GET /api/openapi.json lists all there is")]
    NotFound,
    #[error("this cannot be asked in that way: GET /api/openapi.json says how")]
    Method,
    #[error(
        "this request came from a page of another site; if it is this server's own, behind a proxy, start the \
         server with --origin"
    )]
    ForeignOrigin,
    #[error("send JSON, with the header `content-type: application/json`")]
    NotJson,
    #[error("the body cannot be read: {0}")]
    Malformed(String),
    #[error("the body is too long: at most {} KiB are taken", super::MOST_BODY / 1024)]
    TooLarge,
    #[error("this is the address of a WebSocket: connect with a WebSocket client")]
    NotWebSocket,
    #[error("the server does not know you yet: POST /api/guest with a name, or POST /api/sign-in")]
    NoSession,
    #[error("{0}")]
    Name(&'static str),
    #[error("a passphrase has 8 to 200 characters")]
    Passphrase,
    #[error("you are signed in as {0}: sign out first")]
    SignedIn(String),
    #[error("this name belongs to somebody: sign in if it is yours, or choose another")]
    NameTaken,
    #[error("the name or the passphrase is wrong")]
    WrongPassphrase,
    #[error("there is no such table: the link may be incomplete")]
    NoSuchTable,
    #[error("the game goes on: its record is open when it is over")]
    NotOver,
    #[error("the game has no such step")]
    NoSuchStep,
    #[error("the game has no such seat: ask for `all` or a seat counted from 1")]
    NoSuchSeat,
    #[error(transparent)]
    NewTable(#[from] NewTableError),
    #[error("too many requests of this kind: try again in {} s", .0.as_secs() + 1)]
    TooFast(std::time::Duration),
    #[error("too many connections from your address: close some")]
    TooMany,
    #[error("the server is busy: try again in a moment")]
    Busy,
    #[error("this took too long: try again")]
    Late,
    #[error("the server could not do this; its log says why")]
    Store(#[from] StoreError),
    #[error("the server made a mistake; its log says which")]
    Internal,
}

impl Fault {
    /// The status, and the word for programs.
    pub fn kind(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Fault::NotFound => (S::NOT_FOUND, "not_found"),
            Fault::Method => (S::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Fault::ForeignOrigin => (S::FORBIDDEN, "foreign_origin"),
            Fault::NotJson => (S::UNSUPPORTED_MEDIA_TYPE, "not_json"),
            Fault::Malformed(_) => (S::BAD_REQUEST, "malformed"),
            Fault::TooLarge => (S::PAYLOAD_TOO_LARGE, "too_large"),
            Fault::NotWebSocket => (S::UPGRADE_REQUIRED, "not_web_socket"),
            Fault::NoSession => (S::UNAUTHORIZED, "no_session"),
            Fault::Name(_) => (S::UNPROCESSABLE_ENTITY, "bad_name"),
            Fault::Passphrase => (S::UNPROCESSABLE_ENTITY, "bad_passphrase"),
            Fault::SignedIn(_) => (S::CONFLICT, "signed_in"),
            Fault::NameTaken => (S::CONFLICT, "name_taken"),
            Fault::WrongPassphrase => (S::UNAUTHORIZED, "wrong_passphrase"),
            Fault::NoSuchTable => (S::NOT_FOUND, "no_such_table"),
            Fault::NotOver => (S::CONFLICT, "not_over"),
            Fault::NoSuchStep => (S::NOT_FOUND, "no_such_step"),
            Fault::NoSuchSeat => (S::BAD_REQUEST, "no_such_seat"),
            Fault::NewTable(error) => match error {
                NewTableError::NoDeck(_) => (S::UNPROCESSABLE_ENTITY, "no_such_deck"),
                NewTableError::Deck(_) => (S::UNPROCESSABLE_ENTITY, "bad_deck"),
                NewTableError::Rules(_) => (S::UNPROCESSABLE_ENTITY, "bad_rules"),
                NewTableError::Settings(_) => (S::UNPROCESSABLE_ENTITY, "bad_settings"),
                NewTableError::Full => (S::SERVICE_UNAVAILABLE, "full"),
                NewTableError::Stopping => (S::SERVICE_UNAVAILABLE, "stopping"),
                NewTableError::Store(_) => (S::INTERNAL_SERVER_ERROR, "not_stored"),
            },
            Fault::TooFast(_) => (S::TOO_MANY_REQUESTS, "too_fast"),
            Fault::TooMany => (S::TOO_MANY_REQUESTS, "too_many_connections"),
            Fault::Busy => (S::SERVICE_UNAVAILABLE, "busy"),
            Fault::Late => (S::SERVICE_UNAVAILABLE, "late"),
            Fault::Store(_) => (S::INTERNAL_SERVER_ERROR, "not_stored"),
            Fault::Internal => (S::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    pub fn problem(&self) -> Problem {
        Problem { code: self.kind().1.into(), words: self.to_string() }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        // What the database says is for those who run the server.
        let fault = match self {
            Fault::NewTable(NewTableError::Store(error)) => Fault::Store(error),
            other => other,
        };
        if let Fault::Store(error) = &fault {
            tracing::error!(%error, "a request failed");
        }
        let mut response = (fault.kind().0, Json(fault.problem())).into_response();
        let wait = match &fault {
            Fault::TooFast(wait) => Some(wait.as_secs() + 1),
            Fault::Busy | Fault::Late => Some(1),
            _ => None,
        };
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
        response
    }
}
