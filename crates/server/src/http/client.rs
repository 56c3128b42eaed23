//! Who asks: the address, whether by https, and the person of the session cookie.
//!
//! Invariant: a cookie counts only with this server's signature. What a proxy tells counts only with `behind_proxy`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum_extra::extract::SignedCookieJar;
use axum_extra::extract::cookie::{Cookie, Key, SameSite};
use serde::de::DeserializeOwned;
use tokio::sync::OwnedSemaphorePermit;

use super::{App, Fault, Result};
use crate::limits::Place;
use crate::store::{Person, PersonId, now};

const COOKIE: &str = "lair_session";
/// In seconds.
const SESSION: i64 = 400 * 24 * 60 * 60;

/// The other end of a connection; its places are taken as long as somebody has it.
#[derive(Clone)]
pub struct Peer {
    pub address: IpAddr,
    /// `None` behind a proxy, whose connections carry many people.
    pub place: Option<Arc<Place>>,
    pub connection: Arc<OwnedSemaphorePermit>,
}

/// Where a request comes from.
#[derive(Clone)]
pub struct Client {
    pub address: IpAddr,
    /// By https, so cookies can be kept to that.
    pub secure: bool,
    pub peer: Peer,
}

/// Somebody with a session.
pub struct Known(pub Person);

/// JSON, or the reason why not as a `Problem`.
pub struct Body<T>(pub T);

impl FromRequestParts<App> for Client {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Client> {
        let peer = parts.extensions.get::<Peer>().cloned().ok_or(Fault::Internal)?;
        let (forwarded, secure) = match app.behind_proxy {
            true => (forwarded_for(&parts.headers), is_https(&parts.headers)),
            false => (None, false),
        };
        Ok(Client { address: forwarded.unwrap_or(peer.address), secure, peer })
    }
}

/// The last hop: the one that our own proxy saw.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

fn is_https(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"))
}

impl FromRequestParts<App> for Known {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Known> {
        let found = <Known as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        found.ok_or(Fault::NoSession)
    }
}

impl OptionalFromRequestParts<App> for Known {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Known>> {
        let jar = SignedCookieJar::<Key>::from_headers(&parts.headers, app.key.clone());
        let Some(id) = jar.get(COOKIE).and_then(|cookie| read(cookie.value(), now())) else {
            return Ok(None);
        };
        Ok(app.hall.store().person(id).await?.map(Known))
    }
}

/// A jar with the session of this person.
pub fn seat(jar: SignedCookieJar, person: &Person, client: &Client) -> SignedCookieJar {
    let cookie = Cookie::build((COOKIE, written(person.id, now())))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(client.secure)
        .max_age(time::Duration::seconds(SESSION));
    jar.add(cookie)
}

pub fn unseat(jar: SignedCookieJar) -> SignedCookieJar {
    jar.remove(Cookie::build(COOKIE).path("/"))
}

/// What is signed: who, and since when.
fn written(person: PersonId, since: i64) -> String {
    format!("{}.{since}", person.0)
}

fn read(value: &str, now: i64) -> Option<PersonId> {
    let (person, since) = value.split_once('.')?;
    let age = now.checked_sub(since.parse().ok()?)?;
    (age <= SESSION).then_some(PersonId(person.parse().ok()?))
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>> {
        match axum::Json::from_request(request, app).await {
            Ok(axum::Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Fault::NotJson),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Fault::TooLarge),
            Err(error) => Err(Fault::Malformed(reason(&error))),
        }
    }
}

/// What serde found, without axum's words around it.
fn reason(error: &JsonRejection) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_its_time() {
        let value = written(PersonId(7), 1_000);
        assert_eq!(read(&value, 1_000 + SESSION), Some(PersonId(7)));
        assert_eq!(read(&value, 1_001 + SESSION), None);
        for damaged in ["", "7", "7.", ".1000", "x.1000", "7.1000.1", "7.-9223372036854775808"] {
            assert_eq!(read(damaged, 1_000), None, "{damaged}");
        }
    }

    #[test]
    fn only_the_last_hop_is_believed() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded_for(&headers), None);
        headers.append("x-forwarded-for", "192.0.2.1".parse().unwrap());
        headers.append("x-forwarded-for", "192.0.2.2, 2001:db8::3".parse().unwrap());
        assert_eq!(forwarded_for(&headers), Some("2001:db8::3".parse().unwrap()));
        headers.append("x-forwarded-for", "192.0.2.2, nonsense".parse().unwrap());
        assert_eq!(forwarded_for(&headers), None);
    }
}
