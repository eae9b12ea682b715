//! Real processes: what they do, and that nothing of them stays.

mod bench;
mod executor;
mod leftovers;
mod running;
