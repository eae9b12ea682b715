//! Each recording gives the expected report, and only its own runner understands it.

use crate::recordings::recordings;
use howcome_lab::runners::{
    GroupState, TestError, TestReport, TestState, read_report, runners_that_understand,
};
use std::fmt::Write;
use std::fs;

/// Formats that are printed by several runners, and the folders whose recordings they understand in addition to their own.
const SHARED_FORMATS: &[(&str, &[&str])] = &[("TAP", &["node_test", "prove", "mocha"])];

#[test]
fn every_recording_gives_the_expected_report() {
    let is_recording = std::env::var_os("HOWCOME_RECORD_REPORTS").is_some();
    let mut wrong = String::new();
    for recording in recordings() {
        let report = read_report(&recording.printed);
        let described = report.as_ref().map_or("nothing\n".to_owned(), describe);
        if is_recording {
            fs::write(&recording.report, &described).unwrap();
        } else if described != recording.expected() {
            write!(wrong, "{}:\n{described}expected:\n{}\n", recording.name, recording.expected()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn no_output_of_a_runner_is_read_as_the_output_of_another() {
    for recording in recordings() {
        let Some(report) = read_report(&recording.printed) else { continue };
        let others = runners_that_understand(&recording.printed);
        // Checks of scripts are looked for only if no runner understands the output.
        let others = others.into_iter().filter(|name| *name != report.runner && *name != "checks");
        let mixed_up: Vec<&str> = others
            .filter(|name| {
                !SHARED_FORMATS
                    .iter()
                    .any(|(format, folders)| name == format && folders.contains(&recording.folder()))
            })
            .collect();
        assert!(mixed_up.is_empty(), "{} is also read as {mixed_up:?}", recording.name);
    }
}

fn describe(report: &TestReport) -> String {
    let mut text = format!("runner {}\n", report.runner);
    for (name, state) in &report.tests {
        match state {
            TestState::Passed => writeln!(text, "passed {name}").unwrap(),
            TestState::Skipped => writeln!(text, "skipped {name}").unwrap(),
            TestState::Failed(error) => writeln!(text, "failed {name}: {}", describe_error(error)).unwrap(),
        }
    }
    for (name, state) in &report.groups {
        let name = if name.is_empty() { "the run" } else { name };
        match state {
            GroupState::Finished => writeln!(text, "finished {name}").unwrap(),
            GroupState::Broken(error) => writeln!(text, "broken {name}: {}", describe_error(error)).unwrap(),
        }
    }
    for (word, count) in [("ran", report.ran), ("skipped", report.skipped)] {
        if let Some(count) = count {
            writeln!(text, "{word} {count}").unwrap();
        }
    }
    text
}

/// `AssertionError | assert 3 == 4 | in test_total | tests/test_a.py:12 | assert total() == 4`
fn describe_error(error: &TestError) -> String {
    let function = error.function.as_ref().map(|function| format!("in {function}"));
    let place = error.place.as_ref().map(|(file, line)| format!("{file}:{line}"));
    let kind = if error.kind.is_empty() { "(unknown)" } else { &error.kind };
    let known = [Some(kind.to_owned()), Some(error.message.clone()), function, place, error.line.clone()];
    known.into_iter().flatten().collect::<Vec<_>>().join(" | ")
}
