//! Guests, accounts and their sessions.
//!
//! Invariant: signing in does not reveal whether an account exists: an unknown name takes the same path, and as long,
//! as a wrong passphrase.

use std::net::IpAddr;
use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, OptionalFromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::SignedCookieJar;
use serde::Deserialize;

use super::client::{
    Body, Client, Current, Known, browser, is_familiar, with_familiar, with_session, without_session,
};
use super::passphrase::{self, hash, matches_hash};
use super::{ApiError, App, Result};
use crate::limits::network;
use crate::names;
use crate::store::{Person, PersonId, Session, TableRow};
use crate::wire::{GameSummary, Me, NewGuest, Problem, SignIn, TableState};

/// How many passphrases are hashed at a time; each takes some 20 MiB and a core.
pub const HASHING_AT_ONCE: usize = 2;
/// How long a request waits for its turn to hash.
const HASHING_WAIT: Duration = Duration::from_secs(5);
/// How long an attempt waits at most if a name is being guessed from many addresses.
const SLOW_DOWN: Duration = Duration::from_secs(2);
/// In bytes; no name is longer, not even one from before names had rules.
const LONGEST_NAME: usize = 400;
/// The most games a history shows.
const MAX_GAMES: u32 = 200;

/// The current session
#[utoipa::path(get, path = "/api/me", tag = "people", responses((status = 200, body = Me)))]
pub async fn me(known: Option<Known>) -> Json<Me> {
    Json(known.map_or(Me { name: None, account: false }, |Known(person)| describe(person)))
}

/// Starts a guest session, or renames the guest
#[utoipa::path(post, path = "/api/guest", tag = "people", request_body = NewGuest, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 409, body = Problem, description = "Signed in with an account"),
    (status = 422, body = Problem, description = "Not a valid name"),
))]
pub async fn guest(
    State(app): State<App>,
    visitor: Visitor,
    Body(new): Body<NewGuest>,
) -> Result<SessionReply> {
    let name = names::name(&new.name)?;
    app.guests.take(visitor.network()).map_err(ApiError::TooFast)?;
    let store = app.hall.store();
    match visitor.guest()? {
        Some(id) => {
            store.rename_guest(id, name.clone()).await?;
            Ok((visitor.jar, Json(describe(Person { id, name, account: false }))))
        }
        None => {
            let person = store.new_guest(name).await?;
            visitor.session(&app, person).await
        }
    }
}

/// Creates an account; a guest keeps the games they have played, and a new session replaces the guest's
#[utoipa::path(post, path = "/api/account", tag = "people", request_body = SignIn, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    (status = 409, body = Problem, description = "The name is taken, or an account is already signed in"),
    (status = 422, body = Problem, description = "Not a valid name or passphrase"),
))]
pub async fn account(
    State(app): State<App>,
    visitor: Visitor,
    Body(wanted): Body<SignIn>,
) -> Result<SessionReply> {
    let name = names::name(&wanted.name)?;
    passphrase::check(&wanted.passphrase, &name)?;
    let guest = visitor.guest()?;
    app.attempts.take(visitor.network()).map_err(ApiError::TooFast)?;
    let hash = hashing(&app, move || hash(&wanted.passphrase)).await?.ok_or(ApiError::Internal)?;
    let made = app.hall.store().new_account(guest, name, hash).await?;
    let (person, revoked) = made.ok_or(ApiError::NameTaken)?;
    app.end_sessions(&revoked).await;
    visitor.session(&app, person).await
}

/// Signs in to an account
#[utoipa::path(post, path = "/api/sign-in", tag = "people", request_body = SignIn, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    (status = 401, body = Problem, description = "The name or the passphrase is wrong"),
))]
pub async fn sign_in(
    State(app): State<App>,
    visitor: Visitor,
    Body(wanted): Body<SignIn>,
) -> Result<SessionReply> {
    // No account can have these; everything else takes the full path.
    if wanted.name.len() > LONGEST_NAME || passphrase::is_too_long(&wanted.passphrase) {
        return Err(ApiError::WrongPassphrase);
    }
    let name = names::tidy(&wanted.name);
    let found = app.hall.store().account(name.clone()).await?;
    limit_guesses(&app, &visitor, &name, found.as_ref().map(|(person, _)| person.id)).await?;
    let (person, hash) = match found {
        Some((person, hash)) => (Some(person), hash),
        None => (None, String::new()),
    };
    let fits = hashing(&app, move || matches_hash(&wanted.passphrase, &hash)).await?;
    visitor.session(&app, person.filter(|_| fits).ok_or(ApiError::WrongPassphrase)?).await
}

/// Others' guesses never keep the owner out: they count for the addresses they come from, and if there are many of
/// these, everyone has to wait a little. A browser that has been signed in to the account before is not counted with
/// its address.
async fn limit_guesses(app: &App, visitor: &Visitor, name: &str, meant: Option<PersonId>) -> Result<()> {
    if let Some(account) = meant.filter(|account| is_familiar(&visitor.jar, *account)) {
        return app.attempts_familiar.take(account).map_err(ApiError::TooFast);
    }
    let ([key, _], from) = (names::keys(name), visitor.network());
    app.attempts.take(from).map_err(ApiError::TooFast)?;
    app.attempts_on.take((key.clone(), from)).map_err(ApiError::TooFast)?;
    if let Err(wait) = app.attempts_anywhere.take(key) {
        tokio::time::sleep(wait.min(SLOW_DOWN)).await;
    }
    Ok(())
}

/// Ends the session
#[utoipa::path(post, path = "/api/sign-out", tag = "people", responses(
    (status = 200, body = Me), (status = 403, body = Problem), (status = 415, body = Problem),
))]
pub async fn sign_out(State(app): State<App>, visitor: Visitor) -> Result<SessionReply> {
    if let Some(Session { id, person, .. }) = visitor.session {
        app.hall.store().revoke(person.id, id).await?;
        app.end_sessions(&[id]).await;
    }
    Ok((without_session(visitor.jar), Json(Me { name: None, account: false })))
}

/// Your games, newest first
#[utoipa::path(get, path = "/api/me/games", tag = "people", responses(
    (status = 200, body = Vec<GameSummary>), (status = 401, body = Problem),
))]
pub async fn games(State(app): State<App>, Known(person): Known) -> Result<Json<Vec<GameSummary>>> {
    let history = app.hall.store().history(person.id, MAX_GAMES).await?;
    Ok(Json(history.into_iter().map(|(table, seat)| summary(table, seat)).collect()))
}

/// The result of a game, as the store keeps it.
#[derive(Default, Deserialize)]
struct Ending {
    winner: Option<u8>,
    reason: Option<String>,
    #[serde(default)]
    turns: u16,
}

/// The store counts seats from 0, people from 1.
fn summary(table: TableRow, seat: u8) -> GameSummary {
    let ending = table.result.and_then(|text| serde_json::from_str(&text).ok());
    let Ending { winner, reason, turns } = ending.unwrap_or_default();
    GameSummary {
        id: table.id,
        began: table.made,
        state: table.state.unwrap_or(TableState::Over),
        deck: table.settings.deck,
        names: serde_json::from_str(&table.seats).unwrap_or_default(),
        seat: seat + 1,
        winner,
        reason,
        turns,
    }
}

/// The new session: its cookie, and who it belongs to.
type SessionReply = (SignedCookieJar, Json<Me>);

/// A client that asks for a session, with the one it has had so far.
pub struct Visitor {
    client: Client,
    session: Option<Session>,
    jar: SignedCookieJar,
    about: String,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor> {
        let client = Client::from_request_parts(parts, app).await?;
        let current = <Current as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        let jar = SignedCookieJar::from_headers(&parts.headers, app.key.clone());
        let session = current.map(|Current(session)| session);
        Ok(Visitor { client, session, jar, about: browser(&parts.headers) })
    }
}

impl Visitor {
    /// What rate limits count this client as.
    fn network(&self) -> IpAddr {
        network(self.client.address)
    }

    /// The guest so far, if any. An account must be signed out first.
    fn guest(&self) -> Result<Option<PersonId>> {
        match self.session.as_ref().map(|session| &session.person) {
            Some(Person { account: true, name, .. }) => Err(ApiError::SignedIn(name.clone())),
            guest => Ok(guest.map(|guest| guest.id)),
        }
    }

    /// A new session, which replaces the one so far.
    async fn session(self, app: &App, person: Person) -> Result<SessionReply> {
        let before = self.session.map(|session| session.id);
        let session = app.hall.store().new_session(person.id, self.about, before).await?;
        app.end_sessions(before.as_slice()).await;
        let mut jar = with_session(self.jar, session, &self.client);
        if person.account {
            jar = with_familiar(jar, person.id, &self.client);
        }
        Ok((jar, Json(describe(person))))
    }
}

/// Runs the work on a blocking thread, a few at a time.
async fn hashing<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let waiting = tokio::time::timeout(HASHING_WAIT, app.hashing.acquire());
    let _permit = waiting.await.map_err(|_| ApiError::Busy)?.map_err(|_| ApiError::Busy)?;
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::Internal)
}

fn describe(person: Person) -> Me {
    Me { name: Some(person.name), account: person.account }
}
