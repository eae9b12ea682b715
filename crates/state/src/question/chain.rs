//! What was found at the places, in the order in which the failing run reaches them.

use super::places::{earlier, neighbours};
use crate::{CommonCalls, ComparedPlace, Examination, Examined, Examiner, NoCause};
use howcome_run::{Driver, Halt};

/// What was found at the places.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) steps: Vec<Examined>,
    /// The places at which nothing was found, and why.
    pub(super) skipped: Vec<(ComparedPlace, NoCause)>,
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
                self.steps.push(*examined);
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
                self.steps.push(*examined);
                self.sort(calls);
                return Ok(());
            }
        }
        Ok(())
    }

    /// A neighbour can be earlier than what was found before.
    fn sort(&mut self, calls: Option<&CommonCalls>) {
        let moments = calls.map_or(&[][..], |calls| &calls.failing.moments);
        let rank =
            |step: &Examined| moments.iter().position(|moment| moment.stop_point == step.place.failing);
        self.steps.sort_by_cached_key(|step| rank(step).unwrap_or(usize::MAX));
    }
}
