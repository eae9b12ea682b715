//! A made-up program with all kinds of structures, and memory for it.

use crate::debug::{
    BitField, FunctionId, LiveVariable, RecordKind, RecordMember, RecordType, ScalarEncoding, StackFrame,
    Type, TypeId, Variants,
};
use crate::graph::{Declarations, MemoryGraph, ProgramState};
use crate::{Address, ReadMemory, Region, RegionKind, Snapshot};
use std::sync::Arc;

pub(super) const INT: TypeId = TypeId(0);
pub(super) const CHAR: TypeId = TypeId(1);
pub(super) const STRING: TypeId = TypeId(2);
pub(super) const NODE: TypeId = TypeId(3);
pub(super) const NODE_POINTER: TypeId = TypeId(4);
pub(super) const TWIN: TypeId = TypeId(5);
pub(super) const TWIN_POINTER: TypeId = TypeId(6);
pub(super) const DEQUE: TypeId = TypeId(7);
pub(super) const TREE: TypeId = TypeId(8);
pub(super) const TREE_POINTER: TypeId = TypeId(9);
pub(super) const TABLE: TypeId = TypeId(10);
pub(super) const INT_POINTER: TypeId = TypeId(11);
pub(super) const VECTOR: TypeId = TypeId(12);
pub(super) const STRINGS: TypeId = TypeId(13);
pub(super) const FLAGS: TypeId = TypeId(14);
pub(super) const EITHER: TypeId = TypeId(15);
pub(super) const BUFFER: TypeId = TypeId(16);

/// Members by offset; of pointers and numbers alike.
pub(super) fn fields(ty: TypeId) -> &'static [(&'static str, TypeId, u64)] {
    match ty {
        NODE => &[("key", INT, 0), ("name", STRING, 8), ("next", NODE_POINTER, 16)],
        TWIN => &[("value", INT, 0), ("next", TWIN_POINTER, 8), ("previous", TWIN_POINTER, 16)],
        DEQUE => &[("head", TWIN_POINTER, 0), ("tail", TWIN_POINTER, 8)],
        TREE => {
            &[("key", INT, 0), ("height", INT, 4), ("left", TREE_POINTER, 8), ("right", TREE_POINTER, 16)]
        }
        VECTOR => &[("begin", INT_POINTER, 0), ("end", INT_POINTER, 8), ("limit", INT_POINTER, 16)],
        EITHER => &[("number", INT, 0), ("text", STRING, 0)],
        _ => &[],
    }
}

/// The variables, in a row of 64 bytes each.
pub(super) const GLOBALS: [(&str, TypeId); 12] = [
    ("count", INT),
    ("list", NODE_POINTER),
    ("current", NODE_POINTER),
    ("deque", DEQUE),
    ("tree", TREE_POINTER),
    ("table", TABLE),
    ("numbers", INT_POINTER),
    ("vector", VECTOR),
    ("words", STRINGS),
    ("flags", FLAGS),
    ("either", EITHER),
    ("buffer", BUFFER),
];

pub(super) const DATA: u64 = 0x40_0000;
pub(super) const CODE: u64 = 0x30_0000;
const HEAP: u64 = 0x50_0000;

pub(super) fn global(name: &str) -> u64 {
    let index = GLOBALS.iter().position(|global| global.0 == name).unwrap();
    DATA + 64 * index as u64
}

pub(super) struct MadeUp;

impl MadeUp {
    fn record(name: &str, ty: TypeId, size: u64, kind: RecordKind) -> Type {
        let member = |(name, ty, offset): &(&str, TypeId, u64)| RecordMember {
            name: (*name).to_owned(),
            ty: *ty,
            offset: *offset,
            bits: None,
            is_base: false,
            is_artificial: false,
        };
        let members = fields(ty).iter().map(member).collect();
        let name = name.to_owned();
        Type::Record(RecordType {
            name,
            size,
            kind,
            members,
            variants: None::<Variants>,
            arguments: Vec::new(),
            is_rust: false,
            virtual_bases: Vec::new(),
        })
    }

    fn flags() -> Type {
        let bits = [("a", 0, 0, 3), ("b", 0, 3, 7), ("c", 1, 2, 20)];
        let member = |(name, offset, skip, count): (&str, u64, u8, u8)| RecordMember {
            name: name.to_owned(),
            ty: INT,
            offset,
            bits: Some(BitField { skip, count }),
            is_base: false,
            is_artificial: false,
        };
        let Type::Record(mut record) = Self::record("flags", FLAGS, 4, RecordKind::Struct) else {
            unreachable!()
        };
        record.members = bits.map(member).into();
        Type::Record(record)
    }
}

impl Declarations for MadeUp {
    fn ty(&self, id: TypeId) -> Arc<Type> {
        let scalar = |name: &str, size, encoding| Type::Scalar { name: name.to_owned(), size, encoding };
        let pointer = |to| Type::Pointer { to, is_reference: false };
        Arc::new(match id {
            INT => scalar("int", 4, ScalarEncoding::Signed),
            CHAR => scalar("char", 1, ScalarEncoding::Character { signed: true }),
            STRING => pointer(CHAR),
            NODE => Self::record("node", NODE, 24, RecordKind::Struct),
            NODE_POINTER => pointer(NODE),
            TWIN => Self::record("twin", TWIN, 24, RecordKind::Struct),
            TWIN_POINTER => pointer(TWIN),
            DEQUE => Self::record("deque", DEQUE, 16, RecordKind::Struct),
            TREE => Self::record("tree", TREE, 24, RecordKind::Struct),
            TREE_POINTER => pointer(TREE),
            TABLE => Type::Array { of: NODE_POINTER, count: Some(8) },
            INT_POINTER => pointer(INT),
            VECTOR => Self::record("vector", VECTOR, 24, RecordKind::Struct),
            STRINGS => pointer(STRING),
            FLAGS => Self::flags(),
            EITHER => Self::record("either", EITHER, 8, RecordKind::Union),
            BUFFER => Type::Array { of: CHAR, count: Some(16) },
            _ => Type::Void,
        })
    }

    fn size(&self, id: TypeId) -> u64 {
        match &*self.ty(id) {
            Type::Scalar { size, .. } => *size,
            Type::Pointer { .. } => 8,
            Type::Record(record) => record.size,
            Type::Array { of, count } => self.size(*of) * count.unwrap_or(0),
            _ => 0,
        }
    }

    fn type_named(&self, _: &str) -> Option<TypeId> {
        None
    }

    fn type_name(&self, id: TypeId) -> String {
        format!("{id:?}")
    }

    fn name_at(&self, _: Address) -> Option<String> {
        None
    }

    fn globals(&self, _: &dyn ReadMemory) -> Vec<LiveVariable> {
        let variable = |(name, ty): &(&str, TypeId)| LiveVariable {
            name: (*name).to_owned(),
            ty: *ty,
            at: Address(global(name)),
            file: "made_up.c".to_owned(),
            function: None,
        };
        GLOBALS.iter().map(variable).collect()
    }

    fn locals(&self, _: &StackFrame, _: &dyn ReadMemory) -> Vec<LiveVariable> {
        Vec::new()
    }

    fn function_name(&self, _: FunctionId) -> String {
        String::new()
    }
}

/// Memory of the made-up program: its variables, its constants and a heap as the C library would have it.
#[derive(Clone)]
pub(super) struct MadeUpHeap {
    data: Vec<u8>,
    bytes: Vec<u8>,
    /// Where blocks are, and how long.
    pub(super) blocks: Vec<(u64, u64)>,
}

impl MadeUpHeap {
    pub(super) fn new() -> Self {
        Self { data: vec![0; 64 * GLOBALS.len()], bytes: vec![0; 8], blocks: Vec::new() }
    }

    /// What `malloc` would do.
    pub(super) fn allocate(&mut self, size: u64) -> u64 {
        let chunk = (size + 8).max(32).next_multiple_of(16);
        // The last word of a block is the first of the next chunk.
        let at = HEAP + self.bytes.len() as u64 + 8;
        self.bytes.extend((chunk | 1).to_le_bytes());
        self.bytes.resize(self.bytes.len() + chunk as usize - 8, 0);
        self.blocks.push((at, chunk - 8));
        at
    }

    pub(super) fn text(&mut self, text: &str) -> u64 {
        let at = self.allocate(text.len() as u64 + 1);
        self.write(at, text.as_bytes());
        at
    }

    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) {
        let (memory, start) = if at >= HEAP { (&mut self.bytes, HEAP) } else { (&mut self.data, DATA) };
        let from = (at - start) as usize;
        memory.resize(memory.len().max(from + bytes.len()), 0);
        memory[from..from + bytes.len()].copy_from_slice(bytes);
    }

    pub(super) fn int(&mut self, at: u64, value: i32) {
        self.write(at, &value.to_le_bytes());
    }

    pub(super) fn word(&mut self, at: u64, value: u64) {
        self.write(at, &value.to_le_bytes());
    }

    pub(super) fn read(&self, at: u64, length: usize) -> &[u8] {
        let (memory, start) = if at >= HEAP { (&self.bytes, HEAP) } else { (&self.data, DATA) };
        &memory[(at - start) as usize..][..length]
    }

    pub(super) fn state(&self) -> ProgramState {
        let mut heap = self.bytes.clone();
        // The rest of the heap is the last chunk.
        heap.extend(0x101u64.to_le_bytes());
        heap.resize(heap.len() + 0x100 - 16, 0);
        let region = |start, bytes, writable, kind| Region { start: Address(start), bytes, writable, kind };
        let file = || RegionKind::File("made_up".into());
        let regions = vec![
            region(CODE, b"constant\0another\0".to_vec(), false, file()),
            region(DATA, self.data.clone(), true, file()),
            region(HEAP, heap, true, RegionKind::Heap),
        ];
        let snapshot = Snapshot::new(regions, Address(0x7fff_0000));
        let graph = MemoryGraph::read(&MadeUp, &snapshot, &[]);
        ProgramState { frames: Vec::new(), snapshot, graph, files: Vec::new() }
    }
}
