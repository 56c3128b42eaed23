//! The people at one table: they sit down, answer at random at their pace, and play again when the game is over.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use server::wire::{ClientMsg, NewTableReply, PROTOCOL};
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

pub type Socket = WebSocketStream<TcpStream>;

/// What all tables together have seen.
#[derive(Default)]
pub struct Tally {
    /// Only what happens now is counted.
    pub measuring: AtomicBool,
    /// Nobody answers for the present.
    pub resting: AtomicBool,
    /// Everybody goes home.
    pub over: AtomicBool,
    seated: AtomicU32,
    moves: AtomicU64,
    games: AtomicU64,
    updates: AtomicU64,
    bytes: AtomicU64,
    refused: AtomicU64,
    broken: AtomicU64,
    /// From act to update, in microseconds.
    taken: Mutex<Vec<u32>>,
    fault: Mutex<String>,
}

#[derive(Debug, Error)]
pub enum Fault {
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

impl From<SocketError> for Fault {
    fn from(error: SocketError) -> Fault {
        Box::new(error).into()
    }
}

/// As much of the server's messages as is needed to answer.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Told {
    Update {
        seq: u32,
        #[serde(default)]
        ask: Option<Asked>,
        #[serde(default)]
        over: Option<IgnoredAny>,
    },
    Table {
        table: Around,
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
struct Asked {
    legal: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Around {
    state: server::wire::TableState,
    seats: Vec<Seat>,
    #[serde(default)]
    rematch: Option<String>,
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

/// Plays one game after the other, from a while after now until everybody goes home.
pub async fn play(address: SocketAddr, table: u64, pace: f64, late: Duration, tally: Arc<Tally>) {
    sleep(late).await;
    let mut dice = Dice(table.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut people = None;
    let (mut began, mut table) = (false, None);
    while !tally.over.load(Ordering::Relaxed) {
        if people.is_none() {
            people = meet(address).await.map_err(|fault| tally.note(&fault)).ok();
        }
        let Some(people) = &people else {
            sleep(Duration::from_secs(1)).await;
            continue;
        };
        let game = Game { people, address, pace, tally: &tally, dice: &mut dice, began: &mut began };
        table = match game.play(table.take()).await {
            Ok(next) => Some(next),
            Err(fault) => {
                tally.note(&fault);
                sleep(Duration::from_secs(1)).await;
                None
            }
        };
    }
}

/// Two guests, by their cookies.
async fn meet(address: SocketAddr) -> Result<[String; 2], Fault> {
    let guest = async |name: &str| {
        let (cookie, _) = post(address, "/api/guest", "", &json!({ "name": name })).await?;
        Ok::<_, Fault>(cookie.unwrap_or_default())
    };
    Ok([guest("Ann").await?, guest("Ben").await?])
}

struct Game<'a> {
    people: &'a [String; 2],
    address: SocketAddr,
    pace: f64,
    tally: &'a Tally,
    dice: &'a mut Dice,
    began: &'a mut bool,
}

/// An answer that will be given, or was.
struct Answer {
    due: Instant,
    seat: usize,
    seq: u32,
    index: u32,
}

impl Game<'_> {
    /// One game, at a table of their own or at one that was made for a rematch; gives the table of the next.
    async fn play(mut self, rematch: Option<String>) -> Result<String, Fault> {
        let is_new = rematch.is_none();
        let id = match rematch {
            Some(id) => id,
            None => {
                let new = json!({ "settings": { "players": 2, "window_ms": 0 } });
                let (_, body) = post(self.address, "/api/tables", &self.people[0], &new).await?;
                serde_json::from_slice::<NewTableReply>(&body)?.id
            }
        };
        let path = format!("/api/tables/{id}/ws");
        let mut ann = connect(self.address, &path, &self.people[0]).await?;
        let mut ben = connect(self.address, &path, &self.people[1]).await?;
        for (socket, part) in [(&mut ann, "1f"), (&mut ben, "2e")] {
            say(socket, &ClientMsg::Hello { protocol: PROTOCOL, entropy: Some(part.repeat(32)) }).await?;
        }
        if is_new {
            say(&mut ben, &ClientMsg::Sit { seat: None }).await?;
        }
        let (mut started, mut ended) = (false, false);
        let mut next: Option<Answer> = None;
        let mut sent: Option<Answer> = None;
        loop {
            let due = next.as_ref().map_or_else(Instant::now, |answer| answer.due);
            let (seat, message) = tokio::select! {
                message = ann.next() => (0, message),
                message = ben.next() => (1, message),
                () = sleep_until(due), if next.is_some() => {
                    if self.tally.resting.load(Ordering::Relaxed) {
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
                None => return Err(Fault::Closed("without a word".into())),
            };
            match serde_json::from_str(&text)? {
                Told::Update { seq, ask, over } => {
                    self.tally.update(text.len());
                    if let Some(answer) = sent.take_if(|answer| answer.seat == seat && answer.seq < seq) {
                        self.tally.moved(answer.due.elapsed());
                    }
                    if over.is_some() && sent.is_none() && !std::mem::replace(&mut ended, true) {
                        self.tally.game();
                        say(&mut ann, &ClientMsg::Rematch).await?;
                    }
                    if let Some(asked) = ask {
                        let index = self.dice.below(asked.legal.len() as u32);
                        next = Some(Answer { due: Instant::now() + self.think(), seat, seq, index });
                    }
                }
                Told::Table { table } => {
                    if let Some(id) = table.rematch {
                        let _ = tokio::join!(ann.close(None), ben.close(None));
                        return Ok(id);
                    }
                    let is_here = |seat: &Seat| seat.who.as_ref().is_some_and(|who| who.connected);
                    let open = table.state == server::wire::TableState::Open;
                    if seat == 0 && open && !started && table.seats.iter().all(is_here) {
                        started = true;
                        say(&mut ann, &ClientMsg::Start).await?;
                        if !std::mem::replace(self.began, true) {
                            self.tally.seated.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                Told::Refused { words } => {
                    self.tally.refused.fetch_add(1, Ordering::Relaxed);
                    *locked(&self.tally.fault) = words;
                }
                Told::Bye { words } => return Err(Fault::Closed(words)),
                Told::Other => {}
            }
        }
    }

    /// Two take turns: each acts every `pace` seconds if every answer takes half of that.
    fn think(&mut self) -> Duration {
        let spread = 0.5 + f64::from(self.dice.below(1000)) / 1000.0;
        Duration::from_secs_f64(self.pace / 2.0 * spread)
    }
}

impl Tally {
    fn counting(&self) -> bool {
        self.measuring.load(Ordering::Relaxed)
    }

    fn update(&self, bytes: usize) {
        if self.counting() {
            self.updates.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    fn moved(&self, taken: Duration) {
        if self.counting() {
            self.moves.fetch_add(1, Ordering::Relaxed);
            locked(&self.taken).push(taken.as_micros().min(u128::from(u32::MAX)) as u32);
        }
    }

    fn game(&self) {
        if self.counting() {
            self.games.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn note(&self, fault: &Fault) {
        if !self.over.load(Ordering::Relaxed) {
            self.broken.fetch_add(1, Ordering::Relaxed);
            *locked(&self.fault) = fault.to_string();
        }
    }

    /// Tables that have begun to play.
    pub fn seated(&self) -> u32 {
        self.seated.load(Ordering::Relaxed)
    }

    /// Moves, games, updates and their bytes, refusals, broken connections.
    pub fn counts(&self) -> [u64; 6] {
        [&self.moves, &self.games, &self.updates, &self.bytes, &self.refused, &self.broken]
            .map(|count| count.load(Ordering::Relaxed))
    }

    pub fn taken(&self) -> Vec<u32> {
        locked(&self.taken).clone()
    }

    pub fn last_fault(&self) -> String {
        locked(&self.fault).clone()
    }
}

/// A WebSocket with small buffers: there are very many of them.
pub async fn connect(address: SocketAddr, path: &str, cookie: &str) -> Result<Socket, Fault> {
    let mut request = format!("ws://{address}{path}").into_client_request()?;
    if let Ok(cookie) = cookie.parse() {
        request.headers_mut().insert("cookie", cookie);
    }
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(16 * 1024).write_buffer_size(0);
    Ok(tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?.0)
}

async fn say(socket: &mut Socket, message: &ClientMsg) -> Result<(), Fault> {
    Ok(socket.send(Message::text(serde_json::to_string(message)?)).await?)
}

/// The cookie that was set, if any, and the body.
async fn post(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    body: &serde_json::Value,
) -> Result<(Option<String>, Vec<u8>), Fault> {
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncookie: {cookie}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all((head + &body).as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let body = answer.split_off((end + 4).min(answer.len()));
    let head = String::from_utf8_lossy(&answer);
    if !head.starts_with("HTTP/1.1 2") {
        return Err(Fault::Http { path: path.into(), answer: String::from_utf8_lossy(&body).into() });
    }
    let set = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    Ok((set.and_then(|set| set.split(';').next()).map(str::to_string), body))
}

/// The same at every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n.max(1))) as u32
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
