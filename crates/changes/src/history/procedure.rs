//! The whole search through history: walk back, explain, carry the fix forward.

use super::backport_patch::PatchFit;
use super::cause_lines::CauseLines;
use super::explanation::{Explanation, explain};
use super::forward::{ForwardFix, fix_newest};
use super::known_part::{AnswerPart, KnownPart, OnKnownPart};
use super::later_pass::{look_for_later_pass, note_undone_cause, walk_on_from};
use super::one_sided_lines::{is_of_patch, leave_out_one_sided_lines};
use super::revisions::HistoryRevisions;
use super::stages::{Exactness, HistoryStages};
use super::walk::walk_until_pass;
use super::walk_state::{PassingRevision, WalkEnd, WalkState};
use crate::candidates::space::TreeStages;
use crate::search::plan::SearchPlan;
use howcome_run::{Entry, Halt, Stop};

/// What a search through history has found. [`HistoryFindingBuilder`](super::HistoryFindingBuilder) makes the finding of it.
pub struct HistorySearch {
    /// How far the walk back came.
    pub(super) state: WalkState,
    pub(super) end: SearchEnd,
}

/// How a search through history ends.
pub(super) enum SearchEnd {
    /// A revision passes, and the difference is explained.
    Explained { explanation: Box<Explanation>, forward: ForwardFix },
    /// The oldest revision fails in the same way. With a patch, how many of its lines fit there.
    NeverWorked { fit: Option<PatchFit> },
    /// Older revisions cannot be tested.
    Unreachable,
    /// The search for patches ended after this many tests.
    TooManyTests(u64),
    /// The run was stopped before a revision was explained.
    Stopped(Stop),
}

impl HistorySearch {
    /// Adds what the journal says of the walk that was stopped, if one was.
    pub fn add_recorded(&mut self, entries: &[Entry]) {
        if matches!(self.end, SearchEnd::Stopped(_)) {
            self.state.outcomes.add_recorded(entries);
        }
    }
}

/// Walks back until a revision passes, explains the difference, and carries the fix forward. `on_known` is told the parts of the answer
/// that are known before the end.
///
/// # Errors
/// If something is wrong. If the run is stopped, the result says so.
pub fn search_history(
    revisions: &HistoryRevisions,
    plan: &SearchPlan,
    runner: &mut impl TreeStages,
    on_known: OnKnownPart<'_>,
) -> Result<HistorySearch, Halt> {
    let mut stages = HistoryStages::new(revisions, plan, runner);
    let mut state = WalkState::new(stages.newest());
    let end = match follow(&mut stages, &mut state, on_known) {
        Ok(end) => end,
        Err(Halt::Stopped { why, .. }) => SearchEnd::Stopped(why),
        Err(halt) => return Err(halt),
    };
    Ok(HistorySearch { state, end })
}

/// If a walk with the same output took this many tests and led nowhere, there is no other.
const MOST_TESTS_WITH_SAME_OUTPUT: u64 = 30;

/// If later revisions pass as they are, the search goes on after them at most so often.
const MOST_LATER_PASSES: u32 = 3;

/// Walks back anew, and only failures count that print the same as the newest revision. If that leads nowhere, all count again.
fn follow_exactly(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    on_known: OnKnownPart<'_>,
) -> Result<SearchEnd, Halt> {
    stages
        .runner
        .milestone("older revisions fail with another output: walking back with the same output only");
    stages.begin_again(Exactness::SameOutput);
    let newest = stages.newest();
    let mut tried = WalkState::new(newest);
    let walked = walk_until_pass(stages, &mut tried);
    let leads_nowhere = match walked {
        Ok(WalkEnd::Unreachable | WalkEnd::TooManyTests) => true,
        Ok(WalkEnd::NeverWorked { fit }) => {
            !tried.backports.is_empty() && (!tried.has_whole_patch(fit) || tried.has_untried_parts)
        }
        _ => false,
    };
    if leads_nowhere {
        let is_over = stages.tests() >= MOST_TESTS_WITH_SAME_OUTPUT && !stages.plan.is_thorough;
        stages.begin_again(Exactness::AnyOutputAgain);
        if is_over {
            return Ok(SearchEnd::NeverWorked { fit: None });
        }
        *state = WalkState::new(newest);
        return follow(stages, state, on_known);
    }
    *state = tried;
    let end = walked.and_then(|end| follow_from(stages, state, end, on_known));
    stages.runner.count_only_exact(false);
    end
}

fn follow(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    on_known: OnKnownPart<'_>,
) -> Result<SearchEnd, Halt> {
    let end = walk_until_pass(stages, state)?;
    follow_from(stages, state, end, on_known)
}

/// Explains the end of a walk.
fn follow_from(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    end: WalkEnd,
    on_known: OnKnownPart<'_>,
) -> Result<SearchEnd, Halt> {
    let passing = match end {
        WalkEnd::Passes(passing) => passing,
        WalkEnd::NeverWorked { fit } => return Ok(SearchEnd::NeverWorked { fit }),
        WalkEnd::Unreachable => return Ok(SearchEnd::Unreachable),
        WalkEnd::TooManyTests => return Ok(SearchEnd::TooManyTests(stages.tests())),
        WalkEnd::PrintsSomethingElse => return follow_exactly(stages, state, on_known),
    };
    let mut explained = explain_and_fix(stages, state, passing, on_known)?;
    for _ in 0..MOST_LATER_PASSES {
        let Some(later) = explained.1.later_pass() else { break };
        stages
            .runner
            .milestone(&format!("{} passes as it is: looking for what broke it later", stages.name(later)));
        let Some(passing) = walk_on_from(stages, state, later)? else { break };
        explained = explain_and_fix(stages, state, passing, on_known)?;
    }
    let (explanation, forward) = explained;
    state.undone_at = state.undone_at.or(forward.later_pass());
    state.gone_since = state.gone_since.filter(|_| !forward.is_by_text);
    let is_proved = forward.patch.is_some() && forward.steps.is_empty();
    if !is_proved && !state.keeps_patch && state.gone_since.is_none() {
        let (failing, newest) = (stages.version(explanation.failing)?, stages.version(stages.newest())?);
        let is_undone = CauseLines::of(&explanation).are_undone_in(&newest, &failing);
        state.gone_since = is_undone.then(|| stages.newest());
    }
    if forward.patch.is_none() && !state.keeps_patch {
        let (failing, newest) = (stages.version(explanation.failing)?, stages.version(stages.newest())?);
        state.is_cause_lost =
            !explanation.is_undone_in(&newest) && !CauseLines::of(&explanation).are_in(&newest, &failing);
    }
    Ok(SearchEnd::Explained { explanation: Box::new(explanation), forward })
}

/// What made the test fail after a revision that passes, and a fix for the newest revision.
fn explain_and_fix(
    stages: &mut HistoryStages<'_, impl TreeStages>,
    state: &mut WalkState,
    passing: PassingRevision,
    on_known: OnKnownPart<'_>,
) -> Result<(Explanation, ForwardFix), Halt> {
    state.passes_at = Some(passing.index);
    let passing = look_for_later_pass(stages, state, passing)?;
    state.passes_at = Some(passing.index);
    let passing = leave_out_one_sided_lines(stages, state, passing)?;
    state.passes_at = Some(passing.index);
    let explanation = explain(stages, state, passing, &mut |passing, patch| {
        on_known(&KnownPart(AnswerPart::Backport { passing, patch }));
    })?;
    // If what was found is another change than the one that was undone, nothing speaks against it.
    let later = state.undone_at.map(|later| stages.version(later)).transpose()?;
    state.undone_at =
        state.undone_at.filter(|_| later.is_some_and(|later| explanation.is_missing_in(&later)));
    note_undone_cause(stages, state, &explanation)?;
    state.is_cause_of_patch = is_of_patch(stages, &explanation)?;
    stages.runner.milestone(&explanation.in_words(stages));
    stages.runner.count_only_exact(false);
    let forward = match state.is_cause_of_patch {
        true => ForwardFix::default(),
        false => {
            on_known(&KnownPart(AnswerPart::Cause(&explanation)));
            fix_newest(stages, state, &explanation)?
        }
    };
    Ok((explanation, forward))
}
