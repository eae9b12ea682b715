//! Copies of variables that the debug information does not mention.
//!
//! Compilers keep a value in several places: in a register and in memory, or, as rustc does without optimisation, in one
//! place for the program and in another for the debugger. If a variable differs between the two runs, and a word of its
//! frame that belongs to no variable has the same two values, then that word is a copy, and changes with the variable.

use super::compare::{Comparison, FoundDifference};
use super::patch::{BaseAddress, BasePatch, Template};
use super::side::StateSide;
use crate::debug::Registers;
use crate::graph::{ObjectKind, Shape};
use crate::{Address, debug};

/// Longer frames are not searched.
const LONGEST: u64 = 1 << 16;
/// A variable has at most this number of copies.
const COPIES: usize = 8;

/// A word that belongs to no variable and differs.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    at: Address,
    frame: u32,
    base: u64,
    other: u64,
}

/// The values of a variable in both runs.
#[derive(Clone, Copy)]
struct Values {
    size: usize,
    base: u64,
    other: u64,
    frame: u32,
}

impl Comparison<'_, '_> {
    /// Lets copies change with their variables.
    pub(super) fn let_copies_follow(&mut self) {
        let hidden = hidden(self.base, self.other);
        if hidden.is_empty() {
            return;
        }
        for index in 0..self.found.len() {
            let Some(values) = self.values(&self.found[index]) else { continue };
            let patch = self.found[index].patches[0].clone();
            let mut copies: Vec<BasePatch> =
                hidden.iter().filter_map(|hidden| values.copy(hidden, &patch)).collect();
            if copies.len() <= COPIES {
                self.found[index].patches.append(&mut copies);
            }
        }
    }

    /// The values of a number or a pointer of a local variable.
    fn values(&self, found: &FoundDifference) -> Option<Values> {
        let (base, other) = found.vertices?;
        let (here, there) = (self.base.vertex(base), self.other.vertex(other));
        let ObjectKind::Local { frame, .. } = self.base.object(here.object).kind else { return None };
        let size = match here.shape {
            Shape::Pointer => 8,
            Shape::Scalar(size) if size <= 8 => size.into(),
            _ => return None,
        };
        let (base, other) =
            (self.base.snapshot.number(here.at, size)?, self.other.snapshot.number(there.at, size)?);
        (base != other).then_some(Values { size: size as usize, base, other, frame })
    }
}

impl Values {
    /// The patch that changes a hidden word like the variable, if the word is a copy of it.
    fn copy(&self, hidden: &Hidden, patch: &BasePatch) -> Option<BasePatch> {
        let is_register = hidden.at.register().is_some();
        // Inner calls save registers of outer calls. Values shorter than a word are too often equal by chance.
        let is_near = hidden.frame == self.frame || (self.size == 8 && hidden.frame < self.frame);
        if !is_near || (is_register && self.frame != 0) {
            return None;
        }
        let parts = if is_register { 1 } else { 8 / self.size.max(4) };
        let part = (0..parts).find(|part| self.is_at(hidden, part * self.size))?;
        let at = BaseAddress::Plain((hidden.at + (part * self.size) as u64).0);
        match patch {
            BasePatch::Pointer(_, to) if self.size == 8 => Some(BasePatch::Pointer(at, *to)),
            // A register is always written as a whole.
            _ if is_register => {
                Some(BasePatch::Bytes(at, Template::plain(hidden.other.to_le_bytes().to_vec())))
            }
            _ => {
                let bytes = hidden.other.to_le_bytes()[part * self.size..][..self.size].to_vec();
                Some(BasePatch::Bytes(at, Template::plain(bytes)))
            }
        }
    }

    /// Whether a word has both values from this byte on. A value shorter than four bytes must be the only difference.
    fn is_at(&self, hidden: &Hidden, byte: usize) -> bool {
        let mask = if self.size == 8 { u64::MAX } else { (1 << (8 * self.size)) - 1 };
        let (base, other) = (hidden.base >> (8 * byte), hidden.other >> (8 * byte));
        let is_all = self.size >= 4 || hidden.base & !mask == hidden.other & !mask;
        base & mask == self.base && other & mask == self.other && is_all
    }
}

/// The words of all frames, and the registers, that differ and belong to no variable.
fn hidden(base: &StateSide<'_>, other: &StateSide<'_>) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    let is_owned = |at: Address| {
        let object = base.graph.object_at(at + 7).map(|object| base.object(object));
        object.is_some_and(|object| object.at + object.size > at)
    };
    let (mut low, mut low_there) = (base.snapshot.stack_pointer(), other.snapshot.stack_pointer());
    for (frame, (here, there)) in (0..).zip(base.frames.iter().zip(other.frames)) {
        let length = here.cfa - low;
        if here.function == there.function && length == there.cfa - low_there && length <= LONGEST {
            let from = low.0.wrapping_neg() % 8;
            for offset in (from..length).step_by(8) {
                let at = low + offset;
                let words = base.snapshot.number(at, 8).zip(other.snapshot.number(low_there + offset, 8));
                let Some((base, other)) = words.filter(|(base, other)| base != other) else { continue };
                if !is_owned(at) {
                    hidden.push(Hidden { at, frame, base, other });
                }
            }
        }
        (low, low_there) = (here.cfa, there.cfa);
    }
    if let (Some(here), Some(there)) = (base.frames.first(), other.frames.first()) {
        hidden.extend(registers(here, there).filter(|hidden| !is_owned(hidden.at)));
    }
    hidden
}

fn registers<'f>(
    here: &'f debug::StackFrame,
    there: &'f debug::StackFrame,
) -> impl Iterator<Item = Hidden> + use<'f> {
    let general = (0..16).filter(|number| *number != Registers::STACK_POINTER);
    general.filter_map(move |number| {
        let (base, other) = here.registers.value(number).zip(there.registers.value(number))?;
        let at = Address::of_register(number as u16);
        (base != other).then_some(Hidden { at, frame: 0, base, other })
    })
}
