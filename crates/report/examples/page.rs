//! Writes the pages of some hand-made runs into a folder, to look at them: `cargo run --example page -- FOLDER`.

#[path = "../tests/journal/mod.rs"]
mod journal;

use howcome_run::Ending;
use journal::changes::*;
use journal::history::*;
use journal::state::{compiler, ended_with, found_chain, many, sample};
use serde_json::json;
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
    let items = runs.map(|(name, journal)| (name, journal.summary()));
    let changes = [
        ("changes", found_changes(one_line())),
        ("changes-of-two-commits", found_changes(two_commits())),
        ("changes-further", found_changes(with(one_line(), json!({"further": [two_commits()]})))),
        ("changes-suspects", ended(search(), Ending::Undecided, concluded(suspects(), None, None), None)),
    ];
    let state = [
        ("state", found_chain(sample())),
        ("state-many", found_chain(many())),
        ("state-compiler", ended_with(Ending::Stopped, compiler())),
    ];
    let history = [
        ("history", found_in_history(carried_back())),
        ("history-stuck", found_in_history(stuck())),
        ("history-never", history_ended(Ending::NeverWorked, never_worked(), None)),
        ("history-stopped", history_ended(Ending::Stopped, half_way_back(), None)),
    ];
    for (name, summary) in items.into_iter().chain(changes).chain(state).chain(history) {
        fs::write(folder.join(format!("{name}.html")), howcome_report::html(&summary))?;
        fs::write(folder.join(format!("{name}.md")), howcome_report::markdown(&summary))?;
        fs::write(folder.join(format!("{name}.txt")), journal::text(&summary))?;
        fs::write(folder.join(format!("{name}.sarif")), howcome_report::sarif(&summary))?;
        fs::write(folder.join(format!("{name}.annotations.txt")), howcome_report::annotations(&summary))?;
        fs::write(folder.join(format!("{name}.trail.txt")), journal::trail(&summary, 80))?;
    }
    Ok(())
}
