//! Where functions return, and the value that a function is about to return: it is in a register, and no variable of the source has it.

use super::entry;
use super::{FunctionId, LiveVariable, Program, StackFrame, Type};
use crate::Address;
use gimli::constants as dw;

/// How the value is called.
pub(crate) const RETURN_VALUE: &str = "return value";
/// The register of integers and pointers.
const RAX: u16 = 0;
/// No epilogue is longer.
const LONGEST: usize = 24;

impl Program {
    /// The statements of a function at which only its epilogue is left.
    #[must_use]
    pub fn returns(&self, function: FunctionId) -> Vec<Address> {
        let functions = self.all_functions();
        let image =
            functions.dies.get(function.0 as usize).and_then(|die| self.images.get(die.image as usize));
        let Some(image) = image else { return Vec::new() };
        let code = |at: Address| image.elf.loaded_bytes((at - image.bias).0, LONGEST);
        let statements = self.statements(function).into_iter().map(|(at, _)| at);
        statements.filter(|at| code(*at).is_some_and(is_epilogue)).collect()
    }

    /// The value that the innermost function is about to return: only its epilogue is left, and the value is an integer or a pointer.
    pub(super) fn returned(&self, frame: &StackFrame) -> Option<LiveVariable> {
        let (function, image, unit) = self.home_of(frame).filter(|_| frame.is_innermost)?;
        let code = image.elf.loaded_bytes((frame.pc - image.bias).0, LONGEST)?;
        if !is_epilogue(code) {
            return None;
        }
        let entry = entry::read(&unit, function.at())?;
        // A function that is declared elsewhere has its type there.
        let ty = match entry.has_attr(dw::DW_AT_type) {
            true => self.types.type_of(&self.images, function, &entry),
            false => {
                let declared = image.refers_to(function, entry.attr_value(dw::DW_AT_specification)?)?;
                let entry =
                    entry::read(&unit, declared.at()).filter(|entry| entry.has_attr(dw::DW_AT_type))?;
                self.types.type_of(&self.images, declared, &entry)
            }
        };
        let is_in_register = match &*self.ty(ty) {
            Type::Scalar { size, encoding, .. } => {
                *size <= 8 && !matches!(encoding, super::ScalarEncoding::Float | super::ScalarEncoding::Bytes)
            }
            Type::Enumeration { .. } | Type::Pointer { .. } => true,
            _ => false,
        };
        is_in_register.then(|| LiveVariable {
            name: RETURN_VALUE.to_owned(),
            ty,
            at: Address::of_register(RAX),
            file: String::new(),
            function: None,
        })
    }
}

/// Whether only saved registers are restored and the function returns: `leave`, `pop`, `add rsp` and `mov register, [rbp - n]`, then
/// `ret`.
fn is_epilogue(code: &[u8]) -> bool {
    let mut rest = code;
    loop {
        rest = match rest {
            [0xc3, ..] | [0xf3, 0xc3, ..] => return true,
            [0xc9, rest @ ..] => rest,
            // rbx, rbp, and r12 to r15; `pop rax` would lose the value.
            [0x5b | 0x5d, rest @ ..] | [0x41, 0x5c..=0x5f, rest @ ..] => rest,
            [0x48, 0x83, 0xc4, _, rest @ ..] | [0x48, 0x81, 0xc4, _, _, _, _, rest @ ..] => rest,
            [0x48, 0x8d, 0x65, _, rest @ ..] => rest,
            [0x48, 0x8b, 0x5d, _, rest @ ..] => rest,
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::is_epilogue;

    #[test]
    fn an_epilogue_restores_registers_and_returns() {
        for code in [
            &[0xc9, 0xc3][..],
            &[0x5d, 0xc3],
            &[0x48, 0x8b, 0x5d, 0xf8, 0xc9, 0xc3],
            &[0x48, 0x83, 0xc4, 0x18, 0x5b, 0x5d, 0xc3],
            &[0x48, 0x81, 0xc4, 0, 1, 0, 0, 0xc3],
        ] {
            assert!(is_epilogue(code), "{code:x?}");
        }
        // mov eax, [rbp - 4]: the value is not in its register yet.
        for code in [&[0x8b, 0x45, 0xfc, 0xc9, 0xc3][..], &[0x58, 0xc3], &[0xc9], &[]] {
            assert!(!is_epilogue(code), "{code:x?}");
        }
    }
}
