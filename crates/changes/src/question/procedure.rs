//! From the baseline to the answer.

use super::baseline_evidence::learn_from_baseline;
use super::both_versions::both_versions;
use super::conclusion::{conclude, warn_about_proofs, write_patches};
use super::coverage_run::{measure_coverage, recall_coverage};
use super::coverage_source::CoverageSource;
use super::estimate::estimate;
use super::finding_builder::FindingBuilder;
use super::held_baseline::{HeldBaseline, prepare_held};
use super::preconditions::{hint_if_alike, hint_if_refused, warning_about_build};
use super::refused::explain_refusal;
use super::request::ChangesRequest;
use crate::candidates::asked_compilers::{AskedCompilers, AskedFor};
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::Space;
use crate::candidates::tree_test::TreeTest;
use crate::candidates::version_warnings::VersionWarnings;
use crate::search::again::test_again;
use crate::search::cause::{CauseSearch, CausesFound};
use crate::search::plan::{Clue, SearchWithin};
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::VersionOrigin;
use howcome_lab::inquiry::{BaselineTerms, LiveStages, Response, Session, SideNames, confidence};
use howcome_lab::{Lab, Prepare};
use howcome_run::{Because, Ending, Halt, Problem, ProblemKind};
use std::ffi::OsStr;
use std::sync::Arc;

/// The name of the patch in the folder of the run.
const PATCH: &str = "culprit.patch";

/// Finds the changes between two versions that make a test fail. `make_flags` is the value of MAKEFLAGS in the user's environment.
///
/// # Errors
/// If there is nothing to explain, the user wants to stop before anything is known, or something is wrong.
pub fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &ChangesRequest,
    versions: &ComparedVersions,
    make_flags: Option<&OsStr>,
    dry_run: bool,
) -> Result<Response, Halt> {
    let mut plan = request.plan()?;
    plan.best_patch = session.dir().map(|dir| dir.join("best").join("changes.patch"));
    let mut recipe = request.recipe(make_flags);
    let bad = versions.bad.base.tree();
    let run = session.dir().filter(|_| plan.uses(Clue::Warnings));
    let _asked = AskedCompilers::ask(AskedFor::Warnings, run, bad, &mut recipe);
    let recipe = Arc::new(recipe);
    let mut judging = request.failure.terms()?;
    (judging.program_varies, judging.zero_is_pass) = (true, !request.fix);
    if request.fix {
        // What is looked for is the version that passes.
        std::mem::swap(&mut judging.fails_when, &mut judging.passes_when);
    }
    let if_refused = hint_if_refused(&request.origins);
    let terms = BaselineTerms {
        judging,
        two_sided: true,
        sides: SideNames::Versions,
        command: request.test.words(),
        held: Vec::new(),
        left_out: request.left_out(versions),
        if_alike: hint_if_alike(&request.origins, request.finds_good || request.fix),
        in_copy: false,
        if_refused,
        is_tentative: false,
        search_learns_rates: plan.within == SearchWithin::Commit && versions.between.is_some(),
    };
    let baseline = prepare_held(session, lab, request, versions, &recipe, &terms)
        .map_err(|halt| explain_refusal(halt, lab, request, versions, &recipe))?;
    let HeldBaseline { ready, versions: other_versions, reads, parts } = baseline;
    let origins = request.origins_with(&parts);
    if !parts.tests {
        plan.varied_tests = Some(request.held_tests().rule()?);
    }
    let versions = other_versions.as_ref().unwrap_or(versions);
    if request.fix && ready.nothing_ends == Because::Exit(0) && request.failure.is_by_comparison() {
        return Err(nothing_was_fixed(request));
    }
    let is_doubtful = ready.is_by_ending && request.build.is_none() && session.is_new();
    if let Some(warning) = warning_about_build(&request.test).filter(|_| is_doubtful) {
        session.warn(&warning)?;
    }
    if !request.failure.flaky {
        learn_from_baseline(session, versions, &mut plan, &ready, &reads)?;
    }
    let known = session.dir().and_then(recall_coverage);
    let source = match known.is_some() || !session.is_new() && request.coverage.is_none() {
        true => None,
        false => CoverageSource::of(request, versions, &plan, &ready.executions[0]),
    };
    lab.release_workspaces();
    plan.executed = match source {
        Some(source) => measure_coverage(session, lab, source, &recipe, &both_versions(request, versions))?,
        None => known,
    };
    if dry_run {
        return Ok(Response::DryRun(estimate(versions, &plan, &ready)));
    }
    let patch_file = request.output.clone().or_else(|| session.dir().map(|dir| dir.join(PATCH)));
    let warnings = VersionWarnings::of([
        (versions.bad.content(), &ready.executions[0]),
        (versions.good.content(), &ready.executions[1]),
    ])
    .map(Arc::new);
    let prepare = move |space: &Arc<dyn Space>| {
        Arc::new(TreeTest::new(space, &recipe).with_warnings(warnings.as_ref())) as Arc<dyn Prepare>
    };
    let mut stages = LiveStages {
        session: &mut *session,
        lab,
        judge: ready.judge,
        repeat: ready.repeat,
        rates: ready.rates,
        prepare: Arc::new(prepare),
    };
    let causes = CauseSearch { versions, plan: &plan, applied: PatchSeries::default() };
    let ended = causes.run(&mut stages).and_then(|found| match request.failure.flaky {
        true => Ok(found),
        false => test_again(&mut stages, versions, found),
    });
    stages.session.driver.end_later(stages.lab)?;
    let (repeat, certainty) = (stages.repeat, stages.rates.map_or(1.0, |rates| rates.certainty));
    if let Ok(CausesFound::Causes(causes)) = &ended {
        warn_about_proofs(session, causes)?;
    }
    let builder = FindingBuilder {
        versions,
        origins: &origins,
        here: &request.test.directory,
        fix: request.fix,
        is_test_varied: plan.varied_tests.is_some(),
        printed: plan.printed_when_failing(),
        patch_file: patch_file.as_deref(),
    };
    let (mut concluded, mut written) = conclude(&builder, ended)?;
    if let Some(written) = &mut written {
        written.finding.ended_stages = std::mem::take(&mut session.ended_stages);
        if let Some(conclusion) = &mut concluded.conclusion {
            conclusion.finding = written.recorded();
        }
    }
    if builder.is_test_varied && concluded.ending == Ending::Undecided && versions.between.is_some() {
        let why = concluded.why.unwrap_or_default();
        let problem = Problem::new(why.clone()).of_kind(ProblemKind::CannotRunTest);
        return Err(Halt::Refused { problem, why });
    }
    if let (Some(conclusion), Some(written)) = (&mut concluded.conclusion, &written) {
        // Of an answer that was not found yet, nothing is known.
        let is_found = concluded.ending == Ending::Found;
        conclusion.confidence =
            confidence(session, &repeat).filter(|_| is_found).map(|of_questions| of_questions * certainty);
        write_patches(session, patch_file.as_deref(), &written.patches)?;
    }
    Ok(concluded.into())
}

fn nothing_was_fixed(request: &ChangesRequest) -> Halt {
    let old = request.origins.good.first().map(VersionOrigin::name).unwrap_or_default();
    let why = format!("the older version, {old}, passes and the newer version fails, so nothing was fixed");
    let problem = Problem::new(why.clone())
        .of_kind(ProblemKind::NothingToExplain)
        .hint("leave --fix out to find what broke it");
    Halt::Refused { problem, why }
}
