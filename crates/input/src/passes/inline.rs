//! Replaces names by their definitions: types, variables with a simple value, macros, functions that only return a value,
//! enumerators.

use crate::trees::{RemovableDefinition, SymbolUses, TreeCuts};
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;
use howcome_syntax::{NodeId, SyntaxTree};

/// Replaces names by their definitions.
pub(super) struct InlinePass;

/// The limit for all changes together.
const MOST_CHANGES: usize = 300_000;

impl Pass for InlinePass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "inline",
            about: "replace names by their definitions: types, variables, macros, functions that only return",
            unit: Unit::Definition,
            tier: Tier::Fine,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let mut deltas = Vec::new();
        let mut changes = 0;
        for (piece, part) in document.parts() {
            let Some(tree) = part.tree() else { continue };
            let uses = SymbolUses::of(piece, TreeCuts::new(part.bytes(), tree));
            for definition in uses.definitions() {
                let Some(meaning) = InlinedText::of(part.bytes(), tree, &definition) else { continue };
                let mut used = uses.of_definition(&definition).peekable();
                if used.peek().is_none() || changes > MOST_CHANGES {
                    continue;
                }
                let cut = Delta::cut(piece, uses.cuts.with_separator(definition.node));
                let instead = |name: NodeId| {
                    let place = if meaning.is_called { call(tree, name) } else { name };
                    Delta::replace(piece, tree.node(place).range.clone(), meaning.text.as_slice())
                };
                let delta = used.map(instead).fold(cut, Delta::and);
                changes += delta.changes.len();
                deltas.push(delta);
            }
        }
        deltas.retain(|delta| delta.gain() > 0);
        Proposals::flat(deltas)
    }
}

/// The text that replaces a name.
struct InlinedText {
    text: Vec<u8>,
    /// Whether it replaces calls of the name.
    is_called: bool,
}

impl InlinedText {
    fn of(bytes: &[u8], tree: &SyntaxTree, definition: &RemovableDefinition<'_>) -> Option<Self> {
        let node = tree.node(definition.node);
        let text = |id: NodeId| bytes[tree.node(id).range.clone()].trim_ascii().to_vec();
        let plain = |text: Vec<u8>| (!text.is_empty()).then_some(Self { text, is_called: false });
        match node.kind {
            "enumerator" => plain(ordinal(tree, definition.node)?.to_string().into_bytes()),
            "type_definition" => {
                let name = tree
                    .child(definition.node, "declarator")
                    .filter(|name| text(*name) == definition.name)?;
                let type_ = tree.child(definition.node, "type").filter(|type_| *type_ < name)?;
                plain(text(type_))
            }
            "preproc_def" => plain(text(tree.child(definition.node, "value")?)),
            _ if tree.child(definition.node, "body").is_some() => {
                let text = text(returned(bytes, tree, definition.node)?);
                Some(Self { text, is_called: true })
            }
            _ => {
                let inside = tree.inside(definition.node).take(MOST_INSIDE).map(NodeId);
                let mut values = inside.filter(|id| matches!(tree.node(*id).field, Some("value" | "right")));
                let value = values.next().filter(|value| values.next().is_none() && tree.is_leaf(*value))?;
                plain(text(value))
            }
        }
    }
}

/// A definition with more nodes does not have a simple value.
const MOST_INSIDE: usize = 40;

/// The number of an enumerator, if the enumerators before it have no explicit values.
fn ordinal(tree: &SyntaxTree, id: NodeId) -> Option<usize> {
    let mut before =
        tree.children(tree.node(id).parent?).take_while(|sibling| *sibling <= id).take(MOST_INSIDE * 2);
    let mut number = 0;
    before.try_for_each(|sibling| {
        let is_plain = tree.child(sibling, "value").is_none();
        number += usize::from(tree.node(sibling).kind == "enumerator");
        is_plain.then_some(())
    })?;
    number.checked_sub(1).filter(|number| *number < MOST_INSIDE)
}

/// The return value of a function without parameters that only returns it.
fn returned(bytes: &[u8], tree: &SyntaxTree, function: NodeId) -> Option<NodeId> {
    let mut lists = tree.inside(function).map(NodeId).filter(|id| tree.node(*id).field == Some("parameters"));
    let parameters = &bytes[tree.node(lists.next()?).range.clone()];
    (parameters == b"()" || parameters == b"(void)").then_some(())?;
    let named = |id: NodeId| tree.children(id).filter(|child| tree.node(*child).is_named).collect::<Vec<_>>();
    let [statement] = named(tree.child(function, "body")?)[..] else { return None };
    let [value] = named(statement)[..] else { return None };
    tree.node(statement).kind.starts_with("return").then_some(value)
}

/// The call of a name, or the name itself if it is not called.
fn call(tree: &SyntaxTree, name: NodeId) -> NodeId {
    let is_called = tree.node(name).field == Some("function");
    tree.node(name).parent.filter(|_| is_called).unwrap_or(name)
}
