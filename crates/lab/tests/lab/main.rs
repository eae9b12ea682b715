//! Real processes: what they do, and that nothing of them stays.

#![allow(clippy::unwrap_used)]

mod bench;
mod executor;
mod leftovers;
mod running;
mod same;
mod warm;
