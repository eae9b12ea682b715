//! The line table of a unit.

use super::entry::DwarfSlice;
use gimli::{DebugLineOffset, UnitRef};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lines of addresses.
#[derive(Debug, Default)]
pub(super) struct LineTable {
    /// By address; of several with the same address the last one counts.
    rows: Vec<LineRow>,
    /// The files by their numbers, made absolute.
    files: Vec<Arc<Path>>,
    /// The files by their numbers, as the compiler was given them.
    given: Vec<String>,
}

/// The code of a line begins, or that of a sequence of lines ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineRow {
    /// Its address, without the bias.
    pub(super) at: u64,
    /// The line; 0 if it is unknown.
    pub(super) line: u32,
    file: u32,
    /// Whether it is a good place for a breakpoint.
    pub(super) is_statement: bool,
    /// Whether the function's own code begins here.
    pub(super) ends_prologue: bool,
    /// Whether a sequence ends here.
    is_end: bool,
}

impl LineRow {
    /// The index of its file in [`LineTable::files`].
    pub(super) fn file_number(&self) -> usize {
        self.file as usize
    }
}

impl LineTable {
    /// Runs the line program of a unit. Keeps only the rows of code that is loaded.
    pub(super) fn read(
        unit: UnitRef<'_, DwarfSlice>,
        at: DebugLineOffset,
        is_code: impl Fn(u64) -> bool,
    ) -> Option<Self> {
        let program =
            unit.dwarf.debug_line.program(at, unit.header.address_size(), unit.comp_dir, unit.name).ok()?;
        let mut lines = Self::default();
        lines.read_files(unit, program.header());
        let mut rows = program.rows();
        while let Ok(Some((_, row))) = rows.next_row() {
            let is_end = row.end_sequence();
            let at = row.address();
            if at == 0 || !is_code(if is_end { at - 1 } else { at }) {
                continue;
            }
            lines.rows.push(LineRow {
                at,
                line: row.line().and_then(|line| u32::try_from(line.get()).ok()).unwrap_or(0),
                file: u32::try_from(row.file_index()).unwrap_or(u32::MAX),
                is_statement: row.is_stmt(),
                ends_prologue: row.prologue_end(),
                is_end,
            });
        }
        lines.rows.sort_by_key(|row| (row.at, !row.is_end));
        lines.rows.shrink_to_fit();
        Some(lines)
    }

    fn read_files(&mut self, unit: UnitRef<'_, DwarfSlice>, header: &gimli::LineProgramHeader<DwarfSlice>) {
        let folder = unit.comp_dir.map(path).unwrap_or_default();
        let first = u64::from(header.version() < 5);
        if first == 1 {
            self.push(&folder, unit.name.map(path).unwrap_or_default());
        }
        for number in 0..header.file_names().len() as u64 {
            let Some(file) = header.file(number + first) else { break };
            let mut given = PathBuf::new();
            if file.directory_index() != 0
                && let Some(directory) = file.directory(header)
                && let Ok(directory) = unit.attr_string(directory)
            {
                given.push(path(directory));
            }
            if let Ok(name) = unit.attr_string(file.path_name()) {
                given.push(path(name));
            }
            self.push(&folder, given);
        }
    }

    fn push(&mut self, folder: &Path, given: PathBuf) {
        // Collecting the components leaves out each `.` in the middle.
        let absolute: PathBuf = folder.join(&given).components().collect();
        self.files.push(absolute.into());
        self.given.push(given.components().collect::<PathBuf>().to_string_lossy().into_owned());
    }

    /// The files by their numbers, made absolute.
    pub(super) fn files(&self) -> &[Arc<Path>] {
        &self.files
    }

    /// A file by its number.
    pub(super) fn file(&self, number: u64) -> Option<&Arc<Path>> {
        self.files.get(usize::try_from(number).ok()?)
    }

    /// The file of a row.
    pub(super) fn file_of(&self, row: &LineRow) -> Option<&Arc<Path>> {
        self.files.get(row.file as usize)
    }

    /// A file by its number, as the compiler was given it.
    pub(super) fn given(&self, number: u64) -> Option<&str> {
        Some(self.given.get(usize::try_from(number).ok()?)?.as_str())
    }

    /// The row that an address belongs to.
    pub(super) fn at(&self, address: u64) -> Option<&LineRow> {
        let after = self.rows.partition_point(|row| row.at <= address);
        let row = self.rows.get(after.checked_sub(1)?)?;
        (!row.is_end && row.line > 0).then_some(row)
    }

    /// The rows that begin in a range of addresses.
    pub(super) fn within(&self, start: u64, end: u64) -> impl Iterator<Item = &LineRow> {
        let first = self.rows.partition_point(|row| row.at < start);
        let rows = self.rows.get(first..).unwrap_or_default().iter();
        rows.take_while(move |row| row.at < end).filter(|row| !row.is_end)
    }

    /// All rows of lines, by address.
    pub(super) fn rows(&self) -> impl Iterator<Item = &LineRow> {
        self.rows.iter().filter(|row| !row.is_end && row.line > 0)
    }
}

fn path(slice: DwarfSlice) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(slice.slice()))
}
