//! What the debug information says: types, variables, functions, lines, frames.

mod frame;
mod program;
mod types;

pub use frame::{Frame, REGISTERS, Register, Registers, Variable};
pub use program::{DebugError, Function, FunctionId, Loaded, Program, SourceLine};
pub use types::{Bits, Encoding, Member, Record, RecordKind, Type, TypeId, Variant, Variants};
