//! Values between the parts of an expression that a compiler keeps on the stack.
//!
//! clang and rustc put the results of the parts of an expression into words of the frame that belong to no variable. They are part of the state while a call in the middle of the expression is active.

use super::compare::{Comparison, FoundDifference};
use super::delta::DeltaKind;
use super::differences::DeltaSpot;
use super::patch::{BaseAddress, BasePatch, Template};
use super::side::{Meant, StateSide};
use crate::Address;
use crate::debug::StackFrame;
use std::collections::HashSet;

/// Longer frames are not searched.
const LONGEST: u64 = 1 << 16;
/// If a frame has more such values, most of them are left over from earlier, and all of them are one delta.
const SINGLE: usize = 4;

/// A part of a frame of both runs that belongs to no variable.
#[derive(Clone, Copy)]
struct FramePart {
    frame: usize,
    base: Address,
    other: Address,
    /// How many bytes: a word, or a half of one.
    size: u64,
}

/// A part that differs, with its two values in words.
struct SpilledValue {
    part: FramePart,
    patch: BasePatch,
    words: [String; 2],
}

impl Comparison<'_, '_> {
    /// Adds what outer frames keep on the stack and what belongs to no variable.
    pub(super) fn add_spilled_values(&mut self) {
        self.pair = self.pairs.all.len();
        let written: HashSet<u64> = self
            .found
            .iter()
            .flat_map(|found| &found.patches)
            .filter_map(|patch| match patch {
                BasePatch::Bytes(BaseAddress::Plain(at), _)
                | BasePatch::Pointer(BaseAddress::Plain(at), _) => Some(*at),
                _ => None,
            })
            .collect();
        let parts = unowned_parts(self.base, self.other);
        for parts in parts.chunk_by(|one, next| one.frame == next.frame) {
            // What gcc leaves on the stack are arguments and results of calls that are over.
            if !self.base.program.keeps_results_on_stack(&self.base.frames[parts[0].frame]) {
                continue;
            }
            let ended = ended(self.base, parts[0].frame);
            let is_new = |part: &&FramePart| {
                let is_ended =
                    ended.iter().any(|(from, to)| part.base < *to && *from < part.base + part.size);
                !is_ended && !(0..part.size).any(|byte| written.contains(&(part.base.0 + byte)))
            };
            let values: Vec<SpilledValue> =
                parts.iter().filter(is_new).filter_map(|part| self.spilled_value(*part)).collect();
            self.add_spilled(values);
        }
    }

    fn spilled_value(&mut self, part: FramePart) -> Option<SpilledValue> {
        let (base, other) = (
            self.base.snapshot.number(part.base, part.size)?,
            self.other.snapshot.number(part.other, part.size)?,
        );
        if base == other {
            return None;
        }
        if part.size < 8 {
            let bytes = other.to_le_bytes()[..part.size as usize].to_vec();
            let patch = BasePatch::Bytes(BaseAddress::Plain(part.base.0), Template::plain(bytes));
            return Some(SpilledValue {
                part,
                patch,
                words: [base, other].map(|half| (half as i32).to_string()),
            });
        }
        let meant = (self.base.meant(base), self.other.meant(other));
        let is_same = match meant {
            (Meant::Inside(here, offset), Meant::Inside(there, at)) => {
                offset == at && self.pairs.of_base[here.0 as usize] == Some(there)
            }
            // What one of the runs has left there is not an object any more, so nothing uses it.
            _ => meant.0 == Meant::Lost || meant.1 == Meant::Lost,
        };
        let to = self.carrier.address(other).filter(|_| !is_same)?;
        let patch = BasePatch::Pointer(BaseAddress::Plain(part.base.0), to);
        let words = [(meant.0, base), (meant.1, other)].map(|(meant, word)| match meant {
            Meant::Plain(number) => (number as i64).to_string(),
            Meant::Inside(..) | Meant::Lost => Address(word).to_string(),
        });
        Some(SpilledValue { part, patch, words })
    }

    fn add_spilled(&mut self, values: Vec<SpilledValue>) {
        let Some(frame) = values.first().map(|value| value.part.frame) else { return };
        let Some(function) = self.base.frames[frame].function else { return };
        let function = self.base.program.function_name(function);
        let end = self.base.frames[frame].cfa;
        let is_single = values.len() <= SINGLE;
        let mut add = |patches: Vec<BasePatch>, name: String, [base, other]: [String; 2], place: u64| {
            self.found.push(FoundDifference {
                vertices: None,
                spot: Some(DeltaSpot::Frame(frame, place)),
                kind: DeltaKind::Changed,
                pair: self.pair,
                patches,
                words: Some([name, base, other]),
                bonds: Vec::new(),
                lone: (None, None),
            });
        };
        if is_single {
            for SpilledValue { part, patch, words } in values {
                add(vec![patch], format!("intermediate value of {function}"), words, end - part.base);
            }
            return;
        }
        let words = values[0].words.clone();
        let name = format!("{} intermediate values of {function}", values.len());
        add(values.into_iter().map(|value| value.patch).collect(), name, words, 0);
    }
}

/// The parts of outer frames that differ and belong to no variable that is alive: not the return addresses, and not the registers that are saved there.
fn unowned_parts(base: &StateSide<'_>, other: &StateSide<'_>) -> Vec<FramePart> {
    let is_owned = |at: Address, size: u64| {
        let object = base.graph.object_at(at + (size - 1)).map(|object| base.object(object));
        object.is_some_and(|object| object.at + object.size > at)
    };
    let saved: HashSet<Address> = base
        .frames
        .iter()
        .flat_map(|frame| frame.registers.0.iter().flatten().map(|register| register.at))
        .collect();
    let mut parts = Vec::new();
    for frame in 1..base.frames.len().min(other.frames.len()) {
        let Some((low, low_there, length)) = alike(base.frames, other.frames, frame) else { continue };
        for offset in (low.0.wrapping_neg() % 8..length).step_by(8) {
            let (at, there) = (low + offset, low_there + offset);
            if saved.contains(&at) {
                continue;
            }
            let halves = [(at, there), (at + 4, there + 4)];
            let free = halves.map(|(at, _)| !is_owned(at, 4));
            let word = |at: Address, side: &StateSide<'_>| side.snapshot.number(at, 8).map(Address);
            let is_address =
                |side: &StateSide<'_>, at| word(at, side).is_some_and(|word| side.is_dynamic(word));
            if free == [true, true] && (is_address(base, at) || is_address(other, there)) {
                if word(at, base) == word(there, other) {
                    continue;
                }
                parts.push(FramePart { frame, base: at, other: there, size: 8 });
                continue;
            }
            let has_changed = |(at, there)| base.snapshot.number(at, 4) != other.snapshot.number(there, 4);
            let halves =
                halves.into_iter().zip(free).filter(|(half, is_free)| *is_free && has_changed(*half));
            parts.extend(halves.map(|((base, other), _)| FramePart { frame, base, other, size: 4 }));
        }
    }
    parts
}

/// Where the variables of a frame are, also those whose scope is over: what they have left there is not in use.
fn ended(side: &StateSide<'_>, frame: usize) -> Vec<(Address, Address)> {
    let locals = side.program.all_locals(&side.frames[frame], side.snapshot);
    locals.into_iter().map(|local| (local.at, local.at + side.program.size(local.ty).max(1))).collect()
}

/// Where a frame begins in both runs, and its length without the return address, if both runs are at the same instruction of it.
fn alike(base: &[StackFrame], other: &[StackFrame], frame: usize) -> Option<(Address, Address, u64)> {
    let (here, there) = (&base[frame], &other[frame]);
    let (low, low_there) = (base[frame - 1].cfa, other[frame - 1].cfa);
    let length = here.cfa.0.checked_sub(low.0)?.checked_sub(8)?;
    let is_same = here.function.is_some()
        && (here.function, here.pc) == (there.function, there.pc)
        && there.cfa.0.checked_sub(low_there.0)?.checked_sub(8)? == length;
    (is_same && length <= LONGEST).then_some((low, low_there, length))
}
