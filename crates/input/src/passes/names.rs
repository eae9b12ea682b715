//! Shortens a name in all places at once, to a name that is not used yet.

use crate::text::ascii::{is_text, is_word, words};
use crate::{Delta, Document, DocumentPart, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::Language;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Shortens names.
pub(super) struct NamesPass;

impl Pass for NamesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "names",
            about: "shorten long names in all places",
            unit: Unit::Name,
            tier: Tier::Names,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut taken: HashSet<&[u8]> = KEYWORDS.iter().map(|keyword| keyword.as_bytes()).collect();
        let mut found = FoundNames::default();
        for (piece, part) in document.parts() {
            if is_text(part.bytes()) {
                taken.extend(words(part.bytes()).map(|word| &part.bytes()[word]));
                found.in_part(piece, part);
            }
        }
        let mut free = short_names().filter(|name| !taken.contains(name.as_slice()));
        let mut deltas = Vec::new();
        let mut next: Option<Arc<[u8]>> = None;
        for (name, uses) in found.names() {
            // A short name leaves the shortest names to longer ones.
            let Some(short) = next.take().or_else(|| free.next().map(Arc::from)) else { break };
            if short.len() >= name.len() {
                next = Some(short);
                continue;
            }
            let renamed =
                |(piece, range): (PieceId, Range<usize>)| Delta::replace(piece, range, Arc::clone(&short));
            let changes = uses.into_iter().flat_map(|used| renamed(used).changes).collect();
            deltas.push(Delta { changes });
        }
        Proposals::flat(deltas)
    }
}

/// The shortest names that most languages allow, in order: single letters, then two, then three.
fn short_names() -> impl Iterator<Item = Vec<u8>> {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let longer = |names: Vec<Vec<u8>>| {
        names.into_iter().flat_map(|name| {
            LETTERS.iter().map(move |letter| {
                let mut longer = name.clone();
                longer.push(*letter);
                longer
            })
        })
    };
    let one = || LETTERS.iter().map(|letter| vec![*letter]).collect::<Vec<_>>();
    let two = move || longer(one()).collect::<Vec<_>>();
    one()
        .into_iter()
        .chain(std::iter::once_with(two).flatten())
        .chain(std::iter::once_with(move || longer(two())).flatten())
}

/// Short words that are keywords in some language.
const KEYWORDS: [&str; 30] = [
    "as", "at", "by", "do", "fi", "fn", "go", "if", "in", "is", "no", "of", "on", "or", "to", "up", "and",
    "asm", "def", "del", "for", "int", "let", "mod", "new", "not", "pub", "try", "use", "var",
];

/// The names of a document and their places, in the order in which they first occur.
#[derive(Default)]
struct FoundNames<'a> {
    names: HashMap<&'a [u8], usize>,
    uses: Vec<NameUses<'a>>,
}

struct NameUses<'a> {
    name: &'a [u8],
    /// Whether the grammar says that it is a name. A word that only looks like a name is tried if it occurs at least twice;
    /// a single word is shortened letter by letter.
    is_certain: bool,
    places: Vec<(PieceId, Range<usize>)>,
}

impl<'a> FoundNames<'a> {
    fn in_part(&mut self, piece: PieceId, part: &'a DocumentPart) {
        let bytes = part.bytes();
        let Some(tree) = part.tree() else {
            words(bytes).for_each(|word| self.add(piece, bytes, word, false));
            return;
        };
        for (id, node) in tree.iter() {
            if !node.is_named || !tree.is_leaf(id) || node.range.is_empty() {
                continue;
            }
            let text = &bytes[node.range.clone()];
            match LeafRole::of(node.kind, part.language()) {
                LeafRole::Name if is_name(text) => self.add(piece, bytes, node.range.clone(), true),
                LeafRole::Perhaps if is_name(text) => self.add(piece, bytes, node.range.clone(), false),
                LeafRole::Code => {
                    let at = |word: Range<usize>| node.range.start + word.start..node.range.start + word.end;
                    words(text).for_each(|word| self.add(piece, bytes, at(word), false));
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, piece: PieceId, bytes: &'a [u8], range: Range<usize>, is_certain: bool) {
        let name = &bytes[range.clone()];
        let index = *self.names.entry(name).or_insert(self.uses.len());
        if index == self.uses.len() {
            self.uses.push(NameUses { name, is_certain, places: Vec::new() });
        }
        self.uses[index].is_certain |= is_certain;
        self.uses[index].places.push((piece, range));
    }

    fn names(self) -> impl Iterator<Item = (&'a [u8], Vec<(PieceId, Range<usize>)>)> {
        let uses = self.uses.into_iter().filter(|uses| uses.is_certain || uses.places.len() > 1);
        uses.map(|uses| (uses.name, uses.places))
    }
}

/// What a leaf of a tree can be.
enum LeafRole {
    Name,
    Perhaps,
    /// Code that the grammar does not parse, such as the body of a macro.
    Code,
    Other,
}

impl LeafRole {
    fn of(kind: &str, language: Option<Language>) -> Self {
        // Strings are not names in programs, but in data they are.
        let is_data = language.is_some_and(|language| language.info().is_data);
        let is_any = |parts: &[&str]| parts.iter().any(|part| kind.contains(part));
        match kind {
            "preproc_arg" => Self::Code,
            "word" | "attribute_value" | "string_scalar" => Self::Perhaps,
            "string_content" if is_data => Self::Perhaps,
            _ if is_any(&["identifier", "name", "Name", "bare_key"]) => Self::Name,
            _ => Self::Other,
        }
    }
}

fn is_name(text: &[u8]) -> bool {
    text.iter().all(|byte| is_word(*byte) || *byte == b'$') && !text[0].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;

    fn renamed(name: &str, text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let document = Document::of_file(name, text);
        let found = simplify(&document, vec![Arc::new(NamesPass)], |document| fails(&document.text()));
        (found.document.text(), found.tests)
    }

    #[test]
    fn one_test_shortens_all_names_of_a_language() {
        let cases = [
            (
                "f.c",
                "#define TWO(x) (x + total)\nint total, a;\nint sum(struct thing *x) { return x->total + a; }",
                "#define b(x) (x + c)\nint c, a;\nint d(struct e *x) { return x->c + a; }",
            ),
            ("f.py", "def func(arg):\n return arg + 'arg'\n", "def a(b):\n return b + 'arg'\n"),
            ("f.js", "let first = {first, other: 1}; first.other", "let a = {a, b: 1}; a.b"),
            ("f.html", "<title id=x>a title</title>", "<b c=x>a title</b>"),
            ("f.xml", "<root key='root'/>", "<a b='root'/>"),
            (
                "f.rs",
                "fn main() { let value = 1; print!(\"{}\", value) }",
                "fn a() { let b = 1; c!(\"{}\", b) }",
            ),
            ("f.json", r#"{"name": 1, "other": ["name"]}"#, r#"{"a": 1, "other": ["a"]}"#),
            ("f.txt", "the cat saw the other cat", "a b saw a other b"),
        ];
        for (name, text, expected) in cases {
            assert_eq!(renamed(name, text, |_| true), (expected.to_owned(), 1), "{name}");
        }
    }

    #[test]
    fn a_name_that_is_needed_stays_and_the_others_do_not_get_it() {
        let (text, _) = renamed("f.c", "int main(void) { int count = b; return count + bb; }", |text| {
            text.contains("main") && text.contains("bb")
        });
        assert_eq!(
            text,
            "int main(void) { int a = b; return a + bb; }".replace("a =", "c =").replace("a +", "c +")
        );
    }

    #[test]
    fn names_are_the_same_in_all_files() {
        let (one, two) =
            (Document::of_file("f.h", "int total;"), Document::of_file("f.c", "int f() { return total; }"));
        let both = Document::new([one.pieces(), two.pieces()].concat());
        let found = simplify(&both, vec![Arc::new(NamesPass)], |_| true).document;
        assert_eq!(found.bytes_of(PieceId(0)), b"int a;");
        assert_eq!(found.bytes_of(PieceId(1)), b"int f() { return a; }");
    }

    #[test]
    fn there_is_a_name_for_each_of_many() {
        let names: Vec<Vec<u8>> = short_names().take(60_000).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 60_000);
        assert!(names.windows(2).all(|pair| pair[0].len() <= pair[1].len()));
    }
}
