//! Unwinds one frame.

use super::cfi::{UnwindRow, UnwindRule};
use super::entry::DwarfSlice;
use super::{REGISTERS, Register, Registers};
use crate::{Address, ReadMemory};
use gimli::{Encoding, EvaluationResult, Expression, Location};

/// At most this number of operations is run for an expression.
const MOST_OPERATIONS: u32 = 10_000;
/// Registers that a function must preserve: rbx, rbp, r12 to r15.
const KEPT: [usize; 6] = [3, 6, 12, 13, 14, 15];

/// The canonical frame address, by the rule for this address, or by convention if there is none.
pub(super) fn cfa(
    row: Option<&UnwindRow>,
    registers: &Registers,
    memory: &dyn ReadMemory,
) -> Option<Address> {
    match row.map(|row| &row.cfa) {
        Some(UnwindRule::Sum(register, offset)) => {
            Some(Address(registers.value(*register)?.wrapping_add_signed(*offset)))
        }
        Some(UnwindRule::Computed(expression)) => {
            Some(Address(evaluate(*expression, row?.encoding, None, registers, memory)?))
        }
        _ => None,
    }
}

/// The registers of the caller, once the canonical frame address is known.
pub(super) fn caller(
    row: &UnwindRow,
    cfa: Address,
    registers: &Registers,
    memory: &dyn ReadMemory,
) -> Option<Registers> {
    let mut outer = Registers::default();
    for number in 0..REGISTERS {
        outer.0[number] = register(row, number, cfa, registers, memory);
    }
    // The caller continues at the return address, wherever that is kept.
    if row.returns_to != Registers::PROGRAM_COUNTER {
        outer.0[Registers::PROGRAM_COUNTER] = *outer.0.get(row.returns_to)?;
    }
    outer.0[Registers::PROGRAM_COUNTER]?;
    Some(outer)
}

fn register(
    row: &UnwindRow,
    number: usize,
    cfa: Address,
    registers: &Registers,
    memory: &dyn ReadMemory,
) -> Option<Register> {
    let nowhere = Address::of_register(number as u16);
    let saved = |at: Address| Some(Register { value: memory.word(at)?, at });
    let computed = |expression| evaluate(expression, row.encoding, Some(cfa.0), registers, memory);
    match &row.registers[number] {
        UnwindRule::Unknown if number == Registers::STACK_POINTER => {
            Some(Register { value: cfa.0, at: nowhere })
        }
        UnwindRule::Unknown if KEPT.contains(&number) => registers.0[number],
        UnwindRule::Unknown | UnwindRule::Undefined => None,
        UnwindRule::Same => registers.0[number],
        UnwindRule::Saved(offset) => saved(Address(cfa.0.wrapping_add_signed(*offset))),
        UnwindRule::Distance(offset) => {
            Some(Register { value: cfa.0.wrapping_add_signed(*offset), at: nowhere })
        }
        UnwindRule::Sum(other, _) => *registers.0.get(*other)?,
        UnwindRule::SavedAt(expression) => saved(Address(computed(*expression)?)),
        UnwindRule::Computed(expression) => Some(Register { value: computed(*expression)?, at: nowhere }),
    }
}

/// The caller of a frame without call frame information: by the frame pointer, or, if a call led to a wrong address, by the
/// return address that it has just pushed.
pub(super) fn guess(
    registers: &Registers,
    is_astray: bool,
    memory: &dyn ReadMemory,
) -> Option<(Address, Registers)> {
    let stack = registers.value(Registers::STACK_POINTER)?;
    let (cfa, frame_pointer) = if is_astray {
        (stack.checked_add(8)?, registers.0[Registers::FRAME_POINTER])
    } else {
        let base = registers.value(Registers::FRAME_POINTER)?;
        if base < stack || base % 8 != 0 {
            return None;
        }
        let saved = Register { value: memory.word(Address(base))?, at: Address(base) };
        (base.checked_add(16)?, Some(saved))
    };
    let at = Address(cfa - 8);
    let mut outer = Registers::default();
    for number in KEPT {
        outer.0[number] = registers.0[number];
    }
    outer.0[Registers::FRAME_POINTER] = frame_pointer;
    outer.0[Registers::STACK_POINTER] =
        Some(Register { value: cfa, at: Address::of_register(Registers::STACK_POINTER as u16) });
    outer.0[Registers::PROGRAM_COUNTER] = Some(Register { value: memory.word(at)?, at });
    Some((Address(cfa), outer))
}

/// Evaluates an expression of the call frame information.
fn evaluate(
    expression: DwarfSlice,
    encoding: Encoding,
    first: Option<u64>,
    registers: &Registers,
    memory: &dyn ReadMemory,
) -> Option<u64> {
    let mut evaluation = Expression(expression).evaluation(encoding);
    evaluation.set_max_iterations(MOST_OPERATIONS);
    if let Some(first) = first {
        evaluation.set_initial_value(first);
    }
    let mut result = evaluation.evaluate().ok()?;
    for _ in 0..MOST_OPERATIONS {
        result = match result {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresMemory { address, size, .. } => {
                let mut bytes = [0; 8];
                let wanted = bytes.get_mut(..usize::from(size))?;
                if !memory.read(Address(address), wanted) {
                    return None;
                }
                evaluation.resume_with_memory(gimli::Value::Generic(u64::from_le_bytes(bytes)))
            }
            EvaluationResult::RequiresRegister { register, .. } => {
                let value = registers.value(usize::from(register.0))?;
                evaluation.resume_with_register(gimli::Value::Generic(value))
            }
            _ => return None,
        }
        .ok()?;
    }
    if result != EvaluationResult::Complete {
        return None;
    }
    match evaluation.result().as_slice() {
        [piece] => match piece.location {
            Location::Address { address } => Some(address),
            Location::Value { value } => value.to_u64(u64::MAX).ok(),
            _ => None,
        },
        _ => None,
    }
}
