//! Why one may believe a finding: the baseline, the two confirmations, minimality. Nothing is claimed that was not tested.

use crate::Summary;
use crate::account::{Claim, Standing, details};
use crate::finding::FindingReport;
use crate::finding::changes::confirmation::confirmations;
use crate::finding::history::HistoryReport;
use crate::finding::items::ItemsReport;
use howcome_dd::Outcome;
use howcome_run::words::{count, percent, printable};
use howcome_run::{Conclusion, Ending, Observation, Purpose, QuestionName};

pub(crate) fn claims(summary: &Summary, finding: Option<&FindingReport>) -> Vec<Claim> {
    let mut claims = Vec::new();
    if let (Some(conclusion), Some(finding)) = (&summary.conclusion, finding) {
        claims.extend(together(summary, finding));
        match finding {
            FindingReport::Changes(cause) => claims.extend(confirmations(summary, conclusion, cause)),
            FindingReport::History(history) => {
                let cause = history.cause.iter();
                claims.extend(cause.flat_map(|cause| confirmations(summary, conclusion, cause)));
                claims.extend(history.claims(summary.ending));
            }
            FindingReport::Chain(chain) => claims.extend(chain.claims(conclusion, summary.ending)),
            _ => {
                claims.extend(alone(summary, conclusion, finding));
                claims.extend(without(summary, conclusion, finding));
            }
        }
        let is_answered =
            finding.chain().is_none() && (finding.history().is_none() || finding.cause().is_some());
        claims.extend(is_answered.then(|| minimal(summary, conclusion, finding)));
        claims.extend(conclusion.confidence.map(|confidence| {
            let standing = if confidence < 0.9 { Standing::Doubtful } else { Standing::Shown };
            // A noisy test never makes certain.
            let how_sure =
                if confidence > 0.999 { "more than 99.9 %".to_owned() } else { percent(confidence) };
            claim(standing, "confidence", format!("{how_sure}; the test is noisy"))
        }));
    }
    let is_mend = finding.and_then(FindingReport::cause).is_some_and(|cause| cause.fix);
    let (everything, nothing) = match summary.question {
        QuestionName::Changes if is_mend => ("new version", "old version"),
        QuestionName::Changes => ("bad version", "good version"),
        // A chain has a baseline at each place, and its last line says what both runs do.
        QuestionName::State => return claims,
        QuestionName::History => {
            claims.extend(newest(summary, finding));
            return claims;
        }
        _ if finding.and_then(FindingReport::difference).is_some() => ("failing input", "passing input"),
        _ => ("everything", "nothing"),
    };
    for (purpose, about) in [(Purpose::BaselineFailing, everything), (Purpose::BaselinePassing, nothing)] {
        claims.extend(summary.check(purpose).map(|check| match summary.ending {
            // Where the two sides are not what they should be, there is no verdict to give.
            Some(Ending::Refused) => claim(Standing::Open, about, printable(&check.because.to_string())),
            _ if is_mend => claim(Standing::Shown, about, seen_of_a_mend(check)),
            _ => claim(Standing::Shown, about, seen(check)),
        }));
    }
    claims
}

/// What the revision in question does. Later ones of its kind are the baselines of searches on the way.
fn newest(summary: &Summary, finding: Option<&FindingReport>) -> Option<Claim> {
    let check = summary.checks.iter().find(|check| check.purpose == Purpose::BaselineFailing)?;
    let about = finding.and_then(FindingReport::history).map(HistoryReport::newest);
    let about = about.unwrap_or_else(|| "newest".to_owned());
    Some(match summary.ending {
        Some(Ending::Refused) => {
            claim(Standing::Open, &about, printable(&check.observation.because.to_string()))
        }
        _ => claim(Standing::Shown, &about, seen(&check.observation)),
    })
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
    format!("{verb} ({})", details(observation))
}

/// Where the question is what mended it, a search takes for the failure what the mended version does.
fn seen_of_a_mend(observation: &Observation) -> String {
    let verb = match observation.outcome {
        Outcome::Pass => "fails",
        Outcome::Fail => "passes",
        Outcome::Unresolved => "unresolved",
    };
    format!("{verb} ({})", details(observation))
}

/// What an isolating search has tested by the time it ends, whatever the confirmations say.
fn together(summary: &Summary, finding: &FindingReport) -> Option<Claim> {
    if finding.difference().is_some() {
        let seen = "what fails fails with it, what passes passes without it".to_owned();
        return (summary.ending == Some(Ending::Found)).then(|| claim(Standing::Shown, "decides", seen));
    }
    let FindingReport::Items(ItemsReport { items, beside: Some(beside), .. }) = finding else { return None };
    let it = if items.len() == 1 { "it" } else { "them" };
    let about = match beside.len() as u64 {
        0 => "by itself".to_owned(),
        others => format!("with {}", count(others, "other")),
    };
    (summary.ending == Some(Ending::Found))
        .then(|| claim(Standing::Shown, &about, format!("fails with {it}, passes without {it}")))
}

fn alone(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmAlone);
    let (standing, otherwise) = match conclusion.verified.alone_fails? {
        true => (Standing::Shown, "fails"),
        // A difference that decides may well need what it was tried together with.
        false if finding.is_a_difference() => {
            (Standing::Shown, "does not fail: it takes what it was tried with, too")
        }
        false => (Standing::Doubtful, "did not fail when it was tried again"),
    };
    let seen = match (check, conclusion.verified.alone_fails) {
        (Some(check), Some(true)) => format!("{}, tested afresh", seen(check)),
        (Some(check), _) => format!("{otherwise} ({})", printable(&check.because.to_string())),
        (None, _) => otherwise.to_owned(),
    };
    let about = if finding.difference().is_some() { "passing input with it" } else { "alone" };
    Some(claim(standing, about, seen))
}

fn without(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmWithout);
    let passes = conclusion.verified.without_passes?;
    let (standing, seen) = match (passes, check) {
        (true, Some(check)) => (Standing::Shown, seen(check)),
        (true, None) => (Standing::Shown, "passes".to_owned()),
        (false, Some(check)) if check.outcome == Outcome::Fail => {
            (Standing::Doubtful, format!("{}, so there is at least one more cause", seen(check)))
        }
        (false, Some(check)) => {
            let because = printable(&check.because.to_string());
            (Standing::Open, format!("cannot be judged ({because}), so there may be other causes"))
        }
        (false, None) => (Standing::Open, "does not pass, so there may be other causes".to_owned()),
    };
    let about = if finding.difference().is_some() { "failing input without it" } else { "everything else" };
    Some(claim(standing, about, seen))
}

fn minimal(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Claim {
    let of = conclusion.minimal.of.plural();
    let nothing_to_take_away = match finding {
        // Without its only delta, a difference is none.
        FindingReport::Items(items) if items.beside.is_some() => items.items.len() < 2,
        FindingReport::Items(items) => items.items.is_empty(),
        FindingReport::Input(input) => input.is_nothing(),
        FindingReport::Difference(difference) => difference.deltas < 2,
        _ => finding.cause().is_some_and(|cause| cause.is_single(conclusion.minimal.of)),
    };
    let fails = if finding.cause().is_some_and(|cause| cause.fix) { "passes" } else { "fails" };
    let (standing, seen) = match (conclusion.minimal.checked, summary.ending) {
        (true, _) if nothing_to_take_away => {
            (Standing::Shown, format!("yes, in {of}: there is nothing left to take away"))
        }
        (true, _) => {
            (Standing::Shown, format!("yes, in {of}: each single removal was tried, and none {fails}"))
        }
        (false, Some(Ending::Found)) => (Standing::Open, format!("not checked: fewer {of} may be enough")),
        (false, Some(Ending::Undecided)) => {
            (Standing::Open, format!("not known: fewer {of} may be enough, but they cannot be tested"))
        }
        (false, _) => (Standing::Open, format!("not yet: fewer {of} may be enough")),
    };
    claim(standing, "minimal", seen)
}
