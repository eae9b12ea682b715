//! How long the isolation at a place goes on without progress.
//!
//! If most tests are unresolved, isolation tries smaller and smaller parts: up to four tests for each difference, at each
//! place, mostly for nothing. So it ends after some tests in a row that leave as many variables as before. The usual transfer
//! may use the most; one in reverse, or without the differences that spoil it, promises less. If such transfers have used up
//! what a run has for them, only those that get on from the start are continued.
//!
//! To get on is to leave out an eighth of the variables. Where many variables are tangled, such as a text and the pointers into it,
//! isolation leaves out one after the other with hundreds of tests, and many variables are left in the end. At the moments before and
//! after, it is the same. So after such places the usual transfer may use less, too.

use crate::transfer_direction::{Transfer, TransferDirection};
use howcome_dd::SearchLimit;
use std::sync::atomic::{AtomicU32, Ordering};

/// Isolation with all differences in the passing run ends after this number of tests in a row without progress,
const MOST_USUAL: u32 = 150;
/// any other after this number.
const MOST_OTHER: u32 = 40;
/// However it gets on, an isolation ends after this number of tests.
const MOST_IN_ALL: u32 = 600;
/// After each place at which many variables are left, isolation with all differences in the passing run uses at most one third of the tests.
const LESS: u32 = 3;
/// The other ones of a run together use at most this number of tests without progress; from then on,
const MOST_OF_RUN: u32 = 160;
/// each of them uses at most this number.
const LEAST: u32 = 8;

/// What isolations of a run can still use without progress.
#[derive(Debug, Default)]
pub struct IsolationLimits {
    wasted: AtomicU32,
    /// At how many places many variables were left.
    tangled: AtomicU32,
}

impl IsolationLimits {
    /// The most tests in a row without progress.
    pub(crate) fn most(&self, transfer: Transfer) -> u32 {
        let is_usual = transfer.direction == TransferDirection::Forward && !transfer.is_partial;
        match is_usual {
            true => {
                let tangled = self.tangled.load(Ordering::Relaxed);
                (MOST_USUAL / LESS.saturating_pow(tangled)).max(LEAST)
            }
            false => MOST_OF_RUN.saturating_sub(self.wasted.load(Ordering::Relaxed)).clamp(LEAST, MOST_OTHER),
        }
    }

    /// The limit of an isolation.
    pub(crate) fn limit(&self, transfer: Transfer) -> SearchLimit {
        SearchLimit::of_progress(self.most(transfer)).by_eighths().and_in_all(MOST_IN_ALL)
    }

    /// Takes note of how many variables the usual transfer leaves.
    pub(crate) fn note_left(&self, transfer: Transfer, is_few: bool) {
        let is_usual = transfer.direction == TransferDirection::Forward && !transfer.is_partial;
        if is_usual {
            self.tangled.fetch_add(u32::from(!is_few), Ordering::Relaxed);
        }
    }

    /// Takes note of an isolation that its limit has ended.
    pub(crate) fn note_ended(&self, transfer: Transfer) {
        let is_usual = transfer.direction == TransferDirection::Forward && !transfer.is_partial;
        if !is_usual {
            self.wasted.fetch_add(self.most(transfer), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_dd::{Configuration, FoundWithinLimit, Isolate, Knowledge, Outcome, StopEarly, drive};

    /// Isolates among 400 differences. Returns what was found and the number of tests.
    fn isolate(
        limits: &IsolationLimits,
        transfer: Transfer,
        test: impl Fn(&Configuration) -> Outcome,
    ) -> (FoundWithinLimit, usize) {
        let all = Configuration::all(400);
        let search =
            StopEarly::new(Isolate::new(Configuration::empty(), all.clone()), limits.limit(transfer));
        let conversation = drive(search, &all, &Knowledge::none(), test);
        if conversation.finding.limit.is_some() {
            limits.note_ended(transfer);
        }
        (conversation.finding, conversation.told.len())
    }

    const REVERSE: Transfer = Transfer { direction: TransferDirection::Reverse, is_partial: false };

    #[test]
    fn isolations_that_find_nothing_use_few_tests_at_all_places_together() {
        let limits = IsolationLimits::default();
        let tests = |transfer| isolate(&limits, transfer, |_| Outcome::Unresolved).1;
        assert_eq!(tests(Transfer::IN_ORDER[0]), MOST_USUAL as usize);
        let places: Vec<usize> = (0..15).map(|_| tests(REVERSE)).collect();
        assert_eq!(places[..6], [40, 40, 40, 40, 8, 8]);
        assert_eq!(tests(Transfer::IN_ORDER[0]), MOST_USUAL as usize, "the usual transfer has its own limit");
    }

    #[test]
    fn after_places_with_many_tangled_variables_isolation_uses_fewer_tests() {
        let limits = IsolationLimits::default();
        let most = |limits: &IsolationLimits| limits.most(Transfer::IN_ORDER[0]);
        limits.note_left(Transfer::IN_ORDER[0], true);
        limits.note_left(REVERSE, false);
        assert_eq!(most(&limits), MOST_USUAL);
        let places: Vec<u32> = (0..4)
            .map(|_| {
                limits.note_left(Transfer::IN_ORDER[0], false);
                most(&limits)
            })
            .collect();
        assert_eq!(places, [50, 16, LEAST, LEAST]);
    }

    #[test]
    fn an_isolation_that_gets_on_slowly_ends_after_some_tests() {
        // Of 400 variables, 60 are needed, and none of them alone changes anything.
        let needed: Configuration = (0..60).map(|number| howcome_dd::DeltaId(number * 6)).collect();
        let test =
            |tested: &Configuration| match needed.iter().filter(|delta| tested.contains(*delta)).count() {
                0 => Outcome::Pass,
                60 => Outcome::Fail,
                _ => Outcome::Unresolved,
            };
        let (found, tests) = isolate(&IsolationLimits::default(), Transfer::IN_ORDER[0], test);
        assert!(
            found.limit.is_some() && tests <= MOST_IN_ALL as usize,
            "{:?} after {tests} tests",
            found.limit
        );
    }

    #[test]
    fn an_isolation_that_gets_on_is_never_ended() {
        let limits = IsolationLimits::default();
        (0..9).for_each(|_| drop(isolate(&limits, REVERSE, |_| Outcome::Unresolved)));
        let cause: Configuration = "123".parse().unwrap();
        let (found, tests) = isolate(&limits, REVERSE, |tested| match cause.is_subset(tested) {
            true => Outcome::Fail,
            false => Outcome::Pass,
        });
        assert_eq!((found.found.deltas(), found.limit, tests), (cause, None, 9));
    }
}
