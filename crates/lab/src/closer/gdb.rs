//! Where a test crashes, as gdb sees it.

use super::{Tool, under};
use crate::{Command, Ending, backtrace};
use howcome_run::signal_name;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Follows the test and everything that it starts: it is often a script, and only a child of it crashes.
const FOLLOW: &str = include_str!("follow.py");

pub(super) fn command(test: &Command, ending: Ending, folder: &Path) -> io::Result<Command> {
    let Ending::Signal(number) = ending.plain() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let script = folder.join("follow.py");
    let mut log = String::new();
    for byte in folder.join("log").as_os_str().as_bytes() {
        let _ = write!(log, "{byte:02x}");
    }
    let signal = signal_name(number);
    fs::write(&script, format!("LOG = bytes.fromhex(\"{log}\")\nSIGNAL = \"SIG{signal}\"\n{FOLLOW}"))?;
    // The test may be a script, which gdb cannot start, or a name to be looked up; a shell can start both.
    let words = ["-nx", "-q", "-batch", "-x"].map(OsString::from).into_iter();
    let words = words.chain([script.into()]);
    let words = words.chain(["--args", "/bin/sh", "-c", r#"exec "$0" "$@""#].map(OsString::from));
    // Gdb has this shell start the program, and quotes arguments for it.
    Ok(under(test, Tool::Gdb, words).variable("SHELL", "/bin/sh"))
}

pub(super) fn read(folder: &Path) -> Result<Vec<String>, String> {
    let log =
        fs::read_to_string(folder.join("log")).map_err(|_| "gdb cannot follow programs here".to_owned())?;
    let frames = last_crash(&log).ok_or("under gdb it did not crash")?;
    backtrace::innermost(frames).ok_or_else(|| "the functions have no names; build with -g".to_owned())
}

/// The functions of the last process that the signal came to and that did not exit by itself later.
fn last_crash(log: &str) -> Option<Vec<String>> {
    let mut crashes: Vec<(&str, Vec<String>)> = Vec::new();
    for line in log.lines() {
        match line.split_once(' ') {
            Some(("crash", process)) => crashes.push((process, Vec::new())),
            Some(("exit", process)) => crashes.retain(|(crashed, _)| *crashed != process),
            Some(("frame", function)) => {
                if let Some((_, frames)) = crashes.last_mut() {
                    frames.push(function.to_owned());
                }
            }
            _ => {}
        }
    }
    crashes.pop().map(|(_, frames)| frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_process_that_did_not_survive_is_the_one_that_crashed() {
        let log = "crash 7\nframe f\nframe main\nexit 9\ncrash 8\nframe g\nexit 8\nend\n";
        assert_eq!(last_crash(log).unwrap(), ["f", "main"]);
        assert_eq!(last_crash("exit 7\nend\n"), None);
        assert_eq!(last_crash("frame f\ncrash\nnonsense"), None);
    }
}
