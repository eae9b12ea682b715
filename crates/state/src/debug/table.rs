//! The table of types: a type has one number, even if many units describe it.

use super::entry::{self, Die, DwarfEntry};
use super::found_type::{FoundType, NamedEntry, TypeKey, scalar};
use super::image::LoadedImage;
use super::spelling;
use super::unit::{UnitLanguage, text};
use super::{Type, TypeId};
use gimli::constants as dw;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

/// Longer chains of typedefs, pointers and arrays are not followed.
const MOST_STEPS: usize = 64;

/// The number of `void`.
pub(super) const VOID: TypeId = TypeId(0);

/// All types that were needed so far.
#[derive(Debug)]
pub(super) struct Types {
    table: RwLock<Table>,
}

#[derive(Debug, Default)]
struct Table {
    slots: Vec<Arc<TypeSlot>>,
    by_die: HashMap<(Die, u8), TypeId>,
    by_key: HashMap<TypeKey, TypeId>,
}

/// A type, and where to read the rest of it.
#[derive(Debug)]
pub(super) struct TypeSlot {
    /// Its entry. Of an array, the dimensions before this one are left out.
    pub(super) die: Option<Die>,
    /// Its size in bytes; 0 if unknown.
    pub(super) size: u64,
    /// Its name as its language spells it.
    pub(super) name: Arc<str>,
    /// The type; read when it is first needed.
    pub(super) ty: OnceLock<Arc<Type>>,
}

impl Types {
    /// A table with `void` only.
    pub(super) fn new() -> Self {
        let types = Self { table: RwLock::default() };
        let found = FoundType { key: TypeKey::Void, size: 0, name: "void".to_owned(), ty: Some(Type::Void) };
        types.insert(found, None);
        types
    }

    /// A type by its number; `void` if the number was never given out.
    pub(super) fn slot(&self, id: TypeId) -> Arc<TypeSlot> {
        let table = self.table.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let slot = table.slots.get(id.0 as usize).or_else(|| table.slots.first());
        slot.map(Arc::clone).unwrap_or_else(|| {
            Arc::new(TypeSlot {
                die: None,
                size: 0,
                name: "void".into(),
                ty: OnceLock::from(Arc::new(Type::Void)),
            })
        })
    }

    /// The number of the type that an entry describes.
    pub(super) fn intern(&self, images: &[LoadedImage], die: Die) -> TypeId {
        self.find(images, die, 0, &mut Vec::new())
    }

    /// The number of the type of an entry.
    pub(super) fn type_of(&self, images: &[LoadedImage], die: Die, entry: &DwarfEntry) -> TypeId {
        self.type_within(images, die, entry, &mut Vec::new())
    }

    pub(super) fn type_within(
        &self,
        images: &[LoadedImage],
        die: Die,
        entry: &DwarfEntry,
        path: &mut Vec<Die>,
    ) -> TypeId {
        let Some(image) = images.get(die.image as usize) else { return VOID };
        let home = image.inherited(die, entry, dw::DW_AT_type);
        let Some((home, _, entry)) = home else { return VOID };
        let to = entry.attr_value(dw::DW_AT_type).and_then(|value| image.refers_to(home, value));
        to.map_or(VOID, |to| self.find(images, to, 0, path))
    }

    fn known(&self, die: Die, dimension: u8) -> Option<TypeId> {
        let table = self.table.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        table.by_die.get(&(die, dimension)).copied()
    }

    /// `path` holds the entries that are being read: an entry that refers to itself is `void`.
    pub(super) fn find(
        &self,
        images: &[LoadedImage],
        die: Die,
        dimension: u8,
        path: &mut Vec<Die>,
    ) -> TypeId {
        if let Some(id) = self.known(die, dimension) {
            return id;
        }
        if path.len() >= MOST_STEPS || (dimension == 0 && path.contains(&die)) {
            return VOID;
        }
        path.push(die);
        let id = self.find_anew(images, die, dimension, path);
        path.pop();
        let mut table = self.table.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        *table.by_die.entry((die, dimension)).or_insert(id)
    }

    fn find_anew(&self, images: &[LoadedImage], die: Die, dimension: u8, path: &mut Vec<Die>) -> TypeId {
        let Some(image) = images.get(die.image as usize) else { return VOID };
        let Some(unit) = image.unit(die.unit) else { return VOID };
        let Some(entry) = entry::read(&unit, die.at()) else { return VOID };
        let language = image.units[die.unit as usize].language;
        let found = match entry.tag() {
            dw::DW_TAG_base_type => scalar(text(unit, &entry, dw::DW_AT_name), &entry),
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type => {
                let to = self.type_within(images, die, &entry, path);
                let name = text(unit, &entry, dw::DW_AT_name).filter(|_| language == UnitLanguage::Rust);
                let is_reference =
                    entry.tag() != dw::DW_TAG_pointer_type || name.is_some_and(|name| name.starts_with('&'));
                let is_rvalue = entry.tag() == dw::DW_TAG_rvalue_reference_type;
                let spelled = match name {
                    Some(name) => name.to_owned(),
                    None => spelling::pointer(
                        &self.slot(to).name,
                        if is_rvalue {
                            "&&"
                        } else if is_reference {
                            "&"
                        } else {
                            "*"
                        },
                    ),
                };
                let name = name.map(str::to_owned).or_else(|| is_rvalue.then(|| "&&".to_owned()));
                let ty = Type::Pointer { to, is_reference };
                FoundType {
                    key: TypeKey::Pointer { to, is_reference, name },
                    size: 8,
                    name: spelled,
                    ty: Some(ty),
                }
            }
            dw::DW_TAG_ptr_to_member_type => self.pointer_to_member(images, die, &entry, path),
            dw::DW_TAG_array_type => {
                let (of, count) = self.array(images, die, &entry, dimension, path);
                let element = self.slot(of);
                let size = count.unwrap_or(0).saturating_mul(element.size);
                let name = match language {
                    UnitLanguage::Rust => spelling::rust_array(&element.name, count),
                    _ => spelling::array(&element.name, count),
                };
                FoundType {
                    key: TypeKey::Array { of, count },
                    size,
                    name,
                    ty: Some(Type::Array { of, count }),
                }
            }
            dw::DW_TAG_subroutine_type => self.function(images, die, &entry, path),
            dw::DW_TAG_structure_type
            | dw::DW_TAG_class_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_interface_type
            | dw::DW_TAG_enumeration_type => match self.named(images, die, &entry) {
                NamedEntry::Here(found) => *found,
                NamedEntry::Elsewhere(other) => return self.find(images, other, 0, path),
            },
            dw::DW_TAG_typedef
            | dw::DW_TAG_const_type
            | dw::DW_TAG_volatile_type
            | dw::DW_TAG_restrict_type
            | dw::DW_TAG_atomic_type
            | dw::DW_TAG_packed_type
            | dw::DW_TAG_immutable_type
            | dw::DW_TAG_shared_type
            | dw::DW_TAG_subrange_type
            | dw::DW_TAG_template_alias => return self.type_within(images, die, &entry, path),
            _ => return VOID,
        };
        self.insert(found, Some(die))
    }

    fn insert(&self, found: FoundType, die: Option<Die>) -> TypeId {
        let mut table = self.table.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(id) = table.by_key.get(&found.key) {
            return *id;
        }
        let id = TypeId(u32::try_from(table.slots.len()).unwrap_or(0));
        let ty = found.ty.map(Arc::new).map_or_else(OnceLock::new, OnceLock::from);
        table.slots.push(Arc::new(TypeSlot { die, size: found.size, name: found.name.into(), ty }));
        table.by_key.insert(found.key, id);
        id
    }
}
