//! Numbers as people read them.

pub(crate) use howcome_run::words::{count, duration, moment, ordinal, percent, seconds, size, thousands};
