//! The life of a server: it opens the data folder, listens, and stops without losing anything.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use bus::Bus;
use cards::tree::Set;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::Service;

use crate::admission::Admission;
use crate::hall::Hall;
use crate::http::{self, ApiError, App, Peer};
use crate::limits::Rate;
use crate::nodes::{Nodes, OtherBus};
use crate::store::postgres::Address;
use crate::store::{Fit, Store, StoreError};
use crate::thinking::far::Far;
use crate::write_limit::WriteLimited;

/// How long a client may take to send its request headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes a request line and its headers may have.
const MAX_HEADERS: usize = 16 * 1024;
/// How long closing all connections may take.
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(10);
const UPKEEP_EVERY: Duration = Duration::from_secs(5);
/// Connections for metrics at one time.
const METRICS_CONNECTIONS: usize = 8;

#[derive(Clone, Debug)]
pub struct Config {
    /// The server listens on the first of these that is free.
    pub listen: Vec<SocketAddr>,
    /// Where metrics are served, if anywhere. Not to the public: they show what players do in secret.
    pub metrics: Option<SocketAddr>,
    /// The folder for everything that must survive a restart.
    pub data: PathBuf,
    /// Where all that is kept instead, if not in a folder.
    pub database: Option<Database>,
    /// What the server is called from outside, such as `https://lair.example`: requests for other hosts are refused, and
    /// so are those of other pages.
    pub origins: Vec<String>,
    /// The server is behind a proxy, whose headers about clients are trusted.
    pub behind_proxy: bool,
    pub limits: Limits,
    /// The cards that can be played with.
    pub cards: Vec<Set>,
    /// Over which servers that share a database reach each other, and workers help bots to think.
    pub nats: Option<bus::Address>,
    /// What this server tells others that share its database of itself; `None` for the truth.
    pub fit: Option<Fit>,
}

/// A PostgreSQL database, and the name under which this server uses it.
#[derive(Clone, Debug)]
pub struct Database {
    pub address: Address,
    pub node: String,
    /// After so long without a sign of life a server is declared dead; `None` for the usual time.
    pub lease: Option<Duration>,
}

/// How much clients may ask for, and how long they are waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Connections in total, and from one address.
    pub connections: usize,
    pub connections_per_address: usize,
    /// Messages over one WebSocket; and those among them that ask for everything again.
    pub messages: Rate,
    /// Bytes over one WebSocket, whether or not they become messages.
    pub bytes: Rate,
    pub refreshes: Rate,
    /// Lines of chat by one player, and by all spectators of a table together.
    pub chat: Rate,
    pub spectators_chat: Rate,
    /// New tables by one person, and from one address.
    pub tables: Rate,
    pub tables_per_address: Rate,
    /// Hints for one person, and for one address.
    pub hints: Rate,
    pub hints_per_address: Rate,
    /// Tables from one address that are loaded at once.
    pub tables_at_once: usize,
    /// Of these, tables with their own cards.
    pub own_cards_at_once: usize,
    /// Tables with their own cards in total.
    pub own_cards_in_all: usize,
    /// Processor time for work that is not quick, in seconds for one address; and how many pieces of it may wait.
    pub work_seconds: Rate,
    pub work_waiting: usize,
    /// New guests, and new names for them, from one address.
    pub guests: Rate,
    /// Attempts to sign in or to create an account from one address, and attempts to sign in with one name from there.
    pub sign_ins: Rate,
    pub sign_ins_per_name: Rate,
    /// How long a new WebSocket may take to say `hello`.
    pub hello: Duration,
    pub ping_every: Duration,
    /// A WebSocket that is sent nothing for this long is sent a beat, so that its client knows the server is there. It
    /// may take a quarter longer (`silence.rs`).
    pub beat_every: Duration,
    /// A WebSocket that has been silent for this long, pings unanswered, is closed.
    pub silence: Duration,
    /// How long a client may take to read one message, or keep an answer from being sent.
    pub slow: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // Enough for 10,000 tables of two, with what is kept for players (`admission.rs`) left over.
            connections: 24_000,
            connections_per_address: 64,
            messages: Rate::new(40, 20.0),
            bytes: Rate::new(256 << 10, 16_384.0),
            refreshes: Rate::new(5, 0.5),
            chat: Rate::new(6, 0.5),
            spectators_chat: Rate::new(10, 1.0),
            tables: Rate::new(20, 0.1),
            tables_per_address: Rate::new(60, 0.5),
            hints: Rate::new(20, 0.5),
            hints_per_address: Rate::new(60, 3.0),
            tables_at_once: 100,
            own_cards_at_once: 10,
            own_cards_in_all: 300,
            work_seconds: Rate::new(5, 0.25),
            work_waiting: 16,
            guests: Rate::new(30, 0.2),
            sign_ins: Rate::new(10, 0.1),
            sign_ins_per_name: Rate::new(6, 0.05),
            hello: Duration::from_secs(10),
            ping_every: Duration::from_secs(20),
            beat_every: Duration::from_secs(8),
            silence: Duration::from_secs(60),
            slow: Duration::from_secs(20),
        }
    }
}

impl Limits {
    /// No limits per address, for measurements.
    pub fn none() -> Limits {
        let (usual, any) = (Limits::default(), Rate::new(1_000_000, 1e6));
        Limits {
            connections_per_address: usual.connections,
            messages: any,
            bytes: Rate { burst: 1e12, per_s: 1e12 },
            refreshes: any,
            chat: any,
            spectators_chat: any,
            tables: any,
            tables_per_address: any,
            hints: any,
            hints_per_address: any,
            tables_at_once: usual.connections,
            own_cards_at_once: usual.connections,
            own_cards_in_all: usual.connections,
            work_seconds: any,
            work_waiting: usual.connections,
            guests: any,
            sign_ins: any,
            sign_ins_per_name: any,
            ..usual
        }
    }
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {}", listen_words(.reason))]
    Listen { address: SocketAddr, reason: io::Error },
    #[error("cannot serve metrics on {address}: {reason}; choose another address with --metrics")]
    Metrics { address: SocketAddr, reason: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Bus(#[from] bus::BusError),
    #[error(transparent)]
    OtherBus(#[from] OtherBus),
    #[error("{0}: it must be started again")]
    Deposed(String),
}

fn listen_words(reason: &io::Error) -> String {
    match reason.kind() {
        io::ErrorKind::AddrInUse => {
            "another program is listening there: stop it, or choose another address with --listen".into()
        }
        io::ErrorKind::PermissionDenied => {
            "permission denied: choose a port above 1023 with --listen, and put a proxy in front of it".into()
        }
        io::ErrorKind::AddrNotAvailable => "this machine does not have that address".into(),
        _ => reason.to_string(),
    }
}

/// Serves until `shutdown`.
pub async fn serve(config: Config, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
    Server::open(config).await?.run(shutdown).await
}

/// Bound to its address, but not serving yet.
pub struct Server {
    listener: TcpListener,
    metrics: Option<TcpListener>,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    pub async fn open(config: Config) -> Result<Server, ServeError> {
        let Config { listen, metrics, data, database, origins, behind_proxy, limits, cards, .. } = config;
        let Config { nats, fit, .. } = config;
        let bus = match &nats {
            Some(address) => Some(Bus::connect(address, "lair serve").await?),
            None => None,
        };
        let (store, listener) = match database {
            // An older server of the same name ends here, so this one must be able to take its place.
            Some(Database { address, node, lease }) => {
                if let Some(bus) = &bus {
                    Nodes::check_rights(bus).await?;
                }
                let listener = bind(&listen).await?;
                let fit = fit.unwrap_or_else(|| Fit::of(&cards, bus.is_some()));
                (Store::connect_with(&address, &node, &fit, lease).await?, listener)
            }
            None => (Store::open(&data)?, bind(&listen).await?),
        };
        let opened = async {
            let metrics = match metrics {
                Some(address) => {
                    let bound = TcpListener::bind(address).await;
                    Some(bound.map_err(|reason| ServeError::Metrics { address, reason })?)
                }
                None => None,
            };
            let secret = store.cookie_secret().await?;
            Ok((metrics, secret, open_hall(&store, cards, &limits, bus).await?))
        };
        let (metrics, secret, hall) = match opened.await {
            Ok(opened) => opened,
            Err(error) => {
                // Others need not wait until they see that nothing came of it.
                store.close().await;
                return Err(error);
            }
        };
        let (stop, stopping) = watch::channel(false);
        // Whoever comes first should not have to wait for it.
        let _ = tokio::task::spawn_blocking(http::prepare).await;
        let app = App::new(hall, &secret, limits, origins, behind_proxy, stopping);
        app.hear_revoked();
        Ok(Server { listener, metrics, app, stop })
    }

    pub fn address(&self) -> SocketAddr {
        let unknown = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        self.listener.local_addr().unwrap_or(unknown)
    }

    /// Where metrics are served.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    pub fn hall(&self) -> &Hall {
        &self.app.hall
    }

    /// Serves until `shutdown`. Then it takes no more moves, finishes storing, and says goodbye to everyone. If others
    /// have taken what it held, it says nothing more.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server { listener, metrics, app, stop } = self;
        if let Some(listener) = metrics {
            tokio::spawn(serve_metrics(listener, app.clone()));
        }
        let router = http::router(app.clone());
        let mut shutdown = pin!(shutdown);
        let mut upkeep = tokio::time::interval(UPKEEP_EVERY);
        let store = app.hall.store().clone();
        let mut deposed = pin!(store.deposed());
        let silence = Arc::clone(&app.silence);
        let mut silence = pin!(silence.keep());
        loop {
            tokio::select! {
                reason = &mut deposed => return Err(ServeError::Deposed(reason)),
                accepted = listener.accept() => match accepted {
                    Ok((stream, from)) => accept(&app, &app.admission, &router, stream, from.ip()),
                    Err(error) => {
                        // Most likely too many open files: wait for others to close.
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                _ = upkeep.tick() => app.upkeep(),
                () = &mut silence => {}
                () = &mut shutdown => break,
            }
        }
        drop(listener);
        tracing::info!("stopping");
        let goodbye = async {
            app.hall.stop().await;
            stop.send_replace(true);
            store.close().await;
            app.admission.all_closed().await;
        };
        match tokio::time::timeout(GOODBYE_TIMEOUT, goodbye).await {
            Ok(()) => tracing::info!("stopped"),
            Err(_) => tracing::warn!("stopped with connections still open"),
        }
        Ok(())
    }
}

/// Serves metrics until the server stops.
async fn serve_metrics(listener: TcpListener, app: App) {
    let (router, mut stopping) = (http::metrics_router(app.clone()), app.stopping.clone());
    let admission = Admission::new(METRICS_CONNECTIONS);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => accept(&app, &admission, &router, stream, from.ip()),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            () = stopped(&mut stopping) => return,
        }
    }
}

/// Waits until the server stops.
pub async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// The hall, among those of other servers if there are any.
async fn open_hall(
    store: &Store,
    cards: Vec<Set>,
    limits: &Limits,
    bus: Option<Bus>,
) -> Result<Hall, ServeError> {
    if let (Some(bus), Some(node)) = (&bus, store.node()) {
        Nodes::check(bus, node, store).await??;
    }
    let hall = Hall::open_with(store.clone(), cards, limits).await?;
    if let Some(bus) = &bus {
        hall.think_far(Far::open(bus.clone()).await?);
    }
    if let (Some(bus), Some(node)) = (bus, store.node()) {
        hall.join_nodes(Nodes::join(bus, node, &hall).await?);
    }
    Ok(hall)
}

async fn bind(addresses: &[SocketAddr]) -> Result<TcpListener, ServeError> {
    let unknown = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let mut failure = ServeError::Listen { address: unknown, reason: io::ErrorKind::AddrNotAvailable.into() };
    for address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(reason) => failure = ServeError::Listen { address: *address, reason },
        }
    }
    Err(failure)
}

fn accept(app: &App, admission: &Admission, router: &Router, stream: TcpStream, address: IpAddr) {
    // Behind a proxy, the request says whose it is (`guard::admission`).
    let from = Some(address).filter(|_| !app.behind_proxy);
    let Some(connection) = admission.connect(from) else {
        return refuse(stream, &ApiError::Busy);
    };
    let slot = match app.behind_proxy {
        true => None,
        false => match app.connection_slots.take(address) {
            Some(slot) => Some(Arc::new(slot)),
            None => return refuse(stream, &ApiError::TooMany),
        },
    };
    let peer = Peer { address, slot, connection: connection.into() };
    let _ = stream.set_nodelay(true);
    let stream = WriteLimited::new(stream, app.limits.slow);
    tokio::spawn(serve_http(stream, router.clone(), peer, app.stopping.clone()));
}

/// One connection, until it is closed or becomes a WebSocket.
async fn serve_http(stream: WriteLimited, router: Router, peer: Peer, mut stopping: watch::Receiver<bool>) {
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        let mut router = router.clone();
        async move { Ok::<_, Infallible>(router.call(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopped(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection failed");
    }
}

/// Says why, and closes the connection.
fn refuse(mut stream: TcpStream, error: &ApiError) {
    metrics::counter!("lair_connections_refused_total").increment(1);
    let body = serde_json::to_string(&error.problem()).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        error.kind().0,
        body.len()
    );
    tokio::spawn(tokio::time::timeout(Duration::from_secs(1), async move {
        // Closing a socket with unread data would discard the reply.
        let _ = stream.read(&mut [0; 2048]).await;
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = stream.shutdown().await;
    }));
}
