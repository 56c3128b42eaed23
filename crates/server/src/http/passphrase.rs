//! Passphrases: which are refused, and how they are hashed.
//!
//! Invariant: an unknown account costs as much work as a wrong passphrase.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use thiserror::Error;

use crate::names;

const LENGTH: std::ops::RangeInclusive<usize> = 8..=200;
/// The commonest of those that are long enough, one per line.
const COMMON: &str = include_str!("common-passphrases.txt");

#[derive(Debug, Error, PartialEq, Eq)]
pub enum BadPassphrase {
    #[error("a passphrase must have {} to {} characters", LENGTH.start(), LENGTH.end())]
    Length,
    #[error(
        "this passphrase is among the first that anyone would guess: choose another, such as four random words"
    )]
    Common,
}

/// Whether a new account may have it.
pub fn check(passphrase: &str, name: &str) -> Result<(), BadPassphrase> {
    if !LENGTH.contains(&passphrase.chars().count()) {
        return Err(BadPassphrase::Length);
    }
    let plain = passphrase.to_lowercase();
    // Digits and signs around a word do not make it another one.
    let bare = plain.trim_matches(|c: char| !c.is_alphabetic());
    let common = |text: &str| COMMON.lines().any(|line| line == text);
    let first = plain.chars().next();
    let repeated = plain.chars().all(|c| Some(c) == first);
    let own = names::keys(name).iter().any(|key| names::keys(bare).contains(key));
    match repeated || own || common(&plain) || common(bare) {
        true => Err(BadPassphrase::Common),
        false => Ok(()),
    }
}

/// Longer than any account's; not worth hashing.
pub fn is_too_long(passphrase: &str) -> bool {
    passphrase.chars().count() > *LENGTH.end()
}

/// `None` if it could not be hashed, which the log explains.
pub fn hash(passphrase: &str) -> Option<String> {
    match Argon2::default().hash_password(passphrase.as_bytes()) {
        Ok(hash) => Some(hash.to_string()),
        Err(error) => {
            tracing::error!(%error, "a passphrase could not be hashed");
            None
        }
    }
}

/// Compares in constant time. An empty hash, of an account that does not exist, costs as much as a real one.
pub fn matches_hash(passphrase: &str, hash: &str) -> bool {
    static DUMMY: LazyLock<String> = LazyLock::new(|| self::hash("nobody has this").unwrap_or_default());
    let (hash, real) = match PasswordHash::new(hash) {
        Ok(hash) => (Ok(hash), true),
        Err(_) => (PasswordHash::new(&DUMMY), false),
    };
    let fits = hash.is_ok_and(|hash| Argon2::default().verify_password(passphrase.as_bytes(), &hash).is_ok());
    fits && real
}

// cspell:disable
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_passphrases_are_refused() {
        for bad in [
            "password",
            "PassWord",
            "password1!",
            "12345678",
            "qwertyuiop",
            "aaaaaaaaaa",
            "iloveyou2",
            "trustno1",
        ] {
            assert_eq!(check(bad, "Ann"), Err(BadPassphrase::Common), "{bad}");
        }
        for own in ["annoflee", "Ann of Lee", "ann_of_lee123"] {
            assert_eq!(check(own, "Ann of Lee"), Err(BadPassphrase::Common), "{own}");
        }
        for fine in ["correct horse", "passwords are for bosses", "12345678 dragons", "Ann likes slimes"] {
            assert_eq!(check(fine, "Ann"), Ok(()), "{fine}");
        }
        assert_eq!(check("short", "Ann"), Err(BadPassphrase::Length));
        assert_eq!(check(&"long ".repeat(41), "Ann"), Err(BadPassphrase::Length));
        let lines: Vec<&str> = COMMON.lines().collect();
        assert!(lines.len() >= 100);
        for line in lines {
            assert_eq!(line, line.to_lowercase().trim(), "{line}");
        }
    }

    #[test]
    fn only_the_right_passphrase_matches() {
        let right = hash("correct horse").unwrap();
        assert!(right.starts_with("$argon2id$"));
        assert!(matches_hash("correct horse", &right));
        assert!(!matches_hash("correct hose", &right));
        assert!(!matches_hash("nobody has this", ""));
    }
}
