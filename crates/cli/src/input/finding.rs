//! The finding as the report shows it: what is left, where it is, what each pass gave, what else was seen.

use super::others::Others;
use super::request::Request;
use crate::failure::Failure;
use howcome_input::{Document, File};
use howcome_report::{Summary, Yield, hex_dump, yields};
use howcome_run::{FilePreview, InputFinding, PassYield, ReducedFile};
use std::path::Path;

/// A longer text is read from its file.
const LONGEST_TEXT: usize = 16_000;
/// So much of a file that is no text is shown.
const LONGEST_DUMP: usize = 512;
/// More files than this are only counted.
const MOST_FILES: usize = 20;

/// The finding, with the files of the answer as far as people want to see them.
pub(crate) fn finding(
    run: Option<&Path>,
    request: &Request,
    [original, document]: [&Document; 2],
    others: Others,
    summary: &Summary,
) -> Result<InputFinding, Failure> {
    let (other_failures, also) = others.keep(run, request)?;
    let pass = |yielded: Yield| PassYield { name: yielded.pass, tests: yielded.tests, bytes: yielded.bytes };
    let mut finding = InputFinding {
        output: request.output().to_string_lossy().into_owned(),
        bytes_before: original.size(),
        bytes_after: document.size(),
        passes: yields(summary).into_iter().map(pass).collect(),
        other_failures,
        also: (!request.also.is_empty()).then_some(also),
        ..InputFinding::default()
    };
    let files = document.files();
    if let [(_, File::Bytes(bytes, _))] = files.as_slice() {
        finding.preview = preview(bytes);
        return Ok(finding);
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
    Ok(finding)
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
