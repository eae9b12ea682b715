//! One loaded file with its debug information.

use super::DebugError;
use super::bytes::Bytes;
use super::cfi::Cfi;
use super::definitions::Definitions;
use super::elf::{Elf, Segment};
use super::entry::{self, Die, Entry, Slice, Unit, Value};
use super::lines::Lines;
use super::outline::Outline;
use super::symbols::Symbols;
use gimli::constants as dw;
use gimli::{Dwarf, LittleEndian, UnitOffset, UnitRef, UnitType};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// One loaded file. Its addresses are its own, without the bias.
#[derive(Debug)]
pub(super) struct Image {
    /// Its number among the loaded ones.
    pub(super) number: u32,
    /// What the process adds to its addresses.
    pub(super) bias: u64,
    /// The file that runs.
    pub(super) elf: Elf,
    /// The file with its debug information, if that is another one.
    pub(super) separate: Option<Elf>,
    /// What is loaded where.
    segments: Vec<Segment>,
    /// The files that units are read from.
    sources: Vec<Source>,
    /// All units of all sources.
    pub(super) units: Vec<UnitOfImage>,
    /// Type units by their signature.
    signatures: HashMap<u64, (u32, UnitOffset)>,
    /// How to unwind its frames.
    cfi: Cfi,
    /// Names from the symbol table, when they are asked for.
    symbols: OnceLock<Symbols>,
    /// Types by name, when they are asked for.
    definitions: OnceLock<Definitions>,
    /// The last field, for all others refer to it.
    _bytes: Arc<Bytes>,
}

/// One `.debug_info` and what belongs to it.
#[derive(Debug)]
struct Source {
    dwarf: Dwarf<Slice>,
    /// Offset in the section and number of each unit, ascending.
    offsets: Vec<(usize, u32)>,
}

/// A unit, and what is known of it.
#[derive(Debug)]
pub(super) struct UnitOfImage {
    /// Which of the sources it is from.
    source: u32,
    /// Its header and abbreviations.
    unit: Unit,
    /// Where its line table is.
    line_table: Option<gimli::DebugLineOffset>,
    /// Its language.
    pub(super) language: Language,
    /// What is where in it.
    pub(super) outline: Outline,
    /// Its line table, once it was asked for.
    lines: OnceLock<Lines>,
    /// Which typedef names an entry that has no name.
    typedefs: OnceLock<HashMap<u32, &'static str>>,
}

/// What names look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// C, assembler and everything unknown: nothing is qualified.
    C,
    /// C++ and its like.
    Cpp,
    /// Rust.
    Rust,
}

impl Image {
    /// Reads the outline of a file. Without debug information it has no units.
    pub(super) fn load(path: &Path, bias: u64, number: u32) -> Result<Self, DebugError> {
        let bytes = Arc::new(Bytes::default());
        let elf = Elf::open(path, &bytes)?;
        let corrupt = |why: String| DebugError::Corrupt { path: path.to_owned(), why };
        let mut image = Self {
            number,
            bias,
            segments: elf.segments(),
            separate: None,
            sources: Vec::new(),
            units: Vec::new(),
            signatures: HashMap::new(),
            cfi: Cfi::read(&elf, None),
            symbols: OnceLock::new(),
            definitions: OnceLock::new(),
            elf,
            _bytes: bytes,
        };
        if image.elf.has_debug_information() {
            let dwarf = dwarf_of(&image.elf).map_err(corrupt)?;
            let problem = image.add_source(dwarf);
            if let (true, Some(why)) = (image.units.is_empty(), problem) {
                return Err(corrupt(why));
            }
        }
        Ok(image)
    }

    /// Takes up all units of a source; says what was wrong with the first that could not be read.
    fn add_source(&mut self, mut dwarf: Dwarf<Slice>) -> Option<String> {
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        let source = self.sources.len() as u32;
        let mut problem = None;
        let mut offsets = Vec::new();
        let mut headers = dwarf.units();
        let mut type_headers = dwarf.type_units();
        loop {
            let header = match headers.next() {
                Ok(Some(header)) => Some(header),
                Ok(None) => type_headers.next().ok().flatten(),
                Err(error) => {
                    problem.get_or_insert(error.to_string());
                    type_headers.next().ok().flatten()
                }
            };
            let Some(header) = header else { break };
            let kind = header.type_();
            let offset = header.debug_info_offset();
            let unit = match dwarf.unit(header) {
                Ok(unit) => UnitOfImage::new(&dwarf, unit, source),
                Err(error) => {
                    problem.get_or_insert(error.to_string());
                    continue;
                }
            };
            let number = self.units.len() as u32;
            if let Some(offset) = offset {
                offsets.push((offset.0, number));
            }
            if let UnitType::Type { type_signature, type_offset } | UnitType::SplitType { type_signature, type_offset } =
                kind
            {
                self.signatures.entry(type_signature.0).or_insert((number, type_offset));
            }
            self.units.push(unit);
        }
        self.sources.push(Source { dwarf, offsets });
        problem
    }

    /// Whether there is any debug information.
    pub(super) fn has_units(&self) -> bool {
        !self.units.is_empty()
    }

    /// A unit, ready to be read.
    pub(super) fn unit(&self, number: u32) -> Option<UnitRef<'_, Slice>> {
        let unit = self.units.get(number as usize)?;
        let source = self.sources.get(unit.source as usize)?;
        Some(UnitRef::new(&source.dwarf, &unit.unit))
    }

    /// The line table of a unit.
    pub(super) fn lines(&self, number: u32) -> Option<&Lines> {
        let entry = self.units.get(number as usize)?;
        Some(entry.lines.get_or_init(|| {
            let unit = self.unit(number);
            unit.and_then(|unit| Lines::read(unit, entry.line_table?, |at| self.is_code(at))).unwrap_or_default()
        }))
    }

    /// What an attribute refers to.
    pub(super) fn refers_to(&self, from: Die, value: Value) -> Option<Die> {
        match value {
            Value::UnitRef(offset) => from.sibling(offset),
            Value::DebugInfoRef(offset) => {
                let source = self.units.get(from.unit as usize)?.source;
                self.die_in(source, offset.0)
            }
            Value::DebugInfoRefSup(offset) => self.die_in(1, offset.0),
            Value::DebugTypesRef(signature) => {
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

    /// What is loaded at an address.
    pub(super) fn segment(&self, at: u64) -> Option<Segment> {
        self.segments.iter().find(|segment| (segment.start..segment.end).contains(&at)).copied()
    }

    /// Whether there may be code at an address.
    pub(super) fn is_code(&self, at: u64) -> bool {
        at != 0 && self.segment(at).is_some_and(|segment| segment.executable)
    }

    /// The named types.
    pub(super) fn definitions(&self) -> &Definitions {
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

    /// The typedef that names an entry which has no name of its own.
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
            if let (Some(Value::UnitRef(to)), Some(name)) = (entry.attr_value(dw::DW_AT_type), text(unit, &entry, dw::DW_AT_name))
                && let Ok(to) = u32::try_from(to.0)
            {
                names.entry(to).or_insert(name);
            }
        }
        names
    }
}

impl UnitOfImage {
    fn new(dwarf: &Dwarf<Slice>, mut unit: Unit, source: u32) -> Self {
        // The names of all files would take most of the memory, and few units are ever asked for lines.
        let line_table = unit.line_program.take().map(|program| program.header().offset());
        let language = language_of(UnitRef::new(dwarf, &unit));
        let outline = Outline::read(&unit);
        Self { source, unit, line_table, language, outline, lines: OnceLock::new(), typedefs: OnceLock::new() }
    }
}

/// A text of an entry.
pub(super) fn text(unit: UnitRef<'_, Slice>, entry: &Entry, name: gimli::DwAt) -> Option<&'static str> {
    let slice = unit.attr_string(entry.attr_value(name)?).ok()?;
    std::str::from_utf8(slice.slice()).ok()
}

/// The code of an entry, without its bias.
pub(super) fn ranges(unit: UnitRef<'_, Slice>, entry: &Entry) -> Vec<(u64, u64)> {
    /// More ranges than this no function has.
    const MOST: usize = 65_536;
    if let Some(value) = entry.attr_value(dw::DW_AT_ranges) {
        let Ok(Some(list)) = unit.attr_ranges(value) else { return Vec::new() };
        let ranges = list.map_while(Result::ok).filter(|range| range.begin < range.end);
        return ranges.take(MOST).map(|range| (range.begin, range.end)).collect();
    }
    let address = |name| unit.attr_address(entry.attr_value(name)?).ok().flatten();
    let Some(low) = address(dw::DW_AT_low_pc) else { return Vec::new() };
    let high = match entry.attr_value(dw::DW_AT_high_pc) {
        Some(Value::Udata(size)) => low.checked_add(size),
        Some(_) => address(dw::DW_AT_high_pc),
        None => None,
    };
    high.filter(|high| low < *high).map(|high| (low, high)).into_iter().collect()
}

/// The sections with debug information.
fn dwarf_of(elf: &Elf) -> Result<Dwarf<Slice>, String> {
    Dwarf::load(|section| Ok(Slice::new(elf.section(section.name())?, LittleEndian)))
}

fn language_of(unit: UnitRef<'_, Slice>) -> Language {
    let root = entry::read(&unit, unit.header.root_offset());
    match root.and_then(|root| root.attr_value(dw::DW_AT_language)) {
        Some(Value::Language(dw::DW_LANG_Rust)) => Language::Rust,
        Some(Value::Language(
            dw::DW_LANG_C_plus_plus
            | dw::DW_LANG_C_plus_plus_03
            | dw::DW_LANG_C_plus_plus_11
            | dw::DW_LANG_C_plus_plus_14
            | dw::DW_LANG_C_plus_plus_17
            | dw::DW_LANG_C_plus_plus_20
            | dw::DW_LANG_D
            | dw::DW_LANG_Swift
            | dw::DW_LANG_Zig,
        )) => Language::Cpp,
        _ => Language::C,
    }
}
