//! What can be said before anything is tested.

use super::origin::Origin;
use super::plan::Plan;
use super::request::{Request, differences};
use super::sources::Sources;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::talk::Talk;
use howcome_changes::{Tree, TreePath};
use std::ffi::OsStr;
use std::path::Path;

/// Versions that are the same have nothing to explain, and neither has a part of them that is.
pub(super) fn something_to_vary(request: &Request, sources: &Sources, plan: &Plan) -> Result<(), Failure> {
    let changes = differences(sources)?;
    let good = request.origins.good.first().map(Origin::name).unwrap_or_default();
    if changes.is_empty() {
        let message = match &request.origins.bad {
            Origin::WorkingTree => format!("the working tree is the same as the good version, {good}"),
            bad => format!("the good version, {good}, and the bad one, {}, hold the same files", bad.name()),
        };
        let hint = match &request.test_in_tree {
            Some(_) => "give two versions that differ in more than the test itself",
            None => "give two versions that differ",
        };
        return Err(Failure::wrong_use(message).hint(hint).exit(Exit::NothingToExplain));
    }
    if changes.split_by(&plan.filter).0.is_empty() {
        let paths = changes.paths_of(&changes.all());
        let first: Vec<String> = paths.iter().take(5).map(ToString::to_string).collect();
        let more = if paths.len() > first.len() { ", …" } else { "" };
        return Err(Failure::wrong_use(
            "--only and --except leave nothing that differs between the versions",
        )
        .hint(format!("what differs: {}{more}", first.join(", "))));
    }
    Ok(())
}

/// What builds is part of the versions, a program in PATH, or something from where the user stands.
pub(crate) fn find_builder(
    flag: &str,
    words: &mut [String],
    bad: &Tree,
    stands: &Path,
) -> Result<(), Failure> {
    let Some(program) = words.first_mut() else { return Ok(()) };
    if !program.contains('/') {
        return match crate::test_command::in_path(OsStr::new(program.as_str())) {
            Some(_) => Ok(()),
            None => Err(Failure::wrong_use(format!("{flag}: `{program}` is not a program in PATH"))
                .hint("give its path, or install it")),
        };
    }
    let in_tree =
        TreePath::new(program.trim_start_matches("./").as_bytes()).is_ok_and(|path| bad.get(&path).is_some());
    let here = stands.join(program.trim_start_matches("./"));
    match (in_tree, here.is_file()) {
        (true, _) => Ok(()),
        (false, true) => {
            *program = here.display().to_string();
            Ok(())
        }
        (false, false) => {
            Err(Failure::wrong_use(format!("{flag}: {program} is neither in the bad version nor here")))
        }
    }
}

/// Tests run in copies of the versions, where not everything is that is where the user stands.
pub(super) fn say_what_is_missing(request: &Request, sources: &Sources, talk: &Talk) {
    for argument in &request.test.arguments {
        let in_tree = |path: &OsStr| {
            use std::os::unix::ffi::OsStrExt;
            let path = TreePath::new(path.as_bytes());
            path.is_ok_and(|path| sources.bad.base.tree().get(&path).is_some())
        };
        crate::test_command::warn_if_relative(argument, &request.test.directory, talk, in_tree);
    }
}

/// Where a build within the test may end in the code that means failure, mixes that do not build are taken for failures.
pub(super) fn same_codes(request: &Request) -> Option<String> {
    let program = request.test.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let builds =
        ["make", "gmake", "ninja", "cargo", "cmake", "ctest", "go", "mvn", "gradle", "meson", "bazel"];
    let is_said = !request.failure.fails_when.is_empty();
    (request.build.is_none() && builds.contains(&program) && !is_said).then(|| {
        format!(
            "`{program}` may end with the same code where a version does not build and where it fails the test, so one would be \
             taken for the other; give what builds it as --build CMD"
        )
    })
}

/// What to look at where both sides end alike.
pub(super) fn if_refused(request: &Request) -> Option<String> {
    let is_git = request.origins.repository.is_some();
    is_git.then(|| {
        "the test runs in copies that hold what git tracks and nothing else; if it needs a file that git ignores, \
         add it by --copy PATH"
            .to_owned()
    })
}
