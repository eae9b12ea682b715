//! The outline of a unit: where its scopes, functions, variables and named types are.

use super::entry::{DwarfSlice, DwarfUnit};
use gimli::constants as dw;
use gimli::{DwTag, UnitOffset};

/// The offsets of things in a unit, in ascending order.
#[derive(Debug, Default)]
pub(super) struct UnitOutline {
    /// The scopes.
    scopes: Vec<Scope>,
    /// Functions with code of their own.
    pub(super) functions: Vec<u32>,
    /// Variables that can be at a fixed address.
    pub(super) variables: Vec<u32>,
    /// Records, enumerations and typedefs that have a name and are not only declared.
    pub(super) types: Vec<u32>,
    /// Whether some variable changes its place: the unit is optimised.
    pub(super) has_moving_variables: bool,
    /// The number of entries.
    pub(super) entries: usize,
}

/// Something that can contain other things: a namespace, a record, a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// Where it begins.
    pub(super) start: u32,
    /// Where its last child ends.
    end: u32,
    /// The scope around it, or itself at the top.
    parent: u32,
    /// Its kind.
    pub(super) tag: DwTag,
}

/// Deeper entries are ignored.
const DEEPEST: usize = 512;

impl UnitOutline {
    /// Walks a unit once. An entry that cannot be read ends the walk.
    pub(super) fn read(unit: &DwarfUnit) -> Self {
        let mut outline = Self::default();
        // Everything that was found before an error can be used.
        let _ = outline.walk(unit);
        let end = u32::try_from(unit.header.length_including_self()).unwrap_or(u32::MAX);
        for scope in outline.scopes.iter_mut().filter(|scope| scope.end == 0) {
            scope.end = end;
        }
        outline
    }

    fn walk(&mut self, unit: &DwarfUnit) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(None)?;
        // For each level the scope of its entries.
        let mut levels: Vec<Option<u32>> = Vec::new();
        let mut around: Option<u32> = None;
        let mut attributes = Vec::new();
        while !entries.is_empty() {
            let UnitOffset(offset) = entries.next_offset();
            let Ok(start) = u32::try_from(offset) else { return Ok(()) };
            let Some(abbreviation) = entries.read_abbreviation()? else {
                let Some(outer) = levels.pop() else { return Ok(()) };
                if outer != around {
                    self.close(around, start);
                }
                around = outer;
                continue;
            };
            self.entries += 1;
            let tag = abbreviation.tag();
            let specs = abbreviation.attributes();
            let has = |name| specs.iter().any(|spec| spec.name() == name);
            match tag {
                dw::DW_TAG_subprogram if has(dw::DW_AT_low_pc) || has(dw::DW_AT_ranges) => {
                    self.functions.push(start);
                }
                dw::DW_TAG_structure_type
                | dw::DW_TAG_class_type
                | dw::DW_TAG_union_type
                | dw::DW_TAG_enumeration_type
                | dw::DW_TAG_typedef
                    if has(dw::DW_AT_name) && !has(dw::DW_AT_declaration) =>
                {
                    self.types.push(start);
                }
                dw::DW_TAG_variable | dw::DW_TAG_formal_parameter if has(dw::DW_AT_location) => {
                    entries.read_attributes(specs, &mut attributes)?;
                    let location = attributes.iter().find(|attribute| attribute.name() == dw::DW_AT_location);
                    match location.map(gimli::Attribute::value) {
                        Some(gimli::AttributeValue::Exprloc(expression)) if is_fixed(&expression) => {
                            self.variables.push(start);
                        }
                        Some(gimli::AttributeValue::Exprloc(_)) => {}
                        _ => self.has_moving_variables = true,
                    }
                    attributes.clear();
                    if abbreviation.has_children() {
                        levels.push(around);
                    }
                    continue;
                }
                _ => {}
            }
            entries.skip_attributes(specs)?;
            if abbreviation.has_children() {
                if levels.len() >= DEEPEST {
                    return Ok(());
                }
                levels.push(around);
                if is_scope(tag) {
                    let number = self.scopes.len() as u32;
                    let parent = around.unwrap_or(number);
                    self.scopes.push(Scope { start, end: 0, parent, tag });
                    around = Some(number);
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, scope: Option<u32>, end: u32) {
        if let Some(scope) = scope.and_then(|number| self.scopes.get_mut(number as usize)) {
            scope.end = end;
        }
    }

    /// The scopes around an entry, innermost first.
    pub(super) fn around(&self, entry: usize) -> impl Iterator<Item = Scope> + '_ {
        let before = self.scopes.partition_point(|scope| (scope.start as usize) < entry);
        let mut next = before.checked_sub(1);
        std::iter::from_fn(move || {
            loop {
                let number = next?;
                let scope = *self.scopes.get(number)?;
                let parent = scope.parent as usize;
                next = (parent < number).then_some(parent);
                if entry < scope.end as usize {
                    return Some(scope);
                }
            }
        })
    }
}

/// Whether names inside are qualified by it, or variables belong to it.
fn is_scope(tag: DwTag) -> bool {
    matches!(
        tag,
        dw::DW_TAG_namespace
            | dw::DW_TAG_module
            | dw::DW_TAG_structure_type
            | dw::DW_TAG_class_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_interface_type
            | dw::DW_TAG_enumeration_type
            | dw::DW_TAG_subprogram
    )
}

/// Whether a location begins with an address.
pub(super) fn is_fixed(expression: &gimli::Expression<DwarfSlice>) -> bool {
    let first = expression.0.slice().first();
    let first = first.map_or(dw::DW_OP_nop, |first| gimli::DwOp(*first));
    matches!(first, dw::DW_OP_addr | dw::DW_OP_addrx | dw::DW_OP_GNU_addr_index) || is_of_thread(expression)
}

/// Whether an expression is the place of a variable of the thread.
pub(super) fn is_of_thread(expression: &gimli::Expression<DwarfSlice>) -> bool {
    let last = expression.0.slice().last();
    let last = last.map_or(dw::DW_OP_nop, |last| gimli::DwOp(*last));
    matches!(last, dw::DW_OP_form_tls_address | dw::DW_OP_GNU_push_tls_address)
}
