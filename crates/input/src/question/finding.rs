//! The finding as the report shows it: the smaller input, where it is, what each pass removed, and what else was noticed.

use super::other_failures::KeptCandidates;
use super::request::InputRequest;
use crate::{Document, File, Reduced};
use howcome_run::{FilePreview, InputFinding, ReducedFile};
use std::fmt::Write;

/// A longer text is read from its file.
const LONGEST_TEXT: usize = 16_000;
/// How many bytes of a file are shown that is not text.
const LONGEST_DUMP: usize = 512;
/// More files than this are only counted.
const MOST_FILES: usize = 20;

/// The finding, with as much of its files as people want to see.
pub(crate) fn reduced_finding(
    request: &InputRequest,
    original: &Document,
    Reduced { document, yields, .. }: &Reduced,
    kept: KeptCandidates,
) -> InputFinding {
    let mut finding = InputFinding {
        output: request.output().to_string_lossy().into_owned(),
        bytes_before: original.size(),
        bytes_after: document.size(),
        passes: yields.clone(),
        other_failures: kept.other_failures,
        also: (!request.also.is_empty()).then_some(kept.also),
        ..InputFinding::default()
    };
    let files = document.files();
    if let [(_, File::Bytes(bytes, _))] = files.as_slice() {
        finding.preview = preview(bytes);
        return finding;
    }
    let files: Vec<_> = files
        .iter()
        .filter_map(|(path, file)| match file {
            File::Bytes(bytes, _) => Some((path, bytes)),
            File::Folder | File::Link(_) => None,
        })
        .collect();
    finding.files_in_all = Some(files.len() as u64);
    let shown = files.into_iter().take(MOST_FILES).map(|(path, bytes)| ReducedFile {
        path: path.to_string_lossy().into_owned(),
        bytes: bytes.len() as u64,
        preview: preview(bytes),
    });
    finding.files = Some(shown.collect());
    finding
}

/// What people see of a file: the text if it is short, otherwise its beginning.
fn preview(bytes: &[u8]) -> FilePreview {
    let is_text = |text: &str| !text.contains('\0');
    let mut preview = FilePreview::default();
    match std::str::from_utf8(bytes).ok().filter(|text| is_text(text)) {
        Some(text) if bytes.len() <= LONGEST_TEXT => preview.text = Some(text.to_owned()),
        Some(text) => {
            let end = (0..=LONGEST_TEXT / 4).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            preview.beginning = Some(text[..end].to_owned());
        }
        None => preview.dump = Some(hex_dump(&bytes[..bytes.len().min(LONGEST_DUMP)])),
    }
    preview
}

/// Bytes as people look at them: the offset, the bytes, and the letters among them.
fn hex_dump(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (row, bytes) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String = bytes
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { *byte as char } else { '.' })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:06x}  {:47}  {letters}", row * 16, hex.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_with_the_letters_among_them() {
        assert_eq!(
            hex_dump(b"\x89PNG\r\n\x1a\n"),
            "000000  89 50 4e 47 0d 0a 1a 0a                          .PNG....\n"
        );
    }
}
