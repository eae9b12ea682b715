//! From lines to addresses and back.

use super::image::LoadedImage;
use super::lines::LineTable;
use super::{FunctionId, Program, SourcePosition, is_library_file};
use crate::Address;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Program {
    /// The line that an address belongs to.
    #[must_use]
    pub fn line_at(&self, at: Address) -> Option<SourcePosition> {
        let (image, lines) = self.lines_at(at)?;
        let row = lines.at((at - image.bias).0)?;
        Some(SourcePosition { file: Arc::clone(lines.file_of(row)?), line: row.line })
    }

    /// The first addresses (statement starts) of a line, or of the next line that has code.
    /// `file` can be the end of a path: `sort.c`, `src/sort.c`.
    #[must_use]
    pub fn addresses_of_line(&self, file: &str, line: u32) -> Vec<Address> {
        let file = file.trim_start_matches("./");
        // The nearest line with code so far, and for each function its first address.
        let mut nearest = u32::MAX;
        let mut first: BTreeMap<Option<FunctionId>, Address> = BTreeMap::new();
        for image in &self.images {
            for number in 0..image.units.len() as u32 {
                let Some(lines) = image.lines(number) else { continue };
                let wanted: Vec<bool> = lines.files().iter().map(|path| path.ends_with(file)).collect();
                if !wanted.contains(&true) {
                    continue;
                }
                for row in lines.rows().filter(|row| row.is_statement && row.line >= line) {
                    if row.line > nearest || !wanted.get(row.file_number()).copied().unwrap_or(false) {
                        continue;
                    }
                    if row.line < nearest {
                        nearest = row.line;
                        first.clear();
                    }
                    let at = Address(row.at) + image.bias;
                    let at_first = first.entry(self.function_at(at)).or_insert(at);
                    *at_first = at.min(*at_first);
                }
            }
        }
        let mut addresses = Vec::new();
        for (function, at) in first {
            // Before its body, a function's parameters are not yet where the debug information says.
            let entry = function.map(|id| self.function(id)).filter(|function| {
                function.ranges.first().is_some_and(|(start, _)| (*start..function.body).contains(&at))
            });
            addresses.push(entry.map_or(at, |function| function.body));
        }
        addresses.sort_unstable();
        addresses
    }

    /// All statement starts inside a function, by address. Functions of a library that the compiler has put into it are left out: the
    /// statement goes on after them.
    #[must_use]
    pub fn statements(&self, function: FunctionId) -> Vec<(Address, SourcePosition)> {
        let functions = self.all_functions();
        let mut statements = BTreeMap::new();
        let (Some(die), Some(function)) =
            (functions.dies.get(function.0 as usize), functions.list.get(function.0 as usize))
        else {
            return Vec::new();
        };
        let Some(image) = self.images.get(die.image as usize) else { return Vec::new() };
        let Some(lines) = image.lines(die.unit) else { return Vec::new() };
        let is_library = is_library_file(&function.file);
        for (start, end) in &function.ranges {
            for row in lines.within((*start - image.bias).0, (*end - image.bias).0) {
                if let (true, Some(file)) = (row.is_statement && row.line > 0, lines.file_of(row))
                    && (is_library || !is_library_file(file))
                {
                    let line = SourcePosition { file: Arc::clone(file), line: row.line };
                    statements.insert(Address(row.at) + image.bias, line);
                }
            }
        }
        statements.into_iter().collect()
    }

    /// The line table for an address.
    fn lines_at(&self, at: Address) -> Option<(&LoadedImage, &LineTable)> {
        if let Some(FunctionId(number)) = self.function_at(at) {
            let die = self.all_functions().dies.get(number as usize)?;
            let image = self.images.get(die.image as usize)?;
            return Some((image, image.lines(die.unit)?));
        }
        let image = self.image_at(at)?;
        let unit = image.unit_at((at - image.bias).0)?;
        Some((image, image.lines(unit)?))
    }
}
