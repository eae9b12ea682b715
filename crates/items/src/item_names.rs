//! The items that a name in a file of groups or needs stands for.

use crate::list::ItemList;
use globset::GlobBuilder;
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{RelationsRequest, UnknownName};
use howcome_run::Problem;

const UNKNOWN: UnknownName = UnknownName {
    message: "is not an item of the list",
    hint: "write an item as it is in the list, in quotes if it has spaces, its number (7), a range of numbers (3-5), or a pattern ('lib*')",
};

/// Checks that what the user knows of the items is about items of the list.
///
/// # Errors
/// If a file cannot be understood, or names something else.
pub fn check_relations(relations: &RelationsRequest, list: &ItemList) -> Result<(), Problem> {
    relations.check(|name| list.named(name), &UNKNOWN)
}

impl ItemList {
    /// The items that a name stands for: the text of an item, its number from 1, a range of numbers, or a pattern with `*` and `?`,
    /// whichever comes first in this order.
    pub(crate) fn named(&self, name: &str) -> Configuration {
        let all = || (0..self.len() as u32).map(DeltaId);
        let same: Configuration = all().filter(|item| self.item(*item) == name.as_bytes()).collect();
        if !same.is_empty() {
            return same;
        }
        if let Some((first, last)) = numbers(name) {
            return all().take(last as usize).skip(first as usize - 1).collect();
        }
        let is_pattern = name.contains(['*', '?', '[']);
        match GlobBuilder::new(name).backslash_escape(true).build() {
            Ok(pattern) if is_pattern => {
                let pattern = pattern.compile_matcher();
                let is_match = |item: &DeltaId| pattern.is_match(&*String::from_utf8_lossy(self.item(*item)));
                all().filter(is_match).collect()
            }
            _ => Configuration::empty(),
        }
    }
}

/// `7` or `3-5`. Numbers begin with 1.
fn numbers(name: &str) -> Option<(u32, u32)> {
    let (first, last) = name.split_once('-').unwrap_or((name, name));
    let number = |text: &str| text.parse().ok().filter(|number: &u32| *number > 0);
    Some((number(first)?, number(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_before_a_number_and_a_number_before_a_pattern() {
        let list = ItemList::parse(b"-O2 -g\n3\nlib-a\nlib-b\n-O2 -g\n*\n".to_vec());
        let named = |name: &str| list.named(name).to_string();
        assert_eq!(named("-O2 -g"), "1,5", "all items of this text");
        assert_eq!(named("3"), "2", "the item `3`, not the third");
        assert_eq!(named("4"), "4");
        assert_eq!(named("4-9"), "4-6");
        assert_eq!(named("lib-?"), "3-4");
        assert_eq!(named("*"), "6", "the item `*`");
        assert_eq!(named("*-*"), "1,3-5");
        for unknown in ["0", "7", "lib", "5-4", "x*", "["] {
            assert_eq!(named(unknown), "-", "{unknown}");
        }
    }
}
