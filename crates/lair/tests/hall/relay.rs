//! A line between two programs that can be cut as a network is: nothing arrives any more, and nobody is told.

use std::io;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// Where a line leads.
#[derive(Clone)]
pub enum Target {
    Socket(PathBuf),
    Port(u16),
}

/// Passes on what comes to a port of its own.
pub struct Relay {
    pub port: u16,
    cut: watch::Sender<bool>,
}

impl Relay {
    pub fn to(target: Target) -> Relay {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let listener = TcpListener::from_std(listener).unwrap();
        let (cut, is_cut) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                // If nobody is there, that is told by closing.
                tokio::spawn(join(near, target.clone(), is_cut.clone()));
            }
        });
        Relay { port, cut }
    }

    /// From now on nothing passes, in either direction, not even the end of a connection.
    pub fn cut(&self) {
        self.cut.send_replace(true);
    }

    /// What was under way arrives.
    pub fn mend(&self) {
        self.cut.send_replace(false);
    }
}

async fn join(near: TcpStream, target: Target, mut cut: watch::Receiver<bool>) -> io::Result<()> {
    until_whole(&mut cut).await;
    near.set_nodelay(true)?;
    let (from, to) = near.into_split();
    match target {
        Target::Socket(path) => {
            let (back, far) = UnixStream::connect(path).await?.into_split();
            tokio::join!(carry(from, far, cut.clone()), carry(back, to, cut));
        }
        Target::Port(port) => {
            let far = TcpStream::connect(("127.0.0.1", port)).await?;
            far.set_nodelay(true)?;
            let (back, far) = far.into_split();
            tokio::join!(carry(from, far, cut.clone()), carry(back, to, cut));
        }
    }
    Ok(())
}

/// Until one side has ended.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut cut: watch::Receiver<bool>,
) {
    let mut some = [0; 16 * 1024];
    while let Ok(n @ 1..) = from.read(&mut some).await {
        until_whole(&mut cut).await;
        if to.write_all(&some[..n]).await.is_err() {
            break;
        }
    }
    until_whole(&mut cut).await;
}

async fn until_whole(cut: &mut watch::Receiver<bool>) {
    let _ = cut.wait_for(|cut| !cut).await;
}
