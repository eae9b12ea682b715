//! Changes line by line.

use crate::world::{EXECUTABLE, Files, PLAIN, changes, files, line_changes, mixed, subset, texts, words};
use howcome_dd::Configuration;
use proptest::prelude::*;

/// The text of `f` under a configuration, written as for people.
fn text_of(good: &Files, bad: &Files, configuration: &str) -> Option<String> {
    let changes = line_changes(good, bad);
    let configuration: Configuration = configuration.parse().unwrap();
    let mixed = mixed(good, &changes, &configuration);
    mixed.get(&b"f"[..]).map(|(_, bytes)| String::from_utf8(bytes.clone()).unwrap())
}

#[test]
fn each_line_of_a_hunk_can_be_had_alone() {
    let (good, bad) = (files(&[("f", PLAIN, b"a 1\nb 1\n")]), files(&[("f", PLAIN, b"a 2\nb 2\nc\n")]));
    let expected = ["f:1: 1 line removed, 1 added", "f:2: 1 line removed, 1 added", "f:3: 1 line added"];
    assert_eq!(words(&line_changes(&good, &bad)), expected);
    assert_eq!(changes(&good, &bad).len(), 1);
    assert_eq!(text_of(&good, &bad, "2").unwrap(), "a 1\nb 2\n");
    assert_eq!(text_of(&good, &bad, "1,3").unwrap(), "a 2\nb 1\nc\n");
}

#[test]
fn a_file_that_comes_is_there_with_its_first_line() {
    let (good, bad) = (files(&[]), files(&[("f", EXECUTABLE, b"a\nb\nc")]));
    assert_eq!(
        words(&line_changes(&good, &bad)),
        ["f:1: 1 line added", "f:2: 1 line added", "f:3: 1 line added"]
    );
    assert_eq!(text_of(&good, &bad, "-"), None);
    assert_eq!(text_of(&good, &bad, "2").unwrap(), "b\n");
    assert_eq!(text_of(&good, &bad, "1,3").unwrap(), "a\nc");
    assert_eq!(mixed(&good, &line_changes(&good, &bad), &"2".parse().unwrap())[&b"f"[..]].0, EXECUTABLE);
}

#[test]
fn a_file_that_goes_is_gone_with_its_last_line() {
    let (good, bad) = (files(&[("f", PLAIN, b"a\nb\n")]), files(&[]));
    assert_eq!(text_of(&good, &bad, "1").unwrap(), "b\n");
    assert_eq!(text_of(&good, &bad, "1-2"), None);
}

#[test]
fn what_has_no_lines_comes_and_goes_as_a_whole() {
    let (good, bad) = (files(&[("empty", PLAIN, b"")]), files(&[("binary", PLAIN, b"\0\n\n")]));
    assert_eq!(words(&line_changes(&good, &bad)), ["binary: file added", "empty: file removed"]);
}

#[test]
fn a_line_behind_one_without_a_newline_stays_a_line() {
    let (good, bad) = (files(&[("f", PLAIN, b"a\nb")]), files(&[("f", PLAIN, b"a\nb\nc\n")]));
    assert_eq!(words(&line_changes(&good, &bad)), ["f:2: 1 line removed, 1 added", "f:3: 1 line added"]);
    assert_eq!(text_of(&good, &bad, "1").unwrap(), "a\nb\n");
    assert_eq!(text_of(&good, &bad, "2").unwrap(), "a\nb\nc\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_mix_has_a_line_that_is_in_neither_version((good, bad) in texts(), bits: u64) {
        let lines = |text: &[u8]| {
            let bare = |line: &[u8]| line.strip_suffix(b"\n").unwrap_or(line).to_vec();
            text.split_inclusive(|&byte| byte == b'\n').map(bare).collect::<Vec<_>>()
        };
        let known = [lines(&good), lines(&bad)].concat();
        let (good, bad) = (files(&[("f", PLAIN, &good)]), files(&[("f", PLAIN, &bad)]));
        let changes = line_changes(&good, &bad);
        let mix = mixed(&good, &changes, &subset(&changes, bits));
        for line in lines(&mix[&b"f"[..]].1) {
            prop_assert!(known.contains(&line));
        }
        for delta in changes.all().iter() {
            let change = changes.describe(delta).unwrap();
            prop_assert!(change.removed.len() <= 1 && change.added.len() <= 1);
            prop_assert!(change.removed != change.added);
        }
    }
}
