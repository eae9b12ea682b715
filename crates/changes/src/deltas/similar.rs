//! Which removed and added files are versions of the same file.

use crate::trees::tree_path::TreePath;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The score of two files that share all of their lines.
const ALL: u64 = 1000;

/// The least score of a pair.
const ENOUGH: u64 = ALL / 2;

/// A line that more files of one side have than this does not suggest pairs. It counts only for pairs that other lines suggest.
const TOO_COMMON: usize = 32;

/// How many likely sources are compared for each file.
const MOST_LIKELY: usize = 8;

/// Keeps the weight of a line that many files have above zero.
const UNIT: u64 = 1 << 20;

/// Texts that were removed, or added.
pub(crate) type TextsByPath<'a> = BTreeMap<&'a TreePath, &'a [u8]>;

/// Pairs of a removed and an added text that share at least half of their lines, the best pairs first.
///
/// A line counts by its length, and less if many files have it. No file is in two pairs.
pub(crate) fn similar_pairs<'a>(
    went: &TextsByPath<'a>,
    came: &TextsByPath<'a>,
) -> Vec<(&'a TreePath, &'a TreePath)> {
    if went.is_empty() || came.is_empty() {
        return Vec::new();
    }
    let mut index = LineNumbers::default();
    let [went, came] = [went, came].map(|side| index.files(side));
    let weights = index.weights(&went, &came);

    let mut found = Vec::new();
    let sources = Sources::new(&went, &weights);
    for (to, file) in came.iter().enumerate() {
        for from in sources.likely(file) {
            let score = score(&went[from], file, &weights);
            let kept_its_name = name(went[from].path) == name(file.path);
            if score >= ENOUGH {
                found.push((Reverse((score, kept_its_name)), from, to));
            }
        }
    }
    found.sort_unstable();
    let (mut taken, mut given) = (vec![false; went.len()], vec![false; came.len()]);
    found.retain(|&(_, from, to)| {
        let is_free = !taken[from] && !given[to];
        if is_free {
            (taken[from], given[to]) = (true, true);
        }
        is_free
    });
    found.into_iter().map(|(_, from, to)| (went[from].path, came[to].path)).collect()
}

struct NumberedFile<'a> {
    path: &'a TreePath,
    /// Its lines by their numbers, in order, with how often it has them.
    lines: Vec<(usize, u64)>,
}

/// A number for every line that occurs.
#[derive(Default)]
struct LineNumbers<'a> {
    numbers: HashMap<&'a [u8], usize>,
    lengths: Vec<u64>,
}

impl<'a> LineNumbers<'a> {
    fn files(&mut self, side: &TextsByPath<'a>) -> Vec<NumberedFile<'a>> {
        side.iter().map(|(path, bytes)| NumberedFile { path, lines: self.lines(bytes) }).collect()
    }

    fn lines(&mut self, bytes: &'a [u8]) -> Vec<(usize, u64)> {
        let mut numbers: Vec<usize> = Vec::new();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let next = self.lengths.len();
            let number = *self.numbers.entry(line).or_insert(next);
            if number == next {
                self.lengths.push(line.len() as u64);
            }
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers.chunk_by(usize::eq).map(|run| (run[0], run.len() as u64)).collect()
    }

    /// The weight of each line: its length divided by the square of how many files have it, on the side where more files have it.
    /// Without the square, a long license would count for more than a short program below it.
    fn weights(&self, went: &[NumberedFile<'_>], came: &[NumberedFile<'_>]) -> Vec<u64> {
        let [went, came] = [went, came].map(|side| {
            let mut files = vec![0_u64; self.lengths.len()];
            side.iter().flat_map(|file| &file.lines).for_each(|&(line, _)| files[line] += 1);
            files
        });
        let weight = |line: usize| self.lengths[line] * UNIT / went[line].max(came[line]).max(1).pow(2);
        (0..self.lengths.len()).map(weight).collect()
    }
}

/// Where lines and names occur in the removed files.
struct Sources<'a> {
    weights: &'a [u64],
    by_line: Vec<Vec<usize>>,
    by_name: HashMap<&'a [u8], Vec<usize>>,
}

impl<'a> Sources<'a> {
    fn new(went: &[NumberedFile<'a>], weights: &'a [u64]) -> Self {
        let mut by_line = vec![Vec::new(); weights.len()];
        let mut by_name: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, file) in went.iter().enumerate() {
            file.lines.iter().for_each(|&(line, _)| by_line[line].push(at));
            by_name.entry(name(file.path)).or_default().push(at);
        }
        Self { weights, by_line, by_name }
    }

    /// The files that share the most rare lines with this one, and some files with its name.
    fn likely(&self, file: &NumberedFile<'_>) -> Vec<usize> {
        let mut shared: BTreeMap<usize, u64> = BTreeMap::new();
        let rare = |files: &&Vec<usize>| files.len() <= TOO_COMMON;
        for &(line, _) in &file.lines {
            for &from in Some(&self.by_line[line]).filter(rare).into_iter().flatten() {
                *shared.entry(from).or_default() += self.weights[line];
            }
        }
        for &from in self.by_name.get(name(file.path)).filter(rare).into_iter().flatten() {
            *shared.entry(from).or_default() += 1;
        }
        let mut likely: Vec<_> = shared.into_iter().map(|(from, weight)| (Reverse(weight), from)).collect();
        likely.sort_unstable();
        likely.into_iter().take(MOST_LIKELY).map(|(_, from)| from).collect()
    }
}

/// The share of lines that two files have in common, measured by the greater one.
fn score(one: &NumberedFile<'_>, other: &NumberedFile<'_>, weights: &[u64]) -> u64 {
    let total =
        |file: &NumberedFile<'_>| file.lines.iter().map(|&(line, count)| weights[line] * count).sum::<u64>();
    let mut shared = 0;
    let mut rest = other.lines.iter().peekable();
    for &(line, count) in &one.lines {
        while rest.next_if(|(other, _)| *other < line).is_some() {}
        if let Some(&(_, other)) = rest.next_if(|(other, _)| *other == line) {
            shared += weights[line] * count.min(other);
        }
    }
    shared * ALL / total(one).max(total(other)).max(1)
}

/// The last component of a path.
pub(crate) fn name(path: &TreePath) -> &[u8] {
    path.as_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(went: &[(&str, String)], came: &[(&str, String)]) -> Vec<(String, String)> {
        let paths = |side: &[(&str, String)]| {
            side.iter().map(|(path, _)| TreePath::new(path.as_bytes()).unwrap()).collect::<Vec<_>>()
        };
        let (went_paths, came_paths) = (paths(went), paths(came));
        let went = went_paths.iter().zip(went).map(|(path, (_, text))| (path, text.as_bytes())).collect();
        let came = came_paths.iter().zip(came).map(|(path, (_, text))| (path, text.as_bytes())).collect();
        let shown = |(from, to): (&TreePath, &TreePath)| (from.to_string(), to.to_string());
        similar_pairs(&went, &came).into_iter().map(shown).collect()
    }

    fn numbered(name: &str, lines: std::ops::Range<u32>) -> String {
        lines.map(|line| format!("{name} {line}\n")).collect()
    }

    #[test]
    fn half_of_the_lines_must_be_shared() {
        let old = numbered("line", 0..10);
        let half = numbered("line", 0..5) + &numbered("else", 5..10);
        let less = numbered("line", 0..4) + &numbered("else", 4..10);
        assert_eq!(pairs(&[("a", old.clone())], &[("b", half)]).len(), 1);
        assert_eq!(pairs(&[("a", old)], &[("b", less)]).len(), 0);
    }

    #[test]
    fn the_most_similar_files_find_each_other_first() {
        let went = [("x", numbered("l", 0..10)), ("y", numbered("l", 0..8))];
        let came = [("p", numbered("l", 0..8) + "new\n"), ("q", numbered("l", 0..10) + "new\n")];
        let expected = [("x", "q"), ("y", "p")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(pairs(&went, &came), expected);
    }

    #[test]
    fn what_all_files_begin_with_makes_no_two_of_them_alike() {
        let license = numbered("This program comes with absolutely no warranty", 0..20);
        let file = |name: &str| license.clone() + &numbered(name, 0..10);
        let names: Vec<_> = (0..10).map(|nth| (format!("old/{nth}"), format!("new/{nth}"))).collect();
        let went: Vec<_> = names.iter().map(|(old, _)| (old.as_str(), file(old))).collect();
        let came: Vec<_> = names.iter().map(|(_, new)| (new.as_str(), file(new))).collect();
        assert_eq!(pairs(&went, &came), []);
    }
}
