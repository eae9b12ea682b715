//! Small programs of C, and what `howcome state` says about them.

use crate::howcome::Place;
use howcome_testing::need_program;
use serde_json::Value;
use std::process::Command;

/// A folder with a compiled program. Without a compiler the test is recorded as skipped.
#[track_caller]
pub(crate) fn built(name: &str, source: &str, flags: &[&str]) -> Option<Place> {
    let place = Place::empty();
    let file = place.write(&format!("{name}.c"), source.as_bytes());
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O0"]).args(flags).arg("-o").arg(place.path(name)).arg(file);
    if !need_program("gcc") {
        return None;
    }
    let output = gcc.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(place)
}

/// What `howcome state` finds.
pub(crate) fn json(place: &Place, words: &[&str]) -> Value {
    let output = place.run(&[&["state", "--json", "-q"], words].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}
