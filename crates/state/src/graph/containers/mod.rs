//! Containers, which hide the type of what they hold, or how much of it there is.
//!
//! Their members stay ordinary vertices. What they hold gets, in addition, edges straight from the container.

mod cpp;
mod cpp_nodes;
mod rust;
mod rust_trees;

use super::expand::MOST_ELEMENTS;
use super::layout::LayoutKind;
use super::read::{GraphReader, MOST_KEYS, ObjectClaim};
use super::{Label, MemoryEdge, ObjectKind, Shape, VertexId};
use crate::Address;
use crate::debug::{RecordKind, RecordType, TypeId};

/// A container of a standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// `std::vector` of C++,
    Vector(TypeId),
    /// `std::string`,
    String(TypeId),
    /// `std::map`, `std::set` and their kin,
    Tree,
    /// `std::list`,
    List,
    /// `std::forward_list`,
    ForwardList,
    /// `std::unordered_map` and its kin,
    Hash,
    /// `std::deque`,
    Deque(TypeId),
    /// `std::unique_ptr`, `std::shared_ptr`,
    Smart,
    /// `std::optional`,
    Optional,
    /// `std::variant`.
    Variant,
    /// `Vec` of Rust,
    RustVec(TypeId),
    /// `String`,
    RustString,
    /// `&[T]`, `&str` and boxes of them,
    Slice {
        /// Whether it is a text.
        is_text: bool,
    },
    /// `Rc`, `Arc`,
    Shared,
    /// `HashMap`, `HashSet`,
    HashTable,
    /// `BTreeMap`, `BTreeSet`,
    BTree,
    /// `VecDeque`.
    Ring(TypeId),
}

impl Container {
    /// The container that a record is, by its name.
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
            "vector" if !name.starts_with("std::vector<bool") => Self::Vector(first?),
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
                if members != ["data_ptr", "length"] {
                    return None;
                }
                Self::Slice { is_text: name.ends_with("str") || record.name.contains("<str") }
            }
        })
    }
}

impl GraphReader<'_> {
    /// Adds what a container holds.
    pub(super) fn read_container(&mut self, vertex: VertexId) {
        let layout = self.layouts.of(self.vertex(vertex).ty);
        let LayoutKind::Record(parts) = &layout.kind else { return };
        let Some(container) = parts.container else { return };
        // Where something is not as expected, the container is left as the record that it is.
        let _ = match container {
            Container::Vector(ty) => self.read_vector(vertex, ty),
            Container::String(ty) => self.read_string(vertex, ty),
            Container::Tree => self.read_tree(vertex),
            Container::List => self.read_list(vertex),
            Container::ForwardList => self.read_forward_list(vertex),
            Container::Hash => self.read_hash(vertex),
            Container::Deque(ty) => self.read_deque(vertex, ty),
            Container::Optional => self.read_optional(vertex),
            Container::Variant => self.read_variant(vertex),
            Container::RustVec(ty) => self.read_rust_vec(vertex, ty),
            Container::RustString => self.read_rust_string(vertex),
            Container::Slice { is_text } => self.read_slice(vertex, is_text),
            Container::HashTable => self.read_hash_table(vertex),
            Container::BTree => self.read_btree(vertex),
            Container::Ring(ty) => self.read_ring(vertex, ty),
            Container::Smart | Container::Shared => {
                self.late.push(vertex);
                Some(())
            }
        };
    }

    /// Adds what smart pointers point to, when that is known.
    pub(super) fn read_smart_pointers(&mut self) {
        for container in std::mem::take(&mut self.late) {
            let Some(pointer) = self.first_pointer(container) else { continue };
            let Some(mut target) = self.graph.edges_of(pointer).first().map(|edge| edge.to) else { continue };
            let is_own = self.vertex(target).parent == Some(pointer);
            // Shared values of Rust have their counts before them.
            if self.is_named(container, &["alloc::rc::Rc<", "alloc::sync::Arc<"]) {
                let mut parts = self.graph.edges_of(target).iter().map(|edge| edge.to);
                let Some(value) = parts.find(|part| self.is_called(*part, &["value", "data"])) else {
                    continue;
                };
                target = value;
            }
            let edge = self.shortcut(container, Label::Target, target, is_own);
            self.add_edges(container, vec![edge]);
        }
    }

    /// Whether the name of a vertex's record begins with one of these.
    pub(super) fn is_named(&self, vertex: VertexId, stems: &[&str]) -> bool {
        self.record_name(vertex).is_some_and(|name| stems.iter().any(|stem| name.starts_with(stem)))
    }

    /// The name of a vertex's record.
    pub(super) fn record_name(&self, vertex: VertexId) -> Option<String> {
        match &*self.source.ty(self.vertex(vertex).ty) {
            crate::debug::Type::Record(record) => Some(record.name.clone()),
            _ => None,
        }
    }

    /// The first part of a vertex, at whatever depth, that fulfils a condition: the outer ones first.
    pub(super) fn seek(
        &self,
        vertex: VertexId,
        wanted: impl Fn(&Self, VertexId) -> bool,
    ) -> Option<VertexId> {
        const MOST: usize = 256;
        let mut queue = vec![vertex];
        let mut next = 0;
        while next < queue.len().min(MOST) {
            let here = queue[next];
            next += 1;
            if here != vertex && wanted(self, here) {
                return Some(here);
            }
            if self.vertex(here).shape == Shape::Record {
                let edges = self.graph.edges_of(here).iter();
                let inner = edges.filter(|edge| matches!(edge.label, Label::Member(_) | Label::Case(_)));
                queue.extend(inner.map(|edge| edge.to).filter(|to| *to > here));
            }
        }
        None
    }

    /// The member of this name, at whatever depth.
    pub(super) fn member(&self, vertex: VertexId, name: &str) -> Option<VertexId> {
        self.seek(vertex, |reader, part| reader.is_called(part, &[name]))
    }

    /// Whether it is a member of one of these names.
    pub(super) fn is_called(&self, vertex: VertexId, names: &[&str]) -> bool {
        matches!(self.vertex(vertex).label, Label::Member(number) if names.contains(&self.layouts.names.name(number)))
    }

    /// The first pointer in a vertex.
    pub(super) fn first_pointer(&self, vertex: VertexId) -> Option<VertexId> {
        self.seek(vertex, |reader, part| reader.vertex(part).shape == Shape::Pointer)
    }

    /// The word that the member of this name is.
    pub(super) fn member_word(&self, vertex: VertexId, name: &str) -> Option<u64> {
        self.snapshot.number(self.vertex(self.member(vertex, name)?).at, 8)
    }

    /// So many elements that begin at an address, as a block of their own if nobody else has them.
    pub(super) fn hold_array(
        &mut self,
        container: VertexId,
        pointer: VertexId,
        start: Address,
        ty: TypeId,
        count: u64,
    ) -> Option<()> {
        let stride = self.layouts.size(ty);
        if count == 0 || stride == 0 {
            return None;
        }
        let length = count.checked_mul(stride)?;
        self.snapshot.bytes(start, length)?;
        let block = self.heap.block(start).filter(|block| block.at == start && block.size >= length);
        let (size, kind) = block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let shape = Shape::Array(u32::try_from(count).ok()?);
        let (parent, label) = (Some(pointer), Label::Target);
        let array = self.claim(ObjectClaim { at: start, size, kind, ty, shape, parent, label });
        let elements: Vec<VertexId> = match array {
            Some(array) => self.graph.edges_of(array).iter().map(|edge| edge.to).collect(),
            None => {
                let places = (0..count.min(MOST_ELEMENTS)).map(|index| start + index * stride);
                places.map_while(|at| self.element_at(at, ty)).collect()
            }
        };
        self.add_items(container, &elements, array.is_some());
        Some(())
    }

    /// The vertex of this very type at an address, not the array that begins there.
    pub(super) fn element_at(&self, at: Address, ty: TypeId) -> Option<VertexId> {
        let mut vertex = self.find(self.overlapping(at, 1)?, at, Some(ty))?;
        if matches!(self.vertex(vertex).shape, Shape::Array(_)) {
            vertex = self.graph.edges_of(vertex).first()?.to;
        }
        let found = self.vertex(vertex);
        (found.ty == ty && !matches!(found.shape, Shape::Text(_))).then_some(vertex)
    }

    /// Makes an array of a block in which only some places are in use, and returns them. Places ascend.
    pub(super) fn hold_places(
        &mut self,
        pointer: VertexId,
        start: Address,
        ty: TypeId,
        places: &[(u32, Address)],
    ) -> Option<Vec<VertexId>> {
        let (first, last) = (places.first()?.1, places.last()?.1);
        let stride = self.layouts.size(ty);
        let block = self.heap.block(first).filter(|block| last + stride <= block.at + block.size);
        let (at, size, kind) = match block {
            Some(block) => (block.at, block.size, ObjectKind::Block),
            None => (start, last + stride - start, ObjectKind::Other),
        };
        let (parent, label, shape) = (Some(pointer), Label::Target, Shape::Array(0));
        let array = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label })?;
        let object = self.vertex(array).object;
        let first = self.graph.vertices.len() as u32;
        for (number, at) in places {
            self.push(*at, ty, Shape::Record, object, Some(array), Label::Element(*number));
        }
        let edges = places.iter().zip(first..);
        self.set_edges(
            array,
            edges.map(|((number, _), to)| MemoryEdge { label: Label::Element(*number), to: VertexId(to) }),
        );
        self.graph.vertices[array.0 as usize].shape = Shape::Array(places.len() as u32);
        self.expand(VertexId(first));
        Some((first..first + places.len() as u32).map(VertexId).collect())
    }

    /// Remembers the keys of a map, to say its items by them.
    pub(super) fn add_keys(&mut self, items: &[VertexId], key: impl Fn(&Self, VertexId) -> Option<VertexId>) {
        for item in items.iter().take(MOST_KEYS) {
            if let Some(key) = key(self, *item) {
                self.keys.push((*item, key));
            }
        }
    }

    /// Adds what a container holds, in its order.
    pub(super) fn add_items(&mut self, container: VertexId, items: &[VertexId], is_own: bool) {
        let mut edges = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            edges.push(self.shortcut(container, Label::Item(index as u32), *item, is_own));
        }
        self.add_edges(container, edges);
    }

    /// Adds the text that a string holds.
    pub(super) fn add_text(
        &mut self,
        container: VertexId,
        pointer: VertexId,
        at: Address,
        ty: TypeId,
        length: u64,
    ) -> Option<()> {
        let shape = Shape::Text(u32::try_from(length).ok()?.min(MOST_ELEMENTS as u32));
        self.graph.left_out += length.saturating_sub(MOST_ELEMENTS);
        let block = self.heap.block(at).filter(|block| block.at == at && block.size >= length);
        let (size, kind) = block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
        let (parent, label) = (Some(pointer), Label::Target);
        let claimed = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label });
        let text = claimed.or_else(|| {
            let found = self.find(self.overlapping(at, 1)?, at, None)?;
            Some(self.text_in(found)).filter(|text| self.vertex(*text).shape == shape)
        })?;
        self.add_text_edge(container, text, claimed.is_some());
        Some(())
    }

    /// Adds the edge to a text.
    pub(super) fn add_text_edge(&mut self, container: VertexId, text: VertexId, is_own: bool) {
        let label = Label::Member(self.layouts.names.number("#text"));
        let edge = self.shortcut(container, label, text, is_own);
        self.add_edges(container, vec![edge]);
    }
}

impl Container {
    /// How its value is said when it holds nothing.
    pub(super) fn nothing(self) -> Option<&'static str> {
        match self {
            Self::Smart | Self::Variant | Self::Shared => None,
            Self::Optional => Some("nullopt"),
            Self::String(_) | Self::RustString | Self::Slice { is_text: true } => Some("\"\""),
            Self::RustVec(_) | Self::Slice { .. } | Self::HashTable | Self::BTree | Self::Ring(_) => {
                Some("[]")
            }
            _ => Some("{}"),
        }
    }
}

/// The arguments of a template, as they are written.
pub(super) fn template_arguments(name: &str) -> Vec<&str> {
    let Some((_, inside)) = name.split_once('<') else { return Vec::new() };
    let inside = inside.strip_suffix('>').unwrap_or(inside);
    let (mut depth, mut from) = (0_i32, 0);
    let mut arguments = Vec::new();
    for (index, byte) in inside.bytes().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b',' if depth == 0 => {
                arguments.push(inside[from..index].trim());
                from = index + 1;
            }
            _ => {}
        }
    }
    arguments.push(inside[from..].trim());
    arguments
}
