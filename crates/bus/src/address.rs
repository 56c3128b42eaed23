//! Where the bus is, and with which login: from the command line, the environment or a file.
//!
//! Invariant: what is displayed, and every message, is without the login.

use std::fmt;
use std::path::{Path, PathBuf};

use async_nats::{ConnectOptions, ServerAddr};
use thiserror::Error;

/// Instead of the address on the command line, where others can read it.
const VARIABLE: &str = "LAIR_NATS";
const VARIABLE_OF_FILE: &str = "LAIR_NATS_FILE";
/// A file with the certificates of the authority that signed the server's.
const VARIABLE_OF_CA: &str = "LAIR_NATS_CA";

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    #[error(
        "this is not the address of a NATS server: write nats://HOST:4222, or tls://USER:PASSWORD@HOST:4222; \
         several of one cluster are separated by commas"
    )]
    NotAnAddress,
    #[error("the addresses have different logins: servers of one cluster share one")]
    Logins,
    #[error("the file with the address of the NATS server, {file}: {why}")]
    File { file: String, why: String },
    #[error("{VARIABLE} and {VARIABLE_OF_FILE} are both set: keep one of them")]
    Both,
    #[error("{VARIABLE_OF_CA} names {file}, which cannot be read: {why}")]
    Ca { file: String, why: String },
}

#[derive(Clone, PartialEq, Eq)]
enum Login {
    Password(String, String),
    Token(String),
}

/// The servers of one cluster.
#[derive(Clone)]
pub struct Address {
    servers: Vec<ServerAddr>,
    login: Option<Login>,
    tls: bool,
    ca: Option<PathBuf>,
}

impl Address {
    /// The one named on the command line or in a file named there, or else in the environment or in the file that it
    /// names.
    pub fn find(named: Option<&str>, file: Option<&Path>) -> Result<Option<Address>, AddressError> {
        let set = |name| std::env::var(name).ok().filter(|value: &String| !value.trim().is_empty());
        let text = match (named, file, set(VARIABLE), set(VARIABLE_OF_FILE)) {
            (Some(named), ..) => named.to_owned(),
            (None, Some(file), ..) => read(file)?,
            (None, None, None, None) => return Ok(None),
            (None, None, Some(_), Some(_)) => return Err(AddressError::Both),
            (None, None, Some(value), None) => value,
            (None, None, None, Some(file)) => read(Path::new(&file))?,
        };
        let mut address = Address::parse(text.trim())?;
        if let Some(file) = set(VARIABLE_OF_CA) {
            let why = |error: std::io::Error| AddressError::Ca { file: file.clone(), why: error.to_string() };
            std::fs::metadata(&file).map_err(why)?;
            address.ca = Some(file.into());
        }
        Ok(Some(address))
    }

    pub fn parse(text: &str) -> Result<Address, AddressError> {
        let mut address = Address { servers: Vec::new(), login: None, tls: false, ca: None };
        let mut logins = Vec::new();
        for one in text.split(',').map(str::trim) {
            let (scheme, rest) = one.split_once("://").unwrap_or(("nats", one));
            if !["nats", "tls"].contains(&scheme) {
                return Err(AddressError::NotAnAddress);
            }
            let (login, host) =
                rest.rsplit_once('@').map_or((None, rest), |(login, host)| (Some(login), host));
            let host = host.trim_end_matches('/');
            if host.is_empty() || host.contains(['/', ' ', '?', '#']) {
                return Err(AddressError::NotAnAddress);
            }
            let server = format!("{scheme}://{host}").parse().map_err(|_| AddressError::NotAnAddress)?;
            address.servers.push(server);
            address.tls |= scheme == "tls";
            logins.extend(login.map(Login::read));
        }
        logins.dedup();
        if logins.len() > 1 {
            return Err(AddressError::Logins);
        }
        address.login = logins.pop();
        Ok(address)
    }

    pub(crate) fn servers(&self) -> Vec<ServerAddr> {
        self.servers.clone()
    }

    pub(crate) fn login(&self, options: ConnectOptions) -> ConnectOptions {
        let options = match self.login.clone() {
            Some(Login::Password(user, password)) => options.user_and_password(user, password),
            Some(Login::Token(token)) => options.token(token),
            None => options,
        };
        let options = match &self.ca {
            Some(ca) => options.add_root_certificates(ca.clone()),
            None => options,
        };
        if self.tls { options.require_tls(true) } else { options }
    }
}

impl Login {
    fn read(text: &str) -> Login {
        match text.split_once(':') {
            Some((user, password)) => Login::Password(decoded(user), decoded(password)),
            None => Login::Token(decoded(text)),
        }
    }
}

/// With `%40` for `@`, and so on.
fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let hex = after.get(..2).filter(|_| *byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(code) => {
                out.push(code);
                rest = &after[2..];
            }
            None => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn read(file: &Path) -> Result<String, AddressError> {
    const MOST: u64 = 64 * 1024;
    let failed = |why: String| AddressError::File { file: file.display().to_string(), why };
    let about = std::fs::metadata(file).map_err(|error| failed(error.to_string()))?;
    if !about.is_file() || about.len() > MOST {
        return Err(failed("it should be a small file with the address in it".into()));
    }
    let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(failed("it is empty".into()));
    }
    Ok(text)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, server) in self.servers.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}://{}:{}", server.scheme(), server.host(), server.port())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_never_shows_its_login() {
        let address =
            Address::parse("tls://lair:pass%40word@bus.example,tls://lair:pass%40word@two:99/").unwrap();
        assert_eq!(address.to_string(), "tls://bus.example:4222,tls://two:99");
        assert_eq!(format!("{address:?}"), "tls://bus.example:4222,tls://two:99");
        assert!(address.login == Some(Login::Password("lair".into(), "pass@word".into())) && address.tls);
        let token = Address::parse("nats://a%20token%@127.0.0.1:4222").unwrap();
        assert!(token.login == Some(Login::Token("a token%".into())) && !token.tls);
        assert!(Address::parse("localhost").unwrap().login.is_none());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in ["", "http://bus", "nats://", "nats://bus/path", "nats://bus:port", "bus, ,bus", "a b"] {
            assert_eq!(Address::parse(wrong).unwrap_err(), AddressError::NotAnAddress, "{wrong}");
        }
        assert_eq!(Address::parse("nats://a:b@x,nats://c:d@y").unwrap_err(), AddressError::Logins);
    }
}
