//! The registers of a frame.

use crate::Address;

/// The number of registers: the sixteen general registers and the return address, numbered as in DWARF.
pub const REGISTERS: usize = 17;

/// The value of a register in a frame, and where it can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// What it holds.
    pub value: u64,
    /// Where it can be written: where an inner frame has saved it, else [`Address::of_register`].
    pub at: Address,
}

/// The registers of a frame. A register is `None` if an inner call did not preserve it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers(pub [Option<Register>; REGISTERS]);

impl Registers {
    /// The number of the stack pointer.
    pub const STACK_POINTER: usize = 7;
    /// The number of the frame pointer.
    pub const FRAME_POINTER: usize = 6;
    /// The number of the program counter.
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

    /// The program counter.
    #[must_use]
    pub fn pc(&self) -> Address {
        Address(self.value(Self::PROGRAM_COUNTER).unwrap_or(0))
    }
}
