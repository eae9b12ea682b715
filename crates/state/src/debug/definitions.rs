//! Types by their qualified names.

use super::entry::{self, Die};
use super::image::LoadedImage;
use super::type_definitions::TypeDefinitions;
use gimli::constants as dw;
use gimli::{DwTag, UnitOffset};

impl LoadedImage {
    /// Where the record or enumeration with a qualified name is defined; with this tag, or with any.
    pub(super) fn definition(&self, name: &str, tag: Option<DwTag>) -> Option<Die> {
        let mut typedef = None;
        for (unit, offset) in self.definitions().of_name(name) {
            let die = Die { image: self.number, unit, offset };
            let Some(entry) = entry::read(*self.unit(unit)?, die.at()) else { continue };
            let is_typedef = entry.tag() == dw::DW_TAG_typedef;
            let is_wanted = match tag {
                Some(tag) => alike(tag, entry.tag()),
                None => true,
            };
            if !is_wanted || self.qualified(die, &entry).is_none_or(|other| other != name) {
                continue;
            }
            if !is_typedef {
                return Some(die);
            }
            typedef.get_or_insert(die);
        }
        typedef
    }

    /// All named types. They are found when they are first needed.
    pub(super) fn find_definitions(&self) -> TypeDefinitions {
        let mut all = TypeDefinitions::default();
        for (number, unit) in self.units.iter().enumerate() {
            let number = number as u32;
            let Some(reader) = self.unit(number) else { continue };
            for offset in &unit.outline.types {
                let die = Die { image: self.number, unit: number, offset: *offset };
                let Some(entry) = entry::read(&reader, UnitOffset(*offset as usize)) else { continue };
                if let Some(name) = self.qualified(die, &entry) {
                    all.add(&name, number, *offset);
                }
            }
        }
        all.sort();
        all
    }
}

/// Whether one can be the definition of the other: C++ mixes classes and structs.
fn alike(one: DwTag, other: DwTag) -> bool {
    let class = |tag| if tag == dw::DW_TAG_class_type { dw::DW_TAG_structure_type } else { tag };
    class(one) == class(other)
}
