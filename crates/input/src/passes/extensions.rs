//! Removes compiler extensions of C and C++, which headers are full of: attributes, `__extension__`, assembler labels. Grammars
//! seldom know all of them, so they are found by their names.

use crate::text::ascii::is_word;
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use std::collections::HashMap;
use std::ops::Range;

/// Removes attributes and other extensions.
pub(super) struct ExtensionsPass;

impl Pass for ExtensionsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "extensions",
            about: "remove __attribute__, __extension__, __restrict, __asm__ and similar extensions of C and C++",
            unit: Unit::Extension,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut found: Vec<(Delta, &[u8])> = Vec::new();
        for (piece, part) in document.parts().filter(|(_, part)| is_c(part)) {
            let bytes = part.bytes();
            let cuts = extensions(bytes).into_iter();
            found.extend(cuts.map(|range| (Delta::cut(piece, range.clone()), alike(&bytes[range]))));
        }
        if found.len() <= MOST_SINGLE {
            return Proposals::flat(found.into_iter().map(|(delta, _)| delta).collect());
        }
        let mut groups: HashMap<&[u8], usize> = HashMap::new();
        let mut deltas: Vec<Delta> = Vec::new();
        for (delta, key) in found {
            let group = *groups.entry(key).or_insert(deltas.len());
            match deltas.get_mut(group) {
                Some(known) => known.changes.extend(delta.changes),
                None => deltas.push(delta),
            }
        }
        Proposals::flat(deltas)
    }
}

/// If there are more than this, equal extensions are removed together or not at all: headers of C++ have thousands, and if a
/// declaration needs an extension, its definition needs it, too.
const MOST_SINGLE: usize = 32;

/// What equal extensions have in common: attributes their whole text, all others their word.
fn alike(text: &[u8]) -> &[u8] {
    let word = text.iter().take_while(|byte| is_word(**byte)).count();
    match text.starts_with(b"__attribute") || word == 0 {
        true => text.trim_ascii_end(),
        false => &text[..word],
    }
}

/// Whether a part is C or C++.
pub(super) fn is_c(part: &DocumentPart) -> bool {
    part.language().is_some_and(|language| language.info().is_c_family)
}

/// Words without arguments.
const WORDS: [&[u8]; 10] = [
    b"__extension__",
    b"__restrict",
    b"__restrict__",
    b"restrict",
    b"__inline",
    b"__inline__",
    b"__volatile__",
    b"__const",
    b"_Noreturn",
    b"noexcept",
];

/// Words with arguments in brackets after them.
const WITH_BRACKETS: [&[u8]; 9] = [
    b"__attribute__",
    b"__attribute",
    b"__asm__",
    b"__asm",
    b"asm",
    b"__declspec",
    b"_Alignas",
    b"alignas",
    b"noexcept",
];

/// The ranges of all extensions in order, each with the blanks on one side.
fn extensions(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_start = is_word(bytes[at]) || bytes[at..].starts_with(b"[[");
        if !is_start {
            at += 1;
            continue;
        }
        let word = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let end = at + word;
        let name = &bytes[at..end];
        let bracket = end + bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let closed = match () {
            () if word == 0 => closing(bytes, at, b"[]"),
            () if WITH_BRACKETS.contains(&name) => closing(bytes, bracket, b"()"),
            () => None,
        };
        let closed = closed.or_else(|| WORDS.contains(&name).then_some(end));
        if let Some(end) = closed {
            found.push(with_a_gap(bytes, at..end));
            at = end;
        } else {
            at = end.max(at + 1);
        }
    }
    found
}

/// Longer brackets are not attributes.
const LONGEST: usize = 1_000;

/// The end of a bracket that opens here. Quotes and backslashes in it are rare; then the worst result is a useless
/// proposal.
fn closing(bytes: &[u8], open: usize, pair: &[u8; 2]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(open).take(LONGEST) {
        match byte {
            byte if *byte == pair[0] => depth += 1,
            byte if *byte == pair[1] => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > open).then_some(at + 1);
        }
    }
    None
}

/// A range with the blanks on one side. Between two words, the blanks on the other side stay.
fn with_a_gap(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let after = bytes[range.end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let word_before = range.start > 0 && is_word(bytes[range.start - 1]);
    let word_after = bytes.get(range.end + after).is_some_and(|byte| is_word(*byte));
    match word_before && word_after {
        true => range,
        false => range.start..range.end + after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(ExtensionsPass)];
        let found = simplify(&Document::of_file("f.cpp", text), passes, |document| fails(&document.text()));
        (found.document.text(), found.tests)
    }

    #[test]
    fn one_test_removes_all_extensions() {
        let text = "extern int f (char *__restrict __p) __asm__ (\"\" \"g\") __attribute__ ((__nothrow__ , pure(1)));\n\
                    __extension__ typedef long t; [[nodiscard]] static __inline int g() noexcept(x(1)); int a[b[0]];";
        let expected = "extern int f (char *__p) ;\ntypedef long t; static int g() ; int a[b[0]];";
        assert_eq!(simplified(text, |_| true), (expected.to_owned(), 1));
    }

    #[test]
    fn an_attribute_that_is_needed_stays() {
        let text = "void f() __attribute__((noreturn)); void g() __attribute__((cold)) noexcept;";
        let (text, _) = simplified(text, |text| text.contains("noreturn"));
        assert_eq!(text, "void f() __attribute__((noreturn)); void g() ;");
    }

    #[test]
    fn equal_extensions_of_thousands_are_removed_together() {
        let (needed, other) = ("int f() noexcept;\n", "int g() __attribute__((cold)) __asm__(\"h\");\n");
        let text = needed.repeat(1_000) + &other.repeat(1_000);
        let (text, tests) = simplified(&text, |text| text.matches("noexcept").count() == 1_000);
        assert_eq!(text, needed.repeat(1_000) + &"int g() ;\n".repeat(1_000));
        assert!(tests < 10, "{tests} tests");
    }

    #[test]
    fn unclosed_brackets_cost_no_time() {
        assert!(extensions("[[ asm( ".repeat(100_000).as_bytes()).is_empty());
    }
}
