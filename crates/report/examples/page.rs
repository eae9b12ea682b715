//! Writes the pages of some hand-made runs into a folder, to look at them: `cargo run --example page -- FOLDER`.

#[path = "../tests/journal/mod.rs"]
mod journal;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    let runs = [
        ("found", journal::found()),
        ("isolated", journal::isolated()),
        ("stopped", journal::stopped()),
        ("refused", journal::refused()),
        ("flaky", journal::flaky()),
        ("long", journal::long()),
        ("running", journal::half_way()),
    ];
    for (name, journal) in runs {
        let summary = journal.summary();
        fs::write(folder.join(format!("{name}.html")), howcome_report::html(&summary))?;
        fs::write(folder.join(format!("{name}.md")), howcome_report::markdown(&summary))?;
        fs::write(folder.join(format!("{name}.txt")), howcome_report::text(&summary))?;
        fs::write(folder.join(format!("{name}.trail.txt")), howcome_report::trail(&summary, 80))?;
    }
    Ok(())
}
