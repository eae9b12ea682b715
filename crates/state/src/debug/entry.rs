//! Entries of the debug information and their attributes.

use gimli::constants as dw;
use gimli::{DwAt, EndianSlice, LittleEndian, UnitOffset};

/// A part of a section.
pub(super) type DwarfSlice = EndianSlice<'static, LittleEndian>;
/// A compilation or type unit.
pub(super) type DwarfUnit = gimli::Unit<DwarfSlice>;
/// An entry with its attributes.
pub(super) type DwarfEntry = gimli::DebuggingInformationEntry<DwarfSlice>;
/// The value of an attribute.
pub(super) type DwarfValue = gimli::AttributeValue<DwarfSlice>;

/// The position of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Die {
    /// The number of the loaded file.
    pub(super) image: u32,
    /// The number of the unit.
    pub(super) unit: u32,
    /// The offset in the unit.
    pub(super) offset: u32,
}

impl Die {
    /// The offset as gimli wants it.
    pub(super) fn at(self) -> UnitOffset {
        UnitOffset(self.offset as usize)
    }

    /// Another entry of the same unit.
    pub(super) fn sibling(self, offset: UnitOffset) -> Option<Self> {
        Some(Self { offset: u32::try_from(offset.0).ok()?, ..self })
    }
}

/// The entry at an offset.
pub(super) fn read(unit: &DwarfUnit, at: UnitOffset) -> Option<DwarfEntry> {
    let mut entries = unit.entries_raw(Some(at)).ok()?;
    let mut entry = DwarfEntry::null();
    entries.read_entry(&mut entry).ok()?.then_some(entry)
}

/// Calls back with each child of an entry, but not with their children, until the callback returns false.
pub(super) fn each_child(unit: &DwarfUnit, at: UnitOffset, mut child: impl FnMut(&DwarfEntry) -> bool) {
    let Ok(mut cursor) = unit.entries_at_offset(at) else { return };
    if !matches!(cursor.next_entry(), Ok(true)) || !cursor.current().is_some_and(DwarfEntry::has_children) {
        return;
    }
    if !matches!(cursor.next_entry(), Ok(true)) {
        return;
    }
    while let Some(entry) = cursor.current() {
        if !child(entry) || !matches!(cursor.next_sibling(), Ok(Some(_))) {
            return;
        }
    }
}

/// An attribute as a number.
pub(super) fn number(entry: &DwarfEntry, name: DwAt) -> Option<u64> {
    entry.attr_value(name)?.udata_value()
}

/// Whether a flag is set.
pub(super) fn flag(entry: &DwarfEntry, name: DwAt) -> bool {
    matches!(entry.attr_value(name), Some(DwarfValue::Flag(true)))
}

/// A constant of any form. If it can be read as signed or unsigned, it is read as unsigned.
pub(super) fn constant(value: &DwarfValue) -> Option<i128> {
    match value {
        DwarfValue::Sdata(number) => Some(i128::from(*number)),
        DwarfValue::Data16(number) => Some(*number as i128),
        DwarfValue::Block(block) if block.slice().len() <= 16 => {
            let bytes = block.slice().iter().rev();
            Some(bytes.fold(0u128, |number, byte| number << 8 | u128::from(*byte)) as i128)
        }
        other => other.udata_value().map(i128::from),
    }
}

/// The offset of a member in bytes, if it is the same in all objects.
pub(super) fn constant_offset(entry: &DwarfEntry) -> Option<u64> {
    match entry.attr_value(dw::DW_AT_data_member_location)? {
        DwarfValue::Exprloc(expression) => {
            let mut bytes = expression.0;
            use gimli::Reader;
            let operation = gimli::DwOp(bytes.read_u8().ok()?);
            let offset = match operation {
                dw::DW_OP_plus_uconst | dw::DW_OP_constu => bytes.read_uleb128().ok()?,
                _ => return None,
            };
            bytes.is_empty().then_some(offset)
        }
        value => value.udata_value(),
    }
}
