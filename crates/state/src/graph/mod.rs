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
pub use export::{Mark, Picture};
pub use heap::{Block, Heap};
pub use vertex::{Edge, Graph, Label, Object, ObjectId, ObjectKind, Shape, Vertex, VertexId};

use crate::Snapshot;
use crate::debug::{Frame, Program};

/// A place that a run has stopped at, with all that can be seen there.
#[derive(Debug)]
pub struct State {
    /// The calls, innermost first.
    pub frames: Vec<Frame>,
    /// The bytes.
    pub snapshot: Snapshot,
    /// What they mean.
    pub graph: Graph,
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

impl State {
    /// Reads the graph of a stopped process.
    #[must_use]
    pub fn read(program: &Program, frames: Vec<Frame>, snapshot: Snapshot, files: Vec<OpenFile>) -> Self {
        let graph = Graph::read(program, &snapshot, &frames);
        Self { frames, snapshot, graph, files }
    }
}
