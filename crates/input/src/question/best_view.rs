//! What is shown of the best candidate while a reduction goes on: its first lines, and about how much is left to do.

use crate::{Document, DocumentFile, Pass};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// About how many tests the last round takes, in which every pass tries all its deltas on the document.
pub(super) struct LastRound {
    passes: Vec<Arc<dyn Pass>>,
    /// When that was counted, and the count.
    counted: Option<(Instant, u64)>,
}

impl LastRound {
    /// In a larger document, much is removed before the last round.
    const LARGEST: u64 = 64 << 10;
    /// Deltas are counted no more often.
    const PATIENCE: Duration = Duration::from_millis(500);

    pub(super) fn new(passes: Vec<Arc<dyn Pass>>) -> Self {
        Self { passes, counted: None }
    }

    pub(super) fn tests(&mut self, document: &Document) -> Option<u64> {
        if document.size() > Self::LARGEST {
            return None;
        }
        if self.counted.is_none_or(|(at, _)| at.elapsed() >= Self::PATIENCE) {
            let deltas = self.passes.iter().map(|pass| pass.proposals(document).deltas.len() as u64);
            self.counted = Some((Instant::now(), deltas.sum()));
        }
        self.counted.map(|(_, tests)| tests)
    }
}

/// More of a candidate is not shown while the search goes on.
const SHOWN_LINES: usize = 8;

/// The first lines of a document, for a live view.
pub(super) fn first_lines(document: &Document) -> Vec<String> {
    let files = document.files();
    let is_text = |bytes: &[u8]| {
        std::str::from_utf8(&bytes[..bytes.len().min(512)]).is_ok_and(|text| !text.contains('\0'))
    };
    let first = files.iter().find_map(|(path, file)| match file {
        DocumentFile::Bytes(bytes, _) if !bytes.is_empty() => Some((path, bytes)),
        _ => None,
    });
    let Some((path, bytes)) = first else { return Vec::new() };
    let mut lines: Vec<String> =
        if files.len() > 1 { vec![format!("{}:", path.display())] } else { Vec::new() };
    match is_text(bytes) {
        true => {
            let shown = bytes.split(|byte| *byte == b'\n').take(SHOWN_LINES);
            // A long line is cut in any case.
            lines.extend(
                shown.map(|line| String::from_utf8_lossy(&line[..line.len().min(1_000)]).into_owned()),
            );
        }
        false => lines.extend(
            bytes
                .chunks(16)
                .take(SHOWN_LINES)
                .map(|row| row.iter().map(|byte| format!("{byte:02x} ")).collect::<String>()),
        ),
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes;

    #[test]
    fn the_first_lines_of_a_text_and_the_first_bytes_of_anything_else() {
        let text: String = (1..=20).map(|number| format!("line {number}\n")).collect();
        let lines = first_lines(&Document::of_file("a.txt", text));
        assert_eq!((lines.len(), lines[0].as_str()), (SHOWN_LINES, "line 1"));
        assert_eq!(first_lines(&Document::of_file("a.bin", b"\0\xff".to_vec())), ["00 ff "]);
        assert!(first_lines(&Document::of_file("empty", "")).is_empty());
    }

    #[test]
    fn the_last_round_of_a_small_document_is_counted() {
        let mut round = LastRound::new(passes());
        let few = round.tests(&Document::of_file("a.txt", "a b\n")).unwrap();
        let many = LastRound::new(passes()).tests(&Document::of_file("a.txt", "a b\n".repeat(20))).unwrap();
        assert!(0 < few && few < many, "{few} {many}");
        assert_eq!(round.tests(&Document::of_file("a.txt", "a ".repeat(100_000))), None);
    }
}
