//! From a configuration to what is written: blocks first, then what is moved, then values, then bits.

use super::Alterations;
use super::carrier::Block;
use super::patch::{Patch, Place, Template, bits_in_byte};
use super::resize::Resizing;
use crate::Address;
use howcome_dd::Configuration;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// All that deltas may do.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// What each delta does.
    pub(super) patches: Vec<Vec<Patch>>,
    /// Blocks to make: their numbers are those of the allocations.
    pub(super) blocks: Vec<Block>,
    /// Objects to move: their allocations follow.
    pub(super) resizings: Vec<Resizing>,
    /// Where the objects of the base run are.
    pub(super) objects: Vec<Address>,
}

/// Where everything is for one configuration.
struct Addresses<'a> {
    objects: Cow<'a, [Address]>,
    allocated: &'a [Address],
}

impl Addresses<'_> {
    fn of(&self, place: Place) -> Option<u64> {
        match place {
            Place::Plain(address) => Some(address),
            Place::Base(object, offset) => Some((*self.objects.get(object.0 as usize)? + offset).0),
            Place::Made(number, offset) => Some((*self.allocated.get(number as usize)? + offset).0),
        }
    }
}

impl Plan {
    /// The sizes of all blocks that are needed.
    pub(super) fn allocations(&self) -> Vec<u64> {
        let blocks = self.blocks.iter().map(|block| block.size);
        blocks.chain(self.resizings.iter().map(|resizing| resizing.size)).collect()
    }

    /// What to do for a configuration. Nothing is written whose address is not known.
    pub(super) fn alterations(&self, configuration: &Configuration, allocated: &[Address]) -> Alterations {
        let chosen: Vec<&Patch> =
            configuration.iter().filter_map(|delta| self.patches.get(delta.index())).flatten().collect();
        let mut addresses = Addresses { objects: Cow::Borrowed(&self.objects), allocated };
        let mut moved = Vec::new();
        for patch in &chosen {
            if let Patch::Resize(number) = patch {
                let Some(resizing) = self.resizings.get(*number as usize) else { continue };
                let Some(new) = allocated.get(self.blocks.len() + *number as usize) else { continue };
                if let Some(at) = addresses.objects.to_mut().get_mut(resizing.object.0 as usize) {
                    *at = *new;
                    moved.push(resizing);
                }
            }
        }
        let mut alterations = Alterations::default();
        self.make(&chosen, &moved, &addresses, &mut alterations);
        for resizing in &moved {
            resizing.write(&addresses, &mut alterations);
        }
        write(&chosen, &addresses, &mut alterations);
        alterations
    }

    /// Writes all blocks that something chosen leads to, each once.
    fn make(
        &self,
        chosen: &[&Patch],
        moved: &[&Resizing],
        addresses: &Addresses<'_>,
        alterations: &mut Alterations,
    ) {
        let mut is_needed = vec![false; self.blocks.len()];
        let mut open = Vec::new();
        let mut need = |place: &Place, open: &mut Vec<usize>| {
            if let Place::Made(number, _) = place {
                let number = *number as usize;
                if is_needed.get(number) == Some(&false) {
                    is_needed[number] = true;
                    open.push(number);
                }
            }
        };
        for patch in chosen {
            match patch {
                Patch::Pointer(_, to) => need(to, &mut open),
                Patch::Bytes(_, template) => {
                    template.pointers.iter().for_each(|(_, to)| need(to, &mut open));
                }
                _ => {}
            }
        }
        for resizing in moved {
            resizing.tail.pointers.iter().for_each(|(_, to)| need(to, &mut open));
        }
        while let Some(number) = open.pop() {
            self.blocks[number].template.pointers.iter().for_each(|(_, to)| need(to, &mut open));
        }
        for (number, block) in self.blocks.iter().enumerate().filter(|(number, _)| is_needed[*number]) {
            write_template(Place::Made(number as u32, 0), &block.template, addresses, alterations);
        }
    }
}

impl Resizing {
    fn write(&self, addresses: &Addresses<'_>, alterations: &mut Alterations) {
        let kept = Template::plain(self.kept.clone());
        write_template(Place::Base(self.object, 0), &kept, addresses, alterations);
        write_template(Place::Base(self.object, self.from), &self.tail, addresses, alterations);
        for (pointer, offset) in &self.pointers {
            let to = addresses.of(Place::Base(self.object, *offset));
            if let (Some(at), Some(to)) = (addresses.of(*pointer), to) {
                alterations.writes.push((Address(at), to.to_le_bytes().to_vec()));
            }
        }
    }
}

fn write_template(at: Place, template: &Template, addresses: &Addresses<'_>, alterations: &mut Alterations) {
    let bytes = template.filled(|place| addresses.of(place));
    if let (Some(at), Some(bytes)) = (addresses.of(at), bytes)
        && !bytes.is_empty()
    {
        alterations.writes.push((Address(at), bytes));
    }
}

/// Values, then bit-fields: those of one byte are written together.
fn write(chosen: &[&Patch], addresses: &Addresses<'_>, alterations: &mut Alterations) {
    let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
    for patch in chosen {
        match patch {
            Patch::Bytes(at, template) => write_template(*at, template, addresses, alterations),
            Patch::Pointer(at, to) => {
                if let (Some(at), Some(to)) = (addresses.of(*at), addresses.of(*to)) {
                    alterations.writes.push((Address(at), to.to_le_bytes().to_vec()));
                }
            }
            Patch::Bits { at, bits, value, bytes: storage } => {
                let Some(at) = addresses.of(*at) else { continue };
                for (index, byte) in storage.iter().enumerate() {
                    let (own, wanted) = bits_in_byte(*bits, *value, index);
                    let byte = bytes.entry(at.wrapping_add(index as u64)).or_insert(*byte);
                    *byte = (*byte & !own) | wanted;
                }
            }
            Patch::File(file) => alterations.files.push(file.clone()),
            Patch::Resize(_) => {}
        }
    }
    for (at, byte) in bytes {
        match alterations.writes.last_mut() {
            Some((start, run)) if (*start + run.len() as u64).0 == at => run.push(byte),
            _ => alterations.writes.push((Address(at), vec![byte])),
        }
    }
}
