//! The WebSocket of a table: one task for each connection, which reads. What the table sends bypasses it
//! (`outgoing.rs`).
//!
//! Invariants: only valid messages reach the table, and not too many of them; a connection that does not read, says
//! nothing or does not answer pings is closed; nothing is read from a client that has not read what it was sent.

use std::io::ErrorKind;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::record::Hex;
use futures_util::{SinkExt, StreamExt};
use hyper_util::rt::TokioIo;
use metrics::Counter;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocketConfig};

use crate::hall::{AnyTable, NoTable};
use crate::http::{ApiError, App, Client, Current, Result, TableId};
use crate::limits::{Rate, Slot, TokenBucket, network};
use crate::nodes::NotJoined;
use crate::outgoing::{self, Ended, Outgoing, Reader};
use crate::serve::{Limits, stopped};
use crate::store::Person;
use crate::table::ConnectionId;
use crate::wire::{ClientMsg, CloseReason, PROTOCOL, Problem, Refusal, ServerMsg};
use crate::work::Requester;
use crate::write_limit::WriteLimited;

const CLOSE_TIME: Duration = Duration::from_secs(2);
/// How long a table that is not where it was is looked for, and how often.
const SEARCH: Duration = Duration::from_secs(15);
const SEARCH_AGAIN: Duration = Duration::from_millis(200);
/// The longest message a client may send.
const MAX_MESSAGE: usize = 4 * 1024;
/// Up to here a message that is too long is refused; beyond, the connection is closed.
const MAX_READ: usize = 16 * 1024;
/// What is read at once, for which every connection keeps room: nearly all messages are shorter.
const READ_AT_ONCE: usize = 256;
/// How many bad messages are refused before the connection is closed.
const BAD_MESSAGES: Rate = Rate::new(200, 1.0);

type Socket = WebSocketStream<Reader>;

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
    Current(session): Current,
    mut request: Request,
) -> Result<Response> {
    let accept = accept_key(request.headers()).ok_or(ApiError::NotWebSocket)?;
    let slot = match &client.peer.slot {
        Some(_) => None,
        None => Some(app.connection_slots.take(client.address).ok_or(ApiError::TooMany)?),
    };
    // A proxy that is told so before the upgrade asks another server.
    if app.hall.is_withdrawn() {
        return Err(NoTable::Withdrawn.into());
    }
    let revoked = app.live_sessions.enter(session.id);
    // It may have been revoked since it was looked up.
    let person = app.hall.store().session(session.id).await?.ok_or(ApiError::NoSession)?.person;
    let upgrade = hyper::upgrade::on(&mut request);
    let visit = Box::new(Visit { app, id, person, client, revoked, _slot: slot });
    tokio::spawn(async move {
        match upgrade.await {
            Ok(upgraded) => match upgraded.downcast::<TokioIo<WriteLimited>>() {
                Ok(parts) => {
                    let stream = parts.io.into_inner().into_inner();
                    let rate = visit.app.limits.bytes;
                    let (reader, outgoing) = outgoing::open(stream, parts.read_buf, rate);
                    run(visit, reader, outgoing).await;
                }
                Err(_) => tracing::error!("a WebSocket without a TCP connection"),
            },
            Err(error) => tracing::debug!(%error, "the upgrade to a WebSocket failed"),
        }
    });
    let headers = [
        (header::CONNECTION, HeaderValue::from_static("upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::SEC_WEBSOCKET_ACCEPT, accept),
    ];
    Ok((StatusCode::SWITCHING_PROTOCOLS, headers).into_response())
}

/// Proves to the client that this is a WebSocket server (RFC 6455, section 4.2). axum's own upgrade hides the TCP
/// stream, which `outgoing` needs.
fn accept_key(headers: &HeaderMap) -> Option<HeaderValue> {
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
    PeerGone,
    /// The table has said goodbye.
    GoodbyeSent,
    Close(CloseReason, &'static str),
    /// The table has let go: it panicked, or is at another server by now.
    TableGone,
}

/// What came over the socket.
enum Incoming {
    Message(ClientMsg),
    Refused(Refusal, String),
    Nothing,
}

/// Who comes to which table.
struct Visit {
    app: App,
    id: String,
    person: Person,
    client: Client,
    /// Its sender is dropped when the session is revoked.
    revoked: watch::Receiver<()>,
    _slot: Option<Slot>,
}

impl Visit {
    fn may_ask_for_hint(&self) -> Result<(), Duration> {
        self.app.hints_of.take(self.person.id)?;
        self.app.hints_from.take(network(self.client.address))
    }
}

struct Session {
    visit: Box<Visit>,
    socket: Socket,
    outgoing: Arc<Outgoing>,
    received: Counter,
    stopping: watch::Receiver<bool>,
    rate: TokenBucket,
    refreshes: TokenBucket,
    bad_messages: TokenBucket,
}

async fn run(visit: Box<Visit>, reader: Reader, outgoing: Arc<Outgoing>) {
    let _gauge = SocketGauge::new();
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_AT_ONCE)
        .write_buffer_size(0)
        .max_message_size(Some(MAX_READ))
        .max_frame_size(Some(MAX_READ));
    let socket = WebSocketStream::from_raw_socket(reader, Role::Server, Some(config)).await;
    let (now, app) = (Instant::now(), &visit.app);
    let mut session = Session {
        socket,
        outgoing,
        received: metrics::counter!("lair_messages_total", "way" => "in"),
        stopping: app.stopping.clone(),
        rate: TokenBucket::full(app.limits.messages, now),
        refreshes: TokenBucket::full(app.limits.refreshes, now),
        bad_messages: TokenBucket::full(BAD_MESSAGES, now),
        visit,
    };
    let Err(end) = session.join().await;
    session.end(end).await;
}

impl Session {
    fn limits(&self) -> &Limits {
        &self.visit.app.limits
    }

    async fn join(&mut self) -> Result<std::convert::Infallible, End> {
        let commitment = match timeout(self.limits().hello, self.hello()).await {
            Ok(commitment) => commitment?,
            Err(_) => return Err(End::Close(CloseReason::Misbehaved, "no `hello` was received")),
        };
        self.visit.app.silence.add(&self.outgoing);
        let (address, mut lost) = (self.visit.client.address, Instant::now());
        loop {
            let Visit { app, id, person, .. } = &*self.visit;
            // Boxed, like everything that is long over while people play: a connection would keep room for it.
            let table = Box::pin(app.hall.find(id)).await.map_err(no_table)?;
            let by = Requester::at(address);
            match table.join(by, person.clone(), commitment, self.outgoing.sender()).await {
                Err(NotJoined::Moved) if lost.elapsed() < SEARCH => {}
                Err(NotJoined::Moved) => return Err(End::TableGone),
                Err(NotJoined::Refused(reason)) => return Err(close(reason)),
                Ok(connection) => {
                    let _present = app.admission.player(address);
                    let end = self.relay(&table, connection).await;
                    table.leave(connection).await;
                    match end {
                        Err(End::TableGone) => lost = Instant::now(),
                        end => return end,
                    }
                }
            }
            tokio::time::sleep(SEARCH_AGAIN).await;
        }
    }

    async fn hello(&mut self) -> Result<Option<Hex<32>>, End> {
        loop {
            let message = tokio::select! {
                message = self.socket.next() => message,
                () = stopped(&mut self.stopping) => return Err(close(CloseReason::Stopping)),
            };
            match self.receive(message)? {
                Incoming::Message(ClientMsg::Hello { protocol, commitment }) => {
                    if protocol != PROTOCOL {
                        return Err(close(CloseReason::Protocol));
                    }
                    match commitment.map(|text| text.parse()).transpose() {
                        Ok(commitment) => return Ok(commitment),
                        Err(_) => {
                            let words = "`commitment` must be 64 hexadecimal digits";
                            self.refuse(Refusal::Malformed, words.into()).await?
                        }
                    }
                }
                Incoming::Message(_) => {
                    self.refuse(Refusal::HelloFirst, "`hello` must come first".into()).await?
                }
                Incoming::Refused(code, words) => self.refuse(code, words).await?,
                Incoming::Nothing => {}
            }
        }
    }

    async fn relay(
        &mut self,
        table: &AnyTable,
        connection: ConnectionId,
    ) -> Result<std::convert::Infallible, End> {
        let mut stopping = self.stopping.clone();
        let mut stopped = pin!(stopped(&mut stopping));
        loop {
            self.flush().await?;
            tokio::select! {
                () = self.outgoing.changed() => match self.outgoing.ended() {
                    None => {}
                    Some(Ended::PeerGone) => return Err(End::PeerGone),
                    Some(Ended::GoodbyeSent) => return Err(End::GoodbyeSent),
                    Some(Ended::TableGone) => return Err(End::TableGone),
                },
                message = self.socket.next() => {
                    self.outgoing.hear();
                    match self.receive(message)? {
                        Incoming::Message(ClientMsg::Hello { .. }) => {
                            self.refuse(Refusal::HelloFirst, "`hello` may be sent only once".into()).await?;
                        }
                        Incoming::Message(ClientMsg::Hint { .. })
                            if let Err(wait) = self.visit.may_ask_for_hint() =>
                        {
                            let seconds = wait.as_secs() + 1;
                            let words = format!("too many hints: the next one is possible in {seconds} s");
                            self.refuse(Refusal::TooFast, words).await?;
                        }
                        Incoming::Message(message) => {
                            if !table.send(connection, message).await {
                                return Err(End::TableGone);
                            }
                        }
                        Incoming::Refused(code, words) => self.refuse(code, words).await?,
                        Incoming::Nothing => {}
                    }
                },
                _ = self.visit.revoked.changed() => return Err(close(CloseReason::SignedOut)),
                () = &mut stopped => {
                    // The table may already have told the client.
                    return Err(match self.outgoing.ended() {
                        Some(Ended::GoodbyeSent) => End::GoodbyeSent,
                        _ => close(CloseReason::Stopping),
                    });
                }
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, SocketError>>) -> Result<Incoming, End> {
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(SocketError::Capacity(_))) => {
                return Err(End::Close(CloseReason::Misbehaved, "a message was far too long"));
            }
            Some(Err(SocketError::Io(error))) if error.kind() == ErrorKind::QuotaExceeded => {
                return Err(End::Close(
                    CloseReason::Misbehaved,
                    "more was sent than any client needs to send",
                ));
            }
            Some(Err(_)) | None => return Err(End::PeerGone),
        };
        self.received.increment(1);
        let in_time = self.rate.take(self.limits().messages, Instant::now()).is_ok();
        Ok(match message {
            Message::Close(_) => return Err(End::PeerGone),
            Message::Pong(_) if in_time => Incoming::Nothing,
            _ if !in_time => {
                Incoming::Refused(Refusal::TooFast, "too many messages: please slow down".into())
            }
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Incoming::Nothing,
            Message::Binary(_) => Incoming::Refused(Refusal::Malformed, "messages must be JSON text".into()),
            Message::Text(text) if text.len() > MAX_MESSAGE => {
                Incoming::Refused(Refusal::TooLong, format!("a message may have at most {MAX_MESSAGE} bytes"))
            }
            Message::Text(text) => match ClientMsg::read(&text) {
                Ok(ClientMsg::Refresh)
                    if self.refreshes.take(self.limits().refreshes, Instant::now()).is_err() =>
                {
                    Incoming::Refused(Refusal::TooFast, "everything was sent just now: please wait".into())
                }
                Ok(message) => Incoming::Message(message),
                Err(error) => {
                    Incoming::Refused(Refusal::Malformed, format!("this message could not be read: {error}"))
                }
            },
        })
    }

    async fn refuse(&mut self, code: Refusal, words: String) -> Result<(), End> {
        metrics::counter!("lair_messages_refused_total").increment(1);
        if self.bad_messages.take(BAD_MESSAGES, Instant::now()).is_err() {
            return Err(close(CloseReason::Misbehaved));
        }
        self.send_message(&ServerMsg::Refused { code, words, seq: None }).await
    }

    async fn send_message(&mut self, message: &ServerMsg) -> Result<(), End> {
        let text = serde_json::to_string(message).map_err(|_| End::PeerGone)?;
        metrics::counter!("lair_messages_total", "way" => "out").increment(1);
        self.send(Message::text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        self.socket.send(message).await.map_err(|_| End::PeerGone)?;
        self.flush().await
    }

    /// A client that does not read what it is sent is given up.
    async fn flush(&mut self) -> Result<(), End> {
        self.outgoing.flush(self.limits().slow).await.map_err(|_| End::PeerGone)
    }

    async fn end(&mut self, end: End) {
        let code = match end {
            End::PeerGone => CloseCode::Normal,
            End::GoodbyeSent => CloseCode::Away,
            End::TableGone => {
                let words = "the table cannot be reached; everything is saved: come back in a moment";
                let bye = ServerMsg::Bye { code: CloseReason::Stopping, words: words.into() };
                let _ = self.send_message(&bye).await;
                CloseCode::Away
            }
            End::Close(code, words) => {
                let _ = self.send_message(&ServerMsg::Bye { code, words: words.into() }).await;
                match code {
                    CloseReason::Stopping => CloseCode::Away,
                    CloseReason::Misbehaved => CloseCode::Policy,
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

fn no_table(reason: NoTable) -> End {
    match reason {
        NoTable::Waiting => {
            let words = "the server is waiting for its database; everything is saved: come back in a moment";
            End::Close(CloseReason::Stopping, words)
        }
        NoTable::Elsewhere(_) | NoTable::Withdrawn => {
            End::Close(CloseReason::Stopping, "the table is at another server: come back in a moment")
        }
        other => close(other.into()),
    }
}

fn close(code: CloseReason) -> End {
    let words = match code {
        CloseReason::Protocol => "the server uses another version of the protocol: reload the page",
        CloseReason::NoSuchTable => "there is no such table: the link may be incomplete",
        CloseReason::CannotRestore => {
            "this table cannot be restored: its log is damaged, or its game was begun with other cards or rules. Nothing is lost, the \
             log is kept as it is; please tell whoever runs this server"
        }
        CloseReason::NotWelcome => "this table does not allow spectators",
        CloseReason::Stopping => "the server is stopping; everything is saved: come back in a moment",
        CloseReason::Misbehaved => "too many bad messages",
        CloseReason::SignedOut => "this session has ended: sign in again to continue",
        CloseReason::Closed => "the table is closed",
    };
    End::Close(code, words)
}

/// Open WebSockets, as a gauge.
struct SocketGauge;

impl SocketGauge {
    fn new() -> SocketGauge {
        metrics::gauge!("lair_sockets").increment(1.0);
        SocketGauge
    }
}

impl Drop for SocketGauge {
    fn drop(&mut self) {
        metrics::gauge!("lair_sockets").decrement(1.0);
    }
}
