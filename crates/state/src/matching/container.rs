//! Records whose parts make sense only together.

use crate::debug::{Type, TypeId};
use crate::graph::Declarations;

/// Whether a type is a record of a standard library whose pointers, lengths and capacities belong together: a vector, a
/// string, a map. References to slices and texts in Rust are pairs of a pointer and a length.
pub(super) fn is_container(program: &dyn Declarations, ty: TypeId) -> bool {
    matches!(&*program.ty(ty), Type::Record(record) if is_container_named(&record.name))
}

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
        .chain(&["std::collections::hash::", "&dyn ", "&mut dyn ", "*const dyn ", "*mut dyn "])
        .chain(&["alloc::boxed::Box<dyn ", "alloc::boxed::Box<(dyn "])
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
