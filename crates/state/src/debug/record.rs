//! Records and enumerations; they are read when they are needed.

use super::entry::{self, Die, DwarfEntry, DwarfSlice, DwarfValue};
use super::image::LoadedImage;
use super::table::Types;
use super::unit::{UnitLanguage, text};
use super::{
    BitField, RecordKind, RecordMember, RecordType, ScalarEncoding, Type, TypeId, Variant, Variants,
    VirtualBase,
};
use gimli::UnitRef;
use gimli::constants as dw;
use std::sync::Arc;

/// At most this number of members, values or cases is read.
const MOST: usize = 1 << 20;

impl Types {
    /// A type.
    pub(super) fn get(&self, images: &[LoadedImage], id: TypeId) -> Arc<Type> {
        let slot = self.slot(id);
        let ty = slot.ty.get_or_init(|| {
            let read = || {
                let die = slot.die?;
                let image = images.get(die.image as usize)?;
                let unit = image.unit(die.unit)?;
                let entry = entry::read(&unit, die.at())?;
                let name = image.qualified(die, &entry);
                let name = name.or_else(|| image.typedef_of(die).map(|name| image.qualify(die, name)));
                let reading = EntryReader { images, types: self, image, unit, die };
                let name = name.unwrap_or_default();
                Some(match entry.tag() {
                    dw::DW_TAG_enumeration_type => reading.enumeration(name, slot.size),
                    tag => {
                        let kind = match tag {
                            dw::DW_TAG_union_type => RecordKind::Union,
                            _ => RecordKind::Struct,
                        };
                        Type::Record(reading.record(name, slot.size, kind))
                    }
                })
            };
            Arc::new(read().unwrap_or(Type::Void))
        });
        Arc::clone(ty)
    }
}

/// Reads one entry.
struct EntryReader<'a> {
    images: &'a [LoadedImage],
    types: &'a Types,
    image: &'a LoadedImage,
    unit: UnitRef<'a, DwarfSlice>,
    die: Die,
}

impl EntryReader<'_> {
    fn enumeration(&self, name: String, size: u64) -> Type {
        let mut values = Vec::new();
        entry::each_child(&self.unit, self.die.at(), |child| {
            if child.tag() == dw::DW_TAG_enumerator
                && let Some(value) =
                    child.attr_value(dw::DW_AT_const_value).as_ref().and_then(entry::constant)
            {
                values.push((self.name(child), value));
            }
            values.len() < MOST
        });
        Type::Enumeration { name, size, values }
    }

    fn record(&self, name: String, size: u64, kind: RecordKind) -> RecordType {
        let is_rust = self
            .image
            .units
            .get(self.die.unit as usize)
            .is_some_and(|unit| unit.language == UnitLanguage::Rust);
        let mut record = RecordType {
            name,
            size,
            kind,
            members: Vec::new(),
            variants: None,
            arguments: Vec::new(),
            is_rust,
            virtual_bases: Vec::new(),
        };
        entry::each_child(&self.unit, self.die.at(), |child| {
            match child.tag() {
                dw::DW_TAG_member => record.members.extend(self.member(child)),
                dw::DW_TAG_inheritance => match self.base(child) {
                    Some(base) => record.members.push(base),
                    None => record.virtual_bases.extend(self.virtual_base(child)),
                },
                dw::DW_TAG_template_type_parameter => {
                    record.arguments.push((self.name(child), self.ty(child)))
                }
                dw::DW_TAG_GNU_template_parameter_pack => {
                    let pack = self.name(child);
                    entry::each_child(&self.unit, child.offset(), |part| {
                        if part.tag() == dw::DW_TAG_template_type_parameter {
                            record.arguments.push((pack.clone(), self.ty(part)));
                        }
                        record.arguments.len() < MOST
                    });
                }
                dw::DW_TAG_variant_part if record.variants.is_none() => {
                    record.variants = Some(self.variants(child))
                }
                _ => {}
            }
            record.members.len() < MOST
        });
        record
            .members
            .sort_by_key(|member| (!member.is_base, member.offset, member.bits.map_or(0, |bits| bits.skip)));
        record
    }

    fn member(&self, entry: &DwarfEntry) -> Option<RecordMember> {
        // Static members have the same form, but are globals.
        if entry::flag(entry, dw::DW_AT_external) || entry::flag(entry, dw::DW_AT_declaration) {
            return None;
        }
        let ty = self.ty(entry);
        let (offset, bits) = match entry::number(entry, dw::DW_AT_bit_size) {
            Some(count) => self.bit_field(entry, ty, count)?,
            None if entry.has_attr(dw::DW_AT_data_member_location) => (entry::constant_offset(entry)?, None),
            None => (entry::number(entry, dw::DW_AT_data_bit_offset).unwrap_or(0) / 8, None),
        };
        let is_artificial = entry::flag(entry, dw::DW_AT_artificial);
        Some(RecordMember { name: self.name(entry), ty, offset, bits, is_base: false, is_artificial })
    }

    /// The position of a bit-field, in either of the two forms of DWARF.
    fn bit_field(&self, entry: &DwarfEntry, ty: TypeId, count: u64) -> Option<(u64, Option<BitField>)> {
        let count = u8::try_from(count).ok().filter(|count| (1..=64).contains(count))?;
        let bytes =
            if entry.has_attr(dw::DW_AT_data_member_location) { entry::constant_offset(entry)? } else { 0 };
        let position = if let Some(position) = entry::number(entry, dw::DW_AT_data_bit_offset) {
            bytes.checked_mul(8)?.checked_add(position)?
        } else if let Some(value) = entry.attr_value(dw::DW_AT_bit_offset) {
            // Counted from the highest bit of the storage; negative if the field extends beyond it.
            let storage =
                entry::number(entry, dw::DW_AT_byte_size).unwrap_or_else(|| self.types.slot(ty).size);
            let from_top = match value {
                DwarfValue::Sdata(bits) => bits,
                other => i64::try_from(other.udata_value()?).ok()?,
            };
            let storage = i64::try_from(storage.checked_mul(8)?).ok()?;
            let from_bottom = storage.checked_sub(from_top)?.checked_sub(i64::from(count))?;
            bytes.checked_mul(8)?.checked_add_signed(from_bottom)?
        } else {
            bytes.checked_mul(8)?
        };
        Some((position / 8, Some(BitField { skip: (position % 8) as u8, count })))
    }

    /// A base class; a virtual one only where it is at the same place in all objects.
    fn base(&self, entry: &DwarfEntry) -> Option<RecordMember> {
        let offset = entry::constant_offset(entry)?;
        let ty = self.ty(entry);
        let name = self.types.slot(ty).name.to_string();
        Some(RecordMember { name, ty, offset, bits: None, is_base: true, is_artificial: false })
    }

    /// A virtual base class: compilers write "the word at the table minus a number" as an expression.
    fn virtual_base(&self, entry: &DwarfEntry) -> Option<VirtualBase> {
        use gimli::Operation;
        let Some(DwarfValue::Exprloc(expression)) = entry.attr_value(dw::DW_AT_data_member_location) else {
            return None;
        };
        let mut operations = expression.operations(self.unit.encoding());
        let mut steps = Vec::new();
        while let Ok(Some(operation)) = operations.next() {
            steps.push(operation);
        }
        let before_table = match steps.as_slice() {
            [
                Operation::Pick { index: 0 },
                Operation::Deref { .. },
                Operation::UnsignedConstant { value },
                Operation::Minus,
                Operation::Deref { .. },
                Operation::Plus,
            ] => *value,
            _ => return None,
        };
        let ty = self.ty(entry);
        Some(VirtualBase { name: self.types.slot(ty).name.to_string(), ty, before_table })
    }

    fn variants(&self, part: &DwarfEntry) -> Variants {
        let discriminant =
            part.attr_value(dw::DW_AT_discr).and_then(|value| self.image.refers_to(self.die, value));
        let discriminant = discriminant
            .and_then(|die| entry::read(&self.unit, die.at()))
            .and_then(|entry| self.member(&entry));
        let mut cases = Vec::new();
        entry::each_child(&self.unit, part.offset(), |child| {
            if child.tag() == dw::DW_TAG_variant {
                let values = self.values(child, discriminant.as_ref());
                let mut member = None;
                entry::each_child(&self.unit, child.offset(), |content| {
                    if content.tag() == dw::DW_TAG_member {
                        member = self.member(content);
                    }
                    member.is_none()
                });
                cases.extend(member.map(|member| Variant { values, member }));
            }
            cases.len() < MOST
        });
        Variants { discriminant, cases }
    }

    /// The values of the discriminant that select a case, as its type reads them.
    fn values(&self, variant: &DwarfEntry, discriminant: Option<&RecordMember>) -> Vec<i128> {
        let slot = discriminant.map(|discriminant| self.types.slot(discriminant.ty));
        let ty = slot.as_ref().and_then(|slot| slot.ty.get());
        let is_signed =
            matches!(ty.map(|ty| &**ty), Some(Type::Scalar { encoding: ScalarEncoding::Signed, .. }));
        let mut values = Vec::new();
        if let Some(value) = variant.attr_value_raw(dw::DW_AT_discr_value) {
            // A short form holds a negative number in few bytes. Only the type says that it is signed.
            let signed = value.sdata_value().filter(|_| is_signed).map(i128::from);
            values.extend(signed.or_else(|| entry::constant(&value)));
        }
        if let Some(DwarfValue::Block(list)) = variant.attr_value(dw::DW_AT_discr_list) {
            values.extend(listed(list));
        }
        let size = slot.map_or(0, |slot| slot.size);
        values.into_iter().map(|value| fit(value, size, is_signed)).collect()
    }

    fn name(&self, entry: &DwarfEntry) -> String {
        text(self.unit, entry, dw::DW_AT_name).unwrap_or_default().to_owned()
    }

    fn ty(&self, entry: &DwarfEntry) -> TypeId {
        match self.die.sibling(entry.offset()) {
            Some(die) => self.types.type_of(self.images, die, entry),
            None => super::table::VOID,
        }
    }
}

/// The values of a list of labels and ranges, without long ranges.
fn listed(mut list: DwarfSlice) -> Vec<i128> {
    use gimli::Reader;
    let mut values = Vec::new();
    while let Ok(kind) = list.read_u8() {
        let Ok(low) = list.read_uleb128() else { break };
        if kind == dw::DW_DSC_range.0 {
            let Ok(high) = list.read_uleb128() else { break };
            if high.checked_sub(low).is_some_and(|length| length < 4096) {
                values.extend((low..=high).map(i128::from));
            }
        } else {
            values.push(i128::from(low));
        }
        if values.len() > MOST {
            break;
        }
    }
    values
}

/// A value, truncated to a number of this size.
fn fit(value: i128, size: u64, is_signed: bool) -> i128 {
    let Some(bits) = (1..16).contains(&size).then(|| size as u32 * 8) else { return value };
    let shift = 128 - bits;
    if is_signed { value << shift >> shift } else { ((value as u128) << shift >> shift) as i128 }
}
