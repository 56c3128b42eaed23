//! Who is asking: the address, whether over https, and the session that the cookie names.
//!
//! Invariant: a cookie counts only with this server's signature and only as long as its session exists; a proxy's
//! headers count only with `behind_proxy`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum_extra::extract::SignedCookieJar;
use axum_extra::extract::cookie::{Cookie, Key, SameSite};
use serde::de::DeserializeOwned;
use tokio::sync::OwnedSemaphorePermit;

use super::{ApiError, App, Result};
use crate::limits::Slot;
use crate::store::{Person, PersonId, SESSION_LENGTH, Session, SessionId, now};

const SESSION: &str = "lair_session";
/// Names an account that was signed in to with this browser, and stays when it signs out.
const FAMILIAR: &str = "lair_familiar";
/// How exactly it is known when a session was last used, in seconds.
const SEEN_EVERY: i64 = 60 * 60;

/// The other end of a connection; its slots are in use as long as this exists.
#[derive(Clone)]
pub struct Peer {
    pub address: IpAddr,
    /// `None` behind a proxy, whose connections serve many people.
    pub slot: Option<Arc<Slot>>,
    pub connection: Arc<OwnedSemaphorePermit>,
}

/// Where a request comes from.
#[derive(Clone)]
pub struct Client {
    pub address: IpAddr,
    /// Over https, so cookies can be restricted to it.
    pub secure: bool,
    pub peer: Peer,
}

/// A person with a session.
pub struct Known(pub Person);

/// The session of the request.
pub struct Current(pub Session);

/// The id of a table, from the path.
pub struct TableId(pub String);

/// A JSON body; anything else is refused with a `Problem`.
pub struct Body<T>(pub T);

/// The query of the address; anything else is refused with a `Problem`.
pub struct Params<T>(pub T);

impl FromRequestParts<App> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Client> {
        let peer = parts.extensions.get::<Peer>().cloned().ok_or(ApiError::Internal)?;
        let (forwarded, secure) = match app.behind_proxy {
            true => (forwarded_for(&parts.headers), is_https(&parts.headers)),
            false => (None, false),
        };
        Ok(Client { address: forwarded.unwrap_or(peer.address), secure, peer })
    }
}

/// The last hop, which is the one our own proxy saw.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

fn is_https(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"))
}

impl FromRequestParts<App> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Known> {
        let found = <Known as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        found.ok_or(ApiError::NoSession)
    }
}

impl OptionalFromRequestParts<App> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Known>> {
        let current = <Current as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        Ok(current.map(|Current(session)| Known(session.person)))
    }
}

impl FromRequestParts<App> for Current {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Current> {
        let found = <Current as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        found.ok_or(ApiError::NoSession)
    }
}

impl OptionalFromRequestParts<App> for Current {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Current>> {
        let jar = SignedCookieJar::<Key>::from_headers(&parts.headers, app.key.clone());
        let Some(id) = jar.get(SESSION).and_then(|cookie| read_session(cookie.value(), now())) else {
            return Ok(None);
        };
        let store = app.hall.store();
        let Some(session) = store.session(id).await? else { return Ok(None) };
        if now() - session.seen > SEEN_EVERY {
            let store = store.clone();
            // Nobody waits for it.
            tokio::spawn(async move { store.session_seen(id).await });
        }
        Ok(Some(Current(session)))
    }
}

/// The jar with this session.
pub fn with_session(jar: SignedCookieJar, session: SessionId, client: &Client) -> SignedCookieJar {
    jar.add(cookie(SESSION, session.0.to_string(), client))
}

pub fn without_session(jar: SignedCookieJar) -> SignedCookieJar {
    jar.remove(Cookie::build(SESSION).path("/"))
}

/// The jar that remembers that this account was signed in to.
pub fn with_familiar(jar: SignedCookieJar, account: PersonId, client: &Client) -> SignedCookieJar {
    jar.add(cookie(FAMILIAR, account.0.to_string(), client))
}

pub fn is_familiar(jar: &SignedCookieJar, account: PersonId) -> bool {
    jar.get(FAMILIAR).is_some_and(|cookie| cookie.value() == account.0.to_string())
}

fn cookie(name: &'static str, value: String, client: &Client) -> Cookie<'static> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(client.secure)
        .max_age(time::Duration::seconds(SESSION_LENGTH))
        .build()
}

/// The session that a cookie names. Before there were sessions, cookies named a person and a time; the person's id is
/// that of their first session.
fn read_session(value: &str, now: i64) -> Option<SessionId> {
    let id = match value.split_once('.') {
        Some((person, since)) => {
            let age = now.checked_sub(since.parse().ok()?)?;
            Some(person).filter(|_| age <= SESSION_LENGTH)?
        }
        None => value,
    };
    id.parse().ok().map(SessionId)
}

/// The kind of browser, for people who look at their sessions.
pub fn browser(headers: &HeaderMap) -> String {
    const BROWSERS: [(&str, &str); 6] = [
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        // The others claim to be these.
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "an iPhone"),
        ("iPad", "an iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "a Mac"),
        ("Linux", "Linux"),
    ];
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let named = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.into(),
        (None, _) => "Another program".into(),
    }
}

impl FromRequestParts<App> for TableId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<TableId> {
        let id = <Path<String> as FromRequestParts<App>>::from_request_parts(parts, app).await;
        id.map(|Path(id)| TableId(id)).map_err(|_| ApiError::NoSuchTable)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>> {
        match axum::Json::from_request(request, app).await {
            Ok(axum::Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::NotJson),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(ApiError::TooLarge),
            Err(error) => Err(ApiError::Malformed(reason(&error))),
        }
    }
}

impl<T: DeserializeOwned> FromRequestParts<App> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Params<T>> {
        match <Query<T> as FromRequestParts<App>>::from_request_parts(parts, app).await {
            Ok(Query(params)) => Ok(Params(params)),
            Err(error) => Err(ApiError::Query(reason(&error))),
        }
    }
}

/// The message from serde, without axum's around it.
fn reason(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_from_before_there_were_sessions_expire() {
        assert_eq!(read_session("7", 1_000), Some(SessionId(7)));
        assert_eq!(read_session("7.1000", 1_000 + SESSION_LENGTH), Some(SessionId(7)));
        assert_eq!(read_session("7.1000", 1_001 + SESSION_LENGTH), None);
        for damaged in ["", "x", "7.", ".1000", "x.1000", "7.1000.1", "7.-9223372036854775808"] {
            assert_eq!(read_session(damaged, 1_000), None, "{damaged}");
        }
    }

    #[test]
    fn browsers_are_told_apart() {
        for (agent, kind) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"),
            ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", "Safari on an iPhone"),
            ("curl/8.0", "Another program"),
        ] {
            let headers = HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]);
            assert_eq!(browser(&headers), kind);
        }
        assert_eq!(browser(&HeaderMap::new()), "Another program");
    }

    #[test]
    fn only_the_last_hop_is_trusted() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded_for(&headers), None);
        headers.append("x-forwarded-for", "192.0.2.1".parse().unwrap());
        headers.append("x-forwarded-for", "192.0.2.2, 2001:db8::3".parse().unwrap());
        assert_eq!(forwarded_for(&headers), Some("2001:db8::3".parse().unwrap()));
        headers.append("x-forwarded-for", "192.0.2.2, nonsense".parse().unwrap());
        assert_eq!(forwarded_for(&headers), None);
    }
}
