//! The real server as a process, and people who talk to it over the network.
#![allow(dead_code)]

pub mod drill;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use engine::record::{Hex, player_commitment};
use futures_util::{SinkExt, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::Value;
use server::wire::{ClientMsg, ContributionState, PROTOCOL, ServerMsg, ShuffleContribution, Update};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::common::command;

/// Nothing here takes this long unless something hangs.
pub const LONG: Duration = Duration::from_secs(120);

pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(data: &Path, listen: SocketAddr) -> Server {
        Server::with(&["--data", data.to_str().unwrap()], listen)
    }

    pub fn with(args: &[&str], listen: SocketAddr) -> Server {
        Server::with_settings(args, listen, &[])
    }

    /// With these environment variables.
    pub fn with_settings(args: &[&str], listen: SocketAddr, settings: &[(&str, &str)]) -> Server {
        for attempt in 1.. {
            let mut serve = command(&["serve", "--unlimited", "--listen", &listen.to_string()]);
            serve.args(args).env("RUST_LOG", "warn").envs(settings.iter().copied());
            let mut child = serve.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            match line.trim_end().trim_start_matches("http://").parse() {
                Ok(address) => return Server { child, address },
                // The killed server may take a moment to disappear.
                Err(_) => assert!(attempt < 50, "the server does not start"),
            }
            child.wait().unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
        unreachable!()
    }

    /// Like a power cut.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone)]
pub struct Person {
    pub address: SocketAddr,
    pub cookie: String,
    /// All servers where they can be, if there are several.
    pub nodes: Vec<SocketAddr>,
}

impl Person {
    pub async fn guest(address: SocketAddr, name: &str) -> Person {
        let nobody = Person { address, cookie: String::new(), nodes: Vec::new() };
        let (head, _) = nobody.request("POST", "/api/guest", &serde_json::json!({ "name": name })).await;
        let set = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        Person { cookie: set.unwrap().split(';').next().unwrap().into(), ..nobody }
    }

    /// Tries the next server, as a load balancer would.
    pub fn move_on(&mut self) {
        let here = self.nodes.iter().position(|address| *address == self.address);
        if let Some(here) = here {
            self.address = self.nodes[(here + 1) % self.nodes.len()];
        }
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> T {
        serde_json::from_slice(&self.request("POST", path, body).await.1).unwrap()
    }

    pub async fn get(&self, path: &str) -> Vec<u8> {
        self.request("GET", path, &Value::Null).await.1
    }

    /// What the server answers to a question, whatever that is.
    pub async fn status(&self, path: &str) -> u16 {
        let text = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address);
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = String::new();
        timeout(LONG, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
        answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
    }

    /// The record of a game; why not, if there is none.
    pub async fn record(&self, path: &str) -> Result<String, String> {
        let (head, body) = self.exchange("GET", path, &Value::Null).await;
        let text = String::from_utf8_lossy(&body).into_owned();
        if head.starts_with("HTTP/1.1 2") { Ok(text) } else { Err(text) }
    }

    async fn request(&self, method: &str, path: &str, body: &Value) -> (String, Vec<u8>) {
        let (head, body) = self.exchange(method, path, body).await;
        assert!(head.starts_with("HTTP/1.1 2"), "{head}{}", String::from_utf8_lossy(&body));
        (head, body)
    }

    /// Head and body of the answer, whatever it is.
    async fn exchange(&self, method: &str, path: &str, body: &Value) -> (String, Vec<u8>) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncookie: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.cookie,
            body.len()
        );
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap(), body)
    }

    /// A WebSocket that has said hello; an error if there is no server.
    pub async fn sit(&self, table: &str) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/api/tables/{table}/ws", self.address).into_client_request()?;
        request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        let stream = TcpStream::connect(self.address).await?;
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(self.cookie.bytes().rev()).for_each(|(byte, letter)| *byte = letter);
        let mut socket = Socket { socket, bytes: Hex(bytes), texts: None };
        let commitment = Some(player_commitment(&socket.bytes).to_string());
        socket.send(&ClientMsg::Hello { protocol: PROTOCOL, commitment }).await?;
        Ok(socket)
    }
}

/// Reveals what it adds to the shuffle as soon as it reads that it is asked to.
pub struct Socket {
    socket: WebSocketStream<TcpStream>,
    bytes: Hex<32>,
    texts: Option<Vec<String>>,
}

impl Socket {
    /// From now on, what is received is kept as it came.
    pub fn keep(&mut self) {
        self.texts = Some(Vec::new());
    }

    pub fn kept(self) -> Vec<String> {
        self.texts.unwrap_or_default()
    }

    pub async fn send(&mut self, message: &ClientMsg) -> Result<(), Error> {
        self.socket.send(Message::text(serde_json::to_string(message).unwrap())).await
    }

    /// The next update; other messages are skipped.
    pub async fn update(&mut self) -> Update {
        loop {
            match self.next().await.expect("the connection is open") {
                ServerMsg::Update(update) => return *update,
                ServerMsg::Refused { code, words, .. } => panic!("{code:?}: {words}"),
                _ => {}
            }
        }
    }

    /// The next message; `None` if the connection is lost.
    pub async fn next(&mut self) -> Option<ServerMsg> {
        // Pings do not count.
        let news = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        if let Some(texts) = &mut self.texts {
                            texts.push(text.to_string());
                        }
                        return Some(serde_json::from_str(&text).unwrap());
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                }
            }
        };
        let message = timeout(LONG, news).await.expect("the server is silent");
        if let Some(ServerMsg::Table { table, you } | ServerMsg::Welcome { table, you, .. }) = &message {
            let asked = |added: &ShuffleContribution| {
                Some(added.seat) == you.seat && added.state == ContributionState::Waiting
            };
            if table.shuffle.iter().flatten().any(asked) {
                let bytes = self.bytes.to_string();
                let _ = self.send(&ClientMsg::Reveal { bytes }).await;
            }
        }
        message
    }
}

/// A number that looks random but is the same every time.
pub fn mix(n: u64) -> u64 {
    let x = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}
