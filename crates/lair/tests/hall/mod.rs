//! Several real servers on one PostgreSQL and one NATS, each with lines to both that can be cut.
#![allow(dead_code, reason = "each test uses a part of it")]

mod relay;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::client::Server;
use crate::common::nats::Nats;
use crate::database::Postgres;
use relay::{Relay, Target};

pub const ANYWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
/// In milliseconds: after so long without a sign of life a server is declared dead.
const LEASE: &str = "1000";

/// What the servers share.
pub struct Hall {
    pub postgres: Postgres,
    pub database: String,
    pub nats: Nats,
}

impl Hall {
    /// `None` if one of the two is not installed.
    pub fn open(name: &str) -> Option<Hall> {
        let (nats, postgres) = (Nats::start(name, None)?, Postgres::start(&[])?);
        Some(Hall { database: postgres.database(), postgres, nats })
    }

    pub fn node(&self, name: &str, listen: SocketAddr) -> Server {
        let (database, bus) = (self.postgres.url_of("lair", &self.database), self.nats.url());
        Server::with(&args(name, &database, &bus), listen)
    }

    fn relayed(
        &self,
        name: &str,
        listen: SocketAddr,
        to_postgres: &Relay,
        to_nats: &Relay,
        settings: &[(&str, &str)],
    ) -> Server {
        let database = format!("postgres://lair@127.0.0.1:{}/{}", to_postgres.port, self.database);
        let bus = format!("nats://127.0.0.1:{}", to_nats.port);
        Server::with_settings(&args(name, &database, &bus), listen, settings)
    }

    /// Servers with these names, at arbitrary ports.
    pub fn nodes(&self, names: &[&'static str], settings: &'static [(&str, &str)]) -> Vec<Node> {
        let started = names.iter().map(|name| {
            let to_postgres = Relay::to(Target::Socket(self.postgres.socket()));
            let to_nats = Relay::to(Target::Port(self.nats.port));
            let server = self.relayed(name, ANYWHERE, &to_postgres, &to_nats, settings);
            Node { name, server, to_postgres, to_nats, settings }
        });
        started.collect()
    }

    /// The numbers of the servers that live, as the database has them.
    pub fn living(&self) -> String {
        self.postgres.sql(&self.database, "SELECT no FROM nodes WHERE NOT dead ORDER BY no")
    }
}

/// A server, and its lines to the outside.
pub struct Node {
    name: &'static str,
    pub server: Server,
    pub to_postgres: Relay,
    pub to_nats: Relay,
    settings: &'static [(&'static str, &'static str)],
}

impl Node {
    /// Starts it, where it was before.
    pub fn start_again(&mut self, hall: &Hall) {
        let listen = self.server.address;
        self.server = hall.relayed(self.name, listen, &self.to_postgres, &self.to_nats, self.settings);
    }
}

fn args<'a>(name: &'a str, database: &'a str, bus: &'a str) -> [&'a str; 8] {
    ["--postgres", database, "--nats", bus, "--node", name, "--lease", LEASE]
}
