//! What became of each try, as `results.txt` keeps it.

use crate::answer::Answered;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// The result of one try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TryResult {
    pub(crate) answered: Answered,
    /// How many tests it took.
    pub(crate) told: u64,
}

impl TryResult {
    pub(crate) fn is_worse_than(self, before: &Self) -> bool {
        self.answered > before.answered || (self.answered == before.answered && self.told > before.told)
    }

    pub(crate) fn is_wrong(&self) -> bool {
        self.answered == Answered::Wrong
    }
}

impl fmt::Display for TryResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6} {:4}", self.answered, self.told)
    }
}

/// The results of all tries, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results(BTreeMap<String, TryResult>);

impl Results {
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let result = |line: &str| {
            let mut words = line.split_whitespace();
            let answered = match words.next()? {
                "right" => Answered::Right,
                "honest" => Answered::Honest,
                _ => Answered::Wrong,
            };
            let told = words.next()?.parse().ok()?;
            Some((words.next()?.to_owned(), TryResult { answered, told }))
        };
        Self(text.lines().filter_map(result).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&TryResult> {
        self.0.get(name)
    }

    pub(crate) fn insert(&mut self, name: &str, result: TryResult) {
        self.0.insert(name.to_owned(), result);
    }

    pub(crate) fn write(&self, path: &Path) {
        let lines: String = self.0.iter().map(|(name, result)| format!("{result} {name}\n")).collect();
        fs::write(path, lines).unwrap();
    }
}
