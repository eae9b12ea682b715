//! Cause transitions (Cleve and Zeller 2005): the moments at which one variable stops being the cause and another one
//! starts. The code that runs between two such moments most probably contains the defect.
//!
//! | file | idea |
//! |---|---|
//! | `before_failure` | the last moments before the failure |
//! | `transition` | a transition; rounds of loops and copies are folded |

mod before_failure;
mod transition;

pub use before_failure::NearestMoment;
pub use transition::CauseTransition;

use transition::{AddedTransition, add_earlier};

use crate::Address;
use crate::common_calls::CommonCalls;
use crate::compared_place::ComparedPlace;
use crate::deciders::Deciders;
use crate::examination::{Examination, Examined};
use crate::examiner::Examiner;
use crate::run_pair::OriginalRun;
use crate::stop_point::StopPoint;
use crate::trace::{CommonMoment, Moment, Parting, Stretch, Trace, align_with_partings, is_own, trace};
use crate::tracee::TraceError;
use howcome_run::{Driver, Halt};
use std::collections::{BTreeSet, HashMap};

/// The search looks at every moment within this distance, then at fewer and fewer,
const NEAR: usize = 8;
/// unless there are no more moments than this.
const FEW: usize = 48;
/// At most this number of gaps between calls is looked at line by line for one transition.
const MOST_GAPS: usize = 8;

/// At most this number of copies is followed back.
const MOST_COPIES: usize = 6;

/// At most this number of further rounds of loops is followed back.
const MOST_ROUNDS: usize = 24;

/// At most this number of moments is examined, and none after this number of tests. An interval that has not been narrowed down by then
/// stays as it is.
const MOST_LOOKS: LookLimits = LookLimits { looks: 250, tests: 1000 };
/// The same if only the last transition is wanted.
const FEWER_LOOKS: LookLimits = LookLimits { looks: 120, tests: 500 };
/// If nothing decides at this number of moments in a row, no further moments are examined.
const MOST_IN_VAIN: u32 = 40;
/// At most about this number of vertices is read at all of them. With millions of vertices, a moment takes seconds.
const MOST_VERTICES: usize = 8_000_000;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
struct LookLimits {
    looks: usize,
    tests: u64,
}

/// The moments that both runs have in common: all calls and returns, and lines where the search looked more closely.
pub struct Timeline<'a, 'b> {
    examiner: &'a Examiner<'b>,
    course: &'a CommonCalls,
    moments: Vec<CommonMoment>,
    /// For each moment, whether all lines up to the next moment are in the timeline.
    close: Vec<bool>,
    /// The moments, in the failing run, right before which the two runs execute different lines.
    partings: HashMap<StopPoint, Parting>,
    known: HashMap<StopPoint, Option<Deciders>>,
    /// How many vertices were read.
    vertices: usize,
    /// The vertices of the largest state so far.
    largest: usize,
    /// At how many moments in a row nothing decided.
    in_vain: u32,
    limits: LookLimits,
    /// How many tests had been run when it began.
    told_before: Option<u64>,
    /// Why the search was ended before it came to its end, if something had been found by then.
    stopped: Option<Halt>,
}

impl<'a, 'b> Timeline<'a, 'b> {
    /// Starts with the calls and returns that both runs have in common.
    #[must_use]
    pub fn new(examiner: &'a Examiner<'b>, course: &'a CommonCalls) -> Self {
        let moments = course.moments.clone();
        Self {
            examiner,
            course,
            close: vec![false; moments.len()],
            moments,
            partings: HashMap::new(),
            known: HashMap::new(),
            vertices: 0,
            largest: 0,
            in_vain: 0,
            limits: MOST_LOOKS,
            told_before: None,
            stopped: None,
        }
    }

    /// Looks at fewer moments: enough for one transition.
    #[must_use]
    pub(crate) fn briefly(self) -> Self {
        Self { limits: FEWER_LOOKS, ..self }
    }

    /// Whether a search was ended that had found something by then.
    ///
    /// # Errors
    /// If it was.
    pub(crate) fn check_stopped(&mut self) -> Result<(), Halt> {
        self.stopped.take().map_or(Ok(()), Err)
    }

    /// Adds what is already known about a place.
    pub(crate) fn remember(&mut self, place: &ComparedPlace, deciders: Deciders) {
        self.known.insert(place.failing, Some(deciders));
    }

    /// Remembers before which moments the runs part.
    fn note_partings(&mut self, lines: Vec<(CommonMoment, Option<Parting>)>) -> Vec<CommonMoment> {
        let parting = |(common, parting): &(CommonMoment, Option<Parting>)| {
            Some((common.failing.stop_point, (*parting)?))
        };
        self.partings.extend(lines.iter().filter_map(parting));
        lines.into_iter().map(|(common, _)| common).collect()
    }

    /// Where the variables that decide at a place took over, then where those took over, and so on: at most `most`
    /// transitions, in the order of time. Moments at which a value is only copied are left out, but for the last one, which is not
    /// counted: a wrong copy can be the defect, unless a function only returns the value. The rounds of a loop are one transition.
    pub fn before(
        &mut self,
        driver: &mut Driver,
        place: &ComparedPlace,
        most: usize,
    ) -> Result<Vec<CauseTransition>, Halt> {
        self.between_places(driver, None, place, most)
    }

    /// The same, but not further back than another place.
    pub(crate) fn between_places(
        &mut self,
        driver: &mut Driver,
        place_before: Option<&ComparedPlace>,
        place: &ComparedPlace,
        most: usize,
    ) -> Result<Vec<CauseTransition>, Halt> {
        let position = |timeline: &Self, place: &ComparedPlace| {
            timeline.moments.iter().position(|moment| moment.failing.stop_point == place.failing)
        };
        let mut transitions: Vec<CauseTransition> = Vec::new();
        let (Some(mut at), Some(Some(mut deciders))) =
            (position(self, place), self.known.get(&place.failing).cloned())
        else {
            return Ok(transitions);
        };
        let (mut copies, mut rounds) = (0, 0);
        let is_enough =
            |found: &[CauseTransition]| found.iter().filter(|found| !found.is_copy).count() >= most;
        while !is_enough(&transitions) && copies < MOST_COPIES && rounds < MOST_ROUNDS {
            let (before, after, from_deciders) = match self.takes_over(driver, &deciders, at) {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(halt @ Halt::Stopped { .. }) if !transitions.is_empty() => {
                    self.stopped = Some(halt);
                    break;
                }
                Err(halt) => return Err(halt),
            };
            let place = |moment: usize| {
                ComparedPlace::of(&self.examiner.runs.settings.program, &self.moments[moment])
            };
            let (from, to) = (from_deciders.names(), deciders.names());
            let mut partings = (before + 1..=after)
                .filter_map(|moment| self.partings.get(&self.moments[moment].failing.stop_point));
            let parting = partings.next().copied();
            let is_parting = parting.is_some();
            let (before_place, after_place) = (place(before), place(after));
            let branch = parting.and_then(|parting| self.line_in(parting.only_failing?, &before_place));
            let transition = CauseTransition {
                from,
                to,
                before: before_place,
                after: after_place,
                times: 1,
                is_parting,
                branch,
                is_reading: from_deciders.is_input(),
                is_copy: from_deciders.is_copied_to(&deciders),
            };
            // What a function returns, and what becomes of it, have two names for one value.
            let is_returned = from_deciders.is_returned() || deciders.is_returned();
            match add_earlier(&mut transitions, transition, is_returned) {
                AddedTransition::New => {}
                AddedTransition::Round => rounds += 1,
                AddedTransition::Copy => copies += 1,
            }
            (at, deciders) = (before, from_deciders);
            if place_before.is_some_and(|known| position(self, known).is_some_and(|known| at <= known)) {
                break;
            }
        }
        Ok(transitions)
    }

    /// The two neighbouring moments between which these variables take over, and the variables that decided before.
    fn takes_over(
        &mut self,
        driver: &mut Driver,
        deciders: &Deciders,
        at: usize,
    ) -> Result<Option<(usize, usize, Deciders)>, Halt> {
        let Some((mut low, mut high, mut earlier)) = self.somebody_else(driver, deciders, at)? else {
            return Ok(None);
        };
        let mut gaps = MOST_GAPS;
        loop {
            match self.between(driver, deciders, low, high)? {
                Some((middle, found)) if found.goes_on_in(deciders) => high = middle,
                Some((middle, found)) => (low, earlier) = (middle, found),
                None => match self.gap(low, high).filter(|_| gaps > 0) {
                    Some(gap) => {
                        gaps -= 1;
                        high += self.look_closely(gap);
                    }
                    None => return Ok(Some((low, high, earlier))),
                },
            }
        }
    }

    /// An earlier moment at which others decide, a later moment at which these variables decide, and the others. Goes back
    /// in longer and longer steps: if a variable stops deciding and starts again, the last start counts.
    fn somebody_else(
        &mut self,
        driver: &mut Driver,
        deciders: &Deciders,
        at: usize,
    ) -> Result<Option<(usize, usize, Deciders)>, Halt> {
        let (mut high, mut moment) = (at, at);
        while moment > 0 {
            moment = moment.saturating_sub(1 + (at - moment) / NEAR);
            match self.deciders(driver, moment, deciders)? {
                Some(found) if found.goes_on_in(deciders) => high = moment,
                Some(found) => return Ok(Some((moment, high, found))),
                None => {}
            }
        }
        // At the first moment nothing may be visible yet.
        while moment < high {
            match self.deciders(driver, moment, deciders)? {
                Some(found) if found.goes_on_in(deciders) => break,
                Some(found) => return Ok(Some((moment, high, found))),
                None => moment += 1 + moment / FEW,
            }
        }
        Ok(None)
    }

    /// A moment between two others at which something decides, as near to the middle as possible.
    fn between(
        &mut self,
        driver: &mut Driver,
        later: &Deciders,
        low: usize,
        high: usize,
    ) -> Result<Option<(usize, Deciders)>, Halt> {
        let middle = low + (high - low) / 2;
        let is_few = high - low <= FEW;
        let farther = |far: &usize| Some(if is_few || *far < NEAR { far + 1 } else { far + far / 2 });
        let distances = std::iter::successors(Some(0), farther).take_while(|far| *far <= high - low);
        let candidates = distances.flat_map(|far| [middle.checked_sub(far), Some(middle + far)]).flatten();
        for candidate in candidates.filter(|candidate| low < *candidate && *candidate < high) {
            if let Some(found) = self.deciders(driver, candidate, later)? {
                return Ok(Some((candidate, found)));
            }
        }
        Ok(None)
    }

    /// A call between two moments after which the lines are not known yet: the last one if no other call follows it, else
    /// the first one.
    fn gap(&self, low: usize, high: usize) -> Option<usize> {
        let mut gaps = (low..high).filter(|moment| !self.close[*moment]);
        let last = gaps.next_back()?;
        Some(if last + 1 == high { last } else { gaps.next().unwrap_or(last) })
    }

    /// The variables that decide at a moment, if that can be found out, and if later ones can come from them.
    fn deciders(
        &mut self,
        driver: &mut Driver,
        moment: usize,
        later: &Deciders,
    ) -> Result<Option<Deciders>, Halt> {
        Ok(self.look(driver, moment)?.0.filter(|found| found.can_lead_to(later)))
    }

    /// Whether no further moments are examined.
    fn is_exhausted(&mut self, driver: &Driver) -> bool {
        let told_before = *self.told_before.get_or_insert(driver.told());
        self.known.len() >= self.limits.looks
            || self.vertices >= MOST_VERTICES
            || self.in_vain >= MOST_IN_VAIN
            || driver.told() - told_before >= self.limits.tests
    }

    /// The same, with all that was found, if the moment was not known yet.
    fn look(
        &mut self,
        driver: &mut Driver,
        moment: usize,
    ) -> Result<(Option<Deciders>, Option<Box<Examined>>), Halt> {
        let common = self.moments[moment];
        if let Some(known) = self.known.get(&common.failing.stop_point) {
            return Ok((known.clone(), None));
        }
        if self.is_exhausted(driver) {
            return Ok((None, None));
        }
        let place = ComparedPlace::of(&self.examiner.runs.settings.program, &common);
        let found = match self.examiner.examine(driver, &place)? {
            Examination::Found(examined) => {
                self.largest = self.largest.max(examined.vertices);
                self.vertices += examined.vertices;
                self.in_vain = 0;
                Some(examined)
            }
            Examination::Nothing(_) => {
                // Its states were read as well.
                self.vertices += self.largest;
                self.in_vain += 1;
                None
            }
        };
        let deciders = found.as_deref().map(Deciders::of);
        self.known.insert(common.failing.stop_point, deciders.clone());
        Ok((deciders, found))
    }

    /// Adds the lines that both runs execute between a call and the next one. Returns how many were added.
    fn look_closely(&mut self, low: usize) -> usize {
        self.close[low] = true;
        let (from, to) = (self.moments[low], self.moments[low + 1]);
        let Ok(mut lines) = self.lines(&from, Some(&to)) else { return 0 };
        let is_end = |common: &CommonMoment| {
            common.failing.stop_point.at == to.failing.stop_point.at
                && common.failing.stack == to.failing.stack
        };
        if let Some(end) = lines.iter().rposition(|(common, _)| is_end(common)) {
            if let Some(parting) = lines[end].1 {
                self.partings.insert(to.failing.stop_point, parting);
            }
            lines.truncate(end);
        }
        let lines = self.note_partings(lines);
        let length = lines.len();
        self.close.splice(low + 1..low + 1, vec![true; length]);
        self.moments.splice(low + 1..low + 1, lines);
        length
    }

    /// The lines that both runs execute between a place and the next call or return, or the end. They are moments from now on.
    pub(crate) fn lines_after(&mut self, place: &ComparedPlace) -> Vec<CommonMoment> {
        let at = self.moments.iter().position(|moment| moment.failing.stop_point == place.failing);
        let Some(at) = at else { return Vec::new() };
        let before = self.moments.len();
        match at + 1 == before {
            true => self.look_to_end(),
            false => drop(self.look_closely(at)),
        }
        self.moments[at + 1..][..self.moments.len() - before].to_vec()
    }

    /// The lines that both runs execute from a moment on, up to another one or to the end, and whether the runs part right before.
    fn lines(
        &self,
        from: &CommonMoment,
        to: Option<&CommonMoment>,
    ) -> Result<Vec<(CommonMoment, Option<Parting>)>, TraceError> {
        let runs = self.examiner.runs;
        let program = &runs.settings.program;
        let sides = [
            (&runs.passing, &self.course.passing, from.passing, to.map(|to| to.passing)),
            (&runs.failing, &self.course.failing, from.failing, to.map(|to| to.failing)),
        ];
        let mut functions = BTreeSet::new();
        for (run, trace, from, to) in sides {
            let passed = passed(trace, from, to);
            functions.extend(passed.iter().filter_map(|moment| program.function_at(moment.stop_point.at)));
            functions.extend(self.callers(run, from.stop_point)?);
        }
        functions.retain(|function| is_own(program.function(*function)));
        let statements = functions.iter().flat_map(|function| program.statements(*function));
        let addresses: Vec<Address> = statements.map(|(address, _)| address).collect();
        let follow = |(run, course, from, to): (&OriginalRun, &Trace, Moment, Option<Moment>)| {
            let to = to.map(|to| StopPoint::new(to.stop_point.at, hits_between(course, from, to)));
            let stretch = Stretch { from: Some(from.stop_point), to, ..Stretch::default() };
            trace(&runs.settings, &run.invocation, &addresses, stretch)
        };
        Ok(align_with_partings(&follow(sides[0])?, &follow(sides[1])?))
    }

    /// The line of a statement, if it is in the function of a place.
    fn line_in(&self, statement: Address, place: &ComparedPlace) -> Option<u32> {
        let program = &self.examiner.runs.settings.program;
        let function = program.function_at(statement)?;
        let position = program.line_at(statement)?;
        (program.function(function).name == place.function && *position.file == *place.file)
            .then_some(position.line)
    }

    /// The user's own functions that are active at a moment.
    fn callers(
        &self,
        run: &OriginalRun,
        stop_point: StopPoint,
    ) -> Result<Vec<crate::debug::FunctionId>, TraceError> {
        let program = &self.examiner.runs.settings.program;
        let frames = crate::trace::frames(&self.examiner.runs.settings, &run.invocation, stop_point)?;
        let functions = frames.iter().filter_map(|frame| frame.function);
        Ok(functions.filter(|function| is_own(program.function(*function))).collect())
    }
}

/// The moments of a run from one moment to another, both included, or to the end.
fn passed(trace: &Trace, from: Moment, to: Option<Moment>) -> &[Moment] {
    let at = |wanted: Moment| trace.moments.iter().position(|moment| moment.stop_point == wanted.stop_point);
    match (at(from), to.map(at)) {
        (Some(from), None) => &trace.moments[from..],
        (Some(from), Some(Some(to))) if from <= to => &trace.moments[from..=to],
        _ => &[],
    }
}

/// How many times the run reaches the address of `to` after `from`, up to `to`.
fn hits_between(trace: &Trace, from: Moment, to: Moment) -> u32 {
    let passed = passed(trace, from, Some(to))
        .iter()
        .skip(1)
        .filter(|moment| moment.stop_point.at == to.stop_point.at);
    (passed.count() as u32).max(1)
}
