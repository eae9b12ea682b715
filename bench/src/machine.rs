//! What the machine says of itself.

use anyhow::Context;
use std::fs;

/// How many processes wanted a core in the last minute, as the system counts them.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or("unknown").to_owned()
}

/// The most memory that this process has had, in bytes.
pub(crate) fn peak_memory() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no peak is given")?;
    let kilobytes = line.trim().trim_end_matches("kB").trim();
    Ok(kilobytes.parse::<u64>().context("the peak is no number")? * 1024)
}
