//! Baseline.
use std::time::Duration;
/// x
pub const PATIENCE: Duration = Duration::from_secs(300);
