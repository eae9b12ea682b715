//! The difference that decides, as people want to see it: lines in which the differing text is marked.

use super::comparison::TextChunk;
use super::mixture::{MixedBody, MixedEntry, Mixture, Presence};
use crate::PieceKind;
use howcome_dd::{Configuration, DeltaId, Difference};
use howcome_run::{DifferingPart, MarkedText};
use std::ops::Range;

/// How many lines are shown before and after a difference.
const CONTEXT: usize = 3;
/// How many lines of the difference itself are shown.
const LINES: usize = 200;
/// How many differences are listed.
const MOST: usize = 100;
/// How many characters of a text are shown.
const LONGEST: usize = 2_000;

impl Mixture {
    /// What differs between the two sides of a difference.
    #[must_use]
    pub fn decisive(&self, found: &Difference) -> Vec<DifferingPart> {
        let deltas = found.deltas();
        let mut all = Vec::new();
        for MixedEntry { path, body } in &self.entries {
            let path = path.to_string_lossy().into_owned();
            let about = |what: &str| DifferingPart {
                path: path.clone(),
                what: Some(what.to_owned()),
                ..DifferingPart::default()
            };
            let is_in = |delta: u32| deltas.contains(DeltaId(delta));
            match body {
                MixedBody::Same(_) => {}
                MixedBody::Whole { passing, failing, delta } if is_in(*delta) => {
                    let noun = match passing.as_ref().or(failing.as_ref()).map(|piece| &piece.kind) {
                        Some(PieceKind::Folder) => "folder",
                        Some(PieceKind::Link(_)) => "link",
                        _ => "entry",
                    };
                    all.push(about(&match (passing, failing) {
                        (None, _) => format!("only the failing side has the {noun}"),
                        (_, None) => format!("only the passing side has the {noun}"),
                        _ => format!("the {noun} differs"),
                    }));
                }
                MixedBody::Whole { .. } => {}
                MixedBody::Text { passing, failing, chunks, is_there, .. } => {
                    match *is_there {
                        Presence::Mode(delta) if is_in(delta) => all.push(about("its permissions differ")),
                        Presence::Comes(delta) if is_in(delta) => {
                            all.push(about("only the failing side has the file"));
                        }
                        Presence::Goes(delta) if is_in(delta) => {
                            all.push(about("only the passing side has the file"));
                        }
                        _ => {}
                    }
                    let sides = SideTexts::of([passing.bytes(), failing.bytes()], chunks, found, &deltas);
                    all.extend(sides.hunks().into_iter().map(|hunk| sides.shown(&path, &hunk)));
                }
            }
            all.truncate(MOST);
        }
        all
    }
}

/// Both sides of a file, and where they differ.
struct SideTexts {
    passing: Vec<u8>,
    failing: Vec<u8>,
    /// Bytes of the passing side, and the bytes that replace them on the failing side.
    spans: Vec<[Range<usize>; 2]>,
    is_text: bool,
    lines: [Vec<Range<usize>>; 2],
}

/// Lines of both sides, and the spans in them.
struct LineHunk {
    lines: [Range<usize>; 2],
    spans: Range<usize>,
}

impl SideTexts {
    fn of(
        [passing, failing]: [&[u8]; 2],
        chunks: &[TextChunk],
        found: &Difference,
        deltas: &Configuration,
    ) -> Self {
        let mut sides = [Vec::new(), Vec::new()];
        let mut spans: Vec<[Range<usize>; 2]> = Vec::new();
        for chunk in chunks {
            let starts = [sides[0].len(), sides[1].len()];
            for (side, applied) in sides.iter_mut().zip([&found.passing, &found.failing]) {
                let has = |delta: &u32| applied.contains(DeltaId(*delta));
                side.extend_from_slice(match chunk {
                    TextChunk::Both(range) => &failing[range.clone()],
                    TextChunk::Passing(range, delta) if !has(delta) => &passing[range.clone()],
                    TextChunk::Failing(range, delta) if has(delta) => &failing[range.clone()],
                    TextChunk::Instead { failing: range, delta, .. } if has(delta) => &failing[range.clone()],
                    TextChunk::Instead { passing: range, .. } => &passing[range.clone()],
                    TextChunk::Passing(..) | TextChunk::Failing(..) => b"",
                });
            }
            if chunk.delta().is_some_and(|delta| deltas.contains(DeltaId(delta))) {
                let ends = [sides[0].len(), sides[1].len()];
                match spans.last_mut() {
                    Some([old, new]) if [old.end, new.end] == starts => [old.end, new.end] = ends,
                    _ => spans.push([starts[0]..ends[0], starts[1]..ends[1]]),
                }
            }
        }
        let [passing, failing] = sides;
        let is_text = !failing.contains(&0)
            && !passing.contains(&0)
            && std::str::from_utf8(&failing).is_ok()
            && std::str::from_utf8(&passing).is_ok();
        let lines = match spans.is_empty() {
            true => [Vec::new(), Vec::new()],
            false => [lines(&passing), lines(&failing)],
        };
        Self { passing, failing, spans, is_text, lines }
    }

    /// Spans that touch the same line are one hunk.
    fn hunks(&self) -> Vec<LineHunk> {
        let mut hunks: Vec<LineHunk> = Vec::new();
        for (at, span) in self.spans.iter().enumerate() {
            let is_of_lines = is_of_lines(&self.passing, &span[0]) && is_of_lines(&self.failing, &span[1]);
            let [old, new] = [0, 1].map(|side| touched(&self.lines[side], &span[side], is_of_lines));
            match hunks.last_mut().filter(|hunk| {
                hunk.lines[0].end > old.start || hunk.lines[1].end > new.start || !self.is_text
            }) {
                Some(hunk) if self.is_text => {
                    hunk.lines[0].end = hunk.lines[0].end.max(old.end);
                    hunk.lines[1].end = hunk.lines[1].end.max(new.end);
                    hunk.spans.end = at + 1;
                }
                _ => hunks.push(LineHunk { lines: [old, new], spans: at..at + 1 }),
            }
        }
        hunks
    }

    fn shown(&self, path: &str, hunk: &LineHunk) -> DifferingPart {
        let spans = &self.spans[hunk.spans.clone()];
        let [old, new] = [&self.passing, &self.failing];
        let pieces = |side: usize, bytes: &[u8]| -> Vec<String> {
            let texts = spans.iter().map(|span| self.text(bytes, &span[side]));
            texts.filter(|text| !text.is_empty()).collect()
        };
        let mut decisive = DifferingPart {
            path: path.to_owned(),
            offset: spans.first().map_or(0, |span| span[1].start as u64),
            removed: pieces(0, old),
            added: pieces(1, new),
            ..DifferingPart::default()
        };
        if !self.is_text {
            return decisive;
        }
        let [old_lines, new_lines] = &self.lines;
        let shown = |bytes: &[u8], lines: &[Range<usize>]| -> Vec<String> {
            let line = |line: &Range<usize>| cut(&String::from_utf8_lossy(&bytes[line.clone()]));
            lines.iter().take(LINES).map(line).collect()
        };
        let [was, is] = hunk.lines.clone();
        decisive.line = Some(is.start as u64 + 1);
        decisive.before = shown(new, &new_lines[is.start.saturating_sub(CONTEXT)..is.start]);
        decisive.passing = shown(old, &old_lines[was]);
        decisive.failing = shown(new, &new_lines[is.clone()]);
        decisive.after = shown(new, &new_lines[is.end..new_lines.len().min(is.end + CONTEXT)]);
        for (number, line) in new_lines[is].iter().take(LINES).enumerate() {
            for [_, span] in spans {
                decisive.marked.extend(marked(new, number, line, span));
            }
        }
        decisive
    }

    /// The text of a span without the blanks around it, or its bytes in hexadecimal if it is not text.
    fn text(&self, bytes: &[u8], span: &Range<usize>) -> String {
        let bytes = &bytes[span.clone()];
        if !self.is_text {
            let hex: Vec<String> = bytes.iter().take(64).map(|byte| format!("{byte:02x}")).collect();
            return hex.join(" ") + if bytes.len() > 64 { " …" } else { "" };
        }
        let text = String::from_utf8_lossy(bytes);
        match text.trim() {
            // If there are only blanks, the blanks decide.
            "" => text.into_owned(),
            trimmed => cut(trimmed),
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// The bytes of each line, without its end.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let length = line.strip_suffix(b"\n").unwrap_or(line).len();
        lines.push(start..start + length);
        start += line.len();
    }
    lines
}

/// Whether a span consists of whole lines.
fn is_of_lines(bytes: &[u8], span: &Range<usize>) -> bool {
    let is_break = |at: usize| at == 0 || bytes.get(at - 1) == Some(&b'\n');
    is_break(span.start) && (is_break(span.end) || span.end == bytes.len())
}

/// The lines that a span touches. A span of whole lines touches no others.
fn touched(lines: &[Range<usize>], span: &Range<usize>, is_of_lines: bool) -> Range<usize> {
    let first = lines.partition_point(|line| line.end < span.start);
    if is_of_lines {
        return first..lines.partition_point(|line| line.start < span.end).max(first);
    }
    let last = lines.partition_point(|line| line.end < span.end);
    let end = match span.is_empty() || lines.get(last).is_none_or(|line| line.start < span.end) {
        true => last + 1,
        false => last.max(first + 1),
    };
    first.min(lines.len())..end.min(lines.len())
}

/// The characters of a line that a span marks, without the blanks at its ends.
fn marked(bytes: &[u8], number: usize, line: &Range<usize>, span: &Range<usize>) -> Option<MarkedText> {
    let range = span.start.max(line.start)..span.end.min(line.end);
    if range.is_empty() {
        return None;
    }
    let text = &bytes[range.clone()];
    let (start, end) = match text.trim_ascii() {
        [] => (range.start, range.end),
        trimmed => {
            let start = range.start + (text.len() - text.trim_ascii_start().len());
            (start, start + trimmed.len())
        }
    };
    let characters = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).chars().count();
    let first = characters(line.start..start);
    Some(MarkedText { line: number, start: first, end: first + characters(start..end) })
}
