//! What can be wrong with a PostgreSQL, in the words of whoever has to mend it.

use thiserror::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::super::fit::Misfit;
use super::address::{Address, told};

#[derive(Debug, Error)]
pub enum Problem {
    #[error("the address of PostgreSQL cannot be used: {0}")]
    Address(String),
    #[error("PostgreSQL cannot be spoken to in secret: {0}")]
    Certificates(String),
    #[error("PostgreSQL at {0} cannot be reached: {1}")]
    Unreachable(String, String),
    #[error("PostgreSQL at {0} does not let this server in: {1}. Check the name and the password")]
    NotLetIn(String, String),
    #[error("PostgreSQL at {0} has no such database: {1}. Create it: CREATE DATABASE {2} OWNER {3}")]
    NoDatabase(String, String, String, String),
    #[error(
        "the role {role} has too few rights in {at}: {reason}. Make it the owner of the database: \
         ALTER DATABASE {database} OWNER TO {role}"
    )]
    Rights { at: String, role: String, database: String, reason: String },
    #[error("PostgreSQL at {0} has version {1}; at least 15 is needed")]
    TooOld(String, String),
    #[error(
        "PostgreSQL at {0} runs with fsync = off: a power cut would destroy everything. Turn it on in postgresql.conf"
    )]
    NoSync(String),
    #[error("PostgreSQL at {0} is a standby, which nothing can be written to: name the primary")]
    Standby(String),
    #[error("the database at {0} has the encoding {1}: create it with ENCODING 'UTF8'")]
    Encoding(String, String),
    #[error(
        "the database at {at} was written by a newer lair (version {there}; this one knows {known}): use that one, or \
         another database"
    )]
    Newer { at: String, there: u32, known: u32 },
    #[error("the server `{name}` (lair {version}), which uses the same database, {misfit}")]
    Misfit { name: String, version: String, misfit: Misfit },
    #[error(
        "the tables in this database have entries of a newer lair (kind {there}; this one reads up to {reads}): use that one"
    )]
    NewerEntries { there: u32, reads: u32 },
    #[error("PostgreSQL: {0}")]
    Query(String),
}

impl Problem {
    /// What went wrong while connecting, or with the first questions.
    pub(super) fn of(at: &Address, error: &tokio_postgres::Error) -> Problem {
        let (at_text, words) = (at.to_string(), sentence(error));
        let Some(code) = error.code() else { return Problem::Unreachable(at_text, words) };
        match *code {
            SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                Problem::NotLetIn(at_text, words)
            }
            SqlState::INVALID_CATALOG_NAME => {
                Problem::NoDatabase(at_text, words, at.database().into(), at.role().into())
            }
            SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME => Problem::Rights {
                at: at_text,
                role: at.role().into(),
                database: at.database().into(),
                reason: words,
            },
            _ if is_broken(error) => Problem::Unreachable(at_text, words),
            _ => Problem::Query(words),
        }
    }
}

/// What PostgreSQL said, or why it could not be asked.
fn sentence(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.message().trim_end_matches('.').to_string(),
        None => told(error),
    }
}

/// The connection is gone, the server is going, or it took too long: whether a statement took effect is not known, or it
/// can only be asked again.
pub(super) fn is_broken(error: &tokio_postgres::Error) -> bool {
    let Some(said) = error.as_db_error() else { return true };
    let fatal = |said: &DbError| {
        !matches!(
            said.parsed_severity(),
            Some(Severity::Error | Severity::Warning | Severity::Notice | Severity::Info | Severity::Log)
        )
    };
    let code = said.code().code();
    fatal(said) || code.starts_with("08") || code.starts_with("57P") || ["40003", "57014"].contains(&code)
}

/// The server's disk or memory, and not the statement, is the reason.
pub(super) fn is_storage(error: &tokio_postgres::Error) -> bool {
    let code = error.code().map_or("", SqlState::code);
    ["53", "58", "XX", "25006", "57014"].iter().any(|class| code.starts_with(class))
}
