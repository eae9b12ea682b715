//! Every format: a realistic input, a test whose smallest input is known, and an independent check that the answer is minimal.
#![cfg(feature = "grammars")]
#![allow(clippy::unwrap_used)]

use howcome_input::{
    Document, DocumentFile, DocumentPart, Language, Piece, PieceKind, Reduced, passes, simplify,
};
use howcome_run::Unit;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file, two kinds of nodes of which one must be in the other, and a small file that has them.
type FormatCase = (&'static str, [&'static str; 2], &'static str);

const LANGUAGES: [FormatCase; 16] = [
    ("input.sh", ["for_statement", "command_substitution"], "for a in\"\";do$(s)\ndone"),
    ("input.c", ["call_expression", "string_literal"], "a(\"\");"),
    ("input.cpp", ["template_declaration", "field_declaration_list"], "template<>class{};"),
    ("input.css", ["rule_set", "call_expression"], "a{b:c()}"),
    ("input.go", ["if_statement", "call_expression"], "func(){if 0{a()}}"),
    ("input.html", ["element", "attribute"], "<html b=\"\">"),
    ("Input.java", ["method_declaration", "method_invocation"], "i a(){b();}"),
    ("input.js", ["arrow_function", "call_expression"], "()=>a()"),
    ("input.json", ["array", "pair"], "[{\"\":0}]"),
    ("input.py", ["for_statement", "call"], "for a in b():"),
    ("input.rs", ["match_expression", "call_expression"], "fn a(){match 0{0=>b()}}"),
    ("input.sql", ["select", "term"], "DELETE FROM a WHERE(SELECT())"),
    ("input.toml", ["table", "array"], "[a]\n0=[]"),
    ("input.ts", ["interface_declaration", "property_signature"], "interface a{b}"),
    ("input.xml", ["element", "Attribute"], "<a b=\"\"></a>"),
    ("input.yaml", ["block_sequence", "flow_mapping"], "- {}"),
];

fn input(name: &str) -> Vec<u8> {
    let path = [env!("CARGO_MANIFEST_DIR"), "tests", "formats", name].iter().collect::<PathBuf>();
    std::fs::read(path).unwrap()
}

/// Whether a text has no errors, and a node of the second kind in one of the first.
fn has(language: Language, bytes: &[u8], [outer, inner]: [&str; 2]) -> bool {
    let Some(tree) = language.parse(bytes) else { return false };
    let outers = tree.iter().filter(|(_, node)| node.kind == outer);
    let mut inside = outers.flat_map(|(id, _)| &tree.nodes()[id.index() + 1..tree.node(id).after.index()]);
    inside.any(|node| node.kind == inner) && tree.nodes().iter().all(|node| !node.is_error)
}

/// The bytes of the only file.
fn bytes(document: &Document) -> Vec<u8> {
    match document.files().as_slice() {
        [(_, DocumentFile::Bytes(bytes, _))] => bytes.clone(),
        _ => Vec::new(),
    }
}

/// Simplifies one file, and checks that no single unit of the result can be removed, as it claims.
fn checked(name: &str, original: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Reduced {
    assert!(fails(&original), "{name} does not fail");
    let document = Document::of_file(name, original);
    let simplified = simplify(&document, passes(), |document| fails(&bytes(document)));
    let result = bytes(&simplified.document);
    assert!(fails(&result), "{name}: the result does not fail");
    let unit = simplified.minimal_in.unwrap_or_else(|| panic!("{name}: nothing is claimed"));
    let units = units(&result, unit);
    assert!(!units.is_empty(), "{name}: {unit} is not known here");
    for one in units {
        let smaller = [&result[..one.start], &result[one.end..]].concat();
        assert!(!fails(&smaller), "{name}: the {unit} {one:?} of {:?} can go", simplified.document.text());
    }
    simplified
}

fn units(bytes: &[u8], unit: Unit) -> Vec<Range<usize>> {
    let wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) && bytes.len().is_multiple_of(2);
    let lengths: Vec<usize> = match (unit, std::str::from_utf8(bytes)) {
        (Unit::Character, _) if wide => vec![2; bytes.len() / 2],
        (Unit::Character, Ok(text)) => text.chars().map(char::len_utf8).collect(),
        (Unit::Byte | Unit::Character, _) => vec![1; bytes.len()],
        (Unit::Line, _) => bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::len).collect(),
        _ => Vec::new(),
    };
    let ranges = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end - length..*end)
    });
    ranges.collect()
}

fn holds(bytes: &[u8], needed: &[u8]) -> bool {
    bytes.windows(needed.len()).any(|window| window == needed)
}

#[test]
fn hardly_anything_is_left_in_every_language() {
    for (name, kinds, small) in LANGUAGES {
        let original = input(name);
        let language = Language::of(name.as_ref(), &original).unwrap();
        assert!(has(language, small.as_bytes(), kinds), "{name}");
        let simplified = checked(name, original, |bytes| has(language, bytes, kinds));
        let text = simplified.document.text();
        assert!(text.len() <= small.len(), "{name}: {text:?} is larger than {small:?}");
        assert!(simplified.tests < 500, "{name}: {} tests", simplified.tests);
    }
}

#[test]
fn every_input_is_without_errors_in_its_language() {
    for (name, _, _) in LANGUAGES {
        let original = input(name);
        let language = Language::of(name.as_ref(), &original).unwrap();
        let tree = language.parse(&original).unwrap();
        let wrong = tree.nodes().iter().find(|node| node.is_error);
        let text = wrong.map(|node| String::from_utf8_lossy(&original[node.range.clone()]).into_owned());
        assert_eq!(text, None, "{name}");
    }
}

/// A test that is not monotone: a text fails if the sum of its bytes is a multiple of a number.
#[test]
fn what_is_claimed_holds_for_tests_that_are_not_monotone() {
    for (name, kinds, _) in LANGUAGES {
        let original = input(name);
        let language = Language::of(name.as_ref(), &original).unwrap();
        let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>() % 5;
        let wanted = sum(&original);
        checked(name, original, |bytes| sum(bytes) == wanted && has(language, bytes, kinds));
    }
}

#[test]
fn json_is_simplified_as_data_whatever_it_is_called() {
    let fails = |bytes: &[u8]| {
        has(Language::Json, bytes, ["array", "object"]) && holds(bytes, b"percent") && holds(bytes, b"10")
    };
    let simplified = checked("crash-1", input("input.json"), fails);
    assert!(simplified.document.size() <= b"[{\"percent\":10}]".len() as u64);
}

#[test]
fn xml_is_simplified_as_data_whatever_it_is_called() {
    let fails = |bytes: &[u8]| has(Language::Xml, bytes, ["element", "CDSect"]);
    let simplified = checked("crash-1", input("input.xml"), fails);
    assert_eq!(simplified.document.text(), "<a><![CDATA[]]></a>");
}

#[test]
fn unknown_text_is_lines_words_and_characters() {
    let fails = |bytes: &[u8]| holds(bytes, b"[#482]") && holds(bytes, b"plums");
    let simplified = checked("input.txt", input("input.txt"), fails);
    assert_eq!(simplified.document.text(), "[#482]plums");
}

#[test]
fn texts_keep_their_encodings() {
    let text = String::from_utf8(input("input.txt")).unwrap();
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let result = checked("input.txt", latin, |bytes| holds(bytes, b"C\xe9line") && holds(bytes, b"Bob"));
    assert_eq!(bytes(&result.document), b"BobC\xe9line");

    let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let needed: Vec<u8> = "Céline".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let fails = |bytes: &[u8]| {
        bytes.starts_with(b"\xff\xfe") && bytes.len().is_multiple_of(2) && holds(bytes, &needed)
    };
    let result = checked("input.txt", wide, fails);
    assert_eq!(bytes(&result.document), [b"\xff\xfe", needed.as_slice()].concat());
}

#[test]
fn binary_data_is_bytes() {
    let data: Vec<u8> = (0..3_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (one, other) = (data[700..704].to_vec(), data[2_000..2_003].to_vec());
    let result = checked("input.bin", data, |bytes| holds(bytes, &one) && holds(bytes, &other));
    assert_eq!(bytes(&result.document).len(), one.len() + other.len());
}

#[test]
fn only_the_needed_files_of_a_folder_are_left() {
    let piece = |name: &str, inside, kind| Piece { name: name.into(), inside, mode: 0o644, kind };
    let file =
        |name: &str| piece(name, 0, PieceKind::Part(Arc::new(DocumentPart::of(name.as_ref(), input(name)))));
    let mut pieces = vec![piece("source", 19, PieceKind::Folder), file("input.c"), file("input.txt")];
    pieces.push(piece("inner", 16, PieceKind::Folder));
    pieces.extend(LANGUAGES.iter().map(|(name, _, _)| file(name)));
    let document = Document::new(pieces);
    let fails = |document: &Document| {
        let of = |path: &str| {
            document.files().into_iter().find_map(|(at, file)| match file {
                DocumentFile::Bytes(bytes, _) if at == Path::new(path) => Some(bytes),
                _ => None,
            })
        };
        let source = of("source/inner/input.py").filter(|bytes| holds(bytes, b"def"));
        source.is_some() && of("source/input.c").is_some_and(|bytes| holds(&bytes, b"#include"))
    };
    assert!(fails(&document));
    let simplified = simplify(&document, passes(), fails);
    let files = simplified.document.files();
    let contents = files.iter().filter_map(|(path, file)| match file {
        DocumentFile::Bytes(bytes, _) => Some((path.to_str()?, String::from_utf8_lossy(bytes).into_owned())),
        _ => None,
    });
    let expected = [("source/input.c", "#include".to_owned()), ("source/inner/input.py", "def".to_owned())];
    assert_eq!(contents.collect::<Vec<_>>(), expected);
}
