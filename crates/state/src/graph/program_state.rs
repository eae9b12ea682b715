//! The state of a stopped run: its calls, its bytes, and what they mean.

use super::MemoryGraph;
use crate::Snapshot;
use crate::debug::{Program, StackFrame};

/// The state of a run that is stopped.
#[derive(Debug)]
pub struct ProgramState {
    /// The calls, innermost first.
    pub frames: Vec<StackFrame>,
    /// The bytes of its memory.
    pub snapshot: Snapshot,
    /// The memory graph.
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
    /// The position of the next `read`.
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
