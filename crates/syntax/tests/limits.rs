//! Deeply nested texts: no parser overflows the stack or hangs, and neither does our walk.
#![cfg(feature = "grammars")]

use howcome_syntax::Language;

const DEEP: usize = 100_000;

/// Parses a text, checks that all nodes are inside their parents, and returns the depth of the tree.
fn depth(language: Language, text: &str) -> Option<u32> {
    let tree = language.parse(text.as_bytes())?;
    for node in tree.nodes() {
        let Some(parent) = node.parent.map(|parent| tree.node(parent)) else { continue };
        assert!(
            parent.range.start <= node.range.start && node.range.end <= parent.range.end,
            "{}",
            language.name()
        );
    }
    tree.nodes().iter().map(|node| node.depth).max()
}

#[test]
fn every_language_handles_a_hundred_thousand_brackets() {
    for language in Language::ALL {
        depth(language, &"(".repeat(DEEP));
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            depth(language, &(open.repeat(DEEP) + &close.repeat(DEEP)));
        }
    }
}

#[test]
fn deep_json_has_a_deep_tree() {
    let text = "[".repeat(DEEP) + &"]".repeat(DEEP);
    assert!(depth(Language::Json, &text) > Some(DEEP as u32));
}

#[test]
fn deeply_nested_elements_are_parsed_up_to_a_limit() {
    for language in [Language::Html, Language::Xml] {
        assert_eq!(depth(language, &"<a>".repeat(DEEP)), None);
        assert_eq!(depth(language, &("<a>".repeat(DEEP) + &"</a>".repeat(DEEP))), None);
        assert!(depth(language, &("<a>".repeat(1_000) + &"</a>".repeat(1_000))).is_some());
        assert!(depth(language, &("<a>".repeat(100) + &"</a>".repeat(100))) > Some(100));
    }
}

#[test]
fn deeply_nested_blocks_of_yaml_and_python_do_no_harm() {
    for pattern in ["- ", "? ", "a: ", "- a: ", ": ", "|\n", "[a: ", "{? "] {
        for deep in [50, 100, 126, 127, 128, 250, 253, 254, 255, 400, 2_000] {
            depth(Language::Yaml, &pattern.repeat(deep));
        }
    }
    for deep in [60, 119, 126, 127, 128, 254, 300, 2_000] {
        for line in ["a:\n", "- \n", "?\n", "a: |\n"] {
            let lines: String = (0..deep).map(|depth| " ".repeat(depth) + line).collect();
            depth(Language::Yaml, &lines);
        }
        let blocks: String = (0..deep).map(|depth| " ".repeat(depth) + "if a:\n").collect();
        depth(Language::Python, &format!("f'{{f\"{{1}}\"}}'\n{blocks}"));
    }
}
