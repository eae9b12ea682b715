//! Names that replace other names everywhere.

use super::line_tokens::{links, tokens};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A name that replaces another name at least this often is a renaming.
const OFTEN: u32 = 2;

/// The same for a name that also stays at other places: a member of one structure was renamed, and another has the same name.
const OFTEN_ALTHOUGH_KEPT: u32 = 4;

/// Words that mean the same everywhere. If one replaces another, that is an edit.
const FIXED: [&[u8]; 62] = [
    b"int",
    b"char",
    b"short",
    b"long",
    b"unsigned",
    b"signed",
    b"float",
    b"double",
    b"void",
    b"bool",
    b"size_t",
    b"ssize_t",
    b"off_t",
    b"time_t",
    b"ptrdiff_t",
    b"intptr_t",
    b"uintptr_t",
    b"int8_t",
    b"int16_t",
    b"int32_t",
    b"int64_t",
    b"uint8_t",
    b"uint16_t",
    b"uint32_t",
    b"uint64_t",
    b"const",
    b"volatile",
    b"static",
    b"inline",
    b"extern",
    b"struct",
    b"union",
    b"enum",
    b"class",
    b"return",
    b"if",
    b"else",
    b"elif",
    b"while",
    b"for",
    b"switch",
    b"case",
    b"default",
    b"goto",
    b"break",
    b"continue",
    b"sizeof",
    b"true",
    b"false",
    b"NULL",
    b"nullptr",
    b"None",
    b"True",
    b"False",
    b"and",
    b"or",
    b"not",
    b"in",
    b"is",
    b"min",
    b"max",
    b"abs",
];

/// The new name for each old name, and the other way round.
#[derive(Debug, Default)]
pub(super) struct Renamings {
    new_of: HashMap<Vec<u8>, Vec<u8>>,
    old_of: HashMap<Vec<u8>, Vec<u8>>,
    /// Names that stay somewhere.
    kept: HashSet<Vec<u8>>,
    /// How often each name replaces another one, without the dot before the names of members.
    counts: HashMap<(Vec<u8>, Vec<u8>), u32>,
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
            let is_fixed = FIXED.contains(&&old[..]) || FIXED.contains(&&new[..]);
            let is_often = **count >= OFTEN && **count > stays(old) && **count > stays(new);
            old != new && are_alike && is_often && !is_fixed
        };
        let mut sorted: Vec<_> = counts.iter().filter(is_renaming).collect();
        sorted.sort_by_key(|(_, count)| **count);
        let renamings = Self::of_names(sorted.into_iter().map(|((old, new), _)| (&old[..], &new[..])));
        let kept = counts.keys().filter(|(old, new)| old == new).map(|(old, _)| old.clone()).collect();
        let mut replaced = HashMap::new();
        for ((old, new), count) in counts.into_iter().filter(|((old, new), _)| old != new) {
            *replaced.entry((without_dot(&old), without_dot(&new))).or_default() += count;
        }
        Self { kept, counts: replaced, ..renamings }
    }

    /// Whether a name or a chain of names became another one by nothing but names that are often replaced so, if not everywhere.
    pub(super) fn replaces(&self, old: &[u8], new: &[u8]) -> bool {
        let (old_links, new_links) = (links(old), links(new));
        let is_often = |(old, new): (&&[u8], &&[u8])| {
            let count = self.counts.get(&(old.to_vec(), new.to_vec()));
            let is_fixed = FIXED.contains(old) || FIXED.contains(new);
            old == new || !is_fixed && count.is_some_and(|count| *count >= OFTEN_ALTHOUGH_KEPT)
        };
        self.new_name(old) == new
            || old_links.len() == new_links.len() && old_links.iter().zip(&new_links).all(is_often)
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
        links(old).iter().any(|link| self.lookup(&self.new_of, &key(old, link)).is_some())
    }

    /// What a name or a chain of names is called in the bad version.
    pub(super) fn new_name(&self, old: &[u8]) -> Vec<u8> {
        self.renamed(old, &self.new_of)
    }

    /// What a name or a chain of names was called in the good version.
    pub(super) fn old_name(&self, new: &[u8]) -> Vec<u8> {
        self.renamed(new, &self.old_of)
    }

    /// A line of the good version in the names of the bad version.
    pub(super) fn new_line(&self, line: &[u8]) -> Vec<u8> {
        self.renamed_line(line, &self.new_of)
    }

    /// A line of the bad version in the names of the good version.
    pub(super) fn old_line(&self, line: &[u8]) -> Vec<u8> {
        self.renamed_line(line, &self.old_of)
    }

    fn renamed_line(&self, line: &[u8], names: &HashMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
        let mut changed = line.to_vec();
        for token in tokens(line).iter().rev() {
            let start = token.text.as_ptr() as usize - line.as_ptr() as usize;
            changed.splice(start..start + token.text.len(), self.renamed(token.text, names));
        }
        changed
    }

    /// Strings stay as they are, and so do numbers that are not a part of a chain.
    fn renamed(&self, token: &[u8], names: &HashMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
        if names.is_empty() || matches!(token[0], b'"' | b'\'' | b'`' | b'0'..=b'9') {
            return token.to_vec();
        }
        let mut changed = token.to_vec();
        for link in links(token).into_iter().rev() {
            if let Some(name) = self.lookup(names, &key(token, link)) {
                let name = name.strip_prefix(b".").unwrap_or(name);
                let start = link.as_ptr() as usize - token.as_ptr() as usize;
                changed.splice(start..start + link.len(), name.iter().copied());
            }
        }
        changed
    }

    /// A member often has the name of a variable, and gets the new name with it, unless it is known to keep its name.
    fn lookup<'a>(&self, names: &'a HashMap<Vec<u8>, Vec<u8>>, key: &[u8]) -> Option<&'a Vec<u8>> {
        let other = key.strip_prefix(b".").map_or_else(|| [b".", key].concat(), <[u8]>::to_vec);
        let is_kept = self.kept.contains(key);
        names.get(key).or_else(|| names.get(&other).filter(|_| !is_kept))
    }
}

fn without_dot(name: &[u8]) -> Vec<u8> {
    name.strip_prefix(b".").unwrap_or(name).to_vec()
}

/// A member and a variable of the same name are two names, so a member has a dot before its name.
fn key(chain: &[u8], link: &[u8]) -> Vec<u8> {
    let is_first = chain.as_ptr() == link.as_ptr();
    if is_first { link.to_vec() } else { [b".", link].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_is_replaced_twice_is_renamed_but_not_a_string_or_a_variable_that_keeps_that_name() {
        let pairs: [(&[u8], &[u8]); 5] = [
            (b"item.qty", b"item.quantity"),
            (b"x.qty", b"x.quantity"),
            (b"low", b"limit"),
            (b"a.b", b"c"),
            (b"qty", b"qty"),
        ];
        let renamings = Renamings::counted(pairs.into_iter());
        let line = renamings.new_line(b"if x.qty < low and n['qty'] > qty:");
        assert_eq!(String::from_utf8(line).unwrap(), "if x.quantity < low and n['qty'] > qty:");
        let line = renamings.old_line(b"self.quantity += 1");
        assert_eq!(String::from_utf8(line).unwrap(), "self.qty += 1");
    }
}
