//! The output of a test, as much of it as is worth keeping.

use std::collections::VecDeque;

/// One stream of a test's output: its beginning, its end, and how much was dropped between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: Vec<u8>,
    skipped: u64,
}

impl Captured {
    /// A stream of exactly these bytes.
    #[must_use]
    pub fn whole(bytes: impl Into<Vec<u8>>) -> Self {
        Self { head: bytes.into(), tail: Vec::new(), skipped: 0 }
    }

    /// As much of these bytes as the limits allow, of which `skipped` bytes were left out already between `head` and `tail`.
    #[must_use]
    pub fn limited(head: &[u8], skipped: u64, tail: &[u8], keep: CaptureLimits) -> Self {
        if skipped == 0 {
            let mut capture = Capture::new(keep);
            capture.append(head);
            capture.append(tail);
            return capture.finish();
        }
        let (first, rest) = head.split_at(head.len().min(keep.head));
        let last = &tail[tail.len() - tail.len().min(keep.tail)..];
        let dropped = (rest.len() + tail.len() - last.len()) as u64;
        Self { head: first.to_vec(), tail: last.to_vec(), skipped: skipped + dropped }
    }

    /// The kept pieces: one if nothing was dropped, otherwise the beginning and the end.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let tail = (self.skipped > 0).then_some(self.tail.as_slice());
        std::iter::once(self.head.as_slice()).chain(tail)
    }

    /// How many bytes were dropped between the beginning and the end.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Whether nothing was printed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// The last lines that are not blank, oldest first, at most `count`.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        let end = if self.skipped > 0 { &self.tail } else { &self.head };
        let mut lines: Vec<String> = end
            .rsplit(|byte| *byte == b'\n')
            .map(|line| String::from_utf8_lossy(line).trim_end().to_owned())
            .filter(|line| !line.is_empty())
            .take(count)
            .collect();
        lines.reverse();
        lines
    }
}

/// How much of each stream is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureLimits {
    /// Bytes of the beginning.
    pub head: usize,
    /// Bytes of the end.
    pub tail: usize,
}

impl Default for CaptureLimits {
    /// A mebibyte of each. No message that a person would read is longer.
    fn default() -> Self {
        Self { head: 1 << 20, tail: 1 << 20 }
    }
}

/// Captures a stream piece by piece, in bounded memory.
#[derive(Debug)]
pub(crate) struct Capture {
    keep: CaptureLimits,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    skipped: u64,
}

impl Capture {
    pub(crate) fn new(keep: CaptureLimits) -> Self {
        Self { keep, head: Vec::new(), tail: VecDeque::new(), skipped: 0 }
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.keep.head - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.keep.tail);
        self.tail.drain(..surplus);
        self.skipped += surplus as u64;
    }

    pub(crate) fn finish(self) -> Captured {
        let Self { mut head, tail, skipped, .. } = self;
        let mut tail = Vec::from(tail);
        if skipped == 0 {
            // There is no gap between the two, so a pattern must be able to match across them.
            head.append(&mut tail);
        }
        Captured { head, tail, skipped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(keep: CaptureLimits, pieces: &[&str]) -> Captured {
        let mut capture = Capture::new(keep);
        pieces.iter().for_each(|piece| capture.append(piece.as_bytes()));
        capture.finish()
    }

    #[test]
    fn output_that_fits_is_kept_in_one_piece() {
        let captured = captured(CaptureLimits { head: 4, tail: 4 }, &["abc", "de", "fgh"]);
        assert_eq!(captured, Captured::whole("abcdefgh"));
    }

    #[test]
    fn dropped_bytes_are_counted() {
        let captured = captured(CaptureLimits { head: 2, tail: 3 }, &["abcd", "", "efghijkl"]);
        assert_eq!(captured.pieces().collect::<Vec<_>>(), [b"ab".as_slice(), b"jkl"]);
        assert_eq!(captured.skipped(), 7);
    }

    #[test]
    fn what_was_cut_elsewhere_is_cut_to_the_same_limits() {
        let keep = CaptureLimits { head: 2, tail: 3 };
        assert_eq!(Captured::limited(b"abcdefghijkl", 0, b"", keep), captured(keep, &["abcdefghijkl"]));
        let cut = Captured::limited(b"abcd", 4, b"ijkl", keep);
        assert_eq!(cut, captured(keep, &["abcdefghijkl"]));
    }

    #[test]
    fn the_last_lines_are_not_blank() {
        assert_eq!(Captured::whole("one\ntwo\n\nthree\n\n").last_lines(2), ["two", "three"]);
        assert_eq!(captured(CaptureLimits { head: 2, tail: 5 }, &["1234567\nend\n"]).last_lines(3), ["end"]);
    }
}
