//! The baseline, with as much held as the good version passes with.
//!
//! The good version is tested with the test of the bad version. If it does not pass with that, but passes with its own test, the
//! failure comes together with something that the new test needs. Then nothing is held.

use super::both_versions::{baseline_stage, both_versions};
use super::held_parts::HeldParts;
use super::history_hint::history_command;
use super::nearer_good::GoodVersionSearch;
use super::request::ChangesRequest;
use crate::candidates::tree_test::{Reads, Recipe, TreeTest};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::generated::is_source_of_generated;
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::VersionOrigin;
use howcome_lab::inquiry::{BaselineResult, BaselineTerms, KEPT_SIDES, Session, prepare};
use howcome_lab::{Execution, JudgingTerms, Lab, Prepare};
use howcome_run::words::count;
use howcome_run::{Halt, Problem, ProblemKind};
use std::cell::{Cell, RefCell};
use std::fs;
use std::sync::Arc;

/// The baseline, and the versions that it was made of.
pub(super) struct HeldBaseline {
    pub(super) ready: BaselineResult,
    /// The versions, if they are not those that were given.
    pub(super) versions: Option<ComparedVersions>,
    pub(super) reads: Reads,
    /// What is held.
    pub(super) parts: HeldParts,
}

/// Runs the baseline with everything held. If the good version does not pass, less is held.
///
/// # Errors
/// If there is nothing to explain either way, the user wants to stop, or something is wrong.
pub(super) fn prepare_held(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &ChangesRequest,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
    terms: &BaselineTerms,
) -> Result<HeldBaseline, Halt> {
    let stage = baseline_stage();
    session.driver.begin(&stage.over(&*subject_of(request, versions, recipe, &Reads::default())))?;
    let run = |session: &mut Session,
               lab: &mut dyn Lab,
               versions: &ComparedVersions,
               parts: &HeldParts,
               is_tentative| {
        // Whatever was run before this has been judged.
        lab.release_workspaces();
        let reads = Reads::default();
        let subject = subject_of(request, versions, recipe, &reads);
        let judging = JudgingTerms { sides: request.side_words(parts), ..terms.judging.clone() };
        let terms = BaselineTerms { is_tentative, held: request.held_paths(parts), judging, ..terms.clone() };
        prepare(session, lab, &stage.name, &subject, &request.failure, &terms).map(|ready| (ready, reads))
    };
    let mut ways = ways_to_hold(request);
    let decided = session.dir().and_then(HeldParts::recall);
    let is_only_way = ways.len() < 2 && versions.between.is_none();
    // If the build makes generated files itself, no version needs them, and what they come from can be mixed.
    let mut regenerated = match decided.is_none() && request.build.is_some() && !request.finds_good {
        true => generated_files(versions),
        false => Vec::new(),
    };
    while !regenerated.is_empty() {
        let parts = HeldParts { regenerated: regenerated.clone(), ..HeldParts::ALL };
        let other = request.read_with(&parts)?;
        let made: Vec<String> = match run(session, lab, &other, &parts, true) {
            Ok((ready, reads)) => {
                regenerated.retain(|file| is_made(file, &ready.executions));
                if regenerated == parts.regenerated {
                    if let Some(dir) = session.dir() {
                        parts.keep(dir);
                    }
                    session.warn(&format!(
                        "the build makes {} itself, so howcome leaves {} out of every version",
                        shown(&parts.regenerated),
                        if parts.regenerated.len() == 1 { "it" } else { "them" }
                    ))?;
                    return Ok(HeldBaseline { ready, versions: Some(other), reads, parts });
                }
                // Neither does the build make the others, nor does it need them.
                regenerated
            }
            Err(halt) => {
                drop(refusal(halt)?);
                // A build can need its own scripts, and make the rest.
                regenerated.retain(|file| !is_of_autotools(file));
                if regenerated == parts.regenerated { Vec::new() } else { regenerated }
            }
        };
        regenerated = made;
    }
    if decided.is_some() || is_only_way {
        let parts = decided.unwrap_or(HeldParts::ALL);
        let (ready, reads) = run(session, lab, versions, &parts, false)?;
        return Ok(HeldBaseline { ready, versions: None, reads, parts });
    }
    let search = GoodVersionSearch {
        request,
        versions,
        recipe,
        terms,
        is_good_unresolved: Cell::new(false),
        failing_tests: RefCell::default(),
    };
    let mut refusals: Vec<(Problem, String)> = Vec::new();
    if request.finds_good {
        ways = search.run(session, lab)?.into_iter().collect();
        if ways.is_empty() {
            return Err(no_good_version(request));
        }
    }
    while !ways.is_empty() {
        let parts = ways.remove(0);
        let other = if parts == HeldParts::ALL { None } else { Some(request.read_with(&parts)?) };
        match run(session, lab, other.as_ref().unwrap_or(versions), &parts, true) {
            Ok((ready, reads)) => {
                if let Some(dir) = session.dir() {
                    parts.keep(dir);
                    // The folders of what was refused before.
                    let _ = fs::remove_dir_all(dir.join(KEPT_SIDES));
                }
                let why = refusals.first().map(|(_, why)| why.as_str());
                let why = why.or(request.finds_good.then_some(""));
                if let Some(why) = why.filter(|_| session.is_new()) {
                    session.warn(&explain_decision(request, &parts, why))?;
                }
                return Ok(HeldBaseline { ready, versions: other, reads, parts });
            }
            Err(halt) => {
                let (problem, why) = refusal(halt)?;
                // If the bad version passes, no other good version helps.
                if problem.kind() == ProblemKind::BothPass {
                    return Err(Halt::Refused { problem, why });
                }
                refusals.push((problem, why));
                if parts == HeldParts::ALL {
                    let found = search.run(session, lab)?;
                    ways.splice(0..0, found.or_else(|| search.without_other_tests()));
                }
            }
        }
    }
    let kind = match search.is_good_unresolved.get() {
        true => ProblemKind::CannotRunTest,
        false => ProblemKind::NothingToExplain,
    };
    if refusals.len() > 1 {
        return Err(refuse(request, refusals, kind));
    }
    // Nothing of a tentative baseline is recorded.
    let (ready, reads) = run(session, lab, versions, &HeldParts::ALL, false).map_err(|halt| match halt {
        Halt::Refused { problem, why } => Halt::Refused { problem: problem.of_kind(kind), why },
        other => other,
    })?;
    Ok(HeldBaseline { ready, versions: None, reads, parts: HeldParts::ALL })
}

/// Whether both versions have made such a file.
fn is_made(file: &str, executions: &[Execution; 2]) -> bool {
    executions.iter().all(|seen| seen.workspace.join(file).is_file())
}

/// Whether a file is made before a build begins, by autoconf and automake.
fn is_of_autotools(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name == "configure" || name == "aclocal.m4" || name.ends_with(".in")
}

/// The generated files that differ between the versions, and so do the files that they come from.
fn generated_files(versions: &ComparedVersions) -> Vec<String> {
    if !versions.bad.base.tree().iter().any(|(path, _)| is_source_of_generated(path)) {
        return Vec::new();
    }
    let changes = ChangeSet::between(&versions.good.tree(), &versions.bad.tree());
    changes.map_or_else(
        |_| Vec::new(),
        |changes| changes.generated_files().into_iter().map(ToString::to_string).collect(),
    )
}

/// Explains that no version that passes was found.
fn no_good_version(request: &ChangesRequest) -> Halt {
    let why = "no older version was found that passes".to_owned();
    let hint = history_command(request).map_or("name one with --good".to_owned(), |command| {
        format!("name one with --good, or ask `howcome history`: {command}")
    });
    let problem = Problem::new(why.clone()).of_kind(ProblemKind::CannotRunTest).hint(hint);
    Halt::Refused { problem, why }
}

fn subject_of(
    request: &ChangesRequest,
    versions: &ComparedVersions,
    recipe: &Arc<Recipe>,
    reads: &Reads,
) -> Arc<dyn Prepare> {
    let space = both_versions(request, versions);
    Arc::new(TreeTest { reads: Some(Arc::clone(reads)), ..TreeTest::new(&space, recipe) })
}

/// What can be held, the most first.
fn ways_to_hold(request: &ChangesRequest) -> Vec<HeldParts> {
    let held = request.held_tests();
    let mut ways = vec![HeldParts::ALL];
    if held.changes_good {
        ways.push(HeldParts { tests: false, ..HeldParts::ALL });
    }
    if held.excluded {
        ways.push(HeldParts { tests: !held.changes_good, excluded: false, ..HeldParts::ALL });
    }
    ways
}

/// Why a baseline is refused, if it is.
fn refusal(halt: Halt) -> Result<(Problem, String), Halt> {
    match halt {
        Halt::Refused { problem, why } if problem.kind() != ProblemKind::LacksFolder => Ok((problem, why)),
        // One of the versions does not build.
        Halt::Failed(problem) if problem.kind() == ProblemKind::NothingToExplain => {
            let text = problem.to_string();
            let first = text.lines().next().unwrap_or_default();
            let why = first.strip_prefix("error: ").unwrap_or(first).to_owned();
            Ok((problem, why))
        }
        other => Err(other),
    }
}

fn explain_decision(request: &ChangesRequest, parts: &HeldParts, why: &str) -> String {
    if !parts.left_out.is_empty() {
        return format!(
            "with the tests of the bad version, {why}; without {}, which {} nothing to do with the failure, the good version runs the \
             test, so no version has {}",
            shown(&parts.left_out),
            if parts.left_out.len() == 1 { "has" } else { "have" },
            if parts.left_out.len() == 1 { "it" } else { "them" },
        );
    }
    if let Some(good) = &parts.good {
        let named = request.origins.good.first().map(VersionOrigin::name).unwrap_or_default();
        let good: String = good.chars().take(12).collect();
        return match request.finds_good {
            true => format!("no good version was given; {good} is the newest version that was found to pass"),
            false => {
                format!("{named} cannot be the good version: {why}; {good}, which passes, is used instead")
            }
        };
    }
    match parts.tests {
        true => format!(
            "with the files that --only and --except exclude as the bad version has them, {why}; so every version has its own"
        ),
        false => format!(
            "with the test of the bad version ({}), {why}; the good version passes with its own test, so the tests are varied too",
            shown(request.held_tests().paths())
        ),
    }
}

fn shown(paths: &[String]) -> String {
    match paths {
        [] => "its tests".to_owned(),
        [first] => first.clone(),
        [first, rest @ ..] => format!("{first} and {}", count(rest.len() as u64, "more file")),
    }
}

/// Explains that no way to hold the tests tells the good version from the bad one.
fn refuse(request: &ChangesRequest, mut refusals: Vec<(Problem, String)>, kind: ProblemKind) -> Halt {
    let (Some((as_it_is, why)), Some((_, held))) = (refusals.pop(), refusals.first()) else {
        return Halt::Failed(Problem::bug("a baseline was refused that was not run"));
    };
    if as_it_is.kind() == ProblemKind::BothPass {
        return Halt::Refused { problem: as_it_is, why };
    }
    let as_it_is = as_it_is.to_string();
    let as_it_is = as_it_is.strip_prefix("error: ").unwrap_or(&as_it_is);
    let (as_it_is, hint) = as_it_is.split_once("\nhint: ").unwrap_or((as_it_is, ""));
    let why = format!("with the test of the bad version ({}), {held}", shown(request.held_tests().paths()));
    let mut hints: Vec<String> = Some(hint.to_owned()).filter(|hint| !hint.is_empty()).into_iter().collect();
    hints.extend(
        history_command(request)
            .map(|command| format!("if older versions lack something that the test needs: {command}")),
    );
    let problem = Problem::new(format!("{why}\nwith its own test, {as_it_is}"))
        .of_kind(kind)
        .hint(hints.join("\nhint: "));
    Halt::Refused { problem, why }
}
