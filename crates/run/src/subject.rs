//! The trait of a subject: what is varied.

use howcome_dd::{Configuration, DeltaId, Hints};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of deltas over something real: a list, two versions of a program, a file.
pub trait Subject {
    /// How many deltas there are.
    fn deltas(&self) -> u32;

    /// A description of a delta for people.
    fn describe(&self, delta: DeltaId) -> String;

    /// The name of the candidate of a configuration, if people have one for it: a commit.
    fn name(&self, configuration: &Configuration) -> Option<String> {
        let _ = configuration;
        None
    }

    /// Identifies the candidate of a configuration, so that no candidate is tested twice.
    ///
    /// `None` if different configurations always make different candidates.
    fn content(&self, configuration: &Configuration) -> Option<Content>;

    /// Why the candidate of a configuration is not worth a test, if that is known without one. The configuration is
    /// then unresolved. The same configuration always gets the same answer.
    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        let _ = configuration;
        None
    }

    /// The size of the candidate of a configuration, if it is measured in bytes.
    fn bytes(&self, configuration: &Configuration) -> Option<u64> {
        let _ = configuration;
        None
    }
}

/// Why a candidate is not worth a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reason, for people.
    pub why: String,
    /// What to try instead.
    pub hints: Hints,
}

/// The hash of a candidate's content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Content([u8; 16]);

impl Content {
    /// The hash of these pieces, one after another.
    #[must_use]
    pub fn of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for piece in pieces {
            hasher.update(piece);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(bytes)
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Content> for String {
    fn from(content: Content) -> Self {
        content.to_string()
    }
}

impl TryFrom<String> for Content {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = u128::from_str_radix(&text, 16)
            .map_err(|error| format!("`{text}` is not a content hash: {error}"))?;
        Ok(Self(number.to_be_bytes()))
    }
}
