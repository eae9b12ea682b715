//! Signs that a text is incomplete: errors, bodies without statements, statements at the wrong place.

use crate::knowledge::{Depth, depth_at_end};
use howcome_syntax::{Language, LanguageInfo, NodeId, SyntaxNode, SyntaxTree, TextKind};
use std::collections::HashMap;

/// The signs in one version of a file. A version that people wrote can have some of them too, so they mean something
/// only in comparison with other versions.
#[derive(Debug)]
pub(super) struct SourceShape {
    /// Where the text does not fit the grammar.
    errors: Vec<ShapeSign>,
    /// Functions, loops and branches that do nothing, with the text before their bodies.
    empty_bodies: Vec<ShapeSign>,
    /// Statements that are not indented like the others of their block.
    misplaced: Vec<ShapeSign>,
    /// Statements that are the body of a loop or branch without braces.
    single_statements: Vec<ShapeSign>,
    /// Statements outside of everything that they belong in, such as a `return` outside of a function.
    stray: Vec<ShapeSign>,
    /// Functions that return a value, with the text before their bodies.
    with_result: Vec<ShapeSign>,
    /// Functions of C that return no value.
    without_result: Vec<ShapeSign>,
    /// Brackets that are not closed.
    depth: Depth,
}

/// A sign, with the text that identifies it in other versions.
#[derive(Debug, PartialEq, Eq)]
struct ShapeSign {
    text: Vec<u8>,
    /// Counted from 1.
    line: u32,
}

/// Why no version has the syntax of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyntaxFlaw {
    DoesNotParse,
    HasEmptyBody,
    IsMisplaced,
    HasOtherBody,
    IsStray,
    HasNoResult,
}

impl SourceShape {
    /// `None` if the text cannot be parsed at all.
    pub(super) fn of(language: Language, bytes: &[u8]) -> Option<Self> {
        let tree = language.parse(bytes)?;
        let text = ShapedText { info: language.info(), bytes, tree: &tree, starts: starts_of_lines(bytes) };
        let ids = || tree.iter().map(|(id, _)| id);
        let has_layout = text.info.has_indented_blocks;
        Some(Self {
            errors: ids().filter_map(|id| text.error(id)).collect(),
            empty_bodies: ids().filter_map(|id| text.empty_body(id)).collect(),
            misplaced: ids().filter(|_| has_layout).flat_map(|id| text.misplaced(id)).collect(),
            single_statements: ids().filter_map(|id| text.single_statement(id)).collect(),
            stray: ids().filter_map(|id| text.stray(id)).collect(),
            with_result: ids().filter_map(|id| text.function(id, true)).collect(),
            without_result: ids().filter_map(|id| text.function(id, false)).collect(),
            depth: if text.info.is_c_family {
                depth_at_end(bytes, TextKind::CLike)
            } else {
                Depth::default()
            },
        })
    }

    /// What neither of two versions has, and its line. A version that does not exist has nothing.
    pub(super) fn flaw(&self, low: Option<&Self>, high: Option<&Self>) -> Option<(SyntaxFlaw, Option<u32>)> {
        let versions: Vec<&Self> = low.into_iter().chain(high).collect();
        let signs = |of: fn(&Self) -> &Vec<ShapeSign>| versions.iter().map(|version| of(version)).collect();
        let error = self.new_error(&versions);
        let error = error.map(|line| (SyntaxFlaw::DoesNotParse, line));
        let more = |own, others: Vec<&Vec<ShapeSign>>, flaw| {
            more_than_in_any(own, &others).map(|sign| (flaw, Some(sign.line)))
        };
        let misplaced = || more(&self.misplaced, signs(|shape| &shape.misplaced), SyntaxFlaw::IsMisplaced);
        let empty = || more(&self.empty_bodies, signs(|shape| &shape.empty_bodies), SyntaxFlaw::HasEmptyBody);
        let is_known = |sign: &ShapeSign| {
            versions
                .iter()
                .any(|version| version.single_statements.iter().any(|known| known.text == sign.text))
        };
        let other = || {
            let unknown = self.single_statements.iter().find(|sign| !is_known(sign));
            unknown.map(|sign| (SyntaxFlaw::HasOtherBody, Some(sign.line)))
        };
        let stray = || more(&self.stray, signs(|shape| &shape.stray), SyntaxFlaw::IsStray);
        let lost_result = || {
            let had = |sign: &&ShapeSign| {
                versions.iter().any(|version| version.with_result.iter().any(|known| known.text == sign.text))
            };
            let known = signs(|shape| &shape.without_result);
            let lost = more_than_in_any(&self.without_result, &known).filter(had);
            lost.map(|sign| (SyntaxFlaw::HasNoResult, Some(sign.line)))
        };
        error.or_else(misplaced).or_else(empty).or_else(other).or_else(stray).or_else(lost_result)
    }

    /// The line of an error that no version has.
    fn new_error(&self, versions: &[&Self]) -> Option<Option<u32>> {
        let most = versions.iter().map(|version| version.errors.len()).max().unwrap_or(0);
        if self.errors.len() > most {
            let is_new = |error: &&ShapeSign| {
                !versions.iter().any(|version| version.errors.iter().any(|known| known.text == error.text))
            };
            if let Some(error) = self.errors.iter().find(is_new) {
                return Some(Some(error.line));
            }
        }
        // The grammars know no macros, so a good text in C can have errors, and hide those of a mix.
        let is_between = |nth: usize| {
            let depths = || versions.iter().map(|version| version.depth[nth]);
            let (least, most) = (depths().min().unwrap_or(0), depths().max().unwrap_or(0));
            (least..=most).contains(&self.depth[nth])
        };
        let is_balanced = most == 0 || (0..self.depth.len()).all(is_between);
        (!is_balanced).then_some(None)
    }
}

/// The first sign that a text has more often than any version.
fn more_than_in_any<'a>(own: &'a [ShapeSign], versions: &[&Vec<ShapeSign>]) -> Option<&'a ShapeSign> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    own.iter().find(|sign| {
        let count = counts.entry(&sign.text).or_default();
        *count += 1;
        let in_version =
            |version: &&Vec<ShapeSign>| version.iter().filter(|known| known.text == sign.text).count();
        *count > versions.iter().map(in_version).max().unwrap_or(0)
    })
}

struct ShapedText<'a> {
    info: &'static LanguageInfo,
    bytes: &'a [u8],
    tree: &'a SyntaxTree,
    /// Where the lines start.
    starts: Vec<usize>,
}

impl ShapedText<'_> {
    fn error(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        node.is_error.then(|| self.sign(node, self.line_at(node.range.start).to_vec()))
    }

    fn empty_body(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let parent = self.tree.node(node.parent?);
        if !node.is_named || !self.is_body(node) || self.is_body(parent) {
            return None;
        }
        let is_idle =
            self.tree.children(id).filter(|child| self.counts(*child)).all(|child| self.is_idle(child));
        let header =
            [parent.kind.as_bytes(), b" ", &self.bytes[parent.range.start..node.range.start]].concat();
        is_idle.then(|| self.sign(parent, without_blanks(&header)))
    }

    fn misplaced(&self, id: NodeId) -> Vec<ShapeSign> {
        let node = self.tree.node(id);
        let is_root = node.parent.is_none();
        if !is_root && !self.is_body(node) {
            return Vec::new();
        }
        let mut of_block = is_root.then_some(&b""[..]);
        let mut misplaced = Vec::new();
        for child in self.tree.children(id).filter(|child| self.counts(*child)) {
            let statement = self.tree.node(child);
            let Some(indentation) = self.indentation(statement) else { continue };
            if *of_block.get_or_insert(indentation) != indentation {
                misplaced.push(self.sign(statement, self.line_at(statement.range.start).to_vec()));
            }
        }
        misplaced
    }

    fn single_statement(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let parent = self.tree.node(node.parent?);
        let is_possible = node.is_named && self.info.takes_single_statement.contains(&parent.kind);
        let is_after_else = parent.kind == "else_clause" && self.counts(id);
        let is_single = is_possible
            && !self.is_body(node)
            && (is_after_else || ["body", "consequence", "alternative"].contains(&node.field.unwrap_or_default()))
            // An `else` is part of the statement, and its own body comes later.
            && node.kind != "else_clause";
        let text = self.bytes.get(node.range.start..)?.split(|byte| *byte == b'\n').next()?;
        is_single.then(|| self.sign(node, without_blanks(text)))
    }

    fn stray(&self, id: NodeId) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        let kinds_around: &[&str] = match node.kind {
            "return_statement" => &["function", "func_literal", "method", "constructor", "lambda", "arrow"],
            "break_statement" | "continue_statement" => &["for", "while", "do_", "switch", "select", "label"],
            kind if kind.ends_with("_statement") && self.info.has_only_declarations_at_top => &[],
            _ => return None,
        };
        let outwards = std::iter::successors(node.parent, |outer| self.tree.node(*outer).parent);
        let is_stray = match kinds_around {
            [] => node.depth == 1,
            _ => !outwards
                .map(|outer| self.tree.node(outer).kind)
                .any(|kind| kinds_around.iter().any(|part| kind.contains(part))),
        };
        is_stray.then(|| self.sign(node, self.line_at(node.range.start).to_vec()))
    }

    /// A function of C. One that is declared to return a value and does not has undefined behaviour.
    fn function(&self, id: NodeId, with_result: bool) -> Option<ShapeSign> {
        let node = self.tree.node(id);
        if !self.info.is_c_family || node.kind != "function_definition" {
            return None;
        }
        let body = self.tree.child(id, "body")?;
        let is_result = |inner: u32| {
            let inner = NodeId(inner);
            self.tree.node(inner).kind == "return_statement"
                && self.tree.children(inner).any(|part| self.counts(part))
        };
        let header = without_blanks(&self.bytes[node.range.start..self.tree.node(body).range.start]);
        (self.tree.inside(body).any(is_result) == with_result).then(|| self.sign(node, header))
    }

    fn is_body(&self, node: &SyntaxNode) -> bool {
        self.info.bodies.contains(&node.kind)
    }

    /// Whether a node is a statement and not a comment or a bracket.
    fn counts(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.is_named && !node.kind.contains("comment")
    }

    /// Whether a statement does nothing: `pass`, a semicolon, or the text that describes a function of Python.
    fn is_idle(&self, id: NodeId) -> bool {
        let kind = self.tree.node(id).kind;
        let is_text = |inner: NodeId| ["string", "ellipsis"].contains(&self.tree.node(inner).kind);
        let mut inside = self.tree.children(id).filter(|inner| self.counts(*inner));
        self.info.idle_statements.contains(&kind) || kind == "expression_statement" && inside.all(is_text)
    }

    /// The blanks before a statement, if nothing else is before it in its line.
    fn indentation(&self, node: &SyntaxNode) -> Option<&[u8]> {
        let start = self.starts[self.line_of(node.range.start)];
        let before = &self.bytes[start..node.range.start];
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

    fn sign(&self, node: &SyntaxNode, text: Vec<u8>) -> ShapeSign {
        ShapeSign { text, line: self.line_of(node.range.start) as u32 + 1 }
    }
}

fn starts_of_lines(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}
