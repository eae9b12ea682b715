//! Moves a definition to the place of its declaration, which is then not needed. No other order is changed, since that would
//! not make the text shorter.

use crate::text::ascii::with_line;
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};
use std::collections::HashMap;

/// Moves definitions to the places of their declarations.
pub(super) struct OrderPass;

impl Pass for OrderPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "order",
            about: "move definitions to the places of their declarations",
            unit: Unit::Declaration,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let bytes = part.bytes();
            let mut declared: HashMap<(Option<NodeId>, &[u8]), NodeId> = HashMap::new();
            for (id, node) in tree.iter() {
                let Some((name, is_definition)) = named(tree, id) else { continue };
                let key = (node.parent, &bytes[tree.node(name).range.clone()]);
                if !is_definition {
                    declared.entry(key).or_insert(id);
                } else if let Some(declaration) = declared.remove(&key) {
                    let here = tree.node(declaration).range.clone();
                    let moved = Delta::replace(piece, here, &bytes[node.range.clone()]);
                    let mut there = node.range.clone();
                    // The semicolon after a structure is not part of it.
                    there.end += usize::from(
                        !bytes[..there.end].ends_with(b";") && bytes.get(there.end) == Some(&b';'),
                    );
                    deltas.push(moved.and(Delta::cut(piece, with_line(bytes, there))));
                }
            }
        }
        Proposals::flat(deltas)
    }
}

/// The name that a node declares, and whether the node also defines it.
fn named(tree: &SyntaxTree, id: NodeId) -> Option<(NodeId, bool)> {
    let node = tree.node(id);
    match node.kind {
        "function_definition" => Some((declared(tree, id)?, tree.child(id, "body").is_some())),
        "declaration" => {
            let declarator = tree.child(id, "declarator")?;
            let is_function = tree.node(declarator).kind != "init_declarator";
            Some((declared(tree, id)?, !is_function))
        }
        "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" => {
            // Only if it is alone: otherwise it is the type of something.
            let parent = tree.node(node.parent?);
            let is_alone = parent.parent.is_none() || parent.kind == "declaration_list";
            let name = tree.child(id, "name").filter(|_| is_alone)?;
            Some((name, tree.child(id, "body").is_some()))
        }
        _ => None,
    }
}

/// The name inside declarators.
fn declared(tree: &SyntaxTree, id: NodeId) -> Option<NodeId> {
    let mut at = tree.child(id, "declarator")?;
    while let Some(inner) = tree.child(at, "declarator") {
        at = inner;
    }
    tree.is_leaf(at).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn ordered(name: &str, text: &str, fails: impl Fn(&str) -> bool) -> String {
        let document = Document::of_file(name, text);
        simplify(&document, vec![Arc::new(OrderPass)], |document| fails(&document.text())).document.text()
    }

    #[test]
    fn a_function_is_moved_to_its_declaration() {
        let text = "int f(int);\nint main() { return f(1); }\nint f(int x) { return x; }\n";
        let expected = "int f(int x) { return x; }\nint main() { return f(1); }\n";
        assert_eq!(ordered("f.c", text, |_| true), expected);
        assert_eq!(ordered("f.c", text, |text| text.contains("int f(int);")), text);
    }

    #[test]
    fn a_structure_and_a_variable_are_moved_to_their_declarations() {
        let text = "struct s;\nextern int x;\nint *f(struct s *);\nstruct s { int a; };\nint x = 1;\n";
        assert_eq!(ordered("f.c", text, |_| true), "struct s { int a; };\nint x = 1;\nint *f(struct s *);\n");
    }

    #[test]
    fn a_definition_before_its_declaration_stays() {
        let text = "int f() { return 0; }\nint f();\n";
        assert!(OrderPass.proposals(&Document::of_file("f.c", text)).deltas.is_empty());
    }
}
