//! Messages between machines, carried by NATS. It may lose anything at any time: whoever sends must be able to live
//! without an answer.
//!
//! Invariants: nothing here waits without a limit of its own, whatever the client library does while its server is
//! stuck; a password is never shown; a wrong address, a refused login and missing rights are told at the start.

mod address;
mod line;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, RequestErrorKind, ServerError};
use futures_util::StreamExt;
use thiserror::Error;
use tokio::time::timeout;

pub use address::{Address, AddressError};
pub use bytes::Bytes;
pub use line::Line;

/// The version of what is said: programs that do not share it do not hear each other.
pub const SUBJECTS: &str = "lair.1";

/// For connecting, and for what only has to be handed to the client library.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a lost connection is tried again, at most.
const AGAIN: Duration = Duration::from_millis(500);
/// Refused rights are told just before the answer that proves the round trip.
const ROUND_TRIP: Duration = Duration::from_secs(3);

/// Why there is no bus.
#[derive(Debug, Error)]
pub enum BusError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(
        "no NATS server answers at {at} ({why}): is it running, and are the address and the port right? \
         Without a port it is 4222"
    )]
    Unreachable { at: String, why: String },
    #[error(
        "{at} does not let this login in: check the user and password in the address, in LAIR_NATS or its file"
    )]
    Refused { at: String },
    #[error(
        "no secure connection to {at}: {why}. A certificate of your own authority is named by LAIR_NATS_CA=FILE; \
         tls:// in the address insists on TLS"
    )]
    Tls { at: String, why: String },
    #[error(
        "the login at {at} lacks rights: the server says `{why}`. It needs to publish and subscribe to \
         {SUBJECTS}.> and _INBOX.>"
    )]
    Rights { at: String, why: String },
    #[error("the NATS server at {at} has accepted the connection but carries no message back: {why}")]
    Mute { at: String, why: String },
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unanswered {
    /// Known at once.
    #[error("nobody listens")]
    NobodyListens,
    #[error("no answer in time")]
    Silence,
    #[error("the message is larger than the NATS server allows (max_payload)")]
    TooLarge,
}

/// A connection, which is made again whenever it is lost. Clones share it.
#[derive(Clone)]
pub struct Bus {
    client: Client,
    at: Arc<str>,
    refused: Arc<Mutex<Option<String>>>,
}

/// A message, perhaps with the wish for an answer.
pub struct Message {
    pub payload: Bytes,
    pub subject: String,
    reply: Option<async_nats::Subject>,
}

/// What comes in on a subject.
pub struct Incoming(async_nats::Subscriber);

impl Bus {
    /// Connects, or says why not. `name` is how the server lists this connection.
    pub async fn connect(address: &Address, name: &str) -> Result<Bus, BusError> {
        let refused: Arc<Mutex<Option<String>>> = Arc::default();
        let noted = Arc::clone(&refused);
        let events = move |event| {
            let noted = Arc::clone(&noted);
            async move {
                if let Event::ServerError(ServerError::Other(why)) = event
                    && why.to_lowercase().contains("permissions violation")
                {
                    noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                }
            }
        };
        let options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|tries| AGAIN.min(Duration::from_millis(50) * tries as u32))
            .request_timeout(None)
            .event_callback(events);
        let options = address.login(options);
        let at: Arc<str> = address.to_string().into();
        let connected = timeout(2 * PATIENCE, options.connect(address.servers())).await;
        let client = match connected {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(failed(&at, &error)),
            Err(_) => return Err(BusError::Unreachable { at: at.to_string(), why: "no answer".into() }),
        };
        Ok(Bus { client, at, refused })
    }

    /// Where the server is, without the login.
    pub fn at(&self) -> &str {
        &self.at
    }

    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// The largest message.
    pub fn most(&self) -> usize {
        self.client.max_payload()
    }

    /// Fails if this login may not subscribe to one of these, or publish to one of those.
    pub async fn check_rights(&self, hears: &[&str], says: &[&str]) -> Result<(), BusError> {
        let mute = |why: &str| BusError::Mute { at: self.at.to_string(), why: why.into() };
        let mut held = Vec::new();
        for subject in hears {
            held.push(self.subscribe(subject).await.ok_or_else(|| mute("subscribing took too long"))?);
        }
        for subject in says {
            self.publish(subject, Bytes::new()).await;
        }
        // The server answers in order: what it refuses is known once this has come back.
        let inbox = self.client.new_inbox();
        let mut back = self.subscribe(&inbox).await.ok_or_else(|| mute("subscribing took too long"))?;
        self.publish(&inbox, Bytes::new()).await;
        let returned = timeout(ROUND_TRIP, back.next()).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        if let Some(why) = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return Err(BusError::Rights { at: self.at.to_string(), why });
        }
        match returned {
            Ok(Some(_)) => Ok(()),
            _ => Err(mute("no answer in time")),
        }
    }

    /// Asks, and waits for at most so long.
    pub async fn request(&self, subject: &str, payload: Bytes, limit: Duration) -> Result<Bytes, Unanswered> {
        match timeout(limit, self.client.request(subject.to_owned(), payload)).await {
            Ok(Ok(answer)) => Ok(answer.payload),
            Ok(Err(error)) => Err(match error.kind() {
                RequestErrorKind::NoResponders => Unanswered::NobodyListens,
                RequestErrorKind::MaxPayloadExceeded => Unanswered::TooLarge,
                _ => Unanswered::Silence,
            }),
            Err(_) => Err(Unanswered::Silence),
        }
    }

    /// Sends, if that is possible soon; `false` if it is not.
    pub async fn publish(&self, subject: &str, payload: Bytes) -> bool {
        matches!(timeout(PATIENCE, self.client.publish(subject.to_owned(), payload)).await, Ok(Ok(())))
    }

    /// Answers a message that wants an answer.
    pub async fn answer(&self, message: &Message, payload: Bytes) -> bool {
        match &message.reply {
            Some(reply) => self.publish(reply, payload).await,
            None => false,
        }
    }

    pub async fn subscribe(&self, subject: &str) -> Option<Incoming> {
        let subscribed = timeout(PATIENCE, self.client.subscribe(subject.to_owned())).await;
        subscribed.ok()?.ok().map(Incoming)
    }

    /// Each message goes to one of those who share the name of the queue.
    pub async fn share(&self, subject: &str, queue: &str) -> Option<Incoming> {
        let shared = self.client.queue_subscribe(subject.to_owned(), queue.to_owned());
        timeout(PATIENCE, shared).await.ok()?.ok().map(Incoming)
    }

    /// Waits until what was published has left this program, for at most so long.
    pub async fn flush(&self, limit: Duration) {
        let _ = timeout(limit, self.client.flush()).await;
    }
}

impl Incoming {
    /// `None` once the connection was closed for good.
    pub async fn next(&mut self) -> Option<Message> {
        let message = self.0.next().await?;
        Some(Message { payload: message.payload, subject: message.subject.to_string(), reply: message.reply })
    }
}

fn failed(at: &str, error: &async_nats::ConnectError) -> BusError {
    let at = at.to_owned();
    let source = std::error::Error::source(error).map(ToString::to_string);
    let why = source.unwrap_or_else(|| error.kind().to_string());
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            BusError::Refused { at }
        }
        ConnectErrorKind::Tls => BusError::Tls { at, why },
        ConnectErrorKind::TimedOut => BusError::Unreachable { at, why: "no answer in time".into() },
        // A server that insists on TLS, and one that does not know it, both break off.
        _ if ["certificate", "tls", "corrupt message"]
            .iter()
            .any(|word| why.to_lowercase().contains(word)) =>
        {
            BusError::Tls { at, why }
        }
        _ => BusError::Unreachable { at, why },
    }
}
