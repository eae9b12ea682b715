//! Names that replace other names everywhere.

use super::line_parts::{links, tokens};
use std::collections::{BTreeMap, HashMap};

/// A name that replaces another name at least this often is a renaming.
const OFTEN: u32 = 2;

/// The new name for each old name, and the other way round.
#[derive(Debug, Default)]
pub(super) struct Renamings {
    new_of: HashMap<Vec<u8>, Vec<u8>>,
    old_of: HashMap<Vec<u8>, Vec<u8>>,
}

impl Renamings {
    /// From pairs of names, one for each time that the second was found instead of the first; the same name twice if it stays. Names such as `a.b` are compared part by
    /// part if they have as many parts.
    pub(super) fn counted<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Self {
        let mut counts: BTreeMap<(Vec<u8>, Vec<u8>), u32> = BTreeMap::new();
        for (one, other) in pairs {
            let (one_links, other_links) = (links(one), links(other));
            if one_links.len() == other_links.len() {
                for (one_link, other_link) in one_links.into_iter().zip(other_links) {
                    let pair = (key(one, one_link), key(other, other_link));
                    *counts.entry(pair).or_default() += 1;
                }
            }
        }
        let stays = |name: &Vec<u8>| counts.get(&(name.clone(), name.clone())).copied().unwrap_or(0);
        // If a name has several new names, the most frequent counts.
        let is_renaming = |((old, new), count): &(&(Vec<u8>, Vec<u8>), &u32)| {
            let are_alike = old.starts_with(b".") == new.starts_with(b".");
            old != new && are_alike && **count >= OFTEN && **count > stays(old) && **count > stays(new)
        };
        let mut sorted: Vec<_> = counts.iter().filter(is_renaming).collect();
        sorted.sort_by_key(|(_, count)| **count);
        Self::of_names(sorted.into_iter().map(|((old, new), _)| (&old[..], &new[..])))
    }

    /// From pairs of an old and a new name, with a dot before the names of members. The last one counts.
    pub(super) fn of_names<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Self {
        let mut renamings = Self::default();
        for (old, new) in pairs {
            renamings.new_of.insert(old.to_vec(), new.to_vec());
            renamings.old_of.insert(new.to_vec(), old.to_vec());
        }
        renamings
    }

    pub(super) fn is_empty(&self) -> bool {
        self.new_of.is_empty()
    }

    /// Whether a name, or a part of it, has a new name.
    pub(super) fn knows(&self, old: &[u8]) -> bool {
        links(old).iter().any(|link| self.new_of.contains_key(&key(old, link)))
    }

    /// What a name or a chain of names is called in the bad version.
    pub(super) fn new_name(&self, old: &[u8]) -> Vec<u8> {
        renamed(old, &self.new_of)
    }

    /// What a name or a chain of names was called in the good version.
    pub(super) fn old_name(&self, new: &[u8]) -> Vec<u8> {
        renamed(new, &self.old_of)
    }

    /// A line of the good version in the names of the bad version.
    pub(super) fn new_line(&self, line: &[u8]) -> Vec<u8> {
        renamed_line(line, &self.new_of)
    }

    /// A line of the bad version in the names of the good version.
    pub(super) fn old_line(&self, line: &[u8]) -> Vec<u8> {
        renamed_line(line, &self.old_of)
    }
}

fn renamed_line(line: &[u8], names: &HashMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
    let mut changed = line.to_vec();
    for token in tokens(line).iter().rev() {
        let start = token.text.as_ptr() as usize - line.as_ptr() as usize;
        changed.splice(start..start + token.text.len(), renamed(token.text, names));
    }
    changed
}

/// A member and a variable of the same name are two names, so a member has a dot before its name.
fn key(chain: &[u8], link: &[u8]) -> Vec<u8> {
    let is_first = chain.as_ptr() == link.as_ptr();
    if is_first { link.to_vec() } else { [b".", link].concat() }
}

/// Strings stay as they are, and so do numbers that are not a part of a chain.
fn renamed(token: &[u8], names: &HashMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
    if names.is_empty() || matches!(token[0], b'"' | b'\'' | b'`' | b'0'..=b'9') {
        return token.to_vec();
    }
    let mut changed = token.to_vec();
    for link in links(token).into_iter().rev() {
        if let Some(name) = names.get(&key(token, link)) {
            let name = name.strip_prefix(b".").unwrap_or(name);
            let start = link.as_ptr() as usize - token.as_ptr() as usize;
            changed.splice(start..start + link.len(), name.iter().copied());
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_is_replaced_twice_is_renamed_but_not_a_variable_or_a_string_of_that_name() {
        let pairs: [(&[u8], &[u8]); 4] =
            [(b"item.qty", b"item.quantity"), (b"x.qty", b"x.quantity"), (b"low", b"limit"), (b"a.b", b"c")];
        let renamings = Renamings::counted(pairs.into_iter());
        let line = renamings.new_line(b"if x.qty < low and n['qty'] > qty:");
        assert_eq!(String::from_utf8(line).unwrap(), "if x.quantity < low and n['qty'] > qty:");
        let line = renamings.old_line(b"self.quantity += 1");
        assert_eq!(String::from_utf8(line).unwrap(), "self.qty += 1");
    }
}
