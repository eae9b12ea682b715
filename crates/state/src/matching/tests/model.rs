//! States as values: what the made-up program holds, to be changed at random and laid out anywhere.

use super::made_up::*;
use proptest::prelude::*;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Model {
    pub(super) count: i32,
    /// Key, whether it has a name.
    pub(super) list: Vec<(i32, bool)>,
    /// Which node of the list.
    pub(super) current: Option<usize>,
    /// The list is a ring.
    pub(super) is_ring: bool,
    pub(super) deque: Vec<i32>,
    pub(super) tree: Vec<i32>,
    pub(super) table: Vec<i32>,
    pub(super) numbers: Vec<i32>,
    pub(super) vector: Vec<i32>,
    pub(super) words: Vec<String>,
    pub(super) flags: u32,
    pub(super) either: Either,
    pub(super) buffer: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Either {
    #[default]
    Nothing,
    Number(u8),
    Text(String),
    Constant,
}

impl Model {
    /// Puts it into memory; the seed decides what is allocated first.
    pub(super) fn laid_out(&self, seed: u64) -> MadeUpHeap {
        let mut heap = MadeUpHeap::new();
        heap.int(global("count"), self.count);
        heap.write(global("flags"), &(self.flags & 0x3fff_ffff).to_le_bytes());
        heap.write(global("buffer"), self.buffer.as_bytes());
        let parts: [fn(&Self, &mut MadeUpHeap, bool); 8] = [
            Self::lay_list,
            Self::lay_deque,
            Self::lay_tree,
            Self::lay_table,
            Self::lay_numbers,
            Self::lay_vector,
            Self::lay_words,
            Self::lay_either,
        ];
        for index in 0..parts.len() {
            parts[(index + seed as usize) % parts.len()](self, &mut heap, seed & 8 != 0);
        }
        heap
    }

    fn blocks(heap: &mut MadeUpHeap, count: usize, is_backwards: bool) -> Vec<u64> {
        let mut blocks: Vec<u64> = (0..count).map(|_| heap.allocate(24)).collect();
        if is_backwards {
            blocks.reverse();
        }
        blocks
    }

    fn lay_list(&self, heap: &mut MadeUpHeap, is_backwards: bool) {
        let nodes = Self::blocks(heap, self.list.len(), is_backwards);
        heap.word(global("list"), nodes.first().copied().unwrap_or(0));
        let current = self.current.and_then(|index| nodes.get(index));
        heap.word(global("current"), current.copied().unwrap_or(0));
        for (index, (key, is_named)) in self.list.iter().enumerate() {
            heap.int(nodes[index], *key);
            if *is_named {
                let name = heap.text(&format!("name {key}"));
                heap.word(nodes[index] + 8, name);
            }
            let next = nodes.get(index + 1).or(nodes.first().filter(|_| self.is_ring));
            heap.word(nodes[index] + 16, next.copied().unwrap_or(0));
        }
    }

    fn lay_deque(&self, heap: &mut MadeUpHeap, is_backwards: bool) {
        let nodes = Self::blocks(heap, self.deque.len(), is_backwards);
        heap.word(global("deque"), nodes.first().copied().unwrap_or(0));
        heap.word(global("deque") + 8, nodes.last().copied().unwrap_or(0));
        for (index, value) in self.deque.iter().enumerate() {
            heap.int(nodes[index], *value);
            heap.word(nodes[index] + 8, nodes.get(index + 1).copied().unwrap_or(0));
            heap.word(nodes[index] + 16, index.checked_sub(1).map_or(0, |index| nodes[index]));
        }
    }

    fn lay_tree(&self, heap: &mut MadeUpHeap, _: bool) {
        for key in &self.tree {
            let node = heap.allocate(24);
            heap.int(node, *key);
            let mut at = global("tree");
            loop {
                let child = u64::from_le_bytes(heap.read(at, 8).try_into().unwrap());
                if child == 0 {
                    break heap.word(at, node);
                }
                let there = i32::from_le_bytes(heap.read(child, 4).try_into().unwrap());
                let height = heap.read(child + 4, 1)[0];
                heap.int(child + 4, i32::from(height) + 1);
                at = child + if *key < there { 8 } else { 16 };
            }
        }
    }

    fn lay_table(&self, heap: &mut MadeUpHeap, is_backwards: bool) {
        let nodes = Self::blocks(heap, self.table.len(), is_backwards);
        for (node, key) in nodes.iter().zip(&self.table) {
            heap.int(*node, *key);
            let bucket = global("table") + 8 * (*key as u64 % 8);
            let first = u64::from_le_bytes(heap.read(bucket, 8).try_into().unwrap());
            heap.word(node + 16, first);
            heap.word(bucket, *node);
        }
    }

    fn lay_numbers(&self, heap: &mut MadeUpHeap, _: bool) {
        if !self.numbers.is_empty() {
            let block = heap.allocate(4 * self.numbers.len() as u64);
            heap.word(global("numbers"), block);
            (0u64..).zip(&self.numbers).for_each(|(index, number)| heap.int(block + 4 * index, *number));
        }
    }

    fn lay_vector(&self, heap: &mut MadeUpHeap, _: bool) {
        if !self.vector.is_empty() {
            let length = 4 * self.vector.len() as u64;
            let block = heap.allocate(length.next_power_of_two());
            let vector = global("vector");
            [block, block + length, block + length.next_power_of_two()]
                .into_iter()
                .zip([0, 8, 16])
                .for_each(|(end, offset)| heap.word(vector + offset, end));
            (0u64..).zip(&self.vector).for_each(|(index, number)| heap.int(block + 4 * index, *number));
        }
    }

    fn lay_words(&self, heap: &mut MadeUpHeap, is_backwards: bool) {
        if self.words.is_empty() {
            return;
        }
        let block = heap.allocate(8 * (self.words.len() as u64 + 1));
        heap.word(global("words"), block);
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        if is_backwards {
            order.reverse();
        }
        for index in order {
            let word = heap.text(&self.words[index]);
            heap.word(block + 8 * index as u64, word);
        }
    }

    fn lay_either(&self, heap: &mut MadeUpHeap, _: bool) {
        let word = match &self.either {
            Either::Nothing => 0,
            Either::Number(number) => u64::from(*number),
            Either::Text(text) => heap.text(text),
            Either::Constant => CODE,
        };
        heap.word(global("either"), word);
    }
}

/// Any state.
pub(super) fn any_model() -> impl Strategy<Value = Model> {
    let ints = |most| proptest::collection::vec(0..most, 0..9);
    let named = proptest::collection::vec((0..6, any::<bool>()), 0..7);
    let words = proptest::collection::vec("[a-z]{1,30}", 0..5);
    let either = prop_oneof![
        Just(Either::Nothing),
        any::<u8>().prop_map(Either::Number),
        "[a-z]{1,40}".prop_map(Either::Text),
        Just(Either::Constant),
    ];
    let first = (any::<i32>(), named, proptest::option::of(0usize..7), any::<bool>(), ints(5), ints(99));
    let second = (ints(64), ints(9), ints(9), words, any::<u32>(), either, "[a-z]{0,16}");
    (first, second).prop_map(|(first, second)| Model {
        count: first.0,
        list: first.1,
        current: first.2,
        is_ring: first.3,
        deque: first.4,
        tree: first.5,
        table: second.0,
        numbers: second.1,
        vector: second.2,
        words: second.3,
        flags: second.4,
        either: second.5,
        buffer: second.6,
    })
}
