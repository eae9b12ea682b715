//! What is said about a revision at which a patch was made.

use crate::finding::history::name;
use howcome_run::words::{count, cut, printable};
use howcome_run::{ForwardStep, PatchMade};

const REASON_WIDTH: usize = 200;

/// `5d6e7f8 ended otherwise (exit code 2); 2 hunks in 1 file from 6a7b8c9 made it fail as before`
pub(crate) fn why(made: &PatchMade) -> String {
    let because = match made.because.as_deref().unwrap_or_default().trim() {
        "" => String::new(),
        because => format!(" ({})", cut(&printable(because), REASON_WIDTH)),
    };
    let ended = format!("{} ended otherwise{because}", place(&made.revision));
    let files = if made.files > 0 { format!(" in {}", count(made.files, "file")) } else { String::new() };
    let from = if made.newer.is_empty() { String::new() } else { format!(" from {}", name(&made.newer)) };
    match made.hunks {
        0 => ended,
        hunks if made.least == Some(false) => {
            format!(
                "{ended}; all that {} has changed, {}{files}, was carried along",
                name(&made.newer),
                count(hunks, "hunk")
            )
        }
        hunks => format!("{ended}; {}{files}{from} made it fail as before", count(hunks, "hunk")),
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
