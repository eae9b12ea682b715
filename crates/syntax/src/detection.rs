//! The language of a file, by its name or by its content.
//!
//! A text is assigned to a language only if it is clear: a wrong language costs tests, and no language costs little.

use crate::{Language, LanguageInfo};
use std::path::Path;

impl Language {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The language with this name on the command line.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::find(|language| language.name == name)
    }

    /// The language of a file, by its name. If the name tells nothing, by its content.
    ///
    /// The grammars read UTF-8 and similar encodings, so a text in UTF-16 has no language.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        if is_utf_16(bytes) {
            return None;
        }
        Self::of_name(path, bytes).or_else(|| Self::of_content(bytes))
    }

    fn find(is_it: impl Fn(&LanguageInfo) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|language| is_it(language.info()))
    }

    fn of_name(path: &Path, bytes: &[u8]) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if let Some(language) = Self::find(|language| language.file_names.contains(&name)) {
            return Some(language);
        }
        let extension = path.extension()?.to_str()?;
        Self::of_extension(extension, bytes)
            .or_else(|| Self::of_extension(&extension.to_ascii_lowercase(), bytes))
    }

    fn of_extension(extension: &str, bytes: &[u8]) -> Option<Self> {
        let is_shared = |language: &LanguageInfo| {
            language.shared_extensions.contains(&extension) && (language.looks_like)(bytes)
        };
        Self::find(is_shared).or_else(|| Self::find(|language| language.extensions.contains(&extension)))
    }

    fn of_content(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self::of_interpreter(text)
            .or_else(|| Self::of_editor_mode(text))
            .or_else(|| Self::find(|language| (language.recognizes)(text)))
    }

    /// `#!/usr/bin/python3 -u` or `#!/usr/bin/env -S node`.
    fn of_interpreter(bytes: &[u8]) -> Option<Self> {
        let line = first_line(bytes).strip_prefix(b"#!")?;
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let program = |word: &'_ [u8]| word.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
        let mut name = program(words.next()?)?;
        if name == b"env" {
            name = program(words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?)?;
        }
        let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let is = |program: &&str| {
            name.strip_prefix(program.as_bytes()).is_some_and(|rest| rest.iter().all(is_version))
        };
        Self::find(|language| language.interpreters.iter().any(is))
    }

    /// `-*- C++ -*-`, as in the headers of the C++ standard library, which have no extension.
    fn of_editor_mode(bytes: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(first_line(bytes)).to_ascii_lowercase();
        let modes = line.split("-*-").nth(1).filter(|_| line.matches("-*-").count() == 2)?;
        let mode = modes.split(';').find_map(|mode| match mode.split_once(':') {
            Some((key, value)) => (key.trim() == "mode").then_some(value),
            None => Some(mode),
        })?;
        let mode = mode.trim();
        Self::find(|language| language.name == mode || language.editor_modes.contains(&mode))
    }
}

fn is_utf_16(bytes: &[u8]) -> bool {
    match bytes {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => true,
        [first, second, third, fourth, ..] => {
            (*first == 0) != (*second == 0)
                && (*first == 0) == (*third == 0)
                && (*second == 0) == (*fourth == 0)
        }
        _ => false,
    }
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(path: &str, text: &str) -> Option<Language> {
        Language::of(path.as_ref(), text.as_bytes())
    }

    #[test]
    fn a_script_without_an_extension_is_recognized_by_its_first_line() {
        assert_eq!(language("run", "#!/usr/bin/python3 -u\n"), Some(Language::Python));
        assert_eq!(language("bin.d/run", "#! /usr/bin/env -S A=1 python3.11\n"), Some(Language::Python));
        assert_eq!(language(".hook", "#!/usr/bin/env node"), Some(Language::JavaScript));
        assert_eq!(language("run", "#!/bin/sh\npython"), Some(Language::Bash));
        assert_eq!(language("run.cgi", "#!/usr/bin/python3\n"), Some(Language::Python));
        assert_eq!(language("run", "#!/usr/bin/pythonista\n"), None);
        assert_eq!(language("run", "#!/usr/bin/perl\n"), None);
        assert_eq!(language("run", "python\n"), None);
    }

    #[test]
    fn json_is_recognized_by_its_start() {
        let json = [
            "{}",
            " [1, -2.5e3, \"a\\\"]\", true]\n",
            "{\"a\": {\"b\": null},\n \"c\": [",
            "\u{feff}{\"a\":1}\n{\"a\":2}\n",
            "[[[[",
        ];
        for text in json {
            assert_eq!(language("crash-1", text), Some(Language::Json), "{text}");
        }
        let long = format!("[{}]", "\"a long string\", ".repeat(1_000));
        assert_eq!(language("x.dat", &long), Some(Language::Json));
        let longest = format!("{{\"a\": \"{}\"}}", "x".repeat(10_000));
        assert_eq!(language("x.dat", &longest), Some(Language::Json));
        for text in ["[section]\nkey = 1\n", "[1] See below.", "{ int x; }", "[", "[1 2]", "{a: 1}", "5"] {
            assert_eq!(language("x.conf", text), None, "{text}");
        }
    }

    #[test]
    fn markup_is_recognized_by_its_start_or_by_an_enclosing_element() {
        let cases = [
            ("<!DOCTYPE HTML>\n<p>", Some(Language::Html)),
            ("<HTML lang=en>", Some(Language::Html)),
            ("<div><p>a</div>\n", Some(Language::Html)),
            ("<?xml version='1.0'?>\n<a/>", Some(Language::Xml)),
            ("<feed a='1'><b/></feed>", Some(Language::Xml)),
            ("<SELECT NAME=\"priority\" MULTIPLE SIZE=7>", None),
            ("<someone@example.org> wrote", None),
            ("<>", None),
            ("<", None),
        ];
        for (text, expected) in cases {
            assert_eq!(language("page", text), expected, "{text}");
        }
    }

    #[test]
    fn c_and_cpp_are_recognized_by_a_directive() {
        assert_eq!(language("t", "// A\n/* b\n */\n#include <stdio.h>\nint x;\n"), Some(Language::C));
        assert_eq!(language("t", "# 1 \"a.cc\"\nnamespace std {}\n"), Some(Language::Cpp));
        assert_eq!(language("vector", "// vector -*- C++ -*-\nint x;\n"), Some(Language::Cpp));
        assert_eq!(language("t", "# 1 A title\n#include <stdio.h>\n"), None);
        assert_eq!(language("t", "/* no end"), None);
    }

    #[test]
    fn utf_16_has_no_language() {
        let wide: Vec<u8> = "\u{feff}{\"a\": 1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Language::of("a.json".as_ref(), &wide), None);
        assert_eq!(Language::of("a.json".as_ref(), &wide[2..]), None);
    }

    #[test]
    fn a_header_is_c_unless_it_looks_like_cpp() {
        assert_eq!(language("a.h", "struct a { int class_of; };\n"), Some(Language::C));
        assert_eq!(language("a.h", "#pragma once\n  namespace a {\n}\n"), Some(Language::Cpp));
        assert_eq!(language("a.c", "int class;\n"), Some(Language::C));
    }

    #[test]
    fn case_matters_only_in_two_extensions_of_cpp() {
        assert_eq!(language("PAGE.HTM", ""), Some(Language::Html));
        assert_eq!(language("a.C", ""), Some(Language::Cpp));
        assert_eq!(language("a.H", ""), Some(Language::Cpp));
        assert_eq!(language("a.Json", ""), Some(Language::Json));
        assert_eq!(language("a.CSS", ""), Some(Language::Css));
    }

    #[test]
    fn well_known_file_names_are_recognized() {
        assert_eq!(language("x/Cargo.lock", ""), Some(Language::Toml));
        assert_eq!(language(".bashrc", ""), Some(Language::Bash));
        assert_eq!(language("Makefile", "all:\n\tcc a.c\n"), None);
        assert_eq!(language("CMakeLists.txt", "project(a)\n"), None);
    }
}
