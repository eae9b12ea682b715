//! What was found at the places, in the order in which the failing run reaches them.

use super::places::{earlier, neighbours};
use super::recorded_step::record_step;
use crate::deciders::Deciders;
use crate::wrong_output::WrongOutput;
use crate::{
    CommonCalls, CommonMoment, ComparedPlace, Examination, Examined, Examiner, NoCause, StateCause, Timeline,
    UnalteredResults,
};
use howcome_run::{ChainStep, Driver, Halt};

/// What was found at the places.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) steps: Vec<ChainLink>,
    /// The places at which nothing was found, and why.
    pub(super) skipped: Vec<(ComparedPlace, NoCause)>,
    /// Whether the last place is drawn, for which its states are kept.
    pub(super) is_drawn: bool,
}

/// What was found at a place, without the states: both together can take a gigabyte.
pub(super) struct ChainLink {
    pub(super) place: ComparedPlace,
    pub(super) causes: Vec<StateCause>,
    pub(super) is_minimal: bool,
    pub(super) ends: UnalteredResults,
    pub(super) recorded: ChainStep,
    pub(super) deciders: Deciders,
    /// Whether it is the failure itself, or the last moment or the last return before it.
    pub(super) is_failure: bool,
    /// All of it, to draw the place.
    pub(super) shown: Option<Examined>,
}

impl Chain {
    /// Examines a place, and its neighbours if nothing is found there.
    pub(super) fn examine(
        &mut self,
        driver: &mut Driver,
        examiner: &Examiner<'_>,
        place: &ComparedPlace,
        calls: Option<&CommonCalls>,
    ) -> Result<(), Halt> {
        let nothing = match examiner.examine(driver, place)? {
            Examination::Found(examined) => {
                self.add(examiner, *examined);
                return Ok(());
            }
            Examination::Nothing(nothing) => nothing,
        };
        let near = match (calls, &nothing) {
            (Some(calls), NoCause::NotTransferable { .. }) => neighbours(examiner.runs, calls, place),
            (Some(calls), NoCause::DecidedBefore) => earlier(examiner.runs, calls, place),
            _ => Vec::new(),
        };
        self.skipped.push((place.clone(), nothing));
        for neighbour in near {
            if self.steps.iter().any(|step| step.place == neighbour) {
                continue;
            }
            if let Examination::Found(examined) = examiner.examine(driver, &neighbour)? {
                self.add(examiner, *examined);
                self.sort(calls);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the failure itself, if what decides there decides alone. Close to the failure, the two states often differ in so much that
    /// nothing can be said.
    pub(super) fn add_failure(&mut self, examiner: &Examiner<'_>, examined: Examined) {
        let decides =
            |cause: &StateCause| (cause.alone_fails, cause.without_passes) == (Some(true), Some(true));
        if examined.is_minimal && !examined.causes.is_empty() && examined.causes.iter().all(decides) {
            self.steps.push(ChainLink { is_failure: true, ..link(examiner, examined, false) });
        }
    }

    /// Adds the moment at which the failing run prints the wrong output, likewise. Returns that moment, also if nothing decides there.
    pub(super) fn add_wrong_output(
        &mut self,
        driver: &mut Driver,
        examiner: &Examiner<'_>,
        timeline: &mut Timeline<'_, '_>,
        last: &ComparedPlace,
    ) -> Result<Option<ComparedPlace>, Halt> {
        let Some(wrong) = self.wrong_output(examiner) else { return Ok(None) };
        let runs = examiner.runs;
        let has_passed = |moment: &CommonMoment| wrong.is_printed(runs, moment);
        let is_comparable = |moment: &CommonMoment| wrong.is_same_progress(runs, moment);
        let Some(nearest) = timeline.last_before(driver, last, has_passed, is_comparable)? else {
            return Ok(None);
        };
        if let Some(examined) = nearest.examined {
            self.add_failure(examiner, *examined);
        }
        Ok(Some(nearest.place))
    }

    /// Adds the last return of a function before the failure, likewise, unless the same variables decide there as at the step before.
    pub(super) fn add_return(
        &mut self,
        driver: &mut Driver,
        examiner: &Examiner<'_>,
        timeline: &mut Timeline<'_, '_>,
        last: &ComparedPlace,
    ) -> Result<(), Halt> {
        let runs = examiner.runs;
        let wrong = self.wrong_output(examiner);
        if wrong.is_none() && runs.failing.result.ends_like(&runs.passing.result) {
            return Ok(());
        }
        let has_passed = |moment: &CommonMoment| match &wrong {
            Some(wrong) => wrong.is_printed(runs, moment),
            None => Ok(false),
        };
        let is_comparable = |moment: &CommonMoment| match &wrong {
            Some(wrong) => wrong.is_same_progress(runs, moment),
            None => Ok(true),
        };
        let Some(examined) = timeline.last_return(driver, last, has_passed, is_comparable)? else {
            return Ok(());
        };
        let known = |cause: &StateCause| {
            let step = self.steps.last();
            step.is_some_and(|step| step.causes.iter().any(|before| is_same_cause(before, cause)))
        };
        if !examined.causes.iter().all(known) {
            self.add_failure(examiner, *examined);
        }
        Ok(())
    }

    /// The first word that the failing run prints differently, if nothing else tells the two runs apart.
    fn wrong_output(&self, examiner: &Examiner<'_>) -> Option<WrongOutput> {
        let runs = examiner.runs;
        let is_by_output =
            examiner.terms.says_nothing() && runs.failing.result.ends_like(&runs.passing.result);
        let step = self.steps.iter().rfind(|step| !step.is_failure).filter(|_| is_by_output)?;
        let counted = [&step.ends.passing, &step.ends.failing];
        WrongOutput::of(counted, [&runs.passing.result, &runs.failing.result])
    }

    fn add(&mut self, examiner: &Examiner<'_>, examined: Examined) {
        self.steps.iter_mut().for_each(|step| step.shown = None);
        self.steps.push(link(examiner, examined, self.is_drawn));
    }

    /// A neighbour can be earlier than what was found before.
    fn sort(&mut self, calls: Option<&CommonCalls>) {
        let moments = calls.map_or(&[][..], |calls| &calls.failing.moments);
        let rank =
            |step: &ChainLink| moments.iter().position(|moment| moment.stop_point == step.place.failing);
        self.steps.sort_by_cached_key(|step| rank(step).unwrap_or(usize::MAX));
    }
}

/// Whether two variables have the same name and the same values.
fn is_same_cause(one: &StateCause, other: &StateCause) -> bool {
    (&one.variable, &one.failing, &one.passing) == (&other.variable, &other.failing, &other.passing)
}

/// What was found at a place, as a link of the chain.
fn link(examiner: &Examiner<'_>, examined: Examined, is_drawn: bool) -> ChainLink {
    ChainLink {
        place: examined.place.clone(),
        causes: examined.causes.clone(),
        is_minimal: examined.is_minimal,
        ends: examined.ends.clone(),
        recorded: record_step(&examined, examiner.runs),
        deciders: Deciders::of(&examined),
        is_failure: false,
        shown: is_drawn.then_some(examined),
    }
}
