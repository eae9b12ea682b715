//! Examples in the documentation of a Python program. They are tests, and a change that adds one is not the cause of a failure.

use crate::search::cause_part::CausePart;

/// Whether a part of a cause adds an example, unless what the failing version prints shows that another test failed.
pub(super) fn adds_failing_example(parts: &[CausePart], printed: &[u8]) -> bool {
    parts.iter().any(adds_example) && !shows_other_failure(printed)
}

fn adds_example(part: &CausePart) -> bool {
    let mut changes = part.chosen.iter().filter_map(|delta| part.changes.describe(delta));
    changes.any(|change| {
        change.path.as_bytes().ends_with(b".py")
            && change.added.iter().any(|line| line.trim_ascii_start().starts_with(b">>> "))
    })
}

/// Whether an output has the failure of a test, or is not that of a runner of tests, and has nothing that the runners of examples print with
/// the failure of an example.
fn shows_other_failure(printed: &[u8]) -> bool {
    let text = String::from_utf8_lossy(printed);
    let is_failure =
        |line: &str| line.starts_with("Traceback (most recent call last)") || line.starts_with("E  ");
    let has = |marks: &[&str]| text.lines().any(|line| marks.iter().any(|mark| line.contains(mark)));
    let is_of_runner = has(&["FAIL", "ailed", "rror", "ok", "passed"]);
    let is_other = text.lines().any(is_failure) || !is_of_runner && !text.trim().is_empty();
    is_other && !has(&["doctest", "Failed example", ">>> "])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_excused_only_by_the_failure_of_another_test() {
        let unittest =
            "Traceback (most recent call last):\n  File \"test_cart.py\", line 7\nAssertionError: 2 != 3\n";
        let pytest = "    def test_total():\n>       assert total([1, 2]) == 3\nE       assert 2 == 3\n";
        for other in [unittest, pytest, "Graph with 3 nodes\n"] {
            assert!(shows_other_failure(other.as_bytes()), "{other}");
        }
        let of_pytest = "007     >>> total([1, 2])\nExpected:\n    3\nGot:\n    2\n";
        let raised =
            "Failed example:\n    total([1, 2])\nException raised:\n    Traceback (most recent call last):\n";
        let both = format!("{unittest}{of_pytest}");
        for example in ["", of_pytest, raised, &both, "FAILED cart.py::cart.total\n1 failed in 0.02s\n"] {
            assert!(!shows_other_failure(example.as_bytes()), "{example}");
        }
    }
}
