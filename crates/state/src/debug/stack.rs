//! Frames of a stack and the locals in them.

use super::entry::{Die, DwarfSlice};
use super::image::LoadedImage;
use super::location::EvaluationContext;
use super::unit::is_from_gcc;
use super::variables::Locals;
use super::{LiveVariable, Program, Registers, StackFrame, callsite, unwind};
use crate::{Address, ReadMemory};
use gimli::UnitRef;

impl Program {
    /// Parameters and locals that are alive in a frame, innermost scopes first, including those of inlined calls. Variables
    /// that were optimised away are left out.
    #[must_use]
    pub fn locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.read_locals(frame, memory, false).0
    }

    /// The same with locals whose scope is over or has not begun: they have memory of their own, and no value.
    #[must_use]
    pub fn all_locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.read_locals(frame, memory, true).0
    }

    /// Whether the compiler of a function keeps results inside an expression on the stack.
    #[must_use]
    pub fn keeps_results_on_stack(&self, frame: &StackFrame) -> bool {
        self.home_of(frame).is_some_and(|(_, _, unit)| !is_from_gcc(unit))
    }

    /// The number of locals of a frame that were optimised away.
    #[must_use]
    pub fn lost_locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> usize {
        self.read_locals(frame, memory, false).1
    }

    /// The frames of a stack, innermost first, at most `most`.
    #[must_use]
    pub fn backtrace(&self, registers: &Registers, memory: &dyn ReadMemory, most: usize) -> Vec<StackFrame> {
        let mut frames: Vec<StackFrame> = Vec::new();
        let mut registers = *registers;
        let mut is_innermost = true;
        while frames.len() < most {
            let Some((frame, outer)) = self.frame(registers, is_innermost, memory) else { break };
            // A stack grows downwards, but a signal handler can have a stack of its own.
            let before = frames.last().map_or(Address(0), |frame| frame.cfa);
            let has_progressed = frame.cfa > before || is_innermost;
            let was_same = frames.last().is_some_and(|last| last.cfa == frame.cfa && last.pc == frame.pc);
            if !has_progressed || was_same {
                break;
            }
            frames.push(frame);
            let Some((next, is_signal)) = outer else { break };
            if next.pc().is_null() {
                break;
            }
            (registers, is_innermost) = (next, is_signal);
        }
        frames
    }

    /// One frame, the registers of its caller, and whether there is a signal between the two.
    fn frame(
        &self,
        registers: Registers,
        is_innermost: bool,
        memory: &dyn ReadMemory,
    ) -> Option<(StackFrame, Option<(Registers, bool)>)> {
        let pc = registers.pc();
        let mut frame = StackFrame { function: None, pc, cfa: Address(0), registers, is_innermost };
        frame.function = self.function_at(frame.lookup());
        let image = self.image_at(frame.lookup());
        let row = image.and_then(|image| image.cfi().row((frame.lookup() - image.bias).0));
        if let Some(row) = row
            && let Some(cfa) = unwind::cfa(Some(&row), &registers, memory)
        {
            frame.cfa = cfa;
            let outer = unwind::caller(&row, cfa, &registers, memory);
            return Some((frame, outer.map(|outer| (outer, row.is_signal))));
        }
        let is_astray = is_innermost && image.is_none();
        match unwind::guess(&registers, is_astray, memory) {
            Some((cfa, outer)) => {
                frame.cfa = cfa;
                Some((frame, Some((outer, false))))
            }
            None => {
                frame.cfa = Address(registers.value(Registers::STACK_POINTER)?) + 8;
                Some((frame, None))
            }
        }
    }

    fn read_locals(
        &self,
        frame: &StackFrame,
        memory: &dyn ReadMemory,
        of_all_scopes: bool,
    ) -> (Vec<LiveVariable>, usize) {
        let Some((function, image, unit)) = self.home_of(frame) else { return (Vec::new(), 0) };
        let entry_value = |register| self.entry_value(frame, register, memory, 0);
        let scene = EvaluationContext {
            image,
            unit,
            function: Some(function),
            frame: Some(frame),
            memory,
            entry_value: &entry_value,
        };
        let (images, types) = (&*self.images, &self.types);
        let mut locals = Locals { images, types, scene, function, of_all_scopes, found: Vec::new(), lost: 0 };
        locals.read(frame);
        locals.found.extend(self.returned(frame));
        (locals.found, locals.lost)
    }

    /// The entry of the function of a frame.
    pub(super) fn home_of(&self, frame: &StackFrame) -> Option<(Die, &LoadedImage, UnitRef<'_, DwarfSlice>)> {
        let functions = self.all_functions();
        let function = *functions.dies.get(functions.at(frame.lookup())?.0 as usize)?;
        let image = self.images.get(function.image as usize)?;
        Some((function, image, image.unit(function.unit)?))
    }

    /// The value of a register on entry to the function of a frame, if its caller's debug information describes it.
    fn entry_value(
        &self,
        frame: &StackFrame,
        register: u16,
        memory: &dyn ReadMemory,
        depth: usize,
    ) -> Option<u64> {
        /// At most this number of callers is asked.
        const DEEPEST: usize = 4;
        let (_, outer) = self.frame(frame.registers, frame.is_innermost, memory)?;
        let (registers, false) = outer? else { return None };
        let (caller, _) = self.frame(registers, false, memory)?;
        let (function, image, unit) = self.home_of(&caller)?;
        let expression = callsite::passed(unit, function, (caller.pc - image.bias).0, register)?;
        let entry_value = |register| match depth {
            DEEPEST.. => None,
            _ => self.entry_value(&caller, register, memory, depth + 1),
        };
        let frame = Some(&caller);
        let scene = EvaluationContext {
            image,
            unit,
            function: Some(function),
            frame,
            memory,
            entry_value: &entry_value,
        };
        scene.value(expression, 0)
    }
}
