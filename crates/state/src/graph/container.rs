//! The containers of the standard libraries of C++ and Rust, recognised by the names of their types.

use crate::debug::{RecordKind, RecordType, TypeId};

/// A container of a standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// `std::vector` in C++.
    Vector(TypeId),
    /// `std::vector<bool>`: its elements are bits.
    Bits(TypeId),
    /// `std::string`.
    String(TypeId),
    /// `std::map`, `std::set` and similar containers.
    Tree,
    /// `std::list`.
    List,
    /// `std::forward_list`.
    ForwardList,
    /// `std::unordered_map` and similar containers.
    Hash,
    /// `std::deque`.
    Deque(TypeId),
    /// `std::unique_ptr`, `std::shared_ptr`.
    Smart,
    /// `std::optional`.
    Optional,
    /// `std::variant`.
    Variant,
    /// `Vec` in Rust.
    RustVec(TypeId),
    /// `String`.
    RustString,
    /// `&[T]`, `&str` and boxes of them.
    Slice {
        /// Whether it is a text.
        is_text: bool,
    },
    /// `&dyn Trait`, `Box<dyn Trait>`: a pointer, and the table that tells the type of its target.
    TraitObject,
    /// `Rc`, `Arc`.
    Shared,
    /// `HashMap`, `HashSet`.
    HashTable,
    /// `BTreeMap`, `BTreeSet`.
    BTree,
    /// `VecDeque`.
    Ring(TypeId),
}

impl Container {
    /// The container that a record represents, by its name.
    pub(super) fn of(record: &RecordType) -> Option<Self> {
        if record.kind == RecordKind::Union {
            return None;
        }
        let first = record.arguments.first().map(|(_, ty)| *ty);
        let name = record.name.as_str();
        let (stem, _) = name.split_once('<').unwrap_or((name, ""));
        if record.is_rust {
            return Self::of_rust(record, stem, first);
        }
        Some(match stem.strip_prefix("std::")? {
            "vector" if name.starts_with("std::vector<bool,") => Self::Bits(first?),
            "vector" => Self::Vector(first?),
            "__cxx11::basic_string" if name.starts_with("std::__cxx11::basic_string<char,") => {
                Self::String(first?)
            }
            "map" | "set" | "multimap" | "multiset" => Self::Tree,
            "__cxx11::list" => Self::List,
            "forward_list" => Self::ForwardList,
            "unordered_map" | "unordered_set" | "unordered_multimap" | "unordered_multiset" => Self::Hash,
            "deque" => Self::Deque(first?),
            "unique_ptr" | "shared_ptr" => Self::Smart,
            "optional" => Self::Optional,
            "variant" => Self::Variant,
            _ => return None,
        })
    }

    fn of_rust(record: &RecordType, stem: &str, first: Option<TypeId>) -> Option<Self> {
        Some(match stem {
            "alloc::vec::Vec" => Self::RustVec(first?),
            "alloc::string::String" => Self::RustString,
            "alloc::rc::Rc" | "alloc::sync::Arc" => Self::Shared,
            "std::collections::hash::map::HashMap" | "std::collections::hash::set::HashSet" => {
                Self::HashTable
            }
            "alloc::collections::btree::map::BTreeMap" | "alloc::collections::btree::set::BTreeSet" => {
                Self::BTree
            }
            "alloc::collections::vec_deque::VecDeque" => Self::Ring(first?),
            name => {
                let members: Vec<&str> = record.members.iter().map(|member| member.name.as_str()).collect();
                if members == ["pointer", "vtable"] {
                    return Some(Self::TraitObject);
                }
                if members != ["data_ptr", "length"] {
                    return None;
                }
                Self::Slice { is_text: name.ends_with("str") || record.name.contains("<str") }
            }
        })
    }

    /// The text for its value if it is empty.
    pub(super) fn nothing(self) -> Option<&'static str> {
        match self {
            Self::Smart | Self::Variant | Self::Shared | Self::TraitObject => None,
            Self::Optional => Some("nullopt"),
            Self::String(_) | Self::RustString | Self::Slice { is_text: true } => Some("\"\""),
            Self::RustVec(_) | Self::Slice { .. } | Self::HashTable | Self::BTree | Self::Ring(_) => {
                Some("[]")
            }
            _ => Some("{}"),
        }
    }
}
