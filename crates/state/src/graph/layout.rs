//! Types in the form that the reader needs: sizes known, names numbered, questions about them answered once.

use super::container::Container;
use super::declarations::Declarations;
use super::names::NameNumbers;
use crate::debug::{
    BitField, RecordKind, RecordMember, RecordType, ScalarEncoding, Type, TypeId, VirtualBase,
};
use std::rc::Rc;

/// A type in the form that the reader needs.
#[derive(Debug)]
pub(super) struct TypeLayout {
    /// Its size in bytes.
    pub(super) size: u64,
    /// Its kind.
    pub(super) kind: LayoutKind,
}

/// The kinds of types.
#[derive(Debug)]
pub(super) enum LayoutKind {
    /// Bytes without pointers.
    Scalar,
    /// A pointer.
    Pointer(Pointee),
    /// Elements in a row.
    Array {
        /// Their type.
        of: TypeId,
        /// The size of an element.
        stride: u64,
        /// The number of elements.
        count: Option<u64>,
        /// Whether they are characters, which are read as one text.
        is_text: bool,
    },
    /// Parts one after the other.
    Record(LayoutParts),
    /// Parts that share their memory.
    Union(Vec<LayoutPart>),
    /// A Rust enum.
    Enum {
        /// The discriminant.
        discriminant: Option<LayoutPart>,
        /// The discriminants of each case, and its content.
        cases: Vec<(Vec<i128>, LayoutPart)>,
    },
    /// A stream of the C library.
    Stream,
}

/// The target of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointee {
    /// A value of unknown type.
    Untyped,
    /// Code.
    Function,
    /// Characters.
    Text(TypeId),
    /// A value of this type.
    Typed(TypeId),
}

/// The parts of a record.
#[derive(Debug)]
pub(super) struct LayoutParts {
    /// By offset.
    pub(super) parts: Vec<LayoutPart>,
    /// Whether it ends in an array without a length of its own.
    pub(super) is_flexible: bool,
    /// Whether it has a pointer to a table of virtual functions at its start.
    pub(super) is_polymorphic: bool,
    /// The container, if it is one.
    pub(super) container: Option<Container>,
    /// Virtual bases of its own. Those of its bases are not among them.
    pub(super) virtual_bases: Vec<VirtualPart>,
}

/// A virtual base of a record. Its name is numbered, as those of all parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct VirtualPart {
    pub(super) name: u32,
    pub(super) ty: TypeId,
    /// See [`VirtualBase::before_table`](crate::debug::VirtualBase).
    pub(super) before_table: u64,
}

/// A part of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutPart {
    /// Its name, by number. A name that begins with `#` is not written.
    pub(super) name: u32,
    /// Its type.
    pub(super) ty: TypeId,
    /// Its offset in bytes.
    pub(super) offset: u64,
    /// The bits, if it is a bit-field.
    pub(super) bits: Option<BitField>,
}

/// How deep types are searched for their first or last part.
const DEPTH: u32 = 12;
/// Types with higher numbers are not remembered.
const MOST: usize = 1 << 22;

/// All layouts that were needed so far.
pub(super) struct Layouts<'a> {
    source: &'a dyn Declarations,
    layouts: Vec<Option<Rc<TypeLayout>>>,
    /// The names of parts.
    pub(super) names: NameNumbers,
}

impl<'a> Layouts<'a> {
    /// No layouts yet.
    pub(super) fn new(source: &'a dyn Declarations) -> Self {
        Self { source, layouts: Vec::new(), names: NameNumbers::default() }
    }

    /// The layout of a type.
    pub(super) fn of(&mut self, id: TypeId) -> Rc<TypeLayout> {
        let index = id.0 as usize;
        if let Some(Some(layout)) = self.layouts.get(index) {
            return Rc::clone(layout);
        }
        let layout = Rc::new(self.make(id));
        if index < MOST {
            if self.layouts.len() <= index {
                self.layouts.resize(index + 1, None);
            }
            self.layouts[index] = Some(Rc::clone(&layout));
        }
        layout
    }

    /// The size of a type.
    pub(super) fn size(&mut self, id: TypeId) -> u64 {
        self.of(id).size
    }

    fn make(&mut self, id: TypeId) -> TypeLayout {
        let ty = self.source.ty(id);
        let size = self.source.size(id);
        let kind = match &*ty {
            Type::Void
            | Type::Function { .. }
            | Type::Opaque { .. }
            | Type::Scalar { .. }
            | Type::Enumeration { .. } => LayoutKind::Scalar,
            Type::Pointer { to, .. } => LayoutKind::Pointer(self.pointee(*to)),
            Type::Array { of, count } => {
                let stride = self.source.size(*of);
                LayoutKind::Array {
                    of: *of,
                    stride,
                    count: *count,
                    is_text: is_character(&self.source.ty(*of)),
                }
            }
            Type::Record(record) if matches!(&*record.name, "_IO_FILE" | "FILE") => LayoutKind::Stream,
            Type::Record(record) => self.record(record),
        };
        TypeLayout { size, kind }
    }

    fn pointee(&self, to: TypeId) -> Pointee {
        match &*self.source.ty(to) {
            Type::Function { .. } => Pointee::Function,
            Type::Void | Type::Opaque { .. } => Pointee::Untyped,
            ty if is_character(ty) => Pointee::Text(to),
            _ if self.source.size(to) == 0 => Pointee::Untyped,
            _ => Pointee::Typed(to),
        }
    }

    fn record(&mut self, record: &RecordType) -> LayoutKind {
        if let Some(variants) = &record.variants {
            let discriminant = variants.discriminant.as_ref();
            let discriminant = discriminant
                .map(|member| LayoutPart { name: self.names.number("#tag"), ..self.part("", member, 0) });
            let cases = variants.cases.iter();
            let cases = cases.map(|case| (case.values.clone(), self.part("", &case.member, 0))).collect();
            return LayoutKind::Enum { discriminant, cases };
        }
        if let Some(held) = buffered(record) {
            let name = self.names.number("#buffered");
            let parts = vec![LayoutPart { name, ty: held, offset: 0, bits: None }];
            let (is_flexible, is_polymorphic, virtual_bases) = (false, false, Vec::new());
            let parts = LayoutParts { parts, is_flexible, is_polymorphic, container: None, virtual_bases };
            return LayoutKind::Record(parts);
        }
        let mut parts: Vec<LayoutPart> = Vec::with_capacity(record.members.len());
        for (index, member) in record.members.iter().enumerate() {
            if record.kind == RecordKind::Union || !self.is_empty(member, DEPTH) {
                parts.push(self.part(&record.name, member, index));
            }
        }
        match record.kind {
            RecordKind::Union => LayoutKind::Union(parts),
            RecordKind::Struct => {
                parts.sort_by_key(|part| part.offset);
                let names = &mut self.names;
                let virtual_base = |base: &VirtualBase| VirtualPart {
                    name: names.number(&format!("#{}", base.name)),
                    ty: base.ty,
                    before_table: base.before_table,
                };
                let virtual_bases = record.virtual_bases.iter().map(virtual_base).collect();
                LayoutKind::Record(LayoutParts {
                    virtual_bases,
                    is_flexible: self.is_flexible(record, DEPTH),
                    is_polymorphic: self.is_polymorphic(record, DEPTH),
                    container: Container::of(record),
                    parts,
                })
            }
        }
    }

    fn part(&mut self, holder: &str, member: &RecordMember, index: usize) -> LayoutPart {
        let name = &member.name;
        let name = match (member.is_base, name.is_empty()) {
            (true, _) => self.names.number(&format!("#{name}")),
            (false, true) => self.names.number(&format!("#{index}")),
            _ if name == "_M_head_impl" && holder.starts_with("std::_Head_base<") => {
                let number = holder["std::_Head_base<".len()..].chars().take_while(char::is_ascii_digit);
                self.names.number(&number.collect::<String>())
            }
            // The compiler of Rust calls the members of tuples `__0`, `__1`; arrays in C++ are records.
            _ if is_wrapping(holder, name) => self.names.number(&format!("#{name}")),
            _ => {
                match name.strip_prefix("__").filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
                    Some(number) if !number.is_empty() => self.names.number(number),
                    _ => self.names.number(name),
                }
            }
        };
        LayoutPart { name, ty: member.ty, offset: member.offset, bits: member.bits }
    }

    /// Whether a member is a record without members: allocators, comparisons, phantoms.
    fn is_empty(&self, member: &RecordMember, depth: u32) -> bool {
        match &*self.source.ty(member.ty) {
            Type::Record(record) if record.kind == RecordKind::Struct && record.variants.is_none() => {
                depth > 0
                    && record.size <= 1
                    && record.members.iter().all(|inner| self.is_empty(inner, depth - 1))
            }
            _ => false,
        }
    }

    fn is_flexible(&self, record: &RecordType, depth: u32) -> bool {
        if record.is_rust {
            return false;
        }
        let Some(last) = record.members.last().filter(|last| last.bits.is_none()) else { return false };
        match &*self.source.ty(last.ty) {
            Type::Array { of, count } => {
                count.is_none_or(|count| count <= 1) && last.offset + self.source.size(*of) + 8 > record.size
            }
            Type::Record(inner) if depth > 0 && inner.kind == RecordKind::Struct && !last.is_base => {
                self.is_flexible(inner, depth - 1)
            }
            _ => false,
        }
    }

    fn is_polymorphic(&self, record: &RecordType, depth: u32) -> bool {
        let mut at_start = record.members.iter().filter(|member| member.offset == 0);
        at_start.any(|first| {
            if first.name.starts_with("_vptr") {
                return true;
            }
            let base = first.is_base && depth > 0;
            base && matches!(&*self.source.ty(first.ty), Type::Record(base) if self.is_polymorphic(base, depth - 1))
        })
    }
}

/// Whether a member is the only content of a record of a standard library, so that its name says nothing.
fn is_wrapping(holder: &str, name: &str) -> bool {
    if holder.starts_with("std::") {
        return matches!(name, "_M_elems" | "_M_impl" | "_M_t" | "_M_dataplus" | "_M_payload" | "_M_u");
    }
    let stem = holder.split('<').next().unwrap_or(holder);
    match stem {
        "core::ptr::non_null::NonNull" | "core::ptr::unique::Unique" => name == "pointer",
        "alloc::rc::Rc" | "alloc::sync::Arc" => name == "ptr",
        "core::cell::Cell" | "core::cell::UnsafeCell" | "core::cell::RefCell" => name == "value",
        "core::mem::manually_drop::ManuallyDrop" => name == "value",
        "core::mem::maybe_dangling::MaybeDangling" | "core::num::niche_types::UsizeNoHighBit" => {
            name == "__0"
        }
        "alloc::vec::Vec" | "alloc::collections::vec_deque::VecDeque" => name == "buf",
        "alloc::raw_vec::RawVec" => name == "inner",
        "alloc::raw_vec::RawVecInner" => name == "ptr",
        "alloc::string::String" => name == "vec",
        _ => false,
    }
}

/// Whether it is a character in C or C++: a byte of a text.
pub(super) fn is_character(ty: &Type) -> bool {
    matches!(ty, Type::Scalar { size: 1, encoding: ScalarEncoding::Character { .. }, .. })
}

/// The type of the value in a buffer of raw bytes, in nodes of C++ containers.
fn buffered(record: &RecordType) -> Option<TypeId> {
    let name = &record.name;
    let is_buffer =
        name.starts_with("__gnu_cxx::__aligned_membuf<") || name.starts_with("__gnu_cxx::__aligned_buffer<");
    is_buffer.then(|| record.arguments.first().map(|(_, ty)| *ty)).flatten()
}
