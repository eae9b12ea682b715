//! Bytes as lines, each with its line end, so that nothing is lost or added when they are joined again.

use std::ops::Range;
use std::sync::Arc;

/// How many bytes git searches for a NUL before it treats a file as text.
const LOOKED_AT: usize = 8000;

/// Whether a file should not be shown or changed line by line.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(LOOKED_AT)].contains(&0)
}

/// The lines of a file. The last line can lack a newline. A carriage return is part of its line.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    bytes: Arc<[u8]>,
    /// The offset of each line, and of the end of the file.
    starts: Vec<usize>,
}

impl Text {
    pub(crate) fn new(bytes: Arc<[u8]>) -> Self {
        let mut starts = vec![0];
        starts.extend(bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    pub(crate) fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// The bytes of a run of lines.
    pub(crate) fn run(&self, lines: Range<u32>) -> &[u8] {
        &self.bytes[self.starts[lines.start as usize]..self.starts[lines.end as usize]]
    }

    /// The lines of a run, one by one.
    pub(crate) fn lines(&self, lines: Range<u32>) -> impl Iterator<Item = &[u8]> {
        lines.map(|line| self.run(line..line + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_what_ends_them() {
        let lines = |text: &str| {
            let text = Text::new(text.as_bytes().into());
            text.lines(0..text.len())
                .map(|line| String::from_utf8(line.to_vec()).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("\n"), ["\n"]);
        assert_eq!(lines("a\r\nb"), ["a\r\n", "b"]);
        assert_eq!(lines("a\n\nb\n"), ["a\n", "\n", "b\n"]);
    }

    #[test]
    fn a_nul_byte_far_behind_makes_no_binary() {
        assert!(is_binary(b"a\0"));
        assert!(!is_binary(&[vec![b'a'; LOOKED_AT], vec![0]].concat()));
        assert!(!is_binary(b"\xff\xfe"));
    }
}
