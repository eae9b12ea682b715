//! Runs that go on for a part of the program only: one call of a function, or one round of a loop.

use super::{RunEnd, TraceError, TraceEvent, Tracee};
use crate::Address;
use crate::debug::{Program, StackFrame};
use std::collections::BTreeSet;

/// The lines of a round are followed up to this number of statements. From then on it is only awaited that the round ends.
const MOST_STATEMENTS: u32 = 20_000;

impl Tracee {
    /// Runs until the current function returns, or to the end.
    pub fn go_until_return(&mut self, program: &Program) -> Result<RunEnd, TraceError> {
        let frames = self.frames(program, 2)?;
        let [inner, outer] = frames.as_slice() else { return self.go_to_end(program) };
        let (after, cfa) = (outer.pc, inner.cfa);
        self.set_breakpoints(&[after])?;
        loop {
            match self.go(Some(program))? {
                // Deeper calls from the same line also reach this address.
                TraceEvent::Breakpoint(_) if self.stack_pointer()? < cfa => {}
                TraceEvent::Breakpoint(_) => return Ok(RunEnd::Returned),
                TraceEvent::Ended(end) => return Ok(end),
            }
        }
    }

    /// Runs until the current call reaches this statement again: until the next round of a loop. Ends before if the function returns.
    pub fn go_round(&mut self, program: &Program) -> Result<RunEnd, TraceError> {
        let frames = self.frames(program, 2)?;
        let [StackFrame { pc: start, cfa, function: Some(function), .. }, outer] = frames.as_slice() else {
            return self.go_to_end(program);
        };
        let statements = program.statements(*function);
        let addresses: Vec<Address> = statements.iter().map(|(at, _)| *at).collect();
        // The round begins with this statement, so its first breakpoint is not the next round.
        if self.step()?.is_none() {
            return Ok(self.end());
        }
        self.set_breakpoints(&addresses)?;
        self.set_breakpoints(&[*start, outer.pc])?;
        let mut lines = BTreeSet::new();
        let mut followed = 0;
        loop {
            let at = match self.go(Some(program))? {
                TraceEvent::Breakpoint(at) => at,
                TraceEvent::Ended(end) => return Ok(end),
            };
            if at == outer.pc && self.stack_pointer()? >= *cfa {
                return Ok(RunEnd::Returned);
            }
            if self.frames(program, 1)?.first().is_none_or(|frame| frame.cfa != *cfa) {
                continue;
            }
            if at == *start {
                return Ok(RunEnd::Round(lines.into_iter().collect()));
            }
            let found = statements.binary_search_by_key(&at, |(statement, _)| *statement);
            lines.extend(found.map(|index| statements[index].1.line));
            followed += 1;
            if followed == MOST_STATEMENTS {
                self.clear_breakpoints()?;
                self.set_breakpoints(&[*start, outer.pc])?;
            }
        }
    }
}
