//! The players at one table: they sit down, answer at random at their own pace, and play again when the game is over.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bots::BotRng;
use engine::record::{Hex, player_commitment};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use server::wire::{ClientMsg, ContributionState, NewTableReply, PROTOCOL, ShuffleContribution};
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

pub type Socket = WebSocketStream<TcpStream>;

/// What the two add to every shuffle.
const BYTES: [Hex<32>; 2] = [Hex([0x1f; 32]), Hex([0x2e; 32])];

/// Counts over all tables.
#[derive(Default)]
pub struct LoadCounts {
    /// Nothing is counted while this is false.
    pub measuring: AtomicBool,
    /// Nobody answers while this is true.
    pub resting: AtomicBool,
    /// Everyone leaves.
    pub over: AtomicBool,
    seated: AtomicU32,
    moves: AtomicU64,
    games: AtomicU64,
    updates: AtomicU64,
    bytes: AtomicU64,
    refused: AtomicU64,
    broken: AtomicU64,
    /// From act to update, in microseconds.
    latencies: Mutex<Vec<u32>>,
    last_error: Mutex<String>,
}

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Socket(#[from] Box<SocketError>),
    #[error("unreadable: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{path} was answered with: {answer}")]
    Http { path: String, answer: String },
    #[error("the server closed the connection: {0}")]
    Closed(String),
}

impl From<SocketError> for LoadError {
    fn from(error: SocketError) -> LoadError {
        Box::new(error).into()
    }
}

/// As much of the server's messages as is needed to answer.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Received {
    Update(Update),
    Table {
        table: TableState,
        you: You,
    },
    Refused {
        words: String,
    },
    Bye {
        words: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Update {
    seq: u32,
    #[serde(default)]
    ask: Option<Choices>,
    #[serde(default)]
    over: Option<IgnoredAny>,
}

impl Received {
    fn read(text: &str) -> serde_json::Result<Received> {
        // Nearly all are updates; with a tag anywhere in it, a message would be read into memory first.
        match text.starts_with(r#"{"type":"update","#) {
            true => serde_json::from_str(text).map(Received::Update),
            false => serde_json::from_str(text),
        }
    }
}

/// In a rematch the seats have changed, and whoever proposed it is the host.
#[derive(Deserialize)]
struct You {
    #[serde(default)]
    seat: Option<u8>,
    host: bool,
}

#[derive(Deserialize)]
struct Choices {
    legal: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct TableState {
    state: server::wire::TableState,
    seats: Vec<Seat>,
    #[serde(default)]
    rematch: Option<String>,
    #[serde(default)]
    shuffle: Vec<ShuffleContribution>,
}

#[derive(Deserialize)]
struct Seat {
    #[serde(default)]
    who: Option<Who>,
}

#[derive(Deserialize)]
struct Who {
    #[serde(default)]
    connected: bool,
}

/// Where the people of a table are.
#[derive(Clone, Copy)]
pub struct Place {
    /// The server that makes their tables, and so holds them.
    pub table: SocketAddr,
    /// The servers of their two sockets.
    pub sockets: [SocketAddr; 2],
}

impl Place {
    /// All at one server.
    pub fn at(address: SocketAddr) -> Place {
        Place { table: address, sockets: [address; 2] }
    }
}

/// Plays one game after another, after a delay, until everyone leaves.
pub async fn play(place: Place, table: u64, pace: f64, delay: Duration, counts: Arc<LoadCounts>) {
    sleep(delay).await;
    let mut rng = BotRng::new(table);
    let mut people = None;
    let (mut began, mut table) = (false, None);
    while !counts.over.load(Ordering::Relaxed) {
        if people.is_none() {
            people = meet(place.table).await.map_err(|error| counts.note(&error)).ok();
        }
        let Some(people) = &people else {
            sleep(Duration::from_secs(1)).await;
            continue;
        };
        let game = Game { people, place, pace, counts: &counts, rng: &mut rng, began: &mut began };
        table = match game.play(table.take()).await {
            Ok(next) => Some(next),
            Err(error) => {
                counts.note(&error);
                sleep(Duration::from_secs(1)).await;
                None
            }
        };
    }
}

/// A guest, by the cookie.
pub async fn guest(address: SocketAddr, name: &str) -> Result<String, LoadError> {
    let (cookie, _) = post(address, "/api/guest", "", &json!({ "name": name })).await?;
    Ok(cookie.unwrap_or_default())
}

/// Two of them.
async fn meet(address: SocketAddr) -> Result<[String; 2], LoadError> {
    Ok([guest(address, "Ann").await?, guest(address, "Ben").await?])
}

struct Game<'a> {
    people: &'a [String; 2],
    place: Place,
    pace: f64,
    counts: &'a LoadCounts,
    rng: &'a mut BotRng,
    began: &'a mut bool,
}

/// An answer to be given, or already given.
struct Answer {
    due: Instant,
    seat: usize,
    seq: u32,
    index: u32,
}

impl Game<'_> {
    /// One game, at a new table or at that of a rematch; returns the table of the next rematch.
    async fn play(mut self, rematch: Option<String>) -> Result<String, LoadError> {
        let is_new = rematch.is_none();
        let id = match rematch {
            Some(id) => id,
            None => {
                let new = json!({ "settings": { "players": 2, "window_ms": 0 } });
                let (_, body) = post(self.place.table, "/api/tables", &self.people[0], &new).await?;
                serde_json::from_slice::<NewTableReply>(&body)?.id
            }
        };
        let path = format!("/api/tables/{id}/ws");
        let mut ann = connect(self.place.sockets[0], &path, &self.people[0]).await?;
        let mut ben = connect(self.place.sockets[1], &path, &self.people[1]).await?;
        for (socket, bytes) in [(&mut ann, BYTES[0]), (&mut ben, BYTES[1])] {
            let commitment = Some(player_commitment(&bytes).to_string());
            say(socket, &ClientMsg::Hello { protocol: PROTOCOL, commitment }).await?;
        }
        if is_new {
            say(&mut ben, &ClientMsg::Sit { seat: None }).await?;
        }
        let (mut started, mut ended) = (false, false);
        let mut revealed = [false; 2];
        let mut next: Option<Answer> = None;
        let mut sent: Option<Answer> = None;
        loop {
            let due = next.as_ref().map_or_else(Instant::now, |answer| answer.due);
            let (seat, message) = tokio::select! {
                message = ann.next() => (0, message),
                message = ben.next() => (1, message),
                () = sleep_until(due), if next.is_some() => {
                    if self.counts.resting.load(Ordering::Relaxed) {
                        let due = Instant::now() + self.think();
                        next = next.map(|answer| Answer { due, ..answer });
                    } else if let Some(answer) = next.take() {
                        let socket = if answer.seat == 0 { &mut ann } else { &mut ben };
                        let act = ClientMsg::Act { seq: answer.seq, index: answer.index };
                        sent = Some(Answer { due: Instant::now(), ..answer });
                        say(socket, &act).await?;
                    }
                    continue;
                }
            };
            let text = match message {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(_)) => continue,
                Some(Err(error)) => return Err(error.into()),
                None => return Err(LoadError::Closed("without a reason".into())),
            };
            match Received::read(&text)? {
                Received::Update(Update { seq, ask, over }) => {
                    self.counts.update(text.len());
                    if let Some(answer) = sent.take_if(|answer| answer.seat == seat && answer.seq < seq) {
                        self.counts.moved(answer.due.elapsed());
                    }
                    if over.is_some() && sent.is_none() && !std::mem::replace(&mut ended, true) {
                        self.counts.game();
                        for socket in [&mut ann, &mut ben] {
                            say(socket, &ClientMsg::Rematch { yes: true }).await?;
                        }
                    }
                    if let Some(choices) = ask {
                        let index = self.rng.below(choices.legal.len()) as u32;
                        next = Some(Answer { due: Instant::now() + self.think(), seat, seq, index });
                    }
                }
                Received::Table { table, you } => {
                    if let Some(id) = table.rematch {
                        let _ = tokio::join!(ann.close(None), ben.close(None));
                        return Ok(id);
                    }
                    let asked = |added: &ShuffleContribution| {
                        Some(added.seat) == you.seat && added.state == ContributionState::Waiting
                    };
                    if !revealed[seat] && table.shuffle.iter().any(asked) {
                        revealed[seat] = true;
                        let socket = if seat == 0 { &mut ann } else { &mut ben };
                        say(socket, &ClientMsg::Reveal { bytes: BYTES[seat].to_string() }).await?;
                    }
                    let is_here = |seat: &Seat| seat.who.as_ref().is_some_and(|who| who.connected);
                    let open = table.state == server::wire::TableState::Open;
                    if you.host && open && !started && table.seats.iter().all(is_here) {
                        started = true;
                        say(if seat == 0 { &mut ann } else { &mut ben }, &ClientMsg::Start).await?;
                        if !std::mem::replace(self.began, true) {
                            self.counts.seated.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                Received::Refused { words } => {
                    self.counts.refused.fetch_add(1, Ordering::Relaxed);
                    *locked(&self.counts.last_error) = words;
                }
                Received::Bye { words } => return Err(LoadError::Closed(words)),
                Received::Other => {}
            }
        }
    }

    /// Two players take turns: each acts every `pace` seconds if every answer takes half of that.
    fn think(&mut self) -> Duration {
        let spread = 0.5 + self.rng.unit();
        Duration::from_secs_f64(self.pace / 2.0 * spread)
    }
}

impl LoadCounts {
    fn counting(&self) -> bool {
        self.measuring.load(Ordering::Relaxed)
    }

    fn update(&self, bytes: usize) {
        if self.counting() {
            self.updates.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    fn moved(&self, latency: Duration) {
        if self.counting() {
            self.moves.fetch_add(1, Ordering::Relaxed);
            locked(&self.latencies).push(latency.as_micros().min(u128::from(u32::MAX)) as u32);
        }
    }

    fn game(&self) {
        if self.counting() {
            self.games.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn note(&self, error: &LoadError) {
        if !self.over.load(Ordering::Relaxed) {
            self.broken.fetch_add(1, Ordering::Relaxed);
            *locked(&self.last_error) = error.to_string();
        }
    }

    /// Tables that have started to play.
    pub fn seated(&self) -> u32 {
        self.seated.load(Ordering::Relaxed)
    }

    /// Moves, games, updates and their bytes, refusals, broken connections.
    pub fn counts(&self) -> [u64; 6] {
        [&self.moves, &self.games, &self.updates, &self.bytes, &self.refused, &self.broken]
            .map(|count| count.load(Ordering::Relaxed))
    }

    pub fn latencies(&self) -> Vec<u32> {
        locked(&self.latencies).clone()
    }

    pub fn last_error(&self) -> String {
        locked(&self.last_error).clone()
    }
}

/// A WebSocket with small buffers: there are very many of them.
pub async fn connect(address: SocketAddr, path: &str, cookie: &str) -> Result<Socket, LoadError> {
    let mut request = format!("ws://{address}{path}").into_client_request()?;
    if let Ok(cookie) = cookie.parse() {
        request.headers_mut().insert("cookie", cookie);
    }
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(16 * 1024).write_buffer_size(0);
    Ok(tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?.0)
}

async fn say(socket: &mut Socket, message: &ClientMsg) -> Result<(), LoadError> {
    Ok(socket.send(Message::text(serde_json::to_string(message)?)).await?)
}

/// Posts JSON; returns the cookie that was set, if any, and the body.
pub async fn post(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    body: &serde_json::Value,
) -> Result<(Option<String>, Vec<u8>), LoadError> {
    let (head, body) = request(address, "POST", path, cookie, &body.to_string()).await?;
    if !head.starts_with("HTTP/1.1 2") {
        return Err(LoadError::Http { path: path.into(), answer: String::from_utf8_lossy(&body).into() });
    }
    let set = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    Ok((set.and_then(|set| set.split(';').next()).map(str::to_string), body))
}

/// What is there; `None` if the server says that it is not, or not now.
pub async fn get(address: SocketAddr, path: &str) -> Result<Option<Vec<u8>>, LoadError> {
    let (head, body) = request(address, "GET", path, "", "").await?;
    Ok(head.starts_with("HTTP/1.1 2").then_some(body))
}

/// Two kinds of request are not worth an HTTP client. Head and body of the answer.
async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    cookie: &str,
    body: &str,
) -> Result<(String, Vec<u8>), LoadError> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncookie: {cookie}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all((head + body).as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let body = answer.split_off((end + 4).min(answer.len()));
    Ok((String::from_utf8_lossy(&answer).into_owned(), body))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
