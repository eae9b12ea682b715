//! The value of a register on entry to a function, if the caller's debug information describes it.

use super::entry::{self, Die, DwarfEntry, DwarfSlice};
use super::location::only_register;
use gimli::constants as dw;
use gimli::{Expression, UnitOffset, UnitRef};

/// Deeper blocks are ignored.
const DEEPEST: usize = 64;

/// The expression for the value of a register when a call was made. It is evaluated in the caller's frame.
/// `after` is the address after the call, without the bias.
pub(super) fn passed(
    unit: UnitRef<'_, DwarfSlice>,
    caller: Die,
    after: u64,
    register: u16,
) -> Option<Expression<DwarfSlice>> {
    let site = find(unit, caller.at(), after, 0)?;
    let mut found = None;
    entry::each_child(&unit, site, |child| {
        let is_parameter =
            matches!(child.tag(), dw::DW_TAG_call_site_parameter | dw::DW_TAG_GNU_call_site_parameter);
        if is_parameter
            && expression(child, &[dw::DW_AT_location]).as_ref().and_then(only_register) == Some(register)
        {
            found = expression(child, &[dw::DW_AT_call_value, dw::DW_AT_GNU_call_site_value]);
        }
        found.is_none()
    });
    found
}

/// The call that returns to an address, in a function or one of its blocks.
fn find(unit: UnitRef<'_, DwarfSlice>, scope: UnitOffset, after: u64, depth: usize) -> Option<UnitOffset> {
    let mut found = None;
    let mut inner = Vec::new();
    entry::each_child(&unit, scope, |child| {
        match child.tag() {
            dw::DW_TAG_call_site | dw::DW_TAG_GNU_call_site if returns_to(unit, child) == Some(after) => {
                found = Some(child.offset());
            }
            dw::DW_TAG_lexical_block | dw::DW_TAG_inlined_subroutine => inner.push(child.offset()),
            _ => {}
        }
        found.is_none()
    });
    if found.is_some() || depth >= DEEPEST {
        return found;
    }
    inner.into_iter().find_map(|scope| find(unit, scope, after, depth + 1))
}

fn returns_to(unit: UnitRef<'_, DwarfSlice>, site: &DwarfEntry) -> Option<u64> {
    let value = site.attr_value(dw::DW_AT_call_return_pc).or_else(|| site.attr_value(dw::DW_AT_low_pc))?;
    unit.attr_address(value).ok().flatten()
}

fn expression(entry: &DwarfEntry, names: &[gimli::DwAt]) -> Option<Expression<DwarfSlice>> {
    let value = names.iter().find_map(|name| entry.attr_value(*name))?;
    value.exprloc_value()
}
