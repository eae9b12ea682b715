//! What the debug information says: types, variables, functions, lines, frames.

mod bytes;
mod callsite;
mod cfi;
mod definitions;
mod elf;
mod entry;
mod error;
mod files;
mod frame;
mod functions;
mod image;
mod kinds;
mod lines;
mod load;
mod location;
mod names;
mod outline;
mod places;
mod program;
mod record;
mod spelling;
mod stack;
mod symbols;
mod table;
mod types;
mod unit;
mod unwind;
mod variables;

pub use error::DebugError;
pub use frame::{LiveVariable, REGISTERS, Register, Registers, StackFrame};
pub use program::{Function, FunctionId, Loaded, Program, SourcePosition};
pub use types::{
    BitField, RecordKind, RecordMember, RecordType, ScalarEncoding, Type, TypeId, Variant, Variants,
};
