//! The tokens of a line of code, in any language.

/// A token, and the blanks before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineToken<'a> {
    pub(super) blanks: &'a [u8],
    pub(super) text: &'a [u8],
}

impl LineToken<'_> {
    /// Whether it is a name, a number or a string, and not a mark or the name of a method that is called.
    pub(super) fn is_operand(&self) -> bool {
        is_word(self.text[0]) || is_quote(self.text[0])
    }

    /// Whether it can be another version of a token: the same, or an operand too.
    pub(super) fn is_like(&self, other: &LineToken<'_>) -> bool {
        self.text == other.text || self.is_operand() && other.is_operand()
    }

    /// Whether it is a name.
    pub(super) fn is_name(&self) -> bool {
        is_word(self.text[0]) && !self.text[0].is_ascii_digit()
    }
}

/// The names of a chain such as `a.b.c`.
pub(super) fn links(chain: &[u8]) -> Vec<&[u8]> {
    chain.split(|byte| !is_word(*byte)).filter(|link| !link.is_empty()).collect()
}

/// Names with their qualifiers, strings, and marks. The name of a method that is called is a token of its own.
pub(super) fn tokens(line: &[u8]) -> Vec<LineToken<'_>> {
    tokens_between(line, |text| text.iter().take_while(|byte| byte.is_ascii_whitespace()).count())
}

/// The same of several lines, with comments between `/*` and `*/` as blanks.
pub(super) fn tokens_of_code(lines: &[u8]) -> Vec<LineToken<'_>> {
    let blanks = |text: &[u8]| {
        let mut at = 0;
        loop {
            at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if !text[at..].starts_with(b"/*") {
                return at;
            }
            let end = text[at..].windows(2).position(|end| end == b"*/");
            at = end.map_or(text.len(), |end| at + end + 2);
        }
    };
    tokens_between(lines, blanks)
}

fn tokens_between(line: &[u8], length_of_blanks: impl Fn(&[u8]) -> usize) -> Vec<LineToken<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let start = at + length_of_blanks(&line[at..]);
        if start == line.len() {
            break;
        }
        let blanks = &line[at..start];
        let end = start + token_length(&line[start..]);
        let chain = &line[start..end];
        let last = last_link(chain).filter(|last| *last > 0 && line.get(end) == Some(&b'('));
        match last {
            Some(last) => {
                tokens.push(LineToken { blanks, text: &chain[..last] });
                tokens.push(LineToken { blanks: b"", text: &chain[last..] });
            }
            None => tokens.push(LineToken { blanks, text: chain }),
        }
        at = end;
    }
    tokens
}

pub(super) const LINKS: [&[u8]; 4] = [b"->", b"::", b"?.", b"."];

const MARKS: [&[u8]; 22] = [
    b"===", b"!==", b"...", b"<<=", b">>=", b"**=", b"=>", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"+=",
    b"-=", b"*=", b"/=", b"++", b"--", b"<<", b">>", b"**",
];

pub(super) const OPERATORS: [&[u8]; 19] = [
    b"<", b"<=", b">", b">=", b"==", b"!=", b"===", b"!==", b"+", b"-", b"*", b"/", b"%", b"+=", b"-=",
    b"&&", b"||", b"and", b"or",
];

fn token_length(text: &[u8]) -> usize {
    if is_quote(text[0])
        && let Some(length) = string_length(text)
    {
        return length;
    }
    let mut length = 0;
    loop {
        let link = LINKS.iter().find(|link| text[length..].starts_with(link)).map_or(0, |link| link.len());
        let word = text[length + link..].iter().take_while(|byte| is_word(**byte)).count();
        if word == 0 || (length > 0 && link == 0) {
            break;
        }
        length += link + word;
    }
    if length > 0 {
        return length;
    }
    MARKS.iter().find(|mark| text.starts_with(mark)).map_or(1, |mark| mark.len())
}

/// The length of the string that a text starts with, if it ends in the same line.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == text[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Where the last link of a chain such as `a.b.c` begins.
fn last_link(chain: &[u8]) -> Option<usize> {
    if is_quote(chain[0]) {
        return None;
    }
    let word = chain.iter().rev().take_while(|byte| is_word(**byte)).count();
    let before = chain.len() - word;
    let link = LINKS.iter().find(|link| chain[..before].ends_with(link))?;
    Some(before - link.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@') || !byte.is_ascii()
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let texts = tokens(line.as_bytes()).into_iter();
        texts.map(|token| String::from_utf8_lossy(token.text).into_owned()).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn comments_in_code_are_blanks() {
        let tokens = tokens_of_code(b"int n; /* of all */ /**/\n  n /= 2; /* open");
        let texts: Vec<&[u8]> = tokens.iter().map(|token| token.text).collect();
        assert_eq!(texts, [&b"int"[..], b"n", b";", b"n", b"/=", b"2", b";"]);
        assert_eq!(tokens[3].blanks, b" /* of all */ /**/\n  ");
    }

    #[test]
    fn the_name_of_a_called_method_is_a_token_of_its_own() {
        assert_eq!(
            shown("x = self.a.b.get(i->n, 'a b')"),
            "x | = | self.a.b | .get | ( | i->n | , | 'a b' | )"
        );
        let mixed = "f | ( | g | ) | .len | ( | ) | >= | 2.5 | / | / | don | ' | t";
        assert_eq!(shown("f(g).len() >= 2.5 // don't"), mixed);
    }
}
