//! A small C program in forty source files, as a value that can be changed and written out.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Files by their paths.
pub(crate) type ProgramFiles = BTreeMap<String, Vec<u8>>;

/// The number of source files at the start, not counting `main.c`.
pub(crate) const PARTS: usize = 40;
/// From this part on, parts are in pairs: an exceeded limit is visible only if both parts of a pair exceed it.
pub(crate) const PAIRED: usize = 20;
/// The highest value that does not exceed a limit.
const HIGHEST: u32 = 11;

/// The whole program.
#[derive(Clone, Debug)]
pub(crate) struct CProgram {
    pub(crate) parts: Vec<SourcePart>,
    /// Lines of the build file that define something.
    pub(crate) defines: Vec<String>,
    /// Comments in the build file.
    pub(crate) build_notes: Vec<String>,
    /// The name of the file that the program reads at run time.
    pub(crate) table: String,
    /// Its lines; only the first one is used.
    pub(crate) table_lines: Vec<String>,
}

/// A source file, and the files that only it uses.
#[derive(Clone, Debug)]
pub(crate) struct SourcePart {
    pub(crate) number: usize,
    /// Comments at the top.
    pub(crate) notes: Vec<String>,
    /// The name of the function that `main` calls.
    pub(crate) entry: String,
    pub(crate) functions: Vec<CFunction>,
    /// The lines of the function whose result must not exceed the limit.
    pub(crate) limit: Vec<String>,
    pub(crate) extras: Vec<ExtraFile>,
    /// Whether it has a line that does not compile.
    pub(crate) broken: bool,
}

/// A function with one local variable.
#[derive(Clone, Debug)]
pub(crate) struct CFunction {
    pub(crate) name: String,
    pub(crate) comment: Option<String>,
    pub(crate) local: String,
    pub(crate) statements: Vec<CStatement>,
    /// Whether its result is used. The function is called in any case.
    pub(crate) counts: bool,
}

/// A statement that can be spelled in two ways.
#[derive(Clone, Debug)]
pub(crate) struct CStatement {
    pub(crate) kind: u32,
    pub(crate) constant: u32,
    pub(crate) swapped: bool,
    pub(crate) note: Option<String>,
}

/// An additional source file with one function, whose result is not used.
#[derive(Clone, Debug)]
pub(crate) struct ExtraFile {
    pub(crate) file: String,
    pub(crate) function: CFunction,
}

impl CProgram {
    /// All files.
    pub(crate) fn files(&self) -> ProgramFiles {
        let mut files = ProgramFiles::new();
        files.insert("Makefile".to_owned(), self.makefile().into_bytes());
        files.insert("src/main.c".to_owned(), self.main().into_bytes());
        files.insert(format!("data/{}", self.table), text(&self.table_lines).into_bytes());
        for part in &self.parts {
            files.insert(part.path(), part.source().into_bytes());
            for extra in &part.extras {
                files.insert(format!("src/{}", extra.file), text(&extra.function.lines()).into_bytes());
            }
        }
        files
    }

    fn makefile(&self) -> String {
        let mut lines: Vec<String> = self.build_notes.iter().map(|note| format!("# {note}")).collect();
        lines.extend(["", "CC = gcc", "CFLAGS = -O0 -Werror"].map(str::to_owned));
        lines.extend(self.defines.iter().cloned());
        let rules = "
SOURCES = $(sort $(wildcard src/*.c))

prog: $(SOURCES:.c=.o)
\t$(CC) -o $@ $^

src/%.o: src/%.c Makefile
\t$(CC) $(CFLAGS) $(DEFINES) -c -o $@ $<";
        lines.push(rules.to_owned());
        text(&lines)
    }

    fn main(&self) -> String {
        let mut lines = vec!["#include <stdio.h>".to_owned(), String::new()];
        for part in &self.parts {
            lines.push(format!("unsigned {}(unsigned x);", part.entry));
            lines.push(format!("unsigned {}(void);", part.limit_name()));
        }
        let head = "
static unsigned first_of_table(void)
{
    unsigned first = 0;
    FILE *file = fopen(\"data/table.txt\", \"r\");
    if (!file) return 0;
    if (fscanf(file, \"%u\", &first) != 1) first = 0;
    fclose(file);
    return first;
}

int main(void)
{
    unsigned over = 0;";
        lines.push(head.to_owned());
        let (single, paired) = self.parts.split_at(PAIRED);
        for part in single {
            lines.push(format!("    over += {}() > {HIGHEST};", part.limit_name()));
        }
        for pair in paired.chunks(2) {
            let both: Vec<_> =
                pair.iter().map(|part| format!("{}() > {HIGHEST}", part.limit_name())).collect();
            lines.push(format!("    over += {};", both.join(" && ")));
        }
        for part in &self.parts {
            lines.push(format!("    printf(\"part {} %u\\n\", {}(7));", part.number, part.entry));
        }
        lines.push("    printf(\"over %u\\n\", over);".to_owned());
        lines.push("    printf(\"table %u, depth %d\\n\", first_of_table(), DEPTH);".to_owned());
        lines.push("    return 0;".to_owned());
        lines.push("}".to_owned());
        text(&lines)
    }
}

impl SourcePart {
    pub(crate) fn path(&self) -> String {
        format!("src/part{:02}.c", self.number)
    }

    fn limit_name(&self) -> String {
        format!("part{:02}_limit", self.number)
    }

    fn source(&self) -> String {
        let mut lines: Vec<String> = self.notes.iter().map(|note| format!("// {note}")).collect();
        lines.push(String::new());
        for extra in &self.extras {
            lines.push(format!("unsigned {}(unsigned x);", extra.function.name));
        }
        for function in &self.functions {
            lines.push(String::new());
            lines.extend(function.lines());
        }
        if self.broken {
            lines.push("unsigned unfinished = ;".to_owned());
        }
        lines.push(format!("\nunsigned {}(void)\n{{", self.limit_name()));
        lines.extend(self.limit.iter().map(|line| format!("    {line}")));
        lines.push(format!("}}\n\nunsigned {}(unsigned x)\n{{\n    unsigned total = x;", self.entry));
        for function in &self.functions {
            let factor = if function.counts { "" } else { "0 * " };
            lines.push(format!("    total += {factor}{}(x);", function.name));
        }
        for extra in &self.extras {
            lines.push(format!("    total += 0 * {}(x);", extra.function.name));
        }
        lines.push("    return total;\n}".to_owned());
        text(&lines)
    }
}

impl CFunction {
    fn lines(&self) -> Vec<String> {
        let local = &self.local;
        let mut lines: Vec<String> = self.comment.iter().map(|comment| format!("// {comment}")).collect();
        lines.push(format!("unsigned {}(unsigned x)\n{{\n    unsigned {local} = x + 1;", self.name));
        for statement in &self.statements {
            if let Some(note) = &statement.note {
                lines.push(format!("    // {note}"));
            }
            lines.push(format!("    {}", statement.line(local)));
        }
        lines.push(format!("    return {local};\n}}"));
        lines
    }
}

impl CStatement {
    fn line(&self, local: &str) -> String {
        let constant = self.constant;
        match (self.kind % 4, self.swapped) {
            (0, false) => format!("{local} += {constant} * x;"),
            (0, true) => format!("{local} += x * {constant};"),
            (1, false) => format!("{local} ^= {constant} + x;"),
            (1, true) => format!("{local} ^= x + {constant};"),
            (2, false) => format!("{local} = {local} + {constant};"),
            (2, true) => format!("{local} = {constant} + {local};"),
            (_, false) => format!("if ({local} > {constant}) {local} -= {constant};"),
            (_, true) => format!("if ({constant} < {local}) {local} -= {constant};"),
        }
    }
}

fn text(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    }
    text
}
