//! A step of the chain as the report shows it: the place with its source, what decides, and the memory around it.

use super::graph_part::graph_around_causes;
use crate::RunGoal;
use crate::matching::DeltaKind;
use crate::run_settings::RunSettings;
use crate::{ComparedPlace, Examined, StateCause, TransferDirection};
use howcome_run::words::printable;
use howcome_run::{ChainStep, DecidingVariable, DifferenceKind, QuotedLine, RunPlace};
use std::fs;
use std::path::Path;

/// The lines of source before and after the one in question.
const AROUND: u32 = 3;

/// A place as the finding records it.
pub(super) fn record_place(place: &ComparedPlace) -> RunPlace {
    RunPlace { hit: Some(place.hit.into()), ..record_line(place) }
}

/// The line of a place, whichever time the run reaches it.
pub(super) fn record_line(place: &ComparedPlace) -> RunPlace {
    RunPlace {
        function: place.function.clone(),
        file: place.file_name(),
        path: Some(place.file.display().to_string()),
        line: Some(place.line.into()),
        hit: None,
    }
}

/// A step of the chain.
pub(super) fn record_step(examined: &Examined, settings: &RunSettings) -> ChainStep {
    let program = &settings.program;
    ChainStep {
        location: record_place(&examined.place),
        causes: examined.causes.iter().map(record_cause).collect(),
        vertices: examined.vertices as u64,
        edges: examined.edges as u64,
        common: Some(examined.common as u64),
        deltas: examined.deltas as u64,
        dropped: examined.dropped.into(),
        left_out: examined.left_out.clone(),
        tests: examined.tests,
        relevant: Some(examined.causes.len() as u64),
        has_no_way_back: settings.goal != RunGoal::End || examined.place.failing.after.is_some(),
        is_reversed: examined.direction == TransferDirection::Reverse,
        source: quote_source(&examined.place.file, examined.place.line),
        graph: graph_around_causes(examined, program),
    }
}

fn record_cause(cause: &StateCause) -> DecidingVariable {
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

/// The lines of source around a place.
pub(super) fn quote_source(file: &Path, line: u32) -> Vec<QuotedLine> {
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
