//! The formats that coverage comes in.

use super::line_coverage::Coverage;
use serde::Deserialize;

/// Reads the tracefile of `lcov`, which many other tools write too.
///
/// A truncated report is not used: the missing part could say that a line was executed after all.
#[must_use]
pub fn parse_lcov(text: &[u8]) -> Coverage {
    let mut coverage = Coverage::default();
    let mut file = None;
    for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if let Some(path) = line.strip_prefix(b"SF:") {
            file = Some(path);
        } else if line == b"end_of_record" {
            file = None;
        } else if let (Some(file), Some(data)) = (file, line.strip_prefix(b"DA:"))
            && let Some((line, is_executed)) = line_and_count(data)
        {
            coverage.note(file, line, is_executed);
        }
    }
    if file.is_some() { Coverage::default() } else { coverage }
}

/// `12,0` or `12,3,checksum`. Counts can overflow and be negative, or be written as 1e+06.
fn line_and_count(data: &[u8]) -> Option<(u32, bool)> {
    let mut fields = data.split(|&byte| byte == b',').map(|field| str::from_utf8(field).ok());
    let line = fields.next()??.parse().ok()?;
    let count: f64 = fields.next()??.parse().ok()?;
    Some((line, count != 0.0))
}

/// Reads what `gcov --json-format --stdout` prints: a document for each file of data that it was given.
///
/// If any part of it is not such a document, nothing of it is used, as for [`parse_lcov`].
#[must_use]
pub fn parse_gcov_json(bytes: &[u8]) -> Coverage {
    // A name that is not UTF-8 is not found, but nothing else is lost.
    let text = String::from_utf8_lossy(bytes);
    let mut coverage = Coverage::default();
    for document in serde_json::Deserializer::from_str(&text).into_iter::<GcovReport>() {
        let Ok(document) = document else { return Coverage::default() };
        for file in document.files {
            let path = match &document.current_working_directory {
                Some(folder) if !file.file.starts_with('/') => format!("{folder}/{}", file.file),
                _ => file.file,
            };
            for line in file.lines {
                coverage.note(path.as_bytes(), line.line_number, line.count != 0.0);
            }
        }
    }
    coverage
}

#[derive(Deserialize)]
struct GcovReport {
    current_working_directory: Option<String>,
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: String,
    lines: Vec<LineOfDocument>,
}

#[derive(Deserialize)]
struct LineOfDocument {
    line_number: u32,
    count: f64,
}

#[cfg(test)]
mod tests {
    use super::super::line_coverage::LineCoverage;
    use super::*;

    fn lines(executed: &[u32], unexecuted: &[u32]) -> LineCoverage {
        LineCoverage {
            executed: executed.iter().copied().collect(),
            unexecuted: unexecuted.iter().copied().collect(),
        }
    }

    #[test]
    fn a_line_that_was_executed_in_any_record_was_executed() {
        let text = b"TN:x\nSF:/r/a.h\nFN:1,f\nDA:1,0\nDA:2,7,abc\r\nDA:3,0\nDA:4,-1\nDA:x,0\nend_of_record\n\
                     SF:/r/a.h\nDA:1,1e+06\nDA:2,0\nend_of_record\nDA:9,0\n";
        let coverage = parse_lcov(text);
        assert_eq!(
            coverage.files.into_iter().collect::<Vec<_>>(),
            [(b"/r/a.h".to_vec(), lines(&[1, 2, 4], &[3]))]
        );
    }

    #[test]
    fn a_report_that_breaks_off_says_nothing() {
        assert_eq!(parse_lcov(b"SF:a\nDA:1,0\nend_of_record\nSF:b\nDA:1,0\n"), Coverage::default());
        let whole = br#"{"files": [{"file": "a.c", "lines": [{"line_number": 1, "count": 0}]}]}"#;
        assert_eq!(parse_gcov_json(whole).files.len(), 1);
        for end in 1..whole.len() {
            assert_eq!(parse_gcov_json(&[whole, &b"\n"[..], &whole[..end]].concat()), Coverage::default());
        }
    }

    #[test]
    fn documents_of_gcov_are_read_one_after_the_other() {
        let one = br#"{"current_working_directory": "/r/src", "format_version": "1", "files": [{"file": "a.c",
            "functions": [], "lines": [{"branches": [], "count": 0, "line_number": 3, "unexecuted_block": true},
            {"count": 18446744073709551615, "line_number": 4}]}]}"#;
        let other = br#"{"files": [{"file": "/r/src/a.c", "lines": [{"line_number": 5, "count": 0}]}]}"#;
        let coverage = parse_gcov_json(&[&one[..], b"\n", other].concat());
        assert_eq!(
            coverage.files.into_iter().collect::<Vec<_>>(),
            [(b"/r/src/a.c".to_vec(), lines(&[4], &[3, 5]))]
        );
    }
}
