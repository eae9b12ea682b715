//! A smaller input that still makes the test fail.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A longer text is read from its file.
const LONGEST_TEXT: usize = 16_000;
/// How many bytes of a file that is not text are shown.
const LONGEST_DUMP: usize = 512;

/// What `howcome input` finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFinding {
    /// The file or folder that the smaller input is written to.
    pub output: String,
    /// The size of the original input.
    pub bytes_before: u64,
    /// The size of the smaller input.
    pub bytes_after: u64,
    /// What each pass removed, the one that removed most first.
    #[serde(default)]
    pub passes: Vec<PassYield>,
    /// Candidates that failed differently.
    #[serde(default)]
    pub other_failures: Vec<OtherFailure>,
    /// With `--also`, candidates that met one of its conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Vec<OtherFailure>>,
    /// The smaller input if it is a single file.
    #[serde(flatten)]
    pub preview: FilePreview,
    /// The first files of the smaller input if it is not a single file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<ReducedFile>>,
    /// How many files the smaller input has if it is not a single file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_in_all: Option<u64>,
}

/// What the report shows of a file. At most one of the fields is set, and none for an empty preview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePreview {
    /// The whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The beginning of a text that is too long to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<String>,
    /// The first bytes of a file that is not text, as a hex dump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<String>,
}

impl FilePreview {
    /// A text if it is short, or its beginning; of other files, a hex dump of the beginning.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut preview = Self::default();
        match std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
            Some(text) if bytes.len() <= LONGEST_TEXT => preview.text = Some(text.to_owned()),
            Some(text) => {
                let end = (0..=LONGEST_TEXT / 4).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
                preview.beginning = Some(text[..end].to_owned());
            }
            None => preview.dump = Some(hex_dump(&bytes[..bytes.len().min(LONGEST_DUMP)])),
        }
        preview
    }
}

/// Offsets, bytes, and the letters among them.
fn hex_dump(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (row, bytes) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String = bytes
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { *byte as char } else { '.' })
            .collect();
        let _ = writeln!(text, "{:06x}  {:47}  {letters}", row * 16, hex.join(" "));
    }
    text
}

/// A file of a smaller input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReducedFile {
    /// The path in the input.
    pub path: String,
    /// The size.
    pub bytes: u64,
    /// The content.
    #[serde(flatten)]
    pub preview: FilePreview,
}

/// What a pass removed, all its turns together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PassYield {
    /// The name of the pass.
    pub name: String,
    /// How many of its questions were answered by tests.
    pub tests: u64,
    /// How many bytes it removed.
    pub bytes: u64,
}

/// Candidates that did not show the failure in question but something else of interest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherFailure {
    /// What was seen.
    pub what: String,
    /// How many tests showed it.
    pub tests: u64,
    /// The size of the smallest candidate that showed it.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// The folder that this candidate is kept in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_in: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_with_the_letters_among_them() {
        let preview = FilePreview::of(b"\x89PNG\r\n\x1a\n");
        let dump = "000000  89 50 4e 47 0d 0a 1a 0a                          .PNG....\n";
        assert_eq!(preview, FilePreview { dump: Some(dump.to_owned()), ..FilePreview::default() });
    }

    #[test]
    fn a_long_text_is_cut_between_two_characters() {
        let preview = FilePreview::of("é".repeat(LONGEST_TEXT).as_bytes());
        assert_eq!(preview.beginning.map(|text| text.len()), Some(LONGEST_TEXT / 4));
        assert_eq!(FilePreview::of(b"x").text.as_deref(), Some("x"));
    }
}
