//! The WebSocket of a table: one task for each connection, which reads. What the table says goes past it (`line.rs`).
//!
//! Invariants: only messages that were understood, and not too many, reach the table; a connection that does not
//! read, does not speak or does not answer is closed; whoever has not read what was said is not heard.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper_util::rt::TokioIo;
use metrics::Counter;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocketConfig};

use crate::hall::Handle;
use crate::http::{App, Client, Fault, Known, Peer, Result, TableId};
use crate::limits::{Bucket, Place, Rate};
use crate::line::{self, Ear, Hush, Line};
use crate::serve::{Limits, stopped};
use crate::store::Person;
use crate::table::ConnectionId;
use crate::wire::{ClientMsg, Farewell, PROTOCOL, Problem, Refusal, ServerMsg};

const CLOSE_TIME: Duration = Duration::from_secs(2);
/// The longest message of a client, and the longest that is refused rather than cut off.
const MOST_MESSAGE: usize = 4 * 1024;
const MOST_READ: usize = 16 * 1024;
/// So many messages that cannot be taken, until the connection is closed.
const PATIENCE: Rate = Rate::new(200, 1.0);

type Socket = WebSocketStream<Ear>;

/// The WebSocket of a table: the protocol is in docs/protocol.md
#[utoipa::path(get, path = "/api/tables/{id}/ws", tag = "tables", params(("id" = String, Path)), responses(
    (status = 101, description = "The WebSocket is open; `hello` comes first"),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem),
    (status = 426, body = Problem, description = "Not a WebSocket client"),
))]
pub async fn connect(
    State(app): State<App>,
    TableId(id): TableId,
    client: Client,
    Known(person): Known,
    mut request: Request,
) -> Result<Response> {
    let accept = accepted(request.headers()).ok_or(Fault::NotWebSocket)?;
    let place = match &client.peer.place {
        Some(_) => None,
        None => Some(app.places.take(client.address).ok_or(Fault::TooMany)?),
    };
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        match upgrade.await {
            Ok(upgraded) => match upgraded.downcast::<TokioIo<TcpStream>>() {
                Ok(parts) => {
                    let (ear, line) = line::open(parts.io.into_inner(), parts.read_buf);
                    speak(app, ear, line, id, person, client.peer, place).await;
                }
                Err(_) => tracing::error!("a WebSocket that is no TCP connection"),
            },
            Err(error) => tracing::debug!(%error, "no WebSocket came of it"),
        }
    });
    let headers = [
        (header::CONNECTION, HeaderValue::from_static("upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::SEC_WEBSOCKET_ACCEPT, accept),
    ];
    Ok((StatusCode::SWITCHING_PROTOCOLS, headers).into_response())
}

/// What proves to the client that it speaks with a WebSocket server (RFC 6455, section 4.2).
fn accepted(headers: &HeaderMap) -> Option<HeaderValue> {
    let names = |name, token: &str| {
        headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .any(|value| value.split(',').any(|word| word.trim().eq_ignore_ascii_case(token)))
    };
    let asked = names(header::CONNECTION, "upgrade")
        && names(header::UPGRADE, "websocket")
        && names(header::SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| asked)?;
    HeaderValue::from_str(&derive_accept_key(key.as_bytes())).ok()
}

/// Why a connection ends.
enum End {
    /// The other side went away, or does not read.
    Gone,
    /// The table has said goodbye.
    Told,
    Bye(Farewell, &'static str),
}

/// What became of a message.
enum Heard {
    Said(ClientMsg),
    Refused(Refusal, String),
    Nothing,
}

struct Talk {
    socket: Socket,
    line: Arc<Line>,
    heard: Counter,
    stopping: watch::Receiver<bool>,
    limits: Limits,
    pace: Bucket,
    patience: Bucket,
}

async fn speak(
    app: App,
    ear: Ear,
    line: Arc<Line>,
    id: String,
    person: Person,
    _peer: Peer,
    _place: Option<Place>,
) {
    let _counted = Counted::new();
    let config = WebSocketConfig::default()
        .read_buffer_size(MOST_MESSAGE)
        .write_buffer_size(0)
        .max_message_size(Some(MOST_READ))
        .max_frame_size(Some(MOST_READ));
    let socket = WebSocketStream::from_raw_socket(ear, Role::Server, Some(config)).await;
    let (now, limits) = (Instant::now(), app.limits);
    let mut talk = Talk {
        socket,
        line,
        heard: metrics::counter!("lair_messages_total", "way" => "in"),
        stopping: app.stopping.clone(),
        limits,
        pace: Bucket::full(limits.messages, now),
        patience: Bucket::full(PATIENCE, now),
    };
    let Err(end) = talk.sit(&app, &id, person).await;
    talk.end(end).await;
}

impl Talk {
    async fn sit(&mut self, app: &App, id: &str, person: Person) -> Result<std::convert::Infallible, End> {
        let entropy = match timeout(self.limits.hello, self.hello()).await {
            Ok(entropy) => entropy?,
            Err(_) => return Err(End::Bye(Farewell::Misbehaved, "no `hello` came")),
        };
        let mut again = true;
        loop {
            let Some(table) = app.hall.table(id).await else { return Err(bye(Farewell::NoSuchTable)) };
            match table.join(person.clone(), entropy, self.line.mouth()).await {
                // It went to sleep at this very moment.
                Err(Farewell::Closed) if again => again = false,
                Err(farewell) => return Err(bye(farewell)),
                Ok(connection) => {
                    let end = self.play(&table, connection).await;
                    table.leave(connection).await;
                    return end;
                }
            }
        }
    }

    async fn hello(&mut self) -> Result<Option<[u8; 32]>, End> {
        loop {
            let message = tokio::select! {
                message = self.socket.next() => message,
                () = stopped(&mut self.stopping) => return Err(bye(Farewell::Stopping)),
            };
            match self.hear(message)? {
                Heard::Said(ClientMsg::Hello { protocol, entropy }) => {
                    if protocol != PROTOCOL {
                        return Err(bye(Farewell::Protocol));
                    }
                    match entropy.map(|text| from_hex(&text)) {
                        None => return Ok(None),
                        Some(Some(entropy)) => return Ok(Some(entropy)),
                        Some(None) => {
                            self.refuse(Refusal::Malformed, "`entropy` is 64 hexadecimal digits".into())
                                .await?
                        }
                    }
                }
                Heard::Said(_) => self.refuse(Refusal::HelloFirst, "`hello` comes first".into()).await?,
                Heard::Refused(code, words) => self.refuse(code, words).await?,
                Heard::Nothing => {}
            }
        }
    }

    async fn play(
        &mut self,
        table: &Handle,
        connection: ConnectionId,
    ) -> Result<std::convert::Infallible, End> {
        let mut heard = Instant::now();
        let mut stopping = self.stopping.clone();
        let mut stopped = pin!(stopped(&mut stopping));
        let every = self.limits.ping_every;
        let mut pings = interval_at(tokio::time::Instant::now() + every, every);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.flush().await?;
            tokio::select! {
                () = self.line.woken() => match self.line.hush() {
                    None => {}
                    Some(Hush::Gone) => return Err(End::Gone),
                    Some(Hush::Told) => return Err(End::Told),
                    Some(Hush::Closed) => return Err(bye(Farewell::Closed)),
                },
                message = self.socket.next() => {
                    heard = Instant::now();
                    match self.hear(message)? {
                        Heard::Said(ClientMsg::Hello { .. }) => {
                            self.refuse(Refusal::HelloFirst, "`hello` comes only once".into()).await?;
                        }
                        Heard::Said(message) => {
                            if !table.send(connection, message).await {
                                return Err(bye(Farewell::Closed));
                            }
                        }
                        Heard::Refused(code, words) => self.refuse(code, words).await?,
                        Heard::Nothing => {}
                    }
                },
                _ = pings.tick() => {
                    if heard.elapsed() > self.limits.silence {
                        return Err(End::Gone);
                    }
                    self.send(Message::Ping(Bytes::new())).await?;
                },
                () = &mut stopped => {
                    // The hall has told everybody already.
                    return Err(match self.line.hush() {
                        Some(Hush::Told) => End::Told,
                        _ => bye(Farewell::Stopping),
                    });
                }
            }
        }
    }

    fn hear(&mut self, message: Option<Result<Message, SocketError>>) -> Result<Heard, End> {
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(SocketError::Capacity(_))) => {
                return Err(End::Bye(Farewell::Misbehaved, "a message was far too long"));
            }
            Some(Err(_)) | None => return Err(End::Gone),
        };
        self.heard.increment(1);
        let in_time = self.pace.take(self.limits.messages, Instant::now()).is_ok();
        Ok(match message {
            Message::Close(_) => return Err(End::Gone),
            Message::Pong(_) => Heard::Nothing,
            _ if !in_time => Heard::Refused(Refusal::TooFast, "too many messages: slow down".into()),
            Message::Ping(_) | Message::Frame(_) => Heard::Nothing,
            Message::Binary(_) => Heard::Refused(Refusal::Malformed, "messages are JSON, as text".into()),
            Message::Text(text) if text.len() > MOST_MESSAGE => {
                Heard::Refused(Refusal::TooLong, format!("a message has at most {MOST_MESSAGE} bytes"))
            }
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(message) => Heard::Said(message),
                Err(error) => {
                    Heard::Refused(Refusal::Malformed, format!("this message cannot be read: {error}"))
                }
            },
        })
    }

    async fn refuse(&mut self, code: Refusal, words: String) -> Result<(), End> {
        metrics::counter!("lair_messages_refused_total").increment(1);
        if self.patience.take(PATIENCE, Instant::now()).is_err() {
            return Err(bye(Farewell::Misbehaved));
        }
        self.say(&ServerMsg::Refused { code, words, seq: None }).await
    }

    async fn say(&mut self, message: &ServerMsg) -> Result<(), End> {
        let text = serde_json::to_string(message).map_err(|_| End::Gone)?;
        metrics::counter!("lair_messages_total", "way" => "out").increment(1);
        self.send(Message::text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        self.socket.send(message).await.map_err(|_| End::Gone)?;
        self.flush().await
    }

    /// Whoever does not read is not heard.
    async fn flush(&mut self) -> Result<(), End> {
        self.line.flush(self.limits.slow).await.map_err(|_| End::Gone)
    }

    async fn end(mut self, end: End) {
        let code = match end {
            End::Gone => CloseCode::Normal,
            End::Told => CloseCode::Away,
            End::Bye(code, words) => {
                let _ = self.say(&ServerMsg::Bye { code, words: words.into() }).await;
                match code {
                    Farewell::Stopping => CloseCode::Away,
                    Farewell::Misbehaved => CloseCode::Policy,
                    _ => CloseCode::Normal,
                }
            }
        };
        let _ = timeout(CLOSE_TIME, async {
            let frame = CloseFrame { code, reason: "".into() };
            if self.socket.close(Some(frame)).await.is_ok() && self.flush().await.is_ok() {
                while let Some(Ok(_)) = self.socket.next().await {}
            }
        })
        .await;
    }
}

fn bye(code: Farewell) -> End {
    let words = match code {
        Farewell::Protocol => "the server speaks another version of the protocol: reload the page",
        Farewell::NoSuchTable => "there is no such table: the link may be incomplete",
        Farewell::NotWelcome => "this table does not take spectators",
        Farewell::Stopping => "the server stops; everything is stored: come back in a moment",
        Farewell::Misbehaved => "too many messages that could not be taken",
        Farewell::Closed => "the table is closed",
    };
    End::Bye(code, words)
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let digits: [u8; 64] = digits.try_into().ok()?;
    Some(std::array::from_fn(|i| digits[2 * i] << 4 | digits[2 * i + 1]))
}

/// Open WebSockets, as a gauge.
struct Counted;

impl Counted {
    fn new() -> Counted {
        metrics::gauge!("lair_sockets").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("lair_sockets").decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_64_digits() {
        let mut expected = [0; 32];
        (expected[0], expected[31]) = (0x1f, 0xa0);
        assert_eq!(from_hex(&format!("1F{}a0", "0".repeat(60))), Some(expected));
        for bad in ["", "1f", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"+".repeat(64)] {
            assert_eq!(from_hex(bad), None, "{bad}");
        }
    }
}
