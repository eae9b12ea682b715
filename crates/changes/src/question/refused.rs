//! What a refused baseline shows about the test itself: perhaps it cannot be run, or does not look at the versions.

use super::request::ChangesRequest;
use crate::candidates::original_tree::{unread_files, why_it_says_nothing};
use crate::candidates::space::Space;
use crate::candidates::tree_test::{Reads, Recipe, TreeTest};
use crate::candidates::version_space::VersionSpace;
use crate::trees::tree_path::TreePath;
use crate::versions::compared::ComparedVersions;
use howcome_dd::Configuration;
use howcome_lab::inquiry::TestCommand;
use howcome_lab::{Lab, Prepare};
use howcome_run::words::shell_word;
use howcome_run::{Halt, ProblemKind};
use std::path::Path;
use std::sync::Arc;

/// Runs the test of the bad version once more and adds what it shows to a refusal.
pub(super) fn explain_refusal(
    halt: Halt,
    lab: &mut dyn Lab,
    request: &ChangesRequest,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
) -> Halt {
    let Halt::Refused { problem, why } = halt else { return halt };
    let (test, top) = (&request.test, request.origins.repository.as_deref());
    // A test that is run in the wrong folder ends alike in both versions.
    let ends_alike = problem.kind() != ProblemKind::CannotRunTest || request.finds_good;
    if let Some(hint) = top.filter(|_| ends_alike).and_then(|top| hint_about_subfolder(test, top)) {
        return Halt::Refused {
            problem: problem.of_kind(ProblemKind::NothingToExplain).first_hint(&hint),
            why,
        };
    }
    let is_known = problem.kind() == ProblemKind::LacksFolder;
    let hint = if is_known { None } else { look_at_test(lab, test, versions, recipe) };
    let hint = hint.map(|hint| match needs_build(&hint, versions, recipe) {
        true => format!("{hint}; if it has to be built first, give the command with --build CMD"),
        false => hint,
    });
    let problem = match hint {
        // Older versions would end in the same way.
        Some(hint) => problem.of_kind(ProblemKind::NothingToExplain).first_hint(&hint),
        None => problem,
    };
    Halt::Refused { problem, why }
}

/// What to do if the user is not at the top of the repository, where the test runs, and the test does not seem to know that.
pub(crate) fn hint_about_subfolder(test: &TestCommand, top: &Path) -> Option<String> {
    let (here, top) = (test.directory.canonicalize().ok()?, top.canonicalize().ok()?);
    let inside = here.strip_prefix(top).ok().filter(|inside| !inside.as_os_str().is_empty())?;
    let (inside, words) = (inside.to_string_lossy(), test.words());
    if words.iter().any(|word| names(word, &inside)) {
        return None;
    }
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    let command = format!("cd {} && {}", shell_word(&inside), words.join(" "));
    Some(format!(
        "the test runs at the top of each version, and you are in {inside}: -- sh -c {}",
        shell_word(&command)
    ))
}

/// Whether a word, which can be a whole command of a shell, names a folder.
fn names(word: &str, folder: &str) -> bool {
    let goes_on = |character: char| character.is_alphanumeric() || "._-/".contains(character);
    word.match_indices(folder).any(|(at, _)| {
        let (before, after) = (word[..at].trim_end_matches("./"), &word[at + folder.len()..]);
        !before.ends_with(goes_on) && (after.starts_with('/') || !after.starts_with(goes_on))
    })
}

/// Whether the test lacks a program that the versions can probably build.
fn needs_build(hint: &str, versions: &ComparedVersions, recipe: &Recipe) -> bool {
    const SAYS_HOW: [&str; 6] =
        ["Makefile", "makefile", "CMakeLists.txt", "meson.build", "configure", "Cargo.toml"];
    let bad = versions.bad.base.tree();
    let is_there = |name: &&str| TreePath::new(name.as_bytes()).is_ok_and(|path| bad.get(&path).is_some());
    recipe.build.is_none() && hint.contains("was not found") && SAYS_HOW.iter().any(is_there)
}

fn look_at_test(
    lab: &mut dyn Lab,
    test: &TestCommand,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
) -> Option<String> {
    let reads = Reads::default();
    let candidates = vec![(String::new(), versions.bad.clone(), versions.bad_commit.clone())];
    let space: Arc<dyn Space> = Arc::new(VersionSpace::of(candidates));
    let watched = TreeTest { reads: Some(Arc::clone(&reads)), ..TreeTest::new(&space, recipe) };
    let nothing = Configuration::empty();
    let seen = lab.look(&(Arc::new(watched) as Arc<dyn Prepare>), &nothing).ok()?;
    let trees = [versions.good.base.tree(), versions.bad.base.tree()];
    let unread = unread_files(&reads, &nothing, &seen);
    why_it_says_nothing(test, &seen, unread.as_ref(), trees)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_folder_is_named_by_a_whole_path() {
        for word in ["t", "t/a.sh", "./t/a.sh", "cd t && make", "cd 't' && make", "--root=t"] {
            assert!(names(word, "t"), "{word}");
        }
        for word in ["test", "a.t", "/usr/t/a.sh", "st/a.sh", "t.sh"] {
            assert!(!names(word, "t"), "{word}");
        }
        assert!(names("cd 'my lib' && test -e code.txt", "my lib"));
    }
}
