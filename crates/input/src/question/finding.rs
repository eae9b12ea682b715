//! The finding as the report shows it: the smaller input, where it is, what each pass removed, and what else was noticed.

use super::other_failures::KeptCandidates;
use super::request::InputRequest;
use crate::{Document, DocumentFile, Reduced};
use howcome_run::{FilePreview, InputFinding, ReducedFile};

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
    if let [(_, DocumentFile::Bytes(bytes, _))] = files.as_slice() {
        finding.preview = FilePreview::of(bytes);
        return finding;
    }
    let files: Vec<_> = files
        .iter()
        .filter_map(|(path, file)| match file {
            DocumentFile::Bytes(bytes, _) => Some((path, bytes)),
            DocumentFile::Folder | DocumentFile::Link(_) => None,
        })
        .collect();
    finding.files_in_all = Some(files.len() as u64);
    let shown = files.into_iter().take(MOST_FILES).map(|(path, bytes)| ReducedFile {
        path: path.to_string_lossy().into_owned(),
        bytes: bytes.len() as u64,
        preview: FilePreview::of(bytes),
    });
    finding.files = Some(shown.collect());
    finding
}
