//! Where a PostgreSQL is, and how to speak to it.
//!
//! Invariant: the password is never shown.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, NoTls};

use super::Problem;
use super::tls::Tls;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A machine that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(6);

/// A PostgreSQL database, from `postgres://user:password@host:port/database?options`.
#[derive(Clone)]
pub struct Address {
    config: Arc<Config>,
    tls: Option<Tls>,
}

impl FromStr for Address {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Address, Problem> {
        let wrong = |reason: String| Problem::Address(reason);
        let text = text.trim();
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(wrong("it must begin with postgres://".into()));
        }
        let (place, options) = text.split_once('?').unwrap_or((text, ""));
        let (mut mode, mut roots, mut others) = (None, None, Vec::new());
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value.to_string()),
                Some(("sslrootcert", value)) => roots = Some(unescaped(value)),
                _ => others.push(option),
            }
        }
        let mut config: Config =
            format!("{place}?{}", others.join("&")).parse().map_err(|error| wrong(told(&error)))?;
        if config.get_hosts().is_empty() {
            return Err(wrong("it names no host".into()));
        }
        if config.get_dbname().is_none() {
            return Err(wrong("it names no database: end it with /lair, or what yours is called".into()));
        }
        let encrypted = match mode.as_deref() {
            None => !config.get_hosts().iter().all(is_here),
            Some("disable") => false,
            Some("require" | "verify-ca" | "verify-full") => true,
            Some(mode) => {
                let words =
                    format!("sslmode={mode} is not one of disable, require, verify-ca and verify-full");
                return Err(wrong(words));
            }
        };
        let tls = match encrypted {
            true => Some(Tls::trusting(roots.as_deref().map(Path::new)).map_err(Problem::Certificates)?),
            false => None,
        };
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.tcp_user_timeout(SILENCE).keepalives_idle(Duration::from_secs(2));
        config.keepalives_interval(Duration::from_secs(1)).keepalives_retries(4);
        Ok(Address { config: Arc::new(config), tls })
    }
}

/// This machine is not listened in on.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Text in which `%2F` stands for a slash, and so on.
fn unescaped(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, more @ ..] = rest {
        let code = || u8::from_str_radix(std::str::from_utf8(more.get(..2)?).ok()?, 16).ok();
        match code().filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Address {
    /// A session that calls itself so.
    pub(super) async fn connect(&self, name: &str) -> Result<Client, tokio_postgres::Error> {
        let mut config = Config::clone(&self.config);
        config.application_name(name);
        let client = match &self.tls {
            Some(tls) => {
                let (client, connection) = config.connect(tls.clone()).await?;
                tokio::spawn(connection);
                client
            }
            None => {
                let (client, connection) = config.connect(NoTls).await?;
                tokio::spawn(connection);
                client
            }
        };
        Ok(client)
    }

    pub fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or("")
    }

    pub fn role(&self) -> &str {
        self.config.get_user().unwrap_or("")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(role) = self.config.get_user() {
            write!(f, "{role}@")?;
        }
        for (n, host) in self.config.get_hosts().iter().enumerate() {
            f.write_str(if n == 0 { "" } else { "," })?;
            match host {
                Host::Tcp(name) => f.write_str(name)?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{}", path.display())?,
            }
            if let Some(port) = self.config.get_ports().get(n).or(self.config.get_ports().first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.database())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error with its reasons.
pub fn told(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut reason = error.source();
    while let Some(why) = reason {
        let more = why.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        reason = why.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let text = "postgres://lair:hunter%202@/lair?host=/run/postgresql&port=5433&sslmode=disable";
        let address: Address = text.parse().unwrap();
        assert_eq!(address.to_string(), "postgres://lair@/run/postgresql:5433/lair");
        assert_eq!(format!("{address:?}"), address.to_string());
        let wrong = [
            "mysql://lair:hunter2@db/lair",
            "postgres://lair:hunter2@db:port/lair",
            "postgres://lair:hunter2@db",
        ];
        for text in wrong
            .into_iter()
            .chain(["postgres://u:hunter2@db/d?sslmode=prefer", "postgres://u:hunter2@db/d?x=1"])
        {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_told_otherwise() {
        let encrypted = |text: &str| text.parse::<Address>().unwrap().tls.is_some();
        for local in ["postgres://u@localhost/d", "postgres://u@127.0.0.1/d", "postgres://u@[::1]/d"] {
            assert!(!encrypted(local), "{local}");
        }
        assert!(!encrypted("postgres://u@db.example/d?sslmode=disable"));
        for mode in ["require", "verify-ca", "verify-full"] {
            let roots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/postgres/ca.pem").replace('/', "%2F");
            assert!(encrypted(&format!("postgres://u@db.example/d?sslmode={mode}&sslrootcert={roots}")));
        }
        let missing = "postgres://u@db.example/d?sslrootcert=/nowhere.pem".parse::<Address>().unwrap_err();
        assert!(missing.to_string().contains("/nowhere.pem"), "{missing}");
    }
}
