//! Vertices as expressions of the source language.

use super::{Declarations, Label, MemoryGraph, Shape, VertexId};
use crate::debug::{RecordType, Type};

/// Steps that repeat more often than this are written once, with their count.
const MOST_REPEATS: usize = 6;
/// At most this number of edges repeats as a unit: `.next.Some.0` and the pointer.
const LONGEST_PERIOD: usize = 6;
/// Longer paths are cut.
const MOST_STEPS: usize = 1 << 22;

impl MemoryGraph {
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
        let mut spelling =
            Spelling { prefix: String::new(), text: self.root_name(last), is_pointed_to: false };
        let mut at = 1;
        while at < path.len() {
            at += match self.repeats(&path[at..]) {
                Some((period, count)) => {
                    self.spell_repeated(program, &mut spelling, &path[at - 1..], period, count)
                }
                None => {
                    self.spell(program, &mut spelling, path[at - 1], path[at]);
                    1
                }
            };
        }
        spelling.finish()
    }

    /// How many of the next edges repeat, and how often, if that is more than the limit.
    fn repeats(&self, path: &[VertexId]) -> Option<(usize, usize)> {
        let label = |vertex: &VertexId| &self.vertices[vertex.0 as usize].label;
        (1..=LONGEST_PERIOD).find_map(|period| {
            let first = path.get(..period)?;
            let alike = |part: &[VertexId]| {
                part.len() == period && first.iter().map(label).eq(part.iter().map(label))
            };
            let count = path.chunks(period).take_while(|part| alike(part)).count();
            (count > MOST_REPEATS).then_some((period, count))
        })
    }

    /// Writes steps that repeat once, with their count: `list->next{7}->id`. Returns the number of edges that it covers.
    fn spell_repeated(
        &self,
        program: &dyn Declarations,
        spelling: &mut Spelling,
        path: &[VertexId],
        period: usize,
        count: usize,
    ) -> usize {
        // In the first round, the pointer before it may still have to be followed.
        let start = spelling.text.len();
        let was = spelling.is_pointed_to;
        for pair in path.windows(2).take(period) {
            self.spell(program, spelling, pair[0], pair[1]);
        }
        let steps = spelling.text.get(start..).unwrap_or_default();
        let number = steps.matches(['.', '[']).count() + steps.matches("->").count();
        if !spelling.prefix.is_empty() || was && !spelling.is_pointed_to || steps.is_empty() {
            return period;
        }
        let repeated =
            if number > 1 { format!("({steps}){{{count}}}") } else { format!("{steps}{{{count}}}") };
        spelling.text.replace_range(start.., &repeated);
        period * count
    }

    fn spoken(&self, vertex: VertexId) -> Option<&str> {
        let index = self.spoken.binary_search_by_key(&vertex, |(vertex, _)| *vertex).ok()?;
        Some(&self.spoken[index].1)
    }

    /// The name of a variable.
    fn root_name(&self, root: VertexId) -> String {
        if let Some(spoken) = self.spoken(root) {
            return spoken.to_owned();
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

    /// The record type of a vertex.
    pub(super) fn record(&self, program: &dyn Declarations, vertex: VertexId) -> Option<RecordType> {
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
                // A pointer to characters is written like the text.
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
                spelling.element(&index.to_string(), is_declared);
            }
            Label::Item(index) => {
                let is_rust = self.record(program, parent).is_some_and(|record| record.is_rust);
                match self.spoken(vertex) {
                    Some(key) => spelling.element(key, !is_rust),
                    None => spelling.element(&index.to_string(), !is_rust),
                }
            }
            Label::Global(_) | Label::Local(..) => {}
        }
    }
}

/// An expression under construction.
struct Spelling {
    /// The stars before the name.
    prefix: String,
    /// The name and the steps after it.
    text: String,
    /// Whether the expression so far is a pointer to the value.
    is_pointed_to: bool,
}

impl Spelling {
    fn point(&mut self, is_said_alike: bool) {
        if self.is_pointed_to {
            self.prefix.push('*');
        }
        self.is_pointed_to = !is_said_alike;
    }

    fn member(&mut self, name: &str, is_rust: bool) {
        let arrow = if self.is_pointed_to && !is_rust { "->" } else { "." };
        self.enclose();
        self.text.push_str(arrow);
        self.text.push_str(name);
        self.is_pointed_to = false;
    }

    /// An element. A pointer can be indexed directly, unless it points to a declared array.
    fn element(&mut self, index: &str, is_declared: bool) {
        if self.is_pointed_to && is_declared {
            self.prefix.push('*');
        }
        self.enclose();
        self.text.push_str(&format!("[{index}]"));
        self.is_pointed_to = false;
    }

    /// A star binds less tightly than the steps after it.
    fn enclose(&mut self) {
        if !self.prefix.is_empty() {
            self.text = format!("({}{})", self.prefix, self.text);
            self.prefix.clear();
        }
    }

    fn finish(self) -> String {
        let star = if self.is_pointed_to { "*" } else { "" };
        format!("{star}{}{}", self.prefix, self.text)
    }
}
