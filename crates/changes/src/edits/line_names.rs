//! The names that differ between two versions of a line.

use super::line_parts::LineVersions;
use super::renamings::Renamings;

/// The names that were replaced between two versions of a line, and those that stay, each as a pair.
pub(super) fn renamed_in<'a>(one: &'a [u8], other: &'a [u8], known: &Renamings) -> Vec<(&'a [u8], &'a [u8])> {
    let Some(versions) = LineVersions::of(one, other, known) else { return Vec::new() };
    let mut names: Vec<_> = versions.parts.iter().filter_map(|part| versions.renaming(part)).collect();
    // Names that stay are no new names.
    let texts = versions.good.iter().map(|token| token.text);
    let stays = texts.filter(|text| versions.bad.iter().any(|other| other.text == *text));
    names.extend(stays.map(|text| (text, text)));
    names
}
