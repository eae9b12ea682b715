//! For any document and any test: the result still fails, it is not larger, it is minimal if that is claimed, and the
//! reduction ends.

use howcome_dd::{Answer, Ask, Configuration, DeltaId, Outcome, Search};
use howcome_input::{Candidates, Document, DocumentFile, InputTest, PieceChange, ReductionPlan, passes};
use howcome_run::Unit;
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Typical parts of files with this name.
const FORMATS: [(&str, &[&str]); 7] = [
    (
        "f.c",
        &[
            "int f(int);\n",
            "int total = 0x1F;\n",
            "/* note */\n",
            "int f(int x) {\n\treturn x + 1.5e3;\n}\n",
            "char *s = \"a\\n\";\n",
            "if (a) {  b(); }\n",
            "// end\r\n",
            "struct s { int total; };\n",
            "#define N  10\n",
        ],
    ),
    (
        "f.py",
        &[
            "import os  # note\n",
            "def func(arg):\n    return arg\n",
            "if a:\n        b = 'xyz'\n        c()\n",
            "x = [1, 20, 300]\n",
            "'''doc'''\n",
            "class C:\n  pass\n",
            "    indented\n",
        ],
    ),
    (
        "f.json",
        &[
            "{\"key\": 1, \"other\": [true]}",
            "[12, -3.5, \"\\u0041\"]",
            ", ",
            "\"key\"",
            "{}",
            "\n  ",
            "null",
            ": ",
        ],
    ),
    (
        "f.html",
        &["<p class=\"x\">", "</p>", "a &amp; b", "<!-- c -->", "<br/>", "\n  ", "<script>f(1)</script>"],
    ),
    (
        "f.js",
        &[
            "let value = 12;\n",
            "f(value, `a${b}`);\n",
            "// c\n",
            "function f(a, b) { return a }\n",
            "({x: 'y'})\n",
        ],
    ),
    (
        "f.txt",
        &[
            "the cat saw the cat\n",
            "; note\n",
            "\n\n",
            "key = \"value\" 17\n",
            "  (a, [b])\n",
            "é",
            "# x\r\n",
        ],
    ),
    ("f.bin", &["\0\u{1}", "abc", "\n", "  ", "\u{7f}12", "\"x\""]),
];

/// A document of random parts; some have a byte that is not text.
fn document() -> impl Strategy<Value = Document> {
    let choice = (0..FORMATS.len(), prop::collection::vec(any::<prop::sample::Index>(), 1..9));
    (choice, prop::option::weighted(0.2, any::<prop::sample::Index>())).prop_map(
        |((format, chosen), spoilt)| {
            let (name, pieces) = FORMATS[format];
            let mut bytes: Vec<u8> = chosen.iter().flat_map(|index| index.get(pieces).bytes()).collect();
            if let Some(at) = spoilt.filter(|_| !bytes.is_empty()) {
                let at = at.index(bytes.len());
                bytes[at] = 0xe9;
            }
            Document::of_file(name, bytes)
        },
    )
}

/// Several kinds of tests, most of them not monotone. All fail with the document that they are made for.
#[derive(Clone, Debug)]
struct GeneratedTest {
    original: Vec<u8>,
    /// Texts that must be there.
    needed: Vec<Vec<u8>>,
    /// A seed, and a number: one of so many texts fails, at random.
    at_random: Option<(u64, u64)>,
    /// Whether brackets must match.
    matches: bool,
}

impl GeneratedTest {
    fn fails(&self, bytes: &[u8]) -> bool {
        if bytes == self.original {
            return true;
        }
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, bytes).hash(&mut hasher);
            hasher.finish()
        };
        self.needed.iter().all(|needed| bytes.windows(needed.len()).any(|window| window == needed))
            && self.at_random.is_none_or(|(seed, one_of)| hash(seed) % one_of == 0)
            && (!self.matches || is_matched(bytes) || !is_matched(&self.original))
    }
}

fn is_matched(bytes: &[u8]) -> bool {
    let mut open = Vec::new();
    let closes = bytes.iter().all(|byte| match byte {
        b'(' | b'[' | b'{' => {
            open.push(*byte);
            true
        }
        b')' => open.pop() == Some(b'('),
        b']' => open.pop() == Some(b'['),
        b'}' => open.pop() == Some(b'{'),
        _ => true,
    });
    closes && open.is_empty()
}

fn case() -> impl Strategy<Value = (Document, GeneratedTest)> {
    let needed = prop::collection::vec((any::<prop::sample::Index>(), 1..4_usize), 0..4);
    let at_random = prop::option::of((any::<u64>(), 2..6_u64));
    (document(), needed, at_random, any::<bool>()).prop_map(|(document, needed, at_random, matches)| {
        let original = bytes(&document);
        let part = |(at, length): (prop::sample::Index, usize)| {
            let start = at.index(original.len());
            original[start..original.len().min(start + length)].to_vec()
        };
        let needed = needed.into_iter().map(part).collect();
        (document, GeneratedTest { original, needed, at_random, matches })
    })
}

/// The bytes of the only file; none if it was removed.
fn bytes(document: &Document) -> Vec<u8> {
    match document.files().as_slice() {
        [(_, DocumentFile::Bytes(bytes, _))] => bytes.clone(),
        _ => Vec::new(),
    }
}

struct ReducedCase {
    document: Document,
    minimal_in: Option<Unit>,
    stages: usize,
}

/// Runs all passes, and checks after each stage that the document fails and is not larger.
fn run(document: &Document, test: &GeneratedTest) -> ReducedCase {
    let given = Arc::new(InputTest::default());
    let mut document = document.clone();
    let mut plan = ReductionPlan::new(passes(), &document);
    let most = 200 + 20 * document.size() as usize;
    let mut stages = 0;
    while let Some(planned) = plan.next(&document) {
        stages += 1;
        assert!(stages < most, "no end: {} of {:?}", planned.name, document.text());
        let candidates = Candidates::new(document.clone(), &planned.proposals.deltas, Arc::clone(&given));
        let mut search = planned.search(&document);
        let left = loop {
            let question = match search.ask() {
                Ask::Done(found) => break found.failing,
                Ask::Test(question) => question,
            };
            let fails = test.fails(&bytes(&candidates.document(&question.configuration)));
            search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
        };
        let after = candidates.document(&left);
        assert!(
            test.fails(&bytes(&after)),
            "{} ends with what does not fail: {:?}",
            planned.name,
            after.text()
        );
        assert!(after.size() <= document.size(), "{} makes it larger: {:?}", planned.name, after.text());
        document = plan.tell(&planned, document, &left, after, 0);
    }
    ReducedCase { document, minimal_in: plan.minimal_in(), stages }
}

/// All units of a text.
fn units(bytes: &[u8], unit: Unit) -> Vec<std::ops::Range<usize>> {
    let lengths: Vec<usize> = match (unit, std::str::from_utf8(bytes)) {
        (Unit::Character, Ok(text)) => text.chars().map(char::len_utf8).collect(),
        (Unit::Byte | Unit::Character, _) => vec![1; bytes.len()],
        (Unit::Line, _) => bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::len).collect(),
        _ => Vec::new(),
    };
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end - length..*end)
    });
    ends.collect()
}

fn without(bytes: &[u8], unit: std::ops::Range<usize>) -> Vec<u8> {
    [&bytes[..unit.start], &bytes[unit.end..]].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_result_fails_is_not_larger_and_as_small_as_it_claims((document, test) in case()) {
        let ended = run(&document, &test);
        let result = bytes(&ended.document);
        prop_assert!(test.fails(&result));
        prop_assert!(ended.document.size() <= document.size());
        let Some(unit) = ended.minimal_in else { return Ok(()) };
        for one in units(&result, unit) {
            let smaller = without(&result, one.clone());
            prop_assert!(!test.fails(&smaller), "the {unit} {one:?} of {:?} can go", ended.document.text());
        }
    }

    #[test]
    fn the_same_document_and_test_give_the_same_result((document, test) in case()) {
        let (one, two) = (run(&document, &test), run(&document, &test));
        prop_assert_eq!(bytes(&one.document), bytes(&two.document));
        prop_assert_eq!(one.stages, two.stages);
    }

    #[test]
    fn no_pass_proposes_a_delta_that_changes_nothing_or_adds_bytes(document in document()) {
        for pass in passes() {
            let deltas = pass.proposals(&document).deltas;
            let candidates = Candidates::new(document.clone(), &deltas, Arc::default());
            let all = Configuration::all(deltas.len() as u32);
            for (number, delta) in deltas.iter().enumerate() {
                if !delta.changes.iter().all(|change| matches!(change, PieceChange::Replace { .. })) {
                    continue;
                }
                let only = Configuration::from_iter([DeltaId(number as u32)]);
                let after = candidates.document(&all.without(&only));
                prop_assert!(after.size() <= document.size(), "{} of {:?}: {delta:?}", pass.name(), document.text());
                prop_assert!(
                    bytes(&after) != bytes(&document), "{} of {:?}: {delta:?}", pass.name(), document.text()
                );
            }
        }
    }
}

#[test]
fn no_character_of_a_small_answer_can_be_removed() {
    let document = Document::of_file("f.c", "int main(void) { return 0; } /* the end */\n");
    let needed = vec![b"main".to_vec(), b"{".to_vec(), b"}".to_vec()];
    let test = GeneratedTest { original: bytes(&document), needed, at_random: None, matches: true };
    let ended = run(&document, &test);
    assert_eq!(ended.document.text(), "main{}");
    assert_eq!(ended.minimal_in, Some(Unit::Character));
}
