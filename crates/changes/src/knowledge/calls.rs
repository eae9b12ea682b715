//! How functions and macros are called and defined: how many arguments they take, on which lines.

use super::scan::{CodeLine, TokenKind};
use std::ops::Range;

/// A name with arguments in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) arguments: u32,
    /// The words and marks between its parentheses, as one text.
    pub(crate) text: Vec<u8>,
    /// Its lines, counted from 0.
    pub(crate) lines: Range<u32>,
}

/// Longer ones are not calls but unbalanced parentheses.
const LONGEST: usize = 60;

struct OpenCall<'a> {
    name: Option<&'a [u8]>,
    line: usize,
    commas: u32,
    text: Vec<u8>,
}

/// All calls of a text, and everything that looks like a call, such as the heads of functions and macros.
pub(crate) fn calls<'a>(lines: &[CodeLine<'a>]) -> Vec<Call<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<OpenCall<'a>> = Vec::new();
    let mut last_word = None;
    // The name in `int (name) (arguments)`.
    let mut wrapped = None;
    for (number, line) in lines.iter().enumerate() {
        // A closing brace at the margin ends a function, so nothing can be open after it.
        if line.at_margin && matches!(line.tokens.first().map(|t| t.what), Some(TokenKind::Mark(b'}'))) {
            open.clear();
        }
        open.retain(|call| number - call.line < LONGEST);
        for token in &line.tokens {
            match token.what {
                TokenKind::Mark(b'(') => {
                    open.push(OpenCall {
                        name: last_word.or(wrapped),
                        line: number,
                        commas: 0,
                        text: Vec::new(),
                    });
                }
                TokenKind::Mark(b')') => {
                    if let Some(call) = open.pop() {
                        wrapped = last_word.filter(|word| call.text == *word);
                        let empty = call.text.is_empty() || call.text == b"void";
                        let arguments = if empty { 0 } else { call.commas + 1 };
                        if let Some(outer) = open.last_mut() {
                            outer.text.push(b'(');
                            outer.text.extend_from_slice(&call.text);
                            outer.text.push(b')');
                        }
                        found.extend(call.name.map(|name| Call {
                            name,
                            arguments,
                            text: call.text,
                            lines: call.line as u32..number as u32 + 1,
                        }));
                    }
                    last_word = None;
                    continue;
                }
                TokenKind::Mark(b',') => {
                    if let Some(call) = open.last_mut() {
                        call.commas += 1;
                        call.text.push(b',');
                    }
                }
                TokenKind::Mark(mark) => {
                    open.iter_mut().last().into_iter().for_each(|call| call.text.push(mark))
                }
                TokenKind::Literal => {
                    open.iter_mut().last().into_iter().for_each(|call| call.text.push(b'"'))
                }
                TokenKind::Word(word) => {
                    if let Some(call) = open.last_mut() {
                        if call.text.last().is_some_and(u8::is_ascii_alphanumeric) {
                            call.text.push(b' ');
                        }
                        call.text.extend_from_slice(word);
                    }
                }
            }
            last_word = match token.what {
                TokenKind::Word(word) => Some(word),
                _ => None,
            };
            wrapped = None;
        }
    }
    found.sort_by_key(|call| call.lines.start);
    found
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;
    use howcome_syntax::TextKind;

    #[test]
    fn arguments_are_counted_over_several_lines_and_within_each_other() {
        let lines = scan(b"f(a, g(b,\n c), d);\nint (lua_gc) (void);\nif (x) h();\n", TextKind::CLike);
        let found: Vec<_> = calls(&lines)
            .iter()
            .map(|call| (String::from_utf8_lossy(call.name).into_owned(), call.arguments, call.lines.clone()))
            .filter(|(name, ..)| name != "if" && name != "int")
            .collect();
        let expected = [("g", 2, 0..2), ("f", 3, 0..2), ("lua_gc", 0, 2..3), ("h", 0, 3..4)];
        let expected: Vec<_> = expected.map(|(name, count, lines)| (name.to_string(), count, lines)).into();
        assert_eq!(found.len(), 4);
        assert!(expected.iter().all(|call| found.contains(call)), "{found:?}");
    }
}
