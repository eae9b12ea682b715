//! The type that an entry of the debug information describes, and what makes two types the same.

use super::entry::{self, Die, DwarfEntry, DwarfValue};
use super::{ScalarEncoding, Type, TypeId};
use gimli::constants as dw;
use std::path::Path;
use std::sync::Arc;

/// Types with equal keys are the same type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeKey {
    Void,
    Scalar { name: String, size: u64, encoding: u8 },
    Pointer { to: TypeId, is_reference: bool, name: Option<String> },
    Array { of: TypeId, count: Option<u64> },
    Function { parts: Vec<TypeId>, is_open: bool },
    Named { tag: u16, name: String, size: u64, file: Option<Arc<Path>>, line: u64 },
    Opaque { name: String },
    Entry(Die),
}

/// The type that an entry describes.
pub(super) struct FoundType {
    /// Types with equal keys are the same type.
    pub(super) key: TypeKey,
    /// The size in bytes.
    pub(super) size: u64,
    /// The name as its language spells it.
    pub(super) name: String,
    /// The type itself. Records and enumerations are read later.
    pub(super) ty: Option<Type>,
}

/// Where a record or an enumeration is described.
pub(super) enum NamedEntry {
    /// In this entry.
    Here(Box<FoundType>),
    /// In another entry.
    Elsewhere(Die),
}

impl NamedEntry {
    pub(super) fn here_void() -> Self {
        Self::Here(Box::new(FoundType {
            key: TypeKey::Void,
            size: 0,
            name: "void".to_owned(),
            ty: Some(Type::Void),
        }))
    }
}

/// A number, a character or a Boolean.
pub(super) fn scalar(name: Option<&str>, entry: &DwarfEntry) -> FoundType {
    let bits = entry::number(entry, dw::DW_AT_bit_size).map(|bits| bits.div_ceil(8));
    let size = entry::number(entry, dw::DW_AT_byte_size).or(bits).unwrap_or(0);
    let kind = match entry.attr_value(dw::DW_AT_encoding) {
        Some(DwarfValue::Encoding(encoding)) => encoding,
        _ => dw::DW_ATE_unsigned,
    };
    let encoding = match kind {
        _ if size > 16 => ScalarEncoding::Bytes,
        dw::DW_ATE_boolean => ScalarEncoding::Boolean,
        dw::DW_ATE_signed_char => ScalarEncoding::Character { signed: true },
        dw::DW_ATE_unsigned_char | dw::DW_ATE_UTF | dw::DW_ATE_ASCII | dw::DW_ATE_UCS => {
            ScalarEncoding::Character { signed: false }
        }
        dw::DW_ATE_signed => ScalarEncoding::Signed,
        dw::DW_ATE_unsigned | dw::DW_ATE_address => ScalarEncoding::Unsigned,
        dw::DW_ATE_float if matches!(size, 4 | 8 | 16) => ScalarEncoding::Float,
        _ => ScalarEncoding::Bytes,
    };
    let name = name.unwrap_or("?").to_owned();
    let key = TypeKey::Scalar { name: name.clone(), size, encoding: kind.0 };
    FoundType { key, size, name: name.clone(), ty: Some(Type::Scalar { name, size, encoding }) }
}
