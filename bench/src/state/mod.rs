//! Measures `howcome state` and the same work in gdb's embedded Python: reading a state, altered runs, loading debug
//! information, a chain.

mod chain;
mod figures;
mod generated;
mod loading;
mod programs;
mod reading;
mod runs;

use anyhow::bail;

pub(crate) use loading::LOAD;
pub(crate) use loading::load;

const USAGE: &str = "reading, runs, loading [PROGRAM…] or chain; without an argument, all of them";

/// Prints the requested tables.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let Some(what) = arguments.first() else {
        reading::measure()?;
        runs::measure()?;
        loading::measure(&[])?;
        return chain::measure();
    };
    match what.as_str() {
        "reading" => reading::measure(),
        "runs" => runs::measure(),
        "loading" => loading::measure(&arguments[1..]),
        "chain" => chain::measure(),
        other => bail!("`{other}` is not a measurement; use {USAGE}"),
    }
}
