//! The lines of a cause, looked for in a newer version and in a fix of it.
//!
//! Newer revisions can rewrite the lines that broke a test, or remove them. What fails there then can have another cause, and a fix that was
//! adapted to such a revision can be the fix of that.

use super::explanation::Explanation;
use crate::candidates::candidate::Candidate;
use crate::deltas::change::{ChangeKind, DescribedChange};
use crate::deltas::change_set::ChangeSet;
use crate::test_code::finder::differing_paths;
use crate::trees::entry::{EntryKind, LoadedEntry};
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeSet;

/// Not more files than these are looked through besides those of the cause.
const MOST_FILES: usize = 400;

/// The lines that a cause adds and removes.
#[derive(Clone, Debug, Default)]
pub(super) struct CauseLines {
    added: Vec<TokenLine>,
    removed: Vec<TokenLine>,
    paths: BTreeSet<TreePath>,
    /// Whether files come or go as a whole, are binary, or change only in what is not code. Nothing follows from lines then.
    is_more_than_lines: bool,
}

/// A line as its words and signs, whatever blanks are between them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TokenLine(Vec<Vec<u8>>);

impl CauseLines {
    /// The lines of the cause that was found.
    pub(super) fn of(explanation: &Explanation) -> Self {
        let mut lines = Self::default();
        let parts = explanation.cause().into_iter().flat_map(|cause| &cause.parts);
        for part in parts.filter(|part| !part.is_needed_only) {
            for change in part.chosen.iter().filter_map(|delta| part.changes.describe(delta)) {
                lines.add(&change);
            }
        }
        lines.leave_out_kept();
        lines
    }

    /// Leaves out lines that are removed and added again, for example with other blanks.
    fn leave_out_kept(&mut self) {
        let removed = std::mem::take(&mut self.removed);
        for line in removed {
            match self.added.iter().position(|added| *added == line) {
                Some(at) => {
                    self.added.remove(at);
                }
                None => self.removed.push(line),
            }
        }
    }

    fn add(&mut self, change: &DescribedChange<'_>) {
        self.is_more_than_lines |= change.what != ChangeKind::Lines;
        self.paths.insert(change.path.clone());
        self.added.extend(change.added.iter().filter_map(|line| TokenLine::of(line)));
        self.removed.extend(change.removed.iter().filter_map(|line| TokenLine::of(line)));
    }

    fn says_nothing(&self) -> bool {
        self.is_more_than_lines || self.added.is_empty() && self.removed.is_empty()
    }

    /// The changes of a fix that remove lines like those that the cause has added, or add lines like those that it has removed. All of
    /// them if nothing follows from lines. The fix leads from the newest revision to one that passes.
    pub(super) fn undone_by(&self, fix: &ChangeSet) -> Configuration {
        if self.says_nothing() {
            return fix.all();
        }
        let meets = |some: &[TokenLine], others: &[TokenLine]| {
            some.iter().any(|line| others.iter().any(|other| line.is_like(other)))
        };
        let undoes = |delta: &DeltaId| {
            let mut undone = Self::default();
            fix.describe(*delta).iter().for_each(|change| undone.add(change));
            undone.is_more_than_lines
                || meets(&self.added, &undone.removed)
                || meets(&self.removed, &undone.added)
        };
        fix.all().iter().filter(undoes).collect()
    }

    /// Whether a fix as a whole undoes a word or a sign of the cause: removes one that it adds, or adds one that it removes. `true` if
    /// nothing follows from words. Brackets, quotes and the like say nothing.
    pub(super) fn shares_words_with(&self, fix: &ChangeSet) -> bool {
        let mut undone = Self::default();
        fix.all().iter().filter_map(|delta| fix.describe(delta)).for_each(|change| undone.add(&change));
        let (added, removed) = (only_in(&self.added, &self.removed), only_in(&self.removed, &self.added));
        if self.says_nothing() || undone.is_more_than_lines || added.is_empty() && removed.is_empty() {
            return true;
        }
        let meets = |some: Vec<&[u8]>, others: Vec<&[u8]>| some.iter().any(|token| others.contains(token));
        meets(added, only_in(&undone.removed, &undone.added))
            || meets(removed, only_in(&undone.added, &undone.removed))
    }

    /// Whether a version has all lines that the cause adds, in its files or in others that differ from an older version which has the
    /// cause. If the cause only removes lines, whether the version lacks one of these. `true` if nothing follows from lines.
    pub(super) fn are_in(&self, version: &Candidate, older: &Candidate) -> bool {
        if self.says_nothing() {
            return true;
        }
        let texts = self.texts(version, older);
        let has = |line: &TokenLine| texts.iter().any(|text| text.contains(line));
        match self.added.is_empty() {
            false => self.added.iter().all(has),
            true => !self.removed.iter().all(has),
        }
    }

    /// The files of a version that have a line which the cause adds or removes, among those that an older version has in another form, or not.
    pub(super) fn places_in(&self, version: &Candidate, older: &Candidate) -> BTreeSet<TreePath> {
        let tree = version.tree();
        let is_of_cause = |line: &TokenLine| self.added.contains(line) || self.removed.contains(line);
        let has_one =
            |path: &TreePath| token_lines(&tree, path).is_some_and(|text| text.iter().any(is_of_cause));
        let differing = differing_paths(&older.tree(), &tree).into_iter().take(MOST_FILES);
        differing.filter(has_one).collect()
    }

    /// Whether some files of a version have all lines that the cause removes, and none that it adds.
    pub(super) fn are_undone_in_files(&self, version: &Candidate, files: &BTreeSet<TreePath>) -> bool {
        if self.says_nothing() || self.removed.is_empty() {
            return false;
        }
        let tree = version.tree();
        let texts: Vec<Vec<TokenLine>> = files.iter().filter_map(|path| token_lines(&tree, path)).collect();
        let has = |line: &TokenLine| texts.iter().any(|text| text.contains(line));
        self.removed.iter().all(has) && !self.added.iter().any(has)
    }

    /// Whether a version has again all lines that the cause removes, wherever they are now, and none that it adds. An older version, which
    /// has the cause, does not.
    pub(super) fn are_undone_in(&self, version: &Candidate, older: &Candidate) -> bool {
        if self.says_nothing() || self.removed.is_empty() {
            return false;
        }
        let [now, then] = [self.texts(version, older), self.texts(older, version)];
        let has = |texts: &[Vec<TokenLine>], line: &TokenLine| texts.iter().any(|text| text.contains(line));
        self.removed.iter().all(|line| has(&now, line))
            && !self.added.iter().any(|line| has(&now, line))
            && !self.removed.iter().all(|line| has(&then, line))
    }

    /// The lines of those files of a version that the cause is in, and of those that differ from another version.
    fn texts(&self, version: &Candidate, other: &Candidate) -> Vec<Vec<TokenLine>> {
        let tree = version.tree();
        let mut paths = self.paths.clone();
        paths.extend(differing_paths(&other.tree(), &tree).into_iter().take(MOST_FILES));
        paths.iter().filter_map(|path| token_lines(&tree, path)).collect()
    }
}

/// The lines of a file, if the version has it.
fn token_lines(tree: &Tree, path: &TreePath) -> Option<Vec<TokenLine>> {
    let entry = tree.get(path).filter(|entry| matches!(entry.kind, EntryKind::File { .. }))?;
    let text = LoadedEntry::read(path, entry).ok()?;
    Some(text.bytes.split(|byte| *byte == b'\n').filter_map(TokenLine::of).collect())
}

impl TokenLine {
    /// A line of text; `None` if it has neither words nor signs that tell it from others, such as `}`.
    fn of(line: &[u8]) -> Option<Self> {
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        let mut is_in_word = false;
        for byte in line.iter().copied() {
            match is_word_byte(byte) {
                true if is_in_word => tokens.last_mut().into_iter().for_each(|word| word.push(byte)),
                _ if byte.is_ascii_whitespace() => {}
                // Formatters replace one kind of quote with the other.
                _ if byte == b'"' => tokens.push(vec![b'\'']),
                _ => tokens.push(vec![byte]),
            }
            is_in_word = is_word_byte(byte);
        }
        let has_words = tokens.iter().flatten().any(|byte| is_word_byte(*byte));
        has_words.then_some(Self(tokens))
    }

    /// Whether two lines have at least half of their words in common, and half of their words and signs. Brackets and quotes alone
    /// make no lines alike.
    fn is_like(&self, other: &Self) -> bool {
        let is_word = |token: &&Vec<u8>| token.first().is_some_and(|byte| is_word_byte(*byte));
        let words = |line: &Self| line.0.iter().filter(is_word).count();
        let mut rest = other.0.clone();
        let (mut common, mut common_words) = (0, 0);
        for token in &self.0 {
            if let Some(at) = rest.iter().position(|other| other == token) {
                common_words += usize::from(is_word(&&rest.swap_remove(at)));
                common += 1;
            }
        }
        let is_half = |part: usize, one: usize, other: usize| 2 * part >= one.max(other);
        common_words > 0
            && is_half(common, self.0.len(), other.0.len())
            && is_half(common_words, words(self), words(other))
    }
}

/// The words and signs of some lines that others do not have as often.
fn only_in<'a>(lines: &'a [TokenLine], others: &[TokenLine]) -> Vec<&'a [u8]> {
    const SAY_NOTHING: &[u8] = b"()[]{}',;:.";
    let mut rest: Vec<&Vec<u8>> = others.iter().flat_map(|line| &line.0).collect();
    let mut only = Vec::new();
    for token in lines.iter().flat_map(|line| &line.0) {
        match rest.iter().position(|other| *other == token) {
            Some(at) => {
                rest.swap_remove(at);
            }
            None if matches!(token.as_slice(), [sign] if SAY_NOTHING.contains(sign)) => {}
            None => only.push(token.as_slice()),
        }
    }
    only
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidate::Base;
    use crate::history::backport_patch::line_changes;

    fn candidate(text: &str) -> Candidate {
        Candidate::of(Base::new(Tree::of_texts(&[("a.py", text)]), text.as_bytes()))
    }

    fn lines(good: &str, bad: &str) -> CauseLines {
        let changes = line_changes(&candidate(good), &candidate(bad)).unwrap();
        let mut lines = CauseLines::default();
        changes
            .all()
            .iter()
            .filter_map(|delta| changes.describe(delta))
            .for_each(|change| lines.add(&change));
        lines
    }

    fn is_undone(cause: [&str; 2], fix: [&str; 2]) -> bool {
        let [newest, fixed] = fix.map(candidate);
        !lines(cause[0], cause[1]).undone_by(&line_changes(&newest, &fixed).unwrap()).is_empty()
    }

    #[test]
    fn a_fix_undoes_the_lines_in_the_form_that_they_have_now() {
        let cause = ["t = hours * 60 + 0.5\n", "t = 60 * hours\n"];
        assert!(is_undone(cause, ["x\nt = 60*hours\n", "x\nt = hours * 60 + 0.5\n"]));
        assert!(is_undone(cause, ["minutes = 60 * hours\n", "minutes = hours * 60 + 0.5\n"]));
        assert!(!is_undone(cause, ["x = read(1)\n", "x = read(2)\n"]));
        let mask = ["return rec['qty'] * rec['price']\n", "return rec['qty'] + rec['price']\n"];
        assert!(!is_undone(mask, ["rec['qty'] = abs(int(fields[1]))\n", "rec['qty'] = int(fields[1])\n"]));
        assert!(!is_undone(["def f(x):\n", "def f(x:\n"], ["x = x - 1\n", "x = x\n"]));
    }

    #[test]
    fn a_fix_undoes_a_word_or_a_sign_of_the_cause() {
        let shares = |cause: [&str; 2], fix: [&str; 2]| {
            let [newest, fixed] = fix.map(candidate);
            let changes = line_changes(&newest, &fixed).unwrap();
            lines(cause[0], cause[1]).shares_words_with(&changes)
        };
        let cause = ["return qty * price\n", "return qty + price\n"];
        assert!(shares(cause, ["return (qty or 1) + price\n", "return qty * price\n"]));
        // The newest version multiplies already, and fails for another reason.
        assert!(!shares(cause, ["return (qty or 1) * price\n", "return qty * price\n"]));
        let rewritten = "qty = rec.qty\nif not qty:\n    qty = 1\nreturn price * qty\n";
        assert!(!shares(cause, [rewritten, "return qty * price\n"]));
        assert!(!shares(["f(x)\n", "f(abs(x))\n"], ["f((x or 1))\n", "f(x)\n"]));
        // Nothing but the order differs.
        assert!(shares(["a - b\n", "b - a\n"], ["x\n", "y\n"]));
    }

    #[test]
    fn signs_alone_are_no_line_of_a_cause() {
        assert!(TokenLine::of(b"  }\n").is_none());
        assert!(TokenLine::of(b"x\n").is_some());
    }

    #[test]
    fn a_version_has_a_cause_whatever_blanks_are_in_it() {
        let is_in = |cause: &CauseLines, text: &str| cause.are_in(&candidate(text), &candidate(""));
        let cause = lines("t = hours * 60 + 0.5\n", "t = 60 * hours\n");
        assert!(is_in(&cause, "if x:\n    t = 60*hours\n"));
        assert!(!is_in(&cause, "t = hours\n"));
        let removed = lines("a = 1\nclose(a)\n", "a = 1\n");
        assert!(is_in(&removed, "a = 1\nb()\n"));
        assert!(!is_in(&removed, "a = 1\nclose(a)\n"));
    }
}
