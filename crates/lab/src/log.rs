//! Writes the output of a test to a file for people.

use crate::{Captured, Execution};
use std::fs;
use std::path::Path;

/// A log is for reading. For the whole output, users can run the test by hand.
const LONGEST: usize = 64 << 10;

/// Writes the output of a test to a file in the folder and returns the file's name.
///
/// Returns `None` if nothing was printed. A log that cannot be written does not change the verdict, so that is not an
/// error.
pub fn write_log(folder: &Path, name: &str, execution: &Execution) -> Option<String> {
    let text = text(execution, LONGEST)?;
    let name = format!("{name}.log");
    let path = folder.join(&name);
    let written = fs::write(&path, text);
    if written.is_err() {
        // Half of it would be taken for all of it.
        let _ = fs::remove_file(&path);
    }
    written.ok().map(|()| name)
}

fn text(execution: &Execution, longest: usize) -> Option<Vec<u8>> {
    let streams = [("standard output", &execution.stdout), ("standard error", &execution.stderr)];
    let spoke: Vec<_> = streams.into_iter().filter(|(_, stream)| !stream.is_empty()).collect();
    let mut text = Vec::new();
    for (name, stream) in &spoke {
        text.extend_from_slice(format!("--- {name} ---\n").as_bytes());
        shorten(stream, longest / spoke.len(), &mut text);
        if text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
    }
    (!spoke.is_empty()).then_some(text)
}

// The beginning and the end are more useful than the middle.
fn shorten(stream: &Captured, longest: usize, text: &mut Vec<u8>) {
    let pieces: Vec<&[u8]> = stream.pieces().collect();
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
    if stream.skipped() == 0 && first.len() <= longest {
        text.extend_from_slice(first);
        return;
    }
    let all: u64 = stream.skipped() + pieces.iter().map(|piece| piece.len() as u64).sum::<u64>();
    let head = &first[..first.len().min(longest / 2)];
    let tail = &last[last.len() - last.len().min(longest / 2)..];
    let left_out = all - head.len() as u64 - tail.len() as u64;
    text.extend_from_slice(head);
    text.extend_from_slice(format!("\n--- {left_out} bytes left out ---\n").as_bytes());
    text.extend_from_slice(tail);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEnding;

    fn execution(stdout: &str, stderr: &str) -> Execution {
        let (stdout, stderr) = (Captured::whole(stdout), Captured::whole(stderr));
        Execution { stdout, stderr, ..Execution::new(TestEnding::Exit(0)) }
    }

    fn shown(execution: &Execution, longest: usize) -> Option<String> {
        text(execution, longest).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn a_silent_test_has_no_log() {
        assert_eq!(shown(&execution("", ""), 100), None);
    }

    #[test]
    fn a_log_shows_the_streams_separately() {
        let log = shown(&execution("out", "err\n"), 100).unwrap();
        assert_eq!(log, "--- standard output ---\nout\n--- standard error ---\nerr\n");
    }

    #[test]
    fn a_long_log_keeps_its_beginning_and_its_end() {
        let log = shown(&execution("0123456789", ""), 4).unwrap();
        assert_eq!(log, "--- standard output ---\n01\n--- 6 bytes left out ---\n89\n");
    }
}
