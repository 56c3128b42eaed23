//! The baseline: an axum WebSocket server that only sends back what it receives, and clients that talk to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::routing::get;
use futures_util::{SinkExt, StreamExt};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_tungstenite::tungstenite::Message;

use super::people::connect;
use super::process::Process;
use super::progress;
use crate::failure::Failure;
use crate::term::say;

/// `lair load-echo`: prints its address and serves until it is killed.
pub fn serve() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        say(format!("http://{}\n", listener.local_addr()?))?;
        let upgrade = |upgrade: WebSocketUpgrade| async { upgrade.on_upgrade(send_back) };
        Ok(axum::serve(listener, Router::new().route("/", get(upgrade))).await?)
    })
}

async fn send_back(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        if socket.send(message).await.is_err() {
            return;
        }
    }
}

/// An echo server, and clients that talk to it when told to.
pub struct Echo {
    process: Process,
    talking: Arc<AtomicBool>,
    messages: Arc<AtomicU64>,
    /// Every client sends one message in this time.
    every: Duration,
    /// Dropped with the echo.
    _clients: JoinSet<()>,
}

impl Echo {
    /// Opens the connections; together they will send `rate` messages of this size a second. `None` if some could not
    /// be opened.
    pub async fn open(
        connections: u32,
        bytes: usize,
        rate: f64,
        stop: &AtomicBool,
    ) -> Result<Option<Echo>, Failure> {
        let process = Process::echo()?;
        let every = Duration::from_secs_f64(f64::from(connections) / rate.max(1.0));
        let (talking, messages) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut clients = JoinSet::new();
        let (ready, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        for n in 0..connections {
            let (address, ready, failed) = (process.address, Arc::clone(&ready), Arc::clone(&failed));
            let (talking, messages) = (Arc::clone(&talking), Arc::clone(&messages));
            let delay = every.mul_f64(f64::from(n) / f64::from(connections));
            clients.spawn(async move {
                let socket = connect(address, "/", "").await;
                failed.fetch_or(socket.is_err(), Ordering::Relaxed);
                ready.fetch_add(1, Ordering::Release);
                let Ok(mut socket) = socket else { return };
                let text = "x".repeat(bytes);
                let mut beat = interval_at(Instant::now() + delay, every);
                beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
                loop {
                    beat.tick().await;
                    if !talking.load(Ordering::Relaxed) {
                        continue;
                    }
                    let sent = socket.send(Message::text(text.as_str())).await;
                    if sent.is_err() || !matches!(socket.next().await, Some(Ok(_))) {
                        return;
                    }
                    messages.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        while ready.load(Ordering::Acquire) < u64::from(connections) && !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let echo = Echo { process, talking, messages, every, _clients: clients };
        Ok((!failed.load(Ordering::Relaxed)).then_some(echo))
    }

    /// Lets all clients talk for a while; returns the processor time and the number of messages.
    pub async fn talk(&self, time: Duration, stop: &AtomicBool) -> Result<Option<(Duration, u64)>, Failure> {
        self.talking.store(true, Ordering::Relaxed);
        tokio::time::sleep(self.every).await;
        let (from, sent) = (self.process.cpu(), self.messages.load(Ordering::Relaxed));
        progress("echo", time, stop).await?;
        let (to, sent) = (self.process.cpu(), self.messages.load(Ordering::Relaxed) - sent);
        self.talking.store(false, Ordering::Relaxed);
        Ok(from.zip(to).map(|(from, to)| (to - from, sent)))
    }
}
