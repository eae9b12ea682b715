//! A list of things, one a line.

use howcome_dd::{Configuration, DeltaId};
use howcome_run::Problem;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A list of items.
#[derive(Clone, Debug)]
pub struct ItemList {
    bytes: Vec<u8>,
    /// Where each item begins and ends in `bytes`, its line end included.
    lines: Vec<(usize, usize)>,
    has_duplicates: bool,
    last_has_no_newline: bool,
}

impl ItemList {
    /// The items in a file's content: its lines, but for those that are empty.
    #[must_use]
    pub fn parse(bytes: Vec<u8>) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if !item(line).is_empty() {
                lines.push((start, start + line.len()));
            }
            start += line.len();
        }
        let mut seen = HashSet::new();
        // What a test gets to see of two lines is the same, line ends and all.
        let has_duplicates =
            !lines.iter().all(|(start, end)| seen.insert(without_newline(&bytes[*start..*end])));
        let last_has_no_newline = bytes.last().is_some_and(|byte| *byte != b'\n');
        Self { bytes, lines, has_duplicates, last_has_no_newline }
    }

    /// Reads a list, `-` from standard input.
    ///
    /// # Errors
    /// If there is none, or it holds no items.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let bytes = if path == Path::new("-") { read_stdin() } else { fs::read(path) };
        let list = Self::parse(bytes.map_err(|error| {
            match error.kind() {
                io::ErrorKind::IsADirectory => {
                    Problem::new(format!("{} is a folder, not a list", path.display()))
                        .hint("give a file with one item a line")
                }
                _ => Problem::with_file(path, &error).hint("LIST is a file with one item a line"),
            }
        })?);
        if list.lines.is_empty() {
            return Err(Problem::new(format!("{} holds no items", path.display()))
                .hint("write one item a line; empty lines do not count"));
        }
        if u32::try_from(list.lines.len()).is_err() {
            return Err(Problem::new(format!("{} holds more items than can be counted", path.display())));
        }
        Ok(list)
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether the list names an item more than once.
    #[must_use]
    pub fn has_duplicates(&self) -> bool {
        self.has_duplicates
    }

    /// The items that are not text, by their numbers from 1.
    #[must_use]
    pub fn not_text(&self) -> Vec<usize> {
        let is_text = |index: usize| std::str::from_utf8(self.item(DeltaId(index as u32))).is_ok();
        (0..self.lines.len()).filter(|index| !is_text(*index)).map(|index| index + 1).collect()
    }

    /// The whole file as it was read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The chosen items as text for people; bytes that are not text are replaced.
    #[must_use]
    pub fn texts(&self, chosen: &Configuration) -> Vec<String> {
        chosen.iter().map(|delta| String::from_utf8_lossy(self.item(delta)).into_owned()).collect()
    }

    /// Writes the chosen items, one a line, as they were read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, chosen: &Configuration, path: &Path) -> io::Result<()> {
        let mut file = io::BufWriter::with_capacity(1 << 16, fs::File::create(path)?);
        self.write_to(chosen, &mut file)?;
        file.flush()
    }

    /// The same to anything that can be written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_to(&self, chosen: &Configuration, file: &mut dyn Write) -> io::Result<()> {
        for run in chosen.runs() {
            // What lies between two neighbours in the file is at most an empty line.
            for index in run {
                let (start, end) = self.lines[index as usize];
                file.write_all(&self.bytes[start..end])?;
                if self.last_has_no_newline && end == self.bytes.len() {
                    file.write_all(b"\n")?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn item(&self, delta: DeltaId) -> &[u8] {
        item(self.line(delta))
    }

    /// The line of an item without its newline, but with a carriage return before it.
    pub(crate) fn line(&self, delta: DeltaId) -> &[u8] {
        let (start, end) = self.lines[delta.index()];
        without_newline(&self.bytes[start..end])
    }
}

/// A line without its end.
fn item(line: &[u8]) -> &[u8] {
    let line = without_newline(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn without_newline(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(list: &ItemList, chosen: &str) -> Vec<u8> {
        let path = tempfile::NamedTempFile::new().unwrap();
        list.write(&chosen.parse().unwrap(), path.path()).unwrap();
        fs::read(path.path()).unwrap()
    }

    #[test]
    fn empty_lines_are_not_items() {
        let list = ItemList::parse(b"a\n\nb\n\n\n".to_vec());
        assert_eq!(list.texts(&Configuration::all(2)), ["a", "b"]);
        assert_eq!(list.len(), 2);
    }

    #[test]
    fn items_are_written_as_they_were_read() {
        let list = ItemList::parse(b"a\r\n \xff\n\nlast".to_vec());
        assert_eq!(written(&list, "1-3"), b"a\r\n \xff\nlast\n");
        assert_eq!(written(&list, "2"), b" \xff\n");
        assert_eq!(written(&list, "-"), b"");
        assert_eq!(list.not_text(), [2]);
    }
}
