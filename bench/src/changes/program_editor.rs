//! Changes that do not affect the output. No part of them does either, as far as it builds.

use super::program::{CFunction, CProgram, CStatement, ExtraFile, PARTS, SourcePart};
use crate::random::Random;
use std::ops::Range;

/// Where changes are made.
#[derive(Clone, Debug)]
pub(crate) struct EditScope {
    pub(crate) parts: Range<usize>,
    /// Also in files that do not belong to a part.
    pub(crate) shared: bool,
}

/// Generates and changes programs, with names that are never used twice.
#[derive(Clone, Debug)]
pub(crate) struct ProgramEditor {
    pub(crate) random: Random,
    names: u32,
}

const WORDS: [&str; 16] = [
    "edge", "count", "depth", "sum", "weight", "offset", "level", "slot", "width", "index", "share", "rank",
    "span", "delta", "phase", "score",
];

impl ProgramEditor {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), names: 0 }
    }

    /// The program before all changes.
    pub(crate) fn program(&mut self) -> CProgram {
        CProgram {
            parts: (0..PARTS).map(|number| self.part(number)).collect(),
            defines: vec!["DEFINES += -DDEPTH=4".to_owned(), "DEFINES += -DPLAIN".to_owned()],
            build_notes: vec!["How the program is built.".to_owned()],
            table: "table.txt".to_owned(),
            table_lines: (0..12).map(|_| self.below(900).to_string()).collect(),
        }
    }

    /// Makes about this many hunks, in up to eight files.
    pub(crate) fn change(&mut self, program: &mut CProgram, scope: &EditScope, hunks: u32) {
        let files = 1 + self.below(8.min(hunks));
        let parts: Vec<usize> =
            (0..files).map(|_| scope.parts.start + self.below(scope.parts.len() as u32) as usize).collect();
        let mut made = 0;
        while made < hunks {
            made += match self.below(24) {
                0 if scope.shared => self.change_shared(program, &parts),
                _ => {
                    let part = parts[self.below(files) as usize];
                    self.change_part(&mut program.parts[part], hunks - made)
                }
            };
        }
    }

    /// Adds comments before and after a line of a limit, so that they are in the same hunk as changes to the line.
    pub(crate) fn surround(&mut self, part: &mut SourcePart, line: usize) {
        let (before, after) = (self.comment(), self.comment());
        part.limit.insert(line + 1, format!("// {after}"));
        part.limit.insert(line, format!("// {before}"));
    }

    fn change_shared(&mut self, program: &mut CProgram, parts: &[usize]) -> u32 {
        match self.below(3) {
            0 => {
                let note = self.comment();
                program.build_notes = vec![note];
                1
            }
            1 => {
                let further = self.below(900).to_string();
                program.table_lines.push(further);
                1
            }
            _ => {
                program.parts[parts[0]].entry = self.name("entry");
                3
            }
        }
    }

    fn change_part(&mut self, part: &mut SourcePart, hunks: u32) -> u32 {
        let which = self.below(part.functions.len() as u32) as usize;
        match self.below(12) {
            0 => part.notes = vec![self.comment()],
            1 => part.functions[which].comment = Some(self.comment()),
            2 => part.functions[which].comment = None,
            3 if hunks > 1 => {
                part.functions[which].local = self.name("value");
                return 2;
            }
            4 if hunks > 1 => {
                part.functions[which].name = self.name("step");
                return 2;
            }
            5 if hunks > 1 && part.functions.len() < 9 => {
                let function = self.function(false);
                part.functions.insert(which, function);
                return 2;
            }
            6 if hunks > 1 && !part.functions[which].counts => {
                part.functions.remove(which);
                return 2;
            }
            7 if hunks > 2 && part.number.is_multiple_of(4) => return self.change_extras(part),
            8 => {
                let place = self.below(part.limit.len() as u32 - 1) as usize;
                match part.limit[place].starts_with("//") {
                    true => drop(part.limit.remove(place)),
                    false => part.limit.insert(place, format!("// {}", self.comment())),
                }
            }
            kind => {
                let statements = &mut part.functions[which].statements;
                let statement = self.random.below(statements.len() as u32) as usize;
                match (kind, statements[statement].note.is_some()) {
                    (9, false) => statements[statement].note = Some(self.comment()),
                    (9, true) => statements[statement].note = None,
                    _ => statements[statement].swapped ^= true,
                }
            }
        }
        1
    }

    fn change_extras(&mut self, part: &mut SourcePart) -> u32 {
        let file = format!("{}.c", self.name("extra"));
        match (part.extras.is_empty(), self.below(3)) {
            (false, 0) => drop(part.extras.remove(0)),
            (false, 1) => {
                part.extras[0].file = file;
                return 1;
            }
            (false, _) => {
                part.extras[0].function.comment = Some(self.comment());
                return 1;
            }
            (true, _) => part.extras.push(ExtraFile { file, function: self.function(false) }),
        }
        3
    }

    fn part(&mut self, number: usize) -> SourcePart {
        let limit = [
            "unsigned limit = 15;",
            "unsigned slack = 0;",
            "limit -= 5;",
            "slack |= 1;",
            "slack |= 2;",
            "return slack ? limit : limit + 9;",
        ];
        SourcePart {
            number,
            notes: vec![self.comment(), self.comment()],
            entry: self.name("entry"),
            functions: (0..3 + self.below(3)).map(|_| self.function(true)).collect(),
            limit: limit.map(str::to_owned).to_vec(),
            extras: Vec::new(),
            broken: false,
        }
    }

    fn function(&mut self, counts: bool) -> CFunction {
        CFunction {
            name: self.name("step"),
            comment: Some(self.comment()),
            local: self.name("value"),
            statements: (0..4 + self.below(8)).map(|_| self.statement()).collect(),
            counts,
        }
    }

    fn statement(&mut self) -> CStatement {
        let (kind, constant) = (self.below(4), 2 + self.below(90));
        CStatement { kind, constant, swapped: false, note: None }
    }

    fn comment(&mut self) -> String {
        let [first, second] = [(); 2].map(|()| WORDS[self.below(16) as usize]);
        format!("{} before the {second}.", self.name(first))
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}_{}", self.names)
    }

    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.random.below(end)
    }
}
