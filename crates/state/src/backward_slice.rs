//! The slice back from the failure (Weiser 1984; of one run: Agrawal and Horgan 1990): the lines on which the failure depends, because they
//! write what a later line of the slice reads, or decide whether it is executed.
//!
//! It is found in the statements that the failing run executes, from the failure back to the start, by the names in their source text.
//! Locals of different calls are told apart; members of records with the same name are not. So the slice can have lines too many, and a
//! line that writes through another pointer can be missing.

use crate::Address;
use crate::program_line::ProgramLine;
use crate::source_text::read_source;
use crate::statement_names::{SourceName, StatementNames};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// What a call returns is known to be needed only when the line of the call has been reached. So the run is gone through several times.
const MOST_ROUNDS: usize = 8;
/// At most this number of calls around a statement is looked at for what it can write through a pointer.
const MOST_CALLERS: usize = 6;
/// At most this number of statements inside of a branch is looked at.
const MOST_INSIDE: usize = 200;
/// A statement has at most this number of lines.
const MOST_LINES: u32 = 12;

/// The lines on which the failure depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BackwardSlice {
    lines: BTreeSet<ProgramLine>,
}

impl BackwardSlice {
    /// A slice of these lines.
    #[cfg(test)]
    pub(crate) fn of(lines: impl Iterator<Item = ProgramLine>) -> Self {
        Self { lines: lines.collect() }
    }

    /// Whether the slice has a line that is the same as this one by some measure.
    pub(crate) fn has(&self, is_near: impl Fn(&ProgramLine) -> bool) -> bool {
        self.lines.iter().any(is_near)
    }

    /// Whether a line is in the slice.
    pub(crate) fn contains(&self, line: &ProgramLine) -> bool {
        self.lines.contains(line)
    }
}

/// A statement that the failing run executes, and the depth of the stack there.
pub(crate) type ExecutedStatement = (Address, u64);

/// What is known about the source.
pub(crate) struct SlicedSource<'a> {
    /// The statements.
    pub(crate) lines: &'a BTreeMap<Address, ProgramLine>,
    /// The names of the variables that are not local.
    pub(crate) globals: &'a HashSet<String>,
    /// Whether a function is part of the program.
    pub(crate) is_own: &'a dyn Fn(&str) -> bool,
    /// Where the program runs.
    pub(crate) folder: &'a Path,
}

impl SlicedSource<'_> {
    /// The names of each line. A line without source has none.
    fn names(&self) -> HashMap<&ProgramLine, StatementNames> {
        let mut files: BTreeMap<&Path, BTreeMap<u32, &ProgramLine>> = BTreeMap::new();
        for line in self.lines.values() {
            files.entry(&line.file).or_default().insert(line.line, line);
        }
        let mut names = HashMap::new();
        for (file, lines) in files {
            let Some(text) = read_source(file, self.folder) else { continue };
            let text: Vec<&str> = text.lines().collect();
            let mut next = u32::MAX;
            let mut statements: HashMap<u32, StatementNames> = HashMap::new();
            for number in lines.keys().rev() {
                // A statement goes on up to the next line with code.
                let end = next.min(number + MOST_LINES).min(text.len() as u32 + 1);
                let first = number.saturating_sub(1) as usize;
                let statement =
                    text.get(first..(end as usize).saturating_sub(1)).unwrap_or_default().join("\n");
                statements.insert(*number, StatementNames::of(&statement, self.is_own));
                next = *number;
            }
            add_bodies(&mut statements);
            let of_file = self.lines.values().filter(|line| line.file == file);
            names.extend(of_file.filter_map(|line| Some((line, statements.get(&line.line)?.clone()))));
        }
        names
    }
}

/// Adds to branches what the statements inside of them write, and whether these leave: if a branch is not taken, that matters as well
/// (relevant slices; Gyimóthy, Beszédes and Forgács 1999).
fn add_bodies(statements: &mut HashMap<u32, StatementNames>) {
    let mut numbers: Vec<u32> = statements.keys().copied().collect();
    numbers.sort_unstable();
    for (at, number) in numbers.iter().enumerate() {
        let branch = &statements[number];
        if !branch.is_branch {
            continue;
        }
        let inside = numbers[at + 1..].iter().map(|number| &statements[number]);
        let inside = inside.take_while(|statement| statement.indent > branch.indent).take(MOST_INSIDE);
        let (mut writes, mut leaves) = (HashSet::new(), branch.is_jump);
        for statement in inside {
            writes.extend(statement.writes.iter().cloned());
            leaves |= statement.is_return || statement.is_jump;
        }
        if let Some(branch) = statements.get_mut(number) {
            (branch.inside, branch.leaves) = (writes, leaves);
        }
    }
}

/// A statement of the run with the call that it belongs to.
struct SlicedEvent<'a> {
    line: &'a ProgramLine,
    names: &'a StatementNames,
    /// The number of the call.
    call: usize,
    /// The statement that called, if it is known.
    caller: Option<usize>,
    is_first_of_call: bool,
}

/// A name that the slice needs: of a local of one call, or for all calls.
type NeededName = (Option<usize>, SourceName);

/// The slice back from some of the statements that a run executes, given by their positions.
pub(crate) fn slice_back(
    executed: &[ExecutedStatement],
    from: &[usize],
    source: &SlicedSource<'_>,
) -> BackwardSlice {
    let Some(last) = from.iter().max() else { return BackwardSlice::default() };
    let names = source.names();
    let (events, positions) = assign_calls(&executed[..=*last], source.lines, &names);
    let (mut is_in, mut is_made) = (vec![false; events.len()], vec![false; events.len()]);
    for start in from {
        if let Some(position) = positions.get(start) {
            is_in[*position] = true;
        }
    }
    for _ in 0..MOST_ROUNDS {
        let known = is_in.clone();
        go_back(&events, &mut is_in, &mut is_made, source.globals);
        if is_in == known {
            break;
        }
    }
    let lines = events.iter().zip(is_in.iter().zip(&is_made));
    let lines = lines.filter(|(_, (is_in, is_made))| **is_in || **is_made);
    BackwardSlice { lines: lines.map(|(event, _)| event.line.clone()).collect() }
}

/// Which call each statement belongs to, and where the statements that have source are in the result.
fn assign_calls<'a>(
    executed: &[ExecutedStatement],
    lines: &'a BTreeMap<Address, ProgramLine>,
    names: &'a HashMap<&ProgramLine, StatementNames>,
) -> (Vec<SlicedEvent<'a>>, HashMap<usize, usize>) {
    struct OpenCall<'a> {
        depth: u64,
        function: &'a str,
        number: usize,
        caller: Option<usize>,
        last: usize,
        /// Whether only its entry was executed. There, the stack does not have its room yet.
        is_at_entry: bool,
    }
    let mut entries: HashMap<&str, Address> = HashMap::new();
    for (at, line) in lines.iter().rev() {
        entries.insert(&line.function, *at);
    }
    let mut open: Vec<OpenCall<'_>> = Vec::new();
    let (mut events, mut positions, mut calls) = (Vec::new(), HashMap::new(), 0);
    for (index, (at, depth)) in executed.iter().enumerate() {
        let Some(line) = lines.get(at) else { continue };
        let Some(names) = names.get(line) else { continue };
        let function = line.function.as_str();
        if let Some(call) = open.last_mut().filter(|call| call.is_at_entry && call.function == function) {
            (call.depth, call.is_at_entry) = (*depth, false);
        }
        let is_over =
            |call: &OpenCall<'_>| call.depth > *depth || (call.depth == *depth && call.function != function);
        while open.last().is_some_and(is_over) {
            open.pop();
        }
        let position = events.len();
        let is_first_of_call =
            open.last().is_none_or(|call| call.depth != *depth || call.function != function);
        if is_first_of_call {
            let caller = open.last().map(|call| call.last);
            let is_at_entry = entries.get(function) == Some(at);
            open.push(OpenCall {
                depth: *depth,
                function,
                number: calls,
                caller,
                last: position,
                is_at_entry,
            });
            calls += 1;
        }
        let Some(call) = open.last_mut() else { continue };
        call.last = position;
        positions.insert(index, position);
        events.push(SlicedEvent { line, names, call: call.number, caller: call.caller, is_first_of_call });
    }
    (events, positions)
}

/// Goes through the run once, from its end to its start. `is_made` are calls of which only the fact that they are made counts.
fn go_back(events: &[SlicedEvent<'_>], is_in: &mut [bool], is_made: &mut [bool], globals: &HashSet<String>) {
    let mut needed: HashSet<NeededName> = HashSet::new();
    // How far the statements of a call are indented whose branches are looked for.
    let mut controlled: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    let scoped = |call: usize, name: &SourceName| match name {
        SourceName::Variable(variable) if !globals.contains(variable) => (Some(call), name.clone()),
        _ => (None, name.clone()),
    };
    for at in (0..events.len()).rev() {
        let SlicedEvent { names, call, caller, .. } = &events[at];
        let writes = || names.writes.iter().any(|name| needed.contains(&scoped(*call, name)));
        let is_controlled =
            |indents: &BTreeSet<usize>| indents.last().is_some_and(|most| *most > names.indent);
        let has_avoided = || names.inside.iter().any(|name| needed.contains(&scoped(*call, name)));
        let decides = || {
            names.is_branch && (controlled.get(call).is_some_and(is_controlled) || has_avoided())
                || (names.is_jump || names.leaves) && controlled.contains_key(call)
        };
        let returns = || names.is_return && caller.is_none_or(|caller| is_in[caller]);
        let is_needed = |of: usize, name: &SourceName| needed.contains(&scoped(of, name));
        let fills = || names.writes_through && is_passed(events, *caller, &is_needed);
        if is_in[at] || writes() || decides() || returns() || fills() {
            is_in[at] = true;
            names.replaces.iter().for_each(|name| {
                needed.remove(&scoped(*call, name));
            });
            needed.extend(names.reads.iter().map(|name| scoped(*call, name)));
        }
        if is_in[at] || is_made[at] {
            let indents = controlled.entry(*call).or_default();
            if names.is_branch {
                indents.retain(|indent| *indent <= names.indent);
            }
            indents.insert(names.indent);
        }
        if events[at].is_first_of_call && controlled.contains_key(call) {
            let is_argument_needed = needed.iter().any(|(of, _)| *of == Some(*call));
            needed.retain(|(of, _)| *of != Some(*call));
            if let Some(caller) = *caller {
                is_made[caller] = true;
                is_in[caller] |= is_argument_needed;
            }
        }
    }
}

/// Whether a call, or a call around it, gets something that is needed.
fn is_passed(
    events: &[SlicedEvent<'_>],
    caller: Option<usize>,
    is_needed: &dyn Fn(usize, &SourceName) -> bool,
) -> bool {
    let callers = std::iter::successors(caller, |at| events[*at].caller).take(MOST_CALLERS);
    let mut passing = callers.map(|at| (events[at].call, &events[at].names.passes));
    passing.any(|(call, passes)| passes.iter().any(|name| is_needed(call, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs through the lines of a program, each with the depth of its call. Returns the lines of the slice back from the last one.
    fn sliced(source: &str, functions: &[(&str, std::ops::Range<u32>)], run: &[(u32, u64)]) -> Vec<u32> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.c"), source).unwrap();
        let length = source.lines().count() as u32;
        let mut lines: BTreeMap<Address, ProgramLine> = BTreeMap::new();
        for (function, numbers) in functions {
            for line in numbers.clone().filter(|line| *line <= length) {
                let function = (*function).to_owned();
                lines.insert(Address(line.into()), ProgramLine { file: "a.c".into(), line, function });
            }
        }
        let globals = HashSet::from(["limit".to_owned()]);
        let is_own = |name: &str| functions.iter().any(|(function, _)| *function == name);
        let source =
            SlicedSource { lines: &lines, globals: &globals, is_own: &is_own, folder: folder.path() };
        let executed: Vec<ExecutedStatement> =
            run.iter().map(|(line, depth)| (Address((*line).into()), *depth)).collect();
        let slice = slice_back(&executed, &[executed.len() - 1], &source);
        slice.lines.iter().map(|line| line.line).collect()
    }

    #[test]
    fn what_the_failure_reads_is_followed_back_through_calls_and_branches() {
        let source = "int limit;
int half(int n) {
    int other = 7;
    return n / 2;
}
int main(int argc, char **argv) {
    int a = argc;
    int unused = a + 1;
    if (unused > 4)
        a = 3;
    int b = half(a);
    puts(\"half\");
    if (a > limit)
        abort_with(b);
";
        let functions = [("half", 2..6), ("main", 6..20)];
        let run =
            [(7, 0), (8, 0), (9, 0), (10, 0), (11, 0), (3, 48), (4, 48), (5, 48), (12, 0), (13, 0), (14, 0)];
        // The branch in line 9 decides about a; line 3, line 5 and the output in line 12 do not count.
        assert_eq!(sliced(source, &functions, &run), [4, 7, 8, 9, 10, 11, 13, 14]);
        // If line 10 is not executed, the branch counts all the same: it could have changed a.
        let run: Vec<(u32, u64)> = run.into_iter().filter(|(line, _)| *line != 10).collect();
        assert_eq!(sliced(source, &functions, &run), [4, 7, 8, 9, 11, 13, 14]);
    }

    #[test]
    fn a_jump_to_the_failure_counts_and_so_does_a_branch_that_could_have_left() {
        let source = "int main(int argc, char **argv) {
    int other = 1;
    int n = argc;
    if (n > 9)
        return 1;
    int *p = argv[1];
    other++;
    if (n > 3)
        goto end;
    p = 0;
end:
    abort();
";
        let run = [(2, 0), (3, 0), (4, 0), (6, 0), (7, 0), (8, 0), (9, 0), (12, 0)];
        assert_eq!(sliced(source, &[("main", 1..20)], &run), [3, 4, 8, 9, 12]);
    }

    #[test]
    fn arguments_addresses_and_members_are_followed_and_locals_of_other_calls_are_not() {
        let source = "void fill(struct box *p, int n) {
    int size = 1;
    p->size = n;
}
void look(int *q, int *r) {
    q[2] = *r;
}
int main(void) {
    int m = 5;
    int size = 9;
    int found[3] = { 0 };
    fill(box, m);
    look(found, &m);
    crash(box->size + found[0]);
";
        let functions = [("fill", 1..5), ("look", 5..8), ("main", 8..20)];
        // At the entry of a function, the stack does not have its room yet.
        let run = [
            (8, 0),
            (9, 32),
            (10, 32),
            (11, 32),
            (12, 32),
            (1, 40),
            (2, 72),
            (3, 72),
            (4, 72),
            (13, 32),
            (5, 40),
            (6, 56),
            (7, 56),
            (14, 32),
        ];
        assert_eq!(sliced(source, &functions, &run), [3, 6, 9, 11, 12, 13, 14]);
    }
}
