//! The subject of `howcome items`: a list of things, one a line, of which the test gets a part.

use crate::failure::Failure;
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Prepare, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in which a test finds its items.
pub(crate) const ITEMS_FILE: &str = "items.txt";

/// A list of items.
#[derive(Clone, Debug)]
pub(crate) struct ItemList {
    bytes: Vec<u8>,
    /// Where each item begins and ends in `bytes`, its line end included.
    lines: Vec<(usize, usize)>,
    has_duplicates: bool,
    last_has_no_newline: bool,
}

impl ItemList {
    /// The items in a file's content: its lines, but for those that are empty.
    pub(crate) fn parse(bytes: Vec<u8>) -> Self {
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
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = if path == Path::new("-") { read_stdin() } else { fs::read(path) };
        let list = Self::parse(bytes.map_err(|error| {
            match error.kind() {
                io::ErrorKind::IsADirectory => {
                    Failure::wrong_use(format!("{} is a folder, not a list", path.display()))
                        .hint("give a file with one item a line")
                }
                _ => Failure::file(path, &error).hint("LIST is a file with one item a line"),
            }
        })?);
        if list.lines.is_empty() {
            return Err(Failure::wrong_use(format!("{} holds no items", path.display()))
                .hint("write one item a line; empty lines do not count"));
        }
        if u32::try_from(list.lines.len()).is_err() {
            return Err(Failure::wrong_use(format!(
                "{} holds more items than can be counted",
                path.display()
            )));
        }
        Ok(list)
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn has_duplicates(&self) -> bool {
        self.has_duplicates
    }

    /// The items that are no text, by their numbers.
    pub(crate) fn not_text(&self) -> Vec<usize> {
        let is_text = |index: usize| std::str::from_utf8(self.item(DeltaId(index as u32))).is_ok();
        (0..self.lines.len()).filter(|index| !is_text(*index)).map(|index| index + 1).collect()
    }

    /// The whole file as it was read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The chosen items as text for people; what is no text is shown as well as it can be.
    pub(crate) fn texts(&self, chosen: &Configuration) -> Vec<String> {
        chosen.iter().map(|delta| String::from_utf8_lossy(self.item(delta)).into_owned()).collect()
    }

    /// Writes the chosen items, one a line, as they were read.
    pub(crate) fn write(&self, chosen: &Configuration, path: &Path) -> io::Result<()> {
        let mut file = io::BufWriter::with_capacity(1 << 16, fs::File::create(path)?);
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
        file.flush()
    }

    fn item(&self, delta: DeltaId) -> &[u8] {
        item(self.line(delta))
    }

    /// The line of an item without its newline, but with whatever else may stand before that.
    fn line(&self, delta: DeltaId) -> &[u8] {
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

/// A list, and the test that gets a part of it.
#[derive(Clone, Debug)]
pub(crate) struct ItemsTest {
    pub(crate) list: Arc<ItemList>,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// Where the user stands.
    pub(crate) directory: PathBuf,
}

impl Subject for ItemsTest {
    fn deltas(&self) -> u32 {
        self.list.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        String::from_utf8_lossy(self.list.item(delta)).into_owned()
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        // Without duplicates, different parts of the list are different lists.
        let lines = || configuration.iter().flat_map(|delta| [self.list.line(delta), b"\n".as_slice()]);
        self.list.has_duplicates.then(|| Content::of(lines()))
    }
}

impl Prepare for ItemsTest {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let workspace = folder.path();
        let path = workspace.join(ITEMS_FILE);
        self.list.write(configuration, &path).map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull => {
                Because::DiskFull(format!("the items could not be written to {}", path.display()))
            }
            _ => Because::Broken(format!("{}: {error}", path.display())),
        })?;
        Ok(Command::new(&self.program, workspace)
            .arguments(self.arguments.iter().cloned())
            .variable("HOWCOME_ITEMS", path)
            .variable("HOWCOME_DIR", &self.directory))
    }
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
    fn empty_lines_are_no_items() {
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

    #[test]
    fn only_lists_with_duplicates_compare_contents() {
        let content = |text: &str, chosen: &str| {
            let (program, arguments, directory) = (PathBuf::new(), Vec::new(), PathBuf::new());
            let list = Arc::new(ItemList::parse(text.as_bytes().to_vec()));
            ItemsTest { list, program, arguments, directory }.content(&chosen.parse().unwrap())
        };
        assert_eq!(content("a\nb\n", "1"), None);
        assert_eq!(content("a\nb\na\n", "1"), content("a\nb\na\n", "3"));
        assert_ne!(content("a\nb\na\n", "1"), content("a\nb\na\n", "2"));
        assert_eq!(content("a\r\na\n", "1"), None, "a line end is a difference, too");
        assert_ne!(content("ab\nc\na\na\nbc", "1,2"), content("ab\nc\na\na\nbc", "3,5"));
    }
}
