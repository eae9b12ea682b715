//! What can be checked before anything is tested.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::path_filter::PathFilter;
use crate::search::known_changes::check_relations;
use crate::trees::contents::same_unread;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::{VersionOrigin, VersionOrigins};
use howcome_lab::inquiry::{Listener, RelationsRequest, TestCommand, find_in_path, warn_if_relative};
use howcome_run::words::count;
use howcome_run::{Problem, ProblemKind};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Everything that differs between two versions.
pub(super) fn differences(versions: &ComparedVersions) -> Result<ChangeSet, Problem> {
    ChangeSet::between(versions.good.base.tree(), versions.bad.base.tree())
        .map_err(|error| Problem::hinted(&error, Some(error.hint().to_owned())))
}

/// Checks that what the user knows is about changes between the versions.
pub(super) fn check_known(relations: &RelationsRequest, versions: &ComparedVersions) -> Result<(), Problem> {
    if *relations == RelationsRequest::default() {
        return Ok(());
    }
    if relations.order && versions.between.is_none() {
        return Err(Problem::new(
            "--order is the order of commits, but there are none between the two versions",
        )
        .hint("give two revisions of a repository, or write down what needs what and use --needs"));
    }
    check_relations(relations, &differences(versions)?)
}

/// Checks that more than the test itself differs between the versions. `tests` are the tests that differ if nothing else does.
pub(super) fn check_more_than_tests(origins: &VersionOrigins, tests: &[String]) -> Result<(), Problem> {
    let Some(first) = tests.first() else { return Ok(()) };
    let good = origins.good.first().map(VersionOrigin::name).unwrap_or_default();
    let tests = match tests.len() {
        1 => first.clone(),
        more => format!("{first} and {}", count(more as u64 - 1, "more file")),
    };
    let older = match origins.repository.is_some() {
        true => "leave out --good, and howcome looks for an older version that passes this test, or name one",
        false => "give a good version that differs from the bad one in more than the test",
    };
    let message = format!(
        "{} differs from the good version, {good}, only in tests ({tests}), so with these tests both end alike",
        origins.bad.name()
    );
    let hint = format!("{older}\nhint: to search in the tests themselves, add --vary-tests");
    Err(Problem::new(message).hint(hint).of_kind(ProblemKind::NothingToExplain))
}

/// Checks that the versions differ, and that a path which may be varied differs.
pub(super) fn check_differences(
    origins: &VersionOrigins,
    is_test_in_tree: bool,
    versions: &ComparedVersions,
    filter: &PathFilter,
) -> Result<(), Problem> {
    if differs_unread(versions, filter) {
        return Ok(());
    }
    let changes = differences(versions)?;
    let good = origins.good.first().map(VersionOrigin::name).unwrap_or_default();
    if changes.is_empty() {
        let message = match &origins.bad {
            VersionOrigin::WorkingTree => {
                format!("the working tree is the same as the good version, {good}")
            }
            bad => {
                format!("the good version, {good}, and the bad version, {}, hold the same files", bad.name())
            }
        };
        let hint = match is_test_in_tree {
            true => "give two versions that differ in more than the test itself",
            false => "give two versions that differ",
        };
        return Err(Problem::new(message).hint(hint).of_kind(ProblemKind::NothingToExplain));
    }
    if changes.split_by(filter).0.is_empty() {
        let paths = changes.paths_of(&changes.all());
        let first: Vec<String> = paths.iter().take(5).map(ToString::to_string).collect();
        let more = if paths.len() > first.len() { ", …" } else { "" };
        return Err(Problem::new("--only and --except leave nothing that differs between the versions")
            .hint(format!("what differs: {}{more}", first.join(", "))));
    }
    Ok(())
}

/// Whether a file that may be varied is known to differ without reading it. To read everything that differs takes long if there are
/// many commits between the versions.
fn differs_unread(versions: &ComparedVersions, filter: &PathFilter) -> bool {
    let [good, bad] = [&versions.good, &versions.bad].map(|version| version.base.tree());
    good.iter().any(|(path, entry)| {
        let other = bad.get(path).map(|other| same_unread(&*entry.contents, &*other.contents));
        other == Some(Some(false)) && filter.keeps(path)
    })
}

/// Finds the program of a build command: in the versions, in PATH, or in the folder in which the user asks.
///
/// # Errors
/// If it is nowhere.
pub fn find_builder(flag: &str, words: &mut [String], bad: &Tree, here: &Path) -> Result<(), Problem> {
    let Some(program) = words.first_mut() else { return Ok(()) };
    if !program.contains('/') {
        return match find_in_path(OsStr::new(program.as_str())) {
            Some(_) => Ok(()),
            None => Err(Problem::new(format!("{flag}: `{program}` is not a program in PATH"))
                .hint("give its path, or install it")),
        };
    }
    let in_tree =
        TreePath::new(program.trim_start_matches("./").as_bytes()).is_ok_and(|path| bad.get(&path).is_some());
    let file = here.join(program.trim_start_matches("./"));
    match (in_tree, file.is_file()) {
        (true, _) => Ok(()),
        (false, true) => {
            *program = file.display().to_string();
            Ok(())
        }
        (false, false) => Err(Problem::new(format!(
            "{flag}: {program} is neither in the bad version nor in the current folder"
        ))),
    }
}

/// Tests run in copies of the versions, which do not hold everything that is in the user's folder.
pub(super) fn warn_about_arguments(test: &TestCommand, bad: &Tree, listener: &dyn Listener) {
    let in_tree = |path: &OsStr| TreePath::new(path.as_bytes()).is_ok_and(|path| bad.get(&path).is_some());
    for argument in &test.arguments {
        warn_if_relative(argument, &test.directory, listener, in_tree);
    }
}

/// Checks that the script of the test exists in one of the versions, unless the build could make it.
pub(super) fn check_script(test: &TestCommand, versions: [&Tree; 2], is_built: bool) -> Result<(), Problem> {
    test.check_script(|script| {
        let script = script.as_bytes();
        let path = TreePath::new(script.strip_prefix(b"./").unwrap_or(script));
        path.is_ok_and(|path| is_built || versions.iter().any(|version| version.get(&path).is_some()))
    })
}

/// A warning about a build within the test, if nothing but the exit code tells the failure: a version that does not build can end
/// with the same exit code.
pub(super) fn warning_about_build(test: &TestCommand) -> Option<String> {
    let program = test.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let builds = ["make", "gmake", "ninja", "cmake", "meson", "bazel"];
    builds.contains(&program).then(|| {
        format!(
            "`{program}` can end with the same exit code if a version does not build and if it fails the test, so one would be \
             mistaken for the other; give the command that builds it with --build CMD"
        )
    })
}

/// What to do if the good version fails, too.
pub(super) fn hint_if_alike(origins: &VersionOrigins, is_found_or_fix: bool) -> Option<String> {
    let is_commit = origins.good.iter().any(|good| good.commit().is_some());
    (is_commit && !is_found_or_fix)
        .then(|| "leave out --good, and howcome looks for an older version that passes".to_owned())
}

/// What to look at if both sides end in the same way.
pub(super) fn hint_if_refused(origins: &VersionOrigins) -> Option<String> {
    origins.repository.is_some().then(|| {
        "the test runs in copies without the files that git ignores; if it needs one of them, add it with --copy PATH"
            .to_owned()
    })
}
