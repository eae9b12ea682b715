//! The memory of a stopped process as a graph: vertices are values, edges lead from one value to the next.
//!
//! Every byte has at most one typed owner: declared variables before typed pointers before union members before `char *`.
//! Nothing here touches a process. The reader works on a [`Snapshot`](crate::Snapshot) and on [`Declarations`].
//!
//! | file | idea |
//! |---|---|
//! | `vertex`, `program_state` | the graph; the state of a stopped run, of which it is a part |
//! | `declarations` | types and variables, from debug information or made up |
//! | `read`, `roots`, `expand`, `pointer`, `union`, `member_votes` | reading: the queue, variables, the inside of objects, pointers, unions and what their tags say |
//! | `header`, `header_votes` | objects that begin with a header, whose tag says which type the whole object has; what is learned about tags |
//! | `virtual_bases` | base classes whose place the object itself tells |
//! | `layout`, `names` | types in the form that the reader needs; names by number |
//! | `heap`, `pool`, `pointed` | the blocks of `malloc`; objects in blocks that the program divides itself; what words point to |
//! | `block_use` | what one reading learns about blocks for the next one |
//! | `container`, `containers` | containers of the standard libraries, and their content |
//! | `expression`, `value` | vertices as expressions, and their values, as the source language writes them |
//! | `export` | a graph as JSON, as DOT, and as data for a drawing |

mod block_use;
mod container;
mod containers;
mod declarations;
mod expand;
mod export;
mod expression;
mod header;
mod header_votes;
mod heap;
mod layout;
mod member_votes;
mod names;
mod pointed;
mod pointer;
mod pool;
mod program_state;
mod read;
mod roots;
mod union;
mod value;
mod vertex;
mod virtual_bases;

pub use declarations::Declarations;
pub use export::{GraphExport, VertexMark};
pub use heap::{Heap, HeapBlock};
pub(crate) use pointed::pointed_into;
pub use program_state::{OpenFile, ProgramState};
pub(crate) use value::quote;
pub use vertex::{
    Label, MemoryEdge, MemoryGraph, MemoryObjectId, MemoryVertex, Object, ObjectKind, Shape, VertexId,
};
