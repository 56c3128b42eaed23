//! The HTTP API: sessions, the lobby, lookups. Games run over WebSockets (`ws.rs`).
//!
//! Invariants: every error is a `Problem`; every response carries the headers of `guard`; every route is in the API
//! document.

mod api;
mod client;
mod daily;
mod guard;
mod library;
mod mixes;
mod ops;
mod packed;
mod passphrase;
mod people;
mod problem;
mod puzzles;
mod replay;
mod sessions;
mod tables;

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use axum_extra::extract::cookie::Key;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;

pub use client::{Client, Current, Known, Peer, TableId};
pub use packed::Packed;
pub use problem::{ApiError, Result};

use crate::admission::Admission;
use crate::hall::Hall;
use crate::limits::{RateLimits, Slots};
use crate::nodes::Nodes;
use crate::serve::Limits;
use crate::silence::Watch;
use crate::store::{PersonId, SessionId};
use crate::{assets, ws};

/// The longest request body.
const MAX_BODY: usize = 128 * 1024;

/// What all requests share. Clones share the same state.
#[derive(Clone)]
pub struct App(Arc<Shared>);

pub struct Shared {
    pub hall: Hall,
    pub limits: Limits,
    /// What the server is called from outside. Their pages may use it, and it answers to their hosts.
    pub origins: Vec<String>,
    /// Addresses and schemes of clients are taken from the proxy's headers.
    pub behind_proxy: bool,
    pub admission: Arc<Admission>,
    pub connection_slots: Arc<Slots>,
    pub silence: Arc<Watch>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
    pub hints_of: RateLimits<PersonId>,
    pub hints_from: RateLimits<IpAddr>,
    key: Key,
    metrics: PrometheusHandle,
    pub library: library::Library,
    puzzles: puzzles::Puzzles,
    /// Hashing takes time and memory: only a few at once.
    hashing: Semaphore,
    guests: RateLimits<IpAddr>,
    attempts: RateLimits<IpAddr>,
    attempts_on: RateLimits<(String, IpAddr)>,
    attempts_anywhere: RateLimits<String>,
    attempts_familiar: RateLimits<PersonId>,
    pub live_sessions: sessions::LiveSessions,
}

impl App {
    pub fn new(
        hall: Hall,
        secret: &[u8; 64],
        limits: Limits,
        origins: Vec<String>,
        behind_proxy: bool,
        stopping: watch::Receiver<bool>,
    ) -> App {
        App(Arc::new(Shared {
            library: library::Library::of(hall.sets()),
            puzzles: Default::default(),
            hall,
            origins,
            behind_proxy,
            stopping,
            key: Key::from(secret),
            metrics: ops::recorder(),
            hashing: Semaphore::new(people::HASHING_AT_ONCE),
            admission: Admission::open(limits.connections),
            connection_slots: Slots::new(limits.connections_per_address),
            silence: Arc::new(Watch::new(&limits)),
            guests: RateLimits::new(limits.guests),
            attempts: RateLimits::new(limits.sign_ins),
            hints_of: RateLimits::new(limits.hints),
            hints_from: RateLimits::new(limits.hints_per_address),
            attempts_on: RateLimits::new(limits.sign_ins_per_name),
            attempts_anywhere: RateLimits::new(limits.sign_ins),
            attempts_familiar: RateLimits::new(limits.sign_ins),
            live_sessions: Default::default(),
            limits,
        }))
    }

    /// Closes the WebSockets of these sessions, which were revoked, at whatever server they are.
    async fn end_sessions(&self, revoked: &[SessionId]) {
        self.live_sessions.revoke(revoked);
        if let Some(nodes) = self.hall.nodes().filter(|_| !revoked.is_empty()) {
            nodes.tell_revoked(revoked).await;
        }
    }

    /// Does the same for sessions that were revoked at other servers, for as long as this one runs.
    pub fn hear_revoked(&self) {
        let Some(mut revoked) = self.hall.nodes().map(Nodes::revoked) else { return };
        let app = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            while let Ok(ids) = revoked.recv().await {
                let Some(app) = app.upgrade() else { return };
                app.live_sessions.revoke(&ids);
            }
        });
    }

    /// Housekeeping of the metrics, to be called now and then.
    pub fn upkeep(&self) {
        self.metrics.run_upkeep();
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl FromRef<App> for Key {
    fn from_ref(app: &App) -> Key {
        app.key.clone()
    }
}

/// Makes the router and `ROUTES` from one list.
macro_rules! routes {
    ($($method:ident $path:literal $handler:path;)*) => {
        fn routes() -> Router<App> {
            Router::new()$(.route($path, $method($handler)))*
        }

        /// Method and path of every route except the client's pages.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];
    };
}

routes! {
    get "/api/me" people::me;
    post "/api/guest" people::guest;
    post "/api/account" people::account;
    post "/api/sign-in" people::sign_in;
    post "/api/sign-out" people::sign_out;
    get "/api/me/games" people::games;
    get "/api/me/titles" daily::titles;
    get "/api/me/puzzles" puzzles::solved;
    get "/api/sessions" sessions::list;
    post "/api/sessions/revoke" sessions::revoke;
    get "/api/tables" tables::lobby;
    post "/api/tables" tables::create;
    get "/api/tables/{id}" tables::info;
    get "/api/daily" daily::today;
    post "/api/daily" daily::play;
    get "/api/puzzles" puzzles::list;
    get "/api/puzzles/{name}" puzzles::position;
    post "/api/puzzles/{name}/attempt" puzzles::attempt;
    post "/api/puzzles/{name}/preview" puzzles::preview;
    post "/api/puzzles/{name}/why" puzzles::why;
    post "/api/puzzles/{name}/hint" puzzles::hint;
    get "/api/puzzles/{name}/solution" puzzles::solution;
    get "/api/tables/{id}/deck" tables::deck;
    get "/api/tables/{id}/cards" tables::cards;
    get "/api/tables/{id}/ws" ws::connect;
    get "/record/{id}" tables::record;
    get "/api/replay/{id}" replay::game;
    get "/api/replay/{id}/story" replay::story;
    get "/api/replay/{id}/review/{seat}" replay::review;
    get "/api/replay/{id}/{step}" replay::moment;
    get "/api/cards" library::cards;
    get "/api/decks" library::decks;
    get "/api/boxes" mixes::boxes;
    get "/api/mixes/{name}" mixes::mix;
    get "/api/surprise" mixes::surprised;
    post "/api/decks/check" library::check;
    post "/api/cards/check" library::check_cards;
    get "/api/rules" library::rules;
    get "/api/openapi.json" api::document;
    get "/healthz" ops::health;
    get "/readyz" ops::ready;
}

pub fn router(app: App) -> Router {
    routes()
        .fallback(assets::page)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(app.clone(), guard::same_origin))
        .layer(from_fn_with_state(app.clone(), guard::admission))
        .layer(from_fn_with_state(app.clone(), guard::known_host))
        .layer(from_fn(guard::time_limit))
        .layer(CatchPanicLayer::custom(guard::panicked))
        .layer(from_fn(guard::headers))
        .layer(from_fn(guard::log))
        .with_state(app)
}

/// For the operator alone, on a listener of its own: the counts show what players do in secret.
pub fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(ops::metrics)).layer(from_fn(guard::time_limit)).with_state(app)
}

/// Compresses what never changes, which takes a moment.
pub fn prepare() {
    assets::prepare();
    std::sync::LazyLock::force(&api::DOCUMENT);
}

/// The OpenAPI description of the API.
pub fn api() -> utoipa::openapi::OpenApi {
    api::description()
}
