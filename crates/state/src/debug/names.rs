//! Qualified names, and attributes that an entry inherits from the entry that it completes.

use super::entry::{self, Die, DwarfEntry, DwarfSlice};
use super::image::LoadedImage;
use super::unit::{UnitLanguage, text};
use gimli::UnitRef;
use gimli::constants as dw;
use gimli::{DwAt, DwTag};
use std::path::Path;
use std::sync::Arc;

/// Longer chains of references are not followed.
const MOST_STEPS: usize = 16;
/// Longer names are cut.
const LONGEST_NAME: usize = 16_384;

impl LoadedImage {
    /// An attribute of an entry, or of the entry that it completes, and where it was found.
    pub(super) fn inherited<'a>(
        &'a self,
        die: Die,
        entry: &DwarfEntry,
        wanted: DwAt,
    ) -> Option<(Die, UnitRef<'a, DwarfSlice>, DwarfEntry)> {
        let unit = self.unit(die.unit)?;
        if entry.has_attr(wanted) {
            return Some((die, unit, entry.clone()));
        }
        let mut die = self.origin(die, entry)?;
        for _ in 0..MOST_STEPS {
            let unit = self.unit(die.unit)?;
            let entry = entry::read(&unit, die.at())?;
            if entry.has_attr(wanted) {
                return Some((die, unit, entry));
            }
            die = self.origin(die, &entry)?;
        }
        None
    }

    /// The entry that this one completes: its declaration or the abstract instance of an inlined function.
    pub(super) fn origin(&self, die: Die, entry: &DwarfEntry) -> Option<Die> {
        let value = entry
            .attr_value(dw::DW_AT_specification)
            .or_else(|| entry.attr_value(dw::DW_AT_abstract_origin))?;
        self.refers_to(die, value)
    }

    /// The name of an entry, without its namespaces and classes.
    pub(super) fn name(&self, die: Die, entry: &DwarfEntry) -> Option<&'static str> {
        let (_, unit, entry) = self.inherited(die, entry, dw::DW_AT_name)?;
        text(unit, &entry, dw::DW_AT_name)
    }

    /// The name of an entry with the namespaces and classes that it is in.
    pub(super) fn qualified(&self, die: Die, entry: &DwarfEntry) -> Option<String> {
        let (home, unit, named) = self.inherited(die, entry, dw::DW_AT_name)?;
        let name = text(unit, &named, dw::DW_AT_name)?;
        // An entry that is described outside of its namespace was declared inside of it.
        let mut place = home;
        let mut next = self.origin(home, &named);
        for _ in 0..MOST_STEPS {
            let Some(origin) = next else { break };
            place = origin;
            let unit = self.unit(origin.unit)?;
            next = entry::read(&unit, origin.at()).and_then(|entry| self.origin(origin, &entry));
        }
        Some(self.qualify(place, name))
    }

    /// Puts the namespaces and classes that an entry is in before its name.
    pub(super) fn qualify(&self, die: Die, name: &str) -> String {
        let Some(home) = self.units.get(die.unit as usize) else { return name.to_owned() };
        if home.language == UnitLanguage::C {
            return name.to_owned();
        }
        let mut parts = vec![name.to_owned()];
        let mut length = name.len();
        let mut place = die;
        // The body of a method is outside of its class. Entries inside the body are still qualified by the class.
        for _ in 0..MOST_STEPS {
            let mut next = None;
            let Some(home) = self.units.get(place.unit as usize) else { break };
            for scope in home.outline.around(place.offset as usize) {
                let outer = Die { offset: scope.start, ..place };
                let Some((part, origin)) = self.part(outer, scope.tag) else { continue };
                length += part.len() + 2;
                if length > LONGEST_NAME {
                    break;
                }
                parts.push(part);
                if origin.is_some() {
                    next = origin;
                    break;
                }
            }
            match next {
                Some(origin) => place = origin,
                None => break,
            }
        }
        parts.reverse();
        parts.join("::")
    }

    /// The name of a scope, and its declaration if that is elsewhere.
    fn part(&self, die: Die, tag: DwTag) -> Option<(String, Option<Die>)> {
        let unit = self.unit(die.unit)?;
        let entry = entry::read(&unit, die.at())?;
        let name = self.name(die, &entry);
        let origin = self.origin(die, &entry);
        let name = match (name, tag) {
            (Some(name), _) => name.to_owned(),
            (None, dw::DW_TAG_namespace) => "(anonymous namespace)".to_owned(),
            (None, _) => self.typedef_of(die)?.to_owned(),
        };
        Some((name, origin))
    }

    /// The source file that declares an entry, as the compiler was given it; empty if unknown.
    pub(super) fn file_of(&self, die: Die, entry: &DwarfEntry) -> String {
        let number = self.file_number(die, entry);
        let file = number.and_then(|(home, number, _)| self.lines(home.unit)?.given(number));
        file.unwrap_or_default().to_owned()
    }

    /// The source file and the line that declare an entry.
    pub(super) fn declaration(&self, die: Die, entry: &DwarfEntry) -> (Option<Arc<Path>>, u64) {
        let Some((home, number, line)) = self.file_number(die, entry) else { return (None, 0) };
        (self.lines(home.unit).and_then(|lines| lines.file(number)).cloned(), line)
    }

    fn file_number(&self, die: Die, entry: &DwarfEntry) -> Option<(Die, u64, u64)> {
        let (home, _, entry) = self.inherited(die, entry, dw::DW_AT_decl_file)?;
        let line = entry::number(&entry, dw::DW_AT_decl_line).unwrap_or(0);
        let number = match entry.attr_value(dw::DW_AT_decl_file)? {
            gimli::AttributeValue::FileIndex(number) => number,
            value => value.udata_value()?,
        };
        Some((home, number, line))
    }
}

/// A name without template and generic arguments: `shop::Box<int>::get` is `shop::Box::get`.
pub(super) fn without_arguments(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut before = ' ';
    for letter in name.chars() {
        // The names of operators and the arrows of Rust contain brackets that enclose nothing.
        let is_operator = depth == 0 && plain.trim_end_matches(['<', '>', '-', '=']).ends_with("operator");
        match letter {
            '<' if !is_operator => depth += 1,
            '>' if !is_operator && before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
        before = letter;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_left_out_of_names() {
        for (name, plain) in [
            ("shop::Box<int>::get", "shop::Box::get"),
            ("a::b<std::pair<int, long> >::c<d>", "a::b::c"),
            ("x::operator<<", "x::operator<<"),
            ("x::operator->", "x::operator->"),
            ("x::operator<=>", "x::operator<=>"),
            ("m::f<fn(u8) -> u8>", "m::f"),
            ("main", "main"),
        ] {
            assert_eq!(without_arguments(name), plain);
        }
    }
}
