//! `howcome input` does not slip to another failure, and reports other failures that it sees.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;

/// Fails with an assertion about `one` if that is in the file, with another assertion if only `two` is, and with another
/// signal if only `three` is.
const CRASHES: &str = "#!/bin/sh
if grep -q one $1; then echo \"prog: p.c:12: f: Assertion \\`one' failed.\" >&2; kill -ABRT $$; fi
if grep -q two $1; then echo \"prog: p.c:99: g: Assertion \\`two' failed.\" >&2; kill -ABRT $$; fi
if grep -q three $1; then kill -SEGV $$; fi
exit 0
";

fn place() -> Place {
    let place = Place::empty();
    place.write("input.txt", b"three\nmiddle\ntwo\none\n");
    place.script("prog", CRASHES);
    place
}

#[test]
fn a_candidate_that_crashes_differently_is_kept_and_reported() {
    let place = place();
    let seen = place.seen(&["input", "input.txt", "-q", "-j1", "--run-dir", "run", "--", "./prog", "{}"]);
    assert_eq!(place.read("input.min.txt"), b"one");
    assert!(seen.contains("failed differently, perhaps because of a second bug:"), "{seen}");
    assert!(seen.contains("signal ABRT: assertion: two in g ("), "{seen}");
    let json = place.json(&["show", "run", "--json"]);
    let others = json["finding"]["other_failures"].as_array().unwrap();
    let two = others.iter().find(|other| other["what"].as_str().unwrap().contains("two")).unwrap();
    let kept = std::path::Path::new(two["kept_in"].as_str().unwrap()).join("input.txt");
    let kept = std::fs::read(place.path("").join(kept)).unwrap();
    assert!(
        kept.windows(3).any(|word| word == b"two") && !kept.windows(3).any(|word| word == b"one"),
        "{kept:?}"
    );
    assert_eq!(two["bytes"].as_u64(), Some(kept.len() as u64));
}

#[test]
fn with_any_message_all_crashes_by_one_signal_are_the_same_failure() {
    let place = place();
    place.run(&["input", "input.txt", "-q", "--any-message", "--", "./prog", "{}"]);
    let left = place.read("input.min.txt");
    assert!(left == b"one" || left == b"two", "{}", String::from_utf8_lossy(&left));
}

#[test]
fn candidates_for_also_are_kept() {
    let place = place();
    let run = |folder: &str, conditions: [&str; 2]| {
        let also = ["--also", conditions[0], "--also", conditions[1]];
        let words = ["input", "input.txt", "-q", "-j1", "--run-dir", folder];
        let test = ["--fails-when", "stderr~one", "--", "./prog", "{}"];
        let seen = place.seen(&[words.as_slice(), &also, &test].concat());
        assert_eq!(place.read("input.min.txt"), b"one");
        (seen, place.json(&["show", folder, "--json"])["finding"]["also"].clone())
    };
    let (seen, also) = run("two", ["stderr~two", "stdout~nowhere"]);
    assert_eq!((also.as_array().unwrap().len(), &also[0]["what"]), (1, &"stderr~two".into()), "{also}");
    assert!(seen.contains("Candidates met these conditions of --also:"), "{seen}");
    let kept = std::path::Path::new(also[0]["kept_in"].as_str().unwrap()).join("input.txt");
    let kept = String::from_utf8(std::fs::read(place.path("").join(kept)).unwrap()).unwrap();
    assert!(kept.contains("two") && !kept.contains("one"), "{kept:?}");
    std::fs::remove_file(place.path("input.min.txt")).unwrap();
    let (seen, also) = run("none", ["stdout~nowhere", "exit=7"]);
    assert_eq!(also.as_array().unwrap().len(), 0);
    assert!(seen.contains("No candidate met a condition of --also."), "{seen}");
    let seen = place.seen(&["input", "input.txt", "--also", "nonsense", "--", "./prog", "{}"]);
    assert!(seen.contains("error: `nonsense` is not a condition"), "{seen}");
}

#[test]
fn two_tracebacks_are_different_failures() {
    let place = Place::empty();
    place.write("numbers.txt", b"a: 1\nb: x\nc: 3\nd\n");
    place.write(
        "sum.py",
        b"import sys\ndef number(text):\n    return int(text)\nfor line in open(sys.argv[1]):\n    name, value = line.split(': ')\n    \
          number(value)\n",
    );
    let python = place.path("sum.py");
    let words = ["input", "numbers.txt", "-q", "--", "python3", python.to_str().unwrap(), "{}"];
    let output = place.run(&words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // A line without `: ` raises another ValueError, at another place.
    let left = String::from_utf8(place.read("numbers.min.txt")).unwrap();
    assert!(left.contains(": ") && left.len() <= 4, "{left:?}");
}
