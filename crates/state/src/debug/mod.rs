//! What the debug information says: types, variables, functions, lines, frames.

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
mod places;
mod program;
mod record;
mod registers;
mod spelling;
mod stack;
mod symbols;
mod table;
mod type_definitions;
mod types;
mod unit;
mod unwind;
mod variables;

pub use error::DebugError;
pub use frame::{LiveVariable, StackFrame};
pub use function::{Function, FunctionId};
pub use program::{Loaded, Program, SourcePosition};
pub use registers::{REGISTERS, Register, Registers};
pub use types::{
    BitField, RecordKind, RecordMember, RecordType, ScalarEncoding, Type, TypeId, Variant, Variants,
};
