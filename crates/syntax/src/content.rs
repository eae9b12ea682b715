//! Languages told from texts, for files whose names tell nothing.
//!
//! Only what is clear is told: a wrong language costs tests, none costs little.

use crate::Language;
use crate::names::looks_like_cpp;

impl Language {
    /// By the interpreter or the mode that the first line names, or by how it begins.
    pub(crate) fn of_content(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        of_interpreter(text)
            .or_else(|| of_mode(text))
            .or_else(|| of_markup(text.trim_ascii()))
            .or_else(|| is_json(text).then_some(Self::Json))
            .or_else(|| of_directive(text))
    }
}

/// `#!/usr/bin/python3 -u` or `#!/usr/bin/env -S node`.
fn of_interpreter(bytes: &[u8]) -> Option<Language> {
    let line = first_line(bytes).strip_prefix(b"#!")?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let program = |word: &'_ [u8]| word.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
    let mut name = program(words.next()?)?;
    if name == b"env" {
        name = program(words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?)?;
    }
    let version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is =
        |program: &&str| name.strip_prefix(program.as_bytes()).is_some_and(|rest| rest.iter().all(version));
    let programs: [(&[&str], Language); 4] = [
        (&["sh", "bash", "dash", "ash", "ksh", "zsh", "busybox"], Language::Bash),
        (&["node", "nodejs", "qjs"], Language::JavaScript),
        (&["deno", "bun", "ts-node", "tsx"], Language::TypeScript),
        (&["python", "pypy", "micropython"], Language::Python),
    ];
    let known = programs.into_iter().find(|(programs, _)| programs.iter().any(is));
    known.map(|(_, language)| language)
}

/// `-*- C++ -*-`, as the headers of the standard library have it, which have no extension.
fn of_mode(bytes: &[u8]) -> Option<Language> {
    let line = String::from_utf8_lossy(first_line(bytes)).to_ascii_lowercase();
    let modes = line.split("-*-").nth(1).filter(|_| line.matches("-*-").count() == 2)?;
    let mode = modes.split(';').find_map(|mode| match mode.split_once(':') {
        Some((key, value)) => (key.trim() == "mode").then_some(value),
        None => Some(mode),
    })?;
    match mode.trim() {
        "js" => Some(Language::JavaScript),
        "sh" | "shell-script" => Some(Language::Bash),
        "nxml" => Some(Language::Xml),
        name => Language::by_name(name),
    }
}

/// A page or another document in angle brackets: by how it begins, or by an element that encloses it.
fn of_markup(text: &[u8]) -> Option<Language> {
    let inner = text.strip_prefix(b"<")?;
    let begins =
        |with: &str| inner.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with.as_bytes()));
    if ["!doctype html", "html", "head>", "body"].iter().any(|with| begins(with)) {
        return Some(Language::Html);
    }
    if ["?xml", "!doctype ", "svg "].iter().any(|with| begins(with)) {
        return Some(Language::Xml);
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    let name = &inner[..inner.iter().take_while(is_name).count()];
    let end = text.strip_suffix(b">")?.strip_suffix(name)?;
    if !name.first()?.is_ascii_alphabetic() || !end.ends_with(b"</") {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let is_of_pages = OF_PAGES.iter().any(|of_pages| of_pages.as_bytes() == name);
    Some(if is_of_pages { Language::Html } else { Language::Xml })
}

const OF_PAGES: [&str; 16] = [
    "a", "article", "div", "dl", "form", "h1", "main", "ol", "p", "pre", "script", "select", "span", "style",
    "table", "ul",
];

/// Whether the beginning of a text is what JSON begins with: an object or an array, and values as they may follow one
/// another. It need not end well: what fails is often broken.
fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    if !text.starts_with(b"{") && !text.starts_with(b"[") {
        return false;
    }
    let looked_at = &text[..text.len().min(LOOKED_AT)];
    let mut open: Vec<u8> = Vec::new();
    let mut after_value = false;
    let mut tokens = 0;
    let mut at = 0;
    while let Some(&byte) = looked_at.get(at) {
        let rest = &looked_at[at..];
        // In an object comes a name, or nothing.
        let begins_object = byte == b'{' && rest.len() > 1;
        if begins_object && !matches!(rest[1..].trim_ascii_start().first(), None | Some(b'"' | b'}')) {
            return false;
        }
        // Several values in one file stand on lines of their own, and are no single words.
        let may_begin = !after_value || open.is_empty() && b"{[".contains(&byte);
        let length = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => 1,
            b'{' | b'[' if may_begin => {
                open.push(byte + 2);
                after_value = false;
                1
            }
            b'}' | b']' if open.pop() == Some(byte) => {
                after_value = true;
                1
            }
            b',' if after_value && !open.is_empty() => {
                after_value = false;
                1
            }
            b':' if after_value && open.last() == Some(&b'}') => {
                after_value = false;
                1
            }
            _ if may_begin && !open.is_empty() => {
                after_value = true;
                scalar(rest)
            }
            _ => 0,
        };
        if length == 0 {
            // A word may be cut off where we stop to look.
            return text.len() > LOOKED_AT && rest.len() < 16;
        }
        tokens += 1;
        at += length;
    }
    tokens > 1
}

/// How much of a text is looked at.
const LOOKED_AT: usize = 4_096;

/// How long the string, number or word is that a text begins with; 0 if it is none. A string need not end.
fn scalar(text: &[u8]) -> usize {
    if text.starts_with(b"\"") {
        let mut at = 1;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'"' => return at + 1,
                b'\n' => return 0,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        return text.len();
    }
    let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    match &text[..word] {
        b"true" | b"false" | b"null" => word,
        [b'-' | b'0'..=b'9', ..] => word,
        _ => 0,
    }
}

/// A program of C or C++ after the preprocessor, or before it.
fn of_directive(text: &[u8]) -> Option<Language> {
    let line = first_line(behind_comments(text));
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let mut words = line.strip_prefix(b"#")?.trim_ascii_start().splitn(2, u8::is_ascii_whitespace);
    let (directive, rest) = (words.next()?, words.next().unwrap_or_default().trim_ascii());
    let is_include = directive == b"include" && (rest.starts_with(b"<") || rest.starts_with(b"\""));
    let is_marker = is_number(directive) && rest.starts_with(b"\"");
    let is_c = is_include || is_marker || directive == b"pragma" && rest == b"once";
    is_c.then(|| if looks_like_cpp(text) { Language::Cpp } else { Language::C })
}

/// What comes behind the comments that a program of C begins with.
fn behind_comments(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii_start();
    loop {
        let length = match text {
            [b'/', b'/', ..] => text.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] => text.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4),
            _ => None,
        };
        let Some(length) = length else { return text };
        text = text[length..].trim_ascii_start();
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
    fn a_script_without_an_extension_is_known_by_its_first_line() {
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
    fn json_is_known_by_how_it_begins() {
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
    fn markup_is_known_by_how_it_begins_or_what_encloses_it() {
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
    fn programs_of_c_are_known_by_a_directive() {
        assert_eq!(language("t", "// A\n/* b\n */\n#include <stdio.h>\nint x;\n"), Some(Language::C));
        assert_eq!(language("t", "# 1 \"a.cc\"\nnamespace std {}\n"), Some(Language::Cpp));
        assert_eq!(language("vector", "// vector -*- C++ -*-\nint x;\n"), Some(Language::Cpp));
        assert_eq!(language("t", "# 1 A title\n#include <stdio.h>\n"), None);
        assert_eq!(language("t", "/* no end"), None);
    }

    #[test]
    fn utf_16_is_no_text_for_a_grammar() {
        let wide: Vec<u8> = "\u{feff}{\"a\": 1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Language::of("a.json".as_ref(), &wide), None);
        assert_eq!(Language::of("a.json".as_ref(), &wide[2..]), None);
    }
}
