//! The finding as the report shows it.

use super::picture::surroundings;
use howcome_report::printable;
use howcome_state::debug::Program;
use howcome_state::matching::DeltaKind;
use howcome_state::{CauseTransition, ComparedPlace, Examined, NoCause, StateCause, TransferDirection};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// So many lines before and after the one in question.
const AROUND: u32 = 3;

/// A place as JSON.
pub(super) fn location(place: &ComparedPlace) -> Value {
    json!({
        "function": place.function,
        "file": place.file_name(),
        "path": place.file.display().to_string(),
        "line": place.line,
        "hit": place.hit,
    })
}

/// A step of the chain.
pub(super) fn step(examined: &Examined, program: &Program) -> Value {
    json!({
        "location": location(&examined.place),
        "causes": examined.causes.iter().map(cause).collect::<Vec<_>>(),
        "vertices": examined.vertices,
        "edges": examined.edges,
        "deltas": examined.deltas,
        "dropped": examined.dropped,
        "tests": examined.tests,
        "relevant": examined.causes.len(),
        "reversed": examined.direction == TransferDirection::Reverse,
        "source": source(&examined.place.file, examined.place.line),
        "graph": surroundings(examined, program),
    })
}

fn cause(cause: &StateCause) -> Value {
    json!({
        "variable": cause.variable,
        "failing": printable(&cause.failing),
        "passing": printable(&cause.passing),
        "kind": match cause.kind {
            DeltaKind::Changed => "changed",
            DeltaKind::Redirected => "redirected",
            DeltaKind::Created => "created",
            DeltaKind::Deleted => "deleted",
            DeltaKind::Unread => "unread",
        },
        "alone_fails": cause.alone_fails,
        "without_passes": cause.without_passes,
    })
}

/// Where the cause changes hands, in the order of time. The last time is where the defect most probably is.
pub(super) fn transitions(transitions: &[CauseTransition]) -> Vec<Value> {
    let spot = |place: &ComparedPlace| {
        json!({
            "function": place.function,
            "file": place.file_name(),
            "path": place.file.display().to_string(),
            "line": place.line,
        })
    };
    let value = |(number, transition): (usize, &CauseTransition)| {
        json!({
            "from": transition.from.join(", "),
            "to": transition.to.join(", "),
            "between": [spot(&transition.before), spot(&transition.after)],
            "likely": number + 1 == transitions.len(),
            "source": source(&transition.before.file, transition.before.line),
        })
    };
    transitions.iter().enumerate().map(value).collect()
}

/// A place where nothing was found.
pub(super) fn skipped(place: &ComparedPlace, why: &NoCause) -> Value {
    json!({ "location": location(place), "why": reason(why) })
}

/// Why nothing was found, in words.
pub(super) fn reason(why: &NoCause) -> String {
    match why {
        NoCause::DecidedBefore => {
            "from here on both runs do the same: the outcome was decided before".to_owned()
        }
        NoCause::NoDifference => "no difference between the two runs can be seen here".to_owned(),
        NoCause::NotTransferable { deltas, dropped, instead } => {
            let left_out = match dropped {
                0 => String::new(),
                dropped => format!(" ({dropped} more can't be carried over)"),
            };
            format!(
                "not transferable here: with all {deltas} differences{left_out} the passing run does not fail in the same way: {instead}"
            )
        }
        NoCause::NotRepeatable(run) => {
            format!("a copy of the {run} run does not do from here on what the run itself did")
        }
        NoCause::NotLooked(error) => format!("the runs can't be compared here: {error}"),
    }
}

/// The lines of source around a place.
pub(super) fn source(file: &Path, line: u32) -> Vec<Value> {
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let (from, to) = (line.saturating_sub(AROUND).max(1), line + AROUND);
    let lines = text.lines().zip(1..).filter(|(_, number)| (from..=to).contains(number));
    lines.map(|(text, number)| json!({ "line": number, "text": text, "here": number == line })).collect()
}
