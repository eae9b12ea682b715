//! Vertices, edges, and the objects that hold them.

use crate::Address;
use crate::debug::{BitField, FunctionId, TypeId};

/// A vertex, by its place in [`MemoryGraph::vertices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// An object, by its place in [`MemoryGraph::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryObjectId(pub u32);

/// A stretch of memory that lives and dies as one: a variable, a block of the heap, a string constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Where it begins.
    pub at: Address,
    /// Its length in bytes; of a block of the heap the usable size.
    pub size: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// The vertex that covers it.
    pub vertex: VertexId,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global or static variable.
    Global {
        /// The source file that declares it.
        file: String,
        /// For statics of a function, the function.
        function: Option<String>,
    },
    /// A local variable or parameter, by its frame: 0 is the innermost.
    Local {
        /// The index of the frame.
        frame: u32,
        /// Its function.
        function: Option<FunctionId>,
    },
    /// A block that `malloc` gave out and that is not free.
    Block,
    /// Anything else that a pointer led to: constants, memory of an unknown allocator.
    Other,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryVertex {
    /// Where it is; several vertices may begin at the same address: a struct and its first member.
    pub at: Address,
    /// Its type; of arrays that only a pointer knows (`Shape::Array`, `Shape::Text`) the type of the element.
    pub ty: TypeId,
    /// What it is made of.
    pub shape: Shape,
    /// The object that it is a part of.
    pub object: MemoryObjectId,
    /// The edge by which it was found first: who names it. Roots have none.
    pub parent: Option<VertexId>,
    /// The label of that edge.
    pub label: Label,
    /// Its edges: `MemoryGraph::edges[first_edge .. first_edge + edges]`.
    pub first_edge: u32,
    /// How many.
    pub edges: u32,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A number, an enumeration, a truth value, a pointer to a function, or bytes that nobody understands (of this length).
    Scalar(u32),
    /// A bit-field.
    Bits(BitField),
    /// A pointer or reference; one edge with [`Label::Target`] if it leads to a vertex.
    Pointer,
    /// A record: an edge for each member, ascending by address. Of a union only the chosen member has one; of a Rust enum the
    /// discriminant (where it has bytes of its own) and the [`Label::Case`] that it is. Containers have, behind the edges of
    /// their members, shortcuts to what they hold: [`Label::Item`] for elements, [`Label::Target`] for what a smart pointer
    /// points to, a member `#text` for strings. What a shortcut leads to is named by it.
    Record,
    /// Elements in a row, each with an edge: so many. Declared arrays and blocks that a pointer to an element led to. In the
    /// blocks of hash tables only the places in use have an edge, with their number.
    Array(u32),
    /// Text up to its end (`\0` not included, of slices their length): so many bytes, one vertex for all of them.
    Text(u32),
    /// A stream of the C library (`FILE`), which is not looked into.
    Stream,
}

/// How one gets from one vertex to the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A global or static variable: its name, with the function (`f::count`) where it is a static of one, with the file
    /// (`a.c::count`) where several have that name.
    Global(u32),
    /// A local variable: its frame, and its name; `x#1` is the first `x` that another hides.
    Local(u32, u32),
    /// A member of this name. A name that begins with `#` is not said in expressions: bases and anonymous members.
    Member(u32),
    /// An element by number.
    Element(u32),
    /// What a pointer points to.
    Target,
    /// The case that a Rust enum is, by its name.
    Case(u32),
    /// An element of a container with a reader of its own (`std::map`, `HashMap`), by its order: what the pointers in between
    /// are called is of no interest.
    Item(u32),
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEdge {
    /// Its label; `u32`s are indices of [`MemoryGraph::names`].
    pub label: Label,
    /// Where it leads.
    pub to: VertexId,
}

/// A memory graph. Its roots are the edges of globals and of the locals of each frame.
#[derive(Clone, Debug, Default)]
pub struct MemoryGraph {
    /// The values.
    pub vertices: Vec<MemoryVertex>,
    /// The edges of all vertices, one after the other.
    pub edges: Vec<MemoryEdge>,
    /// Variables: where reading begins.
    pub roots: Vec<MemoryEdge>,
    /// What holds the values, by address.
    pub objects: Vec<Object>,
    /// Names of variables, members and cases.
    pub names: Vec<String>,
    /// Pointers that lead nowhere that is alive.
    pub dangling: u32,
    /// Elements of arrays, items of containers and whole objects that were too many to be read.
    pub left_out: u64,
    /// What roots are called where their name alone is ambiguous (`main::argc`), and the keys of the items of maps, by vertex.
    pub spoken: Vec<(VertexId, String)>,
}

impl MemoryGraph {
    /// The edges of a vertex.
    #[must_use]
    pub fn edges_of(&self, vertex: VertexId) -> &[MemoryEdge] {
        let vertex = &self.vertices[vertex.0 as usize];
        &self.edges[vertex.first_edge as usize..][..vertex.edges as usize]
    }

    /// The object that an address is in, its end included only if no other begins there.
    #[must_use]
    pub fn object_at(&self, at: Address) -> Option<MemoryObjectId> {
        let after = self.objects.partition_point(|object| object.at <= at);
        let index = after.checked_sub(1)?;
        let object = &self.objects[index];
        (at - object.at <= object.size).then_some(MemoryObjectId(index as u32))
    }
}
