//! Figures of the machine.

use anyhow::Context;
use std::fs;

/// The load average of the last minute.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or("unknown").to_owned()
}

/// The peak memory of this process, in bytes.
pub(crate) fn peak_memory() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("there is no peak")?;
    let kilobytes = line.trim().trim_end_matches("kB").trim();
    Ok(kilobytes.parse::<u64>().context("the peak is not a number")? * 1024)
}
