//! Where a variable is: location expressions and lists.

use super::StackFrame;
use super::entry::{self, Die, DwarfSlice, DwarfValue};
use super::image::LoadedImage;
use crate::{Address, ReadMemory};
use gimli::constants as dw;
use gimli::{EvaluationResult, Expression, Location, UnitRef, ValueType};

/// At most this number of operations is run for an expression.
const MOST_OPERATIONS: u32 = 20_000;
/// At most this number of expressions can be nested.
const DEEPEST: usize = 6;

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(super) struct EvaluationContext<'a> {
    /// The file.
    pub(super) image: &'a LoadedImage,
    /// The unit.
    pub(super) unit: UnitRef<'a, DwarfSlice>,
    /// The function, if the expression is that of a local variable.
    pub(super) function: Option<Die>,
    /// The frame, if the expression is that of a local variable.
    pub(super) frame: Option<&'a StackFrame>,
    /// The memory of the process.
    pub(super) memory: &'a dyn ReadMemory,
    /// The value of a register on entry to the function.
    pub(super) entry_value: &'a dyn Fn(u16) -> Option<u64>,
}

/// The result of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueLocation {
    /// An address that can be read and written.
    At(Address),
    /// A value that is not in memory.
    Value(u64),
}

impl EvaluationContext<'_> {
    /// Evaluates the location attribute of an entry.
    pub(super) fn locate(&self, value: DwarfValue) -> Option<ValueLocation> {
        self.evaluate(self.expression(value)?, 0)
    }

    /// The expression that is valid at the position of the frame.
    fn expression(&self, value: DwarfValue) -> Option<Expression<DwarfSlice>> {
        if let DwarfValue::Exprloc(expression) = value {
            return Some(expression);
        }
        let at = self.frame?.lookup() - self.image.bias;
        let list = self.unit.attr_locations(value).ok()??;
        let holds = |range: gimli::Range| range.begin <= at.0 && at.0 < range.end;
        list.map_while(Result::ok).take(1 << 16).find(|entry| holds(entry.range)).map(|entry| entry.data)
    }

    /// Runs an expression.
    pub(super) fn evaluate(&self, expression: Expression<DwarfSlice>, depth: usize) -> Option<ValueLocation> {
        if depth > DEEPEST || expression.0.is_empty() {
            return None;
        }
        let mut evaluation = expression.evaluation(self.unit.encoding());
        evaluation.set_max_iterations(MOST_OPERATIONS);
        let mut result = evaluation.evaluate().ok()?;
        for _ in 0..MOST_OPERATIONS {
            result = match result {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresMemory { address, size, base_type, .. } => {
                    let mut bytes = [0; 8];
                    let wanted = bytes.get_mut(..usize::from(size))?;
                    if !self.memory.read(Address(address), wanted) {
                        return None;
                    }
                    let value =
                        gimli::Value::from_u64(self.value_type(base_type)?, u64::from_le_bytes(bytes))
                            .ok()?;
                    evaluation.resume_with_memory(value)
                }
                EvaluationResult::RequiresRegister { register, base_type } => {
                    let value = self.frame?.registers.value(usize::from(register.0))?;
                    let value = gimli::Value::from_u64(self.value_type(base_type)?, value).ok()?;
                    evaluation.resume_with_register(value)
                }
                EvaluationResult::RequiresFrameBase => {
                    evaluation.resume_with_frame_base(self.frame_base(depth)?)
                }
                EvaluationResult::RequiresCallFrameCfa => {
                    evaluation.resume_with_call_frame_cfa(self.frame?.cfa.0)
                }
                EvaluationResult::RequiresRelocatedAddress(address) => {
                    evaluation.resume_with_relocated_address(address.wrapping_add(self.image.bias))
                }
                EvaluationResult::RequiresIndexedAddress { index, relocate } => {
                    let address = self.unit.address(index).ok()?;
                    let bias = if relocate { self.image.bias } else { 0 };
                    evaluation.resume_with_indexed_address(address.wrapping_add(bias))
                }
                EvaluationResult::RequiresBaseType(offset) => {
                    evaluation.resume_with_base_type(self.value_type(offset)?)
                }
                EvaluationResult::RequiresEntryValue(inner) => {
                    evaluation.resume_with_entry_value(gimli::Value::Generic(self.at_entry(inner)?))
                }
                EvaluationResult::RequiresAtLocation(reference) => {
                    evaluation.resume_with_at_location(self.called(reference)?)
                }
                EvaluationResult::RequiresTls(offset) => {
                    evaluation.resume_with_tls(self.thread_block()?.0.wrapping_add(offset))
                }
                EvaluationResult::RequiresParameterRef(_) => return None,
                // A native program has no WebAssembly variables.
                EvaluationResult::RequiresWasmLocal { .. }
                | EvaluationResult::RequiresWasmGlobal { .. }
                | EvaluationResult::RequiresWasmStack { .. } => return None,
            }
            .ok()?;
        }
        if result != EvaluationResult::Complete {
            return None;
        }
        // A value in several pieces has no single address.
        let pieces = evaluation.result();
        let [piece] = pieces.as_slice() else { return None };
        if piece.bit_offset.is_some_and(|bits| bits != 0) {
            return None;
        }
        match piece.location {
            Location::Address { address } => Some(ValueLocation::At(Address(address))),
            Location::Register { register } => {
                Some(ValueLocation::At((*self.frame?.registers.0.get(usize::from(register.0))?)?.at))
            }
            Location::Value { value } => Some(ValueLocation::Value(value.to_u64(u64::MAX).ok()?)),
            _ => None,
        }
    }

    /// Where the thread's own variables of this file begin. Only those of the program have a fixed place.
    fn thread_block(&self) -> Option<Address> {
        let before = self.image.elf.thread_block().filter(|_| self.image.number == 0)?;
        Some(Address(self.memory.thread_pointer()?.0.checked_sub(before)?))
    }

    /// Evaluates an expression for its value: the value of a register, or the computed address.
    pub(super) fn value(&self, expression: Expression<DwarfSlice>, depth: usize) -> Option<u64> {
        if let Some(register) = only_register(&expression) {
            return self.frame?.registers.value(usize::from(register));
        }
        match self.evaluate(expression, depth + 1)? {
            ValueLocation::At(Address(value)) | ValueLocation::Value(value) => Some(value),
        }
    }

    fn frame_base(&self, depth: usize) -> Option<u64> {
        let function = self.function?;
        let unit = self.image.unit(function.unit)?;
        let entry = entry::read(&unit, function.at())?;
        let expression = Self { unit, ..*self }.expression(entry.attr_value(dw::DW_AT_frame_base)?)?;
        Self { unit, ..*self }.value(expression, depth)
    }

    fn at_entry(&self, expression: Expression<DwarfSlice>) -> Option<u64> {
        (self.entry_value)(only_register(&expression)?)
    }

    /// The location of another entry, for `DW_OP_call`.
    fn called(&self, reference: gimli::DieReference) -> Option<DwarfSlice> {
        let function = self.function?;
        let die = match reference {
            gimli::DieReference::UnitRef(offset) => function.sibling(offset)?,
            gimli::DieReference::DebugInfoRef(offset) => {
                self.image.refers_to(function, DwarfValue::DebugInfoRef(offset))?
            }
        };
        let entry = entry::read(*self.image.unit(die.unit)?, die.at())?;
        Some(self.expression(entry.attr_value(dw::DW_AT_location)?)?.0)
    }

    fn value_type(&self, offset: gimli::UnitOffset) -> Option<ValueType> {
        if offset.0 == 0 {
            return Some(ValueType::Generic);
        }
        ValueType::from_entry(&entry::read(&self.unit, offset)?).ok().flatten()
    }
}

/// The register that an expression names, if it does nothing else.
pub(super) fn only_register(expression: &Expression<DwarfSlice>) -> Option<u16> {
    use gimli::Reader;
    let mut bytes = expression.0;
    let operation = bytes.read_u8().ok()?;
    let register = match gimli::DwOp(operation) {
        dw::DW_OP_regx => u16::try_from(bytes.read_uleb128().ok()?).ok()?,
        gimli::DwOp(0x50..=0x6f) => u16::from(operation - dw::DW_OP_reg0.0),
        _ => return None,
    };
    bytes.is_empty().then_some(register)
}

/// For globals, which have no frame.
pub(super) fn no_entry_values(_: u16) -> Option<u64> {
    None
}
