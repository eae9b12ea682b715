//! The finding as the report shows it.

use super::picture::surroundings;
use howcome_report::printable;
use howcome_run::{
    ChainStep, DecidingVariable, DifferenceKind, QuotedLine, RunPlace, SkippedPlace, TransitionFound,
};
use howcome_state::debug::Program;
use howcome_state::matching::DeltaKind;
use howcome_state::{StateCause, TransferDirection, Examined, NoCause, ComparedPlace, CauseTransition};
use std::fs;
use std::path::Path;

/// So many lines before and after the one in question.
const AROUND: u32 = 3;

/// A place as the finding records it.
pub(super) fn location(place: &ComparedPlace) -> RunPlace {
    RunPlace { hit: Some(place.hit.into()), ..spot(place) }
}

/// The line of a place, whichever time the run reaches it.
fn spot(place: &ComparedPlace) -> RunPlace {
    RunPlace {
        function: place.function.clone(),
        file: place.file_name(),
        path: Some(place.file.display().to_string()),
        line: Some(place.line.into()),
        hit: None,
    }
}

/// A step of the chain.
pub(super) fn step(examined: &Examined, program: &Program) -> ChainStep {
    ChainStep {
        location: location(&examined.place),
        causes: examined.causes.iter().map(cause).collect(),
        vertices: examined.vertices as u64,
        edges: examined.edges as u64,
        deltas: examined.deltas as u64,
        dropped: examined.dropped.into(),
        tests: examined.tests,
        relevant: Some(examined.causes.len() as u64),
        is_reversed: examined.direction == TransferDirection::Reverse,
        source: source(&examined.place.file, examined.place.line),
        graph: surroundings(examined, program),
    }
}

fn cause(cause: &StateCause) -> DecidingVariable {
    DecidingVariable {
        name: cause.variable.clone(),
        failing: Some(printable(&cause.failing)),
        passing: Some(printable(&cause.passing)),
        kind: match cause.kind {
            DeltaKind::Changed => DifferenceKind::Changed,
            DeltaKind::Redirected => DifferenceKind::Redirected,
            DeltaKind::Created => DifferenceKind::Created,
            DeltaKind::Deleted => DifferenceKind::Deleted,
            DeltaKind::Unread => DifferenceKind::Unread,
        },
        alone_fails: cause.alone_fails,
        without_passes: cause.without_passes,
    }
}

/// Where the cause changes hands, in the order of time. The last time is where the defect most probably is.
pub(super) fn transitions(transitions: &[CauseTransition]) -> Vec<TransitionFound> {
    let found = |(number, transition): (usize, &CauseTransition)| TransitionFound {
        from: transition.from.join(", "),
        to: transition.to.join(", "),
        between: vec![spot(&transition.before), spot(&transition.after)],
        is_likely: number + 1 == transitions.len(),
        source: source(&transition.before.file, transition.before.line),
    };
    transitions.iter().enumerate().map(found).collect()
}

/// A place where nothing was found.
pub(super) fn skipped(place: &ComparedPlace, why: &NoCause) -> SkippedPlace {
    SkippedPlace { location: location(place), why: reason(why) }
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
pub(super) fn source(file: &Path, line: u32) -> Vec<QuotedLine> {
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let (from, to) = (line.saturating_sub(AROUND).max(1), line + AROUND);
    let lines = text.lines().zip(1..).filter(|(_, number)| (from..=to).contains(number));
    let quoted = |(text, number): (&str, u32)| QuotedLine {
        line: Some(number.into()),
        text: text.to_owned(),
        is_here: number == line,
    };
    lines.map(quoted).collect()
}
