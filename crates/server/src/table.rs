use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

/// Messages on their way to a connection. Whoever does not read is sent the whole table anew later.
pub type Outbox = mpsc::Sender<Utf8Bytes>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub u64);

pub enum Command {}
