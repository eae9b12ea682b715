//! A fix whose lines are elsewhere in the newest revision.
//!
//! Code that was moved to another file, renamed with its file or formatted anew still has the lines that broke it. If there is only one place
//! with these lines, whatever blanks are in them, the fix is made there.

use super::backport_patch::line_changes;
use crate::candidates::candidate::Candidate;
use crate::deltas::blocks::blocks;
use crate::deltas::change::ChangeKind;
use crate::test_code::finder::differing_paths;
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::reading::load_all;
use crate::trees::tree_path::TreePath;
use howcome_run::Problem;
use std::collections::BTreeMap;

/// Not more files than these are looked through.
const MOST_FILES: usize = 400;

/// Lines with fewer characters than these, blanks left out, stand in too many places.
const FEWEST_CHARACTERS: usize = 6;

/// Lines of a file, each with its line end.
type Lines = Vec<Vec<u8>>;

/// Lines that a fix replaces, and what it puts there.
struct ReplacedLines {
    path: TreePath,
    /// The line before and the line after them.
    before: Lines,
    after: Lines,
    bad: Lines,
    good: Lines,
}

/// The newest version with the changes between two others, made where the same lines are now. `None` if there are no such lines, or more
/// than one place has them.
///
/// # Errors
/// If a version cannot be read.
pub(super) fn place_by_text(
    unfixed: &Candidate,
    fixed: &Candidate,
    newest: &Candidate,
) -> Result<Option<Candidate>, Problem> {
    let Some(replaced) = replaced_lines(unfixed, fixed)? else { return Ok(None) };
    let tree = newest.tree();
    let differing = differing_paths(&unfixed.tree(), &tree);
    let is_like = |path: &TreePath| replaced.iter().any(|lines| extension(&lines.path) == extension(path));
    let entries: Vec<_> = tree
        .iter()
        .filter(|(path, entry)| {
            differing.contains(*path) && is_like(path) && matches!(entry.kind, EntryKind::File { .. })
        })
        .take(MOST_FILES)
        .collect();
    let loaded = load_all(&entries).map_err(|error| Problem::hinted(&error, None))?;
    let mut files: BTreeMap<TreePath, (EntryKind, Lines, bool)> = BTreeMap::new();
    for ((path, _), entry) in entries.iter().zip(loaded) {
        files.insert((*path).clone(), (entry.kind, split(&entry.bytes), false));
    }
    for lines in &replaced {
        let Some((path, start, skipped)) = lines.only_place(&files) else { return Ok(None) };
        let Some((_, text, is_changed)) = files.get_mut(&path) else { return Ok(None) };
        let at = start + skipped;
        let good = lines.indented_as(text, at);
        text.splice(at..at + lines.bad.len(), good);
        *is_changed = true;
    }
    let changed = files
        .into_iter()
        .filter(|(_, (_, _, is_changed))| *is_changed)
        .map(|(path, (kind, text, _))| (path, Some(LoadedEntry { kind, bytes: text.concat().into() })));
    let mix = newest.mix.then(&changed.collect());
    Ok(Some(Candidate { base: newest.base.clone(), mix }))
}

/// What a fix replaces, block by block; `None` if it changes more than lines.
fn replaced_lines(unfixed: &Candidate, fixed: &Candidate) -> Result<Option<Vec<ReplacedLines>>, Problem> {
    let changes = line_changes(fixed, unfixed)?;
    let tree = unfixed.tree();
    let mut replaced = Vec::new();
    for block in blocks(&changes) {
        let (mut bad, mut good, mut place) = (Lines::new(), Lines::new(), None);
        for change in block.iter().filter_map(|delta| changes.describe(delta)) {
            if change.what != ChangeKind::Lines {
                return Ok(None);
            }
            place.get_or_insert((change.path.clone(), change.new_line.saturating_sub(1) as usize));
            bad.extend(change.added.iter().map(|line| line.to_vec()));
            good.extend(change.removed.iter().map(|line| line.to_vec()));
        }
        let Some((path, start)) = place else { continue };
        let Some(entry) = tree.get(&path) else { return Ok(None) };
        let text = LoadedEntry::read(&path, entry).map_err(|error| Problem::hinted(&error, None))?;
        let text = split(&text.bytes);
        let before = text.get(start.saturating_sub(1)..start).unwrap_or_default().to_vec();
        let after = text.iter().skip(start + bad.len()).take(1).cloned().collect();
        replaced.push(ReplacedLines { path, before, after, bad, good });
    }
    Ok((!replaced.is_empty()).then_some(replaced))
}

impl ReplacedLines {
    /// The only place that has these lines, together with the lines around them, with one of these, or alone: the file, the line, and how many
    /// lines of it stand before what is replaced.
    fn only_place(
        &self,
        files: &BTreeMap<TreePath, (EntryKind, Lines, bool)>,
    ) -> Option<(TreePath, usize, usize)> {
        let none = Lines::new();
        let surroundings =
            [(&self.before, &self.after), (&self.before, &none), (&none, &self.after), (&none, &none)];
        // Where lines were only removed, both lines around them are needed to know the place.
        let known = if self.bad.is_empty() { 1 } else { surroundings.len() };
        surroundings.into_iter().take(known).find_map(|(before, after)| {
            let skipped = before.len();
            let pattern = before.iter().chain(&self.bad).chain(after);
            let pattern: Lines = pattern.map(|line| without_blanks(line)).collect();
            if pattern.iter().map(Vec::len).max().unwrap_or_default() < FEWEST_CHARACTERS {
                return None;
            }
            let places = files.iter().flat_map(|(path, (_, text, _))| {
                let text: Lines = text.iter().map(|line| without_blanks(line)).collect();
                let starts: Vec<usize> = text
                    .windows(pattern.len())
                    .enumerate()
                    .filter(|(_, lines)| *lines == pattern)
                    .map(|(at, _)| at)
                    .collect();
                starts.into_iter().map(move |at| (path.clone(), at))
            });
            match places.take(2).collect::<Vec<_>>().as_slice() {
                [(path, at)] => Some((path.clone(), *at, skipped)),
                _ => None,
            }
        })
    }

    /// What the fix puts there, indented as the lines of another file are.
    fn indented_as(&self, text: &Lines, at: usize) -> Lines {
        let good = self.good.first().map(|line| indentation(line));
        let is_like_after = self.after.first().map(|line| indentation(line)) == good;
        let (here, there) = match self.bad.first() {
            Some(bad) => (Some(bad), text.get(at)),
            None if is_like_after => (self.after.first(), text.get(at)),
            None => (self.before.first(), at.checked_sub(1).and_then(|before| text.get(before))),
        };
        let (Some(there), Some(here)) = (there, here) else { return self.good.clone() };
        let (there, here) = (indentation(there), indentation(here));
        let indent = |line: &Vec<u8>| match line.strip_prefix(here) {
            Some(rest) if !rest.trim_ascii().is_empty() => [there, rest].concat(),
            _ => line.clone(),
        };
        self.good.iter().map(indent).collect()
    }
}

fn split(bytes: &[u8]) -> Lines {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn without_blanks(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn indentation(line: &[u8]) -> &[u8] {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    line.split_at(blanks).0
}

fn extension(path: &TreePath) -> Option<&[u8]> {
    let bytes = path.as_bytes();
    bytes.rsplit(|byte| *byte == b'/').next()?.rsplit(|byte| *byte == b'.').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::trees::tree::Tree;

    fn candidate(files: &[(&str, &str)]) -> Candidate {
        let name = format!("{files:?}");
        Candidate::of(Base::new(Tree::of_texts(files), name.as_bytes()))
    }

    fn placed(unfixed: &str, fixed: &str, newest: &[(&str, &str)]) -> Option<String> {
        let [unfixed, fixed] = [unfixed, fixed].map(|text| candidate(&[("a.py", text)]));
        let placed = place_by_text(&unfixed, &fixed, &candidate(newest)).unwrap()?;
        let texts = placed.mix.iter().filter_map(|(_, entry)| entry);
        Some(texts.map(|entry| String::from_utf8_lossy(&entry.bytes).into_owned()).collect())
    }

    const BAD: &str = "def f(x):\n    sum = x * 2\n    return y\n";
    const GOOD: &str = "def f(x):\n    sum = x * 3\n    return y\n";

    #[test]
    fn lines_are_found_in_another_file_and_in_another_form() {
        let moved = "import b\n\ndef f(x):\n  sum = x*2\n  return y\n";
        let expected = "import b\n\ndef f(x):\n  sum = x * 3\n  return y\n";
        assert_eq!(placed(BAD, GOOD, &[("c/b.py", moved)]).as_deref(), Some(expected));
        // Other code around it.
        let alone = "if z:\n        sum = x * 2\n";
        assert_eq!(placed(BAD, GOOD, &[("b.py", alone)]).as_deref(), Some("if z:\n        sum = x * 3\n"));
    }

    #[test]
    fn lines_that_were_removed_come_back_between_the_same_lines() {
        let without = "def f(x):\n    return y\n";
        let moved = "pass\ndef f(x):\n  return y\n";
        let with = placed(without, BAD, &[("b.py", moved)]);
        assert_eq!(with.as_deref(), Some("pass\ndef f(x):\n  sum = x * 2\n  return y\n"));
    }

    #[test]
    fn two_places_or_none_are_no_place() {
        let alone = "        sum = x * 2\n";
        assert_eq!(placed(BAD, GOOD, &[("b.py", &alone.repeat(2))]), None);
        // The line after it tells the two apart.
        let two = format!("{alone}pass\n{alone}return y\n");
        let fixed = two.replacen("* 2\nreturn", "* 3\nreturn", 1);
        assert_eq!(placed(BAD, GOOD, &[("b.py", &two)]), Some(fixed));
        assert_eq!(placed(BAD, GOOD, &[("b.py", "y = 2\n")]), None);
        assert_eq!(placed(BAD, GOOD, &[("b.txt", BAD)]), None);
    }
}
