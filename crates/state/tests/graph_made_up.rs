//! Graphs of made-up programs: any types, any bytes.

#![allow(clippy::unwrap_used)]

use howcome_state::debug::{
    BitField, FunctionId, LiveVariable, RecordKind, RecordMember, RecordType, ScalarEncoding, StackFrame,
    Type, TypeId, Variant, Variants,
};
use howcome_state::graph::{Declarations, Heap, Label, MemoryGraph, ObjectKind, Shape, VertexId};
use howcome_state::{Address, ReadMemory, Region, RegionKind, Snapshot};
use proptest::prelude::*;
use std::sync::Arc;

const HEAP: u64 = 0x1000_0000;
const DATA: u64 = 0x2000_0000;
const STACK: u64 = 0x3000_0000;

/// Types and globals that no compiler made.
#[derive(Clone, Debug, Default)]
struct MadeUp {
    types: Vec<Arc<Type>>,
    globals: Vec<LiveVariable>,
}

impl MadeUp {
    fn add(&mut self, ty: Type) -> TypeId {
        self.types.push(Arc::new(ty));
        TypeId(self.types.len() as u32 - 1)
    }

    fn number(&mut self, name: &str, size: u64, encoding: ScalarEncoding) -> TypeId {
        self.add(Type::Scalar { name: name.into(), size, encoding })
    }

    fn pointer(&mut self, to: TypeId) -> TypeId {
        self.add(Type::Pointer { to, is_reference: false })
    }

    fn global(&mut self, name: &str, ty: TypeId, at: u64) {
        let file = String::from("made_up.c");
        self.globals.push(LiveVariable { name: name.into(), ty, at: Address(at), file, function: None });
    }

    fn size_within(&self, id: TypeId, depth: u32) -> u64 {
        match &*self.ty(id) {
            Type::Scalar { size, .. } | Type::Enumeration { size, .. } => *size,
            Type::Record(record) => record.size,
            Type::Pointer { .. } => 8,
            Type::Array { of, count } if depth > 0 => {
                self.size_within(*of, depth - 1).saturating_mul(count.unwrap_or(0))
            }
            _ => 0,
        }
    }
}

impl Declarations for MadeUp {
    fn ty(&self, id: TypeId) -> Arc<Type> {
        self.types.get(id.0 as usize).cloned().unwrap_or_else(|| Arc::new(Type::Void))
    }
    fn size(&self, id: TypeId) -> u64 {
        self.size_within(id, 8)
    }
    fn type_named(&self, name: &str) -> Option<TypeId> {
        let found =
            self.types.iter().position(|ty| matches!(&**ty, Type::Record(record) if record.name == name));
        found.map(|index| TypeId(index as u32))
    }
    fn type_name(&self, id: TypeId) -> String {
        format!("type {}", id.0)
    }
    fn name_at(&self, _: Address) -> Option<String> {
        None
    }
    fn globals(&self, _: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.globals.clone()
    }
    fn locals(&self, _: &StackFrame, _: &dyn ReadMemory) -> Vec<LiveVariable> {
        Vec::new()
    }
    fn function_name(&self, _: FunctionId) -> String {
        String::from("made_up")
    }
}

fn member(name: &str, ty: TypeId, offset: u64) -> RecordMember {
    RecordMember { name: name.into(), ty, offset, bits: None, is_base: false, is_artificial: false }
}

fn record(name: &str, size: u64, kind: RecordKind, members: Vec<RecordMember>) -> RecordType {
    let name = name.to_owned();
    RecordType {
        name,
        size,
        kind,
        members,
        variants: None,
        arguments: Vec::new(),
        is_rust: false,
        virtual_bases: Vec::new(),
    }
}

/// A heap of the GNU C library with blocks of these sizes (of chunks: multiples of 16, at least 32) and a `top`.
fn heap(chunks: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for size in chunks.iter().copied().chain([4096]) {
        bytes.extend(0_u64.to_le_bytes());
        bytes.extend((size | 1).to_le_bytes());
        bytes.resize(bytes.len() + size as usize - 16, 0);
    }
    bytes
}

fn region(start: u64, bytes: Vec<u8>, kind: RegionKind) -> Region {
    Region { start: Address(start), bytes, writable: true, kind }
}

fn put(bytes: &mut [u8], at: usize, word: u64) {
    bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
}

fn snapshot(heap: Vec<u8>, data: Vec<u8>) -> Snapshot {
    let regions = vec![
        region(HEAP, heap, RegionKind::Heap),
        region(DATA, data, RegionKind::File("/made/up".into())),
        region(STACK, vec![0; 256], RegionKind::Stack),
    ];
    Snapshot::new(regions, Address(STACK + 128))
}

fn find(graph: &MemoryGraph, program: &MadeUp, expression: &str) -> VertexId {
    let vertices = (0..graph.vertices.len() as u32).map(VertexId);
    let mut found = vertices.filter(|vertex| graph.expression(program, *vertex) == expression);
    found.next().unwrap_or_else(|| panic!("no {expression}"))
}

#[test]
fn a_block_that_was_given_back_is_dead_in_whichever_list_it_is() {
    let mut bytes = heap(&[0x290, 0x20, 0x20, 0x40, 0x40, 0x500, 0x20]);
    let place = |chunk: u64| HEAP + chunk + 16;
    let [cached, next, used, fast, big, last] = [0x290, 0x2b0, 0x2d0, 0x310, 0x350, 0x850].map(place);
    // The cache: one list with two blocks, whose link is mixed with its address.
    put(&mut bytes, 16, 2);
    put(&mut bytes, 16 + 128, cached);
    put(&mut bytes, (cached - HEAP) as usize, next ^ cached >> 12);
    put(&mut bytes, (next - HEAP) as usize, next >> 12);
    // A large block: its neighbour marks it as free.
    let size = (last - 8 - HEAP) as usize;
    put(&mut bytes, size, 0x20);
    // The arena, with a list of small blocks and empty lists of others.
    let mut data = vec![0; 4096];
    let arena = 256;
    put(&mut data, arena + 96, HEAP + 0x870);
    put(&mut data, arena + 16 + 16, fast - 16);
    put(&mut bytes, (fast - HEAP) as usize, fast >> 12);
    for bin in 0..127 {
        let itself = DATA + arena as u64 + 96 + bin * 16;
        put(&mut data, (itself + 16 - DATA) as usize, itself);
        put(&mut data, (itself + 24 - DATA) as usize, itself);
    }
    let heap = Heap::of(&snapshot(bytes, data));
    let is_free: Vec<bool> =
        [cached, next, used, fast, big, last].map(|at| heap.is_dead(Address(at))).to_vec();
    assert_eq!(is_free, [true, true, false, true, true, false]);
    assert_eq!(heap.block(Address(used + 20)).unwrap().size, 0x38);
    assert!(heap.is_dead(Address(used - 8)), "headers are nobody's");
}

#[test]
fn a_heap_that_makes_no_sense_has_no_blocks() {
    let mut bytes = heap(&[0x290, 0x40, 0x40]);
    put(&mut bytes, 0x298, 0x1235);
    let heap = Heap::of(&snapshot(bytes, Vec::new()));
    assert!(heap.blocks().is_empty() && !heap.is_dead(Address(HEAP + 0x2a0)));
}

#[test]
fn blocks_are_arrays_of_what_points_to_them_and_dead_ones_are_only_counted() {
    let mut program = MadeUp::default();
    let int = program.number("int", 4, ScalarEncoding::Signed);
    let (ints, void) = (program.pointer(int), program.add(Type::Void));
    let any = program.pointer(void);
    program.global("numbers", ints, DATA);
    program.global("middle", ints, DATA + 8);
    program.global("below", ints, DATA + 16);
    program.global("any", any, DATA + 24);
    program.global("nowhere", any, DATA + 32);
    let mut data = vec![0; 64];
    let block = HEAP + 0x290 + 16;
    for (index, word) in [block, block + 12, STACK + 8, block, 0x5555].into_iter().enumerate() {
        put(&mut data, index * 8, word);
    }
    let snapshot = snapshot(heap(&[0x290, 0x40]), data);
    let graph = MemoryGraph::read(&program, &snapshot, &[]);
    assert_eq!(graph.dangling, 2, "below the stack pointer, and nowhere");
    let array = find(&graph, &program, "*numbers");
    assert_eq!(graph.vertices[array.0 as usize].shape, Shape::Array(0x38 / 4));
    assert_eq!(graph.objects[graph.object_at(Address(block)).unwrap().0 as usize].kind, ObjectKind::Block);
    for (pointer, target) in [("middle", "numbers[3]"), ("any", "*numbers")] {
        let pointer = find(&graph, &program, pointer);
        assert_eq!(graph.edges_of(pointer)[0].to, find(&graph, &program, target));
    }
    assert_eq!(graph.value(&program, &snapshot, find(&graph, &program, "middle")), "&numbers[3]");
}

#[test]
fn an_array_that_is_too_long_is_cut_and_that_is_said() {
    let mut program = MadeUp::default();
    let byte = program.number("short", 2, ScalarEncoding::Signed);
    let array = program.add(Type::Array { of: byte, count: Some(70_000) });
    program.global("long_array", array, DATA);
    let graph = MemoryGraph::read(&program, &snapshot(heap(&[0x290]), vec![0; 140_000]), &[]);
    assert_eq!((graph.vertices.len(), graph.left_out), (65_537, 70_000 - 65_536));
}

/// A type that can refer to any other, whether that makes sense or not.
fn any_type(count: u32) -> impl Strategy<Value = Type> {
    let id = move || (0..count).prop_map(TypeId);
    let names = prop::sample::select(vec![
        "plain",
        "std::vector<int, std::allocator<int> >",
        "std::map<int, int>",
        "std::_Rb_tree<int, int>",
        "std::__cxx11::list<int>",
        "std::__cxx11::basic_string<char, x>",
        "std::optional<int>",
        "std::variant<int>",
        "std::unordered_map<int, int>",
        "std::deque<int>",
        "std::unique_ptr<int>",
        "alloc::vec::Vec<i32>",
        "alloc::string::String",
        "std::collections::hash::map::HashMap<i32>",
        "hashbrown::raw::RawTable<i32>",
        "alloc::collections::btree::map::BTreeMap<i32>",
        "alloc::rc::Rc<i32>",
        "_IO_FILE",
        "&str",
        "alloc::collections::vec_deque::VecDeque<i32>",
    ]);
    let member_names = prop::sample::select(vec![
        "a",
        "b",
        "",
        "_M_start",
        "_M_finish",
        "_M_header",
        "_M_node_count",
        "_M_node",
        "_M_next",
        "_M_p",
        "_M_parent",
        "_M_string_length",
        "_M_engaged",
        "_M_index",
        "_M_cur",
        "_vptr.X",
        "ptr",
        "len",
        "cap",
        "head",
        "ctrl",
        "items",
        "bucket_mask",
        "root",
        "node",
        "height",
        "length",
        "data_ptr",
        "keys",
        "vals",
        "value",
        "_M_t",
    ]);
    let bits =
        prop::option::weighted(0.1, (0_u8..8, 1_u8..=64).prop_map(|(skip, count)| BitField { skip, count }));
    let members = (member_names, id(), 0_u64..64, bits, prop::bool::weighted(0.1)).prop_map(
        |(name, ty, offset, bits, is_base)| RecordMember { bits, is_base, ..member(name, ty, offset) },
    );
    let members = prop::collection::vec(members, 0..5);
    let variants = prop::option::weighted(0.2, (members.clone(), prop::collection::vec(-1_i128..3, 0..2)))
        .prop_map(|variants| {
            variants.map(|(members, values)| Variants {
                discriminant: members.first().cloned(),
                cases: members
                    .iter()
                    .map(|member| Variant { values: values.clone(), member: member.clone() })
                    .collect(),
            })
        });
    let arguments = prop::collection::vec(id(), 0..3);
    let records = (names, 0_u64..80, members, variants, arguments, any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(name, size, members, variants, arguments, is_rust, is_union)| {
            let kind = if is_union { RecordKind::Union } else { RecordKind::Struct };
            let arguments = arguments.into_iter().map(|ty| (String::from("T"), ty)).collect();
            Type::Record(RecordType { variants, arguments, is_rust, ..record(name, size, kind, members) })
        });
    prop_oneof![
        1 => Just(Type::Void),
        2 => Just(Type::Scalar { name: "char".into(), size: 1, encoding: ScalarEncoding::Character { signed: true } }),
        2 => Just(Type::Scalar { name: "long".into(), size: 8, encoding: ScalarEncoding::Signed }),
        1 => (0_u64..20).prop_map(|size| Type::Scalar { name: "u8".into(), size, encoding: ScalarEncoding::Unsigned }),
        4 => (id(), any::<bool>()).prop_map(|(to, is_reference)| Type::Pointer { to, is_reference }),
        2 => (id(), prop::option::of(0_u64..9)).prop_map(|(of, count)| Type::Array { of, count }),
        6 => records,
    ]
}

fn any_program() -> impl Strategy<Value = (MadeUp, Snapshot)> {
    let chunks = prop::collection::vec((2_u64..12).prop_map(|size| size * 16), 1..8);
    let words = prop::collection::vec(
        prop_oneof![
            3 => (0_u64..1024).prop_map(|offset| HEAP + offset / 8 * 8),
            2 => (0_u64..512).prop_map(|offset| DATA + offset),
            1 => (0_u64..256).prop_map(|offset| STACK + offset),
            2 => 0_u64..20,
            1 => any::<u64>(),
        ],
        0..160,
    );
    let variables = prop::collection::vec((0_u32..12, 0_u64..480), 1..8);
    (prop::collection::vec(any_type(12), 12), chunks, words, variables).prop_map(
        |(types, chunks, words, variables)| {
            let mut program =
                MadeUp { types: types.into_iter().map(Arc::new).collect(), globals: Vec::new() };
            for (index, (ty, at)) in variables.into_iter().enumerate() {
                program.global(&format!("v{index}"), TypeId(ty), DATA + at / 8 * 8);
            }
            let (mut heap, mut data) = (heap(&chunks), vec![0; 512]);
            for (index, word) in words.into_iter().enumerate() {
                if index < 64 {
                    put(&mut data, index * 8, word);
                } else if index % 4 > 1 && (index - 64) * 8 + 8 < heap.len() {
                    put(&mut heap, (index - 64) * 8, word);
                }
            }
            (program, snapshot(heap, data))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_of_any_types_make_a_graph_that_holds_together((program, snapshot) in any_program()) {
        let graph = MemoryGraph::read(&program, &snapshot, &[]);
        for pair in graph.objects.windows(2) {
            prop_assert!(pair[0].at + pair[0].size <= pair[1].at, "objects overlap: {pair:?}");
        }
        for (index, vertex) in graph.vertices.iter().enumerate() {
            let id = VertexId(index as u32);
            prop_assert!(vertex.parent.is_none_or(|parent| parent < id), "parents come first");
            prop_assert!((vertex.object.0 as usize) < graph.objects.len());
            for edge in graph.edges_of(id) {
                prop_assert!((edge.to.0 as usize) < graph.vertices.len());
                let is_name = matches!(edge.label, Label::Member(name) | Label::Case(name) if name as usize >= graph.names.len());
                prop_assert!(!is_name, "names are known");
            }
            let _ = graph.expression(&program, id);
            let _ = graph.value(&program, &snapshot, id);
        }
        let again = MemoryGraph::read(&program, &snapshot, &[]);
        prop_assert_eq!(graph.vertices, again.vertices);
        prop_assert_eq!(graph.edges, again.edges);
    }
}
