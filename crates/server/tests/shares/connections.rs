//! Connections, and those who do not read.

use std::net::Ipv4Addr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::*;

#[tokio::test]
async fn a_reader_that_does_not_read_is_cut_off() {
    let limits = Limits { connections_per_address: 1, slow: Duration::from_millis(500), ..Limits::default() };
    let server = server_with(limits).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut deaf = socket.connect(server.address).await.unwrap();
    let request = format!("GET /api/cards HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    // More than the buffers on both sides hold.
    let _ = deaf.write_all(request.repeat(100).as_bytes()).await;
    server.browser().get("/healthz").await.refused(429, "too_many_connections");
    let free = async {
        while server.browser().get("/healthz").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LONG, free).await.expect("the connection is closed");
    drop(deaf);
    server.close().await;
}

/// From another address of this machine.
async fn stranger(server: &TestServer, n: u8) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, 2 + n), 0).into()).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    (&status == b"HTTP/1.1 200").then_some(stream)
}

/// Only Linux has a whole network of loopback addresses.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn strangers_leave_room_for_those_who_play() {
    let server = server_with(Limits { connections: 24, ..Limits::default() }).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &with_bot()).await;
    let mut socket = ann.sit(&id).await;
    question(&mut socket).await;
    let mut held = Vec::new();
    for n in 0..100 {
        match stranger(&server, n % 50).await {
            Some(stream) => held.push(stream),
            None => break,
        }
    }
    assert!((10..=22).contains(&held.len()), "{} strangers", held.len());
    // Ann's browser loses its connection, comes back, and looks something up meanwhile.
    drop(socket);
    let mut socket = ann.sit(&id).await;
    question(&mut socket).await;
    ann.get("/api/me").await.ok();
    server.close().await;
}
