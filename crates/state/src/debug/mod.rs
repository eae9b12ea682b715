//! What the debug information says: types, variables, functions, lines, frames.

mod bytes;
mod callsite;
mod cfi;
mod definitions;
mod elf;
mod entry;
mod files;
mod frame;
mod functions;
mod image;
mod lines;
mod load;
mod location;
mod names;
mod outline;
mod program;
mod record;
mod spelling;
mod symbols;
mod table;
mod types;
mod unit;
mod unwind;
mod variables;

pub use frame::{Frame, REGISTERS, Register, Registers, Variable};
pub use program::{DebugError, Function, FunctionId, Loaded, Program, SourceLine};
pub use types::{Bits, Encoding, Member, Record, RecordKind, Type, TypeId, Variant, Variants};
