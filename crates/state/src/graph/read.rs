//! Reads a graph: from the variables along the pointers, breadth first, reliable knowledge before guesses.

use super::block_use::{BlockUses, KnownBlocks};
use super::declarations::Declarations;
use super::header_votes::{HeaderVotes, KnownHeaders};
use super::heap::Heap;
use super::layout::Layouts;
use super::member_votes::MemberVotes;
use super::pointed::pointed_into;
use super::{
    Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, Object, ObjectKind, Shape, VertexId,
};
use crate::debug::{StackFrame, TypeId};
use crate::{Address, Region, RegionKind, Snapshot};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// What is still to be read, the most reliable first. A later phase starts when nothing is left in the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPhase {
    /// Containers, which know their elements and how many there are.
    Container,
    /// Pointers to a type, if the block has the size of one value.
    Exact,
    /// Pointers to the start of other blocks: arrays.
    Array,
    /// Pointers into the middle of blocks.
    Interior,
    /// Unions.
    Union,
    /// Unions of which several members make sense. What is read after them cannot tell more.
    DoubtfulUnion,
    /// Pointers to numbers and to other pointers inside pools. Most of them lead to a part of an object, which something else
    /// knows better.
    PoolPart,
    /// Pointers to characters at the start of blocks.
    Text,
    /// Pointers to characters elsewhere.
    InnerText,
    /// Pointers to anything.
    Untyped,
}

const PHASES: [ReadPhase; 10] = [
    ReadPhase::Container,
    ReadPhase::Exact,
    ReadPhase::Array,
    ReadPhase::Interior,
    ReadPhase::Union,
    ReadPhase::DoubtfulUnion,
    ReadPhase::PoolPart,
    ReadPhase::Text,
    ReadPhase::InnerText,
    ReadPhase::Untyped,
];

/// At most this number of vertices is read.
pub(super) const MOST_VERTICES: usize = 1 << 22;

/// The memory is read at most this number of times. Each reading can find pointers that disagree about further blocks.
const MOST_READINGS: u32 = 6;

/// The number of data bytes for each vertex, at a guess.
const BYTES_OF_A_VERTEX: usize = 8;
/// At most this number of vertices is allocated in advance.
const MOST_ROOM: usize = 1 << 18;

/// Items of maps with longer keys are written with their numbers.
const LONGEST_KEY: usize = 24;
/// At most this number of items is written with their keys.
pub(super) const MOST_KEYS: usize = 4096;

/// A graph under construction.
pub(super) struct GraphReader<'a> {
    pub(super) source: &'a dyn Declarations,
    pub(super) snapshot: &'a Snapshot,
    pub(super) heap: Heap,
    pub(super) layouts: Layouts<'a>,
    pub(super) graph: MemoryGraph,
    /// The objects by their first address.
    pub(super) owned: BTreeMap<Address, u32>,
    /// The number of records that were seen of each type.
    pub(super) frequency: HashMap<TypeId, u32>,
    /// Dynamic types by the table of virtual functions.
    pub(super) tables: HashMap<Address, Option<TypeId>>,
    /// The end of the frames. The arguments and the environment of the program are after it.
    pub(super) frames_end: Option<Address>,
    /// The number of vertices of each object.
    spent: Vec<u64>,
    /// Items of maps and their keys.
    pub(super) keys: Vec<(VertexId, VertexId)>,
    /// What earlier readings learned about blocks, and what this one learns.
    pub(super) known: KnownBlocks,
    pub(super) uses: BlockUses,
    /// The same about headers of objects.
    pub(super) known_headers: KnownHeaders,
    pub(super) headers: HeaderVotes,
    /// Where objects in pools can begin: what any word of the memory points to. Ascending.
    pub(super) pool_objects: Vec<Address>,
    /// What is known about the active members of unions.
    pub(super) members: MemberVotes,
    /// Whether it is doubtful what is read now: no type is believed that a pointer in it has.
    pub(super) is_doubtful: bool,
    /// How many values of a member were looked at.
    pub(super) weighed: u32,
    /// Unions that hold nothing.
    pub(super) empty: HashSet<VertexId>,
    /// Smart pointers. They are read after all pointers have been followed.
    pub(super) late: Vec<VertexId>,
    queues: [VecDeque<VertexId>; PHASES.len()],
}

impl MemoryGraph {
    /// Reads the graph of a snapshot: again if the pointers disagree about some blocks.
    #[must_use]
    pub fn read(program: &dyn Declarations, snapshot: &Snapshot, frames: &[StackFrame]) -> Self {
        let heap = Heap::of(snapshot);
        let mut known = KnownBlocks::default();
        let mut headers = KnownHeaders::default();
        for _ in 1..MOST_READINGS {
            let learned = (known.clone(), headers.clone());
            let mut reader = GraphReader::new(program, snapshot, frames, heap.clone(), learned);
            reader.read_all(frames);
            // What pointers find in an object whose type was not known says nothing.
            if reader.headers.teach(&mut headers) {
                continue;
            }
            if !std::mem::take(&mut reader.uses).teach(&mut known) {
                return reader.finish();
            }
        }
        let mut reader = GraphReader::new(program, snapshot, frames, heap, (known, headers));
        reader.read_all(frames);
        reader.finish()
    }

    /// An empty graph. Memory is reserved in advance, because growing vectors are copied; what is not used costs nothing.
    fn with_room_for(snapshot: &Snapshot) -> Self {
        let is_read = |region: &&Region| region.writable && region.kind != RegionKind::Stack;
        let bytes: usize = snapshot.regions().iter().filter(is_read).map(|region| region.bytes.len()).sum();
        let room = (bytes / BYTES_OF_A_VERTEX).min(MOST_ROOM);
        Self { vertices: Vec::with_capacity(room), edges: Vec::with_capacity(room), ..Self::default() }
    }
}

impl<'a> GraphReader<'a> {
    fn new(
        source: &'a dyn Declarations,
        snapshot: &'a Snapshot,
        frames: &[StackFrame],
        heap: Heap,
        (known, known_headers): (KnownBlocks, KnownHeaders),
    ) -> Self {
        let pools: Vec<(Address, Address)> = known
            .pools
            .iter()
            .filter_map(|at| heap.block(*at).map(|block| (block.at, block.at + block.size)))
            .collect();
        let mut pool_objects = pointed_into(snapshot, &heap, &pools);
        pool_objects.retain(|object| !known.parts.contains(object));
        Self {
            source,
            snapshot,
            heap,
            layouts: Layouts::new(source),
            graph: MemoryGraph { pools, ..MemoryGraph::with_room_for(snapshot) },
            owned: BTreeMap::new(),
            frequency: HashMap::new(),
            tables: HashMap::new(),
            frames_end: frames.iter().filter(|frame| frame.function.is_some()).map(|frame| frame.cfa).max(),
            spent: Vec::new(),
            keys: Vec::new(),
            known,
            uses: BlockUses::default(),
            known_headers,
            headers: HeaderVotes::default(),
            pool_objects,
            members: MemberVotes::default(),
            is_doubtful: false,
            weighed: 0,
            empty: HashSet::new(),
            late: Vec::new(),
            queues: Default::default(),
        }
    }

    fn read_all(&mut self, frames: &[StackFrame]) {
        self.read_roots(frames);
        self.follow();
        self.read_smart_pointers();
    }

    /// Queues a vertex.
    pub(super) fn enqueue(&mut self, phase: ReadPhase, vertex: VertexId) {
        self.queues[phase as usize].push_back(vertex);
    }

    /// Reads everything in the queues.
    fn follow(&mut self) {
        while let Some((phase, vertex)) = self.next() {
            match phase {
                ReadPhase::Container => self.read_container(vertex),
                ReadPhase::Union => {
                    let rest = std::mem::take(&mut self.queues[ReadPhase::Union as usize]);
                    self.read_unions(std::iter::once(vertex).chain(rest).collect());
                }
                ReadPhase::DoubtfulUnion => self.read_doubtful_union(vertex),
                ReadPhase::Exact | ReadPhase::Array | ReadPhase::Interior | ReadPhase::PoolPart => {
                    self.follow_typed(vertex, phase);
                }
                ReadPhase::Text | ReadPhase::InnerText => self.follow_text(vertex, phase),
                ReadPhase::Untyped => self.follow_untyped(vertex),
            }
        }
    }

    fn next(&mut self) -> Option<(ReadPhase, VertexId)> {
        for phase in PHASES {
            if phase == ReadPhase::InnerText && !self.queues[phase as usize].is_empty() {
                self.sort_texts();
            }
            if let Some(vertex) = self.queues[phase as usize].pop_front() {
                return Some((phase, vertex));
            }
        }
        None
    }

    /// If texts overlap, the one that begins first is the whole text. Texts contain no pointers, so this finds all of them.
    fn sort_texts(&mut self) {
        let mut texts = std::mem::take(&mut self.queues[ReadPhase::InnerText as usize]);
        texts.make_contiguous().sort_by_cached_key(|pointer| self.word(self.vertex(*pointer).at));
        for pointer in texts {
            self.follow_text(pointer, ReadPhase::InnerText);
        }
    }

    /// A vertex by its number.
    pub(super) fn vertex(&self, vertex: VertexId) -> &MemoryVertex {
        &self.graph.vertices[vertex.0 as usize]
    }

    /// Whether an object has more vertices than any reasonable type makes of its bytes. In corrupt debug information a type
    /// can contain itself.
    pub(super) fn is_exhausted(&self, object: MemoryObjectId) -> bool {
        let spent = self.spent.get(object.0 as usize).copied().unwrap_or(0);
        let size = self.graph.objects.get(object.0 as usize).map_or(0, |object| object.size);
        spent > 256 + size.saturating_mul(16) || self.graph.vertices.len() >= MOST_VERTICES
    }

    /// Adds a vertex without edges.
    pub(super) fn push(
        &mut self,
        at: Address,
        ty: TypeId,
        shape: Shape,
        object: MemoryObjectId,
        parent: Option<VertexId>,
        label: Label,
    ) -> VertexId {
        let id = VertexId(self.graph.vertices.len() as u32);
        if self.spent.len() <= object.0 as usize {
            self.spent.resize(object.0 as usize + 1, 0);
        }
        self.spent[object.0 as usize] += 1;
        self.graph.vertices.push(MemoryVertex {
            at,
            ty,
            shape,
            object,
            parent,
            label,
            first_edge: 0,
            edges: 0,
        });
        id
    }

    /// Sets the edges of a vertex that has none.
    pub(super) fn set_edges(&mut self, vertex: VertexId, edges: impl IntoIterator<Item = MemoryEdge>) {
        let first = self.graph.edges.len();
        self.graph.edges.extend(edges);
        let count = self.graph.edges.len() - first;
        let vertex = &mut self.graph.vertices[vertex.0 as usize];
        (vertex.first_edge, vertex.edges) = (first as u32, count as u32);
    }

    /// Adds edges to a vertex, after those that it has.
    pub(super) fn add_edges(&mut self, vertex: VertexId, edges: Vec<MemoryEdge>) {
        if !edges.is_empty() {
            let old = self.graph.edges_of(vertex).to_vec();
            self.set_edges(vertex, old.into_iter().chain(edges));
        }
    }

    /// A shortcut: an edge that gives its target a new name, if the target belongs to the source of the edge.
    pub(super) fn shortcut(
        &mut self,
        from: VertexId,
        label: Label,
        to: VertexId,
        is_own: bool,
    ) -> MemoryEdge {
        let held = &mut self.graph.vertices[to.0 as usize];
        // Roots have names of their own. A vertex is never named by a vertex that was found later.
        if is_own && held.parent.is_some() && from < to {
            held.parent = Some(from);
            held.label = label.clone();
        }
        MemoryEdge { label, to }
    }

    /// The last object that overlaps a range.
    pub(super) fn overlapping(&self, at: Address, size: u64) -> Option<MemoryObjectId> {
        let end = Address(at.0.checked_add(size.max(1))?);
        let (start, index) = self.owned.range(..end).next_back()?;
        (*start + self.graph.objects[*index as usize].size > at).then_some(MemoryObjectId(*index))
    }

    /// Makes a range an object, with the vertex that covers it and everything inside. `None` if another object overlaps it.
    pub(super) fn claim(&mut self, claim: ObjectClaim) -> Option<VertexId> {
        let ObjectClaim { at, size, kind, ty, shape, parent, label } = claim;
        if size == 0
            || self.overlapping(at, size).is_some()
            || self.snapshot.bytes(at, size).is_none()
            || self.graph.vertices.len() >= MOST_VERTICES
        {
            return None;
        }
        let object = MemoryObjectId(self.graph.objects.len() as u32);
        let vertex = self.push(at, ty, shape, object, parent, label);
        self.graph.objects.push(Object { at, size, kind, vertex });
        self.owned.insert(at, object.0);
        self.expand(vertex);
        Some(vertex)
    }

    /// Sorts objects by address and edges by vertex.
    fn finish(self) -> MemoryGraph {
        let mut graph = self.graph;
        // Every byte range with an owner is an object, and every object owns its range.
        let mut place = vec![0; graph.objects.len()];
        for (new, old) in self.owned.values().enumerate() {
            place[*old as usize] = new as u32;
        }
        graph.objects.sort_unstable_by_key(|object| object.at);
        let mut edges = Vec::with_capacity(graph.edges.len());
        for vertex in &mut graph.vertices {
            vertex.object = MemoryObjectId(place[vertex.object.0 as usize]);
            let own = vertex.first_edge as usize..(vertex.first_edge + vertex.edges) as usize;
            vertex.first_edge = edges.len() as u32;
            edges.extend_from_slice(&graph.edges[own]);
        }
        graph.edges = edges;
        graph.vertices.shrink_to_fit();
        graph.names = self.layouts.names.into_vec();
        for (item, key) in self.keys {
            let spoken = graph.value(self.source, self.snapshot, key);
            if spoken.chars().count() <= LONGEST_KEY {
                graph.spoken.push((item, spoken));
            }
        }
        graph.spoken.sort();
        graph.spoken.dedup_by_key(|(vertex, _)| *vertex);
        graph
    }
}

/// A range that is to become an object.
pub(super) struct ObjectClaim {
    pub(super) at: Address,
    pub(super) size: u64,
    pub(super) kind: ObjectKind,
    pub(super) ty: TypeId,
    pub(super) shape: Shape,
    pub(super) parent: Option<VertexId>,
    pub(super) label: Label,
}
