//! Passes over syntax trees, each with texts whose smallest form is known. A text counts only if it fits its grammar.

use howcome_input::{Document, Pass, passes, simplify};
use std::sync::Arc;

fn chosen(names: &[&str]) -> Vec<Arc<dyn Pass>> {
    let chosen: Vec<_> = passes().into_iter().filter(|pass| names.contains(&pass.name())).collect();
    assert_eq!(chosen.len(), names.len(), "no such pass");
    chosen
}

fn fits_its_grammar(document: &Document) -> bool {
    document.parts().all(|(_, part)| match part.tree() {
        Some(tree) => tree.nodes().iter().all(|node| !node.is_error),
        None => false,
    })
}

/// The result of some passes for a text in which some words are needed.
fn made_of(names: &[&str], file: &str, text: &str, needed: &[&str]) -> String {
    let holds = |document: &Document| {
        let text = document.text();
        fits_its_grammar(document) && needed.iter().all(|word| text.contains(word))
    };
    let document = Document::of_file(file, text);
    assert!(holds(&document), "the text itself does not count");
    simplify(&document, chosen(names), holds).document.text()
}

#[test]
fn elements_are_removed_with_their_commas() {
    for (needed, left) in [("1", "[1]"), ("2", "[ 2]"), ("3", "[ 3]")] {
        assert_eq!(made_of(&["nodes"], "a.json", "[1, 2, 3]", &[needed]), left);
    }
}

#[test]
fn the_token_that_introduces_a_node_is_removed_with_it() {
    let python = made_of(&["nodes"], "a.py", "def f(a, b=1) -> int:\n    return a\n", &["def f", "return"]);
    assert_eq!(python, "def f():\n    return\n");
    let rust = made_of(&["nodes"], "a.rs", "fn f() -> u8 { let x: u8 = 1; }", &["let x"]);
    assert_eq!(rust, "fn f() { let x; }");
}

#[test]
fn a_block_of_python_keeps_a_statement() {
    let text = "def f():\n    aaa = 1\n    if aaa:\n        b()\n    return 1\n";
    // The description of the grammar allows an empty block; Python does not.
    let fails = |document: &Document| document.text().contains("def f():\n    ");
    let simplified = simplify(&Document::of_file("a.py", text), chosen(&["nodes"]), fails);
    assert_eq!(simplified.document.text(), "def f():\n    0\n");
    assert!(simplified.tests <= 5, "{} tests", simplified.tests);
}

#[test]
fn a_value_deep_inside_replaces_the_whole_in_few_tests() {
    let text = format!("{}{}{}", "{\"k\": [".repeat(500), "[42, 7]", "]}".repeat(500));
    let holds = |document: &Document| fits_its_grammar(document) && document.text().contains("42");
    let simplified = simplify(&Document::of_file("a.json", text), chosen(&["children"]), holds);
    assert_eq!(simplified.document.text(), "42");
    assert!(simplified.tests <= 30, "{} tests", simplified.tests);
}

#[test]
fn an_expression_becomes_one_of_its_parts() {
    let text = "int f(void) { return g(aaaa + b, cc * (dd - 1)); }\n";
    let left = made_of(&["children", "smaller-children"], "a.c", text, &["return", "dd"]);
    assert_eq!(left, "int f(void) { return dd; }\n");
    assert_eq!(
        made_of(&["children", "smaller-children"], "a.c", text, &["return", "b"]),
        "int f(void) { return b; }\n"
    );
}

#[test]
fn the_inside_of_blocks_moves_out_and_to_the_left() {
    let text = "class C:\n    def f(self):\n        if x:\n            keep()\n            more(1,\n                 2)\n        else:\n            rest()\n";
    let left = made_of(&["unwrap"], "a.py", text, &["keep()", "more(", "rest()"]);
    assert_eq!(left, "keep()\nmore(1,\n     2)\nrest()\n");
}

#[test]
fn the_inside_of_elements_stays_without_its_tags() {
    let html = "<div><p>one</p><ul><li><b>two</b></li></ul></div>";
    assert_eq!(made_of(&["unwrap", "children"], "a.html", html, &["one", "<b>two"]), "one<b>two</b>");
    let c = "void f() { while (x) { a(); if (y) { b(); c(); } } }";
    let left = made_of(&["unwrap", "children"], "a.c", c, &["a()", "b()", "c()"]);
    assert_eq!(left.split_whitespace().collect::<String>(), "voidf(){a();b();c();}");
}

#[test]
fn everything_becomes_the_smallest_that_fits() {
    let c = "struct s *f(struct s *p) { if (p->next) return p->next->next; g(p, \"text\"); }";
    assert_eq!(made_of(&["smallest"], "a.c", c, &["g("]), "int *f(int *p) { if (0) ; g(0, 0); }");
    assert_eq!(made_of(&["smallest"], "a.json", "{\"a\": [1, {\"b\": true}]}", &["a"]), "{\"a\": 0}");
}

#[test]
fn labels_of_a_switch_stay_different() {
    let c = "void f(int x) { switch (x) { case FIRST: a(); case SECOND: b(); } }";
    let left = made_of(&["smallest"], "a.c", c, &["switch", "a()", "b()"]);
    assert_eq!(left, "void f(int x) { switch (0) { case 0: a(); case 1: b(); } }");
}

#[test]
fn definitions_are_removed_with_what_only_they_use() {
    let mut text = String::new();
    for chain in 0..8 {
        text += &format!("typedef int t{chain};\nstruct s{chain} {{ t{chain} x; }};\n");
        text += &format!("void f{chain}(struct s{chain} *p) {{ p->x = 0; }}\n");
    }
    // Like a compiler: every name that is used must be defined.
    let holds = |document: &Document| {
        let text = document.text();
        let is_whole = |chain: usize| {
            let (uses_s, uses_t) =
                (text.contains(&format!("f{chain}(")), text.contains(&format!("struct s{chain} {{")));
            (!uses_s || uses_t) && (!uses_t || text.contains(&format!("typedef int t{chain};")))
        };
        text.contains("f3(") && (0..8).all(is_whole)
    };
    let simplified = simplify(&Document::of_file("a.c", text), chosen(&["definitions"]), holds);
    let left = "typedef int t3;\nstruct s3 { t3 x; };\nvoid f3(struct s3 *p) { p->x = 0; }\n";
    assert_eq!(simplified.document.text(), left);
    assert!(simplified.tests <= 16, "{} tests", simplified.tests);
}

/// Whether the text defines all names that it uses, by a rough check.
fn is_defined(document: &Document, names: &[&str], definitions: &[&str]) -> bool {
    let text = document.text();
    names.iter().zip(definitions).all(|(name, definition)| {
        let uses = text.matches(name).count();
        uses == 0 || text.contains(definition)
    })
}

#[test]
fn definitions_are_removed_with_their_uses() {
    let text = "typedef long word;\nint count;\nword f(word a) { count = 1; g(count, a); return count; }\n";
    let holds = |document: &Document| {
        fits_its_grammar(document)
            && document.text().contains("g(")
            && is_defined(document, &["word", "count"], &["typedef long word;", "int count;"])
    };
    let simplified = simplify(&Document::of_file("a.c", text), chosen(&["uses"]), holds);
    assert_eq!(simplified.document.text(), "int f(int a) { g(0, a); return 0; }\n");
}

#[test]
fn parameters_are_removed_with_their_arguments() {
    let text = "def f(one, two, three):\n    return two + one\nf(1, 2, 3)\nf(4, 5, 6)\n";
    let holds = |document: &Document| {
        let text = document.text();
        let parameters = text.split(')').next().unwrap_or_default().matches(',').count();
        let calls = text.lines().skip(2).all(|call| call.matches(',').count() == parameters);
        fits_its_grammar(document) && calls && text.contains("two +")
    };
    let simplified = simplify(&Document::of_file("a.py", text), chosen(&["arguments"]), holds);
    assert_eq!(simplified.document.text(), "def f( two):\n    return two + 0\nf( 2)\nf( 5)\n");
}

#[test]
fn names_are_replaced_by_their_definitions() {
    let c = "enum { A, B };\ntypedef unsigned u32;\n#define N 7\nint f(void) { return 1; }\nu32 x = f() + N + B;\n";
    let names = ["u32", "N", "f()", "B"];
    let definitions = ["typedef unsigned u32;", "#define N 7", "int f(void)", "enum { A, B }"];
    let holds = |document: &Document| {
        let is_sum = document.text().contains(" x = ") && document.text().matches('+').count() == 2;
        fits_its_grammar(document) && is_sum && is_defined(document, &names, &definitions)
    };
    let simplified = simplify(&Document::of_file("a.c", c), chosen(&["inline"]), holds);
    assert_eq!(simplified.document.text(), "enum { A };\nunsigned x = 1 + 7 + 1;\n");
}

#[test]
fn nesting_can_be_deeper_than_the_stack() {
    const DEEP: usize = 100_000;
    let texts = [
        ("a.json", format!("{}1{}", "[".repeat(DEEP), "]".repeat(DEEP))),
        ("a.py", format!("x = {}1{}\n", "(".repeat(DEEP), ")".repeat(DEEP))),
        ("a.c", "{if(".repeat(DEEP)),
    ];
    for (name, text) in texts {
        let document = Document::of_file(name, text);
        for pass in passes() {
            let proposals = pass.proposals(&document);
            let count = proposals.deltas.len() as u32;
            assert!(proposals.levels.iter().flatten().all(|group| group.end <= count), "{}", pass.name());
        }
    }
}

#[test]
fn wide_lists_and_broken_texts_can_be_reduced() {
    let wide = format!("[{}0]", "1,".repeat(100_000));
    let broken = "int f( { if (x ] ) ; } } } struct { ; case 3: \"".repeat(200);
    for (name, text) in [("a.json", wide), ("a.c", broken.clone()), ("a.py", broken)] {
        let document = Document::of_file(name, text);
        for pass in passes() {
            let _ = pass.proposals(&document);
        }
    }
}

#[test]
fn no_proposal_leaves_a_document_unchanged_or_makes_it_longer() {
    let texts = [
        ("a.c", "int f(int a) { switch (a) { case X: g(a); case 1: ; } return 0; }\n"),
        ("a.py", "def f(a):\n    x = a\n    if x: pass\n    return x\n"),
        ("a.json", "{\"a\": [0, \"\", {}]}"),
        ("a.rs", "fn f<T>(a: T) -> u8 { let b = a; b }"),
        ("a.js", "function f(a) { return a ? f(0) : [] }"),
        // Nodes that the parser inserts for missing tokens have no bytes.
        ("b.c", "int f( { return }\n struct { int ; case"),
        ("c.c", "\n \n void f(){switch(0){case 0 g() }}\n \n"),
    ];
    let ours = [
        "nodes",
        "children",
        "smaller-children",
        "unwrap",
        "smallest",
        "definitions",
        "uses",
        "inline",
        "arguments",
    ];
    for (name, text) in texts {
        let document = Document::of_file(name, text);
        for pass in chosen(&ours) {
            for delta in pass.proposals(&document).deltas {
                let is_same_length = pass.name() == "smallest";
                assert!(delta.gain() > 0 || is_same_length, "{} {name} {delta:?}", pass.name());
            }
        }
    }
}

#[test]
fn one_function_replaces_another() {
    let c = "void first(){}void second(){}void third(){first();second();}";
    let holds = |document: &Document| {
        let (text, names) = (document.text(), ["first", "second", "third"]);
        let definitions = ["void first(", "void second(", "void third("];
        let calls = text.matches("();").count() == 2;
        fits_its_grammar(document) && calls && is_defined(document, &names, &definitions)
    };
    let simplified = simplify(&Document::of_file("a.c", c), chosen(&["merge"]), holds);
    assert_eq!(simplified.document.text(), "void third(){third();third();}");
}
