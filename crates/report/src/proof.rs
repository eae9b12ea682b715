//! Why one may believe a finding: the baseline, the two confirmations, minimality. Nothing is claimed that was not tested.

use crate::Summary;
use crate::account::{Claim, Standing};
use crate::finding::Finding;
use crate::printable::printable;
use crate::quantity::{percent, seconds};
use howcome_dd::Outcome;
use howcome_run::{Conclusion, Ending, Observation, Purpose};

pub(crate) fn claims(summary: &Summary, finding: Option<&Finding>) -> Vec<Claim> {
    let mut claims: Vec<Claim> =
        [(Purpose::BaselineFailing, "with everything"), (Purpose::BaselinePassing, "with nothing")]
            .into_iter()
            .filter_map(|(purpose, about)| Some(claim(Standing::Shown, about, seen(summary.check(purpose)?))))
            .collect();
    if let (Some(conclusion), Some(finding)) = (&summary.conclusion, finding) {
        claims.extend(alone(summary, conclusion, finding));
        claims.extend(without(summary, conclusion));
        claims.push(minimal(summary, conclusion, finding));
        claims.extend(conclusion.confidence.map(|confidence| {
            let standing = if confidence < 0.9 { Standing::Doubtful } else { Standing::Shown };
            claim(standing, "confidence", format!("{}; the test is noisy", percent(confidence)))
        }));
    }
    claims
}

fn claim(standing: Standing, about: &str, seen: String) -> Claim {
    Claim { standing, about: about.to_owned(), seen }
}

fn seen(observation: &Observation) -> String {
    let verb = match observation.outcome {
        Outcome::Pass => "passes",
        Outcome::Fail => "fails",
        Outcome::Unresolved => "unresolved",
    };
    let repeats = match observation.tally.runs() {
        0 | 1 => String::new(),
        runs => format!(", {} of {runs} times", observation.tally.count(observation.outcome)),
    };
    let because = printable(&observation.because.to_string());
    format!("{verb} ({because}{repeats}, {})", seconds(observation.took.as_secs_f64()))
}

fn alone(summary: &Summary, conclusion: &Conclusion, finding: &Finding) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmAlone);
    let isolated = matches!(finding, Finding::Deciding { .. });
    let (standing, otherwise) = match conclusion.verified.alone_fails? {
        true => (Standing::Shown, "fails"),
        // A difference that decides may well need what it was tried together with.
        false if isolated => (Standing::Shown, "does not fail: it takes what it was tried with, too"),
        false => (Standing::Doubtful, "did not fail when it was tried again"),
    };
    let seen = match (check, conclusion.verified.alone_fails) {
        (Some(check), Some(true)) => format!("{}, tested afresh", seen(check)),
        (Some(check), _) => format!("{otherwise} ({})", printable(&check.because.to_string())),
        (None, _) => otherwise.to_owned(),
    };
    Some(claim(standing, "alone", seen))
}

fn without(summary: &Summary, conclusion: &Conclusion) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmWithout);
    let passes = conclusion.verified.without_passes?;
    let seen = match (passes, check.map(|check| (check, check.outcome))) {
        (true, Some((check, _))) => seen(check),
        (true, None) => "passes".to_owned(),
        (false, Some((check, Outcome::Fail))) => {
            format!("{}, so the rest holds at least one more cause", seen(check))
        }
        (false, Some((check, _))) => {
            format!(
                "cannot be judged ({}), so there may be other causes",
                printable(&check.because.to_string())
            )
        }
        (false, None) => "does not pass, so there may be other causes".to_owned(),
    };
    Some(claim(if passes { Standing::Shown } else { Standing::Doubtful }, "everything without it", seen))
}

fn minimal(summary: &Summary, conclusion: &Conclusion, finding: &Finding) -> Claim {
    let of = printable(&conclusion.minimal.of);
    let single =
        matches!(finding, Finding::Items { items, .. } | Finding::Deciding { items, .. } if items.len() < 2);
    let (standing, seen) = match (conclusion.minimal.checked, summary.ending) {
        (true, _) if single => (Standing::Shown, format!("yes, in {of}: there is nothing left to take away")),
        (true, _) => (
            Standing::Shown,
            format!("yes, in {of}: each single one was taken away, and the test did not fail any more"),
        ),
        (false, Some(Ending::Found)) => (Standing::Open, format!("not checked: fewer {of} may be enough")),
        (false, _) => (Standing::Open, format!("not yet: fewer {of} may be enough")),
    };
    claim(standing, "minimal", seen)
}
