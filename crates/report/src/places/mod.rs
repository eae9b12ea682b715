//! Messages at places of the source.

pub(crate) mod message;
pub(crate) mod messages;
pub(crate) mod span;
