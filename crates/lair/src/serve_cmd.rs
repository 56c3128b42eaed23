//! `lair serve`: runs the server. Standard output gets the address to open and nothing else.

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use server::store::postgres::{Address, Problem};
use server::{Config, Database, Limits, ServeError, Server};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::cli::{LogFormat, Serve};
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::spread;
use crate::term::say;

const PORT: u16 = 8080;
/// How many ports after it are tried, if none was given.
const NEXT: u16 = 20;

pub fn run(args: &Serve, library: Library) -> Result<(), Failure> {
    log(args.log)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(workers()).enable_all().build()?;
    runtime.block_on(serve(config(args, library)?))
}

/// Threads for tables and connections. The database and bots have their own, and idle threads cost time
/// for waking up and falling asleep.
fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1)
}

async fn serve(config: Config) -> Result<(), Failure> {
    let (wanted, data) = (
        config.listen[0],
        match &config.database {
            Some(Database { address, node, .. }) => format!("{address} as {node}"),
            None => config.data.display().to_string(),
        },
    );
    // Installed before the address is printed.
    let interrupted = interrupted()?;
    let server = Server::open(config).await.map_err(Failure::failed)?;
    let address = server.address();
    if wanted.port() != 0 && address != wanted {
        tracing::warn!("port {} is taken: using port {}", wanted.port(), address.port());
    }
    tracing::info!(data, %address, version = env!("CARGO_PKG_VERSION"), "serving");
    if let Some(address) = server.metrics_address() {
        tracing::info!("metrics are at http://{address}/metrics");
    }
    say(format!("http://{}\n", to_open(address)))?;
    server.run(interrupted).await.map_err(|error| match error {
        ServeError::Deposed(_) => Failure::Deposed(error.to_string()),
        other => Failure::failed(other),
    })
}

fn config(args: &Serve, library: Library) -> Result<Config, Failure> {
    let listen = match args.listen {
        Some(address) => vec![address],
        None => (PORT..=PORT + NEXT).map(|port| (Ipv4Addr::LOCALHOST, port).into()).collect(),
    };
    let mut limits = if args.unlimited { Limits::none() } else { Limits::default() };
    if args.unlimited && !listen.iter().all(|address| address.ip().is_loopback()) {
        return Err(Failure::usage("--unlimited is for this machine only: listen on 127.0.0.1"));
    }
    if let Some(n) = args.connections_per_address {
        limits.connections_per_address = n;
    }
    let database = match &args.data {
        Some(_) => None,
        None => database(args.postgres.as_deref(), args.postgres_file.as_deref())?,
    };
    let node = args.node.clone().unwrap_or_else(|| "lair".into());
    let data = match database {
        Some(_) => PathBuf::new(),
        None => args.data.clone().map_or_else(data_folder, Ok)?,
    };
    if args.node.is_some() && database.is_none() {
        return Err(Failure::usage("--node is for servers that share a database: use it with --postgres"));
    }
    Ok(Config {
        listen,
        metrics: args.metrics,
        data,
        database: database.map(|address| Database {
            address,
            node,
            lease: args.lease.map(Duration::from_millis),
        }),
        origins: args.origin.clone(),
        behind_proxy: args.behind_proxy,
        limits,
        cards: library.sets,
        nats: spread::address(args.nats.as_deref(), args.nats_file.as_deref())?,
        fit: None,
    })
}

/// The database to use, if any: as the arguments say, or else the environment.
pub fn database(url: Option<&str>, file: Option<&Path>) -> Result<Option<Address>, Failure> {
    let text = match (url, file) {
        (Some(url), _) => url.to_string(),
        (None, Some(file)) => std::fs::read_to_string(file)
            .map_err(|error| Failure::usage(format!("{} cannot be read: {error}", file.display())))?,
        (None, None) => match (std::env::var("LAIR_POSTGRES"), std::env::var_os("LAIR_POSTGRES_FILE")) {
            (Ok(text), _) if !text.trim().is_empty() => text,
            (_, Some(file)) if !file.is_empty() => return database(None, Some(file.as_ref())),
            _ => return Ok(None),
        },
    };
    let address = text.parse().map_err(|error: Problem| Failure::usage(error))?;
    Ok(Some(address))
}

/// The user's data folder.
pub fn data_folder() -> Result<PathBuf, Failure> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let shared = folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")));
    let shared = shared.or_else(|| folder("LOCALAPPDATA"));
    match shared {
        Some(shared) => Ok(shared.join("lair")),
        None => Err(Failure::usage("there is no home folder: use --data to say where to keep everything")),
    }
}

/// An address that a browser can open.
fn to_open(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if !ip.is_unspecified() => {}
        IpAddr::V4(_) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
    }
    address
}

fn log(form: LogFormat) -> Result<(), Failure> {
    let wanted = std::env::var("RUST_LOG").unwrap_or_default();
    let wanted = if wanted.is_empty() { "info" } else { &wanted };
    let filter: Targets =
        wanted.parse().map_err(|error| Failure::usage(format!("RUST_LOG is `{wanted}`: {error}")))?;
    let to = fmt::layer().with_writer(std::io::stderr);
    let layer = match form {
        LogFormat::Text => {
            let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            to.with_ansi(colour).with_target(false).boxed()
        }
        LogFormat::Json => to.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(layer.with_filter(filter)).try_init().map_err(Failure::failed)
}

/// Completes with the first Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once.
#[cfg(unix)]
fn interrupted() -> Result<impl Future<Output = ()>, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tokio::spawn(async move {
            interrupt.recv().await;
            std::process::exit(130);
        });
    })
}

#[cfg(not(unix))]
fn interrupted() -> Result<impl Future<Output = ()>, Failure> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
        tokio::spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    })
}
