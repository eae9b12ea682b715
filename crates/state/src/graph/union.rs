//! The active member of a union: one without invalid pointers, with the most pointers to something known, with the name that
//! the record's tag says; if nothing tells, the one that other unions with the same tag have, else the largest that fits.

use super::layout::{LayoutKind, LayoutPart, LayoutParts, Pointee};
use super::member_votes::TagValue;
use super::read::{GraphReader, ReadPhase};
use super::{Label, MemoryEdge, Shape, VertexId};
use crate::Address;
use crate::debug::{Type, TypeId};

/// How many pointers of a member are checked, and how deep they can be.
const MOST_POINTERS: u32 = 64;
const DEPTH: u32 = 8;
/// At most this number of values of a member is looked at.
const MOST_WEIGHED: u32 = 1 << 10;
/// At most this number of bytes of a text is looked at.
const LOOKED_AT: u64 = 16;

/// How well a member fits: the greatest is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    /// The number of invalid pointers, negated.
    invalid: i64,
    /// Whether the tag of the record has the name of the member.
    is_named: bool,
    /// The number of pointers to characters that find something else, negated.
    odd: i64,
    /// The number of pointers to values that already have that type.
    known: u32,
    /// The number of pointers to memory that is in use.
    alive: u32,
    /// How many unions with the same tag have this member for good reasons.
    votes: u32,
    /// The size in bytes.
    size: u64,
    /// How often the type was seen that they point to.
    frequency: u32,
}

/// How a value looks if it is read as a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueLook {
    /// It has no invalid pointers.
    pub(super) is_sound: bool,
    /// It has pointers to memory that is in use.
    pub(super) has_live_pointers: bool,
    /// It has pointers, and all of them are null.
    pub(super) is_blank: bool,
}

impl Merit {
    /// Whether something in the memory speaks for the member.
    fn has_reason(&self) -> bool {
        self.is_named || self.known > 0 || self.alive > 0
    }
}

impl GraphReader<'_> {
    /// Chooses the members of some unions: first of those for which there is a reason, since the others can learn from them.
    pub(super) fn read_unions(&mut self, unions: Vec<VertexId>) {
        let mut undecided = Vec::new();
        for vertex in unions {
            let Some((merit, part, is_only)) = self.best_member(vertex) else { continue };
            if merit.has_reason() && is_only {
                if let Some((tag, _)) = self.tag(vertex) {
                    self.members.add(tag, part.name);
                }
                self.choose(vertex, part);
            } else {
                undecided.push(vertex);
            }
        }
        for vertex in undecided {
            let Some((merit, part, is_only)) = self.best_member(vertex) else { continue };
            match is_only || merit.alive == 0 || self.rivals(vertex).is_empty() {
                true => self.choose(vertex, part),
                false => self.enqueue(ReadPhase::DoubtfulUnion, vertex),
            }
        }
    }

    /// Chooses the member of a union of which several make sense. If they still do, nothing is read where its pointers lead: that could be
    /// taken for something else.
    pub(super) fn read_doubtful_union(&mut self, vertex: VertexId) {
        let Some((_, part, _)) = self.best_member(vertex) else { return };
        self.is_doubtful = !self.rivals(vertex).is_empty();
        self.graph.doubtful_unions += u32::from(self.is_doubtful);
        self.choose(vertex, part);
        self.is_doubtful = false;
    }

    /// The members of a union for which as much speaks as for the best one, and in which a pointer leads to something else.
    fn rivals(&mut self, vertex: VertexId) -> Vec<LayoutPart> {
        let merits = self.merits(vertex);
        let said =
            |merit: &Merit| (merit.invalid, merit.is_named, merit.odd, merit.known, merit.alive, merit.votes);
        let Some((best, part)) = merits.iter().max_by_key(|(merit, _)| *merit).cloned() else {
            return Vec::new();
        };
        let at = self.vertex(vertex).at;
        let targets = self.targets(at, part);
        let mut rivals: Vec<LayoutPart> = merits
            .into_iter()
            .filter(|(merit, _)| said(merit) == said(&best))
            .map(|(_, part)| part)
            .collect();
        rivals.retain(|rival| !targets.is_empty() && self.targets(at, *rival) != targets);
        rivals
    }

    /// The pointers in a member that are not null: their offsets, and what they lead to.
    fn targets(&mut self, at: Address, part: LayoutPart) -> Vec<(u64, Pointee)> {
        let (mut targets, mut open) = (Vec::new(), vec![(part.offset, part.ty)]);
        let mut left = MOST_POINTERS;
        while let Some((offset, ty)) = open.pop()
            && left > 0
        {
            left -= 1;
            match &self.layouts.of(ty).kind {
                LayoutKind::Pointer(pointee) if self.word(at + offset) != 0 => {
                    targets.push((offset, *pointee))
                }
                LayoutKind::Record(parts) => {
                    open.extend(parts.parts.iter().map(|part| (offset + part.offset, part.ty)));
                }
                LayoutKind::Array { of, stride, count, is_text: false } => {
                    let count = count.unwrap_or(0).min(u64::from(left));
                    open.extend((0..count).map(|index| (offset + index * stride, *of)));
                }
                _ => {}
            }
        }
        targets.sort_unstable_by_key(|(offset, _)| *offset);
        targets
    }

    /// The member that fits best, and whether no other fits as well; `None` if a member is chosen already.
    fn best_member(&mut self, vertex: VertexId) -> Option<(Merit, LayoutPart, bool)> {
        let evidence = |merit: &Merit| (merit.invalid, merit.is_named, merit.odd, merit.known, merit.alive);
        let mut best: Option<(Merit, LayoutPart, bool)> = None;
        for (merit, part) in self.merits(vertex) {
            match &mut best {
                Some((other, ..)) if merit > *other => {
                    let is_only = evidence(&merit) != evidence(other);
                    best = Some((merit, part, is_only));
                }
                Some((other, _, is_only)) => *is_only &= evidence(&merit) != evidence(other),
                None => best = Some((merit, part, true)),
            }
        }
        best
    }

    /// How well each member fits; none if a member is chosen already.
    fn merits(&mut self, vertex: VertexId) -> Vec<(Merit, LayoutPart)> {
        let layout = self.layouts.of(self.vertex(vertex).ty);
        let LayoutKind::Union(parts) = &layout.kind else { return Vec::new() };
        if self.vertex(vertex).edges > 0 || self.empty.contains(&vertex) {
            return Vec::new();
        }
        let at = self.vertex(vertex).at;
        let object = &self.graph.objects[self.vertex(vertex).object.0 as usize];
        let room = object.at + object.size - at;
        let tag = self.tag(vertex);
        let mut merits = Vec::with_capacity(parts.len());
        for part in parts {
            let size = self.least_size(part.ty);
            if size > room {
                continue;
            }
            let mut merit = Merit { size, ..Merit::default() };
            if let Some((tag, said)) = &tag {
                merit.votes = self.members.count(*tag, part.name);
                merit.is_named =
                    said.as_ref().is_some_and(|said| is_named_so(said, self.layouts.names.name(part.name)));
            }
            let mut left = MOST_POINTERS;
            self.weighed = 0;
            self.weigh(at + part.offset, part.ty, &mut merit, &mut left, DEPTH);
            merits.push((merit, *part));
        }
        merits
    }

    /// The size of a member without an array of unknown length at its end.
    pub(super) fn least_size(&mut self, ty: TypeId) -> u64 {
        let layout = self.layouts.of(ty);
        match &layout.kind {
            LayoutKind::Record(LayoutParts { parts, is_flexible: true, .. }) => {
                parts.last().map_or(layout.size, |last| last.offset)
            }
            _ => layout.size,
        }
    }

    /// How a value of a type at an address looks.
    pub(super) fn look(&mut self, at: Address, ty: TypeId) -> ValueLook {
        let (mut merit, mut left) = (Merit::default(), MOST_POINTERS);
        self.weighed = 0;
        self.weigh(at, ty, &mut merit, &mut left, DEPTH);
        ValueLook {
            is_sound: merit.invalid == 0,
            has_live_pointers: merit.alive > 0,
            is_blank: merit.invalid == 0 && merit.alive == 0 && left < MOST_POINTERS,
        }
    }

    /// The tag of a union, and the name of its value if it is an enumeration. It is the nearest number before the union in the
    /// same record; without one, the first number of a record with which all members of the union begin.
    fn tag(&mut self, union: VertexId) -> Option<(TagValue, Option<String>)> {
        let (at, ty, mut parent) = {
            let vertex = self.vertex(union);
            (vertex.at, vertex.ty, vertex.parent)
        };
        while let Some(array) = parent.filter(|parent| matches!(self.vertex(*parent).shape, Shape::Array(_)))
        {
            parent = self.vertex(array).parent;
        }
        let beside = parent.and_then(|parent| {
            let record = self.vertex(parent);
            let (start, holder) = (record.at, record.ty);
            (record.object == self.vertex(union).object).then_some((start, holder))
        });
        let found = beside.and_then(|(start, holder)| {
            let layout = self.layouts.of(holder);
            let LayoutKind::Record(parts) = &layout.kind else { return None };
            self.tag_among(&parts.parts, start, Some(at))
        });
        let (value, name) = found.or_else(|| self.tag_at_start(at, ty))?;
        Some(((ty, value), name))
    }

    /// The tag that all records in a union begin with.
    fn tag_at_start(&mut self, at: Address, union: TypeId) -> Option<(u64, Option<String>)> {
        let layout = self.layouts.of(union);
        let LayoutKind::Union(members) = &layout.kind else { return None };
        let mut first: Option<TypeId> = None;
        for member in members {
            let layout = self.layouts.of(member.ty);
            let LayoutKind::Record(parts) = &layout.kind else { return None };
            let begin = parts.parts.first().filter(|part| part.offset == 0)?.ty;
            // One member can be the beginning itself, which all others have.
            if first.is_some_and(|first| begin != first && member.ty != first) {
                return None;
            }
            first = first.filter(|first| member.ty == *first).or(Some(begin));
        }
        let begin = self.layouts.of(first?);
        match &begin.kind {
            LayoutKind::Record(parts) => self.tag_among(&parts.parts, at, None),
            _ => self.number_of(at, first?, None),
        }
    }

    /// The value of an enumeration among some parts, else of the last short number before an address.
    fn tag_among(
        &mut self,
        parts: &[LayoutPart],
        start: Address,
        before: Option<Address>,
    ) -> Option<(u64, Option<String>)> {
        let is_before = |part: &&LayoutPart| before.is_none_or(|before| start + part.offset < before);
        let is_enumeration =
            |part: &&LayoutPart| matches!(&*self.source.ty(part.ty), Type::Enumeration { .. });
        let is_number =
            |part: &&LayoutPart| matches!(&*self.source.ty(part.ty), Type::Scalar { size, .. } if *size <= 4);
        let parts = self.flat(parts);
        let near = || parts.iter().rev().filter(is_before);
        let is_tag = |part: &&LayoutPart| is_number(part) && is_tag_named(self.layouts.names.name(part.name));
        let part = near().find(is_enumeration).or_else(|| near().find(is_tag));
        let part = part.or_else(|| near().find(is_number)).copied()?;
        self.number_of(start + part.offset, part.ty, part.bits)
    }

    /// The enumeration among some parts, or a number with the name of a tag.
    pub(super) fn named_tag(&mut self, parts: &[LayoutPart]) -> Option<LayoutPart> {
        let parts = self.flat(parts);
        let tag = parts.iter().find(|part| matches!(&*self.source.ty(part.ty), Type::Enumeration { .. }));
        let is_tag = |part: &&LayoutPart| {
            matches!(&*self.source.ty(part.ty), Type::Scalar { size, .. } if *size <= 4)
                && is_tag_named(self.layouts.names.name(part.name))
        };
        tag.or_else(|| parts.iter().find(is_tag)).copied()
    }

    /// The parts of a record, with those of records among them: many programs keep the tag in a header.
    fn flat(&mut self, parts: &[LayoutPart]) -> Vec<LayoutPart> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            let layout = self.layouts.of(part.ty);
            match &layout.kind {
                LayoutKind::Record(inner) if inner.container.is_none() => {
                    let moved =
                        |inner: &LayoutPart| LayoutPart { offset: part.offset + inner.offset, ..*inner };
                    flat.extend(inner.parts.iter().map(moved));
                }
                _ => flat.push(*part),
            }
        }
        flat
    }

    pub(super) fn number_of(
        &self,
        at: Address,
        ty: TypeId,
        bits: Option<crate::debug::BitField>,
    ) -> Option<(u64, Option<String>)> {
        let described = self.source.ty(ty);
        let size = match &*described {
            Type::Enumeration { size, .. } | Type::Scalar { size, .. } if *size <= 8 => *size,
            _ => return None,
        };
        let mut value = self.snapshot.number(at, size)?;
        if let Some(bits) = bits {
            let length = (u64::from(bits.skip) + u64::from(bits.count)).div_ceil(8).min(8);
            let mask = u64::MAX >> (64 - u32::from(bits.count).clamp(1, 64));
            value = self.snapshot.number(at, length)? >> bits.skip.min(63) & mask;
        }
        let name = match &*described {
            Type::Enumeration { values, .. } => {
                values.iter().find(|(_, number)| *number == i128::from(value)).map(|(name, _)| name.clone())
            }
            _ => None,
        };
        Some((value, name))
    }

    /// Makes a part the active member of a union.
    pub(super) fn choose(&mut self, vertex: VertexId, part: LayoutPart) {
        let (at, object) = (self.vertex(vertex).at, self.vertex(vertex).object);
        if self.is_exhausted(object) {
            self.graph.left_out += 1;
            return;
        }
        let label = Label::Member(part.name);
        let shape = part.bits.map_or(Shape::Record, Shape::Bits);
        let to = self.push(at + part.offset, part.ty, shape, object, Some(vertex), label.clone());
        self.set_edges(vertex, [MemoryEdge { label, to }]);
        self.expand(to);
    }

    fn weigh(&mut self, at: Address, ty: TypeId, merit: &mut Merit, left: &mut u32, depth: u32) {
        if depth == 0 || *left == 0 || self.weighed == MOST_WEIGHED {
            return;
        }
        self.weighed += 1;
        let layout = self.layouts.of(ty);
        match &layout.kind {
            LayoutKind::Pointer(pointee) => {
                *left -= 1;
                self.weigh_pointer(Address(self.word(at)), *pointee, merit, left, depth);
            }
            LayoutKind::Scalar => merit.invalid -= i64::from(!self.is_enumerated(at, ty)),
            LayoutKind::Array { of, stride, count, is_text: false } => {
                for index in 0..count.unwrap_or(0).min(u64::from(*left)) {
                    self.weigh(at + index * stride, *of, merit, left, depth - 1);
                }
            }
            LayoutKind::Record(parts) => {
                for part in parts.parts.iter().filter(|part| part.bits.is_none()) {
                    self.weigh(at + part.offset, part.ty, merit, left, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// Whether the first bytes at an address, up to a `\0`, are characters.
    fn looks_like_text(&self, at: Address) -> bool {
        let bytes = (0..LOOKED_AT).map_while(|byte| self.snapshot.bytes(at + byte, 1)?.first().copied());
        let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
        let is_cut = |error: &std::str::Utf8Error| error.error_len().is_none();
        let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\r\x1b".contains(byte) || *byte == 0x7f;
        std::str::from_utf8(&bytes).err().is_none_or(|error| is_cut(&error)) && !bytes.iter().any(is_control)
    }

    /// Whether a value is one that its enumeration has, or several of them as flags. Other types have no such values.
    fn is_enumerated(&self, at: Address, ty: TypeId) -> bool {
        let described = self.source.ty(ty);
        let Type::Enumeration { size, values, .. } = &*described else { return true };
        let Some(number) = self.snapshot.number(at, *size) else { return false };
        let flags = values.iter().fold(0, |flags, (_, value)| flags | *value as u64);
        let mask = u64::MAX >> (64 - 8 * (*size).clamp(1, 8) as u32);
        number & !(flags & mask) == 0
    }

    fn weigh_pointer(
        &mut self,
        to: Address,
        pointee: Pointee,
        merit: &mut Merit,
        left: &mut u32,
        depth: u32,
    ) {
        if to.is_null() {
            return;
        }
        if pointee == Pointee::Function {
            // Code is not in the snapshot. The program knows whether there is code at an address.
            match self.source.name_at(to) {
                Some(_) => merit.alive += 1,
                None => merit.invalid -= 1,
            }
            return;
        }
        let owner = self.overlapping(to, 1);
        if owner.is_none() && self.is_dead(to) {
            merit.invalid -= 1;
            return;
        }
        if let (None, Pointee::Text(_)) = (owner, pointee) {
            merit.odd -= i64::from(!self.looks_like_text(to));
        }
        // Nobody else has said what is there, so the value itself has to make sense.
        if let (None, Pointee::Typed(ty), true) = (owner, pointee, depth > DEPTH - 2) {
            let mut target = Merit::default();
            self.weigh(to, ty, &mut target, left, 2);
            if target.invalid < 0 {
                merit.invalid -= 1;
                return;
            }
        }
        merit.alive += 1;
        if let Pointee::Typed(ty) | Pointee::Text(ty) = pointee {
            let found = owner.and_then(|object| self.find(object, to, Some(ty)));
            merit.known += u32::from(found.is_some_and(|found| self.vertex(found).ty == ty));
            merit.frequency += self.frequency.get(&ty).copied().unwrap_or(0);
        }
    }
}

/// Whether a number has the name of a tag: `type`, `node_kind`, `opcode`.
fn is_tag_named(name: &str) -> bool {
    const TAGS: [&str; 9] = ["type", "kind", "tag", "code", "op", "class", "which", "variant", "sort"];
    let name = name.to_lowercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    TAGS.iter().any(|tag| last.ends_with(tag) && (tag.len() > 2 || last == *tag))
}

/// Whether the name of an enumeration's value says the name of a member: `NODE_CALL` and `call`, `KIND_TEXT` and `as_text`.
fn is_named_so(value: &str, member: &str) -> bool {
    const SHORTEST: usize = 3;
    let words = |name: &str| -> Vec<String> {
        name.to_lowercase().split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (value, member) = (words(value), words(member));
    let last = value.last().filter(|last| last.len() >= SHORTEST);
    last.is_some_and(|last| member.last().is_some_and(|word| word == last))
}

#[cfg(test)]
mod tests {
    use super::{is_named_so, is_tag_named};

    #[test]
    fn tags_have_names_of_their_own() {
        assert!(["type", "node_kind", "opcode", "op", "objType"].into_iter().all(is_tag_named));
        assert!(!["refs", "count", "stop", "length", ""].into_iter().any(is_tag_named));
    }

    #[test]
    fn a_tag_names_a_member_by_its_last_word() {
        assert!(is_named_so("NODE_CALL", "call"));
        assert!(is_named_so("kind_text", "as_text"));
        assert!(!is_named_so("NODE_CALL", "callee"));
        assert!(!is_named_so("OP_IF", "if"));
    }
}
