//! Test functions and modules inside a source file: `#[cfg(test)] mod tests` and `#[test]` in Rust, `TestCase` in Python.

use crate::trees::tree_path::TreePath;
use std::ops::Range;

/// A function, type, module or import at the top of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TopItem {
    /// Its kind and its name. Two items of a file can have the same.
    pub(super) key: String,
    /// Its bytes, with its attributes and comments, as whole lines.
    pub(super) range: Range<usize>,
    /// Whether only tests use it.
    pub(super) is_test: bool,
}

/// Whether files of this name can have test items.
pub(super) fn can_have_test_items(path: &TreePath) -> bool {
    [&b".rs"[..], b".py"].iter().any(|end| path.as_bytes().ends_with(end))
}

/// Whether a file of this name can have test items, by its words alone. Most files need not be parsed.
pub(super) fn mentions_test_items(path: &TreePath, bytes: &[u8]) -> bool {
    match path.as_bytes().ends_with(b".py") {
        true => mentions_python_tests(bytes),
        false => bytes.windows(4).any(|window| window.eq_ignore_ascii_case(b"test")),
    }
}

/// Whether a line of Python starts the definition of a function with the name of a test, or the name of a class of tests is anywhere.
fn mentions_python_tests(bytes: &[u8]) -> bool {
    let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|window| window == word);
    let is_ended = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let starts_test = |line: &[u8]| {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
        (line.starts_with(b"def") || line.starts_with(b"async"))
            // The name can be on the next line.
            && (has(line, b"test_") || line.ends_with(b"\\"))
    };
    bytes.split(is_ended).any(|line| starts_test(line) || has(line, b"TestCase"))
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The items at the top of a file in their order. `None` if its language is unknown, or it does not parse: then nobody knows where a
/// test ends.
pub(super) fn top_items(path: &TreePath, bytes: &[u8]) -> Option<Vec<TopItem>> {
    if !can_have_test_items(path) || bytes.len() > crate::syntax::LARGEST {
        return None;
    }
    parsed(path, bytes)
}

#[cfg(not(feature = "syntax"))]
fn parsed(_: &TreePath, _: &[u8]) -> Option<Vec<TopItem>> {
    None
}

#[cfg(feature = "syntax")]
fn parsed(path: &TreePath, bytes: &[u8]) -> Option<Vec<TopItem>> {
    use howcome_syntax::{Language, NodeId};
    let text = std::str::from_utf8(bytes).ok()?;
    let is_rust = path.as_bytes().ends_with(b".rs");
    let tree = Language::of(path.as_path(), bytes)?.parse(bytes)?;
    if tree.nodes().iter().any(|node| node.is_error) {
        return None;
    }
    let mut items = Vec::new();
    // What comes before an item and belongs to it: attributes and comments.
    let mut before: Vec<Range<usize>> = Vec::new();
    for id in tree.children(NodeId(0)) {
        let node = tree.node(id);
        let range = node.range.clone();
        let own = &text[range.clone()];
        if node.kind == "attribute_item" || node.kind.ends_with("comment") {
            // A comment that is not directly above an item belongs to none.
            let is_apart =
                before.last().is_some_and(|last| text[last.end..range.start].matches('\n').count() > 1);
            if is_apart {
                before.clear();
            }
            before.push(range);
            continue;
        }
        let is_apart =
            before.last().is_some_and(|last| text[last.end..range.start].matches('\n').count() > 1);
        let attributes = if is_apart { Vec::new() } else { std::mem::take(&mut before) };
        before.clear();
        let definition = tree.child(id, "definition").unwrap_or(id);
        let name = tree.child(definition, "name").map(|name| &text[tree.node(name).range.clone()]);
        let head = || own.split(['{', '\n']).next().unwrap_or_default().trim();
        let is_test = match is_rust {
            true => attributes.iter().any(|attribute| is_test_attribute(&text[attribute.clone()])),
            false => is_python_test(
                tree.node(definition).kind,
                name.unwrap_or_default(),
                &text[tree.node(definition).range.clone()],
            ),
        };
        let start = attributes.first().map_or(range.start, |first| first.start);
        items.push(TopItem {
            key: format!("{} {}", node.kind, name.unwrap_or_else(head)),
            range: whole_lines(text, start..range.end),
            is_test,
        });
    }
    Some(items)
}

/// Whether an attribute of Rust says that only tests use an item.
#[cfg(feature = "syntax")]
fn is_test_attribute(attribute: &str) -> bool {
    let plain: String = attribute.chars().filter(|letter| !letter.is_whitespace()).collect();
    let Some(plain) = plain.strip_prefix("#[").and_then(|plain| plain.strip_suffix(']')) else {
        return false;
    };
    let (path, arguments) = plain.split_once('(').unwrap_or((plain, ""));
    match path {
        "cfg" => {
            let mut words = arguments.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.any(|word| word == "test") && !arguments.contains("not(") && !arguments.starts_with("any(")
        }
        path => ["test", "rstest", "test_case", "quickcheck", "proptest", "bench"]
            .contains(&path.rsplit("::").next().unwrap_or_default()),
    }
}

/// Whether a definition of Python is a test: `def test_total`, `class Cart(unittest.TestCase)`.
#[cfg(feature = "syntax")]
fn is_python_test(kind: &str, name: &str, text: &str) -> bool {
    match kind {
        "function_definition" => name.starts_with("test_"),
        "class_definition" => text.split(':').next().is_some_and(|head| head.contains("TestCase")),
        _ => false,
    }
}

/// A range, extended to the whole lines of it.
#[cfg(feature = "syntax")]
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let start = if text[start..range.start].trim().is_empty() { start } else { range.start };
    let end = match range.end > 0 && text.as_bytes()[range.end - 1] == b'\n' {
        true => range.end,
        false => text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline + 1),
    };
    start..end
}

#[cfg(test)]
#[cfg(feature = "syntax")]
mod tests {
    use super::*;

    fn tests_of<'a>(path: &str, text: &'a str) -> Vec<&'a str> {
        let items = top_items(&TreePath::new(path.as_bytes()).unwrap(), text.as_bytes()).unwrap();
        items.into_iter().filter(|item| item.is_test).map(|item| &text[item.range]).collect()
    }

    #[test]
    fn a_test_of_rust_is_told_by_its_attributes_and_has_them() {
        let text = "use a::b;\n#[cfg(test)]\nuse c::d;\n\nfn f() {}\n\n/// Checks.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n\
                    \n#[tokio::test]\nasync fn g() {}\n\n#[cfg(not(test))]\nfn h() {}\n#[derive(Debug)]\nstruct S;\n";
        assert_eq!(
            tests_of("a.rs", text),
            [
                "#[cfg(test)]\nuse c::d;\n",
                "/// Checks.\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n",
                "#[tokio::test]\nasync fn g() {}\n"
            ]
        );
    }

    #[test]
    fn a_test_of_python_is_a_function_or_a_test_case() {
        let text = "import unittest\n\ndef total(a):\n    return a\n\ndef test_total():\n    assert total(1)\n\n\
                    class Total(unittest.TestCase):\n    def test(self):\n        pass\n\nclass Cart:\n    pass\n";
        assert_eq!(
            tests_of("cart.py", text),
            [
                "def test_total():\n    assert total(1)\n",
                "class Total(unittest.TestCase):\n    def test(self):\n        pass\n"
            ]
        );
    }

    #[test]
    fn a_file_that_is_not_parsed_has_no_tests() {
        let texts = [
            "def test_total():\n    pass\n",
            "\u{feff}def test_total():\n    pass\n",
            "@slow\nasync  def\ttest_total():\n    pass\n",
            "def \\\n  test_total():\n    pass\n",
            "x = 1\r\ndef test_total(): pass\r\n",
            "\x0cdef test_total():\n    pass\n",
            "class Total(\n    unittest.TestCase\n):\n    pass\n",
            "class MyTestCase:\n    pass\n",
            "def total():\n    return latest_total\n\ndef testing():\n    pass\n",
            "x = 'def test_total'\n",
        ];
        let path = TreePath::new(b"cart.py").unwrap();
        for text in texts {
            let has_tests =
                top_items(&path, text.as_bytes()).is_some_and(|items| items.iter().any(|item| item.is_test));
            assert!(!has_tests || mentions_test_items(&path, text.as_bytes()), "{text}");
        }
        assert!(texts[..8].iter().all(|text| mentions_test_items(&path, text.as_bytes())));
        assert!(!texts[8..].iter().any(|text| mentions_test_items(&path, text.as_bytes())));
    }

    #[test]
    fn of_a_text_that_does_not_parse_nothing_is_known() {
        let path = TreePath::new(b"a.rs").unwrap();
        assert_eq!(top_items(&path, b"fn f( {\n#[test]\nfn t() {}\n"), None);
        assert_eq!(top_items(&TreePath::new(b"a.c").unwrap(), b"int x;\n"), None);
    }
}
