//! A script for gdb that repeats a test: it stops the run at the same moment, allocates the same blocks and writes the same
//! bytes.
//!
//! gdb runs a program without address randomisation, as howcome does, so addresses are the same. Only the stack can be
//! elsewhere, because gdb changes the environment: its addresses are written relative to the stack pointer. Blocks that only
//! the other run has are allocated by the program's own `malloc`, and their addresses are variables of gdb.

use crate::graph::{OpenFile, ProgramState};
use crate::matching::{Alterations, Differences};
use crate::tracee::Invocation;
use crate::{Address, RegionKind, StopPoint};
use howcome_dd::Configuration;
use howcome_run::words::{printable, shell_word};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// No program uses these addresses. They stand for blocks that gdb allocates.
const FIRST_BLOCK: u64 = 0x4d4d_0000_0000_0000;
/// The distance between two of them.
const BLOCK_ROOM: u64 = 1 << 32;

/// At most this number of words is checked before something is written.
const MOST_CHECKED: usize = 4;
/// What gdb prints if one of them is something else.
const ELSEWHERE: &str = "The heap is not where it was for howcome, so this is another test.";
/// The environment variables that gdb and shells set.
const ADDED: [&str; 6] = ["LINES", "COLUMNS", "_", "SHLVL", "PWD", "OLDPWD"];

/// The names of registers by their numbers in DWARF.
const REGISTERS: [&str; 16] = [
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
];

/// What gdb does to a stopped run.
#[derive(Clone, Debug)]
pub(super) struct GdbScript {
    lines: Vec<String>,
}

/// Where functions of the C library are in the program.
pub(super) type FindFunction<'a> = &'a dyn Fn(&str) -> Option<Address>;

impl GdbScript {
    /// What a test did to a stopped base run.
    pub(super) fn of(
        differences: &Differences,
        configuration: &Configuration,
        base: &ProgramState,
        function: FindFunction<'_>,
    ) -> Self {
        let blocks = differences.allocations.len() as u64;
        let allocated: Vec<Address> =
            (0..blocks).map(|block| Address(FIRST_BLOCK + block * BLOCK_ROOM)).collect();
        let alterations = differences.alterations(configuration, &allocated);
        let mut script = Self { lines: Vec::new() };
        if let Some(flush) = function("fflush") {
            script.lines.push(format!("call ((int (*)(void *)) {flush})(0)"));
        }
        let stack = StackRange::of(base);
        for delta in configuration.iter().filter_map(|delta| differences.deltas.get(delta.index())) {
            let line = format!("# {} = {} (instead of {})", delta.variable, delta.other, delta.base);
            script.lines.push(printable(&line).replace('\n', " "));
        }
        script.check(&alterations, base, &stack);
        script.allocate(&alterations, &differences.allocations, function("malloc"));
        for (at, bytes) in &alterations.writes {
            script.write(*at, bytes, &stack);
        }
        for file in &alterations.files {
            script.reopen(file, function);
        }
        script
    }

    /// Lets gdb say if the heap of its run is not where it was: then it would write somewhere else.
    fn check(&mut self, alterations: &Alterations, base: &ProgramState, stack: &StackRange) {
        let word = |at: &Address| {
            let at = Address(at.0 & !7);
            let is_heap = base.snapshot.region(at).is_some_and(|region| region.kind == RegionKind::Heap);
            let value = base.snapshot.number(at, 8).filter(|_| is_heap)?;
            (!(stack.from..stack.to).contains(&value)).then_some((at, value))
        };
        let words = alterations.writes.iter().filter_map(|(at, _)| word(at));
        for (at, value) in words.take(MOST_CHECKED) {
            self.lines.push(format!("if {{unsigned long}}({at}) != {value:#x}"));
            self.lines.push(format!("echo {ELSEWHERE}\\n"));
            self.lines.push("end".to_owned());
        }
    }

    /// Allocates the blocks that something is written to.
    fn allocate(&mut self, alterations: &Alterations, sizes: &[u64], malloc: Option<Address>) {
        let is_used = |number: &usize| {
            let is_there = |at: u64| block_at(at).is_some_and(|(block, _)| block == *number as u64);
            alterations.writes.iter().any(|(at, bytes)| {
                is_there(at.0) || bytes.chunks_exact(8).any(|word| is_there(number_of(word)))
            })
        };
        let Some(malloc) = malloc else { return };
        for number in (0..sizes.len()).filter(is_used) {
            let size = sizes[number].max(1);
            self.lines.push(format!(
                "set $m{number} = (unsigned long) ((void *(*)(unsigned long)) {malloc})({size})"
            ));
        }
    }

    fn write(&mut self, at: Address, bytes: &[u8], stack: &StackRange) {
        if let Some(register) = at.register() {
            let name = REGISTERS.get(usize::from(register)).copied().unwrap_or("rax");
            let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
            self.lines.push(format!("set ${name} = {}", stack.expression(value)));
            return;
        }
        let mut done = 0;
        while done < bytes.len() {
            let here = at + done as u64;
            let left = &bytes[done..];
            let (length, unit) = match left.len() {
                8.. if here.0.is_multiple_of(8) => (8, "unsigned long"),
                4.. if here.0.is_multiple_of(4) => (4, "unsigned int"),
                _ => (1, "unsigned char"),
            };
            let value = number_of(&left[..length]);
            let value = if length == 8 { stack.expression(value) } else { value.to_string() };
            self.lines.push(format!("set {{{unit}}}({}) = {value}", stack.expression(here.0)));
            done += length;
        }
    }

    /// Lets a descriptor read another file, or at another position.
    fn reopen(&mut self, file: &OpenFile, function: FindFunction<'_>) {
        let (Some(open), Some(dup2), Some(lseek)) = (function("open"), function("dup2"), function("lseek"))
        else {
            return;
        };
        let OpenFile { descriptor, path, position } = file;
        let path = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        self.lines.extend([
            format!("set $file = ((int (*)(char *, int)) {open})(\"{path}\", 0)"),
            format!("call ((int (*)(int, int)) {dup2})($file, {descriptor})"),
            format!("call ((long (*)(int, long, int)) {lseek})({descriptor}, {position}, 0)"),
        ]);
    }

    /// The whole script: starts the run, stops it, alters it, and lets it go on. These environment variables are set by the command of the run.
    pub(super) fn text(&self, run: &Invocation, set: &BTreeMap<String, String>, stop: StopPoint) -> String {
        let words: Vec<String> =
            run.arguments.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        let input =
            run.standard_input.as_ref().map(|file| format!(" < {}", shell_word(&file.to_string_lossy())));
        let mut text = format!(
            "# What howcome tried: the run is stopped at the same moment, and gets the same values.\n\
             set pagination off\nset confirm off\nset language c\nset disable-randomization on\n\
             set exec-wrapper {}\ncd {}\nset args {}{}\nstarti\n",
            wrapper(run, set),
            run.directory.display(),
            words.join(" "),
            input.unwrap_or_default(),
        );
        let moments = stop.first.into_iter().chain(stop.after).chain([(stop.at, stop.hit)]);
        for (number, (at, hit)) in moments.enumerate() {
            let breakpoint = number + 1;
            let _ = write!(text, "break *{at}\nignore {breakpoint} {}\n", hit - 1);
            let _ = write!(text, "continue\ndelete {breakpoint}\n");
        }
        for line in &self.lines {
            text += line;
            text.push('\n');
        }
        text + "continue\n"
    }
}

/// The command that starts the run with its environment. gdb and the shell that it uses add variables; a program that copies its
/// environment would have its blocks elsewhere.
fn wrapper(run: &Invocation, set: &BTreeMap<String, String>) -> String {
    let is_added = |name: &&&str| run.environment.iter().all(|(known, _)| known != *name);
    let removed = ADDED.iter().filter(is_added).map(|name| format!(" -u {name}"));
    let set = set.iter().map(|(name, value)| format!(" {}", shell_word(&format!("{name}={value}"))));
    format!("env{}", removed.chain(set).collect::<String>())
}

/// The stack of the base run.
struct StackRange {
    pointer: u64,
    from: u64,
    to: u64,
}

impl StackRange {
    fn of(state: &ProgramState) -> Self {
        let regions = state.snapshot.regions();
        let stack = regions.iter().find(|region| region.kind == RegionKind::Stack);
        let (from, to) = stack.map_or((0, 0), |region| (region.start.0, region.end().0));
        Self { pointer: state.snapshot.stack_pointer().0, from, to }
    }

    /// A number as gdb can compute it: an address in a block or on the stack, or the number itself.
    fn expression(&self, value: u64) -> String {
        match block_at(value) {
            Some((block, 0)) => format!("$m{block}"),
            Some((block, offset)) => format!("$m{block} + {offset}"),
            None if (self.from..self.to).contains(&value) && value < self.pointer => {
                format!("(unsigned long) $rsp - {}", self.pointer - value)
            }
            None if (self.from..self.to).contains(&value) => {
                format!("(unsigned long) $rsp + {}", value - self.pointer)
            }
            None => format!("{value:#x}"),
        }
    }
}

/// The block that an address stands for, and the offset in it.
fn block_at(value: u64) -> Option<(u64, u64)> {
    let offset = value.checked_sub(FIRST_BLOCK).filter(|offset| *offset < BLOCK_ROOM << 16)?;
    Some((offset / BLOCK_ROOM, offset % BLOCK_ROOM))
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
