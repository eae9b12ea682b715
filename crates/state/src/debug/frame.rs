//! Frames of a stack, and the variables that live in them.

use super::{FunctionId, Registers, TypeId};
use crate::Address;

/// One call that has not returned, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// The function, if it has debug information.
    pub function: Option<FunctionId>,
    /// The next instruction, or the return address. [`StackFrame::lookup`] is the address to look things up with.
    pub pc: Address,
    /// The canonical frame address: the stack pointer before the call.
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

/// A variable that is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveVariable {
    /// Its name in the source, qualified if it is in a namespace or a class.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its address: in memory, or [`Address::of_register`], or where the register is saved.
    pub at: Address,
    /// The source file that declares it, as the compiler was given it; empty if unknown. It is used for grouping.
    pub file: String,
    /// The function, if it is a static variable of a function.
    pub function: Option<String>,
}
