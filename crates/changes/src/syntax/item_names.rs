//! The names by which items of two versions of a file are matched.

use super::items::ParsedText;
use howcome_syntax::NodeId;

impl ParsedText<'_> {
    /// The definition in a node that decorates or exports it.
    pub(super) fn definition(&self, id: NodeId) -> NodeId {
        let field = match self.tree.node(id).kind {
            "decorated_definition" => "definition",
            "export_statement" => "declaration",
            _ => return id,
        };
        self.tree.child(id, field).unwrap_or(id)
    }

    /// The sort and name of an item in a scope. `whole` is the item with what is around it, such as its decorators.
    pub(super) fn key(&self, scope: &[u8], whole: NodeId, id: NodeId) -> Vec<u8> {
        let sort = match self.tree.node(id).kind {
            "function_definition"
            | "function_item"
            | "function_declaration"
            | "method_declaration"
            | "method_definition"
            | "constructor_declaration" => "function",
            "declaration" | "field_declaration" => "declaration",
            "preproc_def" | "preproc_function_def" => "macro",
            other => other,
        };
        let name =
            if whole == id { self.item_name(id) } else { self.name_of(whole).unwrap_or(self.item_name(id)) };
        [sort.as_bytes(), b" ", scope, &name].concat()
    }

    /// The name of an item, or its first line if it has none.
    pub(super) fn item_name(&self, id: NodeId) -> Vec<u8> {
        let tree = self.tree;
        let node = tree.node(id);
        let text = |id: NodeId| self.bytes[tree.node(id).range.clone()].to_vec();
        // The field of a class in Java. Its declarator includes its value.
        let declarator = tree.child(id, "declarator");
        let declarator = declarator.filter(|declarator| tree.node(*declarator).kind == "variable_declarator");
        if let Some(name) = declarator.and_then(|declarator| tree.child(declarator, "name")) {
            return text(name);
        }
        if let Some(name) = self.name_of(id) {
            // The method of a type in Go.
            let receiver = tree.child(id, "receiver").map(|receiver| [&text(receiver)[..], b"."].concat());
            return [receiver.unwrap_or_default(), name].concat();
        }
        let assigned = match node.kind {
            "expression_statement" => tree.children(id).find_map(|child| tree.child(child, "left")),
            "type_declaration" | "var_declaration" | "const_declaration" | "lexical_declaration" => {
                let mut named = tree.children(id).filter_map(|child| tree.child(child, "name"));
                named.next().filter(|_| named.next().is_none())
            }
            _ => None,
        };
        let first_line = || {
            let line = self.bytes[node.range.clone()].split(|byte| *byte == b'\n').next().unwrap_or_default();
            let line = line.trim_ascii();
            without_layout(line.strip_suffix(b"{").unwrap_or(line))
        };
        assigned.map(text).or_else(|| self.called_for(id)).unwrap_or_else(first_line)
    }

    /// The macro or function that an item calls, with its first argument: the name of what the call makes, in lists like `OP(ADD, 2, 1)`.
    fn called_for(&self, id: NodeId) -> Option<Vec<u8>> {
        let tree = self.tree;
        let is_call = |id: &NodeId| matches!(tree.node(*id).kind, "call_expression" | "call");
        let call = Some(id).filter(is_call).or_else(|| tree.children(id).find(is_call))?;
        let first = tree.children(tree.child(call, "arguments")?).find(|child| tree.node(*child).is_named)?;
        let text = |id: NodeId| without_layout(&self.bytes[tree.node(id).range.clone()]);
        Some([&text(tree.child(call, "function")?)[..], b"(", &text(first)].concat())
    }
}

/// Code with single spaces.
fn without_layout(code: &[u8]) -> Vec<u8> {
    let words: Vec<&[u8]> = code.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    words.join(&b' ')
}
