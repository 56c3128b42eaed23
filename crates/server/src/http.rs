//! Everything between the network and the hall that is not a game: sessions, the lobby, lookups.
//!
//! Invariants: every refusal is a `Problem`; every answer carries the headers of `guard`; every route is in the API
//! document.

mod api;
mod client;
mod guard;
mod library;
mod ops;
mod people;
mod problem;
mod replay;
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
use tower_http::compression::CompressionLayer;

pub use client::{Client, Known, Peer, TableId};
pub use problem::{Fault, Result};

use crate::hall::Hall;
use crate::limits::{Buckets, Places};
use crate::serve::Limits;
use crate::store::PersonId;
use crate::{assets, ws};

/// The longest body of a request.
const MOST_BODY: usize = 128 * 1024;

/// What all requests share. Clones are the same.
#[derive(Clone)]
pub struct App(Arc<Shared>);

pub struct Shared {
    pub hall: Hall,
    pub limits: Limits,
    /// Pages of these origins may use the server, besides its own.
    pub origins: Vec<String>,
    /// Addresses and schemes are those that the proxy tells.
    pub behind_proxy: bool,
    pub places: Arc<Places>,
    /// Turns true when the server stops.
    pub stopping: watch::Receiver<bool>,
    key: Key,
    metrics: PrometheusHandle,
    library: library::Library,
    /// Hashing takes time and memory: few at once.
    hashing: Semaphore,
    guests: Buckets<IpAddr>,
    attempts: Buckets<IpAddr>,
    attempts_on: Buckets<String>,
    tables_of: Buckets<PersonId>,
    tables_from: Buckets<IpAddr>,
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
            hall,
            origins,
            behind_proxy,
            stopping,
            key: Key::from(secret),
            metrics: ops::recorder(),
            hashing: Semaphore::new(people::HASHING_AT_ONCE),
            places: Places::new(limits.connections_per_address),
            guests: Buckets::new(limits.guests),
            attempts: Buckets::new(limits.sign_ins),
            attempts_on: Buckets::new(limits.sign_ins),
            tables_of: Buckets::new(limits.tables),
            tables_from: Buckets::new(limits.tables_per_address),
            limits,
        }))
    }

    /// Now and then: what was measured is sorted into its buckets.
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

/// The router and the list of its routes, from one list.
macro_rules! routes {
    ($($method:ident $path:literal $handler:path;)*) => {
        fn routes() -> Router<App> {
            Router::new()$(.route($path, $method($handler)))*
        }

        /// Method and path of every route, the client's pages left out.
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
    get "/api/tables" tables::lobby;
    post "/api/tables" tables::create;
    get "/api/tables/{id}" tables::info;
    get "/api/tables/{id}/ws" ws::connect;
    get "/record/{id}" tables::record;
    get "/api/replay/{id}" replay::game;
    get "/api/replay/{id}/{step}" replay::moment;
    get "/api/cards" library::cards;
    get "/api/decks" library::decks;
    post "/api/decks/check" library::check;
    get "/api/rules" library::rules;
    get "/api/openapi.json" api::document;
    get "/metrics" ops::metrics;
    get "/healthz" ops::health;
}

pub fn router(app: App) -> Router {
    routes()
        .fallback(assets::page)
        .method_not_allowed_fallback(async || Fault::Method)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::same_origin))
        .layer(from_fn(guard::in_time))
        .layer(CatchPanicLayer::custom(guard::mistake))
        .layer(CompressionLayer::new())
        .layer(from_fn(guard::headers))
        .layer(from_fn(guard::watched))
        .with_state(app)
}

/// The API described as OpenAPI, for programs.
pub fn api() -> utoipa::openapi::OpenApi {
    api::description()
}
