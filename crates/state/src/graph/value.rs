//! Values as the source language writes them.

use super::container::Container;
use super::layout::is_character;
use super::roots::last_part;
use super::{Declarations, Label, MemoryGraph, Shape, VertexId};
use crate::debug::{BitField, ScalarEncoding, Type, TypeId};
use crate::{Address, Snapshot};

/// The approximate maximum length of a value.
const LONGEST: usize = 60;
/// Records are shown to this depth.
const DEPTH: u32 = 3;

impl MemoryGraph {
    /// The value as the source language writes it, at most about 60 characters: `42`, `'a'`, `"text"`, `RED`, `0x0`,
    /// `{id = 3, next = 0x0}`, `&buffer`.
    #[must_use]
    pub fn value(&self, program: &dyn Declarations, snapshot: &Snapshot, vertex: VertexId) -> String {
        Speaker { graph: self, program, snapshot }.value(vertex, DEPTH, LONGEST)
    }
}

/// Writes values.
struct Speaker<'a> {
    graph: &'a MemoryGraph,
    program: &'a dyn Declarations,
    snapshot: &'a Snapshot,
}

impl Speaker<'_> {
    fn value(&self, id: VertexId, depth: u32, most: usize) -> String {
        let vertex = &self.graph.vertices[id.0 as usize];
        match vertex.shape {
            Shape::Scalar(size) => self.scalar(vertex.at, vertex.ty, u64::from(size)),
            Shape::Bits(bits) => self.bits(vertex.at, vertex.ty, bits),
            Shape::Pointer => self.pointer(id, depth, most),
            Shape::Text(length) => self.text(vertex.at, u64::from(length), most),
            Shape::Stream => String::from("a stream"),
            Shape::Array(_) => self.list(id, depth, most),
            Shape::Record => self.record(id, depth, most),
        }
    }

    fn scalar(&self, at: Address, ty: TypeId, size: u64) -> String {
        if size == 0 {
            return String::from("()");
        }
        let Some(bytes) = self.snapshot.bytes(at, size) else { return String::from("?") };
        let number = bytes.iter().rev().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        match &*self.program.ty(ty) {
            Type::Pointer { .. } => self.code(Address(number as u64)),
            ty => number_in_words(ty, number, 8 * bytes.len().min(16) as u32),
        }
    }

    fn bits(&self, at: Address, ty: TypeId, bits: BitField) -> String {
        let length = (u64::from(bits.skip) + u64::from(bits.count)).div_ceil(8);
        let Some(bytes) = self.snapshot.bytes(at, length) else { return String::from("?") };
        let number = bytes.iter().rev().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let count = u32::from(bits.count).clamp(1, 64);
        let number = number >> bits.skip & ((1 << count) - 1);
        number_in_words(&self.program.ty(ty), number, count)
    }

    /// A pointer to a function, with its name.
    fn code(&self, to: Address) -> String {
        match self.program.name_at(to) {
            _ if to.is_null() => String::from("0x0"),
            Some(name) => name,
            None => to.to_string(),
        }
    }

    fn pointer(&self, id: VertexId, depth: u32, most: usize) -> String {
        let vertex = &self.graph.vertices[id.0 as usize];
        let to = Address(self.snapshot.number(vertex.at, 8).unwrap_or(0));
        if to.is_null() {
            return String::from("0x0");
        }
        let target = self.graph.edges_of(id).first().map(|edge| edge.to);
        let Some(target) = target else {
            return self.middle_of_text(vertex.ty, to, most).unwrap_or_else(|| self.elsewhere(to));
        };
        let held = &self.graph.vertices[target.0 as usize];
        let is_reference = matches!(&*self.program.ty(vertex.ty), Type::Pointer { is_reference: true, .. });
        match held.shape {
            Shape::Text(_) => self.value(target, depth, most),
            // A value that only this pointer leads to has no better name than its content.
            _ if held.parent == Some(id) && held.label == Label::Target => {
                let star = if is_reference { "" } else { "&" };
                let class = self.dynamic_type(vertex.ty, held.ty);
                match depth {
                    0 => format!("{star}{class}{{…}}"),
                    _ => format!("{star}{class}{}", self.value(target, depth - 1, most)),
                }
            }
            _ => {
                let expression = self.graph.expression(self.program, target);
                match expression.strip_prefix('*') {
                    // The target can be named by the pointer itself: a base class, a node of a container.
                    Some(pointer) if pointer == self.graph.expression(self.program, id) => {
                        let class = self.dynamic_type(vertex.ty, held.ty);
                        match depth {
                            0 => format!("&{class}{{…}}"),
                            _ => format!("&{class}{}", self.value(target, depth - 1, most)),
                        }
                    }
                    Some(pointer) => pointer.to_owned(),
                    None => format!("&{expression}"),
                }
            }
        }
    }

    /// The name of a record if the pointer to it is declared with another type: `Circle ` for a pointer to a `Shape`.
    fn dynamic_type(&self, pointer: TypeId, held: TypeId) -> String {
        let declared = match &*self.program.ty(pointer) {
            Type::Pointer { to, .. } => Some(*to),
            _ => None,
        };
        let is_known =
            |declared: TypeId| matches!(&*self.program.ty(declared), Type::Record(_) | Type::Opaque { .. });
        match &*self.program.ty(held) {
            Type::Record(record)
                if declared.is_some_and(|declared| declared != held && is_known(declared)) =>
            {
                format!("{} ", last_part(&record.name))
            }
            _ => String::new(),
        }
    }

    /// The rest of a text, for a pointer into the middle of it.
    fn middle_of_text(&self, ty: TypeId, to: Address, most: usize) -> Option<String> {
        let Type::Pointer { to: pointee, .. } = &*self.program.ty(ty) else { return None };
        let object = &self.graph.objects[self.graph.object_at(to)?.0 as usize];
        let text = &self.graph.vertices[object.vertex.0 as usize];
        let Shape::Text(length) = text.shape else { return None };
        let rest = (u64::from(length) + (text.at - object.at)).checked_sub(to - object.at)?;
        is_character(&self.program.ty(*pointee)).then(|| self.text(to, rest, most))
    }

    /// A pointer that does not lead to a vertex: an offset in an object, a symbol, or just an address.
    fn elsewhere(&self, to: Address) -> String {
        if let Some(object) = self.graph.object_at(to) {
            let object = &self.graph.objects[object.0 as usize];
            let expression = self.graph.expression(self.program, object.vertex);
            let start = match expression.strip_prefix('*') {
                Some(pointer) => pointer.to_owned(),
                None => format!("&{expression}"),
            };
            return format!("{start} + {} bytes", to - object.at);
        }
        self.program.name_at(to).map_or_else(|| to.to_string(), |name| format!("&{name}"))
    }

    fn text(&self, at: Address, length: u64, most: usize) -> String {
        quote(self.snapshot.bytes(at, length).unwrap_or_default(), most)
    }

    /// Elements in brackets.
    fn list(&self, id: VertexId, depth: u32, most: usize) -> String {
        let items = self.graph.edges_of(id).iter().map(|edge| (None, edge.to));
        let (open, close) = if is_rust(self.program, self.graph.vertices[id.0 as usize].ty) {
            ("[", "]")
        } else {
            ("{", "}")
        };
        self.enclose(open, items, close, depth, most)
    }

    fn record(&self, id: VertexId, depth: u32, most: usize) -> String {
        let record = self.graph.record(self.program, id);
        let is_rust = record.as_ref().is_some_and(|record| record.is_rust);
        let edges = self.graph.edges_of(id);
        if let Some(edge) = edges.iter().find(|edge| matches!(edge.label, Label::Case(_))) {
            return self.case(edge.to, depth, most);
        }
        let is_text =
            |label: &Label| matches!(label, Label::Member(name) if self.graph.name(*name) == "#text");
        if let Some(edge) = edges.iter().find(|edge| is_text(&edge.label)) {
            return self.value(edge.to, depth, most);
        }
        if let Some(edge) = edges.iter().find(|edge| edge.label == Label::Target) {
            let star =
                if record.is_some_and(|record| record.name.starts_with("std::optional<")) { "" } else { "&" };
            let pointer = edges.iter().find_map(|edge| match edge.label {
                Label::Member(name) if self.graph.name(name) == "pointer" => Some(edge.to),
                _ => None,
            });
            let held = self.graph.vertices[edge.to.0 as usize].ty;
            let class = pointer.map(|pointer| self.graph.vertices[pointer.0 as usize].ty);
            let class = class.map_or_else(String::new, |pointer| self.dynamic_type(pointer, held));
            return format!("{star}{class}{}", self.value(edge.to, depth.saturating_sub(1), most));
        }
        let items = edges.iter().filter(|edge| matches!(edge.label, Label::Item(_)));
        if items.clone().next().is_some() {
            let (open, close) = if is_rust { ("[", "]") } else { ("{", "}") };
            return self.enclose(open, items.map(|edge| (None, edge.to)), close, depth, most);
        }
        if let Some(nothing) = record.and_then(|record| Container::of(&record)).and_then(Container::nothing) {
            return nothing.to_owned();
        }
        let mut members = Vec::new();
        self.members(id, &mut members, 8);
        if let [(None, only)] = members[..] {
            return self.value(only, depth.saturating_sub(1), most);
        }
        let number = |name: Option<&str>| name.and_then(|name| name.parse::<u32>().ok());
        let is_tuple = !members.is_empty() && members.iter().all(|(name, _)| number(*name).is_some());
        if is_tuple {
            members.sort_by_key(|(name, _)| number(*name));
        }
        let (open, close) = if is_tuple { ("(", ")") } else { ("{", "}") };
        let members = members.into_iter().map(|(name, to)| (name.filter(|_| !is_tuple), to));
        self.enclose(open, members, close, depth, most)
    }

    /// The members with names, including those of bases and anonymous members.
    fn members<'s>(&'s self, id: VertexId, into: &mut Vec<(Option<&'s str>, VertexId)>, depth: u32) {
        for edge in self.graph.edges_of(id) {
            let Label::Member(name) = edge.label else { continue };
            let name = self.graph.name(name);
            if name.starts_with("_vptr") || name == "#tag" || into.len() > LONGEST {
                continue;
            }
            if !name.starts_with('#') {
                into.push((Some(name), edge.to));
            } else if self.graph.vertices[edge.to.0 as usize].shape == Shape::Record && depth > 0 {
                self.members(edge.to, into, depth - 1);
            } else {
                into.push((None, edge.to));
            }
        }
    }

    /// The case of a Rust enum: `None`, `Some(3)`, `Circle {radius = 2}`.
    fn case(&self, id: VertexId, depth: u32, most: usize) -> String {
        let Label::Case(name) = self.graph.vertices[id.0 as usize].label else { return String::from("?") };
        let name = self.graph.name(name).to_owned();
        if self.graph.edges_of(id).is_empty() {
            return name;
        }
        let content = self.record(id, depth, most.saturating_sub(name.len()));
        if content.starts_with('(') { format!("{name}{content}") } else { format!("{name} {content}") }
    }

    fn enclose<'s>(
        &self,
        open: &str,
        items: impl Iterator<Item = (Option<&'s str>, VertexId)>,
        close: &str,
        depth: u32,
        most: usize,
    ) -> String {
        let mut text = open.to_owned();
        for (index, (name, to)) in items.enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            let used = text.chars().count();
            if depth == 0 || used + 6 > most {
                text.push('…');
                break;
            }
            if let Some(name) = name {
                text.push_str(name);
                text.push_str(" = ");
            }
            text.push_str(&self.value(to, depth - 1, most - used));
        }
        text.push_str(close);
        text
    }
}

/// Whether a type is from Rust, judging by its name.
pub(super) fn is_rust(program: &dyn Declarations, ty: TypeId) -> bool {
    let mut ty = ty;
    for _ in 0..8 {
        ty = match &*program.ty(ty) {
            Type::Record(record) => return record.is_rust,
            Type::Pointer { to, .. } => *to,
            Type::Array { of, .. } => *of,
            Type::Scalar { name, size: 4, .. } if name == "char" => return true,
            Type::Scalar { name, .. } => {
                let number = name.strip_prefix(['u', 'i', 'f']).unwrap_or_default();
                return matches!(number, "8" | "16" | "32" | "64" | "128" | "size");
            }
            _ => return false,
        }
    }
    false
}

/// A number as its type reads it.
fn number_in_words(ty: &Type, number: u128, bits: u32) -> String {
    let unused = 128 - bits.clamp(1, 128);
    let signed = (number << unused) as i128 >> unused;
    match ty {
        Type::Enumeration { values, .. } => {
            let named = values.iter().find(|(_, value)| *value == signed || *value == number as i128);
            named.map_or_else(|| signed.to_string(), |(name, _)| name.clone())
        }
        Type::Scalar { encoding, size, .. } => match encoding {
            ScalarEncoding::Boolean if number < 2 => String::from(if number == 1 { "true" } else { "false" }),
            ScalarEncoding::Character { .. } if *size == 4 => {
                char::from_u32(number as u32).map_or_else(|| format!("{number:#x}"), |it| format!("{it:?}"))
            }
            ScalarEncoding::Character { signed: is_signed } => character(number as u8, signed, *is_signed),
            ScalarEncoding::Signed => signed.to_string(),
            ScalarEncoding::Unsigned | ScalarEncoding::Boolean => number.to_string(),
            ScalarEncoding::Float if bits == 32 => f32::from_bits(number as u32).to_string(),
            ScalarEncoding::Float if bits == 64 => f64::from_bits(number as u64).to_string(),
            ScalarEncoding::Float => extended(number).to_string(),
            ScalarEncoding::Bytes => format!("{number:#x}"),
        },
        _ => format!("{number:#x}"),
    }
}

fn character(byte: u8, signed: i128, is_signed: bool) -> String {
    match byte {
        b'\'' => String::from("'\\''"),
        b'"' => String::from("'\"'"),
        0x20..=0x7e => format!("'{}'", byte.escape_ascii()),
        b'\n' | b'\t' | b'\r' | 0 => {
            format!("'{}'", if byte == 0 { "\\0".into() } else { byte.escape_ascii().to_string() })
        }
        _ if is_signed => signed.to_string(),
        _ => byte.to_string(),
    }
}

/// The 80 bits of the x87 as a double: precise enough to be read.
fn extended(number: u128) -> f64 {
    let mantissa = number as u64 as f64 / (1_u64 << 63) as f64;
    let exponent = (number >> 64 & 0x7fff) as i32;
    let sign = if number >> 79 & 1 == 1 { -1.0 } else { 1.0 };
    match exponent {
        0x7fff if (number as u64) << 1 == 0 => sign * f64::INFINITY,
        0x7fff => f64::NAN,
        _ => sign * mantissa * f64::powi(2.0, (exponent - 16383).clamp(-1074, 1024)),
    }
}

/// Bytes in quotes, cut if they are too long.
pub(crate) fn quote(bytes: &[u8], most: usize) -> String {
    let mut text = String::from("\"");
    let mut used = 1;
    let mut cut = false;
    'all: for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if used >= most {
                cut = true;
                break 'all;
            }
            match character {
                '"' => text.push_str("\\\""),
                '\'' => text.push('\''),
                '\0' => text.push_str("\\0"),
                other => text.extend(other.escape_debug()),
            }
            used += 1;
        }
        for byte in chunk.invalid() {
            if used >= most {
                cut = true;
                break 'all;
            }
            text.push_str(&format!("\\x{byte:02x}"));
            used += 4;
        }
    }
    text.push('"');
    if cut {
        text.push('…');
    }
    text
}
