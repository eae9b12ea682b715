//! Measures `howcome state` beside gdb's embedded Python that does the same: reading a state, altered runs, loading debug
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

const USAGE: &str = "of state, one of reading, runs, loading [PROGRAM…] and chain; nothing for all of them";

/// Prints the tables that are asked for.
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
        other => bail!("`{other}` is nothing to measure: say {USAGE}"),
    }
}
