//! The finding as the report shows it: what is left, where it is, what each pass gave, what else was seen.

use super::others::Others;
use super::request::Request;
use crate::failure::Failure;
use howcome_input::{Document, File};
use howcome_report::{Summary, hex_dump, yields};
use serde_json::{Value, json};
use std::path::Path;

/// A longer text is read from its file.
const LONGEST_TEXT: usize = 16_000;
/// So much of a file that is no text is shown.
const LONGEST_DUMP: usize = 512;
/// More files than this are only counted.
const MOST_FILES: usize = 20;

/// The finding: `output`, `bytes_before`, `bytes_after`, and what people want to know beside.
pub(crate) fn finding(
    run: Option<&Path>,
    request: &Request,
    [original, document]: [&Document; 2],
    others: Others,
    summary: &Summary,
) -> Result<Value, Failure> {
    let (failures, also) = others.keep(run, request)?;
    let mut finding = json!({
        "output": request.output().to_string_lossy(),
        "bytes_before": original.size(),
        "bytes_after": document.size(),
        "passes": yields(summary).into_iter().map(|passed| {
            json!({"name": passed.pass, "tests": passed.tests, "bytes": passed.bytes})
        }).collect::<Vec<_>>(),
        "other_failures": failures,
    });
    if !request.also.is_empty() {
        finding["also"] = also.into();
    }
    let files = document.files();
    match files.as_slice() {
        [(_, File::Bytes(bytes, _))] => show(bytes, &mut finding),
        files => {
            let shown = files.iter().filter_map(|(path, file)| match file {
                File::Bytes(bytes, _) => {
                    let mut json = json!({"path": path.to_string_lossy(), "bytes": bytes.len()});
                    show(bytes, &mut json);
                    Some(json)
                }
                File::Folder | File::Link(_) => None,
            });
            finding["files"] = shown.take(MOST_FILES).collect::<Vec<_>>().into();
            finding["files_in_all"] =
                files.iter().filter(|(_, file)| matches!(file, File::Bytes(..))).count().into();
        }
    }
    Ok(finding)
}

/// What people see of a file: the text if it is short, otherwise its beginning.
fn show(bytes: &[u8], json: &mut Value) {
    let is_text = |text: &str| !text.contains('\0');
    match std::str::from_utf8(bytes).ok().filter(|text| is_text(text)) {
        Some(text) if bytes.len() <= LONGEST_TEXT => json["text"] = text.into(),
        Some(text) => {
            let end = (0..=LONGEST_TEXT / 4).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            json["beginning"] = text[..end].into();
        }
        None => json["dump"] = hex_dump(&bytes[..bytes.len().min(LONGEST_DUMP)]).into(),
    }
}
