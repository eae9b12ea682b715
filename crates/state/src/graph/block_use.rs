//! How the pointers of a program use its blocks: what one reading of the memory learns for the next one.
//!
//! A pointer says what is at its target, not what is around it. So the first reading takes a block for an array of what the
//! first pointer to it says, and notes which other pointers disagree. Where they disagree, the block is read again.

use crate::Address;
use crate::debug::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How the pointers into one block use it. There can be millions of blocks, and most of them have one pointer to their start.
#[derive(Debug, Default)]
struct BlockUse {
    /// Where pointers to records lead inside the block.
    inside: Option<Box<InsideUse>>,
    /// Pointers to characters.
    texts: u32,
    /// Pointers to the start of the block: those of one type, then those of other types.
    first: Option<StartUse>,
    further: Vec<StartUse>,
}

/// Pointers of one type to the start of a block.
#[derive(Clone, Copy, Debug)]
struct StartUse {
    ty: TypeId,
    pointers: u32,
    /// Whether the block looks as if they were stale.
    is_doubtful: bool,
    /// Whether all pointers in the block are null.
    is_blank: bool,
}

/// Where pointers to records lead inside a block.
#[derive(Debug, Default)]
struct InsideUse {
    /// They find a value of that type.
    agreeing: HashSet<Address>,
    /// They find something else.
    conflicting: HashSet<Address>,
    /// Something that makes no sense is there for one of them.
    is_wrong: bool,
}

/// What a pointer finds where it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerUse {
    /// Characters.
    Text,
    /// A record or a union inside the block.
    Inside(Fit),
    /// The start of the block, as a value of this type. It is doubtful if that value makes no sense, and blank if all pointers in the block
    /// are null.
    Start { ty: TypeId, is_doubtful: bool, is_blank: bool },
    /// A number or a pointer, part of something most probably.
    Part,
}

/// Whether a pointer into a block finds what it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Found,
    /// It finds something else.
    Other,
    /// It finds something that makes no sense there, and what it points to would.
    Better,
}

/// How the pointers of a program use its blocks.
#[derive(Debug, Default)]
pub(super) struct BlockUses {
    uses: HashMap<Address, BlockUse>,
    /// Where pointers to records, unions and characters lead.
    whole: HashSet<Address>,
    /// Where only pointers to parts lead.
    parts: HashSet<Address>,
    /// The same in pools.
    pool_parts: HashSet<Address>,
}

/// What is known about blocks before a reading, by their first addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownBlocks {
    /// Blocks that the program divides into objects of different types.
    pub(super) pools: BTreeSet<Address>,
    /// Blocks to which a stale pointer leads as well, and their owners: a type, or characters.
    pub(super) owners: BTreeMap<Address, BlockOwner>,
    /// Addresses that only pointers to numbers and to other pointers lead to. No object begins there.
    pub(super) parts: HashSet<Address>,
}

/// To whom a block belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOwner {
    Characters,
    Type(TypeId),
}

impl BlockUses {
    /// Notes what a pointer finds in a block.
    pub(super) fn note(&mut self, block: Address, at: Address, pointer: PointerUse) {
        let block_use = self.uses.entry(block).or_default();
        match pointer {
            PointerUse::Text => block_use.texts += 1,
            PointerUse::Inside(Fit::Found) => drop(block_use.inside().agreeing.insert(at)),
            PointerUse::Inside(fit) => {
                let inside = block_use.inside();
                inside.conflicting.insert(at);
                inside.is_wrong |= fit == Fit::Better;
            }
            PointerUse::Start { ty, is_doubtful, is_blank } => {
                block_use.note_start(StartUse { ty, pointers: 1, is_doubtful, is_blank });
            }
            PointerUse::Part => {}
        }
        let seen = if pointer == PointerUse::Part { &mut self.parts } else { &mut self.whole };
        seen.insert(at);
    }

    /// Notes where a pointer into a pool leads: to a number or a pointer, part of something most probably, or to something else.
    pub(super) fn note_in_pool(&mut self, at: Address, is_part: bool) {
        let seen = if is_part { &mut self.pool_parts } else { &mut self.whole };
        seen.insert(at);
    }

    /// Adds what was learned. Returns whether that is anything new.
    pub(super) fn teach(self, known: &mut KnownBlocks) -> bool {
        let before = (known.pools.len(), known.owners.len());
        for (block, block_use) in &self.uses {
            if block_use.is_pool() {
                known.pools.insert(*block);
            } else if let Some(owner) = block_use.owner() {
                known.owners.entry(*block).or_insert(owner);
            }
        }
        let is_part = |at: &Address| !self.whole.contains(at);
        let has_new_parts = self.pool_parts.iter().any(|at| is_part(at) && !known.parts.contains(at));
        known.parts.extend(self.parts.iter().chain(&self.pool_parts));
        known.parts.retain(is_part);
        has_new_parts || before != (known.pools.len(), known.owners.len())
    }
}

impl BlockUse {
    fn inside(&mut self) -> &mut InsideUse {
        self.inside.get_or_insert_default()
    }

    fn note_start(&mut self, start: StartUse) {
        match self.first.iter_mut().chain(&mut self.further).find(|known| known.ty == start.ty) {
            Some(known) => known.pointers += 1,
            None => {
                let last = self.first.replace(start);
                self.further.extend(last);
            }
        }
    }

    /// Whether most pointers to records inside the block find something else, or one finds something that makes no sense.
    fn is_pool(&self) -> bool {
        let is_divided =
            |inside: &InsideUse| inside.is_wrong || inside.conflicting.len() > inside.agreeing.len();
        self.inside.as_deref().is_some_and(is_divided)
    }

    /// The owner, if a value at the start of the block makes no sense, and another pointer knows better. Characters also own a block in which
    /// all pointers of all records would be null.
    fn owner(&self) -> Option<BlockOwner> {
        let starts = || self.first.iter().chain(&self.further);
        let stale: u32 = starts().map(|start| start.pointers).sum();
        if stale > 0 && self.texts >= stale && starts().all(|start| start.is_doubtful || start.is_blank) {
            return Some(BlockOwner::Characters);
        }
        let is_doubtful = starts().any(|start| start.is_doubtful);
        let sound = starts().filter(|start| !start.is_doubtful);
        let best = sound.max_by_key(|start| (start.pointers, std::cmp::Reverse(start.ty)));
        match best {
            _ if !is_doubtful => None,
            Some(start) => Some(BlockOwner::Type(start.ty)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Address = Address(16);

    fn taught(notes: &[(u64, PointerUse)]) -> KnownBlocks {
        let mut uses = BlockUses::default();
        for (at, pointer) in notes {
            uses.note(BLOCK, Address(*at), *pointer);
        }
        let mut known = KnownBlocks::default();
        uses.teach(&mut known);
        known
    }

    #[test]
    fn a_block_is_a_pool_if_most_pointers_into_it_find_something_else() {
        let (there, other) = (PointerUse::Inside(Fit::Found), PointerUse::Inside(Fit::Other));
        assert!(!taught(&[(32, other), (64, there), (96, there)]).pools.contains(&BLOCK));
        assert!(taught(&[(32, other), (64, other), (96, there)]).pools.contains(&BLOCK));
        // However many pointers lead to one object, it is one object.
        assert!(!taught(&[(32, other), (32, other), (64, there), (96, there)]).pools.contains(&BLOCK));
        let better = PointerUse::Inside(Fit::Better);
        assert!(taught(&[(32, better), (64, there), (96, there)]).pools.contains(&BLOCK));
    }

    #[test]
    fn a_pointer_to_a_part_in_a_pool_is_news_once_unless_something_else_leads_there() {
        let mut known = KnownBlocks::default();
        for is_news in [true, false] {
            let mut uses = BlockUses::default();
            uses.note_in_pool(Address(24), true);
            uses.note_in_pool(Address(32), true);
            uses.note_in_pool(Address(32), false);
            assert_eq!(uses.teach(&mut known), is_news);
            assert_eq!(known.parts, HashSet::from([Address(24)]));
        }
    }

    #[test]
    fn a_pointer_that_makes_no_sense_does_not_own_a_block() {
        let stale = PointerUse::Start { ty: TypeId(1), is_doubtful: true, is_blank: false };
        let sound = PointerUse::Start { ty: TypeId(2), is_doubtful: false, is_blank: false };
        let blank = PointerUse::Start { ty: TypeId(3), is_doubtful: false, is_blank: true };
        let owner = |notes: &[_]| taught(notes).owners.get(&BLOCK).copied();
        assert_eq!(owner(&[(16, stale), (17, PointerUse::Text)]), Some(BlockOwner::Characters));
        assert_eq!(owner(&[(16, stale), (16, sound)]), Some(BlockOwner::Type(TypeId(2))));
        assert_eq!(owner(&[(16, stale)]), None);
        assert_eq!(owner(&[(16, blank), (16, PointerUse::Text)]), Some(BlockOwner::Characters));
        assert_eq!(owner(&[(16, blank), (16, sound), (16, PointerUse::Text)]), None);
        assert_eq!(owner(&[(16, blank)]), None);
        assert_eq!(owner(&[(16, sound), (17, PointerUse::Text)]), None);
    }
}
