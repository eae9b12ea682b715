//! All functions with code of their own, and where their own code begins.

use super::entry::{self, Die};
use super::image::LoadedImage;
use super::unit::{ranges, text};
use super::{Function, FunctionId};
use crate::Address;
use gimli::UnitOffset;
use gimli::constants as dw;
use std::path::PathBuf;

/// All functions, by address.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// By entry.
    pub(super) list: Vec<Function>,
    /// Where each is described.
    pub(super) dies: Vec<Die>,
    /// Returned for a function that does not exist.
    pub(super) none: Function,
    /// Start, end and number, by start.
    ranges: Vec<(u64, u64, u32)>,
}

impl Functions {
    /// Reads the functions of all files.
    pub(super) fn read(images: &[LoadedImage]) -> Self {
        let mut found = Vec::new();
        for image in images {
            for number in 0..image.units.len() as u32 {
                functions_of(image, number, &mut found);
            }
        }
        found.sort_by_key(|(function, _)| function.ranges.first().map(|(start, _)| *start));
        found.dedup_by_key(|(function, _)| function.ranges.first().map(|(start, _)| *start));
        let (list, dies): (Vec<Function>, Vec<Die>) = found.into_iter().unzip();
        let mut ranges = Vec::with_capacity(list.len());
        for (number, function) in list.iter().enumerate() {
            ranges.extend(function.ranges.iter().map(|(start, end)| (start.0, end.0, number as u32)));
        }
        ranges.sort_unstable();
        Self { list, dies, none: Function::default(), ranges }
    }

    /// The function whose code holds an address.
    pub(super) fn at(&self, at: Address) -> Option<FunctionId> {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= at.0);
        let (_, end, number) = *self.ranges.get(after.checked_sub(1)?)?;
        (at.0 < end).then_some(FunctionId(number))
    }
}

fn functions_of(image: &LoadedImage, number: u32, found: &mut Vec<(Function, Die)>) {
    let Some(unit) = image.unit(number) else { return };
    let outline = &image.units[number as usize].outline;
    if outline.functions.is_empty() {
        return;
    }
    for offset in &outline.functions {
        let die = Die { image: image.number, unit: number, offset: *offset };
        let Some(entry) = entry::read(&unit, UnitOffset(*offset as usize)) else { continue };
        let mut ranges = ranges(unit, &entry);
        ranges.retain(|(start, _)| image.is_code(*start));
        let Some((start, _)) = ranges.first().copied() else { continue };
        let name = image.qualified(die, &entry);
        let name = name.or_else(|| Some(text(unit, &entry, dw::DW_AT_linkage_name)?.to_owned()));
        let Some(name) = name else { continue };
        let (body, file, line) = body(image, die, &ranges);
        let add = |at: u64| Address(at) + image.bias;
        let function = Function {
            name,
            ranges: ranges.into_iter().map(|(start, end)| (add(start), add(end))).collect(),
            body: add(body.unwrap_or(start)),
            file,
            line,
            module: image.number,
        };
        found.push((function, die));
    }
}

/// Where the function's own code begins, with the file and line.
fn body(image: &LoadedImage, die: Die, ranges: &[(u64, u64)]) -> (Option<u64>, PathBuf, u32) {
    let nowhere = (None, PathBuf::new(), 0);
    let (Some((start, end)), Some(lines)) = (ranges.first().copied(), image.lines(die.unit)) else {
        return nowhere;
    };
    let is_optimised = image.units[die.unit as usize].outline.has_moving_variables;
    let mut rows = lines.within(start, end);
    // If the compiler marks the end of the prologue, that is used. Otherwise the second line begins there, but only if
    // variables stay where they are; variables that move are followed from the first instruction on.
    let marked = lines.within(start, end).find(|row| row.ends_prologue);
    let row = marked.or_else(|| {
        if is_optimised { rows.next() } else { rows.find(|row| row.at > start && row.is_statement) }
    });
    let Some(at) = row.map_or(Some(start), |row| Some(row.at)) else { return nowhere };
    match lines.at(at) {
        Some(row) => {
            (Some(at), lines.file_of(row).map(|file| file.to_path_buf()).unwrap_or_default(), row.line)
        }
        None => (Some(at), PathBuf::new(), 0),
    }
}
