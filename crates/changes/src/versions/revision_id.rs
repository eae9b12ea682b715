//! What identifies a revision.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What identifies a revision of a source. Only the source knows what the text means.
#[derive(Clone)]
pub struct RevisionId {
    text: Arc<str>,
    /// How many bytes of the text are enough for people.
    short: usize,
}

impl RevisionId {
    /// An id that people are shown in full.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self { short: text.len(), text }
    }

    /// The same id, of which people are shown the first bytes only. They have to be ASCII.
    #[must_use]
    pub fn shown_by(self, bytes: usize) -> Self {
        Self { short: bytes.min(self.text.len()), ..self }
    }

    /// The whole id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// As much of it as people need.
    #[must_use]
    pub fn short(&self) -> String {
        self.text.get(..self.short).unwrap_or(&self.text).to_owned()
    }
}

impl PartialEq for RevisionId {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for RevisionId {}

impl PartialOrd for RevisionId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RevisionId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for RevisionId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Display for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_however_much_of_it_is_shown() {
        let long = RevisionId::new("0123456789abcdef");
        let short = long.clone().shown_by(4);
        assert_eq!(long, short);
        assert_eq!((short.short(), short.to_string()), ("0123".to_owned(), "0123456789abcdef".to_owned()));
        assert_eq!(long.short(), "0123456789abcdef");
        assert_eq!(RevisionId::new("v1").shown_by(12).short(), "v1");
    }
}
