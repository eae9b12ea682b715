//! Warnings of compilers that a mix has and neither version does. Such a mix can pass or fail by accident.

use regex::bytes::{Captures, Regex};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A warning without its line, which differs from version to version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompilerWarning {
    /// The name of the file, without its folder.
    file: Vec<u8>,
    message: Vec<u8>,
}

impl std::fmt::Display for CompilerWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [file, message] = [&self.file, &self.message].map(|text| String::from_utf8_lossy(text));
        write!(f, "{file}: {message}")
    }
}

/// Code that is warned of like this does something else than its author meant. Other warnings, such as those of unused variables, are
/// harmless.
const WARNINGS: &str = concat!(
    r"^(?:(?P<path>[^\s:][^:]*):\d+:(?:\d+:)? warning: (?P<message>.*) \[(?:-Werror=)?-?W?",
    r"(?:int-conversion|incompatible-pointer-types|incompatible-function-pointer-types|implicit-function-declaration|implicit-int|",
    r"return-type|return-mismatch|uninitialized|maybe-uninitialized|sometimes-uninitialized)\].*",
    r"|\s*(?P<script>[^\s:][^:]*):\d+: (?P<text>SyntaxWarning: .*))$"
);

const COLOURS: &str = r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|‘|’|“|”|`|\x22";
const UNDECLARED: &str = r"warning: implicit declaration of function '(\w+)'";
const BUILT_IN: &str = r"implicit declaration of built-in function '(\w+)'";

// The expressions are constants, and a test uses each of them.
static READER: LazyLock<Option<[Regex; 4]>> = LazyLock::new(|| {
    let compiled = [WARNINGS, COLOURS, UNDECLARED, BUILT_IN].map(|text| Regex::new(text).ok());
    let [Some(warnings), Some(colours), Some(undeclared), Some(built_in)] = compiled else { return None };
    Some([warnings, colours, undeclared, built_in])
});

/// The warnings in an output, each with the line that it is in.
fn warnings(output: &[u8]) -> Vec<(CompilerWarning, Vec<u8>)> {
    let Some([warning, colours, undeclared, known]) = &*READER else { return Vec::new() };
    let plain = colours.replace_all(
        output,
        |found: &Captures<'_>| {
            if found[0][0] == 0x1b { &b""[..] } else { &b"'"[..] }
        },
    );
    let lines = plain.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let read = |line: &[u8]| {
        let found = warning.captures(line)?;
        let group = |one, other| found.name(one).or_else(|| found.name(other)).map(|text| text.as_bytes());
        let file = group("path", "script")?.rsplit(|byte| *byte == b'/').next()?.to_vec();
        // Compilers number what they invent.
        let message =
            group("message", "text")?.iter().map(|byte| if byte.is_ascii_digit() { b'#' } else { *byte });
        Some((CompilerWarning { file, message: message.collect() }, line.to_vec()))
    };
    let mut found: Vec<(CompilerWarning, Vec<u8>)> = lines.clone().filter_map(read).collect();
    // The compiler knows the type of a built-in function, so a missing header does no harm.
    let built_in: Vec<&[u8]> =
        lines.filter_map(|line| Some(known.captures(line)?.get(1)?.as_bytes())).collect();
    found.retain(|(_, line)| !undeclared.captures(line).is_some_and(|of| built_in.contains(&&of[1])));
    found
}

/// The warnings of the versions that mixes are compared with.
#[derive(Clone, Debug, Default)]
pub struct KnownWarnings(BTreeSet<CompilerWarning>);

impl KnownWarnings {
    /// Adds the warnings in the output of a version.
    pub fn learn(&mut self, output: &[u8]) {
        self.0.extend(warnings(output).into_iter().map(|(warning, _)| warning));
    }

    /// Adds the warnings of another version.
    pub fn join(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// The first warning in the output of a mix that no version has.
    #[must_use]
    pub fn first_new(&self, output: &[u8]) -> Option<CompilerWarning> {
        warnings(output).into_iter().map(|(warning, _)| warning).find(|warning| !self.0.contains(warning))
    }

    /// The new warnings in an output as if they were errors, for readers of errors.
    #[must_use]
    pub fn new_as_errors(&self, output: &[u8]) -> Vec<u8> {
        let new = warnings(output).into_iter().filter(|(warning, _)| !self.0.contains(warning));
        let lines = new.map(|(_, line)| String::from_utf8_lossy(&line).replacen(" warning: ", " error: ", 1));
        lines.collect::<Vec<String>>().join("\n").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "src/a.c: In function ‘f’:\n\
        src/a.c:12:9: warning: passing argument 2 of ‘g’ makes pointer from integer without a cast [-Wint-conversion]\n";

    fn known() -> KnownWarnings {
        let mut known = KnownWarnings::default();
        known.learn(OLD.as_bytes());
        known
    }

    #[test]
    fn a_warning_that_a_version_has_is_known_wherever_its_line_is() {
        let moved = "a.c:99: warning: passing argument 2 of 'g' makes pointer from integer without a cast [-Wint-conversion]";
        assert_eq!(known().first_new(moved.as_bytes()), None);
    }

    #[test]
    fn other_warnings_are_new_if_they_are_dangerous() {
        let dangerous = [
            "a.c:1:2: warning: passing argument 3 of ‘h’ from incompatible pointer type [-Wincompatible-pointer-types]",
            "\x1b[1ma.c:1:2:\x1b[0m warning: implicit declaration of function ‘h’ [-Wimplicit-function-declaration]",
            "a.c:1:2: warning: ‘x’ may be used uninitialized in this function [-Wmaybe-uninitialized]",
            "a.cc:7:1: warning: no return statement in function returning non-void [-Wreturn-type]",
            "lib/x.py:3: SyntaxWarning: \"is\" with a literal. Did you mean \"==\"?",
            "  /tmp/x.py:3: SyntaxWarning: invalid escape sequence '\\d'",
            "<string>:1: SyntaxWarning: 'int' object is not callable; perhaps you missed a comma?",
        ];
        for line in dangerous {
            assert!(known().first_new(line.as_bytes()).is_some(), "{line}");
        }
        let harmless = [
            "a.c:1:2: warning: unused variable ‘x’ [-Wunused-variable]",
            "a.c:1:2: note: expected ‘char *’ but argument is of type ‘int’",
            "warning: implicit things happen",
        ];
        for line in harmless {
            assert_eq!(known().first_new(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_built_in_function_without_its_header_does_no_harm() {
        let output = "a.c:1:25: warning: implicit declaration of function ‘memcpy’ [-Wimplicit-function-declaration]\n\
            a.c:1:25: warning: incompatible implicit declaration of built-in function ‘memcpy’ [-Wbuiltin-declaration-mismatch]\n";
        assert_eq!(known().first_new(output.as_bytes()), None);
    }

    #[test]
    fn a_new_warning_can_be_read_as_an_error() {
        let output = format!("{OLD}b.c:3:4: warning: ‘x’ is used uninitialized [-Wuninitialized]\n");
        let errors = String::from_utf8(known().new_as_errors(output.as_bytes())).unwrap();
        assert_eq!(errors, "b.c:3:4: error: 'x' is used uninitialized [-Wuninitialized]");
    }
}
