//! A network in a file, for bots that judge by it instead of the built-in ones.

use std::hash::{Hash, Hasher};
use std::{fs, io};

use thiserror::Error;

use super::Net;

/// Far more than any network has.
const MOST_BYTES: u64 = 1 << 20;

/// A network and its name, which is all that is compared.
#[derive(Clone, Copy)]
pub struct NetFile {
    name: &'static str,
    pub(crate) net: &'static Net,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum NetFileError {
    #[error("{file}: {error}")]
    Io { file: String, error: String },
    #[error(
        "{file}: this is not a network of this version: `lair train` writes such files, and those of an older \
         version have to be trained again"
    )]
    Foreign { file: String },
}

impl NetFile {
    /// Bots keep their network as long as the program runs, so it is never freed.
    pub fn new(name: &str, net: Net) -> NetFile {
        NetFile { name: String::from(name).leak(), net: Box::leak(Box::new(net)) }
    }

    /// A built-in network, or one in a file.
    pub fn named(name: &str) -> Result<NetFile, NetFileError> {
        match super::BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            Some((name, net)) => Ok(NetFile { name, net }),
            None => NetFile::open(name),
        }
    }

    pub fn open(file: &str) -> Result<NetFile, NetFileError> {
        let failed = |error: io::Error| NetFileError::Io { file: file.into(), error: error.to_string() };
        let about = fs::metadata(file).map_err(failed)?;
        if !about.is_file() || about.len() > MOST_BYTES {
            return Err(NetFileError::Foreign { file: file.into() });
        }
        let bytes = fs::read(file).map_err(failed)?;
        let net = Net::try_read(&bytes).ok_or_else(|| NetFileError::Foreign { file: file.into() })?;
        Ok(NetFile::new(file, net))
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same network, with eyes for everything: it makes nothing yet of what it did not know.
    pub fn to_learn_on(&self) -> Net {
        Net { knows: Net::EMPTY.knows, ..self.net.clone() }
    }
}

impl PartialEq for NetFile {
    fn eq(&self, other: &NetFile) -> bool {
        self.name == other.name
    }
}

impl Eq for NetFile {}

impl Hash for NetFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl std::fmt::Debug for NetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NetFile").field(&self.name).finish()
    }
}
