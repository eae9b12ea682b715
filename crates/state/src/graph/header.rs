//! Objects that begin with a header, as C writes inheritance: a pointer to the header says little, the tag in the header says which type
//! the whole object has. What a tag means is learned from typed pointers to such objects, and from the names of its values.

use super::heap::HeapBlock;
use super::layout::{LayoutKind, LayoutParts};
use super::read::GraphReader;
use crate::Address;
use crate::debug::{Type, TypeId};
use std::rc::Rc;

/// Headers can begin with headers, at most this deep.
const MOST_LEVELS: usize = 6;
/// At most this number of objects with the same tag is looked at.
const MOST_VOTES: u32 = 64;
/// If this number of headers in a row makes sense, they are an array.
const IN_A_ROW: u64 = 4;

impl GraphReader<'_> {
    /// The type of the whole object whose header a pointer leads to; the header's type if that is not known.
    pub(super) fn whole_object(&mut self, at: Address, declared: TypeId) -> TypeId {
        if !self.known_headers.is_header(declared) {
            return declared;
        }
        let Some((tag, _)) = self.header_tag(at, declared) else { return declared };
        let kind = self.known_headers.kinds.get(&(declared, tag)).copied();
        kind.filter(|kind| self.can_begin(at, *kind) && !self.is_row_of(at, declared)).unwrap_or(declared)
    }

    /// Whether only the header of an object can be read: nothing says what comes after it.
    pub(super) fn is_only_header(&mut self, block: HeapBlock, ty: TypeId) -> bool {
        self.known_headers.is_header(ty)
            && block.size > super::pointer::usable(self.layouts.size(ty))
            && !self.is_row_of(block.at, ty)
    }

    /// Notes what a pointer of a type says about the tag of the object that it leads to.
    pub(super) fn note_header(&mut self, at: Address, declared: TypeId) {
        for header in self.headers_of(declared).iter() {
            let Some((tag, _)) = self.header_tag(at, *header) else { continue };
            let key = (*header, tag);
            let counted: u32 = self.headers.votes.get(&key).map_or(0, |votes| votes.values().sum());
            if counted < MOST_VOTES && self.can_begin(at, declared) {
                *self.headers.votes.entry(key).or_default().entry(declared).or_default() += 1;
            }
        }
        if let Some((tag, Some(name))) = self.header_tag(at, declared)
            && !self.headers.named.contains_key(&(declared, tag))
        {
            let kind = self.kind_named(declared, &name);
            self.headers.named.insert((declared, tag), kind);
        }
    }

    /// The record that the name of a tag means, if it begins with the header: `OBJ_LIST` means `ObjList`.
    fn kind_named(&mut self, header: TypeId, tag: &str) -> Option<TypeId> {
        let candidates = type_names(tag).into_iter();
        let found: Vec<TypeId> = candidates.filter_map(|name| self.source.type_named(&name)).collect();
        found.into_iter().find(|kind| self.headers_of(*kind).contains(&header))
    }

    /// The records with which a record begins, the outermost first.
    fn headers_of(&mut self, ty: TypeId) -> Rc<[TypeId]> {
        if let Some(known) = self.headers.headers_of.get(&ty) {
            return Rc::clone(known);
        }
        let mut headers = Vec::new();
        let mut inner = ty;
        while headers.len() < MOST_LEVELS
            && let Some(first) = self.first_record(inner)
        {
            headers.push(first);
            inner = first;
        }
        let headers: Rc<[TypeId]> = headers.into();
        self.headers.headers_of.insert(ty, Rc::clone(&headers));
        headers
    }

    fn first_record(&mut self, ty: TypeId) -> Option<TypeId> {
        let is_foreign = |ty: &Type| match ty {
            Type::Record(record) => {
                record.is_rust || record.name.starts_with("std::") || record.name.starts_with("__gnu_cxx::")
            }
            _ => true,
        };
        if is_foreign(&self.source.ty(ty)) {
            return None;
        }
        let layout = self.layouts.of(ty);
        let LayoutKind::Record(LayoutParts { parts, container: None, is_polymorphic: false, .. }) =
            &layout.kind
        else {
            return None;
        };
        let first = parts.first().filter(|first| first.offset == 0 && parts.len() > 1)?.ty;
        let is_record = matches!(self.layouts.of(first).kind, LayoutKind::Record(_));
        (is_record && !is_foreign(&self.source.ty(first))).then_some(first)
    }

    /// The tag of a header: an enumeration, or a number with the name of a tag.
    fn header_tag(&mut self, at: Address, header: TypeId) -> Option<(u64, Option<String>)> {
        let part = match self.headers.tags.get(&header) {
            Some(known) => *known,
            None => {
                let layout = self.layouts.of(header);
                let tag = match &layout.kind {
                    LayoutKind::Record(parts) => self.named_tag(&parts.parts),
                    _ => None,
                };
                self.headers.tags.insert(header, tag);
                tag
            }
        }?;
        self.number_of(at + part.offset, part.ty, part.bits)
    }

    /// Whether an object of a type can begin at an address: it fits into its block, and makes sense.
    fn can_begin(&mut self, at: Address, ty: TypeId) -> bool {
        let layout = self.layouts.of(ty);
        let Some(block) = self.heap.block(at).copied().filter(|block| !block.is_free) else { return false };
        let LayoutKind::Record(parts) = &layout.kind else { return false };
        let room = block.at + block.size - at;
        let fits = match self.known.pools.contains(&block.at) {
            true => self.least_size(ty) <= room,
            false if parts.is_flexible => at == block.at && self.least_size(ty) <= room,
            false => at == block.at && super::pointer::usable(layout.size) == block.size,
        };
        fits && self.look(at, ty).is_sound
    }

    /// Whether there are several headers in a row: an array.
    fn is_row_of(&mut self, at: Address, header: TypeId) -> bool {
        let size = self.layouts.size(header).max(1);
        let Some(block) = self.heap.block(at).filter(|block| block.at == at) else { return false };
        let count = (block.size / size).min(IN_A_ROW);
        let later = self.snapshot.bytes(at + size, size * count.saturating_sub(1));
        let is_set = later.is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0));
        count > 1 && is_set && (0..count).all(|index| self.look(at + index * size, header).is_sound)
    }
}

/// The names that a type can have whose tag is called so.
fn type_names(tag: &str) -> Vec<String> {
    let words: Vec<String> = tag.split('_').filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
    let joined = |words: &[String]| -> [String; 2] { [words.iter().map(capital).collect(), words.join("_")] };
    if !tag.is_ascii() {
        return Vec::new();
    }
    let mut names: Vec<String> = joined(&words).into();
    // `T_LIST` can mean `list`, and `LIST_KIND` too.
    if words.len() > 1 {
        names.extend(joined(&words[1..]));
        names.extend(joined(&words[..words.len() - 1]));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_a_type_in_several_ways() {
        assert_eq!(type_names("OBJ_LIST"), ["ObjList", "obj_list", "List", "list", "Obj", "obj"]);
        assert_eq!(type_names("circle"), ["Circle", "circle"]);
        assert!(type_names("").iter().all(String::is_empty));
    }
}
