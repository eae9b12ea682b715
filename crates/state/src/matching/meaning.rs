//! What matching needs to know about a program beyond the graphs. [`Program`] knows it; tests make it up.

use crate::debug::{Program, Type, TypeId};
use crate::graph::{Graph, VertexId};
use crate::{Address, Snapshot};

/// Sizes, kinds and words.
pub(crate) trait Meaning {
    /// The size of a type in bytes; 0 where unknown.
    fn size(&self, ty: TypeId) -> u64;
    /// Whether the members of such a record make sense only together: a vector, a string, a slice, a map.
    fn is_container(&self, ty: TypeId) -> bool;
    /// A vertex as an expression.
    fn expression(&self, graph: &Graph, vertex: VertexId) -> String;
    /// The value of a vertex in words.
    fn value(&self, graph: &Graph, snapshot: &Snapshot, vertex: VertexId) -> String;
    /// Where the C library keeps its stream of the standard input.
    fn standard_input(&self) -> Option<Address>;
}

impl Meaning for Program {
    fn size(&self, ty: TypeId) -> u64 {
        self.size(ty)
    }

    fn is_container(&self, ty: TypeId) -> bool {
        matches!(&*self.ty(ty), Type::Record(record) if is_container_named(&record.name))
    }

    fn expression(&self, graph: &Graph, vertex: VertexId) -> String {
        graph.expression(self, vertex)
    }

    fn value(&self, graph: &Graph, snapshot: &Snapshot, vertex: VertexId) -> String {
        graph.value(self, snapshot, vertex)
    }

    fn standard_input(&self) -> Option<Address> {
        self.symbol("_IO_2_1_stdin_")
    }
}

/// The standard libraries of C++ and Rust: records whose pointers, lengths and capacities belong together. References to
/// slices and texts of Rust are pairs of a pointer and a length.
fn is_container_named(name: &str) -> bool {
    const CONTAINERS: [&str; 14] = [
        "vector<",
        "basic_string<",
        "list<",
        "forward_list<",
        "deque<",
        "map<",
        "set<",
        "multimap<",
        "multiset<",
        "unordered_map<",
        "unordered_set<",
        "unordered_multimap<",
        "unordered_multiset<",
        "basic_string_view<",
    ];
    if let Some(rest) = name.strip_prefix("std::") {
        let rest = rest.strip_prefix("__cxx11::").unwrap_or(rest);
        let rest = rest.strip_prefix("__debug::").unwrap_or(rest);
        if CONTAINERS.iter().any(|container| rest.starts_with(container)) {
            return true;
        }
    }
    ["&[", "&mut [", "*const [", "*mut [", "&str", "&mut str", "alloc::string::String", "alloc::vec::Vec<"]
        .iter()
        .chain(&["alloc::boxed::Box<[", "alloc::boxed::Box<str", "alloc::collections::", "hashbrown::"])
        .chain(&["std::collections::hash::"])
        .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::is_container_named;

    #[test]
    fn containers_of_the_standard_libraries_are_known_by_their_names() {
        for name in [
            "std::vector<int, std::allocator<int> >",
            "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
            "alloc::vec::Vec<u8, alloc::alloc::Global>",
            "&str",
            "&[i32]",
            "std::collections::hash::map::HashMap<u32, u32, S>",
        ] {
            assert!(is_container_named(name), "{name}");
        }
        for name in ["vector", "shop::Cart", "alloc::rc::Rc<u8>", "std::pair<int, int>", ""] {
            assert!(!is_container_named(name), "{name}");
        }
    }
}
