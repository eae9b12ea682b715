//! Frames of a stack, and the variables that live in them.

use super::{FunctionId, Registers, TypeId};
use crate::Address;

/// One call that has not returned, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// Which function, where debug information knows it.
    pub function: Option<FunctionId>,
    /// Where it stands, or where it will go on; [`StackFrame::lookup`] is for asking what is there.
    pub pc: Address,
    /// The canonical frame address: what the stack pointer was before the call.
    pub cfa: Address,
    /// Its registers.
    pub registers: Registers,
    /// Whether `pc` is the next instruction rather than a return address.
    pub is_innermost: bool,
}

impl StackFrame {
    /// An address inside the instruction that the frame is at.
    #[must_use]
    pub fn lookup(&self) -> Address {
        if self.is_innermost { self.pc } else { self.pc - 1 }
    }
}

/// A variable that is alive somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveVariable {
    /// As in the source; qualified where a namespace or a class holds it.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is: in memory, or a register as [`Address::of_register`] or where it is saved.
    pub at: Address,
    /// The source file that declares it, as the compiler was given it, for grouping; empty where unknown.
    pub file: String,
    /// For statics of a function, the function.
    pub function: Option<String>,
}
