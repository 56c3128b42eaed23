//! Guests, accounts and their sessions.
//!
//! Invariant: whether an account exists cannot be told from signing in: a wrong name takes the same way, and as
//! long, as a wrong passphrase.

use std::net::IpAddr;
use std::sync::LazyLock;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::{FromRequestParts, OptionalFromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::SignedCookieJar;
use serde::Deserialize;

use super::client::{Body, Client, Known, seat, unseat};
use super::{App, Fault, Result};
use crate::limits::network;
use crate::store::{Person, PersonId, TableRow};
use crate::wire::{GameSummary, Me, NewGuest, Problem, SignIn, TableState};

/// Passphrases hashed at the same time; each takes some 20 MiB and a processor.
pub const HASHING_AT_ONCE: usize = 2;
/// How long somebody waits for that.
const HASHING_WAIT: Duration = Duration::from_secs(5);
const MOST_NAME: usize = 24;
const PASSPHRASE: std::ops::RangeInclusive<usize> = 8..=200;
/// Games in a history.
const MOST_GAMES: u32 = 200;

/// Who I am, if anybody
#[utoipa::path(get, path = "/api/me", tag = "people", responses((status = 200, body = Me)))]
pub async fn me(known: Option<Known>) -> Json<Me> {
    Json(known.map_or(Me { name: None, account: false }, |Known(person)| told(person)))
}

/// To play as a guest; a guest who has been here gets another name
#[utoipa::path(post, path = "/api/guest", tag = "people", request_body = NewGuest, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem),
    (status = 409, body = Problem, description = "Signed in with an account"),
    (status = 422, body = Problem, description = "Not a name"),
))]
pub async fn guest(State(app): State<App>, visitor: Visitor, Body(new): Body<NewGuest>) -> Result<Seated> {
    let name = name(&new.name)?;
    app.guests.take(visitor.network()).map_err(Fault::TooFast)?;
    let store = app.hall.store();
    let person = match visitor.guest()? {
        Some(id) => {
            store.rename_guest(id, name.clone()).await?;
            Person { id, name, account: false }
        }
        None => store.new_guest(name).await?,
    };
    Ok(visitor.seated(person))
}

/// To make an account; what a guest has played stays theirs
#[utoipa::path(post, path = "/api/account", tag = "people", request_body = SignIn, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    (status = 409, body = Problem, description = "The name belongs to somebody, or an account is signed in"),
    (status = 422, body = Problem, description = "Not a name, or not a passphrase"),
))]
pub async fn account(State(app): State<App>, visitor: Visitor, Body(wanted): Body<SignIn>) -> Result<Seated> {
    let name = name(&wanted.name)?;
    if !PASSPHRASE.contains(&wanted.passphrase.chars().count()) {
        return Err(Fault::Passphrase);
    }
    let guest = visitor.guest()?;
    app.attempts.take(visitor.network()).map_err(Fault::TooFast)?;
    let hash = hashing(&app, move || hash(&wanted.passphrase)).await??;
    let made = app.hall.store().new_account(guest, name.clone(), key(&name), hash).await?;
    Ok(visitor.seated(made.ok_or(Fault::NameTaken)?))
}

/// To come back to an account
#[utoipa::path(post, path = "/api/sign-in", tag = "people", request_body = SignIn, responses(
    (status = 200, body = Me, description = "The session is in the cookie"),
    (status = 400, body = Problem), (status = 403, body = Problem), (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    (status = 401, body = Problem, description = "The name or the passphrase is wrong; it is not told which"),
))]
pub async fn sign_in(State(app): State<App>, visitor: Visitor, Body(wanted): Body<SignIn>) -> Result<Seated> {
    // Nobody has an account with these; everything else goes the long way.
    let name = name(&wanted.name).map_err(|_| Fault::WrongPassphrase)?;
    if wanted.passphrase.chars().count() > *PASSPHRASE.end() {
        return Err(Fault::WrongPassphrase);
    }
    let key = key(&name);
    app.attempts.take(visitor.network()).map_err(Fault::TooFast)?;
    app.attempts_on.take(key.clone()).map_err(Fault::TooFast)?;
    let found = app.hall.store().account(key).await?;
    let (person, hash) = match found {
        Some((person, hash)) => (Some(person), hash),
        None => (None, String::new()),
    };
    let fits = hashing(&app, move || fits(&wanted.passphrase, &hash)).await?;
    Ok(visitor.seated(person.filter(|_| fits).ok_or(Fault::WrongPassphrase)?))
}

/// To end the session
#[utoipa::path(post, path = "/api/sign-out", tag = "people", responses(
    (status = 200, body = Me), (status = 403, body = Problem), (status = 415, body = Problem),
))]
pub async fn sign_out(jar: SignedCookieJar) -> Seated {
    (unseat(jar), Json(Me { name: None, account: false }))
}

/// My games, newest first
#[utoipa::path(get, path = "/api/me/games", tag = "people", responses(
    (status = 200, body = Vec<GameSummary>), (status = 401, body = Problem),
))]
pub async fn games(State(app): State<App>, Known(person): Known) -> Result<Json<Vec<GameSummary>>> {
    let history = app.hall.store().history(person.id, MOST_GAMES).await?;
    Ok(Json(history.into_iter().map(|(table, seat)| summary(table, seat)).collect()))
}

/// What a table leaves in the store about its end.
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

/// Who somebody is from now on, in the cookie and in words.
type Seated = (SignedCookieJar, Json<Me>);

/// Somebody who wants a session: who that was so far, and where the new one goes.
pub struct Visitor {
    client: Client,
    known: Option<Known>,
    jar: SignedCookieJar,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor> {
        let client = Client::from_request_parts(parts, app).await?;
        let known = <Known as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        let jar = SignedCookieJar::from_headers(&parts.headers, app.key.clone());
        Ok(Visitor { client, known, jar })
    }
}

impl Visitor {
    /// Whom limits count.
    fn network(&self) -> IpAddr {
        network(self.client.address)
    }

    /// `None`: nobody so far. Accounts must be left before somebody can be another.
    fn guest(&self) -> Result<Option<PersonId>> {
        match &self.known {
            Some(Known(Person { account: true, name, .. })) => Err(Fault::SignedIn(name.clone())),
            known => Ok(known.as_ref().map(|Known(guest)| guest.id)),
        }
    }

    fn seated(self, person: Person) -> Seated {
        (seat(self.jar, &person, &self.client), Json(told(person)))
    }
}

fn told(person: Person) -> Me {
    Me { name: Some(person.name), account: person.account }
}

// ---- names ----

/// As people will read it: no spaces around or doubled, and nothing that prints as something else.
fn name(text: &str) -> Result<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Fault::Name("a name has at least one letter"));
    }
    if name.chars().count() > MOST_NAME {
        return Err(Fault::Name("a name has at most 24 characters"));
    }
    if name.chars().any(is_unseen) {
        return Err(Fault::Name("a name has only characters that can be seen"));
    }
    Ok(name)
}

/// Two names with the same key are the same account.
fn key(name: &str) -> String {
    name.to_lowercase()
}

/// Control characters, and those that have no width or turn the direction of the text.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

// ---- passphrases ----

/// Runs it where waiting harms nobody; few at once.
async fn hashing<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let waiting = tokio::time::timeout(HASHING_WAIT, app.hashing.acquire());
    let _turn = waiting.await.map_err(|_| Fault::Busy)?.map_err(|_| Fault::Busy)?;
    tokio::task::spawn_blocking(work).await.map_err(|_| Fault::Internal)
}

fn hash(passphrase: &str) -> Result<String> {
    match Argon2::default().hash_password(passphrase.as_bytes()) {
        Ok(hash) => Ok(hash.to_string()),
        Err(error) => {
            tracing::error!(%error, "a passphrase could not be hashed");
            Err(Fault::Internal)
        }
    }
}

/// Compares in constant time. A hash that cannot be read, as there is none, costs as much as a good one.
fn fits(passphrase: &str, hash: &str) -> bool {
    static NOBODYS: LazyLock<String> = LazyLock::new(|| self::hash("nobody has this").unwrap_or_default());
    let (hash, real) = match PasswordHash::new(hash) {
        Ok(hash) => (Ok(hash), true),
        Err(_) => (PasswordHash::new(&NOBODYS), false),
    };
    let fits = hash.is_ok_and(|hash| Argon2::default().verify_password(passphrase.as_bytes(), &hash).is_ok());
    fits && real
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_can_be_seen() {
        assert_eq!(name("  Ann \t of\nGreen  Gables ").unwrap(), "Ann of Green Gables");
        assert_eq!(name("Änne 🐉").unwrap(), "Änne 🐉");
        assert!(name(&"n".repeat(24)).is_ok());
        for bad in ["", "  ", "a\u{202e}b", "a\u{200b}b", "\u{0}", "\u{7}ann", "\u{3164}", &"n".repeat(25)] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
        assert_eq!(key("ÄNNE"), key("änne"));
    }

    #[test]
    fn only_the_right_passphrase_fits() {
        let right = hash("correct horse").unwrap();
        assert!(right.starts_with("$argon2id$"));
        assert!(fits("correct horse", &right));
        assert!(!fits("correct hose", &right));
        assert!(!fits("nobody has this", ""));
    }
}
