//! Frames of a stack, and the registers they began with.

use super::{FunctionId, TypeId};
use crate::Address;

/// How many registers are followed: the sixteen general ones and the return address, numbered as in DWARF.
pub const REGISTERS: usize = 17;

/// The value of a register in a frame, and where it can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// What it holds.
    pub value: u64,
    /// Where it can be written: where an inner frame has saved it, else [`Address::of_register`].
    pub at: Address,
}

/// The registers of a frame; those that the calls in between have not kept are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers(pub [Option<Register>; REGISTERS]);

impl Registers {
    /// The number of the stack pointer,
    pub const STACK_POINTER: usize = 7;
    /// of the frame pointer,
    pub const FRAME_POINTER: usize = 6;
    /// and of the program counter.
    pub const PROGRAM_COUNTER: usize = 16;

    /// The registers of the innermost frame, in DWARF's order: rax rdx rcx rbx rsi rdi rbp rsp r8 … r15 rip.
    #[must_use]
    pub fn of_innermost(values: [u64; REGISTERS]) -> Self {
        let mut registers = Self::default();
        for (number, value) in values.into_iter().enumerate() {
            let at = Address::of_register(number as u16);
            registers.0[number] = Some(Register { value, at });
        }
        registers
    }

    /// The value of a register.
    #[must_use]
    pub fn value(&self, number: usize) -> Option<u64> {
        Some((*self.0.get(number)?)?.value)
    }

    /// Where the frame is.
    #[must_use]
    pub fn pc(&self) -> Address {
        Address(self.value(Self::PROGRAM_COUNTER).unwrap_or(0))
    }
}

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
