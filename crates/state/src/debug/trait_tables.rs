//! The tables of virtual functions of trait objects in Rust: which type each of them belongs to.

use super::TypeId;
use super::entry::{self, Die, DwarfValue};
use super::image::LoadedImage;
use super::table::Types;
use crate::Address;
use gimli::constants as dw;
use gimli::{Operation, UnitOffset};
use std::collections::HashMap;

/// How the compiler of Rust names such a table: `<Circle as Shape>::{vtable}`.
const TABLE: &str = "::{vtable}";

/// The types whose functions are in the tables at these addresses.
pub(super) fn trait_tables(images: &[LoadedImage], types: &Types) -> HashMap<Address, TypeId> {
    let mut tables = HashMap::new();
    for image in images {
        for (number, home) in image.units.iter().enumerate() {
            let Some(unit) = image.unit(number as u32) else { continue };
            for offset in &home.outline.variables {
                let die = Die { image: image.number, unit: number as u32, offset: *offset };
                let table = || {
                    let entry = entry::read(&unit, UnitOffset(*offset as usize))?;
                    image.name(die, &entry).filter(|name| name.ends_with(TABLE))?;
                    let DwarfValue::Exprloc(location) = entry.attr_value(dw::DW_AT_location)? else {
                        return None;
                    };
                    let Ok(Some(Operation::Address { address })) =
                        location.operations(unit.encoding()).next()
                    else {
                        return None;
                    };
                    let kind = image.refers_to(die, entry.attr_value(dw::DW_AT_type)?)?;
                    let kind_entry = entry::read(&unit, kind.at())?;
                    let holder = kind_entry.attr_value(dw::DW_AT_containing_type)?;
                    let holder = image.refers_to(kind, holder)?;
                    Some((Address(address) + image.bias, types.intern(images, holder)))
                };
                tables.extend(table());
            }
        }
    }
    tables
}
