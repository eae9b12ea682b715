//! The fix for the newest revision: the reversal of the cause, adapted to newer revisions.

use super::adapted_fix::{Obstacle, RevisionFix, adapt, fewest_that_pass};
use super::backport_patch::{hunk_changes, line_changes};
use super::cause_lines::CauseLines;
use super::explanation::Explanation;
use super::moved_fix::place_by_text;
use super::stages::HistoryStages;
use super::walk_space::WalkSpace;
use super::walk_state::WalkState;
use super::whole_hunks::{HunkReversal, whole_hunks};
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::ChangeSpace;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, TreeStages};
use crate::patches::patch_text::patch_of_good;
use crate::search::cause_part::undoing;
use howcome_dd::{Outcome, VersionOutcome, WalkBack, WalkRoute};
use howcome_run::{Halt, StageName, Stop};
use std::sync::Arc;

/// The fix for the newest revision, or why there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct ForwardFix {
    /// The patch that makes the newest revision pass.
    pub(super) patch: Option<Box<[u8]>>,
    /// Why there is no such patch.
    pub(super) why: Option<String>,
    /// The revision at which the search ended.
    pub(super) at: Option<usize>,
    /// The revisions at which more had to be changed.
    pub(super) steps: Vec<AdaptedFix>,
    /// How many lines of the commit are undone besides those of the cause.
    pub(super) other_lines: u32,
    /// Whether the lines of the cause were found elsewhere in the newest revision.
    pub(super) is_by_text: bool,
    /// Whether the newest revision passes with changes that have nothing to do with the cause, and no other fix was found.
    pub(super) is_of_other_cause: bool,
    /// Whether the revision at which the search ended passes as it is: it does not have the cause any more.
    pub(super) passes_as_it_is: bool,
    /// Why the run was stopped, if it was.
    pub(super) stopped: Option<Stop>,
}

/// A revision to which the fix was adapted.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdaptedFix {
    pub(super) revision: usize,
    pub(super) hunks: usize,
}

impl ForwardFix {
    /// A later revision that passes as it is.
    pub(super) fn later_pass(&self) -> Option<usize> {
        self.at.filter(|_| self.passes_as_it_is)
    }

    /// No fix was found, and the search ended at a revision.
    fn ended_at(at: usize, steps: Vec<AdaptedFix>) -> Self {
        Self { at: Some(at), steps, ..Self::default() }
    }

    fn because(self, why: impl Into<String>) -> Self {
        Self { why: Some(why.into()), ..self }
    }
}

/// The most revisions that a fix is adapted to.
const MOST_STEPS: usize = 64;

/// The search ends after this many tests: the cause is known without it.
const MOST_TESTS: u32 = 30;

/// Carries the reversal of a cause forward to the newest revision. If the run is stopped, the result says so.
///
/// # Errors
/// If something is wrong.
pub(super) fn fix_newest(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    explanation: &Explanation,
) -> Result<ForwardFix, Halt> {
    let most = (!stages.plan.is_thorough).then_some(MOST_TESTS);
    let (carried, is_cut) = stages.within(most, |stages| carry_reversal(stages, state, explanation));
    match carried {
        Ok(fix) => Ok(fix),
        Err(Halt::Stopped { best, .. }) if is_cut => Ok(best.because(format!(
            "it was looked for with {MOST_TESTS} tests; `howcome resume --thorough` goes on"
        ))),
        Err(Halt::Stopped { why, best }) => {
            Ok(ForwardFix { stopped: Some(why), ..best.because("the run was stopped first") })
        }
        Err(halt) => Err(halt.keeping(())),
    }
}

fn carry_reversal(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    explanation: &Explanation,
) -> Result<ForwardFix, Halt<ForwardFix>> {
    let Some(cause) = explanation.cause() else {
        return Ok(ForwardFix::default().because("the cause was not found"));
    };
    let passes = cause.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)) == Some(true);
    let (failing, versions) = (explanation.failing, &explanation.versions);
    for HunkReversal { patch, other_lines } in whole_hunks(&versions.good, &versions.bad, &cause.parts)? {
        let Ok(candidate) = patch.apply_to(&versions.bad) else { continue };
        let what = format!("{} without the whole hunks of the cause", stages.name(failing));
        let outcome = stages.try_version(&what, candidate, failing);
        if outcome.map_err(|halt| halt.keeping(ForwardFix::default()))? == Outcome::Pass {
            let fix = carry_forward(stages, state, explanation, patch, Vec::new())?;
            return Ok(ForwardFix { other_lines: other_lines as u32, ..fix });
        }
    }
    if passes {
        let reversal = PatchSeries(undoing(&cause.parts).collect());
        return carry_forward(stages, state, explanation, reversal, Vec::new());
    }
    // Other code has come to rely on the cause, so its reversal alone does not make the failing revision pass.
    let pair = stages.pair((versions.bad.clone(), failing), (versions.good.clone(), failing));
    let found = fewest_that_pass(stages, &pair, (stages.steps_forward, failing))
        .map_err(|halt| halt.keeping(ForwardFix::default()))?;
    match found {
        Some(RevisionFix { patch, hunks }) => {
            carry_forward(stages, state, explanation, patch, vec![AdaptedFix { revision: failing, hunks }])
        }
        None => {
            let why = format!("{} does not pass without the cause", stages.name(failing));
            Ok(ForwardFix::ended_at(failing, Vec::new()).because(why))
        }
    }
}

/// Carries a fix of the failing revision forward, and adapts it to each revision at which it is not enough.
fn carry_forward(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &WalkState,
    explanation: &Explanation,
    mut fix: PatchSeries,
    mut steps: Vec<AdaptedFix>,
) -> Result<ForwardFix, Halt<ForwardFix>> {
    let mut at = explanation.failing;
    loop {
        let number = steps.len() + 1;
        let stage = StageName::Forward(stages.steps_forward + number as u32);
        stages.runner.milestone(&format!("carrying the fix forward from {}", stages.position(at)));
        let space = Arc::new(WalkSpace {
            line: Arc::clone(&stages.revisions.line),
            optional: explanation.applied.clone(),
            needed_before: match state.backports.first() {
                _ if state.keeps_patch => stages.newest(),
                Some(newest) => newest.newer,
                None => 0,
            },
            patch: fix.clone(),
        });
        let route = WalkRoute { count: stages.count() as u32, from: at as u32, is_forward: true };
        // Where the fix does not apply, there is nothing to test.
        let last_fit = last_that_fits(stages, &space, at);
        let search = WalkBack::new(route, Outcome::Pass, true).trusting_the_far_end();
        let search = search.skipping(state.outcomes.skipped_numbers()).up_to(last_fit as u32);
        let varied: Arc<dyn Space> = Arc::clone(&space) as _;
        let walked = match stages.walk(stage.clone(), &varied, search) {
            Ok(walked) => walked,
            Err(halt) => return Err(halt.keeping(ForwardFix::ended_at(at, steps))),
        };
        let passes_as_it_is = |revision: &u32| {
            let unpatched = route.unpatched(*revision);
            let seen = stages.runner.seen(&stage, &unpatched);
            seen.is_some_and(|seen| seen.outcome == Outcome::Pass)
        };
        let newer = walked.versions.keys().filter(|revision| **revision as usize > explanation.failing);
        if let Some(later) = newer.copied().filter(passes_as_it_is).max() {
            stages.steps_forward += number as u32 + 1;
            let fix = ForwardFix::ended_at(later as usize, steps).because("it passes as it is");
            return Ok(ForwardFix { passes_as_it_is: true, ..fix });
        }
        let reached = walked.last_same as usize;
        let first_changed = walked.first_changed.map(|(next, outcome)| (next as usize, outcome));
        let beyond_fit = || {
            let is_testable =
                |next: &usize| !state.outcomes.is_skipped(*next) && stages.revisions.line.base(*next).is_ok();
            let next = (last_fit + 1..=stages.newest()).find(is_testable).filter(|_| reached == last_fit)?;
            Some((next, VersionOutcome::Different))
        };
        let Some((next, outcome)) = first_changed.or_else(beyond_fit) else {
            let newest = stages.newest();
            if reached != newest {
                return Ok(ForwardFix::ended_at(reached, steps).because("newer revisions cannot be tested"));
            }
            let fixed = space.patched(newest).map_err(|because| stages.no_version(&because))?;
            return fix_at_newest(stages, &fixed, steps, explanation);
        };
        if number > MOST_STEPS {
            let why = format!("the fix was adapted to {MOST_STEPS} revisions and is still not enough");
            return Ok(ForwardFix::ended_at(next, steps).because(why));
        }
        if let Some(placed) = try_by_text(stages, &space, reached)? {
            let hunks = hunk_changes(&stages.version(stages.newest())?, &placed)?.len() as usize;
            steps.push(AdaptedFix { revision: stages.newest(), hunks });
            let fix = fix_at_newest(stages, &placed, steps, explanation)?;
            return Ok(ForwardFix { is_by_text: true, ..fix });
        }
        let obstacle = Obstacle { reached, next, number: stages.steps_forward + number as u32 };
        match adapt(stages, &space, &obstacle) {
            Ok(Some(RevisionFix { patch, hunks })) => {
                steps.push(AdaptedFix { revision: next, hunks });
                (fix, at) = (patch, next);
            }
            Ok(None) => {
                let why = format!(
                    "at {} {}, and no change smaller than all of {} fixes it",
                    stages.name(next),
                    how_it_ends(outcome),
                    stages.name(reached)
                );
                return Ok(ForwardFix::ended_at(next, steps).because(why));
            }
            Err(halt) => return Err(halt.keeping(ForwardFix::ended_at(next, steps))),
        }
    }
}

/// The newest revision, or the last one before it to which a fix applies.
fn last_that_fits(stages: &HistoryStages<'_, impl TreeStages>, space: &WalkSpace, at: usize) -> usize {
    let fits = |index: usize| space.patched(index).is_ok();
    let (mut fitting, mut other) = (at, stages.newest());
    if fits(other) {
        return other;
    }
    while other - fitting > 1 {
        let middle = fitting + (other - fitting) / 2;
        *(if fits(middle) { &mut fitting } else { &mut other }) = middle;
    }
    fitting
}

/// The newest revision with the fix of another one where the same lines are now, if it passes with it.
fn try_by_text(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    space: &WalkSpace,
    reached: usize,
) -> Result<Option<Candidate>, Halt<ForwardFix>> {
    let newest = stages.newest();
    let fixed = space.patched(reached).map_err(|because| stages.no_version(&because))?;
    let unfixed = space.with_optional_patch(reached, stages.version(reached)?);
    let Some(placed) = place_by_text(&unfixed, &fixed, &stages.version(newest)?)? else { return Ok(None) };
    let what = format!("{} with the fix where the same lines are now", stages.name(newest));
    let outcome = stages.try_version(&what, placed.clone(), newest);
    let outcome = outcome.map_err(|halt| halt.keeping(ForwardFix::default()))?;
    Ok((outcome == Outcome::Pass).then_some(placed))
}

/// The fix as a patch for the newest revision, which passes with it.
fn fix_at_newest(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    fixed: &Candidate,
    steps: Vec<AdaptedFix>,
    explanation: &Explanation,
) -> Result<ForwardFix, Halt<ForwardFix>> {
    let unfixed = stages.version(stages.newest())?;
    let fix = hunk_changes(&unfixed, fixed)?;
    let is_other = !steps.is_empty()
        && is_of_other_cause(stages, &CauseLines::of(explanation), (&unfixed, fixed), steps.len())
            .map_err(|halt| halt.keeping(ForwardFix::default()))?;
    if is_other {
        let why = "the changes with which it passes have nothing in common with the cause";
        let fix = ForwardFix::ended_at(stages.newest(), steps).because(why);
        return Ok(ForwardFix { is_of_other_cause: true, ..fix });
    }
    if let Some(backport) = &explanation.patch
        && backport.is_brought_by(&unfixed, fixed)?
    {
        let why = "it would need lines of the back-ported patch, so it would not be a fix of the cause";
        return Ok(ForwardFix::ended_at(stages.newest(), steps).because(why));
    }
    Ok(ForwardFix { patch: Some(patch_of_good(&fix, &fix.all()).into()), steps, ..ForwardFix::default() })
}

/// Whether the newest revision passes with an adapted fix for another reason: nothing of the fix undoes the cause, or it passes without that.
fn is_of_other_cause(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    cause: &CauseLines,
    (unfixed, fixed): (&Candidate, &Candidate),
    steps: usize,
) -> Result<bool, Halt> {
    let lines = line_changes(unfixed, fixed)?;
    let undoing = cause.undone_by(&lines);
    // Lines that were written anew once still do what they did. After several steps, another change can be in them.
    if steps > 1 && !cause.shares_words_with(&lines) {
        return Ok(true);
    }
    let others = lines.all().without(&undoing);
    if undoing.is_empty() || others.is_empty() {
        return Ok(undoing.is_empty());
    }
    let newest = stages.newest();
    let what = format!("{} with the fix, but not what undoes the cause", stages.name(newest));
    let candidate = ChangeSpace::on(unfixed, &lines).version(&others);
    Ok(stages.try_version(&what, candidate, newest)? == Outcome::Pass)
}

/// How a revision ends at which a fix is not enough.
fn how_it_ends(outcome: VersionOutcome) -> &'static str {
    match outcome {
        VersionOutcome::Opposite => "the test fails despite the fix",
        _ => "the fix does not apply, or the test fails differently",
    }
}
