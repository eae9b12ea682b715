//! From a syntax tree to the signs that the text is incomplete.

use super::source_shape::{LineRole, ShapeSign, SourceShape};
use crate::knowledge::{Depth, depth_at_end};
use howcome_syntax::{Language, LanguageInfo, NodeId, SyntaxNode, SyntaxTree, TextKind};
use std::collections::HashMap;

/// The signs in a text. `None` if the text cannot be parsed at all.
pub(super) fn read_shape(language: Language, bytes: &[u8]) -> Option<SourceShape> {
    let tree = language.parse(bytes)?;
    let reader = ShapeReader::new(language, bytes, &tree);
    let is_c = reader.info.is_c_family;
    let mut shape = SourceShape {
        roles: reader.roles(),
        depth: if is_c { depth_at_end(bytes, TextKind::CLike) } else { Depth::default() },
        ..SourceShape::default()
    };
    for (id, node) in tree.iter() {
        let is_error = node.is_error || reader.is_lone_try(id);
        shape.errors.extend(is_error.then(|| reader.line_sign(node)));
        shape.empty_bodies.extend(reader.empty_body(id));
        shape.single_statements.extend(reader.single_statement(id));
        shape.stray.extend(reader.stray(id));
        if reader.info.has_indented_blocks {
            reader.find_misplaced(id, &mut shape.misplaced);
        }
        if is_c && let Some((sign, result)) = reader.function(id) {
            let ending = match result {
                FunctionResult::AtItsEnd => &mut shape.ending_with_result,
                FunctionResult::Elsewhere | FunctionResult::Nowhere => &mut shape.ending_otherwise,
            };
            ending.push(sign.clone());
            let functions = match result {
                FunctionResult::Nowhere => &mut shape.without_result,
                FunctionResult::AtItsEnd | FunctionResult::Elsewhere => &mut shape.with_result,
            };
            functions.push(sign);
        }
    }
    Some(shape)
}

/// How a line belongs to a statement. Lines are counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineOwner {
    /// Whether a statement starts in this line.
    pub(super) is_start: bool,
    /// The last line of this statement.
    pub(super) end: u32,
    /// The first line of the smallest statement that started before.
    pub(super) owner: Option<u32>,
}

/// How each line belongs to a statement. `None` if the text has errors.
pub(super) fn line_owners(language: Language, bytes: &[u8]) -> Option<Vec<LineOwner>> {
    let tree = language.parse(bytes)?;
    let reader = ShapeReader::new(language, bytes, &tree);
    let has_errors = tree.nodes().iter().any(|node| node.is_error);
    (!has_errors).then(|| reader.owners())
}

/// Where a function returns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FunctionResult {
    AtItsEnd,
    Elsewhere,
    Nowhere,
}

struct ShapeReader<'a> {
    info: &'static LanguageInfo,
    bytes: &'a [u8],
    tree: &'a SyntaxTree,
    /// Where the lines start.
    starts: Vec<usize>,
}

impl<'a> ShapeReader<'a> {
    fn new(language: Language, bytes: &'a [u8], tree: &'a SyntaxTree) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { info: language.info(), bytes, tree, starts }
    }

    fn owners(&self) -> Vec<LineOwner> {
        let outermost = self.outermost();
        let owner = |(line, start): (usize, &usize)| {
            let Some(&id) = outermost.get(&self.first_of_line(*start)) else { return LineOwner::default() };
            let outwards = std::iter::successors(Some(id), |inner| self.tree.node(*inner).parent);
            let first_line = |id: NodeId| self.line_of(self.tree.node(id).range.start);
            let is_owner = |id: &NodeId| self.starts_statement(*id) && first_line(*id) < line;
            // A statement that ends with a line break ends in the line before.
            let last = self.tree.node(id).range.end.saturating_sub(1);
            LineOwner {
                is_start: self.is_code(id) && self.starts_statement(id),
                end: self.line_of(last) as u32,
                owner: outwards.skip(1).find(is_owner).map(|id| first_line(id) as u32),
            }
        };
        self.starts.iter().enumerate().map(owner).collect()
    }

    /// The outermost node that starts at each byte.
    fn outermost(&self) -> HashMap<usize, NodeId> {
        let mut outermost: HashMap<usize, NodeId> = HashMap::new();
        for (id, node) in self.tree.iter() {
            // Files and bodies start with their first statement, which is the node that counts.
            if node.parent.is_some() && !self.is_body(node) && !node.range.is_empty() {
                outermost.entry(node.range.start).or_insert(id);
            }
        }
        outermost
    }

    /// The first byte of a line that is not a blank.
    fn first_of_line(&self, start: usize) -> usize {
        start + self.bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    fn empty_body(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let parent = self.tree.node(node.parent?);
        if !node.is_named || !self.is_body(node) || self.is_body(parent) {
            return None;
        }
        let mut statements = self.tree.children(id).filter(|child| self.is_code(*child)).peekable();
        // A body that only describes itself can be meant that way. A body without anything is another case.
        let how = if statements.peek().is_some() { &b" idle "[..] } else { b" empty " };
        if !statements.all(|statement| self.is_idle(statement)) {
            return None;
        }
        let header = without_blanks(&self.bytes[parent.range.start..node.range.start]);
        Some(self.sign(parent, [parent.kind.as_bytes(), how, &header].concat()))
    }

    /// Finds the statements of a block that are not indented like its first one.
    fn find_misplaced(&self, id: NodeId, misplaced: &mut Vec<ShapeSign>) {
        let node = self.tree.node(id);
        let is_root = node.parent.is_none();
        if !is_root && !self.is_body(node) {
            return;
        }
        let mut of_block = is_root.then_some(&b""[..]);
        for child in self.tree.children(id).filter(|child| self.is_code(*child)) {
            let statement = self.tree.node(child);
            let Some(indentation) = self.indentation(statement) else { continue };
            if *of_block.get_or_insert(indentation) != indentation {
                misplaced.push(self.line_sign(statement));
            }
        }
    }

    fn single_statement(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let text = || self.bytes[node.range.clone()].split(|byte| *byte == b'\n').next().unwrap_or_default();
        self.is_single_statement(id).then(|| self.sign(node, without_blanks(text())))
    }

    fn stray(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let outwards = || {
            let outer = std::iter::successors(node.parent, |outer| self.tree.node(*outer).parent);
            outer.map(|outer| self.tree.node(outer).kind)
        };
        let is_in = |parts: &[&str]| outwards().any(|kind| parts.iter().any(|part| kind.contains(part)));
        let is_stray = match node.kind {
            "return_statement" => !is_in(&["func", "method", "constructor", "lambda"]),
            "break_statement" | "continue_statement" => !is_in(&["for", "while", "do_", "switch", "select"]),
            kind => self.info.has_only_declarations_at_top && node.depth == 1 && kind.ends_with("_statement"),
        };
        is_stray.then(|| self.line_sign(node))
    }

    /// A function of C, and where it returns a value.
    fn function(&self, id: NodeId) -> Option<(ShapeSign, FunctionResult)> {
        let node = self.tree.node(id);
        if node.kind != "function_definition" {
            return None;
        }
        let body = self.tree.child(id, "body")?;
        let mut inside = self.tree.inside(body).map(NodeId);
        let result = match inside.any(|id| self.returns_value(id)) {
            true if self.ends_with_result(body) => FunctionResult::AtItsEnd,
            true => FunctionResult::Elsewhere,
            false => FunctionResult::Nowhere,
        };
        let header = &self.bytes[node.range.start..self.tree.node(body).range.start];
        Some((self.sign(node, without_blanks(header)), result))
    }

    fn returns_value(&self, id: NodeId) -> bool {
        let is_return = self.tree.node(id).kind == "return_statement";
        is_return && self.tree.children(id).any(|part| self.is_code(part))
    }

    /// Whether the last statement of a body, or of a label, returns a value.
    fn ends_with_result(&self, body: NodeId) -> bool {
        let statements = self.tree.children(body).filter(|child| self.tree.node(*child).is_named);
        let last = statements.filter(|child| self.is_code(*child)).last();
        last.is_some_and(|last| {
            let is_label = self.tree.node(last).kind == "labeled_statement";
            self.returns_value(last) || is_label && self.ends_with_result(last)
        })
    }

    /// Whether a `try` has nothing that handles the exception. The grammars accept it, and the languages do not.
    fn is_lone_try(&self, id: NodeId) -> bool {
        let handles = |child: NodeId| {
            let kind = self.tree.node(child).kind;
            ["except", "catch", "finally"].iter().any(|word| kind.starts_with(word))
        };
        self.tree.node(id).kind == "try_statement" && !self.tree.children(id).any(handles)
    }

    fn roles(&self) -> HashMap<Vec<u8>, Vec<(LineRole, u32)>> {
        let outermost = self.outermost();
        let mut roles: HashMap<Vec<u8>, Vec<(LineRole, u32)>> = HashMap::new();
        for (line, start) in (1..).zip(&self.starts) {
            let text = self.line_at(*start);
            let role = match outermost.get(&self.first_of_line(*start)) {
                _ if text.is_empty() => continue,
                Some(id) if !self.is_code(*id) && self.tree.node(*id).is_named => continue,
                Some(id) if self.starts_statement(*id) => LineRole::Start(self.bodies_around(*id)),
                Some(id) => LineRole::Continuation(self.bodies_around(*id)),
                None => LineRole::Inside,
            };
            let of_text = roles.entry(text.to_vec()).or_default();
            if of_text.iter().all(|(known, _)| *known != role) {
                of_text.push((role, line));
            }
        }
        roles
    }

    fn starts_statement(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let Some(parent) = node.parent.map(|parent| self.tree.node(parent)) else { return true };
        let is_in_body = parent.parent.is_none() || self.is_body(parent);
        let is_wrapped = self.info.definition_wrappers.contains(&parent.kind);
        node.is_named && (is_in_body || is_wrapped || self.is_single_statement(id))
    }

    fn bodies_around(&self, id: NodeId) -> u32 {
        let outwards = std::iter::successors(Some(id), |inner| self.tree.node(*inner).parent);
        let is_body = |id: &NodeId| self.is_body(self.tree.node(*id)) || self.is_single_statement(*id);
        outwards.filter(is_body).count() as u32
    }

    fn is_body(&self, node: &SyntaxNode) -> bool {
        self.info.bodies.contains(&node.kind)
    }

    /// Whether a statement is the body of another, without braces.
    fn is_single_statement(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let Some(parent) = node.parent.map(|parent| self.tree.node(parent)) else { return false };
        let is_in_field = matches!(node.field, Some("body" | "consequence" | "alternative"));
        // An `else` is part of its statement, and has a body itself. The grammars do not name the field of this body.
        node.is_named
            && self.info.takes_single_statement.contains(&parent.kind)
            && (is_in_field || parent.kind == "else_clause" && self.is_code(id))
            && !self.is_body(node)
            && node.kind != "else_clause"
    }

    /// Whether a node is neither a comment nor a bracket.
    fn is_code(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.is_named && !node.kind.contains("comment")
    }

    /// Whether a statement does nothing: `pass`, a semicolon, or the text that describes a function of Python.
    fn is_idle(&self, id: NodeId) -> bool {
        let kind = self.tree.node(id).kind;
        let is_text = |inner: NodeId| ["string", "ellipsis"].contains(&self.tree.node(inner).kind);
        let mut inside = self.tree.children(id).filter(|inner| self.is_code(*inner));
        self.info.idle_statements.contains(&kind) || kind == "expression_statement" && inside.all(is_text)
    }

    /// The blanks before a statement, if nothing else is before it in its line.
    fn indentation(&self, node: &SyntaxNode) -> Option<&[u8]> {
        let before = &self.bytes[self.starts[self.line_of(node.range.start)]..node.range.start];
        before.iter().all(|byte| b" \t\x0c".contains(byte)).then_some(before)
    }

    fn line_at(&self, at: usize) -> &[u8] {
        let line = self.line_of(at);
        let end = self.starts.get(line + 1).copied().unwrap_or(self.bytes.len());
        self.bytes[self.starts[line]..end].trim_ascii()
    }

    /// Counted from 0.
    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    fn line_sign(&self, node: &SyntaxNode) -> ShapeSign {
        self.sign(node, self.line_at(node.range.start).to_vec())
    }

    fn sign(&self, node: &SyntaxNode, text: Vec<u8>) -> ShapeSign {
        ShapeSign { text, line: self.line_of(node.range.start) as u32 + 1 }
    }
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}
