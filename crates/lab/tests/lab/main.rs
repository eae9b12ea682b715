//! Tests with real processes: what they do, and that nothing of them is left.

#![allow(clippy::unwrap_used)]

mod bench;
mod executor;
mod leftovers;
mod restored;
mod running;
mod same;
mod warm;
