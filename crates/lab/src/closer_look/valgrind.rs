//! The functions that use uninitialised data, according to valgrind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The words before the test's own command.
pub(super) fn words(folder: &Path) -> Vec<OsString> {
    let mut log = OsString::from("--log-file=");
    log.push(percent_doubled(folder));
    // One file per process: the test is often a script, so its children are followed.
    log.push("/%p");
    let words = ["valgrind", "-q", "--tool=memcheck", "--trace-children=yes", "--undef-value-errors=yes"];
    words.map(OsString::from).into_iter().chain(["--leak-check=no".into(), log]).collect()
}

/// Valgrind expands `%` in the name of a log file.
fn percent_doubled(folder: &Path) -> OsString {
    let bytes = folder.as_os_str().as_bytes();
    OsString::from_vec(bytes.split(|byte| *byte == b'%').collect::<Vec<_>>().join(b"%%".as_slice()))
}

pub(super) fn read(folder: &Path) -> Result<BTreeSet<String>, String> {
    let (mut functions, mut processes) = (BTreeSet::new(), 0);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(log) = fs::read(entry.path()) {
            processes += 1;
            functions.extend(users(&String::from_utf8_lossy(&log)));
        }
    }
    if processes == 0 { Err("valgrind cannot run programs here".to_owned()) } else { Ok(functions) }
}

/// The functions that use uninitialised data, according to a log.
fn users(log: &str) -> BTreeSet<String> {
    let mut lines = log.lines().map(without_process);
    let mut functions = BTreeSet::new();
    while let Some(line) = lines.next() {
        if line.contains("uninitialised value") || line.contains("uninitialised byte") {
            let frames = lines.by_ref().map_while(frame).collect::<Vec<_>>();
            // The caller that passes the data is to blame, not the library.
            let user = frames.iter().find(|(_, place)| !is_library(place)).or(frames.first());
            functions.extend(user.map(|(function, _)| (*function).to_owned()));
        }
    }
    functions
}

/// The text of a line such as `==12== text`.
fn without_process(line: &str) -> &str {
    line.strip_prefix("==").and_then(|line| line.split_once("== ")).map_or("", |(_, text)| text)
}

/// The function and its place in `   by 0x1091EF: main (p.c:7)`.
fn frame(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (_, frame) = line.strip_prefix("at ").or(line.strip_prefix("by "))?.split_once(": ")?;
    frame.rsplit_once(" (")
}

fn is_library(place: &str) -> bool {
    place.starts_with("vg_replace_") || place.starts_with("in /lib") || place.starts_with("in /usr/lib")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_use_uninitialised_data_are_read_and_other_errors_are_not() {
        let log = "==9== Conditional jump or move depends on uninitialised value(s)\n==9==    at 0x1: strlen (vg_replace_strmem.c:4)\n\
                   ==9==    by 0x1: n::f(int, char) (p.c:6)\n==9==    by 0x2: main (p.c:7)\n==9== \n==9== Invalid read of size 4\n\
                   ==9==    at 0x3: h (p.c:4)\n==9== \n==9== Syscall param write(buf) points to uninitialised byte(s)\n\
                   ==9==    at 0x4: write (in /usr/lib/libc.so.6)\n==9==    by 0x5: put (in /tmp/p)\n==9==  Address 0x0\n\
                   ==9== Use of uninitialised value of size 8\n==9==    at 0x4: puts (in /lib/libc.so.6)\n";
        assert_eq!(users(log).into_iter().collect::<Vec<_>>(), ["n::f(int, char)", "put", "puts"]);
        assert_eq!(users("nonsense\n==\n==1==\n").len(), 0);
    }

    #[test]
    fn a_folder_can_have_any_name() {
        assert_eq!(percent_doubled(Path::new("/a%p/b")), OsString::from("/a%%p/b"));
    }
}
