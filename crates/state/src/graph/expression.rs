//! Vertices as expressions of the source language.

use super::{Declarations, Graph, Label, Shape, VertexId};
use crate::debug::{Record, Type};

/// A step that repeats more often than this is said once, with its count.
const MOST_REPEATS: usize = 6;
/// Steps that repeat may be this many taken together: `.next.Some.0`.
const LONGEST_PERIOD: usize = 4;
/// No expression has more steps; a program with a million elements in a list has folded ones.
const MOST_STEPS: usize = 1 << 22;

impl Graph {
    /// The vertex as an expression of the source language: `v[5]`, `list->next->id`, `*p`, `cart.items[2].price`.
    #[must_use]
    pub fn expression(&self, program: &dyn Declarations, vertex: VertexId) -> String {
        let mut path = vec![vertex];
        let mut last = vertex;
        while let Some(parent) = self.vertices[last.0 as usize].parent {
            if path.len() > MOST_STEPS {
                break;
            }
            path.push(parent);
            last = parent;
        }
        path.reverse();
        let mut spelling = Spelling { prefix: String::new(), steps: Vec::new(), is_pointed_to: false };
        spelling.steps.push(self.root_name(last));
        for pair in path.windows(2) {
            self.spell(program, &mut spelling, pair[0], pair[1]);
        }
        spelling.finish()
    }

    /// What a variable is called.
    fn root_name(&self, root: VertexId) -> String {
        if let Ok(index) = self.spoken.binary_search_by_key(&root, |(vertex, _)| *vertex) {
            return self.spoken[index].1.clone();
        }
        match self.vertices[root.0 as usize].label {
            Label::Global(name) | Label::Local(_, name) | Label::Member(name) | Label::Case(name) => {
                let name = self.name(name);
                name.split_once('#').map_or(name, |(plain, _)| plain).to_owned()
            }
            _ => String::from("?"),
        }
    }

    /// A name by its number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("?", String::as_str)
    }

    /// The record that a vertex is.
    pub(super) fn record(&self, program: &dyn Declarations, vertex: VertexId) -> Option<Record> {
        let vertex = &self.vertices[vertex.0 as usize];
        match (&vertex.shape, &*program.ty(vertex.ty)) {
            (Shape::Record, Type::Record(record)) => Some(record.clone()),
            _ => None,
        }
    }

    fn spell(&self, program: &dyn Declarations, spelling: &mut Spelling, parent: VertexId, vertex: VertexId) {
        let from = &self.vertices[parent.0 as usize];
        match self.vertices[vertex.0 as usize].label {
            Label::Target => {
                let is_reference = matches!(&*program.ty(from.ty), Type::Pointer { is_reference: true, .. })
                    && from.shape == Shape::Pointer;
                // A pointer to characters is said like the text.
                let is_text = matches!(self.vertices[vertex.0 as usize].shape, Shape::Text(_));
                spelling.point(is_reference || is_text);
            }
            Label::Member(name) => {
                let name = self.name(name);
                if !name.starts_with('#') {
                    let is_rust = matches!(&*program.ty(from.ty), Type::Record(record) if record.is_rust);
                    spelling.member(name, is_rust);
                }
            }
            Label::Case(name) => spelling.member(self.name(name), true),
            Label::Element(index) => {
                let is_declared = matches!(&*program.ty(from.ty), Type::Array { .. })
                    && self.vertices[vertex.0 as usize].ty != from.ty;
                spelling.element(index, is_declared);
            }
            Label::Item(index) => {
                let is_rust = self.record(program, parent).is_some_and(|record| record.is_rust);
                spelling.element(index, !is_rust);
            }
            Label::Global(_) | Label::Local(..) => {}
        }
    }
}

/// An expression in the making.
struct Spelling {
    /// What comes before all steps: stars and opening brackets.
    prefix: String,
    /// The name, and what follows it.
    steps: Vec<String>,
    /// Whether the expression so far is a pointer to what is meant.
    is_pointed_to: bool,
}

impl Spelling {
    fn point(&mut self, is_reference: bool) {
        if self.is_pointed_to {
            self.prefix.insert(0, '*');
        }
        self.is_pointed_to = !is_reference;
    }

    fn member(&mut self, name: &str, is_rust: bool) {
        let arrow = if self.is_pointed_to && !is_rust { "->" } else { "." };
        self.enclose();
        self.steps.push(format!("{arrow}{name}"));
        self.is_pointed_to = false;
    }

    /// An element; of what is pointed to, the pointer itself may be indexed unless the array is declared as one.
    fn element(&mut self, index: u32, is_declared: bool) {
        if self.is_pointed_to && is_declared {
            self.prefix.insert(0, '*');
        }
        self.enclose();
        self.steps.push(format!("[{index}]"));
        self.is_pointed_to = false;
    }

    /// A star binds less than what follows.
    fn enclose(&mut self) {
        if !self.prefix.is_empty() {
            let folded = fold(&self.steps);
            self.steps = vec![format!("({}{folded})", self.prefix)];
            self.prefix.clear();
        }
    }

    fn finish(self) -> String {
        let star = if self.is_pointed_to { "*" } else { "" };
        format!("{star}{}{}", self.prefix, fold(&self.steps))
    }
}

/// Steps one after the other, those that repeat with their count: `list->next{7}->id`.
fn fold(steps: &[String]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < steps.len() {
        let repeated = (1..=LONGEST_PERIOD).filter(|_| at > 0).find_map(|period| {
            let part = steps.get(at..at + period)?;
            let count = steps[at..].chunks(period).take_while(|chunk| *chunk == part).count();
            (count > MOST_REPEATS).then_some((part, count))
        });
        match repeated {
            Some(([step], count)) => text.push_str(&format!("{step}{{{count}}}")),
            Some((part, count)) => text.push_str(&format!("({}){{{count}}}", part.concat())),
            None => text.push_str(&steps[at]),
        }
        at += repeated.map_or(1, |(part, count)| part.len() * count);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_long_chain_is_folded_and_a_short_one_is_not() {
        let short = format!("list{} ->id", " ->next".repeat(6));
        assert_eq!(fold(&steps(&short)), short.replace(' ', ""));
        let long = format!("list{} ->id", " ->next".repeat(7));
        assert_eq!(fold(&steps(&long)), "list->next{7}->id");
        let rust = format!("list{} .id", " .next .Some .0".repeat(9));
        assert_eq!(fold(&steps(&rust)), "list(.next.Some.0){9}.id");
    }
}
