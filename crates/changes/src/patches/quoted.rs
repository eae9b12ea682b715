//! Paths as git writes them in line-based output: in quotes, like a string of C, if they contain special characters.

/// The path without quotes and escapes.
pub(crate) fn unquoted(path: &[u8]) -> Vec<u8> {
    let Some(inner) = path.strip_prefix(b"\"").and_then(|path| path.strip_suffix(b"\"")) else {
        return path.to_vec();
    };
    let mut meant = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            meant.push(*first);
            continue;
        }
        let [escaped, after @ ..] = rest else { break };
        let mut taken = after;
        meant.push(match escaped {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'3' if let [b'0'..=b'7', b'0'..=b'7', ..] = after => {
                taken = &after[2..];
                (escaped - b'0') << 6 | (after[0] - b'0') << 3 | (after[1] - b'0')
            }
            other => *other,
        });
        rest = taken;
    }
    meant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_taken_off_and_escapes_read() {
        assert_eq!(unquoted(b"plain name"), b"plain name");
        assert_eq!(unquoted(br#""a\tb\"c\\d\303\251\n""#), b"a\tb\"c\\d\xc3\xa9\n");
        assert_eq!(unquoted(b"\""), b"\"");
    }
}
