//! Loads a file with its debug information, which can be in other files.

use super::DebugError;
use super::bytes::Bytes;
use super::cfi::Cfi;
use super::elf::Elf;
use super::entry::{DwarfSlice, DwarfUnit};
use super::files::DebugFileSearch;
use super::image::LoadedImage;
use super::unit::{Source, UnitOfImage};
use gimli::{Dwarf, DwarfPackage, DwoId, LittleEndian, SectionId, UnitHeader, UnitType};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// With at least this number of units, several threads read them.
const MANY: usize = 32;

impl LoadedImage {
    /// Reads the outline of a file. A file without debug information has no units.
    pub(super) fn load(path: &Path, bias: u64, number: u32, folders: &[PathBuf]) -> Result<Self, DebugError> {
        let bytes = Arc::new(Bytes::default());
        let elf = Elf::open(path, &bytes)?;
        let mut search = DebugFileSearch { folders, looked_in: Vec::new(), bytes: &bytes };
        let separate = if elf.has_debug_information() { None } else { search.separate(&elf) };
        let mut image = Self {
            number,
            bias,
            segments: elf.segments(),
            cfi: Cfi::read(&elf, separate.as_ref()),
            separate,
            sources: Vec::new(),
            units: Vec::new(),
            signatures: HashMap::new(),
            supplement: None,
            unit_ranges: OnceLock::new(),
            line_owners: OnceLock::new(),
            symbols: OnceLock::new(),
            definitions: OnceLock::new(),
            looked_in: Vec::new(),
            elf,
            _bytes: Arc::clone(&bytes),
        };
        if image.elf.has_debug_information() || image.separate.is_some() {
            let problem = image.add_all(&mut search);
            if let (true, Some(why)) = (image.units.is_empty(), problem) {
                return Err(DebugError::Corrupt { path: path.to_owned(), why });
            }
        }
        image.looked_in = search.looked_in;
        Ok(image)
    }

    /// Adds the debug information of this file. Returns the first error.
    fn add_all(&mut self, search: &mut DebugFileSearch<'_>) -> Option<String> {
        let home = self.separate.as_ref().unwrap_or(&self.elf);
        let mut dwarf = match sections(home, |section| Some(section.name())) {
            Ok(dwarf) => dwarf,
            Err(why) => return Some(why),
        };
        let supplement = search.supplement(home);
        let supplement =
            supplement.and_then(|elf| Some((sections(&elf, own).ok()?, sections(&elf, own).ok()?)));
        let mut more = None;
        if let Some((for_names, for_units)) = supplement {
            dwarf.set_sup(for_names);
            more = Some(for_units);
        }
        let problem = self.add_source(dwarf, None);
        if let Some(more) = more {
            self.supplement = Some(self.sources.len() as u32);
            self.add_source(more, None);
        }
        self.add_split(search);
        problem
    }

    /// Adds all units of a source. Returns the error of the first unit that could not be read.
    fn add_source(&mut self, mut dwarf: Dwarf<DwarfSlice>, skeleton: Option<u32>) -> Option<String> {
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        let source = self.sources.len() as u32;
        let mut problem = None;
        let mut headers = Vec::new();
        let mut all = dwarf.units();
        loop {
            match all.next() {
                Ok(Some(header)) => headers.push(header),
                Ok(None) => break,
                Err(error) => {
                    problem = Some(error.to_string());
                    break;
                }
            }
        }
        headers.extend(dwarf.type_units().map_while(Result::ok));
        let skeleton_unit =
            skeleton.and_then(|number| self.units.get(number as usize)).map(|unit| &unit.unit);
        let units = read_units(&dwarf, &headers, source, skeleton_unit);
        let mut offsets = Vec::new();
        for (header, unit) in headers.iter().zip(units) {
            let mut unit = match unit {
                Ok(unit) => unit,
                Err(error) => {
                    problem.get_or_insert(error.to_string());
                    continue;
                }
            };
            unit.skeleton = skeleton;
            let number = self.units.len() as u32;
            if let Some(offset) = header.debug_info_offset() {
                offsets.push((offset.0, number));
            }
            if let UnitType::Type { type_signature, type_offset }
            | UnitType::SplitType { type_signature, type_offset } = header.type_()
            {
                self.signatures.entry(type_signature.0).or_insert((number, type_offset));
            }
            self.units.push(unit);
        }
        self.sources.push(Source { dwarf, offsets });
        problem
    }

    /// Adds the units that the compiler put into files of their own.
    fn add_split(&mut self, search: &mut DebugFileSearch<'_>) {
        let skeletons: Vec<(u32, DwoId, PathBuf, PathBuf)> = (0..self.units.len() as u32)
            .filter_map(|number| {
                let unit = self.unit(number)?;
                let name = unit.attr_string(unit.dwo_name().ok()??).ok()?;
                let folder = unit.comp_dir.map(path).unwrap_or_default();
                Some((number, unit.dwo_id?, folder, path(name)))
            })
            .collect();
        if skeletons.is_empty() {
            return;
        }
        let program = self.separate.as_ref().unwrap_or(&self.elf).path.clone();
        let package = search.package(&program).and_then(|elf| {
            let section = |section: SectionId| read_section(&elf, section.dwo_name());
            DwarfPackage::load(section, DwarfSlice::new(&[], LittleEndian)).ok()
        });
        for (skeleton, id, folder, name) in skeletons {
            let Some(parent) = self.sources.first().map(|source| &source.dwarf) else { return };
            let packed = package.as_ref().and_then(|package| package.find_cu(id, parent).ok().flatten());
            let dwarf = packed.or_else(|| {
                let elf = search.split(&program, &folder, &name)?;
                let mut dwarf = sections(&elf, SectionId::dwo_name).ok()?;
                dwarf.make_dwo(parent);
                Some(dwarf)
            });
            if let Some(dwarf) = dwarf {
                self.add_source(dwarf, Some(skeleton));
            }
        }
        let Some(package) = package else { return };
        for row in 1..=package.tu_index.unit_count() {
            let Some(parent) = self.sources.first().map(|source| &source.dwarf) else { return };
            if let Ok(dwarf) = package.tu_sections(row, parent) {
                self.add_source(dwarf, None);
            }
        }
    }
}

/// Reads the outlines of units, with several threads if there are many.
fn read_units(
    dwarf: &Dwarf<DwarfSlice>,
    headers: &[UnitHeader<DwarfSlice>],
    source: u32,
    skeleton: Option<&DwarfUnit>,
) -> Vec<Result<UnitOfImage, gimli::Error>> {
    let read = |header: &UnitHeader<DwarfSlice>| {
        let mut unit = dwarf.unit(*header)?;
        if let Some(skeleton) = skeleton {
            unit.copy_relocated_attributes(skeleton);
        }
        Ok(UnitOfImage::new(dwarf, unit, source))
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    if headers.len() < MANY || threads < 2 {
        return headers.iter().map(read).collect();
    }
    // Units differ much in size, so each thread takes every n-th one.
    let mut parts: Vec<_> = std::thread::scope(|scope| {
        let start = |first: usize| {
            scope.spawn(move || headers.iter().skip(first).step_by(threads).map(read).collect::<Vec<_>>())
        };
        let handles: Vec<_> = (0..threads).map(start).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_default().into_iter()).collect()
    });
    let units = (0..headers.len()).map(|number| parts[number % threads].next());
    units.map(|unit| unit.unwrap_or(Err(gimli::Error::MissingUnitDie))).collect()
}

fn own(section: SectionId) -> Option<&'static str> {
    Some(section.name())
}

fn read_section(elf: &Elf, name: Option<&str>) -> Result<DwarfSlice, gimli::Error> {
    let data = name.map_or(Ok(&[][..]), |name| elf.section(name));
    data.map(|data| DwarfSlice::new(data, LittleEndian)).map_err(|_| gimli::Error::Io)
}

/// The sections with debug information.
fn sections(
    elf: &Elf,
    name: impl Fn(SectionId) -> Option<&'static str>,
) -> Result<Dwarf<DwarfSlice>, String> {
    Dwarf::load(|section| {
        let data = name(section).map_or(Ok(&[][..]), |name| elf.section(name))?;
        Ok(DwarfSlice::new(data, LittleEndian))
    })
}

fn path(slice: DwarfSlice) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(slice.slice()))
}
