//! The regression itself: the change, and how the answer must name it.
//!
//! No part of a cause fails on its own: if a line is replaced, the program does not build with both lines or with
//! neither.

use super::program::{CProgram, PAIRED, SourcePart};
use super::program_editor::ProgramEditor;
use super::variant::CauseVariant;
use std::collections::BTreeMap;

/// The lines of a file that cause the failure, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedLines {
    pub(crate) removed: Vec<String>,
    pub(crate) added: Vec<String>,
}

/// What an answer must contain, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// These lines of these files.
    Lines(BTreeMap<String, ChangedLines>),
    /// A file has another name. The answer can call it a rename or a removed file.
    Renamed { old: String, new: String },
}

/// A cause that is added to a program, in one step per culprit.
#[derive(Clone, Debug)]
pub(crate) struct SeededCause {
    variant: CauseVariant,
    seed: u64,
    part: usize,
    pub(crate) truth: Truth,
}

impl SeededCause {
    /// A cause in one of the parts that only a branch changes, if there are branches.
    pub(crate) fn new(variant: CauseVariant, seed: u64, part: usize) -> Self {
        Self { variant, seed, part, truth: Truth::Lines(BTreeMap::new()) }
    }

    /// The number of commits over which it is spread.
    pub(crate) fn steps(&self) -> usize {
        if self.variant == CauseVariant::Split { 2 } else { 1 }
    }

    /// Applies one step.
    pub(crate) fn apply(&mut self, program: &mut CProgram, step: usize, noise: &mut ProgramEditor) {
        match self.variant {
            CauseVariant::Rename => {
                let (old, new) = (program.table.clone(), "numbers.txt".to_owned());
                self.truth = Truth::Renamed { old: format!("data/{old}"), new: format!("data/{new}") };
                program.table = new;
                if self.seed % 2 == 1 {
                    program.table_lines.push("77".to_owned());
                }
            }
            CauseVariant::BuildFile => {
                let new = "DEFINES += -DDEPTH=5".to_owned();
                let old = std::mem::replace(&mut program.defines[0], new.clone());
                self.note("Makefile".to_owned(), [old], [new]);
                if self.seed % 2 == 1 {
                    program.defines.insert(0, "# How deep it goes.".to_owned());
                }
            }
            CauseVariant::Deletion => {
                let lines: &[&str] =
                    if self.seed % 2 == 1 { &["slack |= 1;", "slack |= 2;"] } else { &["limit -= 5;"] };
                let part = &mut program.parts[self.part % PAIRED];
                self.note(part.path(), lines.iter().map(|line| indented(line)), []);
                for line in lines {
                    let place = place_of(part, line);
                    noise.surround(part, place);
                    part.limit.remove(place + 1);
                }
            }
            CauseVariant::Split => {
                let first = PAIRED + self.part % PAIRED / 2 * 2;
                self.exceed(&mut program.parts[first + step], noise);
            }
            _ => self.exceed(&mut program.parts[self.part % PAIRED], noise),
        }
    }

    /// Makes the limit of a part too high.
    fn exceed(&mut self, part: &mut SourcePart, noise: &mut ProgramEditor) {
        let old = "unsigned limit = 15;";
        let mut place = place_of(part, old);
        if self.seed % 3 == 2 {
            let new = "limit += 7;";
            part.limit.insert(place + 1, new.to_owned());
            place += 1;
            self.note(part.path(), [], [indented(new)]);
        } else {
            let new = "unsigned limit = 17;";
            part.limit[place] = new.to_owned();
            self.note(part.path(), [indented(old)], [indented(new)]);
        }
        if self.seed % 2 == 1 {
            noise.surround(part, place);
        }
    }

    fn note(
        &mut self,
        path: String,
        removed: impl IntoIterator<Item = String>,
        added: impl IntoIterator<Item = String>,
    ) {
        if let Truth::Lines(files) = &mut self.truth {
            let lines = files.entry(path).or_default();
            lines.removed.extend(removed);
            lines.added.extend(added);
        }
    }
}

/// The position of a line. The searched lines stay in the program until the cause removes them.
fn place_of(part: &SourcePart, line: &str) -> usize {
    part.limit.iter().position(|other| other == line).unwrap_or_default()
}

fn indented(line: &str) -> String {
    format!("    {line}")
}
