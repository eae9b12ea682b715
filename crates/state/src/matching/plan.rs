//! From a configuration to the bytes to write: blocks first, then moved objects, then values, then bits.

use super::alterations::Alterations;
use super::carrier::CarriedBlock;
use super::patch::{BaseAddress, BasePatch, Template, bits_in_byte};
use super::resizing::Resizing;
use crate::Address;
use howcome_dd::Configuration;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Everything that deltas can write.
#[derive(Debug, Default)]
pub(super) struct AlterationPlan {
    /// The patches of each delta.
    pub(super) patches: Vec<Vec<BasePatch>>,
    /// The blocks to allocate, in the order of the allocations.
    pub(super) blocks: Vec<CarriedBlock>,
    /// The objects to move. Their allocations follow those of the blocks.
    pub(super) resizings: Vec<Resizing>,
    /// Where the objects of the base run are.
    pub(super) objects: Vec<Address>,
}

/// All addresses for one configuration.
struct Addresses<'a> {
    objects: Cow<'a, [Address]>,
    allocated: &'a [Address],
}

impl Addresses<'_> {
    fn of(&self, place: BaseAddress) -> Option<u64> {
        match place {
            BaseAddress::Plain(address) => Some(address),
            BaseAddress::Base(object, offset) => Some((*self.objects.get(object.0 as usize)? + offset).0),
            BaseAddress::Made(number, offset) => Some((*self.allocated.get(number as usize)? + offset).0),
        }
    }
}

impl AlterationPlan {
    /// The sizes of all blocks that are needed.
    pub(super) fn allocations(&self) -> Vec<u64> {
        let blocks = self.blocks.iter().map(|block| block.size);
        blocks.chain(self.resizings.iter().map(|resizing| resizing.size)).collect()
    }

    /// What to write for a configuration. A value whose address is unknown is not written.
    pub(super) fn alterations(&self, configuration: &Configuration, allocated: &[Address]) -> Alterations {
        let chosen: Vec<&BasePatch> =
            configuration.iter().filter_map(|delta| self.patches.get(delta.index())).flatten().collect();
        let mut addresses = Addresses { objects: Cow::Borrowed(&self.objects), allocated };
        let mut moved = Vec::new();
        for patch in &chosen {
            if let BasePatch::Resize(number) = patch {
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

    /// Writes all blocks that a chosen delta leads to, each once.
    fn make(
        &self,
        chosen: &[&BasePatch],
        moved: &[&Resizing],
        addresses: &Addresses<'_>,
        alterations: &mut Alterations,
    ) {
        let mut is_needed = vec![false; self.blocks.len()];
        let mut open = Vec::new();
        let mut need = |place: &BaseAddress, open: &mut Vec<usize>| {
            if let BaseAddress::Made(number, _) = place {
                let number = *number as usize;
                if is_needed.get(number) == Some(&false) {
                    is_needed[number] = true;
                    open.push(number);
                }
            }
        };
        for patch in chosen {
            match patch {
                BasePatch::Pointer(_, to) => need(to, &mut open),
                BasePatch::Bytes(_, template) => {
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
            write_template(BaseAddress::Made(number as u32, 0), &block.template, addresses, alterations);
        }
    }
}

impl Resizing {
    fn write(&self, addresses: &Addresses<'_>, alterations: &mut Alterations) {
        let kept = Template::plain(self.kept.clone());
        write_template(BaseAddress::Base(self.object, 0), &kept, addresses, alterations);
        write_template(BaseAddress::Base(self.object, self.from), &self.tail, addresses, alterations);
        for (pointer, offset) in &self.pointers {
            let to = addresses.of(BaseAddress::Base(self.object, *offset));
            if let (Some(at), Some(to)) = (addresses.of(*pointer), to) {
                alterations.writes.push((Address(at), to.to_le_bytes().to_vec()));
            }
        }
    }
}

fn write_template(
    at: BaseAddress,
    template: &Template,
    addresses: &Addresses<'_>,
    alterations: &mut Alterations,
) {
    let bytes = template.filled(|place| addresses.of(place));
    if let (Some(at), Some(bytes)) = (addresses.of(at), bytes)
        && !bytes.is_empty()
    {
        alterations.writes.push((Address(at), bytes));
    }
}

/// Values, then bit-fields: all bit-fields of one byte are written together.
fn write(chosen: &[&BasePatch], addresses: &Addresses<'_>, alterations: &mut Alterations) {
    let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
    for patch in chosen {
        match patch {
            BasePatch::Bytes(at, template) => write_template(*at, template, addresses, alterations),
            BasePatch::Pointer(at, to) => {
                if let (Some(at), Some(to)) = (addresses.of(*at), addresses.of(*to)) {
                    alterations.writes.push((Address(at), to.to_le_bytes().to_vec()));
                }
            }
            BasePatch::Bits { at, bits, value, bytes: storage } => {
                let Some(at) = addresses.of(*at) else { continue };
                for (index, byte) in storage.iter().enumerate() {
                    let (own, wanted) = bits_in_byte(*bits, *value, index);
                    let byte = bytes.entry(at.wrapping_add(index as u64)).or_insert(*byte);
                    *byte = (*byte & !own) | wanted;
                }
            }
            BasePatch::File(file) => alterations.files.push(file.clone()),
            BasePatch::Resize(_) => {}
        }
    }
    for (at, byte) in bytes {
        match alterations.writes.last_mut() {
            Some((start, run)) if (*start + run.len() as u64).0 == at => run.push(byte),
            _ => alterations.writes.push((Address(at), vec![byte])),
        }
    }
}
