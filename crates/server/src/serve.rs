//! A server from its beginning to its end: opens the data folder, listens, and stops without losing anything.

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
use cards::tree::Set;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::Service;

use crate::hall::Hall;
use crate::http::{self, App, Fault, Peer};
use crate::limits::Rate;
use crate::store::{Store, StoreError};

/// How long a connection may take to say what it wants.
const HEADERS_TIME: Duration = Duration::from_secs(10);
/// Of a request's first lines and headers.
const HEADERS_SIZE: usize = 16 * 1024;
/// How long saying goodbye may take.
const GOODBYE_TIME: Duration = Duration::from_secs(10);
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen: at the first of these that is free.
    pub listen: Vec<SocketAddr>,
    /// The folder with everything that must survive.
    pub data: PathBuf,
    /// Pages of these origins may use the server, besides its own: `https://lair.example`.
    pub origins: Vec<String>,
    /// A proxy stands before the server; what it tells of clients is believed.
    pub behind_proxy: bool,
    pub limits: Limits,
    /// The cards that can be played with.
    pub cards: Vec<Set>,
}

/// How much is taken from whom, and how long somebody is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Connections of all together, and of one address.
    pub connections: usize,
    pub connections_per_address: usize,
    /// Messages over one WebSocket.
    pub messages: Rate,
    /// New tables of one person, and from one address.
    pub tables: Rate,
    pub tables_per_address: Rate,
    /// New guests, and new names for them, from one address.
    pub guests: Rate,
    /// Attempts to sign in, or to make an account, from one address; also attempts to sign in with one name.
    pub sign_ins: Rate,
    /// From a WebSocket's opening to its `hello`.
    pub hello: Duration,
    pub ping_every: Duration,
    /// Nothing was heard over a WebSocket for so long, not even the answer to a ping: nobody is there.
    pub silence: Duration,
    /// To take one message.
    pub slow: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 20_000,
            connections_per_address: 64,
            messages: Rate::new(40, 20.0),
            tables: Rate::new(20, 0.1),
            tables_per_address: Rate::new(60, 0.5),
            guests: Rate::new(30, 0.2),
            sign_ins: Rate::new(10, 0.1),
            hello: Duration::from_secs(10),
            ping_every: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            slow: Duration::from_secs(20),
        }
    }
}

impl Limits {
    /// For measuring: whatever comes from one address is taken.
    pub fn none() -> Limits {
        let (usual, any) = (Limits::default(), Rate::new(1_000_000, 1e6));
        Limits {
            connections_per_address: usual.connections,
            messages: any,
            tables: any,
            tables_per_address: any,
            guests: any,
            sign_ins: any,
            ..usual
        }
    }
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {}", listen_words(.reason))]
    Listen { address: SocketAddr, reason: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn listen_words(reason: &io::Error) -> String {
    match reason.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there: stop it, or choose another address with --listen".into()
        }
        io::ErrorKind::PermissionDenied => {
            "this is not allowed: choose a port above 1023 with --listen, and put a proxy before it".into()
        }
        io::ErrorKind::AddrNotAvailable => "this machine does not have the address".into(),
        _ => reason.to_string(),
    }
}

/// Serves until `shutdown`.
pub async fn serve(config: Config, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
    Server::open(config).await?.run(shutdown).await;
    Ok(())
}

/// Open, with the address known, and not yet serving.
pub struct Server {
    listener: TcpListener,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    pub async fn open(config: Config) -> Result<Server, ServeError> {
        let Config { listen, data, origins, behind_proxy, limits, cards } = config;
        let store = Store::open(&data)?;
        let listener = bind(&listen).await?;
        let secret = store.cookie_secret().await?;
        let hall = Hall::open(store, cards).await?;
        let (stop, stopping) = watch::channel(false);
        let app = App::new(hall, &secret, limits, origins, behind_proxy, stopping);
        Ok(Server { listener, app, stop })
    }

    pub fn address(&self) -> SocketAddr {
        let nowhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        self.listener.local_addr().unwrap_or(nowhere)
    }

    pub fn hall(&self) -> &Hall {
        &self.app.hall
    }

    /// Serves until `shutdown`. Then no more moves are taken, what was taken is stored, and everybody is told
    /// goodbye.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let Server { listener, app, stop } = self;
        let most = app.limits.connections;
        let connections = Arc::new(Semaphore::new(most));
        let router = http::router(app.clone());
        let mut shutdown = pin!(shutdown);
        let mut upkeep = tokio::time::interval(UPKEEP_EVERY);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, from)) => accept(&app, &router, &connections, stream, from.ip()),
                    Err(error) => {
                        // Most likely too many open files: others will be closed.
                        tracing::warn!(%error, "a connection was not accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                _ = upkeep.tick() => app.upkeep(),
                () = &mut shutdown => break,
            }
        }
        drop(listener);
        tracing::info!("stopping");
        let goodbye = async {
            app.hall.stop().await;
            stop.send_replace(true);
            // All places are free when all connections are closed.
            connections.acquire_many(most as u32).await.is_ok()
        };
        match tokio::time::timeout(GOODBYE_TIME, goodbye).await {
            Ok(_) => tracing::info!("stopped"),
            Err(_) => tracing::warn!("stopped, though some did not hang up"),
        }
    }
}

/// Waits until the server stops.
pub async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

async fn bind(addresses: &[SocketAddr]) -> Result<TcpListener, ServeError> {
    let nowhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let mut refused = ServeError::Listen { address: nowhere, reason: io::ErrorKind::AddrNotAvailable.into() };
    for address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(reason) => refused = ServeError::Listen { address: *address, reason },
        }
    }
    Err(refused)
}

fn accept(app: &App, router: &Router, connections: &Arc<Semaphore>, stream: TcpStream, address: IpAddr) {
    let Ok(connection) = Arc::clone(connections).try_acquire_owned() else {
        return refuse(stream, &Fault::Busy);
    };
    let place = match app.behind_proxy {
        true => None,
        false => match app.places.take(address) {
            Some(place) => Some(Arc::new(place)),
            None => return refuse(stream, &Fault::TooMany),
        },
    };
    let peer = Peer { address, place, connection: connection.into() };
    tokio::spawn(speak_http(stream, router.clone(), peer, app.stopping.clone()));
}

/// One connection, until it is closed or becomes a WebSocket.
async fn speak_http(stream: TcpStream, router: Router, peer: Peer, mut stopping: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        let mut router = router.clone();
        async move { Ok::<_, Infallible>(router.call(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIME)
        .max_buf_size(HEADERS_SIZE)
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
        tracing::debug!(%error, "a connection broke");
    }
}

/// Says why, and hangs up.
fn refuse(mut stream: TcpStream, fault: &Fault) {
    metrics::counter!("lair_connections_refused_total").increment(1);
    let body = serde_json::to_string(&fault.problem()).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        fault.kind().0,
        body.len()
    );
    tokio::spawn(tokio::time::timeout(Duration::from_secs(1), async move {
        // Hanging up on something unread would take the answer along.
        let _ = stream.read(&mut [0; 2048]).await;
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = stream.shutdown().await;
    }));
}
