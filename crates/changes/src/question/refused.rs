//! What a refused baseline shows about the test itself: perhaps it cannot be run, or does not look at the versions.

use crate::candidates::original_tree::why_it_says_nothing;
use crate::candidates::space::Space;
use crate::candidates::tree_test::{Reads, Recipe, TreeTest};
use crate::candidates::version_space::VersionSpace;
use crate::versions::compared::ComparedVersions;
use howcome_dd::Configuration;
use howcome_lab::inquiry::TestCommand;
use howcome_lab::{Lab, Prepare};
use howcome_run::{Halt, ProblemKind};
use std::sync::Arc;

/// Runs the test of the bad version once more and adds what it shows to a refusal.
pub(super) fn explain_refusal(
    halt: Halt,
    lab: &mut dyn Lab,
    test: &TestCommand,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
) -> Halt {
    let Halt::Refused { problem, why } = halt else { return halt };
    let is_known = problem.kind() == ProblemKind::LacksFolder;
    let hint = if is_known { None } else { look_at_test(lab, test, versions, recipe) };
    let problem = match hint {
        // Older versions would end in the same way.
        Some(hint) => problem.of_kind(ProblemKind::NothingToExplain).first_hint(&hint),
        None => problem,
    };
    Halt::Refused { problem, why }
}

fn look_at_test(
    lab: &mut dyn Lab,
    test: &TestCommand,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
) -> Option<String> {
    let reads = Reads::default();
    let candidates = vec![(String::new(), versions.bad.clone(), versions.bad_commit.clone())];
    let space: Arc<dyn Space> = Arc::new(VersionSpace { candidates });
    let watched = TreeTest { reads: Some(Arc::clone(&reads)), ..TreeTest::new(&space, recipe) };
    let nothing = Configuration::empty();
    let seen = lab.look(&(Arc::new(watched) as Arc<dyn Prepare>), &nothing).ok()?;
    let trees = [versions.good.base.tree(), versions.bad.base.tree()];
    why_it_says_nothing(test, (&reads, &nothing), &seen, trees)
}
