//! Why a script that exists cannot be started: the interpreter that its first line names does not exist.

use crate::Execution;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// More of a first line is not read; the kernel reads less.
const LONGEST: usize = 512;

/// What to do about a script with Windows line endings.
pub(crate) const CRLF_HINT: &str =
    "convert the script to Unix line endings, for example with `sed -i 's/\\r$//' FILE`";

/// Why a file that exists was not found when it was started.
pub(crate) fn explain_not_found(program: &Path) -> String {
    let shown = program.display();
    match interpreter(program) {
        Some(line) if line.ends_with('\r') => format!(
            "{shown} has Windows line endings (CRLF), so that the interpreter in its first line is `{}\\r`",
            line.trim_end()
        ),
        Some(line) if !line.is_empty() => {
            format!(
                "{shown} exists, but `{}`, the interpreter in its first line (#!), does not",
                line.trim_end()
            )
        }
        _ => format!("{shown} exists, but the interpreter in its first line (#!) does not"),
    }
}

/// The script with Windows line endings that a shell did not find although it exists.
pub(crate) fn crlf_script(execution: &Execution) -> Option<PathBuf> {
    let lines = execution.stderr.last_lines(5);
    let words = lines.iter().flat_map(|line| line.split(": "));
    let files = words.filter(|word| word.contains('/')).map(|word| execution.ran_in.join(word));
    files.into_iter().find(|file| interpreter(file).is_some_and(|line| line.ends_with('\r')))
}

/// The first word of the first line of a script, after `#!`; with the carriage return if the line consists of one word.
fn interpreter(script: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(script).ok()?.take(LONGEST as u64).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start_matches([' ', '\t']);
    Some(line.split([' ', '\t']).next().unwrap_or(line).to_owned())
}
