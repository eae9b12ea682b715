//! The proof of a cause-effect chain: at how many places the variables make the passing run fail, and at how many the
//! failing run passes without them; and the command that goes further back.

use crate::account::{Claim, NextStep, Standing};
use crate::finding::chain::ChainReport;
use howcome_run::words::{count, thousands};
use howcome_run::{ChainStep, Conclusion, DecidingVariable, Ending};

impl ChainReport {
    /// What both confirmations showed, and whether fewer variables might be enough. The variables of one place decide
    /// together, so the claims are about places.
    pub(crate) fn claims(&self, conclusion: &Conclusion, ending: Option<Ending>) -> Vec<Claim> {
        let steps: Vec<&ChainStep> = self.steps.iter().filter(|step| !step.causes.is_empty()).collect();
        if steps.is_empty() {
            return Vec::new();
        }
        let alone = ConfirmationCount::of(&steps, |cause| cause.alone_fails);
        let without = ConfirmationCount::of(&steps, |cause| cause.without_passes);
        vec![
            alone.claim("alone", &ALONE, &steps),
            without.claim("without", &WITHOUT, &steps),
            minimal(&steps, conclusion.minimal.checked, ending),
        ]
    }

    /// The command that goes back from the last place of the chain from which there is a way back.
    pub(crate) fn deeper(&self, run: &str) -> Option<NextStep> {
        let last = self.steps.iter().rposition(|step| !step.has_no_way_back)? + 1;
        Some(NextStep {
            purpose: "see where the last cause comes from".to_owned(),
            command: Some(before(run, last)),
        })
    }
}

/// The command that searches before a step, counted from 1.
pub(crate) fn before(run: &str, step: usize) -> String {
    format!("howcome show {run} --before {step}")
}

fn minimal(steps: &[&ChainStep], is_checked: bool, ending: Option<Ending>) -> Claim {
    let is_single = steps.iter().all(|step| step.causes.len() == 1);
    let (standing, seen) = match (is_checked, ending) {
        (true, _) if is_single && steps.len() == 1 => (Standing::Shown, "yes: it is a single variable"),
        (true, _) if is_single => (Standing::Shown, "yes: it is a single variable at each place"),
        (true, _) => (Standing::Shown, "yes: at each place, every variable is needed"),
        (false, Some(Ending::Found)) => (Standing::Open, "not checked: fewer variables might be enough"),
        (false, Some(Ending::Undecided)) => {
            (Standing::Open, "not known: fewer variables might be enough, but they cannot be tested")
        }
        (false, _) => (Standing::Open, "not yet: fewer variables might be enough"),
    };
    Claim { standing, about: "minimal".to_owned(), seen: seen.to_owned() }
}

/// How a confirmation went, in places.
struct ConfirmationCount {
    yes: u64,
    no: u64,
}

impl ConfirmationCount {
    fn of(steps: &[&ChainStep], confirmed: fn(&DecidingVariable) -> Option<bool>) -> Self {
        let all = |step: &&&ChainStep| step.causes.iter().all(|cause| confirmed(cause) == Some(true));
        let not = |step: &&&ChainStep| step.causes.iter().any(|cause| confirmed(cause) == Some(false));
        Self { yes: steps.iter().filter(all).count() as u64, no: steps.iter().filter(not).count() as u64 }
    }

    fn claim(&self, about: &str, confirmation: &Confirmation, steps: &[&ChainStep]) -> Claim {
        let all = steps.len() as u64;
        let places = count(all, "place");
        let not_tested = match all.saturating_sub(self.yes + self.no) {
            0 => String::new(),
            left => format!("; {} not tested", thousands(left)),
        };
        let Confirmation { does, does_not, after } = confirmation;
        let (standing, seen) = match (self.yes, self.no, steps) {
            (0, 0, _) => (Standing::Open, "not tested".to_owned()),
            (yes, _, [only]) => {
                let it = if only.causes.len() == 1 { "it" } else { "them" };
                match yes {
                    0 => (Standing::Open, format!("{does_not} {it}{after}")),
                    _ => (Standing::Shown, format!("{does} {it}{after}")),
                }
            }
            (yes, ..) if yes == all => {
                (Standing::Shown, format!("at each of {places}, {does} these variables{after}"))
            }
            (yes, ..) => {
                let yes = if yes == 0 { "none".to_owned() } else { thousands(yes) };
                (Standing::Open, format!("at {yes} of {places}, {does} these variables{after}{not_tested}"))
            }
        };
        Claim { standing, about: about.to_owned(), seen }
    }
}

/// What a confirmation shows, before and after the variables.
struct Confirmation {
    does: &'static str,
    does_not: &'static str,
    after: &'static str,
}

const ALONE: Confirmation = Confirmation {
    does: "the passing run fails with",
    does_not: "the passing run does not fail with",
    after: " alone",
};

const WITHOUT: Confirmation = Confirmation {
    does: "the failing run passes without",
    does_not: "the failing run does not pass without",
    after: "",
};

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::{Minimal, RecordedFinding, Verified};
    use serde_json::{Value, json};

    fn claims(places: &[&[Option<bool>]]) -> Vec<(Standing, String)> {
        let cause =
            |tried: &Option<bool>| json!({"variable": "x", "alone_fails": tried, "without_passes": tried});
        let step = |tried: &&[Option<bool>]| json!({"causes": tried.iter().map(cause).collect::<Vec<_>>()});
        let steps: Vec<Value> = places.iter().map(step).collect();
        let chain = ChainReport(serde_json::from_value(json!({"chain": steps})).unwrap());
        let conclusion = Conclusion {
            finding: RecordedFinding::default(),
            minimal: Minimal::new(howcome_run::Unit::Variable, true),
            verified: Verified::default(),
            confidence: None,
        };
        let claims = chain.claims(&conclusion, Some(Ending::Found));
        claims.into_iter().map(|claim| (claim.standing, claim.seen)).collect()
    }

    fn alone(places: &[&[Option<bool>]]) -> (Standing, String) {
        claims(places).swap_remove(0)
    }

    const YES: Option<bool> = Some(true);
    const NO: Option<bool> = Some(false);

    #[test]
    fn nothing_is_claimed_that_no_test_showed() {
        assert_eq!(alone(&[&[None]]), (Standing::Open, "not tested".into()));
        assert_eq!(alone(&[&[YES]]), (Standing::Shown, "the passing run fails with it alone".into()));
        assert_eq!(alone(&[&[NO]]), (Standing::Open, "the passing run does not fail with it alone".into()));
        assert_eq!(
            alone(&[&[YES], &[NO], &[None]]),
            (
                Standing::Open,
                "at 1 of 3 places, the passing run fails with these variables alone; 1 not tested".into()
            )
        );
        assert!(claims(&[]).is_empty() && claims(&[&[]]).is_empty());
    }

    #[test]
    fn variables_that_decide_together_are_one_claim() {
        assert_eq!(alone(&[&[YES, YES]]), (Standing::Shown, "the passing run fails with them alone".into()));
        let claims = claims(&[&[YES, YES], &[YES]]);
        let seen: Vec<&str> = claims.iter().map(|(_, seen)| seen.as_str()).collect();
        assert_eq!(
            seen,
            [
                "at each of 2 places, the passing run fails with these variables alone",
                "at each of 2 places, the failing run passes without these variables",
                "yes: at each place, every variable is needed",
            ]
        );
    }
}
