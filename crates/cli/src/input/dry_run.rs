//! What would be varied, without varying it.

use super::request::Request;
use crate::baseline::Ready;
use crate::session::Session;
use crate::streams::answer;
use howcome_input::{Document, Part, What};
use howcome_report::{count, plural, printable, seconds, size, thousands};
use std::collections::BTreeMap;

/// Tells the formats that were found, the sizes, and what each pass would begin with.
pub(crate) fn tell(session: &Session, request: &Request, document: &Document, ready: &Ready) {
    session.talk.finish();
    answer!("{} would be made smaller:\n", size(document.size()));
    let mut formats: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for piece in document.pieces() {
        let (format, bytes) = match &piece.what {
            What::Part(part) => (format_of(part), part.bytes().len() as u64),
            What::Packed(packing) => (format!("{} files", packing.format()), 0),
            What::Link(_) => ("links".to_owned(), 0),
            What::Folder => continue,
        };
        let (files, all) = formats.entry(format).or_default();
        *files += 1;
        *all += bytes;
    }
    for (format, (files, bytes)) in formats {
        answer!("  {}: {}, {}\n", printable(&format), count(files, "file"), size(bytes));
    }
    answer!("\nThe passes, in the order in which their turn comes, and what they would begin with:\n");
    let mut passes = request.passes();
    passes.sort_by_key(|pass| pass.tier());
    let width = passes.iter().map(|pass| pass.name().len()).max().unwrap_or(0);
    for pass in passes {
        let deltas = pass.proposals(document).deltas.len() as u64;
        let what = match deltas {
            0 => continue,
            1 => format!("1 {}", pass.card().unit),
            _ => format!("{} {}", thousands(deltas), plural(pass.card().unit)),
        };
        answer!("  {:width$}  {what}\n", pass.name());
    }
    // What inputs of 50 kB to 1 MB took; see the book's measurements.
    let [few, many] = [100.0, 1000.0].map(|tests| seconds(tests * ready.seconds));
    answer!("\nMost inputs take 100 to 1,000 tests: {few} to {many} one at a time.\n");
}

fn format_of(part: &Part) -> String {
    match part.language() {
        Some(language) => language.name().to_owned(),
        None if std::str::from_utf8(part.bytes()).is_ok_and(|text| !text.contains('\0')) => "text".to_owned(),
        None => "bytes".to_owned(),
    }
}
