//! What the two confirmations showed about a cause: applied alone to the good version it fails, taken alone from the
//! bad version it passes. Each is said only where a test showed it; otherwise, what was seen instead.

use crate::Summary;
use crate::account::details;
use crate::account::{Claim, Standing};
use crate::finding::changes::ChangesReport;
use howcome_dd::Outcome;
use howcome_run::words::printable;
use howcome_run::{Conclusion, Ending, Observation, Purpose};

/// The claims about a cause.
pub(crate) fn confirmations(summary: &Summary, conclusion: &Conclusion, cause: &ChangesReport) -> Vec<Claim> {
    let alone = alone(check(summary, cause, Purpose::ConfirmAlone), conclusion, cause);
    let without = without(check(summary, cause, Purpose::ConfirmWithout), conclusion, cause);
    let claims = [
        ("alone", conclusion.verified.alone_fails, alone),
        ("without", conclusion.verified.without_passes, without),
    ];
    claims
        .into_iter()
        // Before the end there is nothing that could have been confirmed.
        .filter(|(_, verified, _)| verified.is_some() || summary.ending == Some(Ending::Found))
        .map(|(about, _, (standing, seen))| Claim { standing, about: about.to_owned(), seen })
        .collect()
}

/// The test that confirms it. Where there are several causes, the record does not say which one a test was about.
fn check<'a>(summary: &'a Summary, cause: &ChangesReport, purpose: Purpose) -> Option<&'a Observation> {
    summary.check(purpose).filter(|_| cause.further.is_empty())
}

fn alone(check: Option<&Observation>, conclusion: &Conclusion, cause: &ChangesReport) -> (Standing, String) {
    let good = cause.good_version();
    let applied = match cause.needs.is_empty() {
        true => format!("applied alone to {good}"),
        false => format!("applied alone to {good}, with what it needs,"),
    };
    let fails = if cause.fix { "passes" } else { "fails" };
    let fail = cause.effect();
    match (conclusion.verified.alone_fails, check) {
        (Some(true), Some(check)) => {
            (Standing::Shown, format!("{applied} it {fails} ({}), tested afresh", details(check)))
        }
        (Some(true), None) => (Standing::Shown, format!("{applied} it {fails}")),
        (Some(false), Some(check)) if check.outcome == Outcome::Unresolved => {
            (Standing::Open, format!("{applied} it cannot be judged ({})", because(check)))
        }
        (Some(false), Some(check)) => {
            let because = because(check);
            (Standing::Open, format!("{applied} it does not {fail} ({because}): it takes other changes, too"))
        }
        (Some(false), None) => (Standing::Open, format!("{applied} it does not {fail}, or cannot be judged")),
        (None, _) => (Standing::Open, format!("could not be tried on {good}")),
    }
}

fn without(
    check: Option<&Observation>,
    conclusion: &Conclusion,
    cause: &ChangesReport,
) -> (Standing, String) {
    let from = cause.taken_from();
    let taken = format!("taken alone from {from}");
    let (fails, passes) = if cause.fix { ("passes", "fails") } else { ("fails", "passes") };
    let pass = if cause.fix { "fail" } else { "pass" };
    let known_others = !cause.further.is_empty();
    match (conclusion.verified.without_passes, check) {
        (Some(true), Some(check)) => (Standing::Shown, format!("{taken} it {passes} ({})", details(check))),
        (Some(true), None) => (Standing::Shown, format!("{taken} it {passes}")),
        (Some(false), _) if known_others => {
            (Standing::Shown, format!("{taken} it does not {pass}: there are the further causes"))
        }
        (Some(false), Some(check)) if check.outcome == Outcome::Fail => {
            let details = details(check);
            (
                Standing::Doubtful,
                format!("{taken} it still {fails} ({details}), so there is at least one more cause"),
            )
        }
        (Some(false), Some(check)) => {
            let because = because(check);
            (Standing::Open, format!("{taken} it cannot be judged ({because}), so there may be other causes"))
        }
        (Some(false), None) => {
            (Standing::Open, format!("{taken} it does not {pass}, so there may be other causes"))
        }
        (None, _) if cause.is_covered() => {
            let bad = cause.bad_version();
            (Standing::Open, format!("could not be tried on {bad}: later changes touch the same lines"))
        }
        (None, _) => (Standing::Open, format!("could not be tried on {from}")),
    }
}

fn because(check: &Observation) -> String {
    printable(&check.because.to_string())
}
