//! The functions around those that a failing run names: which functions of the changed files call each other.

use super::relatedness::identifiers;
use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChangeKind};
use crate::syntax::{CodeItem, functions};
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many calls away from a function that the output names, a function is still near.
const NEAR: u32 = 2;

/// The changes in functions that call, or are called by, a function that an output names, over at most two calls.
#[must_use]
pub fn near_by_calls(changes: &ChangeSet, output: &[u8]) -> Configuration {
    let graph = CallGraph::of(changes);
    let named: HashSet<&[u8]> = identifiers(output).filter(|name| graph.calls.contains_key(name)).collect();
    let near = graph.around(named);
    let is_near = |delta: &DeltaId| {
        let Some(change) = changes.describe(*delta).filter(|change| change.what == ChangeKind::Lines) else {
            return false;
        };
        let lines = change.new_line..change.new_line + change.new_lines.max(1);
        let functions = graph.functions.get(change.path).into_iter().flatten();
        functions
            .filter(|function| function.lines.start < lines.end && lines.start < function.lines.end)
            .any(|function| near.contains(&function.name[..]))
    };
    changes.all().iter().filter(is_near).collect()
}

/// The functions of the bad version's changed files, and the names that each of them mentions.
struct CallGraph<'a> {
    functions: BTreeMap<&'a TreePath, Vec<CodeItem>>,
    calls: HashMap<&'a [u8], HashSet<&'a [u8]>>,
}

impl<'a> CallGraph<'a> {
    fn of(changes: &'a ChangeSet) -> Self {
        let (mut functions_of, mut texts) = (BTreeMap::new(), Vec::new());
        for (file, _) in changes.files_of(&changes.all()) {
            let FileChangeKind::Edited(edited) = &file.what else { continue };
            let EditedBody::Text { bad, .. } = &edited.body else { continue };
            let functions = functions(&file.path, bad.bytes());
            for function in &functions {
                let body = bad.run(function.lines.start - 1..function.lines.end - 1);
                texts.push((function.name.clone(), body));
            }
            functions_of.insert(&file.path, functions);
        }
        let names: HashSet<Vec<u8>> = texts.iter().map(|(name, _)| name.clone()).collect();
        let mut calls: HashMap<&[u8], HashSet<&[u8]>> = HashMap::new();
        for (name, body) in texts {
            let mentioned: HashSet<&[u8]> = identifiers(body).filter(|word| names.contains(*word)).collect();
            // Its own name is among them, and stays valid as long as the text does.
            if let Some(own) = mentioned.get(&name[..]).copied() {
                calls.entry(own).or_default().extend(mentioned);
            }
        }
        Self { functions: functions_of, calls }
    }

    /// Functions at most `NEAR` calls away from others, in either direction.
    fn around(&self, from: HashSet<&'a [u8]>) -> HashSet<&'a [u8]> {
        let mut near = from;
        for _ in 0..NEAR {
            let called = near.iter().filter_map(|name| self.calls.get(name)).flatten().copied();
            let calling = self.calls.iter().filter(|(_, called)| !called.is_disjoint(&near));
            let next: HashSet<&[u8]> = called.chain(calling.map(|(name, _)| *name)).collect();
            near.extend(next);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tree::Tree;

    #[test]
    fn changes_at_most_two_calls_away_from_a_function_in_the_output() {
        let version = |number: u32| {
            let body = |calls: &str| format!("{{\n  {calls};\n  return {number};\n}}\n\n");
            let functions =
                [("main", "top()"), ("top", "middle()"), ("middle", "crash()"), ("crash", "deep()")];
            let others = [("deep", "deeper()"), ("deeper", "deepest()"), ("deepest", "0"), ("apart", "0")];
            functions
                .into_iter()
                .chain(others)
                .map(|(name, calls)| format!("int {name}()\n{}", body(calls)))
                .collect::<String>()
        };
        let [good, bad] = [1, 2].map(|number| Tree::of_texts(&[("a.c", &version(number))]));
        let changes = ChangeSet::between(&good, &bad).unwrap();
        assert_eq!(changes.len(), 8);
        let near = near_by_calls(&changes, b"#0 crash () at a.c:17");
        assert_eq!(near, "2-6".parse().unwrap(), "top, middle, crash, deep, deeper");
        assert!(near_by_calls(&changes, b"nothing that is known").is_empty());
    }
}
