//! A real server on its own port, and its clients: hand-written HTTP, WebSockets by tungstenite.
#![allow(dead_code)]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::Value;
use server::store::Store;
use server::wire::{ClientMsg, PROTOCOL, ServerMsg};
use server::{Config, Limits, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(60);

pub struct TestServer {
    pub address: SocketAddr,
    pub metrics: Option<SocketAddr>,
    pub data: PathBuf,
    pub store: Store,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

pub fn config() -> Config {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("server").join(name);
    let _ = std::fs::remove_dir_all(&data);
    Config {
        listen: vec![([127, 0, 0, 1], 0).into()],
        metrics: None,
        data,
        database: None,
        origins: Vec::new(),
        behind_proxy: false,
        limits: Limits::default(),
        cards: cards::library::sets(),
        nats: None,
        fit: None,
    }
}

impl TestServer {
    pub async fn open() -> TestServer {
        TestServer::with(config()).await
    }

    pub async fn with(config: Config) -> TestServer {
        let data = config.data.clone();
        let server = Server::open(config).await.unwrap();
        let (address, metrics) = (server.address(), server.metrics_address());
        let store = server.hall().store().clone();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async { server.run(async { drop(stopped.await) }).await.unwrap() });
        TestServer { address, metrics, data, store, stop: Some(stop), task }
    }

    /// Waits until everything is stored and everyone has been told.
    pub async fn close(mut self) {
        drop((self.stop.take(), self.store));
        timeout(LONG, self.task).await.unwrap().unwrap();
    }

    pub fn browser(&self) -> Browser {
        Browser::at(self.address)
    }

    pub async fn guest(&self, name: &str) -> Browser {
        let mut browser = self.browser();
        browser.post("/api/guest", &serde_json::json!({ "name": name })).await.ok();
        browser
    }

    /// The same, from another address; the server must be behind a proxy.
    pub async fn guest_from(&self, name: &str, address: &str) -> Browser {
        let mut browser = self.browser().with("x-forwarded-for", address);
        browser.post("/api/guest", &serde_json::json!({ "name": name })).await.ok();
        browser
    }

    /// Sends exactly these bytes, and returns everything until the server hangs up.
    pub async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// A client that keeps its cookie, as browsers do.
#[derive(Clone)]
pub struct Browser {
    address: SocketAddr,
    pub cookie: Option<String>,
    /// Sent with every request.
    pub extra: Vec<(String, String)>,
}

pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Browser {
    pub fn at(address: SocketAddr) -> Browser {
        Browser { address, cookie: None, extra: Vec::new() }
    }

    /// The same client, with a server that was started again.
    pub fn move_to(&mut self, address: SocketAddr) {
        self.address = address;
    }

    pub fn with(mut self, name: &str, value: &str) -> Browser {
        self.extra.push((name.into(), value.into()));
        self
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "").await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &body.to_string()).await
    }

    pub async fn send(&mut self, method: &str, path: &str, body: &str) -> Reply {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        let named = |name| self.extra.iter().any(|(other, _)| other == name);
        if !named("host") {
            text += &format!("host: {}\r\n", self.address);
        }
        if method == "POST" && !named("content-type") {
            text += "content-type: application/json\r\n";
        }
        if method == "POST" {
            text += &format!("content-length: {}\r\n", body.len());
        }
        if let Some(cookie) = &self.cookie {
            text += &format!("cookie: {cookie}\r\n");
        }
        for (name, value) in &self.extra {
            text += &format!("{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The server may hang up before it has read everything.
        let _ = stream.write_all(format!("{text}\r\n{body}").as_bytes()).await;
        let mut answer = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap();
        let reply = Reply::read(&answer);
        for (_, set) in reply.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let pair = set.split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            let kept = self.cookie.take().unwrap_or_default();
            let others = kept.split("; ").filter(|other| !other.starts_with(&format!("{name}=")));
            let new = Some(pair).filter(|_| !value.is_empty());
            let all: Vec<&str> = others.filter(|other| !other.is_empty()).chain(new).collect();
            self.cookie = Some(all.join("; ")).filter(|all| !all.is_empty());
        }
        reply
    }

    /// A socket that has said hello.
    pub async fn sit(&self, table: &str) -> Socket {
        let mut socket = self.socket(table).await.unwrap();
        socket.send(&ClientMsg::Hello { protocol: PROTOCOL, commitment: None }).await;
        socket
    }

    pub async fn socket(&self, table: &str) -> Result<Socket, Error> {
        let url = format!("ws://{}/api/tables/{table}/ws", self.address);
        let mut request = url.into_client_request().unwrap();
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        for (name, value) in &self.extra {
            let name: tokio_tungstenite::tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        Ok(Socket(tokio_tungstenite::connect_async(request).await?.0))
    }
}

impl Reply {
    fn read(bytes: &[u8]) -> Reply {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_string())
        };
        Reply { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    #[track_caller]
    pub fn ok(self) -> Reply {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        self
    }

    /// Refused with this status and code, and with words.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let problem: server::wire::Problem = self.json();
        assert_eq!(problem.code, code, "{}", problem.words);
        assert!(problem.words.len() > 10, "{problem:?}");
        problem.words
    }
}

pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn send(&mut self, message: &ClientMsg) {
        self.text(&serde_json::to_string(message).unwrap()).await;
    }

    pub async fn text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// The next message; `None` when the server has closed the connection.
    pub async fn next(&mut self) -> Option<ServerMsg> {
        // Pings do not count.
        let news = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                }
            }
        };
        timeout(LONG, news).await.expect("the server is silent")
    }

    /// Reads up to the first message that matches.
    pub async fn until<T>(&mut self, mut fits: impl FnMut(ServerMsg) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the connection is open");
            if let Some(found) = fits(message) {
                return found;
            }
        }
    }
}
