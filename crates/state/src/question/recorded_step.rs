//! A step of the chain as the report shows it: the place with its source, what decides, and the memory around it.

use super::graph_part::graph_around_causes;
use crate::RunGoal;
use crate::debug::Program;
use crate::matching::DeltaKind;
use crate::source_text::read_source;
use crate::{
    Address, CommonMoment, ComparedPlace, Examined, Moment, RunPair, StateCause, StopPoint, TransferDirection,
};
use howcome_run::words::printable;
use howcome_run::{ChainStep, DecidingVariable, DifferenceKind, QuotedLine, RunPlace};
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

/// The n-th time that the failing run reaches an address.
fn record_moment(program: &Program, (at, hit): (Address, u32)) -> RunPlace {
    let moment = Moment { stop_point: StopPoint::new(at, hit), stack: 0 };
    record_place(&ComparedPlace::of(program, &CommonMoment { passing: moment, failing: moment }))
}

/// A step of the chain.
pub(super) fn record_step(examined: &Examined, runs: &RunPair) -> ChainStep {
    let (settings, folder) = (&runs.settings, &runs.failing.invocation.directory);
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
        counted_from: examined.place.failing.after.map(|after| record_moment(program, after)),
        has_no_way_back: settings.goal != RunGoal::End,
        is_reversed: examined.direction == TransferDirection::Reverse,
        source: quote_source(&examined.place.file, examined.place.line, folder),
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

/// The lines of source around a place. If the program was compiled elsewhere, the file is looked for below the folder in which it runs.
pub(super) fn quote_source(file: &Path, line: u32, folder: &Path) -> Vec<QuotedLine> {
    let Some(text) = read_source(file, folder) else { return Vec::new() };
    let (from, to) = (line.saturating_sub(AROUND).max(1), line + AROUND);
    let lines = text.lines().zip(1..).filter(|(_, number)| (from..=to).contains(number));
    let quoted = |(text, number): (&str, u32)| QuotedLine {
        line: Some(number.into()),
        text: text.to_owned(),
        is_here: number == line,
    };
    lines.map(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_source_of_a_program_that_was_compiled_elsewhere_is_found_below_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        for (path, text) in [("add.c", "other\n"), ("src/add.c", "a\nb\n"), ("main.c", "c\n")] {
            fs::write(folder.path().join(path), text).unwrap();
        }
        let quoted = |file: &str| {
            let lines = quote_source(Path::new(file), 1, folder.path());
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(quoted("/no/such/project/src/add.c"), ["a", "b"]);
        assert_eq!(quoted("/no/such/project/main.c"), ["c"]);
        assert_eq!(quoted("/no/such/project/sub.c"), [""; 0]);
    }
}
