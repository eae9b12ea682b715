//! Measures howcome against its bars, and prints the results as Markdown.
//!
//! `cargo run --release -p howcome-bench -- throughput|speedup|planning|memory|resume|mix|balanced|reading|all`
//! `cargo run --release -p howcome-bench -- changes [SEEDS] [VARIANT…]`
//! `cargo run --release -p howcome-bench -- history [SEEDS]`
//! `cargo run --release -p howcome-bench -- flaky [SEEDS]`
//! `cargo run --release -p howcome-bench -- cluster [SEARCH…|beyond [SLOTS]]`
//! `cargo run --release -p howcome-bench -- trees [FILES COMMITS]…`
//! `cargo run --release -p howcome-bench -- knowledge [SEEDS] [CLUE…]`
//! `cargo run --release -p howcome-bench -- input [--cap SECONDS] [--jobs N] [--peers FOLDER] [CASE…]`
//! `cargo run --release -p howcome-bench -- input-overhead`
//! `cargo run --release -p howcome-bench -- state [reading|runs|loading [PROGRAM…]|chain]`
//!
//! Seconds depend on the machine. Counts, and ratios that were measured in turns, should not.

mod balanced;
mod changes;
mod cluster;
mod flaky;
mod history;
mod howcome;
mod input;
mod knowledge;
mod machine;
mod measured_search;
mod memory;
mod mix;
mod planning;
mod random;
mod reading;
mod resume;
mod sleeping;
mod speedup;
mod state;
mod table;
mod throughput;
mod trees;
mod trial;
mod world;

use anyhow::{Context, bail};
use std::process::ExitCode;

const USAGE: &str = "one of throughput, speedup, planning, memory, resume, mix, balanced, reading, all, changes, history, flaky, cluster, trees, knowledge, \
     input, input-overhead and state";

fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().context(USAGE)?;
    let rest: Vec<String> = arguments.collect();
    match what.as_str() {
        // This program starts itself with these arguments.
        "warden" => return Ok(howcome_lab::warden::serve()),
        sleeping::TEST => return sleeping::test(&rest),
        memory::SEARCH => memory::search(&rest)?,
        memory::COMMAND => memory::command(&rest)?,
        "throughput" => throughput::measure()?,
        "speedup" => speedup::measure()?,
        "planning" => planning::measure()?,
        "memory" => memory::measure()?,
        "resume" => resume::measure()?,
        "mix" => mix::measure()?,
        "balanced" => balanced::measure(),
        "reading" => reading::measure()?,
        "changes" => return changes::measure(&rest),
        changes::CASE => changes::write(&rest)?,
        "history" => return history::measure(&rest),
        "trees" => return trees::measure(&rest),
        "flaky" => flaky::measure(&rest)?,
        "cluster" => cluster::measure(&rest)?,
        "knowledge" => knowledge::measure(&rest)?,
        "input" => input::measure(&rest)?,
        input::WRAPPER => return input::wrap(&rest),
        "input-overhead" => input::overhead::measure()?,
        "state" => state::measure(&rest)?,
        state::LOAD => state::load(&rest)?,
        "all" => {
            throughput::measure()?;
            speedup::measure()?;
            planning::measure()?;
            memory::measure()?;
            resume::measure()?;
            mix::measure()?;
            balanced::measure();
            reading::measure()?;
        }
        other => bail!("`{other}` is not a measurement; use {USAGE}"),
    }
    Ok(ExitCode::SUCCESS)
}
