//! The functions in which a test crashes, according to gdb.

use crate::warden::FOLLOW;
use crate::{TestEnding, backtrace};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The words before the test's own command. The warden follows the test and all its child processes, because a test is
/// often a script and only a child of it crashes. Gdb could do that itself, but sometimes waits forever when one of
/// several processes ends.
pub(super) fn words(ending: TestEnding, folder: &Path, warden: &[OsString]) -> Vec<OsString> {
    let signal = match ending.plain() {
        TestEnding::Signal(number) => number,
        TestEnding::Exit(_) | TestEnding::TimedOut => 0,
    };
    let orders = [FOLLOW.into(), signal.to_string().into(), folder.join("log").into()];
    warden.iter().cloned().chain(orders).collect()
}

pub(super) fn read(folder: &Path) -> Result<Vec<String>, String> {
    let log = fs::read(folder.join("log")).map_err(|_| "under gdb it does not crash".to_owned())?;
    let log = String::from_utf8_lossy(&log);
    let frames = of_thread(&log).ok_or("gdb cannot look at processes here")?;
    backtrace::innermost(frames).ok_or_else(|| "the functions have no names; build with -g".to_owned())
}

/// The functions of the thread that the first line names. The only thread of a process has no number of its own.
fn of_thread(log: &str) -> Option<Vec<String>> {
    let (thread, log) = log.split_once('\n')?;
    let lines: Vec<&str> = log.lines().collect();
    let is_its = |line: &&str| line.starts_with("Thread ") && line.contains(&format!("LWP {thread})"));
    let begin = lines.iter().position(is_its).unwrap_or(0);
    let others = lines[begin..].iter().skip(1).position(|line| line.starts_with("Thread "));
    let end = others.map_or(lines.len(), |others| begin + 1 + others);
    Some(backtrace::numbered(&lines[begin..end])).filter(|frames| !frames.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_the_crashed_thread_are_read() {
        let log = "12\nReading symbols\n\nThread 2 (Thread 0x7f (LWP 12) \"x\"):\n#0  0x1 in f () at x.c:1\n#1  g ()\n\n\
                   Thread 1 (Thread 0x7f (LWP 11) \"x\"):\n#0  0x2 in wait ()\n#1  0x3 in main ()\n";
        assert_eq!(of_thread(log).unwrap(), ["f", "g"]);
        assert_eq!(of_thread("11\nThread 1 (process 11):\n#0  main () at x.c:1\n").unwrap(), ["main"]);
        assert_eq!(of_thread("11\nptrace: Operation not permitted.\n"), None);
        assert_eq!(of_thread(""), None);
    }
}
