//! From the baseline to the answer.

use super::doubts::Doubts;
use super::finding::{AnswerFile, HistoryFindingBuilder};
use super::procedure::{SearchEnd, search_history};
use super::request::HistoryRequest;
use super::revisions::HistoryRevisions;
use super::silent_test::Silence;
use super::walk_space::WalkSpace;
use crate::candidates::asked_compilers::{AskedCompilers, AskedFor};
use crate::candidates::original_tree::{unread_files, why_it_says_nothing};
use crate::candidates::space::Space;
use crate::candidates::tree_test::{Reads, TreeTest};
use crate::candidates::version_warnings::VersionWarnings;
use crate::question::baseline_evidence::keep_failing_output;
use crate::question::refused::hint_about_subfolder;
use crate::search::plan::SearchPlan;
use crate::test_code::built_test::BuiltTest;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{
    BaselineTerms, LiveStages, Response, Session, SideNames, confidence, prepare_failing,
};
use howcome_lab::{Execution, Lab, Prepare};
use howcome_run::words::{count, seconds};
use howcome_run::{
    Algorithm, Algorithms, Because, Ending, Entry, FileReplacement, Halt, Problem, StageLabel, StageName,
    StageRunner, Unit, plain_error,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// About how many tests it takes to find a patch, to make it smaller, and to find the lines of the cause.
const SEARCHES: f64 = 24.0;

/// What searches.
#[must_use]
pub fn algorithms() -> Algorithms {
    Algorithms(vec![Algorithm::Walk, Algorithm::Narrow])
}

/// Finds the change that made a test fail, although no older revision passes as it is, or none is known to. `make_flags` is what
/// MAKEFLAGS is in the environment of the user.
///
/// # Errors
/// If there is nothing to explain, the user wants to stop before anything is known, or something is wrong.
pub fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &HistoryRequest,
    revisions: &HistoryRevisions,
    make_flags: Option<&OsStr>,
    dry_run: bool,
) -> Result<Response, Halt> {
    let mut recipe = request.recipe(make_flags);
    let bad = &revisions.bad;
    let _asked = AskedCompilers::ask(AskedFor::Warnings, session.dir(), bad, &mut recipe);
    let recipe = Arc::new(recipe);
    let space = unpatched_revisions(revisions);
    let reads = Reads::default();
    let subject: Arc<dyn Prepare> =
        Arc::new(TreeTest { reads: Some(Arc::clone(&reads)), ..TreeTest::new(&space, &recipe) });
    let stage = baseline_stage();
    session.driver.begin(&stage.over(&*subject))?;
    let mut judging = request.failure.terms()?;
    (judging.program_varies, judging.zero_is_pass) = (true, true);
    judging.same = request.alike.parse()?;
    judging.sides.bad = format!("the bad revision ({})", request.bad_name());
    lab.set_same(&judging.same);
    let terms = BaselineTerms {
        judging,
        two_sided: false,
        sides: SideNames::Revision,
        command: request.test.words(),
        held: request.held.as_ref().map(|held| held.paths().to_vec()).unwrap_or_default(),
        left_out: request.left_out(&revisions.bad),
        if_alike: None,
        in_copy: false,
        if_refused: None,
        is_tentative: false,
        search_learns_rates: false,
    };
    let newest = revisions.line.len().saturating_sub(1);
    let bad = Configuration::empty().with_delta(DeltaId(newest as u32));
    let failing = prepare_failing(session, lab, &stage.name, (&subject, &bad), &request.failure, &terms)
        .map_err(|halt| explain_refusal(halt, request))?;
    let unread = unread_files(&reads, &bad, &failing.execution);
    let why_nothing = why_nothing_is_known(request, revisions, &failing.execution, unread.as_ref());
    let changed_test = changed_test(request, &unread.unwrap_or_default());
    if dry_run {
        return Ok(Response::DryRun(estimate(revisions, failing.seconds)));
    }
    let best_patch = session.dir().map(|dir| dir.join("best").join("changes.patch"));
    let failing_output = keep_failing_output(session, failing.printed);
    let plan = SearchPlan { best_patch, failing_output, ..request.plan() };
    let of_bad = subject.content(&bad).map(|content| (content, &failing.execution));
    let warnings = VersionWarnings::of(of_bad).map(Arc::new);
    let held = request.held.as_ref().map(|held| held.paths().to_vec()).unwrap_or_default();
    let built_test = Arc::new(BuiltTest::of(&request.test, request.build.as_deref(), held));
    let prepare = move |space: &Arc<dyn Space>| {
        let test = TreeTest::new(space, &recipe).with_warnings(warnings.as_ref());
        Arc::new(test.with_built_test(&built_test)) as Arc<dyn Prepare>
    };
    let run = session.dir().map(Path::to_owned);
    let builder = HistoryFindingBuilder {
        revisions,
        bad: &request.bad_name(),
        bad_ends: &failing.ends,
        printed: &plan.failing_output,
        repository: request.repository(),
        here: &request.test.directory,
        run: run.as_deref(),
    };
    let mut live = LiveStages {
        rates: None,
        session: &mut *session,
        lab,
        judge: failing.judge,
        repeat: failing.repeat,
        prepare: Arc::new(prepare),
    };
    let repeat = live.repeat;
    let mut search =
        search_history(revisions, &plan, &mut live, &mut |part| write_known(builder.files_of(part)))?;
    if let SearchEnd::Explained { explanation, forward } = &mut search.end
        && forward.stopped.is_none()
        && !request.failure.flaky
    {
        explanation.test_again(&mut live);
    }
    live.session.driver.end_later(live.lab)?;
    let other_error = match request.failure.is_described() {
        true => None,
        false => search.other_error(&plan.failing_output, |seen| live.printed(seen)),
    };
    let is_described = request.failure.is_described() || request.failure.names_the_failure();
    let silence = Silence::of(&plan.failing_output, &failing.ends, failing.is_by_ending);
    let silence = silence.filter(|_| !is_described);
    let other_reason =
        search.other_reason(&builder, &plan, |seen| live.printed(seen), failing.is_by_ending, silence)?;
    search.add_recorded(&session.entries());
    let is_made_of_parts = search.state.keeps_patch;
    let tells_nothing_apart = search.state.missing_name.is_some();
    let oldest = search.state.outcomes.failure_of(search.state.front).filter(|_| request.failure.flaky);
    let oldest_runs = oldest.map(|seen| seen.tally);
    let is_unknown = plan.holds_tests && search.state.cannot_run_older();
    let (concluded, files) = builder.conclude(search)?;
    let doubts = Doubts {
        says_nothing: why_nothing,
        changed_test,
        other_error,
        other_reason,
        has_timed_out: session.entries().iter().any(has_timed_out),
        has_unknown_older: is_unknown,
        is_asked_for_changes: request.asked_as.is_some(),
        is_made_of_parts,
        tells_nothing_apart,
        silence,
        is_flaky: request.failure.flaky,
        oldest_runs,
    };
    let mut concluded = doubts.weigh(concluded);
    let is_answered = matches!(concluded.ending, Ending::Found | Ending::NeverWorked);
    if let Some(conclusion) = concluded.conclusion.as_mut().filter(|_| is_answered) {
        conclusion.confidence = confidence(session, &repeat);
    }
    write_files(session, files)?;
    Ok(concluded.into())
}

fn has_timed_out(entry: &Entry) -> bool {
    matches!(entry, Entry::Observed { observation, .. } if observation.because == Because::TimedOut && observation.alone)
}

/// Where the objects of a revision can come from.
const MISSING_OBJECT: &str =
    "a partial clone gets what it lacks with git fetch --refetch --no-filter; otherwise see git fsck";

/// Adds to a refusal that the test perhaps runs in the wrong folder, or where missing objects come from.
fn explain_refusal(halt: Halt, request: &HistoryRequest) -> Halt {
    match (halt, in_subfolder(request)) {
        (Halt::Failed(problem), _) if problem.to_string().contains("is not in the repository") => {
            Halt::Failed(problem.first_hint(MISSING_OBJECT))
        }
        (Halt::Refused { problem, why }, _) if problem.to_string().contains("is not in the repository") => {
            Halt::Refused { problem: problem.first_hint(MISSING_OBJECT), why }
        }
        (Halt::Refused { problem, why }, Some(hint)) => {
            Halt::Refused { problem: problem.first_hint(&hint), why }
        }
        (halt, _) => halt,
    }
}

fn in_subfolder(request: &HistoryRequest) -> Option<String> {
    request.repository().and_then(|top| hint_about_subfolder(&request.test, top))
}

/// Why a test that fails in every revision says nothing about them: it does not read them, or it cannot be run.
fn why_nothing_is_known(
    request: &HistoryRequest,
    revisions: &HistoryRevisions,
    failing: &Execution,
    unread: Option<&BTreeSet<TreePath>>,
) -> Option<String> {
    let newest = revisions.line.base(revisions.line.len().saturating_sub(1)).ok()?;
    let oldest = revisions.oldest_commit()?;
    let why = why_it_says_nothing(&request.test, failing, unread, [&oldest, newest.tree()])?;
    Some(in_subfolder(request).unwrap_or(why))
}

/// A file of the test that older revisions have in another form, if the test reads it.
fn changed_test(request: &HistoryRequest, unread: &BTreeSet<TreePath>) -> Option<String> {
    let held = request.held_tests();
    let is_unread = |path: &String| TreePath::new(path.as_bytes()).is_ok_and(|path| unread.contains(&path));
    held.changed.into_iter().chain(held.also_changed).find(|path| !is_unread(path))
}

/// Writes files of the answer before its end. They are written again at the end, which warns of those that cannot be written.
fn write_known(files: Vec<AnswerFile>) {
    for AnswerFile { path, bytes } in files {
        let _ = FileReplacement::at_users_path(&path).write_bytes(&bytes);
    }
}

/// Writes the files of the answer. A file that cannot be written is a warning.
fn write_files(session: &mut Session, files: Vec<AnswerFile>) -> Result<(), Problem> {
    for AnswerFile { path, bytes } in files {
        if let Err(error) = FileReplacement::at_users_path(&path).write_bytes(&bytes) {
            session.warn(&format!("{} could not be written: {}", path.display(), plain_error(&error)))?;
        }
    }
    Ok(())
}

/// The stage in which the bad revision is tested as it is.
pub(super) fn baseline_stage() -> StageLabel {
    StageLabel { name: StageName::BadRevision, search: Algorithm::Baseline, unit: Unit::Revision }
}

/// The revisions as they are.
pub(super) fn unpatched_revisions(revisions: &HistoryRevisions) -> Arc<dyn Space> {
    Arc::new(WalkSpace::unpatched(&revisions.line))
}

fn estimate(revisions: &HistoryRevisions, each: f64) -> String {
    let revisions = revisions.line.len() as u64;
    let halvings = (revisions as f64).log2().ceil();
    // Back, forward, and to the cause.
    let tests = 3.0 * halvings + SEARCHES;
    format!(
        "howcome would walk through {}.\n\
         If one patch is needed and one change is the cause: about {}, about {} one at a time, not counting checkouts.\n",
        count(revisions, "revision"),
        count(tests as u64, "test"),
        seconds(tests * each)
    )
}
