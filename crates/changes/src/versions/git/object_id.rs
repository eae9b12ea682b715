//! The id that git gives to a content: a SHA-1 or a SHA-256.

use crate::versions::revision_id::RevisionId;
use std::fmt;
use std::str::FromStr;

/// The id of a commit, a tree or a blob. Cheap to copy: trees have many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    len: u8,
}

/// A text that is not an object id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a full object id")]
pub struct NotAnObjectId(String);

impl ObjectId {
    /// Reads 40 or 64 hexadecimal digits.
    ///
    /// # Errors
    /// If there are more or fewer of them, or something else.
    pub fn from_hex(hex: &[u8]) -> Result<Self, NotAnObjectId> {
        let wrong = || NotAnObjectId(String::from_utf8_lossy(hex).into_owned());
        if hex.len() != 40 && hex.len() != 64 {
            return Err(wrong());
        }
        let mut id = Self { bytes: [0; 32], len: (hex.len() / 2) as u8 };
        for (byte, pair) in id.bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte =
                digit(pair[0]).zip(digit(pair[1])).map(|(high, low)| high << 4 | low).ok_or_else(wrong)?;
        }
        Ok(id)
    }

    /// The commit that a revision is.
    ///
    /// # Errors
    /// If the revision is not from git.
    pub fn of(revision: &RevisionId) -> Result<Self, NotAnObjectId> {
        Self::from_hex(revision.as_str().as_bytes())
    }

    /// Reads the 20 or 32 bytes of a hash.
    pub(super) fn from_bytes(hash: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        bytes.get_mut(..hash.len()).filter(|_| matches!(hash.len(), 20 | 32))?.copy_from_slice(hash);
        Some(Self { bytes, len: hash.len() as u8 })
    }

    /// The bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The first digits, for people.
    #[must_use]
    pub fn short(&self) -> String {
        let mut hex = self.to_string();
        hex.truncate(SHORT);
        hex
    }

    /// Whether this is the id that stands for no object: all zeros.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.bytes.iter().all(|byte| *byte == 0)
    }
}

/// How many digits people see.
const SHORT: usize = 12;

impl From<ObjectId> for RevisionId {
    fn from(id: ObjectId) -> Self {
        RevisionId::new(id.to_string()).shown_by(SHORT)
    }
}

fn digit(hex: u8) -> Option<u8> {
    char::from(hex).to_digit(16).map(|digit| digit as u8)
}

impl FromStr for ObjectId {
    type Err = NotAnObjectId;

    fn from_str(hex: &str) -> Result<Self, NotAnObjectId> {
        Self::from_hex(hex.as_bytes())
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_as_it_was_read() {
        for hex in ["0123456789abcdef0123456789abcdef01234567", &"5e".repeat(32)] {
            assert_eq!(hex.parse::<ObjectId>().unwrap().to_string(), hex);
        }
    }

    #[test]
    fn what_is_no_full_id_is_refused() {
        for text in ["", "abc", &"g".repeat(40), &"a".repeat(41)] {
            assert!(text.parse::<ObjectId>().is_err(), "{text}");
        }
    }
}
