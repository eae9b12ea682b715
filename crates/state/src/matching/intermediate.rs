//! Values between the parts of an expression, which no variable holds.
//!
//! While a call in the middle of a line is active (`price(a) + price(b)`), compilers keep the results of the parts before it in registers that calls
//! preserve. They are part of the state: without them, the failure cannot be transferred there.

use super::compare::{Comparison, FoundDifference};
use super::delta::DeltaKind;
use super::differences::DeltaSpot;
use super::patch::{BaseAddress, BasePatch};
use super::side::Meant;
use crate::Address;
use crate::debug::{Register, StackFrame};

/// The registers that a function must preserve, by their numbers in DWARF: rbx and r12 to r15. The frame pointer holds no value.
const PRESERVED: [usize; 5] = [3, 12, 13, 14, 15];

/// A register of an outer frame.
struct OuterRegister {
    frame: usize,
    number: usize,
    base: Register,
    other: Register,
}

impl Comparison<'_, '_> {
    /// Adds what outer frames keep in registers and what belongs to no variable.
    pub(super) fn add_intermediate_values(&mut self) {
        self.pair = self.pairs.all.len();
        for register in outer_registers(self.base.frames, self.other.frames) {
            let is_owned = self.base.graph.object_at(register.base.at).is_some();
            if !is_owned && !self.is_written(register.base.at) {
                self.add_register(&register);
            }
        }
    }

    /// Whether a variable that differs has a copy there.
    fn is_written(&self, at: Address) -> bool {
        let place = BaseAddress::Plain(at.0);
        let mut patches = self.found.iter().flat_map(|found| &found.patches);
        patches
            .any(|patch| matches!(patch, BasePatch::Bytes(to, _) | BasePatch::Pointer(to, _) if *to == place))
    }

    fn add_register(&mut self, register: &OuterRegister) {
        let (here, there) = (self.base.meant(register.base.value), self.other.meant(register.other.value));
        let is_same = match (here, there) {
            (Meant::Plain(here), Meant::Plain(there)) => here == there,
            (Meant::Inside(here, offset), Meant::Inside(there, at)) => {
                offset == at && self.pairs.of_base[here.0 as usize] == Some(there)
            }
            // What one of the runs has left there is not an object any more, so nothing uses it.
            _ => here == Meant::Lost || there == Meant::Lost,
        };
        let Some(to) = self.carrier.address(register.other.value).filter(|_| !is_same) else { return };
        let function = self.base.frames[register.frame].function;
        let Some(function) = function.map(|function| self.base.program.function_name(function)) else {
            return;
        };
        self.found.push(FoundDifference {
            vertices: None,
            spot: Some(DeltaSpot::Register(register.frame, register.number)),
            kind: DeltaKind::Changed,
            pair: self.pair,
            patches: vec![BasePatch::Pointer(BaseAddress::Plain(register.base.at.0), to)],
            words: Some([
                format!("intermediate value of {function}"),
                in_words(here, register.base),
                in_words(there, register.other),
            ]),
            bonds: Vec::new(),
            lone: (None, None),
        });
    }
}

fn in_words(meant: Meant, register: Register) -> String {
    match meant {
        // Most intermediate values are of type `int`, and the upper half of the register is zero.
        Meant::Plain(number) if number <= u32::MAX.into() => (number as i32).to_string(),
        Meant::Plain(number) => (number as i64).to_string(),
        Meant::Inside(..) | Meant::Lost => Address(register.value).to_string(),
    }
}

/// The registers that functions of outer frames keep values in, each with the frame that does.
fn outer_registers<'f>(
    base: &'f [StackFrame],
    other: &'f [StackFrame],
) -> impl Iterator<Item = OuterRegister> + use<'f> {
    let register =
        |frames: &[StackFrame], frame: usize, number: usize| frames.get(frame)?.registers.0[number];
    PRESERVED.into_iter().flat_map(move |number| {
        (1..base.len().min(other.len())).filter_map(move |frame| {
            let (here, there) = (register(base, frame, number)?, register(other, frame, number)?);
            // A function that uses the register saves what its caller has in it. So of all frames that find it in the same place, the
            // outermost one uses it.
            let is_used = register(base, frame + 1, number).is_none_or(|outer| outer.at != here.at);
            let is_alike = base[frame].function == other[frame].function && here.value != there.value;
            (is_used && is_alike).then_some(OuterRegister { frame, number, base: here, other: there })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{FunctionId, Registers};

    /// Frames with a value of rbx each, and where it is: in the register itself, or saved at an address.
    fn frames(registers: &[(u64, Address)]) -> Vec<StackFrame> {
        let frame = |(number, (value, at)): (usize, &(u64, Address))| {
            let mut registers = Registers::default();
            registers.0[PRESERVED[0]] = Some(Register { value: *value, at: *at });
            let function = Some(FunctionId(number as u32));
            StackFrame { function, pc: Address(0), cfa: Address(0), registers, is_innermost: number == 0 }
        };
        registers.iter().enumerate().map(frame).collect()
    }

    #[test]
    fn a_register_belongs_to_the_outermost_frame_that_finds_it_in_the_same_place() {
        let (rbx, saved) = (Address::of_register(3), Address(0x7000));
        let base = frames(&[(4, rbx), (4, rbx), (4, rbx), (9, saved)]);
        let other = frames(&[(30, rbx), (30, rbx), (30, rbx), (9, saved)]);
        let found: Vec<(usize, u64)> =
            outer_registers(&base, &other).map(|found| (found.frame, found.other.value)).collect();
        assert_eq!(found, [(2, 30)]);
        assert_eq!(outer_registers(&base, &base).count(), 0);
    }
}
