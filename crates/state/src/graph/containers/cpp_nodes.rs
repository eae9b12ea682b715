//! Containers of libstdc++ with a node for each element. The type of their pointers is the common part of all nodes.

use super::super::read::{GraphReader, ObjectClaim};
use super::super::{Label, ObjectKind, Shape, VertexId};
use super::template::template_arguments;
use crate::Address;
use crate::debug::TypeId;

/// At most this number of elements is read.
const MOST_NODES: u64 = 1 << 20;

impl GraphReader<'_> {
    pub(super) fn read_tree(&mut self, map: VertexId) -> Option<()> {
        let tree = self.seek(map, |reader, part| reader.is_named(part, &["std::_Rb_tree<"]))?;
        let header = self.member(map, "_M_header")?;
        let count = self.member_word(map, "_M_node_count")?;
        let node = self.node_type("std::_Rb_tree_node<", &self.record_name(tree)?, 1, "")?;
        let pointer = self.member(header, "_M_parent")?;
        let end = self.vertex(header).at;
        let mut nodes = Vec::new();
        let mut at = Address(self.word(end + 16));
        while at != end && (nodes.len() as u64) < count.min(MOST_NODES) {
            nodes.push(at);
            at = self.after(at, count)?;
        }
        self.hold_nodes(map, pointer, &nodes, node, "#buffered")
    }

    /// The next node of a tree, in order.
    fn after(&self, node: Address, most: u64) -> Option<Address> {
        let [parent, left, right] = [8, 16, 24];
        let go = |from: Address, way: u64| self.snapshot.number(from + way, 8).map(Address);
        let mut steps = 0;
        let mut here = go(node, right)?;
        if !here.is_null() {
            while let Some(lower) = go(here, left).filter(|lower| !lower.is_null()) {
                here = lower;
                steps += 1;
                if steps > most {
                    return None;
                }
            }
            return Some(here);
        }
        let (mut child, mut above) = (node, go(node, parent)?);
        while go(above, right)? == child {
            (child, above) = (above, go(above, parent)?);
            steps += 1;
            if steps > most + 2 {
                return None;
            }
        }
        // The header is its own grandparent; in a tree with one node it is also the right end.
        Some(if go(child, right)? == above { child } else { above })
    }

    pub(super) fn read_list(&mut self, list: VertexId) -> Option<()> {
        let header = self.member(list, "_M_node")?;
        let node = self.node_type("std::_List_node<", &self.record_name(list)?, 0, "")?;
        let pointer = self.member(header, "_M_next")?;
        let nodes = self.chain(self.word(self.vertex(header).at), self.vertex(header).at);
        self.hold_nodes(list, pointer, &nodes, node, "#buffered")
    }

    pub(super) fn read_forward_list(&mut self, list: VertexId) -> Option<()> {
        let pointer = self.member(list, "_M_next")?;
        let node = self.node_type("std::_Fwd_list_node<", &self.record_name(list)?, 0, "")?;
        let nodes = self.chain(self.word(self.vertex(pointer).at), Address(0));
        self.hold_nodes(list, pointer, &nodes, node, "#buffered")
    }

    pub(super) fn read_hash(&mut self, map: VertexId) -> Option<()> {
        let table = self.seek(map, |reader, part| reader.is_named(part, &["std::_Hashtable<"]))?;
        let name = self.record_name(table)?;
        let traits =
            template_arguments(&name).into_iter().find(|argument| argument.contains("_Hashtable_traits<"))?;
        let is_cached = template_arguments(traits).first().copied()?;
        let node = self.node_type("std::__detail::_Hash_node<", &name, 1, &format!(", {is_cached}"))?;
        let pointer = self.member(self.member(table, "_M_before_begin")?, "_M_nxt")?;
        let nodes = self.chain(self.word(self.vertex(pointer).at), Address(0));
        self.hold_nodes(map, pointer, &nodes, node, "#buffered")
    }

    /// The nodes of a chain whose first word is the link, up to an end or to a node that was already seen.
    fn chain(&self, first: u64, end: Address) -> Vec<Address> {
        let mut nodes = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut at = Address(first);
        while at != end && !at.is_null() && (nodes.len() as u64) < MOST_NODES && seen.insert(at) {
            let Some(next) = self.snapshot.number(at, 8) else { break };
            nodes.push(at);
            at = Address(next);
        }
        nodes
    }

    /// The type of the nodes, by the name of the container and the argument that they hold.
    fn node_type(&self, stem: &str, container: &str, argument: usize, rest: &str) -> Option<TypeId> {
        let arguments = template_arguments(container);
        let held = arguments.get(argument)?;
        let spaced = if rest.is_empty() && held.ends_with('>') { " " } else { "" };
        let name = format!("{stem}{held}{rest}{spaced}>");
        self.source.type_named(&name).or_else(|| self.source.type_named(&format!("{stem}{held}{rest}>")))
    }

    /// Makes nodes of blocks, and their values the items of the container.
    fn hold_nodes(
        &mut self,
        container: VertexId,
        pointer: VertexId,
        nodes: &[Address],
        ty: TypeId,
        held: &str,
    ) -> Option<()> {
        let length = self.layouts.size(ty);
        let mut items = Vec::with_capacity(nodes.len());
        for at in nodes {
            let at = *at;
            let block = self.heap.block(at).filter(|block| block.at == at && block.size >= length);
            let (size, kind) =
                block.map_or((length, ObjectKind::Other), |block| (block.size, ObjectKind::Block));
            let (parent, label, shape) = (Some(pointer), Label::Target, Shape::Record);
            let node = self.claim(ObjectClaim { at, size, kind, ty, shape, parent, label });
            let node = node.or_else(|| self.element_at(at, ty))?;
            items.push(self.member(node, held).or_else(|| self.member(node, "_M_value"))?);
        }
        self.add_items(container, &items, true);
        let stems = ["std::map<", "std::multimap<", "std::unordered_map<", "std::unordered_multimap<"];
        if self.is_named(container, &stems) {
            self.add_keys(&items, |reader, item| reader.member(item, "first"));
        }
        Some(())
    }
}
