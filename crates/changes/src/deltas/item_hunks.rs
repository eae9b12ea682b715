//! The changes of a source file, one for each item: a function, a type, a macro, a declaration, an include.

use crate::deltas::hunk::{Hunk, LineEdit, edits};
use crate::deltas::text::Text;
use crate::syntax::{SourceItem, source_items};
use crate::trees::tree_path::TreePath;
use imara_diff::{Algorithm, Diff, InternedInput, Interner};
use std::collections::HashSet;
use std::ops::Range;

/// What happens to an item, as far as others notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemChange {
    /// Only the bad version has it.
    New,
    /// Only the good version has it.
    Gone,
    /// It has everything that it had before, and more.
    More,
    /// Others use it as before.
    Body,
    /// Others have to use it in another way, or nothing is known about it.
    Interface,
    /// Nothing but comments and white space changes.
    Text,
}

/// The change of an item.
#[derive(Clone, Debug)]
pub(crate) struct ItemHunk {
    /// The lines that change.
    pub(crate) hunk: Hunk,
    /// What others notice.
    pub(crate) change: ItemChange,
    /// All lines of the item in the good version; none if it is new.
    pub(crate) good: Range<u32>,
    /// All lines of the item in the bad version; none if it is gone.
    pub(crate) bad: Range<u32>,
}

/// The changes between two versions of a file, one for each item, in order. `None` if its language is not known.
pub(crate) fn item_hunks(path: &TreePath, good: &Text, bad: &Text) -> Option<Vec<ItemHunk>> {
    let (old, new) = (source_items(path, good.bytes())?, source_items(path, bad.bytes())?);
    let mut interner = Interner::new(old.len() + new.len());
    let before = old.iter().map(|item| interner.intern(&item.key[..])).collect();
    let after = new.iter().map(|item| interner.intern(&item.key[..])).collect();
    let input = InternedInput { before, after, interner };
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let names: [HashSet<&[u8]>; 2] =
        [&old, &new].map(|items| items.iter().map(|item| &item.key[..]).collect());
    let mut found = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    for run in diff.hunks() {
        found.extend(both(
            good,
            bad,
            &old[at_old..run.before.start as usize],
            &new[at_new..run.after.start as usize],
        ));
        let (gone, come) = (&old[range(&run.before)], &new[range(&run.after)]);
        let place = |items: &[SourceItem], at: usize| {
            items
                .get(at)
                .map_or_else(|| items.last().map_or(0, |last| last.lines.end), |item| item.lines.start)
        };
        let (old_end, new_start) =
            (place(&old, run.before.end as usize), place(&new, run.after.start as usize));
        for (item, lines) in whole_groups(gone) {
            let stays = names[1].contains(&item.key[..]);
            let change = if stays { ItemChange::Interface } else { ItemChange::Gone };
            let edit = LineEdit { good: lines, bad: new_start..new_start };
            let (good, bad) = (edit.good.clone(), edit.bad.clone());
            found.push(ItemHunk { hunk: Hunk::from(edit), change, good, bad });
        }
        for (item, lines) in whole_groups(come) {
            let was_there = names[0].contains(&item.key[..]);
            let change = if was_there { ItemChange::Interface } else { ItemChange::New };
            let edit = LineEdit { good: old_end..old_end, bad: lines };
            let (good, bad) = (edit.good.clone(), edit.bad.clone());
            found.push(ItemHunk { hunk: Hunk::from(edit), change, good, bad });
        }
        (at_old, at_new) = (run.before.end as usize, run.after.end as usize);
    }
    found.extend(both(good, bad, &old[at_old..], &new[at_new..]));
    Some(found)
}

/// Items that only one version has, with their lines. If that is so for a class or module, it is one item with everything in it.
fn whole_groups(items: &[SourceItem]) -> Vec<(&SourceItem, Range<u32>)> {
    let mut found: Vec<(&SourceItem, Range<u32>)> = Vec::new();
    for item in items {
        match found.last_mut() {
            Some((SourceItem { opens: Some(group), .. }, lines)) if item.scope.starts_with(group) => {
                lines.end = item.lines.end;
            }
            _ => found.push((item, item.lines.clone())),
        }
    }
    found
}

fn range(run: &Range<u32>) -> Range<usize> {
    run.start as usize..run.end as usize
}

/// The changes of items that both versions have.
fn both<'a>(
    good: &'a Text,
    bad: &'a Text,
    old: &'a [SourceItem],
    new: &'a [SourceItem],
) -> impl Iterator<Item = ItemHunk> + 'a {
    old.iter().zip(new).filter_map(move |(old, new)| {
        let texts = [good.run(old.lines.clone()), bad.run(new.lines.clone())];
        if texts[0] == texts[1] {
            return None;
        }
        let [one, other] = texts.map(|bytes| Text::new(bytes.into()));
        let edits = edits(&one, &other).into_iter().map(|edit| LineEdit {
            good: edit.good.start + old.lines.start..edit.good.end + old.lines.start,
            bad: edit.bad.start + new.lines.start..edit.bad.end + new.lines.start,
        });
        let hunk = Hunk::of(edits.collect())?;
        Some(ItemHunk { hunk, change: change(old, new), good: old.lines.clone(), bad: new.lines.clone() })
    })
}

fn change(old: &SourceItem, new: &SourceItem) -> ItemChange {
    if old.code.concat() == new.code.concat() {
        ItemChange::Text
    } else if old.head.is_some() && old.head == new.head && old.key.starts_with(b"function ") {
        ItemChange::Body
    } else if !old.key.starts_with(b"function ")
        && !old.key.starts_with(b"macro ")
        && is_subsequence(&old.code, &new.code)
    {
        ItemChange::More
    } else {
        ItemChange::Interface
    }
}

fn is_subsequence(short: &[Vec<u8>], long: &[Vec<u8>]) -> bool {
    let mut long = long.iter();
    short.iter().all(|line| long.any(|other| other == line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(good: &str, bad: &str) -> Vec<(ItemChange, String)> {
        let text = |text: &str| Text::new(text.as_bytes().into());
        let (good, bad) = (text(good), text(bad));
        let found = item_hunks(&TreePath::new(b"a.c").unwrap(), &good, &bad).unwrap();
        let shown = |hunk: &Hunk| {
            let lines = hunk
                .edits()
                .iter()
                .map(|edit| [good.run(edit.good.clone()), b">", bad.run(edit.bad.clone())].concat());
            String::from_utf8(lines.collect::<Vec<_>>().concat()).unwrap().replace('\n', "")
        };
        found.iter().map(|item| (item.change, shown(&item.hunk))).collect()
    }

    #[test]
    fn each_item_is_one_change_and_classed_by_what_others_notice() {
        let good = "enum e {\n  A,\n};\nint f(int a)\n{\n  return a;\n}\nint g(void) { return 1; }\nint h(void) { return 2; }\n";
        let bad = "enum e {\n  A,\n  B,\n};\nint f(int a)\n{\n  int b = a;\n  a = 1;\n  return b;\n}\nint g(int x) { return x; }\nint i(void) { return 3; }\n";
        assert_eq!(
            changes(good, bad),
            [
                (ItemChange::More, ">  B,".to_owned()),
                (ItemChange::Body, "  return a;>  int b = a;  a = 1;  return b;".to_owned()),
                (ItemChange::Interface, "int g(void) { return 1; }>int g(int x) { return x; }".to_owned()),
                (ItemChange::Gone, "int h(void) { return 2; }>".to_owned()),
                (ItemChange::New, ">int i(void) { return 3; }".to_owned()),
            ]
        );
    }

    #[test]
    fn another_comment_is_only_text() {
        let found =
            changes("/* one */\nint f(void) { return 1; }\n", "/* two */\nint f(void) { return 1; }\n");
        assert_eq!(found, [(ItemChange::Text, "/* one */>/* two */".to_owned())]);
    }

    #[test]
    fn a_new_class_is_one_change() {
        let text = |text: &str| Text::new(text.as_bytes().into());
        let good = "class A {\n  int f() {\n    return 1;\n  }\n}\n";
        let bad = "class A {\n  int f() {\n    return 1;\n  }\n  int g() {\n    return 1;\n  }\n}\nclass B {\n  int f() {\n    return 2;\n  }\n}\n";
        let found = item_hunks(&TreePath::new(b"A.java").unwrap(), &text(good), &text(bad)).unwrap();
        let lines = found.iter().map(|item| (item.change, item.bad.clone()));
        assert_eq!(lines.collect::<Vec<_>>(), [(ItemChange::New, 4..7), (ItemChange::New, 8..13)]);
    }
}
