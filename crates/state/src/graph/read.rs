//! Reads a graph: from the variables along the pointers, breadth first, the surer knowledge before the less sure.

use super::declarations::Declarations;
use super::heap::Heap;
use super::layout::Layouts;
use super::{
    Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, Object, ObjectKind, Shape, VertexId,
};
use crate::debug::{StackFrame, TypeId};
use crate::{Address, Region, RegionKind, Snapshot};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// What is still to be looked at, the surest first: only when there is nothing else of the earlier ones, the later are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPhase {
    /// Containers, which know what they hold and how much of it.
    Container,
    /// Pointers to a type, where the block has the size that one value of it needs.
    Exact,
    /// Pointers to the start of other blocks: arrays.
    Array,
    /// Pointers into the middle of blocks.
    Interior,
    /// Unions.
    Union,
    /// Pointers to characters at the start of blocks.
    Text,
    /// Pointers to characters elsewhere.
    InnerText,
    /// Pointers to anything.
    Untyped,
}

const PHASES: [ReadPhase; 8] = [
    ReadPhase::Container,
    ReadPhase::Exact,
    ReadPhase::Array,
    ReadPhase::Interior,
    ReadPhase::Union,
    ReadPhase::Text,
    ReadPhase::InnerText,
    ReadPhase::Untyped,
];

/// No graph has more vertices.
pub(super) const MOST_VERTICES: usize = 1 << 22;

/// How many bytes of data have a vertex, at a guess,
const BYTES_OF_A_VERTEX: usize = 8;
/// and for how many vertices room is made before there are any.
const MOST_ROOM: usize = 1 << 18;

/// Items of maps with longer keys are said by number.
const LONGEST_KEY: usize = 24;
/// No map has more items that are said by their keys.
pub(super) const MOST_KEYS: usize = 4096;

/// A graph in the making.
pub(super) struct GraphReader<'a> {
    pub(super) source: &'a dyn Declarations,
    pub(super) snapshot: &'a Snapshot,
    pub(super) heap: Heap,
    pub(super) layouts: Layouts<'a>,
    pub(super) graph: MemoryGraph,
    /// The objects by their first address.
    pub(super) owned: BTreeMap<Address, u32>,
    /// How many records of a type were seen.
    pub(super) frequency: HashMap<TypeId, u32>,
    /// Dynamic types by the table of virtual functions.
    pub(super) tables: HashMap<Address, Option<TypeId>>,
    /// Where the frames end: behind it are the arguments and the environment of the program.
    pub(super) frames_end: Option<Address>,
    /// How many vertices each object has.
    spent: Vec<u64>,
    /// Items of maps and their keys.
    pub(super) keys: Vec<(VertexId, VertexId)>,
    /// Unions that hold nothing.
    pub(super) empty: HashSet<VertexId>,
    /// Smart pointers, which are looked at when all pointers are followed.
    pub(super) late: Vec<VertexId>,
    queues: [VecDeque<VertexId>; PHASES.len()],
}

impl MemoryGraph {
    /// Reads the graph of a snapshot.
    #[must_use]
    pub fn read(program: &dyn Declarations, snapshot: &Snapshot, frames: &[StackFrame]) -> Self {
        let mut reader = GraphReader {
            source: program,
            snapshot,
            heap: Heap::of(snapshot),
            layouts: Layouts::new(program),
            graph: Self::with_room_for(snapshot),
            owned: BTreeMap::new(),
            frequency: HashMap::new(),
            tables: HashMap::new(),
            frames_end: frames.iter().filter(|frame| frame.function.is_some()).map(|frame| frame.cfa).max(),
            spent: Vec::new(),
            keys: Vec::new(),
            empty: HashSet::new(),
            late: Vec::new(),
            queues: Default::default(),
        };
        reader.read_roots(frames);
        reader.follow();
        reader.read_smart_pointers();
        reader.finish()
    }

    /// An empty graph. What grows is copied again and again; room that is not used costs nothing.
    fn with_room_for(snapshot: &Snapshot) -> Self {
        let is_read = |region: &&Region| region.writable && region.kind != RegionKind::Stack;
        let bytes: usize = snapshot.regions().iter().filter(is_read).map(|region| region.bytes.len()).sum();
        let room = (bytes / BYTES_OF_A_VERTEX).min(MOST_ROOM);
        Self { vertices: Vec::with_capacity(room), edges: Vec::with_capacity(room), ..Self::default() }
    }
}

impl GraphReader<'_> {
    /// Remembers to look at a vertex.
    pub(super) fn enqueue(&mut self, phase: ReadPhase, vertex: VertexId) {
        self.queues[phase as usize].push_back(vertex);
    }

    /// Looks at all that is to be looked at.
    fn follow(&mut self) {
        while let Some((phase, vertex)) = self.next() {
            match phase {
                ReadPhase::Container => self.read_container(vertex),
                ReadPhase::Union => self.read_union(vertex),
                ReadPhase::Exact | ReadPhase::Array | ReadPhase::Interior => self.follow_typed(vertex, phase),
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

    /// Of texts that overlap, the one that begins first is the whole text. Texts lead nowhere, so that these are all.
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

    /// Whether an object has more vertices than any sane type makes of its bytes: debug information that is corrupt may have
    /// types that contain themselves.
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

    /// Gives a vertex that has none its edges.
    pub(super) fn set_edges(&mut self, vertex: VertexId, edges: impl IntoIterator<Item = MemoryEdge>) {
        let first = self.graph.edges.len();
        self.graph.edges.extend(edges);
        let count = self.graph.edges.len() - first;
        let vertex = &mut self.graph.vertices[vertex.0 as usize];
        (vertex.first_edge, vertex.edges) = (first as u32, count as u32);
    }

    /// Gives a vertex more edges, behind those that it has.
    pub(super) fn add_edges(&mut self, vertex: VertexId, edges: Vec<MemoryEdge>) {
        if !edges.is_empty() {
            let old = self.graph.edges_of(vertex).to_vec();
            self.set_edges(vertex, old.into_iter().chain(edges));
        }
    }

    /// A shortcut: an edge to something that is named by it from now on, if it belongs to whom the edge comes from.
    pub(super) fn shortcut(
        &mut self,
        from: VertexId,
        label: Label,
        to: VertexId,
        is_own: bool,
    ) -> MemoryEdge {
        let held = &mut self.graph.vertices[to.0 as usize];
        // Roots have names of their own; what was found earlier is never named by what was found later.
        if is_own && held.parent.is_some() && from < to {
            held.parent = Some(from);
            held.label = label.clone();
        }
        MemoryEdge { label, to }
    }

    /// The first object that has a byte of a range, from the end.
    pub(super) fn overlapping(&self, at: Address, size: u64) -> Option<MemoryObjectId> {
        let end = Address(at.0.checked_add(size.max(1))?);
        let (start, index) = self.owned.range(..end).next_back()?;
        (*start + self.graph.objects[*index as usize].size > at).then_some(MemoryObjectId(*index))
    }

    /// Makes a range an object, with the vertex that covers it and all that is inside; `None` where something else owns a byte of it.
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

    /// Puts objects in order of their addresses and edges in order of their vertices.
    fn finish(self) -> MemoryGraph {
        let mut graph = self.graph;
        // Whoever owns bytes is an object, and the other way round.
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
