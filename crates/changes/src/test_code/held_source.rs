//! A source file with the test items of the bad version: the program is that of a revision, the tests are those of the bad version.

use super::test_items::{TopItem, top_items};
use crate::trees::tree_path::TreePath;
use std::collections::{HashMap, HashSet};

/// The test items of the bad version of a file.
#[derive(Clone, Debug)]
pub(super) struct HeldSource {
    path: TreePath,
    bad: Vec<u8>,
    items: Vec<TopItem>,
}

/// An item, and how many items of the file before it have the same key.
type Occurrence<'a> = (&'a str, usize);

impl HeldSource {
    /// Reads the bad version of a file. `None` if it does not parse.
    pub(super) fn of(path: &TreePath, bad: &[u8]) -> Option<Self> {
        Some(Self { path: path.clone(), bad: bad.to_vec(), items: top_items(path, bad)? })
    }

    /// Whether the bad version of the file has tests.
    pub(super) fn has_tests(&self) -> bool {
        self.items.iter().any(|item| item.is_test)
    }

    /// The text of a revision with the tests of the bad version: tests of the same name are replaced, missing ones are added where the
    /// bad version has them, others are removed. A text that does not parse stays as it is.
    pub(super) fn hold(&self, text: &[u8]) -> Vec<u8> {
        if text == self.bad {
            return text.to_vec();
        }
        let Some(items) = top_items(&self.path, text) else { return text.to_vec() };
        let (own, bad) = (occurrences(&items), occurrences(&self.items));
        let own_by_name: HashMap<Occurrence<'_>, &TopItem> = own.iter().copied().zip(&items).collect();
        let bad_by_name: HashMap<Occurrence<'_>, &TopItem> = bad.iter().copied().zip(&self.items).collect();

        let mut edits: Vec<Edit> = Vec::new();
        let mut removed: HashSet<Occurrence<'_>> = HashSet::new();
        for (name, item) in own.iter().zip(&items).filter(|(_, item)| item.is_test) {
            match bad_by_name.get(name) {
                Some(bad) if bad.is_test => {
                    edits.push(Edit {
                        start: item.range.start,
                        end: item.range.end,
                        text: self.bad[bad.range.clone()].to_vec(),
                    });
                }
                // A helper of the tests that has become a part of the program.
                Some(_) => {}
                None => {
                    removed.insert(*name);
                    let blank = text[..item.range.start]
                        .iter()
                        .rev()
                        .take_while(|byte| byte.is_ascii_whitespace())
                        .count();
                    let newlines = text[item.range.start - blank..item.range.start]
                        .iter()
                        .filter(|byte| **byte == b'\n')
                        .count();
                    // The line before the item keeps its end.
                    let keeps = usize::from(newlines > 0 && blank < item.range.start);
                    edits.push(Edit {
                        start: item.range.start - blank + keeps,
                        end: item.range.end,
                        text: Vec::new(),
                    });
                }
            }
        }
        for (index, (name, item)) in bad.iter().zip(&self.items).enumerate() {
            if !item.is_test || own_by_name.contains_key(name) {
                continue;
            }
            let anchor = bad[..index]
                .iter()
                .rev()
                .find(|earlier| own_by_name.contains_key(*earlier) && !removed.contains(*earlier));
            let at = anchor.map_or(text.len(), |anchor| own_by_name[anchor].range.end);
            // With the blank lines and comments before it, so that nothing but the program differs from the bad version.
            let before = index.checked_sub(1).map_or(0, |before| self.items[before].range.end);
            let mut added = self.bad[before.min(item.range.start)..item.range.end].to_vec();
            if at > 0 && text[at - 1] != b'\n' {
                added.insert(0, b'\n');
            }
            edits.push(Edit { start: at, end: at, text: added });
        }
        apply(text, edits)
    }
}

struct Edit {
    start: usize,
    end: usize,
    text: Vec<u8>,
}

/// Applies edits that do not overlap. Of several at the same place, the first comes first.
fn apply(text: &[u8], mut edits: Vec<Edit>) -> Vec<u8> {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let (mut made, mut at) = (Vec::with_capacity(text.len()), 0);
    for edit in edits {
        made.extend_from_slice(&text[at..edit.start.max(at)]);
        made.extend_from_slice(&edit.text);
        at = edit.end.max(at);
    }
    made.extend_from_slice(&text[at..]);
    made
}

fn occurrences(items: &[TopItem]) -> Vec<Occurrence<'_>> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut numbered = Vec::with_capacity(items.len());
    for item in items {
        let count = seen.entry(&item.key).or_default();
        *count += 1;
        numbered.push((item.key.as_str(), *count));
    }
    numbered
}

#[cfg(test)]
#[cfg(feature = "syntax")]
mod tests {
    use super::*;

    fn held(bad: &str, text: &str) -> String {
        let path = TreePath::new(b"src/lib.rs").unwrap();
        let made = HeldSource::of(&path, bad.as_bytes()).unwrap().hold(text.as_bytes());
        String::from_utf8(made).unwrap()
    }

    const BAD: &str =
        "fn total() -> u8 {\n    2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn totals() {}\n}\n";

    #[test]
    fn the_program_is_that_of_the_revision_and_the_tests_are_those_of_the_bad_version() {
        let changed = BAD.replace('2', "1").replace("totals", "sums");
        assert_eq!(held(BAD, &changed), BAD.replace('2', "1"));
        let without = "fn total() -> u8 {\n    1\n}\n";
        assert_eq!(held(BAD, without), BAD.replace('2', "1"));
        assert_eq!(held(BAD, BAD), BAD);
    }

    #[test]
    fn tests_that_the_bad_version_no_longer_has_are_removed() {
        let with_more = format!("{BAD}\n#[test]\nfn old() {{}}\n");
        assert_eq!(held(BAD, &with_more), BAD);
        let at_top = format!("#[cfg(test)]\nuse a::b;\n{BAD}");
        assert_eq!(held(BAD, &at_top), BAD);
    }

    #[test]
    fn a_missing_test_comes_where_the_bad_version_has_it() {
        let bad = "fn a() {}\n\n// About b.\n#[test]\nfn b() {}\n\n#[test]\nfn c() {}\n\nfn d() {}\n";
        assert_eq!(held(bad, "fn a() {}\n\nfn d() {}\n"), bad);
        assert_eq!(
            held(bad, "fn a() {}\n\n#[test]\nfn c() { 1; }\n\nfn d() { 2; }\n"),
            bad.replace("d() {", "d() { 2; ")
        );
    }

    #[test]
    fn a_text_that_does_not_parse_stays_as_it_is() {
        assert_eq!(held(BAD, "fn total( {\n"), "fn total( {\n");
    }

    #[test]
    fn a_file_without_tests_gets_nothing() {
        assert_eq!(held("fn a() {}\n", "fn b() {}\n"), "fn b() {}\n");
    }
}
