//! Containers, which hide the type or the number of their elements.
//!
//! Their members stay ordinary vertices. Their content gets, in addition, edges directly from the container.
//!
//! | file | containers |
//! |---|---|
//! | `cpp`, `cpp_nodes`, `template` | of libstdc++: with elements in rows, with a node for each element; names of templates |
//! | `rust`, `rust_trees` | of Rust: with elements in rows, ordered maps and sets |
//! | `contents` | what all of them share |

mod contents;
mod cpp;
mod cpp_nodes;
mod rust;
mod rust_trees;
mod template;

use super::container::Container;
use super::layout::LayoutKind;
use super::read::GraphReader;
use super::{Label, VertexId};

impl GraphReader<'_> {
    /// Adds the content of a container.
    pub(super) fn read_container(&mut self, vertex: VertexId) {
        let layout = self.layouts.of(self.vertex(vertex).ty);
        let LayoutKind::Record(parts) = &layout.kind else { return };
        let Some(container) = parts.container else { return };
        // If anything is not as expected, the container stays a plain record.
        let _ = match container {
            Container::Vector(ty) => self.read_vector(vertex, ty),
            Container::Bits(ty) => self.read_bits(vertex, ty),
            Container::TraitObject => self.read_trait_object(vertex),
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

    /// Adds the targets of smart pointers, once they are known.
    pub(super) fn read_smart_pointers(&mut self) {
        for container in std::mem::take(&mut self.late) {
            let Some(pointer) = self.first_pointer(container) else { continue };
            let Some(mut target) = self.graph.edges_of(pointer).first().map(|edge| edge.to) else { continue };
            let is_own = self.vertex(target).parent == Some(pointer);
            // Shared values in Rust have their counters before them.
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
}
