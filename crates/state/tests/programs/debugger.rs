//! A second opinion: gdb stops a run at the last common place, alters it and lets it continue.

use super::build::{Built, LIMITED};
use super::header::{Arguments, Language, Seeded};
use std::process::Command;

/// What a debugger saw of a run from the last common place on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenByGdb {
    /// The backtrace at the place.
    pub(crate) calls: Vec<String>,
    /// What was printed from there on.
    pub(crate) output: String,
    /// How the run ended, as gdb reports it.
    pub(crate) ending: String,
    /// The outermost calls at the end, if it was a signal.
    pub(crate) last_calls: Vec<String>,
}

/// A program in the debugger.
#[derive(Debug)]
pub(crate) struct Debugger<'a> {
    seeded: &'a Seeded,
    built: &'a Built,
}

impl<'a> Debugger<'a> {
    pub(crate) fn of(seeded: &'a Seeded, built: &'a Built) -> Self {
        Self { seeded, built }
    }

    /// The failing run as it is.
    pub(crate) fn failing(&self) -> SeenByGdb {
        self.run(&self.seeded.fail, &[])
    }

    /// The passing run as it is.
    pub(crate) fn passing(&self) -> SeenByGdb {
        self.run(&self.seeded.pass, &[])
    }

    /// The passing run with the seeded variable of the failing run.
    pub(crate) fn altered(&self) -> SeenByGdb {
        self.run(&self.seeded.pass, &self.seeded.transfers)
    }

    fn run(&self, arguments: &Arguments, transfers: &[String]) -> SeenByGdb {
        let folder = self.built.folder();
        let file = |name: &str| folder.join(name).display().to_string();
        let (input, output, before) = (file("input"), file("output"), file("before"));
        std::fs::write(&input, &arguments.input).unwrap();
        let words: Vec<String> = arguments.words.iter().map(|word| format!("'{word}'")).collect();
        let place = match self.seeded.language {
            Language::Rust => format!("{}::{}", self.seeded.name, self.seeded.place),
            Language::C | Language::Cpp => self.seeded.place.clone(),
        };
        let mut script = vec![
            "set width 0".to_string(),
            "set debuginfod enabled off".to_string(),
            format!("set exec-wrapper sh -c '{LIMITED}'"),
            format!("break {place}"),
            format!("run {} < '{input}' > '{output}' 2> '{}'", words.join(" "), file("errors")),
            "echo \\n@calls\\n".to_string(),
            "bt -3".to_string(),
            "echo \\n@end\\n".to_string(),
            // Text in the buffer was printed before the place.
            "call (int)fflush((void*)0)".to_string(),
            format!("shell cp '{output}' '{before}'"),
            "delete".to_string(),
        ];
        if self.seeded.language == Language::Rust {
            // Containers in Rust are altered through their bytes.
            script.insert(9, "set language c".to_string());
        }
        script.extend(transfers.iter().map(|transfer| format!("set var {transfer}")));
        script.extend(
            ["echo \\n@ending\\n", "continue", "echo \\n@last\\n", "bt -4", "kill"].map(str::to_string),
        );
        let mut command = Command::new("gdb");
        command.args(["-q", "-nx", "-batch"]);
        for line in &script {
            command.args(["-ex", line]);
        }
        let said = command.arg(&self.built.program).stdin(std::process::Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let read =
            |path: &str| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        SeenByGdb {
            calls: calls(between(&said, "@calls", "@end")),
            output: read(&output).strip_prefix(&read(&before)).unwrap_or_default().to_string(),
            ending: ending(between(&said, "@ending", "@last")),
            last_calls: calls(between(&said, "@last", "\u{0}")),
        }
    }
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text.split_once(from).map_or("", |(_, rest)| rest);
    rest.split_once(to).map_or(rest, |(part, _)| part)
}

/// The names of functions in a backtrace, innermost first, recursion folded.
fn calls(backtrace: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in backtrace.lines().filter(|line| line.starts_with('#')) {
        let call = line.split_once(" in ").map_or(line, |(_, call)| call);
        let name =
            call.split(" (").next().unwrap_or(call).trim_start_matches(|c: char| "# 0123456789".contains(c));
        if names.last().is_none_or(|last| last != name) {
            names.push(name.to_string());
        }
    }
    names
}

/// The line that says how it ended, without the number of the process.
fn ending(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("exited") || line.contains("signal")).unwrap_or("");
    line.split_once(") ").map_or(line, |(_, rest)| rest).to_string()
}
