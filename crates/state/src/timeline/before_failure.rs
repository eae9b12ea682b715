//! The last moments before the failure: the crash or exit itself, or the wrong output.

use super::Timeline;
use crate::compared_place::ComparedPlace;
use crate::examination::Examined;
use crate::trace::CommonMoment;
use crate::tracee::TraceError;
use howcome_run::{Driver, Halt};

/// If nothing decides right before the wrong output, at most this number of moments before it is examined.
const MOST_BACK: usize = 4;
/// At most this number of returns before the failure is examined.
const MOST_RETURNS: usize = 3;

/// The last moment before the failure at which something decides.
pub struct NearestMoment {
    /// Where it is.
    pub place: ComparedPlace,
    /// What decides there; `None` if that was known before.
    pub examined: Option<Box<Examined>>,
}

impl Timeline<'_, '_> {
    /// The last moment after a place at which something decides: the failure itself, or what comes before it, such as the return of a
    /// function. The lines after the last call are in the timeline from then on.
    pub fn nearest_to_failure(
        &mut self,
        driver: &mut Driver,
        place: &ComparedPlace,
    ) -> Result<Option<NearestMoment>, Halt> {
        let position = |timeline: &Self| {
            timeline.moments.iter().position(|moment| moment.failing.stop_point == place.failing)
        };
        let Some(at) = position(self) else { return Ok(None) };
        self.look_to_end();
        let (mut low, mut high) = (at, self.moments.len());
        let mut nearest = None;
        // Most often the failure is decided shortly before it is seen.
        let mut back = 1;
        while high - low > 1 {
            let moment = self.moments.len().saturating_sub(back).max(low + 1);
            match self.look(driver, moment)? {
                (Some(_), examined) => {
                    (low, nearest) = (moment, examined);
                    break;
                }
                (None, _) => high = moment,
            }
            back *= 2;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.look(driver, middle)? {
                (Some(_), examined) => (low, nearest) = (middle, examined),
                (None, _) => high = middle,
            }
        }
        let program = &self.examiner.runs.settings.program;
        let place = ComparedPlace::of(program, &self.moments[low]);
        Ok((low > at).then_some(NearestMoment { place, examined: nearest }))
    }

    /// The last moment after a place that comes before something else, such as the wrong output, and what decides there or shortly before.
    /// `has_passed` says whether a moment comes after that, and `is_comparable` whether it is the same moment of both runs for this purpose. The
    /// lines up to it are in the timeline from then on.
    pub(crate) fn last_before(
        &mut self,
        driver: &mut Driver,
        place: &ComparedPlace,
        has_passed: impl Fn(&CommonMoment) -> Result<bool, TraceError>,
        is_comparable: impl Fn(&CommonMoment) -> Result<bool, TraceError>,
    ) -> Result<Option<NearestMoment>, Halt> {
        let at = self.moments.iter().position(|moment| moment.failing.stop_point == place.failing);
        let Some(at) = at else { return Ok(None) };
        // A moment that cannot be reached again says nothing, and is not taken.
        let is_after = |moment: &CommonMoment| has_passed(moment).unwrap_or(true);
        let last = |moments: &[CommonMoment], low: usize| {
            low + moments[low + 1..].partition_point(|moment| !is_after(moment))
        };
        let call = last(&self.moments, at);
        match call + 1 == self.moments.len() {
            true => self.look_to_end(),
            false => drop(self.look_closely(call)),
        }
        let nearest = last(&self.moments, call);
        let place = ComparedPlace::of(&self.examiner.runs.settings.program, &self.moments[nearest]);
        for moment in (at + 1..=nearest).rev().take(MOST_BACK) {
            if !is_comparable(&self.moments[moment]).unwrap_or(false) {
                continue;
            }
            // What was known before is a step of the chain already.
            if let (Some(_), examined) = self.look(driver, moment)? {
                return Ok(Some(NearestMoment { place, examined }));
            }
        }
        Ok(Some(NearestMoment { place, examined: None }))
    }

    /// What decides at the last return of a function after a place, and before something else; `None` if nothing decides at the last few
    /// returns, or if that was known before.
    pub(crate) fn last_return(
        &mut self,
        driver: &mut Driver,
        place: &ComparedPlace,
        has_passed: impl Fn(&CommonMoment) -> Result<bool, TraceError>,
        is_comparable: impl Fn(&CommonMoment) -> Result<bool, TraceError>,
    ) -> Result<Option<Box<Examined>>, Halt> {
        let at = self.moments.iter().position(|moment| moment.failing.stop_point == place.failing);
        let Some(later) = at.map(|at| at + 1) else { return Ok(None) };
        let is_before = |moment: &CommonMoment| !has_passed(moment).unwrap_or(true);
        let end = later + self.moments[later..].partition_point(is_before);
        let returns = (later..end).rev().filter(|moment| self.course.is_return(&self.moments[*moment]));
        for moment in returns.take(MOST_RETURNS).collect::<Vec<_>>() {
            if !is_comparable(&self.moments[moment]).unwrap_or(false) {
                continue;
            }
            if let (Some(_), examined) = self.look(driver, moment)? {
                return Ok(examined);
            }
        }
        Ok(None)
    }

    /// Adds the lines that both runs execute after the last call.
    pub(super) fn look_to_end(&mut self) {
        let Some(last) = self.moments.last().copied() else { return };
        let Ok(lines) = self.lines(&last, None) else { return };
        if let Some(close) = self.close.last_mut() {
            *close = true;
        }
        self.close.extend(vec![true; lines.len()]);
        let lines = self.note_partings(lines);
        self.moments.extend(lines);
    }
}
