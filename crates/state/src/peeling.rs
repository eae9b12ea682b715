//! Peeling: the few differences that spoil a transfer are found and left out.
//!
//! All differences together should do what the other run does. If they do something else, such as crash in `malloc`, some of
//! them do not fit the run that is altered: a table whose size another variable has, an object that was read wrongly. They
//! are found one after the other by halving, and left out, until the rest does what the other run does.

use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// At most this number of differences is left out one by one.
const MOST_LEFT_OUT: usize = 24;
/// At most this number of altered runs is tried.
const MOST_RUNS: usize = 240;

/// What an altered run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferResult {
    /// What the other run does.
    Transferred,
    /// What the run does if it is not altered.
    Unchanged,
    /// Something else.
    Spoiled,
}

/// What is left of the differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Peeled {
    /// These differences do what the other run does.
    Transferable(Configuration),
    /// Nothing does. These differences spoil it.
    Spoiled(Vec<DeltaId>),
}

/// The names of variables that spoiled a transfer elsewhere in the same runs. They most probably do so everywhere.
#[derive(Debug, Default)]
pub struct KnownSpoilers(Mutex<BTreeSet<String>>);

impl KnownSpoilers {
    pub(crate) fn contains(&self, variable: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(variable)
    }

    pub(crate) fn add(&self, variables: impl Iterator<Item = String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(variables);
    }
}

/// Finds differences without which the others transfer what the other run does. `all` of them spoil it, `suspects` spoiled it
/// elsewhere. An altered run that cannot be judged ends the peeling with an error.
pub(crate) fn peel<E>(
    all: &Configuration,
    suspects: &Configuration,
    mut run: impl FnMut(&Configuration) -> Result<TransferResult, E>,
) -> Result<Peeled, E> {
    let mut left_out: Vec<DeltaId> = Vec::new();
    // If they change nothing, something is missing, and nothing spoils it.
    match run(all)? {
        TransferResult::Transferred => return Ok(Peeled::Transferable(all.clone())),
        TransferResult::Unchanged => return Ok(Peeled::Spoiled(left_out)),
        TransferResult::Spoiled => {}
    }
    let mut runs = 1;
    let mut left = all.clone();
    if !suspects.is_empty() && suspects.len() < all.len() {
        let trusted = all.without(suspects);
        runs += 1;
        match run(&trusted)? {
            TransferResult::Transferred => return Ok(Peeled::Transferable(trusted)),
            TransferResult::Spoiled => {
                left_out.extend(suspects.iter());
                left = trusted;
            }
            TransferResult::Unchanged => {}
        }
    }
    let suspected = left_out.len();
    while left_out.len() - suspected < MOST_LEFT_OUT && runs < MOST_RUNS {
        // Nothing spoils `low`, something spoils `high`.
        let (mut low, mut high) = (Configuration::empty(), left.clone());
        loop {
            let between: Vec<DeltaId> = high.without(&low).iter().collect();
            if between.len() <= 1 {
                left_out.extend(between.iter());
                left = left.without(&between.into_iter().collect());
                break;
            }
            let half: Configuration = between[..between.len() / 2].iter().copied().collect();
            let middle = low.with(&half);
            runs += 1;
            match run(&middle)? {
                TransferResult::Spoiled => high = middle,
                _ => low = middle,
            }
        }
        if left.is_empty() {
            break;
        }
        runs += 1;
        match run(&left)? {
            TransferResult::Transferred => return Ok(Peeled::Transferable(left)),
            TransferResult::Unchanged => break,
            TransferResult::Spoiled => {}
        }
    }
    Ok(Peeled::Spoiled(left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn set(numbers: &[u32]) -> Configuration {
        numbers.iter().map(|number| DeltaId(*number)).collect()
    }

    /// A world in which each of the spoilers spoils, and all of the causes together transfer.
    fn world(
        spoilers: &[u32],
        causes: &[u32],
    ) -> impl FnMut(&Configuration) -> Result<TransferResult, Infallible> {
        let (spoilers, causes) = (set(spoilers), set(causes));
        move |tried| {
            Ok(if spoilers.iter().any(|spoiler| tried.contains(spoiler)) {
                TransferResult::Spoiled
            } else if causes.iter().all(|cause| tried.contains(cause)) {
                TransferResult::Transferred
            } else {
                TransferResult::Unchanged
            })
        }
    }

    #[test]
    fn a_cause_that_spoils_cannot_be_left_out() {
        let Ok(peeled) = peel(&Configuration::all(20), &Configuration::empty(), world(&[7], &[7]));
        assert_eq!(peeled, Peeled::Spoiled(vec![DeltaId(7)]));
    }

    #[test]
    fn nothing_spoils_a_transfer_that_changes_nothing() {
        let Ok(peeled) = peel(&set(&[1, 2]), &Configuration::empty(), world(&[], &[9]));
        assert_eq!(peeled, Peeled::Spoiled(Vec::new()));
    }

    #[test]
    fn what_spoiled_elsewhere_is_tried_first() {
        let mut runs = 0;
        let mut world = world(&[3, 5], &[9]);
        let counted = |tried: &Configuration| {
            runs += 1;
            world(tried)
        };
        let Ok(peeled) = peel(&Configuration::all(20), &set(&[3, 5]), counted);
        assert_eq!(peeled, Peeled::Transferable(Configuration::all(20).without(&set(&[3, 5]))));
        assert_eq!(runs, 2, "all of them, and all but these");
    }

    proptest! {
        #[test]
        fn only_the_differences_that_spoil_are_left_out(
            spoilers in proptest::collection::btree_set(0u32..300, 1..10),
            cause in 300u32..320,
        ) {
            let spoilers: Vec<u32> = spoilers.into_iter().collect();
            let Ok(peeled) = peel(&Configuration::all(320), &Configuration::empty(), world(&spoilers, &[cause]));
            prop_assert_eq!(peeled, Peeled::Transferable(Configuration::all(320).without(&set(&spoilers))));
        }
    }
}
