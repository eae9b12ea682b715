//! The finding as the report shows it: what is left, where it is, what each pass gave, what else was seen.

use super::others::Others;
use super::request::Request;
use crate::failure::Failure;
use howcome_input::{Document, File};
use howcome_report::{Summary, pass_yields};
use howcome_run::{FilePreview, InputFinding, ReducedFile};
use std::path::Path;

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
    let mut finding = InputFinding {
        output: request.output().to_string_lossy().into_owned(),
        bytes_before: original.size(),
        bytes_after: document.size(),
        passes: pass_yields(summary),
        other_failures,
        also: (!request.also.is_empty()).then_some(also),
        ..InputFinding::default()
    };
    let files = document.files();
    if let [(_, File::Bytes(bytes, _))] = files.as_slice() {
        finding.preview = FilePreview::of(bytes);
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
        preview: FilePreview::of(bytes),
    });
    finding.files = Some(shown.collect());
    Ok(finding)
}
