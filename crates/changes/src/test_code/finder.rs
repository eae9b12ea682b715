//! Decides what is held, from the test command and the versions, before anything is run.

use super::checker_names::{is_checker, is_expected_output};
use super::command_words::CommandWords;
use super::conventions::{is_test_by_name, is_test_name, says_what_is_tested};
use super::held_source::HeldSource;
use super::held_tests::{CopiedFile, HeldTests};
use super::program_use::used_by_program;
use super::test_items::{can_have_test_items, mentions_test_items};
use crate::deltas::path_filter::PathFilter;
use crate::trees::contents::same_unread;
use crate::trees::entry::TreeEntry;
use crate::trees::reading::read_readable;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_lab::inquiry::TestCommand;
use howcome_run::Problem;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Finds the code that belongs to a test.
pub struct TestFinder<'a> {
    /// The test.
    pub test: &'a TestCommand,
    /// The program of the test, if it is part of the versions.
    pub program: Option<&'a TreePath>,
    /// Paths and patterns that the user holds.
    pub hold: &'a [OsString],
    /// Whether nothing else is held.
    pub vary_tests: bool,
    /// Files that git neither tracks nor ignores.
    pub untracked: Untracked<'a>,
    /// Whether the scripts that a script outside of the versions starts belong to the test, too.
    pub follows_scripts: bool,
    /// What may be varied, if the user says so.
    pub filter: Option<&'a PathFilter>,
}

/// Files of the user's folder that are in no commit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Untracked<'a> {
    /// The top of the repository, if there is one.
    pub top: Option<&'a Path>,
    /// Their paths from the top.
    pub files: &'a [TreePath],
    /// Whether the bad version is what is checked out, so that its tests can be among them.
    pub belong_to_bad: bool,
}

/// More source files than these are not read in search of tests.
const MOST_SOURCES: usize = 2000;

impl TestFinder<'_> {
    /// What belongs to the test in the bad version, compared with a good or an old version, if there is one.
    ///
    /// # Errors
    /// If a pattern of the user cannot be understood.
    pub fn find(&self, good: Option<&Tree>, bad: &Tree) -> Result<HeldTests, Problem> {
        let mut words = CommandWords::of(self.test);
        if self.follows_scripts && self.program.is_none() {
            words.follow_scripts(self.test);
        }
        let mut held = HeldTests { patterns: self.hold.to_vec(), ..HeldTests::only(self.program) };
        held.copied = self.copied(&words, bad);
        let differing = good.map(|good| differing_paths(good, bad));
        if !self.vary_tests {
            held.by_name = true;
            held.files.extend(self.files(&words, bad));
            held.files.dedup();
            self.leave_out_program(&mut held, differing.as_ref(), bad)?;
            let rule = held.rule()?;
            // If nothing but tests differs, the cause is in what they share, or is older than both versions.
            let is_varied = |path: &&TreePath| self.filter.is_none_or(|filter| filter.keeps(path));
            let is_only_tests = |differing: &BTreeSet<TreePath>| {
                differing.iter().filter(is_varied).all(|path| rule.holds(path))
            };
            if let Some(tests) = differing.as_ref().filter(|differing| is_only_tests(differing)) {
                let is_check =
                    |path: &&TreePath| says_what_is_tested(path) || held.files.contains(&path.to_string());
                let only_tests_differ = match self.filter {
                    Some(_) => Vec::new(),
                    None => tests.iter().filter(is_check).map(ToString::to_string).collect(),
                };
                let named = HeldTests { patterns: self.hold.to_vec(), ..HeldTests::only(self.program) };
                held = HeldTests { copied: held.copied, only_tests_differ, ..named };
            } else {
                held.sources = test_sources(differing.as_ref(), good, bad, &|path| rule.holds(path));
            }
        }
        self.show(&mut held, &words, differing.as_ref(), bad)?;
        let differs = |path: &dyn Fn(&TreePath) -> bool| differing.iter().flatten().any(path);
        held.excluded = self.filter.is_some_and(|filter| differs(&|path| filter.keeps(path)));
        let (rule, alone) = (held.rule()?, HeldTests::only(self.program).rule()?);
        held.changes_good =
            !held.sources.is_empty() || differs(&|path| rule.holds(path) && !alone.holds(path));
        Ok(held)
    }

    /// Files of the bad version that belong to the test although their names alone do not say so.
    fn files(&self, words: &CommandWords, bad: &Tree) -> Vec<String> {
        let in_bad =
            |word: &String| TreePath::new(word.as_bytes()).ok().filter(|path| bad.get(path).is_some());
        let scripts =
            words.scripts.iter().filter_map(in_bad).filter(|path| is_checker(path) || is_test_by_name(path));
        let checkers: Vec<TreePath> = self.program.cloned().into_iter().chain(scripts).collect();
        let named: Vec<TreePath> = words.named.iter().filter_map(in_bad).collect();
        let is_untracked = |path: &&TreePath| self.untracked.files.contains(path);
        let is_beside = |path: &TreePath| {
            checkers.iter().any(|checker| match checker.directories().last() {
                Some(folder) => TreePath::new(folder).is_ok_and(|folder| path.is_below(&folder)),
                None => path
                    .directories()
                    .next()
                    .is_none_or(|folder| !folder.contains(&b'/') && is_expected_folder(folder)),
            })
        };
        let expected =
            bad.iter().map(|(path, _)| path).filter(|path| is_expected_output(path) && is_beside(path));
        let mut files: Vec<String> =
            checkers.iter().filter(|path| Some(*path) != self.program).map(ToString::to_string).collect();
        files.extend(
            named
                .iter()
                .filter(|path| is_expected_output(path) || is_untracked(path))
                .map(ToString::to_string),
        );
        files.extend(expected.map(ToString::to_string));
        let mut seen = BTreeSet::new();
        files.retain(|file| seen.insert(file.clone()));
        files
    }

    /// Notes which files with names of tests the program uses.
    fn leave_out_program(
        &self,
        held: &mut HeldTests,
        differing: Option<&BTreeSet<TreePath>>,
        bad: &Tree,
    ) -> Result<(), Problem> {
        let rule = held.rule()?;
        let is_named = |path: &TreePath| Some(path) == self.program;
        let is_doubtful = |path: &&TreePath| {
            let name = path.as_path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_by_user = || HeldTests { patterns: held.patterns.clone(), ..HeldTests::default() }.rule();
            rule.holds(path)
                && !is_test_name(name)
                && !is_named(path)
                && (held.patterns.is_empty() || is_by_user().is_ok_and(|rule| !rule.holds(path)))
        };
        let doubtful: BTreeSet<&TreePath> = differing.into_iter().flatten().filter(is_doubtful).collect();
        let used = used_by_program(&doubtful, bad, &|path| rule.holds(path) && !doubtful.contains(path));
        let used: Vec<String> = used.into_iter().map(ToString::to_string).collect();
        held.files.retain(|file| !used.contains(file));
        held.program = used;
        Ok(())
    }

    /// Files of the user's folder that the command names, or that are tests by name, and that the bad version lacks.
    fn copied(&self, words: &CommandWords, bad: &Tree) -> Vec<CopiedFile> {
        let here = &self.test.directory;
        let mut copied: Vec<CopiedFile> = Vec::new();
        let mut add = |from: &Path, to: &TreePath| {
            let is_new = !copied.iter().any(|known| known.to.as_bytes() == to.as_bytes());
            copied.extend(CopiedFile::new(from, to).filter(|_| is_new && is_text(from)));
        };
        for path in words.named.iter().filter_map(|word| TreePath::new(word.as_bytes()).ok()) {
            let from = here.join(path.as_path());
            if bad.get(&path).is_none() && bad.first_below(&path).is_none() && self.may_be_copied(&from) {
                add(&from, &path);
            }
        }
        if let Some(top) = self.untracked.top.filter(|_| self.untracked.belong_to_bad && !self.vary_tests) {
            for path in
                self.untracked.files.iter().filter(|path| is_test_by_name(path) && bad.get(path).is_none())
            {
                add(&top.join(path.as_path()), path);
            }
        }
        copied
    }

    /// A file that git ignores is the product of a build more often than a test, and a stale product would be tested.
    fn may_be_copied(&self, file: &Path) -> bool {
        let (Ok(file), Some(top)) = (file.canonicalize(), self.untracked.top) else { return file.is_file() };
        let Ok(inside) = top
            .canonicalize()
            .map_or(Err(()), |top| file.strip_prefix(top).map(Path::to_owned).map_err(|_| ()))
        else {
            return file.is_file();
        };
        self.untracked.files.iter().any(|path| path.as_path() == inside)
    }

    /// Notes what the user should know: held files that the command names or that differ.
    fn show(
        &self,
        held: &mut HeldTests,
        words: &CommandWords,
        differing: Option<&BTreeSet<TreePath>>,
        bad: &Tree,
    ) -> Result<(), Problem> {
        let rule = held.rule()?;
        let mut shown: Vec<String> = held.files.clone();
        let named = words.named.iter().filter_map(|word| TreePath::new(word.as_bytes()).ok());
        shown.extend(
            named.filter(|path| bad.get(path).is_some() && rule.holds(path)).map(|path| path.to_string()),
        );
        let differing = differing.into_iter().flatten();
        shown.extend(differing.filter(|path| rule.holds(path)).map(ToString::to_string));
        shown.extend(held.copied.iter().map(|copied| copied.to.clone()));
        shown.extend(held.sources.iter().map(|source| format!("{source} (its tests)")));
        let mut seen = BTreeSet::new();
        shown.retain(|path| seen.insert(path.clone()));
        held.shown = shown;
        Ok(())
    }
}

fn is_expected_folder(folder: &[u8]) -> bool {
    [&b"expected"[..], b"golden", b"goldens"].contains(&folder)
}

/// Source files that differ and have tests in them.
fn test_sources(
    differing: Option<&BTreeSet<TreePath>>,
    good: Option<&Tree>,
    bad: &Tree,
    is_held: &dyn Fn(&TreePath) -> bool,
) -> Vec<String> {
    let all = bad.iter().map(|(path, _)| path);
    let candidates = all.filter(|path| {
        can_have_test_items(path)
            && differing.is_none_or(|differing| differing.contains(*path))
            && !is_held(path)
    });
    let candidates: Vec<&TreePath> = candidates.take(MOST_SOURCES).collect();
    let mut found = having_tests(&candidates, bad);
    if let Some(good) = good {
        let others: Vec<&TreePath> = candidates.into_iter().filter(|path| !found.contains(path)).collect();
        found.extend(having_tests(&others, good));
    }
    found.into_iter().map(ToString::to_string).collect()
}

/// Of some source files, those that have tests in this version. A file that cannot be read has none.
fn having_tests<'a>(paths: &[&'a TreePath], tree: &Tree) -> BTreeSet<&'a TreePath> {
    let (paths, entries): (Vec<&TreePath>, Vec<&TreeEntry>) =
        paths.iter().filter_map(|path| Some((*path, tree.get(path)?))).unzip();
    let mut found = BTreeSet::new();
    read_readable(&entries, |number, bytes| {
        let path = paths[number];
        let has_tests = mentions_test_items(path, bytes)
            && HeldSource::of(path, bytes).is_some_and(|source| source.has_tests());
        if has_tests {
            found.insert(path);
        }
    });
    found
}

/// The paths at which two trees differ.
pub(crate) fn differing_paths(good: &Tree, bad: &Tree) -> BTreeSet<TreePath> {
    let is_same = |one: &TreeEntry, other: &TreeEntry| {
        one.kind == other.kind
            && same_unread(&*one.contents, &*other.contents).unwrap_or_else(|| {
                matches!((one.contents.read(), other.contents.read()), (Ok(one), Ok(other)) if one == other)
            })
    };
    let in_bad = bad.iter().filter(|(path, entry)| good.get(path).is_none_or(|good| !is_same(good, entry)));
    let only_good = good.iter().filter(|(path, _)| bad.get(path).is_none());
    in_bad.chain(only_good).map(|(path, _)| path.clone()).collect()
}

/// Whether a file is text. Binaries come from a build.
fn is_text(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(8192).read_to_end(&mut start));
    read.is_ok() && path.is_file() && !start.contains(&0)
}
