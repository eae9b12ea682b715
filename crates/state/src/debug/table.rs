//! The table of types: each has one number, however many units describe it.

use super::entry::{self, Die, Entry, Value};
use super::image::Image;
use super::spelling;
use super::unit::{Language, text};
use super::{Encoding, Type, TypeId};
use gimli::constants as dw;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock, RwLock};

/// Longer chains of typedefs, pointers and arrays are broken off.
const MOST_STEPS: usize = 64;

/// The number of no type at all.
pub(super) const VOID: TypeId = TypeId(0);

/// All types that were asked for so far.
#[derive(Debug)]
pub(super) struct Types {
    table: RwLock<Table>,
}

#[derive(Debug, Default)]
struct Table {
    slots: Vec<Arc<Slot>>,
    by_die: HashMap<(Die, u8), TypeId>,
    by_key: HashMap<Key, TypeId>,
}

/// A type, and where to read the rest of it.
#[derive(Debug)]
pub(super) struct Slot {
    /// Where it is described; the array's dimensions before this one are left out.
    pub(super) die: Option<Die>,
    /// In bytes; 0 where unknown.
    pub(super) size: u64,
    /// In the words of its language.
    pub(super) name: Arc<str>,
    /// What it is, once it was asked for.
    pub(super) ty: OnceLock<Arc<Type>>,
}

/// What makes two types the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Void,
    Scalar { name: String, size: u64, encoding: u8 },
    Pointer { to: TypeId, is_reference: bool, name: Option<String> },
    Array { of: TypeId, count: Option<u64> },
    Function { parts: Vec<TypeId>, is_open: bool },
    Named { tag: u16, name: String, size: u64, file: Option<Arc<Path>>, line: u64 },
    Opaque { name: String },
    Entry(Die),
}

/// What an entry turned out to be.
struct Found {
    key: Key,
    size: u64,
    name: String,
    /// Records and enumerations are read later.
    ty: Option<Type>,
}

impl Types {
    /// A table with nothing in it but the type of nothing.
    pub(super) fn new() -> Self {
        let types = Self { table: RwLock::default() };
        let found = Found { key: Key::Void, size: 0, name: "void".to_owned(), ty: Some(Type::Void) };
        types.insert(found, None);
        types
    }

    /// What is known of a type; that of nothing for numbers that were never given.
    pub(super) fn slot(&self, id: TypeId) -> Arc<Slot> {
        let table = self.table.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let slot = table.slots.get(id.0 as usize).or_else(|| table.slots.first());
        slot.map(Arc::clone).unwrap_or_else(|| {
            Arc::new(Slot {
                die: None,
                size: 0,
                name: "void".into(),
                ty: OnceLock::from(Arc::new(Type::Void)),
            })
        })
    }

    /// The number of the type that an entry describes.
    pub(super) fn intern(&self, images: &[Image], die: Die) -> TypeId {
        self.find(images, die, 0, &mut Vec::new())
    }

    /// The number of the type that an entry has as its own.
    pub(super) fn type_of(&self, images: &[Image], die: Die, entry: &Entry) -> TypeId {
        self.type_within(images, die, entry, &mut Vec::new())
    }

    fn type_within(&self, images: &[Image], die: Die, entry: &Entry, path: &mut Vec<Die>) -> TypeId {
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

    /// `path` holds the entries that are being looked at: an entry that leads back to itself is nothing.
    fn find(&self, images: &[Image], die: Die, dimension: u8, path: &mut Vec<Die>) -> TypeId {
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

    fn find_anew(&self, images: &[Image], die: Die, dimension: u8, path: &mut Vec<Die>) -> TypeId {
        let Some(image) = images.get(die.image as usize) else { return VOID };
        let Some(unit) = image.unit(die.unit) else { return VOID };
        let Some(entry) = entry::read(&unit, die.at()) else { return VOID };
        let language = image.units[die.unit as usize].language;
        let found = match entry.tag() {
            dw::DW_TAG_base_type => scalar(text(unit, &entry, dw::DW_AT_name), &entry),
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type => {
                let to = self.type_within(images, die, &entry, path);
                let name = text(unit, &entry, dw::DW_AT_name).filter(|_| language == Language::Rust);
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
                Found { key: Key::Pointer { to, is_reference, name }, size: 8, name: spelled, ty: Some(ty) }
            }
            dw::DW_TAG_ptr_to_member_type => self.pointer_to_member(images, die, &entry, path),
            dw::DW_TAG_array_type => {
                let (of, count) = self.array(images, die, &entry, dimension, path);
                let element = self.slot(of);
                let size = count.unwrap_or(0).saturating_mul(element.size);
                let name = match language {
                    Language::Rust => spelling::rust_array(&element.name, count),
                    _ => spelling::array(&element.name, count),
                };
                Found { key: Key::Array { of, count }, size, name, ty: Some(Type::Array { of, count }) }
            }
            dw::DW_TAG_subroutine_type => self.function(images, die, &entry, path),
            dw::DW_TAG_structure_type
            | dw::DW_TAG_class_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_interface_type
            | dw::DW_TAG_enumeration_type => match self.named(images, die, &entry) {
                Named::Here(found) => found,
                Named::Elsewhere(other) => return self.find(images, other, 0, path),
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

    fn insert(&self, found: Found, die: Option<Die>) -> TypeId {
        let mut table = self.table.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(id) = table.by_key.get(&found.key) {
            return *id;
        }
        let id = TypeId(u32::try_from(table.slots.len()).unwrap_or(0));
        let ty = found.ty.map(Arc::new).map_or_else(OnceLock::new, OnceLock::from);
        table.slots.push(Arc::new(Slot { die, size: found.size, name: found.name.into(), ty }));
        table.by_key.insert(found.key, id);
        id
    }

    fn pointer_to_member(&self, images: &[Image], die: Die, entry: &Entry, path: &mut Vec<Die>) -> Found {
        let to = self.type_within(images, die, entry, path);
        let slot = self.slot(to);
        let is_function = matches!(slot.ty.get().map(|ty| &**ty), Some(Type::Function { .. }));
        let (size, encoding) = if is_function { (16, Encoding::Bytes) } else { (8, Encoding::Signed) };
        let name = spelling::pointer(&slot.name, "::*");
        let key = Key::Scalar { name: name.clone(), size, encoding: 0 };
        Found { key, size, name: name.clone(), ty: Some(Type::Scalar { name, size, encoding }) }
    }

    /// The element and the length of an array, or of what is left of it behind its first dimensions.
    fn array(
        &self,
        images: &[Image],
        die: Die,
        entry: &Entry,
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

    fn function(&self, images: &[Image], die: Die, entry: &Entry, path: &mut Vec<Die>) -> Found {
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
        Found {
            key: Key::Function { parts, is_open },
            size: 0,
            name: name.clone(),
            ty: Some(Type::Function { name }),
        }
    }

    fn named(&self, images: &[Image], die: Die, entry: &Entry) -> Named {
        let Some(image) = images.get(die.image as usize) else { return Named::here_void() };
        if let Some(value) = entry.attr_value(dw::DW_AT_signature)
            && let Some(other) = image.refers_to(die, value)
            && other != die
        {
            return Named::Elsewhere(other);
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
                Some(other) if other != die => Named::Elsewhere(other),
                _ => {
                    let ty = Type::Opaque { name: name.clone() };
                    Named::Here(Found { key: Key::Opaque { name }, size: 0, name: spelled, ty: Some(ty) })
                }
            };
        }
        let size = entry::number(entry, dw::DW_AT_byte_size).unwrap_or(0);
        let key = match name {
            Some(name) => {
                let (file, line) = image.declaration(die, entry);
                Key::Named { tag: entry.tag().0, name, size, file, line }
            }
            None => Key::Entry(die),
        };
        Named::Here(Found { key, size, name: spelled, ty: None })
    }
}

/// Where a record or an enumeration is described.
enum Named {
    Here(Found),
    Elsewhere(Die),
}

impl Named {
    fn here_void() -> Self {
        Self::Here(Found { key: Key::Void, size: 0, name: "void".to_owned(), ty: Some(Type::Void) })
    }
}

/// A number, a character, a truth value.
fn scalar(name: Option<&str>, entry: &Entry) -> Found {
    let bits = entry::number(entry, dw::DW_AT_bit_size).map(|bits| bits.div_ceil(8));
    let size = entry::number(entry, dw::DW_AT_byte_size).or(bits).unwrap_or(0);
    let kind = match entry.attr_value(dw::DW_AT_encoding) {
        Some(Value::Encoding(encoding)) => encoding,
        _ => dw::DW_ATE_unsigned,
    };
    let encoding = match kind {
        _ if size > 16 => Encoding::Bytes,
        dw::DW_ATE_boolean => Encoding::Boolean,
        dw::DW_ATE_signed_char => Encoding::Character { signed: true },
        dw::DW_ATE_unsigned_char | dw::DW_ATE_UTF | dw::DW_ATE_ASCII | dw::DW_ATE_UCS => {
            Encoding::Character { signed: false }
        }
        dw::DW_ATE_signed => Encoding::Signed,
        dw::DW_ATE_unsigned | dw::DW_ATE_address => Encoding::Unsigned,
        dw::DW_ATE_float if matches!(size, 4 | 8 | 16) => Encoding::Float,
        _ => Encoding::Bytes,
    };
    let name = name.unwrap_or("?").to_owned();
    let key = Key::Scalar { name: name.clone(), size, encoding: kind.0 };
    Found { key, size, name: name.clone(), ty: Some(Type::Scalar { name, size, encoding }) }
}

/// How many elements a dimension has, if that is fixed.
fn count_of(entry: &Entry) -> Option<u64> {
    if let Some(value) = entry.attr_value(dw::DW_AT_count) {
        return value.udata_value();
    }
    let upper = entry.attr_value(dw::DW_AT_upper_bound)?;
    let lower = entry.attr_value(dw::DW_AT_lower_bound).and_then(|value| value.sdata_value()).unwrap_or(0);
    // An upper bound of -1 is how some compilers say that there is none.
    let upper = match upper {
        Value::Sdata(upper) => upper,
        Value::Udata(upper) => i64::try_from(upper).ok()?,
        other => i64::try_from(other.udata_value()?).ok()?,
    };
    let count = upper.checked_sub(lower)?.checked_add(1)?;
    u64::try_from(count).ok()
}
