//! One loaded file with its debug information.

use super::bytes::Bytes;
use super::cfi::Cfi;
use super::elf::{Elf, Segment};
use super::entry::{self, Die, DwarfSlice, DwarfValue};
use super::lines::LineTable;
use super::symbols::Symbols;
use super::type_definitions::TypeDefinitions;
use super::unit::{Source, UnitOfImage, ranges, text};
use gimli::constants as dw;
use gimli::{UnitOffset, UnitRef};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// One loaded file. Its addresses are without the bias.
#[derive(Debug)]
pub(super) struct LoadedImage {
    /// Its number among the loaded files.
    pub(super) number: u32,
    /// What the process adds to its addresses.
    pub(super) bias: u64,
    /// The file that runs.
    pub(super) elf: Elf,
    /// The file with its debug information, if that is a separate file.
    pub(super) separate: Option<Elf>,
    /// What is loaded where.
    pub(super) segments: Vec<Segment>,
    /// The files that units are read from.
    pub(super) sources: Vec<Source>,
    /// All units of all sources.
    pub(super) units: Vec<UnitOfImage>,
    /// Type units by their signature.
    pub(super) signatures: HashMap<u64, (u32, UnitOffset)>,
    /// The unit that reads each line table.
    pub(super) line_owners: OnceLock<HashMap<(u32, usize), u32>>,
    /// Start, end and unit of all code, by start.
    pub(super) unit_ranges: OnceLock<Vec<(u64, u64, u32)>>,
    /// The number of the source that is the supplementary file.
    pub(super) supplement: Option<u32>,
    /// The other files with debug information that were looked for.
    pub(super) looked_in: Vec<PathBuf>,
    /// How to unwind its frames.
    pub(super) cfi: Cfi,
    /// The symbols; read when they are first needed.
    pub(super) symbols: OnceLock<Symbols>,
    /// The types by name; read when they are first needed.
    pub(super) definitions: OnceLock<TypeDefinitions>,
    /// The last field, because all others refer to it.
    pub(super) _bytes: Arc<Bytes>,
}

impl LoadedImage {
    /// Whether there is any debug information.
    pub(super) fn has_debug_information(&self) -> bool {
        // A unit without entries stands for a unit in a file that was not found.
        self.units.iter().any(|unit| unit.outline.entries > 1)
    }

    /// A unit, ready to be read.
    pub(super) fn unit(&self, number: u32) -> Option<UnitRef<'_, DwarfSlice>> {
        let unit = self.units.get(number as usize)?;
        let source = self.sources.get(unit.source as usize)?;
        Some(UnitRef::new(&source.dwarf, &unit.unit))
    }

    /// The line table of a unit.
    pub(super) fn lines(&self, number: u32) -> Option<&LineTable> {
        let entry = self.units.get(number as usize)?;
        if let Some(skeleton) = entry.skeleton.filter(|skeleton| *skeleton < number) {
            return self.lines(skeleton);
        }
        // All type units of a file share a line table with the unit that they were split off from.
        let owners = self.line_owners.get_or_init(|| self.find_line_owners());
        let owner = entry.line_table.and_then(|table| owners.get(&(entry.source, table.0)));
        let number = owner.copied().unwrap_or(number);
        let entry = self.units.get(number as usize)?;
        Some(entry.lines.get_or_init(|| {
            let unit = self.unit(number);
            unit.and_then(|unit| LineTable::read(unit, entry.line_table?, |at| self.is_code(at)))
                .unwrap_or_default()
        }))
    }

    /// For each line table the first unit that has it; if possible a unit that knows its folder.
    fn find_line_owners(&self) -> HashMap<(u32, usize), u32> {
        let mut owners = HashMap::new();
        for knows_folder in [true, false] {
            for (number, entry) in self.units.iter().enumerate() {
                if let Some(table) =
                    entry.line_table.filter(|_| entry.unit.comp_dir.is_some() == knows_folder)
                {
                    owners.entry((entry.source, table.0)).or_insert(number as u32);
                }
            }
        }
        owners
    }

    /// The entry that an attribute refers to.
    pub(super) fn refers_to(&self, from: Die, value: DwarfValue) -> Option<Die> {
        match value {
            DwarfValue::UnitRef(offset) => from.sibling(offset),
            DwarfValue::DebugInfoRef(offset) => {
                let source = self.units.get(from.unit as usize)?.source;
                self.die_in(source, offset.0)
            }
            DwarfValue::DebugInfoRefSup(offset) => self.die_in(self.supplement?, offset.0),
            DwarfValue::DebugTypesRef(signature) => {
                let (unit, offset) = *self.signatures.get(&signature.0)?;
                Die { unit, ..from }.sibling(offset)
            }
            _ => None,
        }
    }

    /// The entry at an offset of a whole section.
    fn die_in(&self, source: u32, offset: usize) -> Option<Die> {
        let offsets = &self.sources.get(source as usize)?.offsets;
        let after = offsets.partition_point(|(start, _)| *start <= offset);
        let (start, unit) = *offsets.get(after.checked_sub(1)?)?;
        let offset = u32::try_from(offset - start).ok()?;
        Some(Die { image: self.number, unit, offset })
    }

    /// The segment at an address.
    pub(super) fn segment(&self, at: u64) -> Option<Segment> {
        self.segments.iter().find(|segment| (segment.start..segment.end).contains(&at)).copied()
    }

    /// Whether there can be code at an address.
    pub(super) fn is_code(&self, at: u64) -> bool {
        at != 0 && self.segment(at).is_some_and(|segment| segment.executable)
    }

    /// The unit whose code holds an address.
    pub(super) fn unit_at(&self, at: u64) -> Option<u32> {
        let ranges = self.unit_ranges.get_or_init(|| self.find_unit_ranges());
        let after = ranges.partition_point(|(start, _, _)| *start <= at);
        let (_, end, unit) = *ranges.get(after.checked_sub(1)?)?;
        (at < end).then_some(unit)
    }

    fn find_unit_ranges(&self) -> Vec<(u64, u64, u32)> {
        let mut found = Vec::new();
        for number in 0..self.units.len() as u32 {
            let Some(unit) = self.unit(number) else { continue };
            let Some(root) = entry::read(&unit, unit.header.root_offset()) else { continue };
            found.extend(ranges(unit, &root).into_iter().map(|(start, end)| (start, end, number)));
        }
        found.retain(|(start, _, _)| self.is_code(*start));
        found.sort_unstable();
        found
    }

    /// The named types.
    pub(super) fn definitions(&self) -> &TypeDefinitions {
        self.definitions.get_or_init(|| self.find_definitions())
    }

    /// Whether an address of the process belongs to this file.
    pub(super) fn holds(&self, at: u64) -> bool {
        self.segment(at.wrapping_sub(self.bias)).is_some()
    }

    /// The call frame information.
    pub(super) fn cfi(&self) -> &Cfi {
        &self.cfi
    }

    /// The names of the symbol table.
    pub(super) fn symbols(&self) -> &Symbols {
        self.symbols.get_or_init(|| {
            let more = self.separate.as_ref().map(Elf::symbols).unwrap_or_default();
            Symbols::new(self.elf.symbols(), more)
        })
    }

    /// The typedef that gives a name to an entry without a name.
    pub(super) fn typedef_of(&self, die: Die) -> Option<&'static str> {
        let entry = self.units.get(die.unit as usize)?;
        let names = entry.typedefs.get_or_init(|| self.find_typedefs(die.unit));
        names.get(&die.offset).copied()
    }

    fn find_typedefs(&self, number: u32) -> HashMap<u32, &'static str> {
        let mut names = HashMap::new();
        let Some(unit) = self.unit(number) else { return names };
        for offset in &self.units[number as usize].outline.types {
            let Some(entry) = entry::read(&unit, UnitOffset(*offset as usize)) else { continue };
            if entry.tag() != dw::DW_TAG_typedef {
                continue;
            }
            if let (Some(DwarfValue::UnitRef(to)), Some(name)) =
                (entry.attr_value(dw::DW_AT_type), text(unit, &entry, dw::DW_AT_name))
                && let Ok(to) = u32::try_from(to.0)
            {
                names.entry(to).or_insert(name);
            }
        }
        names
    }
}
