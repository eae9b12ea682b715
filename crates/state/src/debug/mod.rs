//! Types, variables, functions, lines and frames from the debug information of a program.
//!
//! A [`Program`] outlines its units when it is loaded, and reads the rest when it is needed. This folder knows nothing of
//! processes: it reads memory through [`ReadMemory`](crate::ReadMemory).
//!
//! | file | idea |
//! |---|---|
//! | `program`, `load`, `image` | a program as it is loaded; loading one file; a loaded file |
//! | `elf`, `symbols`, `files`, `bytes` | ELF files, their symbols, debug information in other files, and the bytes of all of them |
//! | `unit`, `outline`, `entry`, `names` | units of debug information, where things are in them, their entries, qualified names |
//! | `types`, `table`, `found_type`, `kinds`, `record`, `spelling` | types: what callers see, one number for each, and how entries become types |
//! | `definitions`, `type_definitions`, `trait_tables` | types by name, and by the table of functions of a trait object |
//! | `function`, `functions`, `lines`, `positions` | functions with code, line tables, lines and addresses |
//! | `variables`, `location`, `callsite`, `returned` | variables, where they are, what registers held on entry, and the value that is returned |
//! | `cfi`, `unwind`, `stack`, `frame`, `registers` | from a frame to its caller, whole stacks, what a frame is |
//! | `error` | what can be wrong with a program before it runs |

mod bytes;
mod callsite;
mod cfi;
mod definitions;
mod elf;
mod entry;
mod error;
mod files;
mod found_type;
mod frame;
mod function;
mod functions;
mod image;
mod kinds;
mod lines;
mod load;
mod location;
mod names;
mod outline;
mod positions;
mod program;
mod record;
mod registers;
mod returned;
mod spelling;
mod stack;
mod symbols;
mod table;
mod trait_tables;
mod type_definitions;
mod types;
mod unit;
mod unwind;
mod variables;

pub use error::DebugError;
pub use frame::{LiveVariable, StackFrame};
pub use function::{Function, FunctionId, is_library_file};
pub use program::{Loaded, Program, SourcePosition};
pub use registers::{REGISTERS, Register, Registers};
pub(crate) use returned::RETURN_VALUE;
pub use types::{
    BitField, RecordKind, RecordMember, RecordType, ScalarEncoding, Type, TypeId, Variant, Variants,
    VirtualBase,
};
