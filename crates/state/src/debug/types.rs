//! The types of a program's values.

/// A type, by its number in the table of a program. Equal types of different units have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A type without its typedefs, `const` and `volatile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// No value at all, or one of unknown type.
    Void,
    /// A number, a character, a truth value.
    Scalar {
        /// As in the source.
        name: String,
        /// In bytes.
        size: u64,
        /// How to read it.
        encoding: ScalarEncoding,
    },
    /// One of several names.
    Enumeration {
        /// As in the source, qualified.
        name: String,
        /// In bytes.
        size: u64,
        /// Names and their values.
        values: Vec<(String, i128)>,
    },
    /// A pointer or a reference.
    Pointer {
        /// What it points to.
        to: TypeId,
        /// A reference of C++ or Rust: never null, and not shown as a pointer.
        is_reference: bool,
    },
    /// Elements in a row; of arrays of arrays one dimension.
    Array {
        /// The type of an element.
        of: TypeId,
        /// How many; `None` for flexible array members and extern declarations without a size.
        count: Option<u64>,
    },
    /// A struct, class, union, tuple or Rust enum.
    Record(RecordType),
    /// A function, which only pointers have as a target.
    Function {
        /// Its signature, for people.
        name: String,
    },
    /// Declared, but defined nowhere.
    Opaque {
        /// As in the source.
        name: String,
    },
}

/// How the bytes of a scalar are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarEncoding {
    /// True or false.
    Boolean,
    /// A character: `char`, `unsigned char`, `char8_t`, `u8` of Rust is *not* one of them, `char` of Rust is (four bytes).
    Character {
        /// Whether values above 127 are negative.
        signed: bool,
    },
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A floating point number: 4, 8 or 16 bytes (80 bits of x87).
    Float,
    /// Anything else (complex, decimal): only its bytes are known.
    Bytes,
}

/// What kind of record it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Members one after the other.
    Struct,
    /// Members in the same place.
    Union,
}

/// A struct, class, union, tuple or Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// Qualified, with template arguments: `std::vector<int, std::allocator<int> >`, `alloc::vec::Vec<u8, …>`.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// Struct or union.
    pub kind: RecordKind,
    /// Base classes first, then members, by offset. Static members are globals, not members.
    pub members: Vec<RecordMember>,
    /// The cases of a Rust enum.
    pub variants: Option<Variants>,
    /// Template (C++) or generic (Rust) type arguments by name: `T`, `_Tp`, `_Val`.
    pub arguments: Vec<(String, TypeId)>,
    /// Whether the language of the unit is Rust.
    pub is_rust: bool,
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMember {
    /// Empty for anonymous structs and unions; the class for bases.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// In bytes from the start of the record; of a bit-field: of the storage that `bits` count in.
    pub offset: u64,
    /// Which bits of the little-endian number at `offset`, if it is a bit-field.
    pub bits: Option<BitField>,
    /// A base class.
    pub is_base: bool,
    /// Made by the compiler: `_vptr.Shape`.
    pub is_artificial: bool,
}

/// Where a bit-field is in its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// Bits below it, 0..=7: `RecordMember::offset` is chosen so.
    pub skip: u8,
    /// How many bits it has, 1..=64.
    pub count: u8,
}

/// The cases of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// Where the discriminant is; `None` for enums of a single case.
    pub discriminant: Option<RecordMember>,
    /// The cases.
    pub cases: Vec<Variant>,
}

/// One case of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The values of the discriminant that mean it; empty for all others.
    pub values: Vec<i128>,
    /// Its name and content.
    pub member: RecordMember,
}
