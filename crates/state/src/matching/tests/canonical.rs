//! An independent reader of the made-up program's memory: a text that is the same for states that differ only in addresses.

use super::made_up::*;
use crate::debug::TypeId;
use std::collections::HashMap;
use std::fmt::Write;

pub(super) fn canonical(heap: &MadeUpHeap) -> String {
    let mut writer = Writer { heap, numbers: HashMap::new(), open: Vec::new(), text: String::new() };
    for (name, ty) in GLOBALS {
        write!(writer.text, "{name}=").unwrap();
        writer.value(global(name), ty);
        writer.text.push('\n');
    }
    let mut next = 0;
    while let Some((at, size, ty)) = writer.open.get(next).copied() {
        write!(writer.text, "#{next}:").unwrap();
        let length = if ty == CHAR {
            1
        } else {
            if ty == INT {
                4
            } else if ty == STRING {
                8
            } else {
                24
            }
        };
        if ty == CHAR {
            let bytes = heap.read(at, size as usize);
            let end = bytes.iter().position(|byte| *byte == 0).unwrap();
            write!(writer.text, "{:?}", &bytes[..end]).unwrap();
        } else {
            (0..size / length).for_each(|index| writer.value(at + index * length, ty));
        }
        writer.text.push('\n');
        next += 1;
    }
    writer.text
}

struct Writer<'a> {
    heap: &'a MadeUpHeap,
    numbers: HashMap<u64, usize>,
    open: Vec<(u64, u64, TypeId)>,
    text: String,
}

impl Writer<'_> {
    fn number(&self, at: u64) -> u64 {
        u64::from_le_bytes(self.heap.read(at, 8).try_into().unwrap())
    }

    fn value(&mut self, at: u64, ty: TypeId) {
        match ty {
            INT | FLAGS => write!(self.text, " {:?}", self.heap.read(at, 4)).unwrap(),
            STRING => self.pointer(at, CHAR),
            NODE_POINTER => self.pointer(at, NODE),
            TWIN_POINTER => self.pointer(at, TWIN),
            TREE_POINTER => self.pointer(at, TREE),
            INT_POINTER => self.pointer(at, INT),
            STRINGS => self.pointer(at, STRING),
            TABLE => (0..8).for_each(|index| self.value(at + 8 * index, NODE_POINTER)),
            BUFFER => {
                let bytes = self.heap.read(at, 16);
                let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(16);
                write!(self.text, " {:?}", &bytes[..end]).unwrap();
            }
            // Small numbers are numbers.
            EITHER if self.number(at) < 0x1000 => self.value(at, INT),
            EITHER => self.value(at, STRING),
            _ => fields(ty).iter().for_each(|(_, ty, offset)| self.value(at + offset, *ty)),
        }
    }

    fn pointer(&mut self, at: u64, to: TypeId) {
        let target = self.number(at);
        let block = self.heap.blocks.iter().find(|block| block.0 <= target && target <= block.0 + block.1);
        match block {
            Some((start, size)) => {
                let number = *self.numbers.entry(*start).or_insert_with(|| {
                    self.open.push((*start, *size, to));
                    self.open.len() - 1
                });
                write!(self.text, " #{number}+{}", target - start).unwrap();
            }
            None => write!(self.text, " {target:x}").unwrap(),
        }
    }
}
