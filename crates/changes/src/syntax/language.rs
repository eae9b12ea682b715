//! Which language a file is written in.

use crate::TreePath;

/// A language whose functions and types we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Cpp,
    Go,
    Java,
    JavaScript,
    Python,
    Rust,
}

impl Language {
    /// By the extension of the file; without one, by the interpreter that its first line names.
    pub(super) fn of(path: &TreePath, bytes: &[u8]) -> Option<Self> {
        let name = path.as_bytes().rsplit(|&byte| byte == b'/').next()?;
        let mut parts = name.rsplitn(2, |&byte| byte == b'.');
        let last = parts.next()?;
        match parts.next() {
            // A leading dot begins a name, not an extension.
            Some(stem) if !stem.is_empty() => Self::of_extension(last, bytes),
            _ => Self::of_first_line(bytes),
        }
    }

    fn of_extension(extension: &[u8], bytes: &[u8]) -> Option<Self> {
        Some(match extension {
            b"c" => Self::C,
            b"h" if looks_like_cpp(bytes) => Self::Cpp,
            b"h" => Self::C,
            b"cc" | b"cpp" | b"cxx" | b"c++" | b"C" => Self::Cpp,
            b"hh" | b"hpp" | b"hxx" | b"h++" | b"H" | b"ipp" | b"tcc" => Self::Cpp,
            b"go" => Self::Go,
            b"java" => Self::Java,
            b"js" | b"mjs" | b"cjs" | b"jsx" => Self::JavaScript,
            b"py" | b"pyi" | b"pyw" => Self::Python,
            b"rs" => Self::Rust,
            _ => return None,
        })
    }

    /// `#!/usr/bin/python3 -u` or `#!/usr/bin/env -S node`.
    fn of_first_line(bytes: &[u8]) -> Option<Self> {
        let line = bytes.split(|&byte| byte == b'\n').next()?.strip_prefix(b"#!")?;
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let program = |word: &'_ [u8]| word.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
        let mut name = program(words.next()?)?;
        if name == b"env" {
            name = program(words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?)?;
        }
        let version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let is = |program: &[u8]| name.strip_prefix(program).is_some_and(|rest| rest.iter().all(version));
        if is(b"python") {
            Some(Self::Python)
        } else if is(b"node") || is(b"nodejs") {
            Some(Self::JavaScript)
        } else {
            None
        }
    }
}

/// Whether a header has a line that begins as only one of C++ does.
fn looks_like_cpp(bytes: &[u8]) -> bool {
    let begins =
        [&b"class "[..], b"namespace ", b"template<", b"template <", b"public:", b"private:", b"using "];
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| begins.iter().any(|begin| line.starts_with(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(path: &str, text: &str) -> Option<Language> {
        Language::of(&TreePath::new(path.as_bytes()).unwrap(), text.as_bytes())
    }

    #[test]
    fn a_script_without_an_extension_is_known_by_its_first_line() {
        assert_eq!(language("run", "#!/usr/bin/python3 -u\n"), Some(Language::Python));
        assert_eq!(language("bin.d/run", "#! /usr/bin/env -S A=1 python3.11\n"), Some(Language::Python));
        assert_eq!(language(".hook", "#!/usr/bin/env node"), Some(Language::JavaScript));
        assert_eq!(language("run", "#!/bin/sh\npython"), None);
        assert_eq!(language("run", "#!/usr/bin/pythonista\n"), None);
        assert_eq!(language("run", "python\n"), None);
        assert_eq!(language("run.txt", "#!/usr/bin/python3\n"), None);
    }

    #[test]
    fn a_header_is_of_c_unless_it_looks_otherwise() {
        assert_eq!(language("a.h", "struct a { int class_of; };\n"), Some(Language::C));
        assert_eq!(language("a.h", "#pragma once\n  namespace a {\n}\n"), Some(Language::Cpp));
        assert_eq!(language("a.c", "int class;\n"), Some(Language::C));
    }
}
