//! Texts that nobody can guess: tokens, sessions, addresses, the ids of jobs.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

/// Letters and digits that cannot be confused with each other.
const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A secret. It is never stored and never logged: only its hash is.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// One that somebody has sent.
    pub(crate) fn of(text: &str) -> Self {
        Secret(text.to_owned())
    }

    /// A new one of 160 bits.
    pub(crate) fn new() -> io::Result<Self> {
        random_text(32).map(Secret)
    }

    /// What is stored. A secret of 160 random bits needs no salt.
    pub(crate) fn hash(&self) -> String {
        blake3::hash(self.0.as_bytes()).to_hex().to_string()
    }

    /// To show it to the one who asked for it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Five random bits for each character.
pub(crate) fn random_text(characters: usize) -> io::Result<String> {
    let mut bytes = vec![0; characters];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(DIGITS[usize::from(byte % 32)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed_and_its_hash_does_not_contain_it() {
        let secret = Secret::new().unwrap();
        assert!(!format!("{secret:?}").contains(secret.reveal()));
        assert!(!secret.hash().contains(secret.reveal()));
        assert_ne!(secret, Secret::new().unwrap());
        assert_eq!(secret.reveal().len(), 32);
    }
}
