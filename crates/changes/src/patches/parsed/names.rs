//! The names in a patch, and how many of their leading components to drop.

use super::file_patch::FilePatch;
use crate::patches::quoted::unquoted;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;

/// The name after `---` or `+++`, `None` for no file, and whether it has the oldest date.
///
/// A date can follow after a tab. `diff -N` gives files that do not exist their name and the oldest possible date.
pub(super) fn header_name(text: &[u8]) -> (Option<Vec<u8>>, bool) {
    let tab = text.iter().position(|&byte| byte == b'\t').unwrap_or(text.len());
    let (name, date) = text.split_at(tab);
    if name == b"/dev/null" {
        return (None, false);
    }
    let date = date.trim_ascii();
    // The second date is the same moment in time zones west of Greenwich.
    let is_oldest = [&b"1970-01-01 "[..], b"1969-12-31 "].iter().any(|day| date.starts_with(day));
    (Some(unquoted(name)), is_oldest)
}

/// The two names after `diff --git`; `None` if they cannot be told apart.
pub(super) fn git_names(text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    if text.first() == Some(&b'"') {
        let end = quote_end(text)?;
        return Some((unquoted(&text[..=end]), unquoted(text.get(end + 2..)?)));
    }
    if text.last() == Some(&b'"') {
        let space = text.windows(2).position(|pair| pair == b" \"")?;
        return Some((text[..space].to_vec(), unquoted(&text[space + 1..])));
    }
    // Without quotes, names can contain blanks, but then both are the same except for the prefix.
    let halves = |at: usize| (&text[..at], &text[at + 1..]);
    let spaces = || (0..text.len()).filter(|&at| text[at] == b' ');
    let at = spaces()
        .find(|&at| halves(at).0 == halves(at).1)
        .or_else(|| {
            spaces().find(|&at| {
                without(halves(at).0, 1).is_some_and(|name| Some(name) == without(halves(at).1, 1))
            })
        })
        .or_else(|| spaces().next().filter(|_| spaces().count() == 1))?;
    Some((halves(at).0.to_vec(), halves(at).1.to_vec()))
}

/// Where a string that begins with a quote ends.
fn quote_end(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *text.get(at)? != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

/// A name without its first components; `None` if nothing is left.
pub(super) fn without(name: &[u8], components: usize) -> Option<&[u8]> {
    (0..components).try_fold(name, |name, _| {
        let slash = name.iter().position(|&byte| byte == b'/')?;
        let rest = &name[slash + 1..];
        Some(&rest[rest.iter().take_while(|&&byte| byte == b'/').count()..])
    })
}

/// How many leading components to drop: the number with which most of the files are found.
pub(super) fn components_before(files: &[FilePatch], tree: &Tree) -> usize {
    let is_there = |name: &Option<Vec<u8>>, components: usize| {
        let name = name.as_deref().and_then(|name| without(name, components));
        name.and_then(|name| TreePath::new(name).ok()).is_some_and(|path| tree.get(&path).is_some())
    };
    let found = |components: usize| {
        let old = files.iter().filter(|file| !file.comes && file.moved.is_none());
        old.filter(|file| is_there(&file.old, components) || is_there(&file.new, components)).count()
    };
    let names = || files.iter().flat_map(|file| [&file.old, &file.new]).flatten();
    let depth = |name: &Vec<u8>| name.iter().filter(|&&byte| byte == b'/').count();
    let deepest = names().map(depth).max().unwrap_or(0);
    let usual = usual_components(files);
    let most = (0..=deepest).map(&found).max().unwrap_or(0);
    let best = (0..=deepest).find(|&components| found(components) == most).unwrap_or(usual);
    if found(usual) == most { usual } else { best }
}

/// One if all names have a prefix that tells the sides apart, such as `a/` and `b/`.
fn usual_components(files: &[FilePatch]) -> usize {
    let first = |name: &Option<Vec<u8>>| {
        let name = name.as_ref()?;
        name.iter().position(|&byte| byte == b'/').map(|slash| name[..slash].to_vec())
    };
    let has_prefix = |file: &FilePatch| match (first(&file.old), first(&file.new)) {
        (Some(old), Some(new)) => old != new,
        (None, Some(new)) => file.old.is_none() && new == b"b",
        (Some(old), None) => file.new.is_none() && old == b"a",
        // Git can leave both names to the rename that follows.
        (None, None) => file.old.is_none() && file.new.is_none(),
    };
    usize::from(files.iter().all(has_prefix))
}
