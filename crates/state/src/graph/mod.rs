//! The memory of a stopped process as a graph: vertices are values, edges say how one reaches them.
//!
//! Every byte has at most one typed owner: declared variables before typed pointers before union members before `char *`.

mod containers;
mod declarations;
mod expand;
mod export;
mod expression;
mod heap;
mod layout;
mod names;
mod pointer;
mod read;
mod roots;
mod svg;
mod union;
mod value;
mod vertex;

pub use declarations::Declarations;
pub use export::{Picture, VertexMark};
pub use heap::{Heap, HeapBlock};
pub use vertex::{
    Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, Object, ObjectKind, Shape, VertexId,
};

use crate::Snapshot;
use crate::debug::{Program, StackFrame};

/// A place that a run has stopped at, with all that can be seen there.
#[derive(Debug)]
pub struct ProgramState {
    /// The calls, innermost first.
    pub frames: Vec<StackFrame>,
    /// The bytes.
    pub snapshot: Snapshot,
    /// What they mean.
    pub graph: MemoryGraph,
    /// Files that are open for reading, and how far they were read.
    pub files: Vec<OpenFile>,
}

/// A file that the program reads, by its descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFile {
    /// The descriptor.
    pub descriptor: i32,
    /// The file.
    pub path: std::path::PathBuf,
    /// Where the next `read` begins.
    pub position: u64,
}

impl ProgramState {
    /// Reads the graph of a stopped process.
    #[must_use]
    pub fn read(
        program: &Program,
        frames: Vec<StackFrame>,
        snapshot: Snapshot,
        files: Vec<OpenFile>,
    ) -> Self {
        let graph = MemoryGraph::read(program, &snapshot, &frames);
        Self { frames, snapshot, graph, files }
    }
}
