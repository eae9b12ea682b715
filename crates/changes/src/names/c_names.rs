//! What a file of C or C++ defines and uses.

use super::call_shape::CallShape;
use super::file_names::{NameKind, NamesWriter, Reach};
use howcome_syntax::{NodeId, SyntaxNode, SyntaxTree};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Kinds of nodes around a declared name that belong to its type.
const AROUND_NAMES: [&str; 7] = [
    "init_declarator",
    "pointer_declarator",
    "array_declarator",
    "function_declarator",
    "reference_declarator",
    "parenthesized_declarator",
    "attributed_declarator",
];

/// Kinds of nodes that declare what is in their field `declarator`.
const DECLARING: [&str; 7] = [
    "declaration",
    "field_declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "function_definition",
    "type_definition",
    "for_range_loop",
];

/// Kinds of types with a name and perhaps a body.
const TAGGED: [&str; 4] = ["struct_specifier", "union_specifier", "enum_specifier", "class_specifier"];

/// Kinds of nodes whose content is compiled only under a condition.
const CONDITIONAL: [&str; 6] =
    ["preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else", "preproc_elifndef"];

/// What a node with a name does.
enum CNameRole {
    /// It is declared by this node, and is a function with these parameters.
    Declared(NodeId, Option<NodeId>),
    Used,
    Neither,
}

pub(super) fn read_c(writer: &mut NamesWriter<'_>, is_cpp: bool) {
    let tree = writer.tree;
    let nothing: Arc<[u8]> = [].into();
    let mut reader =
        CReader { is_cpp, conditional: Vec::with_capacity(tree.nodes().len()), declared: HashSet::new() };
    let mut around: Vec<Option<NodeId>> = Vec::with_capacity(tree.nodes().len());
    let mut functions: HashMap<NodeId, Arc<[u8]>> = HashMap::new();
    for (id, node) in tree.iter() {
        let is_outer_conditional = node.parent.is_some_and(|parent| reader.conditional[parent.index()]);
        let is_conditional = is_outer_conditional || is_compiled_sometimes(node, writer.size());
        reader.conditional.push(is_conditional);
        let outer = node.parent.and_then(|parent| around[parent.index()]);
        let is_function = node.kind == "function_definition";
        around.push(if is_function { Some(id) } else { outer });
        if is_function && let Some(name) = name_of(tree, id) {
            let name = writer.text(tree.node(name));
            writer.function(&name);
            functions.insert(id, name);
        }
        let function = around[id.index()].and_then(|function| functions.get(&function)).cloned();
        reader.read(writer, id, function.as_ref().unwrap_or(&nothing));
    }
}

struct CReader {
    is_cpp: bool,
    /// Which nodes are compiled only under a condition. What they use need not be there.
    conditional: Vec<bool>,
    /// Names that a block declares.
    declared: HashSet<(NodeId, Arc<[u8]>)>,
}

impl CReader {
    fn read(&mut self, writer: &mut NamesWriter<'_>, id: NodeId, function: &Arc<[u8]>) {
        let tree = writer.tree;
        let node = tree.node(id);
        let parent = node.parent.map(|parent| tree.node(parent));
        let is_conditional = self.conditional[id.index()];
        match node.kind {
            "statement_identifier" => {
                let label = (NameKind::Label, writer.text(node));
                match parent.map(|parent| parent.kind) {
                    Some("labeled_statement") => {
                        writer.function(function).defined.insert(label);
                    }
                    Some("goto_statement") if !is_conditional => writer.use_name(function, label, node),
                    _ => {}
                }
            }
            "identifier" | "type_identifier" | "field_identifier" => match role(tree, id) {
                CNameRole::Declared(by, parameters) => self.declare(writer, (id, by, parameters), function),
                CNameRole::Used if !is_conditional => self.note_use(writer, id, function),
                CNameRole::Used | CNameRole::Neither => {}
            },
            _ => {}
        }
    }

    fn declare(
        &mut self,
        writer: &mut NamesWriter<'_>,
        (id, by, parameters): (NodeId, NodeId, Option<NodeId>),
        function: &Arc<[u8]>,
    ) {
        let tree = writer.tree;
        let (node, declaring) = (tree.node(id), tree.node(by));
        let text = writer.text(node);
        let shape = parameters.map_or(CallShape::ANY, |parameters| shape(tree, parameters));
        let plain = (NameKind::Plain, Arc::clone(&text));
        let reach = match declaring.kind {
            // Functions with other parameters are other functions, or other names for them.
            _ if self.is_cpp || self.conditional[id.index()] => Reach::Unknown,
            "preproc_function_def" | "preproc_def" => Reach::Unknown,
            _ if has_storage(writer, by, b"static") => Reach::File,
            _ => Reach::Program,
        };
        let is_inside = !function.is_empty();
        match declaring.kind {
            "parameter_declaration" | "optional_parameter_declaration" if is_inside => {
                writer.function(function).defined.insert(plain);
            }
            // The names of the parameters of something that is only declared.
            "parameter_declaration" | "optional_parameter_declaration" => {}
            "field_declaration" => {
                writer.define((NameKind::Member, text), shape, reach, node);
                // A class uses its own members without a dot.
                if self.is_cpp {
                    writer.define(plain, shape, reach, node);
                }
            }
            "declaration" | "for_range_loop" if is_inside => {
                let block = declaring.parent.filter(|block| tree.node(*block).kind == "compound_statement");
                let is_variable = parameters.is_none() && !has_storage(writer, by, b"extern");
                if let (Some(block), true) = (block, is_variable)
                    && !self.declared.insert((block, Arc::clone(&text)))
                {
                    let line = writer.line_of(node);
                    writer.function(function).doubled.entry(text).or_insert(line);
                }
                writer.function(function).defined.insert(plain);
            }
            kind => {
                // A class can have several functions of the same name.
                let is_conditional = self.conditional[id.index()];
                if matches!(kind, "function_definition" | "enumerator") && !self.is_cpp && !is_conditional {
                    let line = writer.line_of(node);
                    writer.names.bodies.entry(Arc::clone(&text)).or_default().push(line);
                }
                if node.kind == "field_identifier" {
                    writer.define((NameKind::Member, Arc::clone(&text)), shape, reach, node);
                }
                writer.define(plain, shape, reach, node);
            }
        }
    }

    fn note_use(&self, writer: &mut NamesWriter<'_>, id: NodeId, function: &Arc<[u8]>) {
        let tree = writer.tree;
        let node = tree.node(id);
        let text = writer.text(node);
        if node.kind == "field_identifier" {
            return writer.use_name(function, (NameKind::Member, text), node);
        }
        writer.use_name(function, (NameKind::Plain, Arc::clone(&text)), node);
        let call = node.parent.filter(|call| tree.node(*call).kind == "call_expression");
        if let Some(arguments) = call.and_then(|call| tree.child(call, "arguments"))
            && node.field == Some("function")
            && let Some(count) = argument_count(tree, arguments)
        {
            let line = writer.line_of(node);
            writer.function(function).calls.entry((text, count)).or_insert(line);
        }
    }
}

fn role(tree: &SyntaxTree, id: NodeId) -> CNameRole {
    let (mut inner, mut parameters) = (id, None);
    loop {
        let node = tree.node(inner);
        let Some(outer) = node.parent else { return CNameRole::Used };
        let parent = tree.node(outer);
        let is_declarator = node.field == Some("declarator");
        match parent.kind {
            "parenthesized_declarator" | "attributed_declarator" | "reference_declarator" => {}
            kind if is_declarator && AROUND_NAMES.contains(&kind) => {
                // A pointer to a function has the parameters further outside.
                if kind == "function_declarator" && inner == id {
                    parameters = tree.child(outer, "parameters");
                }
            }
            kind if is_declarator && DECLARING.contains(&kind) => {
                return CNameRole::Declared(outer, parameters);
            }
            "enumerator" if node.field == Some("name") => return CNameRole::Declared(outer, None),
            "preproc_def" if node.field == Some("name") => return CNameRole::Declared(outer, None),
            "preproc_function_def" if node.field == Some("name") => {
                return CNameRole::Declared(outer, tree.child(outer, "parameters"));
            }
            // In the style before 1989, the parameters are declared further below.
            "parameter_list" | "preproc_params" => return CNameRole::Neither,
            kind if TAGGED.contains(&kind) && node.field == Some("name") => {
                return match tree.child(outer, "body") {
                    Some(_) => CNameRole::Declared(outer, None),
                    None => CNameRole::Neither,
                };
            }
            // Nobody knows what is in another namespace.
            "qualified_identifier" | "using_declaration" | "preproc_defined" => return CNameRole::Neither,
            "preproc_ifdef" | "preproc_elifdef" if node.field == Some("name") => return CNameRole::Neither,
            _ if is_in_condition(tree, inner) => return CNameRole::Neither,
            _ => return CNameRole::Used,
        }
        inner = outer;
    }
}

/// Whether a name is in the condition of an `#if`, where names need not be defined.
fn is_in_condition(tree: &SyntaxTree, id: NodeId) -> bool {
    let outwards = std::iter::successors(Some(id), |inner| tree.node(*inner).parent);
    let is_condition = |inner: NodeId| {
        let node = tree.node(inner);
        let is_directive = node.parent.is_some_and(|outer| tree.node(outer).kind.starts_with("preproc_"));
        is_directive && node.field == Some("condition")
    };
    outwards.take(8).any(is_condition)
}

/// The name of a function, as the node that has it.
fn name_of(tree: &SyntaxTree, function: NodeId) -> Option<NodeId> {
    let mut inner = tree.child(function, "declarator")?;
    loop {
        if !AROUND_NAMES.contains(&tree.node(inner).kind) {
            return Some(inner);
        }
        let named = tree.children(inner).find(|child| tree.node(*child).is_named);
        inner = tree.child(inner, "declarator").or(named)?;
    }
}

/// Whether a declaration begins with `static` or `extern`.
fn has_storage(writer: &NamesWriter<'_>, declaration: NodeId, class: &[u8]) -> bool {
    let children = writer.tree.children(declaration).map(|child| writer.tree.node(child));
    children
        .filter(|child| child.kind == "storage_class_specifier")
        .any(|child| writer.bytes_of(child).trim_ascii() == class)
}

/// Whether a node is a conditional part of a file. What is around nearly the whole file guards a header.
fn is_compiled_sometimes(node: &SyntaxNode, file: usize) -> bool {
    CONDITIONAL.contains(&node.kind) && 5 * node.range.len() < 4 * file
}

/// How many arguments a function with these parameters takes.
fn shape(tree: &SyntaxTree, parameters: NodeId) -> CallShape {
    let all: Vec<&SyntaxNode> = named(tree, parameters).filter(|node| node.kind != "comment").collect();
    let has = |kind: &str| tree.children(parameters).any(|child| tree.node(child).kind == kind);
    let is_plain =
        |node: &&SyntaxNode| matches!(node.kind, "parameter_declaration" | "optional_parameter_declaration");
    if tree.node(parameters).kind == "preproc_params" {
        let count = all.len() as u32;
        return if has("...") { CallShape { least: 0, most: None } } else { CallShape::exactly(count) };
    }
    // `f()` takes anything in C, and so does everything that is not understood.
    if all.is_empty() || !all.iter().all(is_plain) || has("...") {
        return CallShape::ANY;
    }
    let least = all.iter().filter(|node| node.kind == "parameter_declaration").count() as u32;
    let only = tree.children(parameters).find(|child| tree.node(*child).is_named);
    let is_void = |only: NodeId| {
        tree.child(only, "declarator").is_none()
            && tree.child(only, "type").is_some_and(|kind| {
                let node = tree.node(kind);
                node.kind == "primitive_type" && node.range.len() == "void".len()
            })
    };
    match all.len() {
        // `f(void)`, which a type of four letters looks like, too.
        1 if only.is_some_and(is_void) => CallShape { least: 0, most: Some(1) },
        count => CallShape { least, most: Some(count as u32) },
    }
}

/// How many arguments a call has. `None` if nobody knows.
fn argument_count(tree: &SyntaxTree, arguments: NodeId) -> Option<u32> {
    let all = named(tree, arguments).filter(|node| node.kind != "comment");
    let mut count = 0;
    for argument in all {
        if argument.is_error || argument.kind == "parameter_pack_expansion" {
            return None;
        }
        count += 1;
    }
    Some(count)
}

fn named(tree: &SyntaxTree, id: NodeId) -> impl Iterator<Item = &SyntaxNode> {
    tree.children(id).map(|child| tree.node(child)).filter(|node| node.is_named)
}
