//! The memory of a stopped process as a graph: vertices are values, edges say how one reaches them.
//!
//! Every byte has at most one typed owner: declared variables before typed pointers before union members before `char *`.

mod container;
mod containers;
mod declarations;
mod expand;
mod export;
mod expression;
mod heap;
mod layout;
mod names;
mod pointer;
mod program_state;
mod read;
mod roots;
mod union;
mod value;
mod vertex;

pub use declarations::Declarations;
pub use export::{GraphExport, VertexMark};
pub use heap::{Heap, HeapBlock};
pub use program_state::{OpenFile, ProgramState};
pub use vertex::{
    Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, Object, ObjectKind, Shape, VertexId,
};
