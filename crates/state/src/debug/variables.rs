//! Globals, statics and locals.

use super::entry::{self, Die, DwarfEntry, DwarfSlice, DwarfValue};
use super::image::LoadedImage;
use super::location::{EvaluationContext, ValueLocation, no_entry_values};
use super::outline::{is_fixed, is_of_thread};
use super::table::Types;
use super::unit::ranges;
use super::{LiveVariable, StackFrame};
use crate::{Address, ReadMemory};
use gimli::constants as dw;
use gimli::{UnitOffset, UnitRef};
use std::collections::HashSet;

/// Deeper blocks are ignored.
const DEEPEST: usize = 128;
/// At most this number of locals is read.
const MOST: usize = 1 << 16;

/// Globals and statics of one file, without the read-only ones.
pub(super) fn globals(
    images: &[LoadedImage],
    types: &Types,
    image: &LoadedImage,
    memory: &dyn ReadMemory,
) -> Vec<LiveVariable> {
    let mut variables = Vec::new();
    let mut seen = HashSet::new();
    for (number, home) in image.units.iter().enumerate() {
        let number = number as u32;
        let Some(unit) = image.unit(number) else { continue };
        for offset in &home.outline.variables {
            let die = Die { image: image.number, unit: number, offset: *offset };
            let Some(entry) = entry::read(&unit, UnitOffset(*offset as usize)) else { continue };
            let scene = EvaluationContext {
                image,
                unit,
                function: None,
                frame: None,
                memory,
                entry_value: &no_entry_values,
            };
            let Some(location) = entry.attr_value(dw::DW_AT_location) else { continue };
            let Some(ValueLocation::At(at)) = scene.locate(location) else { continue };
            let is_of_thread =
                matches!(&location, DwarfValue::Exprloc(expression) if is_of_thread(expression));
            let segment = || image.segment((at - image.bias).0);
            if !is_of_thread && !segment().is_some_and(|segment| segment.writable) {
                continue;
            }
            let Some(name) = image.name(die, &entry) else { continue };
            if !seen.insert((at, name)) {
                continue;
            }
            let function = function_around(image, die);
            let name = match &function {
                Some(_) => name.to_owned(),
                None => image.qualified(die, &entry).unwrap_or_else(|| name.to_owned()),
            };
            let ty = types.type_of(images, die, &entry);
            variables.push(LiveVariable { name, ty, at, file: image.file_of(die, &entry), function });
        }
    }
    variables
}

/// The qualified name of the function that contains an entry.
fn function_around(image: &LoadedImage, die: Die) -> Option<String> {
    let home = image.units.get(die.unit as usize)?;
    let scope = home.outline.around(die.offset as usize).find(|scope| scope.tag == dw::DW_TAG_subprogram)?;
    let function = Die { offset: scope.start, ..die };
    let entry = entry::read(*image.unit(die.unit)?, function.at())?;
    image.qualified(function, &entry)
}

/// The locals of a frame: those with an address, and how many have none.
pub(super) struct Locals<'a> {
    /// All files.
    pub(super) images: &'a [LoadedImage],
    /// All types.
    pub(super) types: &'a Types,
    /// Where expressions are evaluated.
    pub(super) scene: EvaluationContext<'a>,
    /// The function of the frame.
    pub(super) function: Die,
    /// Whether locals of scopes that do not contain the position of the frame are read, too.
    pub(super) of_all_scopes: bool,
    /// The locals, innermost scopes first.
    pub(super) found: Vec<LiveVariable>,
    /// The number of locals without an address.
    pub(super) lost: usize,
}

impl Locals<'_> {
    /// Reads the function's own scope, and all inner scopes that contain the position of the frame.
    pub(super) fn read(&mut self, frame: &StackFrame) {
        let at = (frame.lookup() - self.scene.image.bias).0;
        self.scope(self.function.at(), at, 0);
    }

    fn scope(&mut self, scope: UnitOffset, at: u64, depth: usize) {
        let unit = self.scene.unit;
        let mut own = Vec::new();
        let mut inner = Vec::new();
        entry::each_child(&unit, scope, |child| {
            match child.tag() {
                dw::DW_TAG_formal_parameter | dw::DW_TAG_variable => own.push(child.clone()),
                dw::DW_TAG_lexical_block
                | dw::DW_TAG_inlined_subroutine
                | dw::DW_TAG_try_block
                | dw::DW_TAG_catch_block
                | dw::DW_TAG_GNU_formal_parameter_pack => {
                    let is_pack = child.tag() == dw::DW_TAG_GNU_formal_parameter_pack;
                    if is_pack || self.of_all_scopes || holds(unit, child, at) {
                        inner.push(child.offset());
                    }
                }
                _ => {}
            }
            own.len() < MOST
        });
        if depth < DEEPEST {
            for scope in inner {
                self.scope(scope, at, depth + 1);
            }
        }
        for entry in own {
            self.local(&entry);
        }
    }

    fn local(&mut self, entry: &DwarfEntry) {
        let image = self.scene.image;
        let Some(die) = self.function.sibling(entry.offset()) else { return };
        let value = entry.attr_value(dw::DW_AT_location);
        if let Some(DwarfValue::Exprloc(expression)) = &value
            && is_fixed(expression)
        {
            // A static variable; it is among the globals.
            return;
        }
        let Some(name) = image.name(die, entry) else { return };
        if value.is_none() && entry::flag(entry, dw::DW_AT_declaration) {
            return;
        }
        match value.and_then(|value| self.scene.locate(value)) {
            Some(ValueLocation::At(at)) if at != Address(0) => {
                let ty = self.types.type_of(self.images, die, entry);
                let file = image.file_of(die, entry);
                self.found.push(LiveVariable { name: name.to_owned(), ty, at, file, function: None });
            }
            _ => self.lost += 1,
        }
    }
}

/// Whether the code of a scope contains an address.
fn holds(unit: UnitRef<'_, DwarfSlice>, scope: &DwarfEntry, at: u64) -> bool {
    ranges(unit, scope).iter().any(|(start, end)| (*start..*end).contains(&at))
}
