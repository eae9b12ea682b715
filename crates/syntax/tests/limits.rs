//! Texts that are deep: no parser overflows, and neither does our walk.
#![cfg(feature = "grammars")]

use howcome_syntax::Language;

const DEEP: usize = 100_000;

/// Whatever the answer: there is one, and in it all nodes are inside their parents.
fn look_at(language: Language, text: &str) -> Option<u32> {
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
fn a_hundred_thousand_brackets_are_borne_by_every_language() {
    for language in Language::ALL {
        look_at(language, &"(".repeat(DEEP));
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            look_at(language, &(open.repeat(DEEP) + &close.repeat(DEEP)));
        }
    }
}

#[test]
fn deep_json_has_a_deep_tree() {
    let text = "[".repeat(DEEP) + &"]".repeat(DEEP);
    assert!(look_at(Language::Json, &text) > Some(DEEP as u32));
}

#[test]
fn elements_are_borne_as_deep_as_they_can_be() {
    for language in [Language::Html, Language::Xml] {
        assert_eq!(look_at(language, &"<a>".repeat(DEEP)), None);
        assert_eq!(look_at(language, &("<a>".repeat(DEEP) + &"</a>".repeat(DEEP))), None);
        assert!(look_at(language, &("<a>".repeat(1_000) + &"</a>".repeat(1_000))).is_some());
        assert!(look_at(language, &("<a>".repeat(100) + &"</a>".repeat(100))) > Some(100));
    }
}

#[test]
fn blocks_of_yaml_and_python_are_borne_as_deep_as_they_can_be() {
    for pattern in ["- ", "? ", "a: ", "- a: ", ": ", "|\n", "[a: ", "{? "] {
        for deep in [50, 100, 126, 127, 128, 250, 253, 254, 255, 400, 2_000] {
            look_at(Language::Yaml, &pattern.repeat(deep));
        }
    }
    for deep in [60, 119, 126, 127, 128, 254, 300, 2_000] {
        for line in ["a:\n", "- \n", "?\n", "a: |\n"] {
            let lines: String = (0..deep).map(|depth| " ".repeat(depth) + line).collect();
            look_at(Language::Yaml, &lines);
        }
        let blocks: String = (0..deep).map(|depth| " ".repeat(depth) + "if a:\n").collect();
        look_at(Language::Python, &format!("f'{{f\"{{1}}\"}}'\n{blocks}"));
    }
}
