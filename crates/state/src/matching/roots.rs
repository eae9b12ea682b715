//! The variables that both states have.

use super::side::StateSide;
use crate::graph::{Label, MemoryEdge, MemoryObjectId, ObjectKind};
use std::collections::HashMap;

/// A variable that both states have.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Its vertices on both sides.
    pub(super) objects: (MemoryObjectId, MemoryObjectId),
    /// The number of its group: a frame or a source file. Ascending.
    pub(super) module: u32,
}

/// The identity of a variable. Sorted by importance: locals first, innermost frame first, then globals by file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum RootIdentity<'a> {
    Local { frame: u32, hidden: u32, name: &'a str },
    Global { file: &'a str, function: Option<&'a str>, name: &'a str, again: u32 },
}

impl RootIdentity<'_> {
    fn is_beside(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Local { frame: a, .. }, Self::Local { frame: b, .. }) => a == b,
            (Self::Global { file: a, .. }, Self::Global { file: b, .. }) => a == b,
            _ => false,
        }
    }
}

/// The variables that both sides have with the same type.
pub(super) fn common_roots(base: &StateSide<'_>, other: &StateSide<'_>) -> Vec<Root> {
    let there: HashMap<RootIdentity<'_>, MemoryObjectId> = identities(other).into_iter().collect();
    let mut common: Vec<_> = identities(base)
        .into_iter()
        .filter_map(|(identity, here)| {
            let there = *there.get(&identity)?;
            let ty = |side: &StateSide<'_>, object| side.vertex(side.object(object).vertex).ty;
            (ty(base, here) == ty(other, there)).then_some((identity, here, there))
        })
        .collect();
    common.sort();
    let mut module = 0;
    let mut roots = Vec::with_capacity(common.len());
    for (index, (identity, here, there)) in common.iter().enumerate() {
        if index > 0 && !identity.is_beside(&common[index - 1].0) {
            module += 1;
        }
        roots.push(Root { objects: (*here, *there), module });
    }
    roots
}

fn identities<'a>(side: &StateSide<'a>) -> Vec<(RootIdentity<'a>, MemoryObjectId)> {
    let mut again: HashMap<RootIdentity<'a>, u32> = HashMap::new();
    let mut identities = Vec::with_capacity(side.graph.roots.len());
    for MemoryEdge { label, to } in &side.graph.roots {
        let object = side.vertex(*to).object;
        let kind = &side.object(object).kind;
        let name = |number: &u32| side.graph.names.get(*number as usize).map_or("", String::as_str);
        let mut identity = match (label, kind) {
            (Label::Local(frame, number), _) => {
                RootIdentity::Local { frame: *frame, name: name(number), hidden: 0 }
            }
            (Label::Global(number), ObjectKind::Global { file, function }) => {
                RootIdentity::Global { file, function: function.as_deref(), name: name(number), again: 0 }
            }
            (Label::Global(number), _) => {
                RootIdentity::Global { file: "", function: None, name: name(number), again: 0 }
            }
            _ => continue,
        };
        let count = again.entry(identity.clone()).or_insert(0);
        match &mut identity {
            RootIdentity::Local { hidden, .. } => *hidden = *count,
            RootIdentity::Global { again, .. } => *again = *count,
        }
        *count += 1;
        identities.push((identity, object));
    }
    identities
}
