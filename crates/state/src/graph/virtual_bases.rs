//! Virtual base classes, whose place is different in each class that inherits them.

use super::layout::{LayoutKind, LayoutPart};
use super::read::GraphReader;
use super::{Label, VertexId};
use crate::Address;

/// At most this number of virtual bases of an object is looked for. In corrupt debug information a class can inherit itself.
const MOST: usize = 64;

impl GraphReader<'_> {
    /// The parts of a record, with its virtual bases if it is a whole object. As a part of another object it shares them with
    /// that object.
    pub(super) fn with_virtual_bases(
        &mut self,
        vertex: VertexId,
        at: Address,
        parts: &[LayoutPart],
        size: u64,
    ) -> Option<Vec<LayoutPart>> {
        let is_base = matches!(self.vertex(vertex).label, Label::Member(name)
            if self.layouts.names.name(name).starts_with('#'));
        if is_base {
            return None;
        }
        let mut found: Vec<LayoutPart> = Vec::new();
        let mut open = vec![(at, self.vertex(vertex).ty)];
        let mut next = 0;
        while next < open.len().min(MOST) {
            let (holder, ty) = open[next];
            next += 1;
            let layout = self.layouts.of(ty);
            let LayoutKind::Record(holding) = &layout.kind else { continue };
            let is_base = |part: &&LayoutPart| self.layouts.names.name(part.name).starts_with('#');
            open.extend(holding.parts.iter().filter(is_base).map(|part| (holder + part.offset, part.ty)));
            for base in &holding.virtual_bases {
                let table = Address(self.word(holder));
                let offset = self.word(table - base.before_table);
                let Some(offset) = (holder - at).checked_add(offset) else { continue };
                let is_inside = offset.checked_add(self.layouts.size(base.ty)).is_some_and(|end| end <= size);
                let is_new = found.iter().all(|known| (known.ty, known.offset) != (base.ty, offset));
                if is_inside && is_new {
                    found.push(LayoutPart { name: base.name, ty: base.ty, offset, bits: None });
                    open.push((at + offset, base.ty));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        found.extend_from_slice(parts);
        found.sort_by_key(|part| part.offset);
        Some(found)
    }
}
