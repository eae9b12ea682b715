//! Where pointers lead, and what is read there.

use super::block_use::{BlockOwner, Fit, PointerUse};
use super::expand::MOST_ELEMENTS;
use super::heap::HeapBlock;
use super::layout::{LayoutKind, Pointee};
use super::read::{GraphReader, ObjectClaim, ReadPhase};
use super::{Label, MemoryEdge, MemoryObjectId, ObjectKind, Shape, VertexId};
use crate::debug::{ScalarEncoding, Type, TypeId};
use crate::{Address, RegionKind};

/// A row of pointers outside of any object, such as the arguments of `main`, has at most this number of pointers.
const MOST_POINTERS: u64 = 4096;
/// At most this number of records of a block is looked at.
const MOST_BLANK: u64 = 64;

impl GraphReader<'_> {
    /// Makes a pointer lead to a vertex.
    pub(super) fn link(&mut self, pointer: VertexId, target: VertexId) {
        self.set_edges(pointer, [MemoryEdge { label: Label::Target, to: target }]);
    }

    /// The vertex of a type at an address inside an object. If no vertex there has the type, the outermost one.
    pub(super) fn find(&self, object: MemoryObjectId, at: Address, ty: Option<TypeId>) -> Option<VertexId> {
        let mut vertex = self.graph.objects[object.0 as usize].vertex;
        let mut outermost = None;
        loop {
            let here = self.vertex(vertex);
            if here.at == at {
                if ty.is_none_or(|ty| ty == here.ty) {
                    return Some(vertex);
                }
                outermost = outermost.or(Some(vertex));
            }
            match self.part_at(vertex, at) {
                Some(part) => vertex = part,
                None => return outermost,
            }
        }
    }

    /// The part or element of a vertex that can contain an address.
    fn part_at(&self, vertex: VertexId, at: Address) -> Option<VertexId> {
        let here = self.vertex(vertex);
        if !matches!(here.shape, Shape::Record | Shape::Array(_)) {
            return None;
        }
        let edges = self.graph.edges_of(vertex);
        // Shortcuts come last.
        let own = edges.partition_point(|edge| {
            let is_named_so = |name| matches!(self.layouts.names.name(name), "#text" | "#held");
            let is_shortcut = matches!(edge.label, Label::Item(_) | Label::Target)
                || matches!(edge.label, Label::Member(name) if is_named_so(name));
            !is_shortcut
        });
        let after = edges[..own].partition_point(|edge| self.vertex(edge.to).at <= at);
        Some(edges[after.checked_sub(1)?].to)
    }

    /// Whether nothing at an address can be in use.
    pub(super) fn is_dead(&self, at: Address) -> bool {
        match self.snapshot.region(at) {
            None => true,
            Some(region) => match region.kind {
                RegionKind::Stack => at < self.snapshot.stack_pointer(),
                RegionKind::Registers => true,
                _ => self.heap.is_dead(at),
            },
        }
    }

    /// Counts a pointer that leads nowhere. Small numbers are not counted: an empty vector in Rust has one.
    fn count_dangling(&mut self, at: Address) {
        self.graph.dangling += u32::from(at.0 >= 4096);
    }

    /// Follows a pointer to a type.
    pub(super) fn follow_typed(&mut self, pointer: VertexId, phase: ReadPhase) {
        let layout = self.layouts.of(self.vertex(pointer).ty);
        let LayoutKind::Pointer(Pointee::Typed(declared)) = layout.kind else { return };
        let address = Address(self.word(self.vertex(pointer).at));
        self.note_header(address, declared);
        let (at, ty) = self.dynamic(address, declared);
        self.note_in_pool(at, Some(ty));
        if let Some(object) = self.overlapping(at, 1) {
            let target = self.find(object, at, Some(ty));
            self.note_use(object, at, ty, target);
            if let Some(target) = target {
                self.name_buffered(pointer, target);
                self.link(pointer, target);
            }
            return;
        }
        let block = self.heap.block(at).copied();
        if block.map_or_else(|| self.is_dead(at), |block| block.is_free) {
            self.count_dangling(at);
            return;
        }
        match block {
            // A stale pointer. It leads to whatever is there now, when that has been read.
            Some(block) if !self.may_own(ty, block) => self.enqueue(ReadPhase::Untyped, pointer),
            Some(block) => self.follow_into_block(pointer, phase, at, ty, block),
            None => self.follow_elsewhere(pointer, at, ty),
        }
    }

    /// A value in a buffer of raw bytes is named by the pointer to it.
    fn name_buffered(&mut self, pointer: VertexId, target: VertexId) {
        let held = self.vertex(target);
        let is_buffered =
            matches!(held.label, Label::Member(name) if self.layouts.names.name(name) == "#buffered");
        if is_buffered && held.parent.is_some() && pointer < target {
            let held = &mut self.graph.vertices[target.0 as usize];
            (held.parent, held.label) = (Some(pointer), Label::Target);
        }
    }

    fn follow_into_block(
        &mut self,
        pointer: VertexId,
        phase: ReadPhase,
        at: Address,
        ty: TypeId,
        block: HeapBlock,
    ) {
        let layout = self.layouts.of(ty);
        let size = layout.size.max(1);
        let fits = matches!(&layout.kind, LayoutKind::Record(parts) if parts.is_flexible || parts.is_polymorphic)
            || matches!(layout.kind, LayoutKind::Record(_) | LayoutKind::Enum { .. })
                && usable(size) == block.size;
        let is_pool = self.known.pools.contains(&block.at);
        let is_part = matches!(layout.kind, LayoutKind::Scalar | LayoutKind::Pointer(_));
        let needed = match (at == block.at, fits) {
            _ if is_pool && is_part => ReadPhase::PoolPart,
            _ if is_pool => ReadPhase::Interior,
            (true, true) => ReadPhase::Exact,
            (true, false) => ReadPhase::Array,
            (false, _) => ReadPhase::Interior,
        };
        if phase != needed && (phase as usize) < needed as usize {
            self.enqueue(needed, pointer);
            return;
        }
        if is_pool {
            return self.follow_into_pool(pointer, at, ty, block);
        }
        if at == block.at {
            let target = self.claim_block(pointer, ty, block);
            if let Some(target) = target {
                self.link(pointer, target);
            } else {
                self.follow_elsewhere(pointer, at, ty);
            }
            return;
        }
        // An element of an array whose start has no pointer to it.
        let is_element =
            (at - block.at).is_multiple_of(size) && self.overlapping(block.at, block.size).is_none();
        if is_element && self.claim_block(pointer, ty, block).is_some() {
            if let Some(object) = self.overlapping(at, 1)
                && let Some(target) = self.find(object, at, Some(ty))
            {
                self.link(pointer, target);
            }
            return;
        }
        self.follow_elsewhere(pointer, at, ty);
    }

    /// Makes a block one value of a type, or an array of as many as fit.
    fn claim_block(&mut self, pointer: VertexId, ty: TypeId, block: HeapBlock) -> Option<VertexId> {
        let layout = self.layouts.of(ty);
        let count = block.size.checked_div(layout.size)?;
        let is_one = match &layout.kind {
            LayoutKind::Record(parts) => {
                parts.is_flexible || parts.is_polymorphic || parts.container.is_some() || count == 1
            }
            LayoutKind::Stream => true,
            _ => count == 1,
        };
        // A pointer in Rust points to one value; slices know their length.
        let is_one = is_one || super::value::is_rust(self.source, ty);
        let is_only_header = !is_one && self.is_only_header(block, ty);
        let is_one = is_one || is_only_header;
        if count == 0 {
            return None;
        }
        let shape = if is_one { Shape::Record } else { Shape::Array(count.min(u64::from(u32::MAX)) as u32) };
        let target = self.claim(ObjectClaim {
            at: block.at,
            size: block.size,
            kind: ObjectKind::Block,
            ty,
            shape,
            parent: Some(pointer),
            label: Label::Target,
        })?;
        self.graph.headers_only += u32::from(is_only_header);
        let at = Address(self.word(self.vertex(pointer).at));
        self.note_use(self.vertex(target).object, at, ty, Some(target).filter(|_| at == block.at));
        Some(target)
    }

    /// Notes how a pointer uses the block that it leads to, if the block has an owner.
    fn note_use(&mut self, object: MemoryObjectId, at: Address, ty: TypeId, found: Option<VertexId>) {
        let owner = &self.graph.objects[object.0 as usize];
        if owner.kind != ObjectKind::Block || super::value::is_rust(self.source, ty) {
            return;
        }
        let (start, size) = (owner.at, owner.size);
        let layout = self.layouts.of(ty);
        let is_record = match &layout.kind {
            LayoutKind::Record(parts) if parts.container.is_some() => return,
            LayoutKind::Record(_) | LayoutKind::Union(_) => true,
            _ => false,
        };
        let pointer = match (at == start, is_record) {
            (true, true) => {
                let look = self.look(at, ty);
                let is_blank = look.is_blank && self.are_blank(at, size, ty);
                PointerUse::Start { ty, is_doubtful: !look.is_sound, is_blank }
            }
            (true, false) => {
                let is_doubtful = !self.are_plausible(at, size, ty);
                PointerUse::Start { ty, is_doubtful, is_blank: false }
            }
            (false, true) if found.is_some_and(|found| self.can_be(found, ty)) => {
                PointerUse::Inside(Fit::Found)
            }
            (false, true) if self.fits_better(at, ty, found) => PointerUse::Inside(Fit::Better),
            (false, true) => PointerUse::Inside(Fit::Other),
            (false, false) => PointerUse::Part,
        };
        self.uses.note(start, at, pointer);
    }

    /// Whether all records in a block have pointers, and all pointers are null.
    fn are_blank(&mut self, at: Address, length: u64, ty: TypeId) -> bool {
        let size = self.layouts.size(ty).max(1);
        (0..(length / size).clamp(1, MOST_BLANK)).all(|index| self.look(at + index * size, ty).is_blank)
    }

    /// Whether a record that a pointer into a block leads to makes sense, while what the block has there does not.
    fn fits_better(&mut self, at: Address, ty: TypeId, found: Option<VertexId>) -> bool {
        let wanted = self.look(at, ty);
        let there = found.map(|found| (self.vertex(found).at, self.vertex(found).ty));
        wanted.is_sound
            && match there {
                Some((at, ty)) => !self.look(at, ty).is_sound,
                None => wanted.has_live_pointers,
            }
    }

    /// Notes that a pointer leads into a pool, if it does.
    fn note_in_pool(&mut self, at: Address, ty: Option<TypeId>) {
        if self.known.pools.is_empty() {
            return;
        }
        let Some(block) = self.heap.block(at).filter(|block| self.known.pools.contains(&block.at)) else {
            return;
        };
        let is_start = block.at == at;
        let is_part = ty.is_some_and(|ty| {
            matches!(self.layouts.of(ty).kind, LayoutKind::Scalar | LayoutKind::Pointer(_))
        });
        self.uses.note_in_pool(at, is_part && !is_start);
    }

    /// Whether numbers of a type look like numbers that a program counts or measures with, and not like characters.
    fn are_plausible(&mut self, at: Address, length: u64, ty: TypeId) -> bool {
        let size = self.layouts.size(ty);
        let encoding = match &*self.source.ty(ty) {
            Type::Scalar { encoding, .. } => *encoding,
            _ => return true,
        };
        if !matches!(encoding, ScalarEncoding::Signed | ScalarEncoding::Unsigned) || !(4..=8).contains(&size)
        {
            return true;
        }
        let bytes = self.snapshot.bytes(at, length.min(MOST_ELEMENTS)).unwrap_or_default();
        let (mut set, mut odd) = (0, 0);
        for number in bytes.chunks_exact(size as usize) {
            let high = &number[if size == 8 { 4 } else { 3 }..];
            set += u32::from(number.iter().any(|byte| *byte != 0));
            odd += u32::from(high.iter().any(|byte| *byte != high[0]) || !matches!(high[0], 0 | 0xff));
        }
        odd * 8 < set.max(1)
    }

    /// Whether a typed pointer into a block can be right, as far as it is known.
    fn may_own(&self, ty: TypeId, block: HeapBlock) -> bool {
        match self.known.owners.get(&block.at) {
            None => true,
            Some(BlockOwner::Type(owner)) => *owner == ty,
            Some(BlockOwner::Characters) => false,
        }
    }

    /// Whether a vertex is a value of a type, or a union that can hold one.
    fn can_be(&mut self, vertex: VertexId, ty: TypeId) -> bool {
        let found = self.vertex(vertex).ty;
        let layout = self.layouts.of(found);
        found == ty
            || matches!(&layout.kind, LayoutKind::Union(parts) if parts.iter().any(|part| part.ty == ty))
    }

    /// Follows a pointer to memory without a known layout: one value, or a row of pointers up to a null pointer.
    fn follow_elsewhere(&mut self, pointer: VertexId, at: Address, ty: TypeId) {
        let layout = self.layouts.of(ty);
        // After all frames there are only texts and pointers to them. Any other pointer there is a leftover.
        let is_stack = self.snapshot.region(at).is_some_and(|region| region.kind == RegionKind::Stack);
        let is_behind = is_stack && self.frames_end.is_some_and(|end| at >= end);
        if is_behind && !matches!(layout.kind, LayoutKind::Pointer(_)) {
            return;
        }
        let is_outside = self.heap.block(at).is_none();
        let count = match layout.kind {
            LayoutKind::Pointer(_) if is_outside => self.pointers_at(at),
            _ => 1,
        };
        let claim = |count: u64| ObjectClaim {
            at,
            size: layout.size.saturating_mul(count),
            kind: ObjectKind::Other,
            ty,
            shape: if count > 1 { Shape::Array(count as u32) } else { Shape::Record },
            parent: Some(pointer),
            label: Label::Target,
        };
        let target = self.claim(claim(count));
        let target = if target.is_none() && count > 1 { self.claim(claim(1)) } else { target };
        let kind = self.snapshot.region(at).map(|region| &region.kind);
        // The allocator of musl also uses what is left of the pages with variables.
        let is_left_over = |kind: Option<&RegionKind>| {
            matches!(kind, Some(RegionKind::File(_)))
                && self.heap.blocks().is_empty()
                && self.source.name_at(at).is_none()
        };
        let is_allocated =
            matches!(kind, Some(RegionKind::Heap | RegionKind::Anonymous)) || is_left_over(kind);
        self.graph.unmeasured += u32::from(target.is_some() && is_outside && is_allocated && count == 1);
        if let Some(target) = target {
            self.link(pointer, target);
        }
    }

    /// The number of pointers in a row, including the null pointer at its end.
    fn pointers_at(&self, at: Address) -> u64 {
        for index in 0..MOST_POINTERS {
            match self.snapshot.number(at + index * 8, 8) {
                Some(0) if index > 0 => return index + 1,
                Some(word) if word != 0 && self.snapshot.region(Address(word)).is_some() => {}
                _ => return 1,
            }
        }
        1
    }

    /// Follows a pointer to characters.
    pub(super) fn follow_text(&mut self, pointer: VertexId, phase: ReadPhase) {
        let layout = self.layouts.of(self.vertex(pointer).ty);
        let LayoutKind::Pointer(Pointee::Text(ty)) = layout.kind else { return };
        let at = Address(self.word(self.vertex(pointer).at));
        self.note_in_pool(at, None);
        if let Some(object) = self.overlapping(at, 1) {
            let owner = &self.graph.objects[object.0 as usize];
            if owner.kind == ObjectKind::Block {
                self.uses.note(owner.at, at, PointerUse::Text);
            }
            if let Some(target) = self.find(object, at, None) {
                let target = self.text_in(target);
                self.link(pointer, target);
            }
            return;
        }
        if self.is_dead(at) {
            self.count_dangling(at);
            return;
        }
        let block = self.heap.block(at).copied();
        if phase == ReadPhase::Text && block.is_none_or(|block| block.at != at) {
            self.enqueue(ReadPhase::InnerText, pointer);
            return;
        }
        let target = match block.filter(|block| block.at == at) {
            Some(block) if self.overlapping(block.at, block.size).is_none() => {
                let shape = Shape::Text(self.text_length(at, block.size.min(MOST_ELEMENTS)));
                let (parent, label) = (Some(pointer), Label::Target);
                self.claim(ObjectClaim {
                    at,
                    size: block.size,
                    kind: ObjectKind::Block,
                    ty,
                    shape,
                    parent,
                    label,
                })
            }
            _ => {
                let end = block.map(|block| block.at + block.size);
                self.claim_text(Some(pointer), Label::Target, at, ty, end)
            }
        };
        if let Some(target) = target {
            self.link(pointer, target);
        }
    }

    /// The text that begins where a vertex begins, or the vertex itself.
    pub(super) fn text_in(&self, vertex: VertexId) -> VertexId {
        let mut inner = vertex;
        let at = self.vertex(vertex).at;
        while let Some(part) = self.part_at(inner, at).filter(|part| self.vertex(*part).at == at) {
            inner = part;
        }
        if matches!(self.vertex(inner).shape, Shape::Text(_)) { inner } else { vertex }
    }

    /// Makes a text that ends with `\0`, before another object, or at `end`.
    fn claim_text(
        &mut self,
        parent: Option<VertexId>,
        label: Label,
        at: Address,
        ty: TypeId,
        end: Option<Address>,
    ) -> Option<VertexId> {
        let mut limit = self.snapshot.region(at)?.end();
        if let Some(end) = end {
            limit = limit.min(end);
        }
        if let Some((next, _)) = self.owned.range(at..).next() {
            limit = limit.min(*next);
        }
        let most = (limit - at).min(MOST_ELEMENTS);
        let length = self.text_length(at, most);
        let size = (u64::from(length) + 1).min(most);
        let shape = Shape::Text(length);
        self.claim(ObjectClaim { at, size, kind: ObjectKind::Other, ty, shape, parent, label })
    }

    /// Follows an untyped pointer, to whatever is known there.
    pub(super) fn follow_untyped(&mut self, pointer: VertexId) {
        let at = Address(self.word(self.vertex(pointer).at));
        match self.overlapping(at, 1) {
            Some(object) => {
                if let Some(target) = self.find(object, at, None) {
                    self.link(pointer, target);
                }
            }
            None if self.is_dead(at) => self.count_dangling(at),
            None => {}
        }
    }

    /// The dynamic class of an object, by its table of virtual functions, and the start of the object.
    fn dynamic(&mut self, at: Address, ty: TypeId) -> (Address, TypeId) {
        let layout = self.layouts.of(ty);
        if !matches!(&layout.kind, LayoutKind::Record(parts) if parts.is_polymorphic) {
            return (at, self.whole_object(at, ty));
        }
        let table = Address(self.word(at));
        if table.is_null() || self.is_dead(at) {
            return (at, ty);
        }
        let source = self.source;
        let class = *self.tables.entry(table).or_insert_with(|| {
            let name = source.name_at(table)?;
            let class = name.strip_prefix("vtable for ");
            source.type_named(class.or_else(|| name.strip_prefix("{vtable(")?.strip_suffix(")}"))?)
        });
        let to_top = self.word(table - 16);
        match class {
            // The distance to the start is zero or less.
            Some(class) if to_top == 0 || to_top > u64::MAX - (1 << 20) => (at + to_top, class),
            _ => (at, ty),
        }
    }
}

/// The block size that `malloc` uses for a requested size.
pub(super) fn usable(size: u64) -> u64 {
    (size.saturating_add(8).saturating_add(15) & !15).max(32) - 8
}
