//! What an entry describes: a scalar, an array, a function or a record.

use super::entry::{self, Die, DwarfEntry, DwarfValue};
use super::found_type::{FoundType, NamedEntry, TypeKey};
use super::image::LoadedImage;
use super::spelling;
use super::table::Types;
use super::{ScalarEncoding, Type, TypeId};
use gimli::constants as dw;
use std::sync::Arc;

impl Types {
    /// A pointer to a member of a class: an offset, or 16 bytes for functions.
    pub(super) fn pointer_to_member(
        &self,
        images: &[LoadedImage],
        die: Die,
        entry: &DwarfEntry,
        path: &mut Vec<Die>,
    ) -> FoundType {
        let to = self.type_within(images, die, entry, path);
        let slot = self.slot(to);
        let is_function = matches!(slot.ty.get().map(|ty| &**ty), Some(Type::Function { .. }));
        let (size, encoding) =
            if is_function { (16, ScalarEncoding::Bytes) } else { (8, ScalarEncoding::Signed) };
        let name = spelling::pointer(&slot.name, "::*");
        let key = TypeKey::Scalar { name: name.clone(), size, encoding: 0 };
        FoundType { key, size, name: name.clone(), ty: Some(Type::Scalar { name, size, encoding }) }
    }

    /// The element type and the length of an array, without its first `dimension` dimensions.
    pub(super) fn array(
        &self,
        images: &[LoadedImage],
        die: Die,
        entry: &DwarfEntry,
        dimension: u8,
        path: &mut Vec<Die>,
    ) -> (TypeId, Option<u64>) {
        let mut counts = Vec::new();
        if let Some(unit) = images.get(die.image as usize).and_then(|image| image.unit(die.unit)) {
            entry::each_child(&unit, die.at(), |child| {
                match child.tag() {
                    dw::DW_TAG_subrange_type | dw::DW_TAG_generic_subrange => counts.push(count_of(child)),
                    dw::DW_TAG_enumeration_type => counts.push(None),
                    _ => {}
                }
                counts.len() < 32
            });
        }
        let count = counts.get(dimension as usize).copied().flatten();
        let of = if usize::from(dimension) + 1 < counts.len() {
            self.find(images, die, dimension + 1, path)
        } else {
            self.type_within(images, die, entry, path)
        };
        (of, count)
    }

    /// The type of a function, by its result and its parameters.
    pub(super) fn function(
        &self,
        images: &[LoadedImage],
        die: Die,
        entry: &DwarfEntry,
        path: &mut Vec<Die>,
    ) -> FoundType {
        let mut parts = vec![self.type_within(images, die, entry, path)];
        let mut is_open = false;
        let mut parameters = Vec::new();
        if let Some(unit) = images.get(die.image as usize).and_then(|image| image.unit(die.unit)) {
            entry::each_child(&unit, die.at(), |child| {
                match child.tag() {
                    dw::DW_TAG_formal_parameter => parameters.push(child.clone()),
                    dw::DW_TAG_unspecified_parameters => is_open = true,
                    _ => {}
                }
                parameters.len() < 64
            });
        }
        for parameter in &parameters {
            parts.push(self.type_within(images, die, parameter, path));
        }
        let names: Vec<_> = parts.iter().map(|part| Arc::clone(&self.slot(*part).name)).collect();
        let name = spelling::function(&names, is_open);
        FoundType {
            key: TypeKey::Function { parts, is_open },
            size: 0,
            name: name.clone(),
            ty: Some(Type::Function { name }),
        }
    }

    /// A record or an enumeration, or where its definition is.
    pub(super) fn named(&self, images: &[LoadedImage], die: Die, entry: &DwarfEntry) -> NamedEntry {
        let Some(image) = images.get(die.image as usize) else { return NamedEntry::here_void() };
        if let Some(value) = entry.attr_value(dw::DW_AT_signature)
            && let Some(other) = image.refers_to(die, value)
            && other != die
        {
            return NamedEntry::Elsewhere(other);
        }
        let own = image.qualified(die, entry);
        let typedef = if own.is_none() { image.typedef_of(die) } else { None };
        let has_own = own.is_some();
        let name = own.or_else(|| typedef.map(|name| image.qualify(die, name)));
        let language = image.units[die.unit as usize].language;
        let spelled = spelling::record(language, entry.tag(), name.as_deref(), has_own);
        if entry::flag(entry, dw::DW_AT_declaration) {
            let name = name.unwrap_or_default();
            let own_image = std::iter::once(image);
            let others = images.iter().filter(|other| other.number != image.number);
            let definition =
                own_image.chain(others).find_map(|image| image.definition(&name, Some(entry.tag())));
            return match definition {
                Some(other) if other != die => NamedEntry::Elsewhere(other),
                _ => {
                    let ty = Type::Opaque { name: name.clone() };
                    NamedEntry::Here(Box::new(FoundType {
                        key: TypeKey::Opaque { name },
                        size: 0,
                        name: spelled,
                        ty: Some(ty),
                    }))
                }
            };
        }
        let size = entry::number(entry, dw::DW_AT_byte_size).unwrap_or(0);
        let key = match name {
            Some(name) => {
                let (file, line) = image.declaration(die, entry);
                TypeKey::Named { tag: entry.tag().0, name, size, file, line }
            }
            None => TypeKey::Entry(die),
        };
        NamedEntry::Here(Box::new(FoundType { key, size, name: spelled, ty: None }))
    }
}

/// The number of elements of a dimension, if it is fixed.
fn count_of(entry: &DwarfEntry) -> Option<u64> {
    if let Some(value) = entry.attr_value(dw::DW_AT_count) {
        return value.udata_value();
    }
    let upper = entry.attr_value(dw::DW_AT_upper_bound)?;
    let lower = entry.attr_value(dw::DW_AT_lower_bound).and_then(|value| value.sdata_value()).unwrap_or(0);
    // Some compilers write an upper bound of -1 if there is none.
    let upper = match upper {
        DwarfValue::Sdata(upper) => upper,
        DwarfValue::Udata(upper) => i64::try_from(upper).ok()?,
        other => i64::try_from(other.udata_value()?).ok()?,
    };
    let count = upper.checked_sub(lower)?.checked_add(1)?;
    u64::try_from(count).ok()
}
