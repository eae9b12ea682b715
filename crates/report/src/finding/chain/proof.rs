//! Why one may believe a cause-effect chain: at how many places what was found makes the passing run fail by itself, and
//! at how many it is needed by the failing one; and how to ask on.

use crate::account::{Claim, NextStep, Standing};
use crate::finding::chain::ChainReport;
use howcome_run::words::{count, thousands};
use howcome_run::{ChainStep, Conclusion, DecidingVariable, Ending};

impl ChainReport {
    /// What both confirmations showed, and whether fewer variables may be enough. The variables of one place decide
    /// together, so what is claimed is claimed of places.
    pub(crate) fn claims(&self, conclusion: &Conclusion, ending: Option<Ending>) -> Vec<Claim> {
        let steps: Vec<&ChainStep> = self.steps.iter().filter(|step| !step.causes.is_empty()).collect();
        if steps.is_empty() {
            return Vec::new();
        }
        let alone = ConfirmationCount::of(&steps, |cause| cause.alone_fails);
        let without = ConfirmationCount::of(&steps, |cause| cause.without_passes);
        vec![
            alone.claim("alone", ["the passing run fails with", ", alone"], &steps),
            without.claim("without", ["the failing run passes without", ""], &steps),
            minimal(&steps, conclusion.minimal.checked, ending),
        ]
    }

    /// What to do to learn more, for the last place of the chain.
    pub(crate) fn deeper(&self, run: &str) -> Option<NextStep> {
        let last = self.steps.len();
        (last > 0).then(|| NextStep {
            purpose: "see how the last of these came to be".to_owned(),
            command: Some(before(run, last)),
        })
    }
}

/// The command that narrows the interval before a step, counted from 1.
pub(crate) fn before(run: &str, step: usize) -> String {
    format!("howcome show {run} --before {step}")
}

fn minimal(steps: &[&ChainStep], is_checked: bool, ending: Option<Ending>) -> Claim {
    let is_single = steps.iter().all(|step| step.causes.len() == 1);
    let (standing, seen) = match (is_checked, ending) {
        (true, _) if is_single && steps.len() == 1 => (Standing::Shown, "yes: it is a single variable"),
        (true, _) if is_single => (Standing::Shown, "yes: it is a single variable at each place"),
        (true, _) => (Standing::Shown, "yes: of those that are named together, each is needed"),
        (false, Some(Ending::Found)) => (Standing::Open, "not checked: fewer variables may be enough"),
        (false, Some(Ending::Undecided)) => {
            (Standing::Open, "not known: fewer variables may be enough, but they cannot be tested")
        }
        (false, _) => (Standing::Open, "not yet: fewer variables may be enough"),
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

    fn claim(&self, about: &str, [begin, end]: [&str; 2], steps: &[&ChainStep]) -> Claim {
        let all = steps.len() as u64;
        let places = count(all, "place");
        let not_tried = match all.saturating_sub(self.yes + self.no) {
            0 => String::new(),
            left => format!("; {} not tried", thousands(left)),
        };
        let (standing, seen) = match (self.yes, self.no, steps) {
            (0, 0, _) => (Standing::Open, "not tried".to_owned()),
            (1, _, [only]) => {
                let it = if only.causes.len() == 1 { "it" } else { "them" };
                (Standing::Shown, format!("{begin} {it}{end}").replace(", alone", " alone"))
            }
            (0, _, [_]) => {
                let does_not = begin.replace(" fails", " does not fail").replace(" passes", " does not pass");
                (Standing::Open, format!("{does_not} what was found{end}"))
            }
            (yes, ..) if yes == all => {
                (Standing::Shown, format!("{begin} what was found at each of {places}{end}"))
            }
            (yes, ..) => {
                let yes = if yes == 0 { "none".to_owned() } else { thousands(yes) };
                (Standing::Open, format!("{begin} what was found at {yes} of {places}{end}{not_tried}"))
            }
        };
        Claim { standing, about: about.to_owned(), seen }
    }
}

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
            minimal: Minimal { of: howcome_run::Unit::Variable, checked: true },
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
        assert_eq!(alone(&[&[None]]), (Standing::Open, "not tried".into()));
        assert_eq!(alone(&[&[YES]]), (Standing::Shown, "the passing run fails with it alone".into()));
        assert_eq!(
            alone(&[&[NO]]),
            (Standing::Open, "the passing run does not fail with what was found, alone".into())
        );
        assert_eq!(
            alone(&[&[YES], &[NO], &[None]]),
            (
                Standing::Open,
                "the passing run fails with what was found at 1 of 3 places, alone; 1 not tried".into()
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
                "the passing run fails with what was found at each of 2 places, alone",
                "the failing run passes without what was found at each of 2 places",
                "yes: of those that are named together, each is needed",
            ]
        );
    }
}
