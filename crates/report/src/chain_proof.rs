//! Why one may believe a cause-effect chain: how many of its causes make the passing run fail by themselves, and how
//! many are needed by the failing one; and how to ask on.

use crate::account::{Claim, Next, Standing};
use crate::chain::{Chain, Variable};
use crate::quantity::{count, thousands};

impl Chain {
    /// What both confirmations showed, over all places.
    pub(crate) fn claims(&self) -> Vec<Claim> {
        let all = self.causes().count() as u64;
        if all == 0 {
            return Vec::new();
        }
        let alone = Tried::of(self, |cause| cause.alone_fails);
        let without = Tried::of(self, |cause| cause.without_passes);
        vec![
            alone.claim("alone", ["the passing run fails with", "alone"], all),
            without.claim("without", ["the failing run passes with", "set back"], all),
        ]
    }

    /// What to do to learn more, for the last place of the chain.
    pub(crate) fn deeper(&self, run: &str) -> Option<Next> {
        let last = self.steps.len();
        (last > 0).then(|| Next {
            purpose: "see how the last of these came to be".to_owned(),
            command: Some(before(run, last)),
        })
    }
}

/// The command that narrows the interval before a step, counted from 1.
pub(crate) fn before(run: &str, step: usize) -> String {
    format!("howcome show {run} --before {step}")
}

/// How a confirmation went.
struct Tried {
    yes: u64,
    no: u64,
}

impl Tried {
    fn of(chain: &Chain, confirmed: fn(&Variable) -> Option<bool>) -> Self {
        let number = |wanted| chain.causes().filter(|cause| confirmed(cause) == Some(wanted)).count() as u64;
        Self { yes: number(true), no: number(false) }
    }

    fn claim(&self, about: &str, [begin, end]: [&str; 2], all: u64) -> Claim {
        let about = about.to_owned();
        let not_tried = match all - self.yes - self.no {
            0 => String::new(),
            left => format!("; {} not tried", thousands(left)),
        };
        let (standing, seen) = match (self.yes, self.no) {
            (0, 0) => (Standing::Open, "not tried".to_owned()),
            (yes, _) if yes == all && all == 1 => (Standing::Shown, format!("{begin} it {end}")),
            (yes, _) if yes == all => {
                (Standing::Shown, format!("{begin} each of {} {end}", count(all, "cause")))
            }
            (yes, _) => {
                let (yes, all) = (thousands(yes), count(all, "cause"));
                (Standing::Open, format!("{begin} {yes} of {all} {end}{not_tried}"))
            }
        };
        Claim { standing, about, seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn seen(alone: &[Option<bool>]) -> (Standing, String) {
        let causes: Vec<_> =
            alone.iter().map(|alone| json!({"variable": "x", "alone_fails": alone})).collect();
        let chain = Chain::of(&json!({"chain": [{"causes": causes}]})).unwrap();
        let claim = chain.claims().swap_remove(0);
        (claim.standing, claim.seen)
    }

    #[test]
    fn nothing_is_claimed_that_no_test_showed() {
        assert_eq!(seen(&[None]), (Standing::Open, "not tried".into()));
        assert_eq!(seen(&[Some(true)]), (Standing::Shown, "the passing run fails with it alone".into()));
        assert_eq!(
            seen(&[Some(true), Some(true)]),
            (Standing::Shown, "the passing run fails with each of 2 causes alone".into())
        );
        assert_eq!(
            seen(&[Some(true), Some(false), None]),
            (Standing::Open, "the passing run fails with 1 of 3 causes alone; 1 not tried".into())
        );
        assert!(Chain::default().claims().is_empty());
    }
}
