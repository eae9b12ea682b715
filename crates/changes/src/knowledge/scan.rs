//! A light scanner: the words and marks of a source text, line by line, without comments and strings.

use super::file_name::{base_name, stem};
use howcome_syntax::TextKind;

/// One word or mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeToken<'a> {
    pub(crate) what: TokenKind<'a>,
    /// Whether a blank comes before it.
    pub(crate) spaced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'a> {
    /// An identifier, or the name of a file in a line that includes it.
    Word(&'a [u8]),
    /// Any other byte that is not a blank.
    Mark(u8),
    /// A string, or a number.
    Literal,
}

/// A line of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeLine<'a> {
    pub(crate) tokens: Vec<CodeToken<'a>>,
    /// Its first byte is not a blank.
    pub(crate) at_margin: bool,
    /// It belongs to a directive of the preprocessor.
    pub(crate) directive: bool,
}

/// The lines of a text: as many as it has.
pub(crate) fn scan(text: &[u8], language: TextKind) -> Vec<CodeLine<'_>> {
    let mut scanner = Scanner { language, open: None, continued: false };
    text.split_inclusive(|&byte| byte == b'\n').map(|line| scanner.line(line)).collect()
}

/// What is still open at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenAtLineEnd {
    Comment,
    /// A string of three quotes.
    Text(u8),
}

struct Scanner {
    language: TextKind,
    open: Option<OpenAtLineEnd>,
    /// The directive continues after a backslash.
    continued: bool,
}

impl Scanner {
    fn line<'a>(&mut self, bytes: &'a [u8]) -> CodeLine<'a> {
        if self.language == TextKind::Prose {
            return CodeLine::default();
        }
        let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
        let directive =
            self.continued || (self.language == TextKind::CLike && first.is_some_and(|at| bytes[at] == b'#'));
        self.continued = directive && bytes.trim_ascii_end().ends_with(b"\\");
        let mut line = CodeLine { tokens: Vec::new(), at_margin: first == Some(0), directive };
        let includes = includes(bytes);
        let (mut at, mut spaced) = (0, true);
        while at < bytes.len() {
            let rest = &bytes[at..];
            if let Some(open) = self.open {
                at += self.close(open, rest);
                spaced = true;
                continue;
            }
            let byte = rest[0];
            let mut push = |what| line.tokens.push(CodeToken { what, spaced });
            let length = match byte {
                _ if byte.is_ascii_whitespace() => {
                    spaced = true;
                    at += 1;
                    continue;
                }
                _ if self.begins_line_comment(rest, spaced) => break,
                b'/' if rest.starts_with(b"/*") && self.language.has_slash_comments() => {
                    self.open = Some(OpenAtLineEnd::Comment);
                    2
                }
                b'"' | b'\'' | b'<' if includes && closing(rest).is_some() => {
                    let length = closing(rest).unwrap_or(1);
                    let name = base_name(&rest[1..length - 1]);
                    push(TokenKind::Word(if self.language == TextKind::CLike { name } else { stem(name) }));
                    length
                }
                b'"' | b'\'' if self.language == TextKind::Python && rest.starts_with(&[byte; 3]) => {
                    self.open = Some(OpenAtLineEnd::Text(byte));
                    push(TokenKind::Literal);
                    3
                }
                b'"' | b'\'' if self.language != TextKind::Build => match closing(rest) {
                    Some(length) if !self.is_lifetime(rest, length) => {
                        push(TokenKind::Literal);
                        length
                    }
                    _ => 1,
                },
                _ if is_word(byte) => {
                    let in_word =
                        |&&byte: &&u8| is_word(byte) || (self.language == TextKind::Build && byte == b'.');
                    let length = rest.iter().take_while(in_word).count();
                    let word = &rest[..length];
                    match (byte.is_ascii_digit(), self.language) {
                        (true, _) => push(TokenKind::Literal),
                        (false, TextKind::Build) => push(TokenKind::Word(stem(word))),
                        (false, _) => push(TokenKind::Word(word)),
                    }
                    length
                }
                _ => {
                    push(TokenKind::Mark(byte));
                    1
                }
            };
            at += length;
            spaced = false;
        }
        line
    }

    fn close(&mut self, open: OpenAtLineEnd, rest: &[u8]) -> usize {
        let end: &[u8] = match open {
            OpenAtLineEnd::Comment => b"*/",
            OpenAtLineEnd::Text(b'"') => b"\"\"\"",
            OpenAtLineEnd::Text(_) => b"'''",
        };
        match rest.windows(end.len()).position(|window| window == end) {
            Some(found) => {
                self.open = None;
                found + end.len()
            }
            None => rest.len(),
        }
    }

    fn begins_line_comment(&self, rest: &[u8], spaced: bool) -> bool {
        (rest[0] == b'#' && spaced && self.language.has_hash_comments())
            || (rest.starts_with(b"//") && self.language.has_slash_comments())
    }

    /// `'a` in Rust does not begin a literal.
    fn is_lifetime(&self, rest: &[u8], length: usize) -> bool {
        self.language == TextKind::Rust && rest[0] == b'\'' && length > 4 && !rest.starts_with(b"'\\")
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How long the literal is that begins here; `None` if it does not end in this line.
fn closing(rest: &[u8]) -> Option<usize> {
    let end = if rest[0] == b'<' { b'>' } else { rest[0] };
    let mut escaped = false;
    for (at, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return None,
            _ if byte == end => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether a line names files in its strings.
fn includes(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let holds = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
    match line.strip_prefix(b"#") {
        Some(directive) => directive.trim_ascii_start().starts_with(b"include"),
        None => {
            line.starts_with(b"import ")
                || holds(b"require(")
                || (holds(b" from ") && (line.starts_with(b"export ") || line.starts_with(b"}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, path: &str) -> Vec<Vec<String>> {
        let lines = scan(text.as_bytes(), TextKind::of_path(path.as_bytes()));
        let word = |token: &CodeToken<'_>| match token.what {
            TokenKind::Word(word) => Some(String::from_utf8_lossy(word).into_owned()),
            _ => None,
        };
        lines.iter().map(|line| line.tokens.iter().filter_map(word).collect()).collect()
    }

    #[test]
    fn comments_and_strings_hold_no_words() {
        assert_eq!(
            words("a /* b\nc */ d // e\nf(\"g\\\"h\", 'i') 0x1f\n", "x.c"),
            [vec!["a"], vec!["d"], vec!["f"]]
        );
        assert_eq!(words("a # b\n\"\"\"c\nd\"\"\" + e\n", "x.py"), [vec!["a"], vec![], vec!["e"]]);
    }

    #[test]
    fn an_included_file_is_a_word() {
        assert_eq!(words("#include \"sub/new.h\"\n# include <a.h>\n", "x.c")[0], ["include", "new.h"]);
        assert_eq!(words("const a = require('./lib/b.js')\n", "x.js")[0], ["const", "a", "require", "b"]);
        assert_eq!(words("OBJS = a.o b.o\n", "Makefile")[0], ["OBJS", "a", "b"]);
    }

    #[test]
    fn a_lifetime_opens_no_string() {
        assert_eq!(words("fn f<'a>(x: &'a str)\n", "x.rs")[0], ["fn", "f", "a", "x", "a", "str"]);
    }
}
