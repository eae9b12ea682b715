//! What is learned about headers of objects while a graph is read, for the next reading.

use super::layout::LayoutPart;
use crate::debug::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A header's type, and the value of its tag.
type HeaderTag = (TypeId, u64);

/// A type needs all but one part in this many of the pointers to objects with a tag.
const DISSENT: u32 = 4;

/// What is known about headers before a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownHeaders {
    /// The types of records with which others begin.
    headers: BTreeSet<TypeId>,
    /// The types of whole objects by their tags.
    pub(super) kinds: BTreeMap<HeaderTag, TypeId>,
}

impl KnownHeaders {
    /// Whether other records begin with a record of this type.
    pub(super) fn is_header(&self, ty: TypeId) -> bool {
        self.headers.contains(&ty)
    }
}

/// What a reading learns about headers.
#[derive(Debug, Default)]
pub(super) struct HeaderVotes {
    /// The types of the pointers to objects with a tag, and how many there are.
    pub(super) votes: BTreeMap<HeaderTag, BTreeMap<TypeId, u32>>,
    /// The types that the names of tags say.
    pub(super) named: BTreeMap<HeaderTag, Option<TypeId>>,
    /// The tags of headers.
    pub(super) tags: HashMap<TypeId, Option<LayoutPart>>,
    /// The headers of records, the outermost first.
    pub(super) headers_of: HashMap<TypeId, Rc<[TypeId]>>,
}

impl HeaderVotes {
    /// Adds what was learned. Returns whether that is anything new.
    pub(super) fn teach(&self, known: &mut KnownHeaders) -> bool {
        let before = known.clone();
        for ((header, tag), votes) in &self.votes {
            known.headers.insert(*header);
            match self.winner(votes) {
                Some(kind) => drop(known.kinds.insert((*header, *tag), kind)),
                None => drop(known.kinds.remove(&(*header, *tag))),
            }
        }
        for ((header, tag), kind) in &self.named {
            // Pointers are better evidence than names.
            if let Some(kind) = kind
                && !self.votes.contains_key(&(*header, *tag))
            {
                known.headers.insert(*header);
                known.kinds.insert((*header, *tag), *kind);
            }
        }
        *known != before
    }

    /// The type that nearly all pointers agree about. A pointer to the header of a type does not disagree with that type.
    fn winner(&self, votes: &BTreeMap<TypeId, u32>) -> Option<TypeId> {
        let all: u32 = votes.values().sum();
        let agreeing = |kind: TypeId| -> u32 {
            let headers = self.headers_of.get(&kind);
            let agrees = |ty: &TypeId| *ty == kind || headers.is_some_and(|headers| headers.contains(ty));
            votes.iter().filter(|(ty, _)| agrees(ty)).map(|(_, count)| count).sum()
        };
        let best = votes.keys().copied().max_by_key(|kind| (agreeing(*kind), std::cmp::Reverse(*kind)))?;
        (agreeing(best) * DISSENT > all * (DISSENT - 1)).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_other_types_leave_a_tag_unknown() {
        let [header, circle, square, disc] = [1, 2, 3, 4].map(TypeId);
        let learned = |votes: &[(TypeId, u32)]| {
            let mut all = HeaderVotes::default();
            all.headers_of.insert(disc, [circle, header].into());
            all.votes.insert((header, 7), votes.iter().copied().collect());
            let mut known = KnownHeaders::default();
            assert!(all.teach(&mut known));
            assert!(!all.teach(&mut known), "the second time it is nothing new");
            assert!(known.is_header(header));
            known.kinds.get(&(header, 7)).copied()
        };
        assert_eq!(learned(&[(circle, 3)]), Some(circle));
        assert_eq!(learned(&[(circle, 3), (square, 3)]), None);
        assert_eq!(learned(&[(circle, 9), (square, 1)]), Some(circle), "one stale pointer");
        assert_eq!(learned(&[(circle, 3), (disc, 1)]), Some(disc), "a disc begins with a circle");
        let mut all = HeaderVotes::default();
        all.named.extend([((header, 7), Some(square)), ((header, 8), Some(square))]);
        all.votes.insert((header, 7), [(circle, 1)].into());
        let mut known = KnownHeaders::default();
        all.teach(&mut known);
        assert_eq!(known.kinds, [((header, 7), circle), ((header, 8), square)].into());
    }
}
