//! Which values the statements of a run give to local variables.

use crate::Address;
use crate::debug::{Program, ScalarEncoding, StackFrame, Type};
use crate::program_line::ProgramLine;
use crate::run_result::RunResult;
use crate::run_settings::RunSettings;
use crate::snapshot::ReadMemory;
use crate::tracee::{Invocation, Output, TraceError, TraceEvent};
use crate::value_ranges::Assignment;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// A statement is observed at most this many times.
const MOST_HITS: u32 = 16;
/// At most this number of statements is observed. Of later ones it is only noted that they are executed.
const MOST_EVENTS: usize = 4000;

/// A run with what it executes and assigns.
pub(crate) struct ObservedRun {
    pub(crate) covered: BTreeSet<Address>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) result: RunResult,
}

/// A local variable that is a number or a pointer.
struct ObservedLocal {
    name: String,
    /// Where it is, from the address of the frame on.
    offset: u64,
    size: usize,
    is_signed: bool,
    is_pointer: bool,
}

/// A call that is active, or the last one with the same frame.
struct ObservedCall {
    statement: Address,
    values: BTreeMap<String, i64>,
}

impl ObservedCall {
    /// What its last statement has assigned, given the values after it.
    fn assigned(&self, after: &BTreeMap<String, i64>) -> Vec<Assignment> {
        let is_other =
            |(name, value): &(&String, &i64)| self.values.get(*name).is_some_and(|known| known != *value);
        let assignment = |(name, value): (&String, &i64)| Assignment {
            at: self.statement,
            variable: name.clone(),
            value: *value,
        };
        after.iter().filter(is_other).map(assignment).collect()
    }
}

/// Observes runs.
pub(crate) struct RunObserver<'a> {
    settings: &'a RunSettings,
    lines: &'a BTreeMap<Address, ProgramLine>,
    /// The locals of a statement.
    locals: HashMap<Address, Vec<ObservedLocal>>,
}

impl<'a> RunObserver<'a> {
    /// Observes these statements of the program.
    pub(crate) fn new(settings: &'a RunSettings, lines: &'a BTreeMap<Address, ProgramLine>) -> Self {
        Self { settings, lines, locals: HashMap::new() }
    }

    /// Runs the program, and notes the statements that it executes, and which of them give a variable another value.
    /// If the values are not wanted, the run takes less time.
    pub(crate) fn observe(
        &mut self,
        invocation: &Invocation,
        with_values: bool,
        limit: Duration,
    ) -> Result<ObservedRun, TraceError> {
        let begun = Instant::now();
        let output = Output::new()?;
        let mut tracee = self.settings.start(invocation, &output)?;
        tracee.limit(&self.settings.watchdog, limit)?;
        let addresses: Vec<Address> = self.lines.keys().copied().collect();
        tracee.set_breakpoints(&addresses)?;
        let (mut covered, mut assignments) = (BTreeSet::new(), Vec::new());
        let mut calls: HashMap<(Address, &str), ObservedCall> = HashMap::new();
        let mut hits: HashMap<Address, u32> = HashMap::new();
        let mut left = MOST_EVENTS;
        let end = loop {
            let at = match tracee.go(Some(&self.settings.program))? {
                TraceEvent::Breakpoint(at) => at,
                TraceEvent::Ended(end) => break end,
            };
            self.settings.check_time()?;
            covered.insert(at);
            let hit = hits.entry(at).and_modify(|hits| *hits += 1).or_insert(1);
            left = left.saturating_sub(1);
            if *hit >= MOST_HITS || left == 0 || !with_values {
                tracee.clear_breakpoint(at)?;
            }
            if left == 0 || !with_values {
                continue;
            }
            let Some(frame) = tracee.frames(&self.settings.program, 1)?.into_iter().next() else { continue };
            let values = self.values(at, &frame, tracee.process());
            let call = (frame.cfa, self.lines.get(&at).map_or("", |line| line.function.as_str()));
            // What the first statement of a call finds in its variables is left from earlier calls.
            if let Some(before) = calls.get(&call).filter(|_| !self.is_entry(at)) {
                assignments.extend(before.assigned(&values));
            }
            calls.insert(call, ObservedCall { statement: at, values });
        };
        let exit_calls = tracee.exit_calls().to_vec();
        let printed = output.printed()?;
        let result =
            RunResult { end, exit_calls, printed, arrived: true, returned: None, took: begun.elapsed() };
        Ok(ObservedRun { covered, assignments, result })
    }

    /// Whether a call begins with this statement.
    fn is_entry(&self, at: Address) -> bool {
        let program = &self.settings.program;
        let function = program.function_at(at).map(|function| program.function(function));
        function.is_some_and(|function| at <= function.body)
    }

    /// The values of the local variables.
    fn values(&mut self, at: Address, frame: &StackFrame, memory: &dyn ReadMemory) -> BTreeMap<String, i64> {
        let program = &self.settings.program;
        let locals = self.locals.entry(at).or_insert_with(|| find_locals(program, frame, memory));
        let mut values = BTreeMap::new();
        for local in locals {
            let mut bytes = [0; 8];
            if memory.read(frame.cfa + local.offset, &mut bytes[..local.size]) {
                values.insert(local.name.clone(), local.number(bytes));
            }
        }
        values
    }
}

impl ObservedLocal {
    fn number(&self, bytes: [u8; 8]) -> i64 {
        let number = i64::from_le_bytes(bytes);
        let unused = 64 - 8 * self.size as u32;
        match (self.is_pointer, self.is_signed) {
            (true, _) => i64::from(number != 0),
            (false, true) => number << unused >> unused,
            (false, false) => number,
        }
    }
}

/// The local variables of a frame that are on the stack. Without optimisation, all of them are.
fn find_locals(program: &Program, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<ObservedLocal> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for variable in program.locals(frame, memory) {
        let (size, is_signed, is_pointer) = match &*program.ty(variable.ty) {
            Type::Pointer { .. } => (8, false, true),
            Type::Enumeration { size, .. } => (*size, true, false),
            Type::Scalar { size, encoding, .. } => match encoding {
                ScalarEncoding::Signed | ScalarEncoding::Character { signed: true } => (*size, true, false),
                ScalarEncoding::Unsigned | ScalarEncoding::Boolean | ScalarEncoding::Character { .. } => {
                    (*size, false, false)
                }
                ScalarEncoding::Float | ScalarEncoding::Bytes => continue,
            },
            _ => continue,
        };
        // Of variables with the same name, the innermost one comes first.
        let is_new = known.insert(variable.name.clone());
        if is_new && (1..=8).contains(&size) && variable.at.register().is_none() {
            let offset = variable.at - frame.cfa;
            let (name, size) = (variable.name, size as usize);
            found.push(ObservedLocal { name, offset, size, is_signed, is_pointer });
        }
    }
    found
}
