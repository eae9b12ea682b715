//! Files that a program has written.

use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use globset::{GlobBuilder, GlobMatcher};
use std::collections::BTreeSet;

/// Whether a file says so in its first lines, or looks like it.
pub(crate) fn is_generated(bytes: &[u8]) -> bool {
    let head: Vec<u8> = bytes.iter().take(SAYS_SO_WITHIN).map(u8::to_ascii_lowercase).collect();
    SAYS_SO.iter().any(|words| head.windows(words.len()).any(|part| part == words.as_bytes()))
        || is_minified(bytes)
}

/// Whether nobody would write such long lines of code. A text without line breaks has spaces.
fn is_minified(bytes: &[u8]) -> bool {
    let count = |wanted: u8| bytes.iter().filter(|byte| **byte == wanted).count();
    bytes.len() > MINIFIED_LINE * (count(b'\n') + 1) && count(b' ') * MINIFIED_WORD < bytes.len()
}

/// In minified code, lines are longer than this on average,
const MINIFIED_LINE: usize = 1_000;

/// and the pieces between two spaces longer than this.
const MINIFIED_WORD: usize = 10;

/// The files that `.gitattributes` calls generated, with `linguist-generated`.
#[derive(Clone, Debug, Default)]
pub(crate) struct GeneratedMarks(Vec<(GlobMatcher, bool)>);

impl GeneratedMarks {
    /// Those of the file at the top of a tree.
    pub(crate) fn of(tree: &Tree) -> Self {
        let attributes = TreePath::new(b".gitattributes").ok().and_then(|path| tree.get(&path));
        let text = attributes.and_then(|entry| entry.contents.read().ok()).unwrap_or_default();
        let mut marks = Vec::new();
        for line in String::from_utf8_lossy(&text).lines() {
            let mut words = line.split_ascii_whitespace();
            let Some(pattern) = words.next().filter(|pattern| !pattern.starts_with('#')) else { continue };
            let is_generated = words.rev().find_map(|word| match word {
                "linguist-generated" | "linguist-generated=true" => Some(true),
                "-linguist-generated" | "!linguist-generated" | "linguist-generated=false" => Some(false),
                _ => None,
            });
            let Some(is_generated) = is_generated else { continue };
            // As in git, a pattern without a slash is the name of a file in any folder.
            let glob = match pattern.contains('/') {
                true => pattern.trim_start_matches('/').to_owned(),
                false => format!("**/{pattern}"),
            };
            if let Ok(glob) = GlobBuilder::new(&glob).literal_separator(true).build() {
                marks.push((glob.compile_matcher(), is_generated));
            }
        }
        Self(marks)
    }

    /// The last pattern that matches decides, as in git.
    pub(crate) fn name(&self, path: &TreePath) -> bool {
        let mark = self.0.iter().rev().find(|(pattern, _)| pattern.is_match(path.as_path()));
        mark.is_some_and(|(_, is_generated)| *is_generated)
    }
}

/// The endings of files that other files are generated from.
const SOURCES: [&str; 9] = ["y", "yy", "ypp", "l", "ll", "re", "rl", "proto", "gperf"];

/// Whether other files are usually generated from a file of such a name.
pub(crate) fn is_source_of_generated(path: &TreePath) -> bool {
    let ending = path.as_bytes().rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    SOURCES.iter().chain(&["ac", "am"]).any(|source| source.as_bytes() == ending)
        || path.as_bytes().ends_with(b"configure.in")
}

/// The files of a tree that a generated file comes from: those whose lines it claims to hold, and grammars of the same name.
pub(crate) fn sources_of(
    path: &TreePath,
    bytes: &[u8],
    is_there: impl Fn(&TreePath) -> bool,
) -> Vec<TreePath> {
    let path = path.as_bytes();
    let start = path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let (folder, name) = path.split_at(start);
    let stem = name.split(|byte| *byte == b'.').next().unwrap_or(name);
    let of_stem = SOURCES.iter().map(|ending| [stem, b".", ending.as_bytes()].concat());
    let of_autoconf = ["configure.ac", "configure.in"].iter().filter(|_| name == b"configure");
    let of_autoconf = of_autoconf.map(|source| source.as_bytes().to_vec());
    let of_automake = name.strip_suffix(b".in").map(|name| [name, b".am"].concat());
    let names = names_of_lines(bytes).into_iter().chain(of_stem).chain(of_autoconf).chain(of_automake);
    let paths: BTreeSet<Vec<u8>> =
        names.filter(|source| source != name).map(|name| [folder, &name].concat()).collect();
    paths.iter().filter_map(|path| TreePath::new(path).ok()).filter(is_there).collect()
}

/// The files whose lines a generated file claims to hold, by directives like `#line 12 "parser.y"`: their names without folders.
pub(crate) fn names_of_lines(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let named = |line: &[u8]| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
        let rest = rest.trim_ascii_end().strip_suffix(b"\"")?;
        let quote = rest.iter().position(|byte| *byte == b'"')?;
        let is_number = quote > 0 && rest[..quote].trim_ascii().iter().all(u8::is_ascii_digit);
        is_number.then(|| rest[quote + 1..].rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec())
    };
    bytes.split(|byte| *byte == b'\n').filter_map(named).collect()
}

/// How many bytes at the start of a file are searched for the words of generated files.
const SAYS_SO_WITHIN: usize = 600;

/// The words of generated files.
const SAYS_SO: [&str; 8] = [
    "generated by",
    "generated automatically",
    "@generated",
    "do not edit",
    "automatically generated",
    "a bison parser",
    "a lexical scanner generated",
    "machine generated",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minified_code_is_generated_and_long_text_is_not() {
        let code = "function f(a){return a.b(c,d)};".repeat(100);
        assert!(is_generated(code.as_bytes()));
        assert!(!is_generated(code.replace(';', ";\n").as_bytes()));
        assert!(!is_generated("Some words of a text. ".repeat(200).as_bytes()));
    }

    #[test]
    fn attributes_tell_which_files_are_generated() {
        let attributes = "*.pb.c linguist-generated\n/src/tables.c -diff linguist-generated=true\n\
            # a.c linguist-generated\nb.c linguist-generated=false\nc.c text\ndist/** linguist-generated\n\
            dist/own.js -linguist-generated\n";
        let marks = GeneratedMarks::of(&Tree::of_texts(&[(".gitattributes", attributes)]));
        let is_marked = |path: &str| marks.name(&TreePath::new(path.as_bytes()).unwrap());
        for path in ["x.pb.c", "deep/x.pb.c", "src/tables.c", "dist/a/b.js"] {
            assert!(is_marked(path), "{path}");
        }
        for path in ["a.c", "b.c", "c.c", "dist/own.js", "tables.c", "other/src/tables.c"] {
            assert!(!is_marked(path), "{path}");
        }
    }

    #[test]
    fn sources_of_generated_files_are_found_beside_them() {
        let of = |path: &str, text: &str| {
            let path = TreePath::new(path.as_bytes()).unwrap();
            let found = sources_of(&path, text.as_bytes(), |path| !path.as_bytes().ends_with(b"yy"));
            found
                .iter()
                .map(ToString::to_string)
                .filter(|name| !name.ends_with("pp"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let grammars =
            "src/gram.gperf src/gram.l src/gram.ll src/gram.proto src/gram.re src/gram.rl src/gram.y";
        assert_eq!(of("src/gram.tab.c", ""), grammars);
        assert!(of("a.c", "#line 3 \"b.y\"\n").contains("b.y"));
        assert!(of("configure", "").starts_with("configure.ac "));
        assert!(of("src/Makefile.in", "").contains("src/Makefile.am"));
    }

    #[test]
    fn a_generated_file_names_its_source() {
        let text = b"int a;\n#line 12 \"src/parser.y\"\nint b;\n# 3 \"lexer.l\"\n#define X \"y\"\n#include \"z.h\"\n";
        let names = [b"lexer.l".to_vec(), b"parser.y".to_vec()];
        assert_eq!(names_of_lines(text), names.into());
    }
}
