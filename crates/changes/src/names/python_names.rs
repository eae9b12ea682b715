//! What a file of Python defines and uses.

use super::call_shape::CallShape;
use super::file_names::{NameKind, NamesWriter, Reach};
use super::python_builtins::{is_built_in, is_built_in_member};
use howcome_syntax::{NodeId, SyntaxNode, SyntaxTree};
use std::collections::HashMap;
use std::sync::Arc;

/// Kinds of nodes that hold several names to which something is assigned.
const PATTERNS: [&str; 7] = [
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "typed_parameter",
    "as_pattern_target",
];

/// What a name does.
enum PythonNameRole {
    Defined,
    /// An attribute that something is assigned to.
    Set,
    /// An attribute.
    Got,
    /// It comes from another module, by this name.
    Imported,
    Used,
    Neither,
}

pub(super) fn read_python(writer: &mut NamesWriter<'_>) {
    let tree = writer.tree;
    let nothing: Arc<[u8]> = [].into();
    // The outermost function around each node.
    let mut around: Vec<Option<NodeId>> = Vec::with_capacity(tree.nodes().len());
    let mut functions: HashMap<NodeId, Arc<[u8]>> = HashMap::new();
    for (id, node) in tree.iter() {
        let outer = node.parent.and_then(|parent| around[parent.index()]);
        let is_outermost = outer.is_none() && node.kind == "function_definition";
        around.push(if is_outermost { Some(id) } else { outer });
        if is_outermost {
            let name: Arc<[u8]> = path_of(writer, id).into();
            writer.function(&name);
            functions.insert(id, name);
        }
        writer.names.is_open |= node.kind == "wildcard_import";
        if node.kind != "identifier" {
            continue;
        }
        // The name of a function belongs to what is around it, and so do its decorators, which are outside anyway.
        let is_own_name =
            node.field == Some("name") && node.parent.is_some_and(|parent| functions.contains_key(&parent));
        let function = around[id.index()].filter(|_| !is_own_name);
        let function = function.and_then(|function| functions.get(&function)).unwrap_or(&nothing).clone();
        read_identifier(writer, id, &function);
    }
}

fn read_identifier(writer: &mut NamesWriter<'_>, id: NodeId, function: &Arc<[u8]>) {
    let tree = writer.tree;
    let node = tree.node(id);
    let text = writer.text(node);
    writer.names.is_open |= matches!(&*text, b"exec" | b"globals");
    let (is_known, is_known_member) = (is_built_in(&text), is_built_in_member(&text));
    let (own, member) = ((NameKind::OfFile, Arc::clone(&text)), (NameKind::Member, text));
    let define = |writer: &mut NamesWriter<'_>| {
        if !function.is_empty() {
            writer.function(function).defined.insert(own.clone());
            return;
        }
        writer.define(own.clone(), CallShape::ANY, Reach::Unknown, node);
        writer.define(member.clone(), CallShape::ANY, Reach::Unknown, node);
    };
    match role(tree, id) {
        PythonNameRole::Defined => define(writer),
        PythonNameRole::Set => writer.define(member, CallShape::ANY, Reach::Unknown, node),
        PythonNameRole::Used if is_known => {}
        PythonNameRole::Got if is_known_member => {}
        PythonNameRole::Got => writer.use_name(function, member, node),
        PythonNameRole::Imported => {
            // It is the member of a module, and can be called by another name here.
            let is_renamed = node
                .parent
                .and_then(|name| tree.node(name).parent)
                .is_some_and(|outer| tree.node(outer).kind == "aliased_import");
            if !is_renamed {
                define(writer);
            }
            writer.use_name(function, member, node);
        }
        PythonNameRole::Used => writer.use_name(function, own, node),
        PythonNameRole::Neither => {}
    }
}

fn role(tree: &SyntaxTree, id: NodeId) -> PythonNameRole {
    let node = tree.node(id);
    let Some(parent) = node.parent.map(|parent| tree.node(parent)) else { return PythonNameRole::Used };
    match (parent.kind, node.field) {
        ("attribute", Some("attribute")) => {
            return if node.parent.is_some_and(|attribute| is_target(tree, attribute)) {
                PythonNameRole::Set
            } else {
                PythonNameRole::Got
            };
        }
        (
            "function_definition" | "class_definition" | "default_parameter" | "typed_default_parameter",
            Some("name"),
        )
        | ("named_expression", Some("name"))
        | ("aliased_import", Some("alias")) => return PythonNameRole::Defined,
        ("parameters" | "lambda_parameters" | "case_pattern", _) => return PythonNameRole::Defined,
        ("keyword_argument", Some("name")) | ("global_statement" | "nonlocal_statement", _) => {
            return PythonNameRole::Neither;
        }
        ("dotted_name", _) => return imported(tree, id),
        _ => {}
    }
    match is_target(tree, id) {
        true => PythonNameRole::Defined,
        false => PythonNameRole::Used,
    }
}

/// Whether something is assigned to a node.
fn is_target(tree: &SyntaxTree, id: NodeId) -> bool {
    let mut inner = id;
    loop {
        let node = tree.node(inner);
        let Some(outer) = node.parent else { return false };
        let parent = tree.node(outer);
        match parent.kind {
            "typed_parameter" if node.field == Some("type") => return false,
            "as_pattern_target" => return true,
            "parameters" | "lambda_parameters" => return true,
            kind if PATTERNS.contains(&kind) => inner = outer,
            "assignment" | "for_statement" | "for_in_clause" => return node.field == Some("left"),
            "augmented_assignment" => return false,
            _ => return false,
        }
    }
}

/// The part of a name with dots that an import defines or uses.
fn imported(tree: &SyntaxTree, id: NodeId) -> PythonNameRole {
    let Some(name) = tree.node(id).parent else { return PythonNameRole::Used };
    let is_first = tree.children(name).next() == Some(id);
    let mut outer = tree.node(name).parent.map(|outer| tree.node(outer));
    let field = tree.node(name).field;
    let is_aliased = outer.is_some_and(|outer| outer.kind == "aliased_import");
    let mut of_import = field;
    if is_aliased {
        of_import = outer.and_then(|outer: &SyntaxNode| outer.field);
        outer = outer.and_then(|outer| outer.parent).map(|outer| tree.node(outer));
    }
    match (outer.map(|outer| outer.kind), of_import) {
        (Some("import_from_statement"), Some("module_name")) => PythonNameRole::Neither,
        (Some("import_from_statement"), _) => PythonNameRole::Imported,
        (Some("import_statement"), _) if is_aliased => PythonNameRole::Neither,
        (Some("import_statement"), _) if is_first => PythonNameRole::Defined,
        (Some("import_statement" | "future_import_statement"), _) => PythonNameRole::Neither,
        // A pattern of `match` that names a constant.
        _ if is_first => PythonNameRole::Used,
        _ => PythonNameRole::Neither,
    }
}

/// The names of the classes around a function, and its own.
fn path_of(writer: &mut NamesWriter<'_>, function: NodeId) -> Vec<u8> {
    let tree = writer.tree;
    let outwards = std::iter::successors(Some(function), |inner| tree.node(*inner).parent);
    let is_named = |id: &NodeId| matches!(tree.node(*id).kind, "function_definition" | "class_definition");
    let names: Vec<NodeId> = outwards.filter(is_named).filter_map(|id| tree.child(id, "name")).collect();
    let mut path = Vec::new();
    for name in names.into_iter().rev() {
        if !path.is_empty() {
            path.push(b'.');
        }
        path.extend_from_slice(&writer.text(tree.node(name)));
    }
    path
}
