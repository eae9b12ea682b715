//! What a reduction would vary, and about how long it would take, without doing it.

use super::request::InputRequest;
use crate::{Document, DocumentPart, PieceKind};
use howcome_lab::inquiry::BaselineResult;
use howcome_run::words::{count, printable, seconds, size, thousands};
use std::collections::BTreeMap;

/// The formats that were found, their sizes, and how many deltas each pass would begin with.
pub(crate) fn estimate(request: &InputRequest, document: &Document, baseline: &BaselineResult) -> String {
    let mut text = format!("{} would be made smaller:\n", size(document.size()));
    let mut formats: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for piece in document.pieces() {
        let (format, bytes) = match &piece.kind {
            PieceKind::Part(part) => (format_of(part), part.bytes().len() as u64),
            PieceKind::Packed(packing) => (format!("{} files", packing.format()), 0),
            PieceKind::Link(_) => ("links".to_owned(), 0),
            PieceKind::Folder => continue,
        };
        let (files, all) = formats.entry(format).or_default();
        *files += 1;
        *all += bytes;
    }
    for (format, (files, bytes)) in formats {
        text += &format!("  {}: {}, {}\n", printable(&format), count(files, "file"), size(bytes));
    }
    text += "\nThe passes in the order of their turns, and what they would start with:\n";
    let mut passes = request.passes();
    passes.sort_by_key(|pass| pass.tier());
    let width = passes.iter().map(|pass| pass.name().len()).max().unwrap_or(0);
    for pass in passes {
        let deltas = pass.proposals(document).deltas.len() as u64;
        let proposed = match deltas {
            0 => continue,
            1 => format!("1 {}", pass.info().unit),
            _ => format!("{} {}", thousands(deltas), pass.info().unit.plural()),
        };
        text += &format!("  {:width$}  {proposed}\n", pass.name());
    }
    // Measured with inputs of 50 kB to 1 MB; see bench/measurements.md.
    let [few, many] = [100.0, 1000.0].map(|tests| seconds(tests * baseline.seconds));
    text += &format!("\nMost inputs take 100 to 1,000 tests, which take {few} to {many} one at a time.\n");
    text
}

fn format_of(part: &DocumentPart) -> String {
    match part.language() {
        Some(language) => language.name().to_owned(),
        None if std::str::from_utf8(part.bytes()).is_ok_and(|text| !text.contains('\0')) => "text".to_owned(),
        None => "bytes".to_owned(),
    }
}
