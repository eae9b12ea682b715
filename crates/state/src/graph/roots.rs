//! The variables with which reading starts, and their names.

use super::read::{GraphReader, ObjectClaim};
use super::{Label, MemoryEdge, ObjectKind, Shape, VertexId};
use crate::debug::{FunctionId, LiveVariable, StackFrame};
use std::collections::{BTreeMap, HashMap, HashSet};

impl GraphReader<'_> {
    /// Reads globals and statics by file and name, then the locals of all frames, innermost first.
    pub(super) fn read_roots(&mut self, frames: &[StackFrame]) {
        let mut globals = self.source.globals(self.snapshot);
        let order = |variable: &LiveVariable| {
            (variable.file.clone(), variable.function.clone(), variable.name.clone(), variable.at)
        };
        globals.sort_by_cached_key(order);
        let names = global_names(&globals);
        let mut taken: HashMap<String, u32> = HashMap::new();
        // Locals own their memory before anything that a pointer leads to; so do globals.
        for (variable, name) in globals.into_iter().zip(names) {
            let label = Label::Global(self.layouts.names.number(&name));
            let kind = ObjectKind::Global { file: variable.file, function: variable.function };
            if self.add_root(variable.at, variable.ty, kind, label).is_some() {
                *taken.entry(name).or_default() += 1;
            }
        }
        self.read_locals(frames, taken);
    }

    fn read_locals(&mut self, frames: &[StackFrame], mut taken: HashMap<String, u32>) {
        // The names that are taken: those of globals, and for locals the number of frames.
        let mut locals: Vec<(u32, FunctionId, VertexId, String)> = Vec::new();
        for (number, frame) in frames.iter().enumerate() {
            let Some(function) = frame.function else { continue };
            let mut hidden: BTreeMap<String, u32> = BTreeMap::new();
            for variable in self.source.locals(frame, self.snapshot) {
                let depth = hidden.entry(variable.name.clone()).or_default();
                let name = match *depth {
                    0 => variable.name.clone(),
                    depth => format!("{}#{depth}", variable.name),
                };
                *depth += 1;
                let label = Label::Local(number as u32, self.layouts.names.number(&name));
                let kind = ObjectKind::Local { frame: number as u32, function: Some(function) };
                if let Some(vertex) = self.add_root(variable.at, variable.ty, kind, label) {
                    locals.push((number as u32, function, vertex, variable.name));
                }
            }
            for name in hidden.into_keys() {
                *taken.entry(name).or_default() += 1;
            }
        }
        self.speak(&locals, &taken);
    }

    /// Locals of outer frames with ambiguous names are written with their function, and with their frame if the function
    /// calls itself.
    fn speak(&mut self, locals: &[(u32, FunctionId, VertexId, String)], taken: &HashMap<String, u32>) {
        let innermost = locals.first().map_or(0, |(frame, ..)| *frame);
        let mut calls: HashMap<FunctionId, HashSet<u32>> = HashMap::new();
        for (frame, function, ..) in locals {
            calls.entry(*function).or_default().insert(*frame);
        }
        let mut spoken = Vec::new();
        for (frame, function, vertex, name) in locals {
            if *frame == innermost || taken.get(name).is_none_or(|count| *count < 2) {
                continue;
            }
            let function_name = self.source.function_name(*function);
            let function_name = last_part(&function_name);
            let is_recursive = calls.get(function).is_some_and(|frames| frames.len() > 1);
            let number = if is_recursive { format!("@{frame}") } else { String::new() };
            spoken.push((*vertex, format!("{function_name}{number}::{name}")));
        }
        spoken.sort_by_key(|(vertex, _)| *vertex);
        spoken.dedup_by_key(|(vertex, _)| *vertex);
        self.graph.spoken = spoken;
    }

    /// Adds a variable. If another variable has the same bytes, both show them if their types fit.
    fn add_root(
        &mut self,
        at: crate::Address,
        ty: crate::debug::TypeId,
        kind: ObjectKind,
        label: Label,
    ) -> Option<VertexId> {
        let size = self.layouts.size(ty);
        let claim =
            ObjectClaim { at, size, kind, ty, shape: Shape::Record, parent: None, label: label.clone() };
        let vertex = match self.claim(claim) {
            Some(vertex) => vertex,
            None => {
                let object = self.overlapping(at, size)?;
                self.find(object, at, Some(ty)).filter(|vertex| self.vertex(*vertex).ty == ty)?
            }
        };
        self.graph.roots.push(MemoryEdge { label, to: vertex });
        Some(vertex)
    }
}

/// The last part of a qualified name: `Circle` of `shapes::Circle`.
pub(super) fn last_part(name: &str) -> &str {
    let plain = &name[..name.find('<').unwrap_or(name.len())];
    plain.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name)
}

/// The names of globals: statics of functions with their function, and with their file if names are equal.
fn global_names(globals: &[LiveVariable]) -> Vec<String> {
    let name = |variable: &LiveVariable| match &variable.function {
        Some(function) => format!("{function}::{}", variable.name),
        None => variable.name.clone(),
    };
    let mut counts: HashMap<String, HashSet<(&str, crate::Address)>> = HashMap::new();
    for variable in globals {
        counts.entry(name(variable)).or_default().insert((&variable.file, variable.at));
    }
    let mut seen: HashMap<String, u32> = HashMap::new();
    let names = globals.iter().map(|variable| {
        let plain = name(variable);
        if counts.get(&plain).is_none_or(|places| places.len() < 2) {
            return plain;
        }
        let file = variable.file.rsplit('/').next().unwrap_or_default();
        let full = if file.is_empty() { plain } else { format!("{file}::{plain}") };
        let count = seen.entry(full.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{full}#{}", *count - 1) } else { full }
    });
    names.collect()
}
