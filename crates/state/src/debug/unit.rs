//! A unit of the debug information, and what is read of it at the start.

use super::entry::{self, DwarfEntry, DwarfSlice, DwarfUnit, DwarfValue};
use super::lines::LineTable;
use super::outline::UnitOutline;
use gimli::constants as dw;
use gimli::{Dwarf, UnitRef};
use std::collections::HashMap;
use std::sync::OnceLock;

/// One `.debug_info` section, with the sections that it refers to.
#[derive(Debug)]
pub(super) struct Source {
    /// Its sections.
    pub(super) dwarf: Dwarf<DwarfSlice>,
    /// Offset in the section and number of each unit, ascending.
    pub(super) offsets: Vec<(usize, u32)>,
}

/// A unit, with what was read of it.
#[derive(Debug)]
pub(super) struct UnitOfImage {
    /// The number of its source.
    pub(super) source: u32,
    /// Its header and abbreviations.
    pub(super) unit: DwarfUnit,
    /// Where its line table is.
    pub(super) line_table: Option<gimli::DebugLineOffset>,
    /// The unit that is left in the program, if this one was split off. It has the line table.
    pub(super) skeleton: Option<u32>,
    /// Its language.
    pub(super) language: UnitLanguage,
    /// Where things are in it.
    pub(super) outline: UnitOutline,
    /// Its line table; read when it is first needed.
    pub(super) lines: OnceLock<LineTable>,
    /// The typedefs that give names to entries without a name.
    pub(super) typedefs: OnceLock<HashMap<u32, &'static str>>,
}

/// How names are qualified and spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitLanguage {
    /// C, assembler, and unknown languages: names are not qualified.
    C,
    /// C++ and similar languages.
    Cpp,
    /// Rust.
    Rust,
}

impl UnitOfImage {
    /// Reads the outline of a unit.
    pub(super) fn new(dwarf: &Dwarf<DwarfSlice>, mut unit: DwarfUnit, source: u32) -> Self {
        // The names of all files would take most of the memory, and the lines of most units are never needed.
        let line_table = unit.line_program.take().map(|program| program.header().offset());
        let language = language_of(UnitRef::new(dwarf, &unit));
        let outline = UnitOutline::read(&unit);
        Self {
            source,
            unit,
            line_table,
            skeleton: None,
            language,
            outline,
            lines: OnceLock::new(),
            typedefs: OnceLock::new(),
        }
    }
}

/// A text attribute of an entry.
pub(super) fn text(
    unit: UnitRef<'_, DwarfSlice>,
    entry: &DwarfEntry,
    name: gimli::DwAt,
) -> Option<&'static str> {
    let slice = unit.attr_string(entry.attr_value(name)?).ok()?;
    std::str::from_utf8(slice.slice()).ok()
}

/// The address ranges of an entry, without the bias.
pub(super) fn ranges(unit: UnitRef<'_, DwarfSlice>, entry: &DwarfEntry) -> Vec<(u64, u64)> {
    /// At most this number of ranges is read.
    const MOST: usize = 65_536;
    if let Some(value) = entry.attr_value(dw::DW_AT_ranges) {
        let Ok(Some(list)) = unit.attr_ranges(value) else { return Vec::new() };
        let ranges = list.map_while(Result::ok).filter(|range| range.begin < range.end);
        return ranges.take(MOST).map(|range| (range.begin, range.end)).collect();
    }
    let address = |name| unit.attr_address(entry.attr_value(name)?).ok().flatten();
    let Some(low) = address(dw::DW_AT_low_pc) else { return Vec::new() };
    let high = match entry.attr_value(dw::DW_AT_high_pc) {
        Some(DwarfValue::Udata(size)) => low.checked_add(size),
        Some(_) => address(dw::DW_AT_high_pc),
        None => None,
    };
    high.filter(|high| low < *high).map(|high| (low, high)).into_iter().collect()
}

/// Whether GCC compiled a unit. Without optimisation it keeps results inside an expression in registers, as long as there are any.
pub(super) fn is_from_gcc(unit: UnitRef<'_, DwarfSlice>) -> bool {
    let root = entry::read(&unit, unit.header.root_offset());
    let producer = root.and_then(|root| text(unit, &root, dw::DW_AT_producer));
    producer.is_some_and(|producer| producer.starts_with("GNU "))
}

fn language_of(unit: UnitRef<'_, DwarfSlice>) -> UnitLanguage {
    let root = entry::read(&unit, unit.header.root_offset());
    match root.and_then(|root| root.attr_value(dw::DW_AT_language)) {
        Some(DwarfValue::Language(dw::DW_LANG_Rust)) => UnitLanguage::Rust,
        Some(DwarfValue::Language(
            dw::DW_LANG_C_plus_plus
            | dw::DW_LANG_C_plus_plus_03
            | dw::DW_LANG_C_plus_plus_11
            | dw::DW_LANG_C_plus_plus_14
            | dw::DW_LANG_C_plus_plus_17
            | dw::DW_LANG_C_plus_plus_20
            | dw::DW_LANG_D
            | dw::DW_LANG_Swift
            | dw::DW_LANG_Zig,
        )) => UnitLanguage::Cpp,
        _ => UnitLanguage::C,
    }
}
