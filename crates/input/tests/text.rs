//! All passes together on texts without a grammar.

use howcome_input::{Document, passes, simplify};
use proptest::prelude::*;

fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
    let simplified =
        simplify(&Document::of_file("input", text), passes(), |document| fails(&document.text()));
    (simplified.document.text(), simplified.tests)
}

#[test]
fn the_select_tag_takes_no_more_than_26_tests() {
    let is_select = |text: &str| {
        text.lines().any(|line| line.starts_with("<SELECT") && line.find('>') == Some(line.len() - 1))
    };
    for end in ["", "\n"] {
        let page = format!("<SELECT NAME=\"priority\" MULTIPLE SIZE=7>{end}");
        let (text, tests) = simplified(&page, is_select);
        assert_eq!(text, "<SELECT>");
        assert!(tests <= 26, "{tests} tests");
    }
}

#[test]
fn each_structure_has_its_known_minimum() {
    let cases: [(&str, &[&str], &str); 6] = [
        ("[a]\nx = 1\ny = 2\n[b]\nx = 3\n[c]\nz = 4\n", &["[b]\n", "\nx = 3"], "[b]\nx = 3"),
        (
            "\\begin{a}\ntext\n\\end{a}\n\n\\begin{b}\nmore\n\\end{b}\n",
            &["\\begin{b}", "\\end{b}"],
            "\\begin{b}\\end{b}",
        ),
        ("all: one two\n\tcc -o all one two\n\nclean:\n\trm -f all\n", &["clean:\n\trm"], "clean:\n\trm"),
        ("id,name,size\n1,one,10\n2,two,20\n3,three,30\n", &["2,", ",20"], "2,20"),
        ("main:\n  mov eax, 1\n  jmp .end\n.end:\n  ret\n", &["jmp .end", "\n.end:"], "jmp .end\n.end:"),
        ("f(a, [1, (2, \"three\")], {4: five})", &["f(", "three"], "f(three"),
    ];
    for (text, needed, smallest) in cases {
        let (left, _) = simplified(text, |text| needed.iter().all(|needed| text.contains(needed)));
        assert_eq!(left, smallest);
    }
}

#[test]
fn deep_nesting_that_is_not_needed_is_removed_in_few_tests() {
    for (open, close) in [("(", ")"), ("{[", "]}"), ("<a>", "</a>")] {
        let deep = open.repeat(20_000) + "x" + &close.repeat(20_000);
        let (left, tests) = simplified(&deep, |text| text.contains('x'));
        assert_eq!(left, "x");
        assert!(tests < 60, "{tests} tests");
    }
}

#[test]
fn the_needed_bytes_of_binary_data_are_found() {
    let mut bytes: Vec<u8> = (0..3_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    bytes[1_000..1_004].copy_from_slice(&[0xde, 0xad, 0xbe, 0xef]);
    let simplified = simplify(&Document::of_file("data", bytes), passes(), |document| {
        document
            .parts()
            .any(|(_, part)| part.bytes().windows(4).any(|window| window == [0xde, 0xad, 0xbe, 0xef]))
    });
    assert_eq!(
        simplified.document.files()[0].1,
        howcome_input::DocumentFile::Bytes(vec![0xde, 0xad, 0xbe, 0xef], 0o644)
    );
}

const SEPARATORS: [&str; 13] =
    ["\n", " ", "\n\n", "\n  ", " (", ") ", ", ", "\n[", "]\n", " \"", "\" ", "\u{e9}", "\n\t"];

/// Words that are all different, so that none can replace another.
fn text() -> impl Strategy<Value = (Vec<String>, String)> {
    prop::collection::vec(prop::sample::select(SEPARATORS.as_slice()), 1..120).prop_map(|separators| {
        let words: Vec<String> = (0..separators.len()).map(|number| format!("Q{number}Z")).collect();
        let text =
            words.iter().zip(separators).map(|(word, separator)| format!("{word}{separator}")).collect();
        (words, text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_the_needed_text_is_left(
        (words, text) in text(),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        let mut needed: Vec<usize> = chosen.iter().map(|chosen| chosen.index(words.len())).collect();
        needed.sort_unstable();
        needed.dedup();
        let needed: Vec<&String> = needed.into_iter().map(|number| &words[number]).collect();
        let (left, _) = simplified(&text, |text| needed.iter().all(|word| text.contains(word.as_str())));
        let expected: String = needed.iter().map(|word| word.as_str()).collect();
        prop_assert_eq!(left, expected);
    }
}
