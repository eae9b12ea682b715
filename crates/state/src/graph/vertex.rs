//! Vertices, edges, and the objects that hold them.

use crate::Address;
use crate::debug::{BitField, FunctionId, TypeId};

/// The index of a vertex in [`MemoryGraph::vertices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// The index of an object in [`MemoryGraph::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryObjectId(pub u32);

/// A range of memory that is allocated and freed as a whole: a variable, a block of the heap, a string constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Where it begins.
    pub at: Address,
    /// Its length in bytes; the usable size of a block of the heap.
    pub size: u64,
    /// Its kind.
    pub kind: ObjectKind,
    /// The vertex that covers it.
    pub vertex: VertexId,
}

/// The kind of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global or static variable.
    Global {
        /// The source file that declares it.
        file: String,
        /// The function, if it is a static variable of a function.
        function: Option<String>,
    },
    /// A local variable or parameter, by its frame: 0 is the innermost.
    Local {
        /// The index of the frame.
        frame: u32,
        /// Its function.
        function: Option<FunctionId>,
    },
    /// A block of the heap that is in use.
    Block,
    /// Anything else with a pointer to it: constants, memory of an unknown allocator.
    Other,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryVertex {
    /// Its address. Several vertices can begin at the same address: a struct and its first member.
    pub at: Address,
    /// Its type. Of arrays that only a pointer knows (`Shape::Array`, `Shape::Text`), the type of an element.
    pub ty: TypeId,
    /// Its shape.
    pub shape: Shape,
    /// The object that it is a part of.
    pub object: MemoryObjectId,
    /// The source of the edge by which it was found first, and which names it. Roots have none.
    pub parent: Option<VertexId>,
    /// The label of that edge.
    pub label: Label,
    /// Its edges: `MemoryGraph::edges[first_edge .. first_edge + edges]`.
    pub first_edge: u32,
    /// The number of its edges.
    pub edges: u32,
}

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A number, an enumeration, a Boolean, a pointer to a function, or bytes of unknown meaning, with this length.
    Scalar(u32),
    /// A bit-field.
    Bits(BitField),
    /// A pointer or reference; one edge with [`Label::Target`] if it leads to a vertex.
    Pointer,
    /// A record: an edge for each member, by address. Of a union only the chosen member has an edge; of a Rust enum the
    /// discriminant (if it has bytes of its own) and the active [`Label::Case`]. Containers have, after the edges of their
    /// members, shortcuts to their content: [`Label::Item`] for elements, [`Label::Target`] for the target of a smart
    /// pointer, a member `#text` for strings. A shortcut names its target.
    Record,
    /// A number of elements in a row, each with an edge: declared arrays, and blocks with a pointer to an element. In the
    /// blocks of hash tables only the slots in use have an edge, with their number.
    Array(u32),
    /// A text of this many bytes, as one vertex: up to its `\0`, or to the end of a slice.
    Text(u32),
    /// A stream of the C library (`FILE`). Its inside is not read.
    Stream,
}

/// How an edge leads from one vertex to the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A global or static variable: its name, with the function (`f::count`) if it is a static variable of a function, and
    /// with the file (`a.c::count`) if several variables have that name.
    Global(u32),
    /// A local variable: its frame, and its name; `x#1` is the first `x` that another `x` hides.
    Local(u32, u32),
    /// A member with this name. A name that begins with `#` is not written in expressions: bases and anonymous members.
    Member(u32),
    /// An element by number.
    Element(u32),
    /// The target of a pointer.
    Target,
    /// The active case of a Rust enum, by its name.
    Case(u32),
    /// An element of a container with a reader of its own (`std::map`, `HashMap`), by its order. The pointers in between are
    /// left out.
    Item(u32),
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEdge {
    /// Its label; `u32`s are indices of [`MemoryGraph::names`].
    pub label: Label,
    /// The vertex that it leads to.
    pub to: VertexId,
}

/// A memory graph. Its roots are the edges of globals and of the locals of each frame.
#[derive(Clone, Debug, Default)]
pub struct MemoryGraph {
    /// The values.
    pub vertices: Vec<MemoryVertex>,
    /// The edges of all vertices, one after the other.
    pub edges: Vec<MemoryEdge>,
    /// The variables, with which reading starts.
    pub roots: Vec<MemoryEdge>,
    /// The objects that contain the values, by address.
    pub objects: Vec<Object>,
    /// Names of variables, members and cases.
    pub names: Vec<String>,
    /// The number of pointers to memory that is not in use.
    pub dangling: u32,
    /// The number of array elements, container items and objects that were not read because there are too many.
    pub left_out: u64,
    /// The number of blocks of an unknown allocator. Only the first value of each was read, because its length is not known.
    pub unmeasured: u32,
    /// The number of objects of which only the header was read, because nothing says which type the whole object has.
    pub headers_only: u32,
    /// The number of unions of which it is not known which member is used, while different things would be where their pointers lead.
    pub doubtful_unions: u32,
    /// The blocks that the program divides into objects itself, ascending. Between the objects there is unused memory.
    pub pools: Vec<(Address, Address)>,
    /// Names of roots whose plain name is ambiguous (`main::argc`), and keys of the items of maps, by vertex.
    pub spoken: Vec<(VertexId, String)>,
}

impl MemoryGraph {
    /// The edges of a vertex.
    #[must_use]
    pub fn edges_of(&self, vertex: VertexId) -> &[MemoryEdge] {
        let vertex = &self.vertices[vertex.0 as usize];
        &self.edges[vertex.first_edge as usize..][..vertex.edges as usize]
    }

    /// The object that contains an address. The address after its end counts too, unless another object begins there.
    #[must_use]
    pub fn object_at(&self, at: Address) -> Option<MemoryObjectId> {
        let after = self.objects.partition_point(|object| object.at <= at);
        let index = after.checked_sub(1)?;
        let object = &self.objects[index];
        (at - object.at <= object.size).then_some(MemoryObjectId(index as u32))
    }
}
