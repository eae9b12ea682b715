//! The moments that a run reaches, in order, and which moments of two runs are the same.

use crate::Address;
use crate::debug::{Function, Program, StackFrame, is_library_file};
use crate::run_settings::RunSettings;
use crate::stop_point::StopPoint;
use crate::tracee::{Invocation, Output, RunEnd, TraceError, TraceEvent, Tracee};
use imara_diff::{Algorithm, Diff, InternedInput};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An address is recorded at most this many times. Then its breakpoint is removed.
pub(crate) const MOST_HITS: u32 = 64;
/// At most this number of moments is recorded. Most calls are two: the call and the return.
const MOST_EVENTS: usize = 40_000;
/// At most this number of calls makes up a backtrace.
const MOST_FRAMES: usize = 400;

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Where the run can be stopped to see it again.
    pub stop_point: StopPoint,
    /// A hash of the active calls.
    pub stack: u64,
}

impl Moment {
    /// Moments of two runs are the same if their address and backtrace are equal.
    fn identity(&self) -> (Address, u64) {
        (self.stop_point.at, self.stack)
    }
}

/// The moments that a run reached.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The moments, in order.
    pub moments: Vec<Moment>,
    /// How it ended; `None` if it was not followed to its end.
    pub end: Option<RunEnd>,
}

/// The part of a run to follow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretch {
    /// Where it begins; `None` for the start of the run.
    pub from: Option<StopPoint>,
    /// Where it ends; `None` for the end of the run.
    pub to: Option<StopPoint>,
    /// An address is recorded at least this many times, even if it is reached often.
    pub hits: u32,
    /// Whether an address is recorded only the first time.
    pub is_once: bool,
}

/// Follows a run past these addresses.
pub fn trace(
    settings: &RunSettings,
    invocation: &Invocation,
    addresses: &[Address],
    stretch: Stretch,
) -> Result<Trace, TraceError> {
    let program = &settings.program;
    let output = Output::new()?;
    let mut tracee = settings.start(invocation, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_follow)?;
    if let Some(from) = stretch.from {
        from.reach(&mut tracee, None, program)?;
    }
    tracee.set_breakpoints(addresses)?;
    let goal = stretch.to.map(|to| (to.at, to.hit));
    if let Some((at, _)) = goal {
        tracee.set_breakpoints(&[at])?;
    }
    let (mut moments, mut hits) = (Vec::new(), HashMap::<Address, u32>::new());
    loop {
        settings.check_time()?;
        let at = match tracee.go(Some(program))? {
            TraceEvent::Breakpoint(at) => at,
            TraceEvent::Ended(end) => return Ok(Trace { moments, end: Some(end) }),
        };
        let hit = hits.entry(at).and_modify(|hits| *hits += 1).or_insert(1);
        let hit = *hit;
        let stop_point = stretch.from.map_or(Some(StopPoint::new(at, hit)), |from| from.then(at, hit));
        let Some(stop_point) = stop_point else { return Ok(Trace { moments, end: None }) };
        moments.push(Moment { stop_point, stack: stack(&tracee, program)? });
        if goal == Some((at, hit)) || moments.len() == MOST_EVENTS {
            return Ok(Trace { moments, end: None });
        }
        let is_goal = goal.is_some_and(|(goal, _)| goal == at);
        let most = if stretch.is_once { 1 } else { MOST_HITS.max(stretch.hits) };
        if hit == most && !is_goal {
            tracee.clear_breakpoint(at)?;
        }
    }
}

/// The active calls at a moment.
pub(crate) fn frames(
    settings: &RunSettings,
    invocation: &Invocation,
    stop_point: StopPoint,
) -> Result<Vec<StackFrame>, TraceError> {
    let output = Output::new()?;
    let mut tracee = settings.start(invocation, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_place)?;
    stop_point.reach(&mut tracee, None, &settings.program)?;
    tracee.frames(&settings.program, MOST_FRAMES)
}

/// A hash of the active calls.
fn stack(tracee: &Tracee, program: &Program) -> Result<u64, TraceError> {
    let frames = tracee.frames(program, MOST_FRAMES)?;
    let mut hasher = DefaultHasher::new();
    frames.iter().skip(1).for_each(|frame| frame.pc.hash(&mut hasher));
    Ok(hasher.finish())
}

/// A moment that two runs have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonMoment {
    /// The moment in the passing run.
    pub passing: Moment,
    /// The moment in the failing run.
    pub failing: Moment,
}

/// The moments that two runs have in common, in order: the same addresses with the same backtraces.
#[must_use]
pub fn align(passing: &Trace, failing: &Trace) -> Vec<CommonMoment> {
    align_with_partings(passing, failing).into_iter().map(|(common, _)| common).collect()
}

/// The two runs part: one of them has moments that the other one does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parting {
    /// The first one that only the failing run has.
    pub(crate) only_failing: Option<Address>,
}

/// The same, and for each moment whether the two runs part right before it.
pub(crate) fn align_with_partings(passing: &Trace, failing: &Trace) -> Vec<(CommonMoment, Option<Parting>)> {
    let mut input = InternedInput::default();
    input.update_before(passing.moments.iter().map(Moment::identity));
    input.update_after(failing.moments.iter().map(Moment::identity));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut common = Vec::new();
    let (mut before, mut after) = (0, 0);
    let mut parting = None;
    let mut take = |before: &mut usize, after: &mut usize, to: usize, parting: Option<Parting>| {
        let first = *before;
        while *before < to {
            let moment = CommonMoment { passing: passing.moments[*before], failing: failing.moments[*after] };
            common.push((moment, parting.filter(|_| *before == first)));
            *before += 1;
            *after += 1;
        }
    };
    for hunk in diff.hunks() {
        take(&mut before, &mut after, hunk.before.start as usize, parting);
        (before, after) = (hunk.before.end as usize, hunk.after.end as usize);
        let only_failing = failing.moments[..after].get(hunk.after.start as usize);
        parting = Some(Parting { only_failing: only_failing.map(|moment| moment.stop_point.at) });
    }
    take(&mut before, &mut after, passing.moments.len(), parting);
    common
}

/// Whether a function is the user's own, and not part of the compiler's headers or libraries.
#[must_use]
pub fn is_own(function: &Function) -> bool {
    // Functions that the compiler makes have no line, or a name that nobody writes.
    function.module == 0
        && !is_library_file(&function.file)
        && function.line > 0
        && !function.name.starts_with("_GLOBAL__")
        && !function.name.starts_with("__static_init")
}
