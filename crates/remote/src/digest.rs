//! The digest of a blob: SHA-256 and size.

use crate::protocol::Digest;
use sha2::{Digest as _, Sha256};

/// Identifies a blob in the store of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobDigest {
    hash: [u8; 32],
    /// The number of bytes.
    pub size: u64,
}

impl BlobDigest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { hash: Sha256::digest(bytes).into(), size: bytes.len() as u64 }
    }

    /// The hash as hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The digest as the protocol writes it.
    #[must_use]
    pub fn to_message(self) -> Digest {
        Digest { hash: self.hex(), size_bytes: i64::try_from(self.size).unwrap_or(i64::MAX) }
    }

    /// Reads a digest of the protocol; `None` if it is not one of SHA-256.
    #[must_use]
    pub fn of_message(message: &Digest) -> Option<Self> {
        if message.hash.len() != 64 {
            return None;
        }
        let mut hash = [0; 32];
        for (place, digits) in message.hash.as_bytes().chunks(2).enumerate() {
            hash[place] = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self { hash, size: u64::try_from(message.size_bytes).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_sha_256_that_every_server_computes() {
        let empty = BlobDigest::of(b"");
        assert_eq!(empty.hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let some = BlobDigest::of(b"abc");
        assert_eq!(BlobDigest::of_message(&some.to_message()), Some(some));
        assert_eq!(BlobDigest::of_message(&Digest { hash: "xyz".into(), size_bytes: 3 }), None);
    }
}
