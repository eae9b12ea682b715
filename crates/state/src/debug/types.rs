//! The types of a program's values.

/// A type, by its number in the table of a program. Equal types of different units have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A type without its typedefs, `const` and `volatile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// No value, or a value of unknown type.
    Void,
    /// A number, a character or a Boolean.
    Scalar {
        /// Its name in the source.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// How to read it.
        encoding: ScalarEncoding,
    },
    /// An enumeration.
    Enumeration {
        /// Its qualified name in the source.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Names and their values.
        values: Vec<(String, i128)>,
    },
    /// A pointer or a reference.
    Pointer {
        /// The type that it points to.
        to: TypeId,
        /// Whether it is a reference in C++ or Rust: never null, and not shown as a pointer.
        is_reference: bool,
    },
    /// Elements in a row. An array of arrays has one dimension each.
    Array {
        /// The type of an element.
        of: TypeId,
        /// The number of elements; `None` for flexible array members and extern declarations without a size.
        count: Option<u64>,
    },
    /// A struct, class, union, tuple or Rust enum.
    Record(RecordType),
    /// A function; only pointers lead to one.
    Function {
        /// Its signature, for people.
        name: String,
    },
    /// A type that is declared, but defined nowhere.
    Opaque {
        /// Its name in the source.
        name: String,
    },
}

/// How the bytes of a scalar are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarEncoding {
    /// True or false.
    Boolean,
    /// A character: `char`, `unsigned char`, `char8_t`, and `char` in Rust (four bytes). `u8` in Rust is *not* a character.
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
    /// Its members come one after the other.
    Struct,
    /// Its members share their memory.
    Union,
}

/// A struct, class, union, tuple or Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// Its name, qualified and with template arguments: `std::vector<int, std::allocator<int> >`, `alloc::vec::Vec<u8, …>`.
    pub name: String,
    /// Its size in bytes.
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
    /// Virtual base classes that are not at the same place in all objects.
    pub virtual_bases: Vec<VirtualBase>,
}

/// A virtual base class. Where it is, says the table of virtual functions of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualBase {
    /// The name of the class.
    pub name: String,
    /// The class.
    pub ty: TypeId,
    /// The table has the offset of the base in the word that begins this number of bytes before its address.
    pub before_table: u64,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMember {
    /// Its name. Empty for anonymous structs and unions; for a base, the name of the class.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its offset in bytes. For a bit-field, the offset of the storage that `bits` refers to.
    pub offset: u64,
    /// The bits of the little-endian number at `offset`, if it is a bit-field.
    pub bits: Option<BitField>,
    /// Whether it is a base class.
    pub is_base: bool,
    /// Whether the compiler made it: `_vptr.Shape`.
    pub is_artificial: bool,
}

/// Where a bit-field is in its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// The number of bits below it, 0..=7.
    pub skip: u8,
    /// The number of its bits, 1..=64.
    pub count: u8,
}

/// The cases of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The discriminant; `None` for enums with a single case.
    pub discriminant: Option<RecordMember>,
    /// The cases.
    pub cases: Vec<Variant>,
}

/// One case of a Rust enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The values of the discriminant that select it. If empty, it is selected by all other values.
    pub values: Vec<i128>,
    /// Its name and content.
    pub member: RecordMember,
}
