//! Outputs that were cut off or damaged.

use crate::recordings::{Recording, recordings};
use howcome_lab::runners::{GroupState, PrintedText, TestReport, TestState, read_report};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Whether a report says that a test passed, by its name or because its group was run to its end.
fn passed(report: &TestReport, test: &str) -> bool {
    match report.tests.get(test) {
        Some(state) => *state == TestState::Passed,
        None => matches!(report.group_of(test), Some((_, GroupState::Finished))),
    }
}

fn assert_no_failure_became_a_pass(name: &str, whole: &TestReport, damaged: &PrintedText) {
    let Some(report) = read_report(damaged) else { return };
    for (test, _) in whole.failures() {
        assert!(!passed(&report, test), "{name}: {test} passed in {damaged:#?}");
    }
}

/// Where an output is cut off: after every line of a short output, at 80 places of a long one.
fn ends_in(lines: &[String]) -> impl Iterator<Item = usize> {
    (0..lines.len()).step_by(lines.len().div_ceil(80).max(1))
}

#[test]
fn an_output_that_was_cut_off_never_turns_a_failed_test_into_a_passed_one() {
    for recording in recordings() {
        let Some(whole) = read_report(&recording.printed) else { continue };
        let PrintedText { stdout, stderr } = &recording.printed;
        for end in ends_in(stdout) {
            let cut = PrintedText { stdout: stdout[..end].to_vec(), stderr: stderr.clone() };
            assert_no_failure_became_a_pass(&recording.name, &whole, &cut);
            // A runner that is killed prints nothing more to either stream.
            let cut = PrintedText { stdout: stdout[..end].to_vec(), stderr: Vec::new() };
            assert_no_failure_became_a_pass(&recording.name, &whole, &cut);
        }
        for end in ends_in(stderr) {
            let cut = PrintedText { stdout: stdout.clone(), stderr: stderr[..end].to_vec() };
            assert_no_failure_became_a_pass(&recording.name, &whole, &cut);
        }
    }
}

#[test]
fn a_long_output_is_read_in_one_pass() {
    // A reader that looks at all lines for each of its lines would need a minute for one of these outputs.
    for recording in longest_of_each_runner() {
        let PrintedText { stdout, stderr } = &recording.printed;
        let repeated = |lines: &[String]| lines.iter().cycle().take(10_000).cloned().collect::<Vec<_>>();
        let _ = match stdout.len() > stderr.len() {
            true => read_report(&PrintedText { stdout: repeated(stdout), stderr: stderr.clone() }),
            false => read_report(&PrintedText { stdout: stdout.clone(), stderr: repeated(stderr) }),
        };
    }
}

fn longest_of_each_runner() -> Vec<Recording> {
    let mut longest: BTreeMap<String, Recording> = BTreeMap::new();
    for recording in recordings() {
        let length = |recording: &Recording| recording.printed.lines().count();
        let folder = recording.folder().to_owned();
        if longest.get(&folder).is_none_or(|known| length(known) < length(&recording)) {
            longest.insert(folder, recording);
        }
    }
    longest.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn readers_do_not_panic_on_damaged_outputs(
        which in any::<prop::sample::Index>(),
        lost in proptest::collection::vec(any::<prop::sample::Index>(), 1..20),
        cut in any::<prop::sample::Index>(),
    ) {
        static RECORDINGS: LazyLock<Vec<Recording>> = LazyLock::new(recordings);
        let PrintedText { mut stdout, mut stderr } = which.get(&RECORDINGS).printed.clone();
        for lines in [&mut stdout, &mut stderr] {
            for index in &lost {
                if !lines.is_empty() {
                    lines.remove(index.index(lines.len()));
                }
            }
            if let Some(line) = lines.last_mut().filter(|line| !line.is_empty()) {
                *line = line.chars().take(cut.index(line.len())).collect();
            }
        }
        let _ = read_report(&PrintedText { stdout, stderr });
    }
}
