//! A revision for which a patch was made, in words.

use crate::finding::history::name;
use howcome_run::words::{count, cut, printable};
use howcome_run::{ForwardStep, PatchMade};

const REASON_WIDTH: usize = 200;

/// `5d6e7f8 does not fail in the same way (exit code 2); with 2 hunks in 1 file from 6a7b8c9 it does`
pub(crate) fn why(made: &PatchMade) -> String {
    let because = match made.because.as_deref().unwrap_or_default().trim() {
        "" => String::new(),
        because => format!(" ({})", cut(&printable(because), REASON_WIDTH)),
    };
    let ended = format!("{} does not fail in the same way{because}", place(&made.revision));
    let files = if made.files > 0 { format!(" in {}", count(made.files, "file")) } else { String::new() };
    let from = if made.newer.is_empty() { String::new() } else { format!(" from {}", name(&made.newer)) };
    match made.hunks {
        0 => ended,
        hunks if made.least == Some(false) => {
            format!(
                "{ended}; all changes of {} ({}{files}) were applied too",
                name(&made.newer),
                count(hunks, "hunk")
            )
        }
        hunks => format!("{ended}; with {}{files}{from} it does", count(hunks, "hunk")),
    }
}

/// `99ccdde (1 hunk)`
pub(crate) fn in_words(step: &ForwardStep) -> String {
    match step.hunks {
        0 => place(&step.revision),
        hunks => format!("{} ({})", place(&step.revision), count(hunks, "hunk")),
    }
}

fn place(revision: &str) -> String {
    if revision.is_empty() { "a revision".to_owned() } else { name(revision) }
}
