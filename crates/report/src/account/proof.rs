//! The proof of a finding: the two confirmations, minimality, the baseline. Only what was tested is claimed.

use crate::Summary;
use crate::account::{Claim, Standing, details};
use crate::finding::FindingReport;
use crate::finding::changes::ChangesReport;
use crate::finding::changes::confirmation::confirmations;
use crate::finding::history::HistoryReport;
use crate::finding::items::ItemsReport;
use howcome_dd::Outcome;
use howcome_run::words::{count, percent, printable};
use howcome_run::{Conclusion, EndedAfter, EndedStage, Ending, Observation, Purpose, QuestionName, Unit};

pub(crate) fn claims(summary: &Summary, finding: Option<&FindingReport>) -> Vec<Claim> {
    let mut claims = Vec::new();
    // If the sides are not what they should be, nothing was searched.
    let conclusion = summary.conclusion.as_ref().filter(|_| summary.ending != Some(Ending::Refused));
    if let (Some(conclusion), Some(finding)) = (conclusion, finding) {
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
        claims.extend(finding.cause().and_then(|cause| ended_early(conclusion, cause)));
        claims.extend(conclusion.confidence.map(|confidence| {
            let standing = if confidence < 0.9 { Standing::Doubtful } else { Standing::Shown };
            // A noisy test never gives certainty.
            let how_sure =
                if confidence > 0.999 { "more than 99.9 %".to_owned() } else { percent(confidence) };
            claim(standing, "confidence", format!("{how_sure}; the test is noisy"))
        }));
    }
    let is_fix = finding.and_then(FindingReport::cause).is_some_and(|cause| cause.fix);
    let (everything, nothing) = match summary.question {
        QuestionName::Changes if is_fix => ("the new version", "the old version"),
        QuestionName::Changes => ("the bad version", "the good version"),
        // A chain has a baseline at each place, and its last line says what both runs do.
        QuestionName::State => return claims,
        QuestionName::History => {
            claims.extend(newest(summary, finding));
            return claims;
        }
        _ if finding.and_then(FindingReport::difference).is_some() => {
            ("the failing input", "the passing input")
        }
        _ => ("the test with everything", "the test with nothing"),
    };
    for (purpose, side) in [(Purpose::BaselineFailing, everything), (Purpose::BaselinePassing, nothing)] {
        claims.extend(summary.check(purpose).map(|check| baseline(summary, side, check, is_fix)));
    }
    claims
}

/// How a side of the baseline ended. If the sides are not what they should be, that is neither a pass nor a failure.
fn baseline(summary: &Summary, side: &str, check: &Observation, is_fix: bool) -> Claim {
    match summary.ending {
        Some(Ending::Refused) => claim(Standing::Open, side, printable(&check.because.to_string())),
        _ => claim(Standing::Shown, &format!("{side} {}", verb(check, is_fix)), details(check)),
    }
}

/// What the revision in question does. Later baselines belong to the searches between other revisions.
fn newest(summary: &Summary, finding: Option<&FindingReport>) -> Option<Claim> {
    let check = summary.checks.iter().find(|check| check.purpose == Purpose::BaselineFailing)?;
    let newest = finding.and_then(FindingReport::history).map(HistoryReport::newest);
    let newest = newest.unwrap_or_else(|| "the newest revision".to_owned());
    Some(baseline(summary, &newest, &check.observation, false))
}

fn claim(standing: Standing, about: &str, seen: String) -> Claim {
    Claim { standing, about: about.to_owned(), seen }
}

/// With `--fix`, the search takes for the failure what the fixed version does.
fn verb(observation: &Observation, is_fix: bool) -> &'static str {
    match (observation.outcome, is_fix) {
        (Outcome::Pass, false) | (Outcome::Fail, true) => "passes",
        (Outcome::Fail, false) | (Outcome::Pass, true) => "fails",
        (Outcome::Unresolved, _) => "is unresolved",
    }
}

/// What an isolating search has tested when it ends, whatever the confirmations show.
fn together(summary: &Summary, finding: &FindingReport) -> Option<Claim> {
    if summary.ending != Some(Ending::Found) {
        return None;
    }
    if finding.difference().is_some() {
        let seen = "the failing side fails, the passing side passes".to_owned();
        return Some(claim(Standing::Shown, "it decides", seen));
    }
    let FindingReport::Items(ItemsReport { items, beside: Some(beside), .. }) = finding else { return None };
    let it = if items.len() == 1 { "it" } else { "them" };
    let about = match beside.len() as u64 {
        0 => "alone".to_owned(),
        others => format!("together with {}", count(others, "other item")),
    };
    Some(claim(Standing::Shown, &about, format!("fails with {it}, passes without {it}")))
}

fn alone(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmAlone);
    let fails = conclusion.verified.alone_fails?;
    let (tested, others) = match finding {
        FindingReport::Difference(_) => ("added to the passing input", "other differences"),
        _ if check.is_some() => ("re-tested alone", "other items"),
        _ => ("alone", "other items"),
    };
    let about = format!("{tested}, the test {}", if fails { "fails" } else { "does not fail" });
    let seen = check.map(|check| if fails { details(check) } else { because(check) }).unwrap_or_default();
    Some(match fails {
        true => claim(Standing::Shown, &about, seen),
        // A difference that decides can need what it was found with.
        false if finding.is_a_difference() => {
            claim(Standing::Shown, &about, with_reason(&seen, &format!("{others} are needed too")))
        }
        false => claim(Standing::Doubtful, &about, seen),
    })
}

fn without(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Option<Claim> {
    let check = summary.check(Purpose::ConfirmWithout);
    let passes = conclusion.verified.without_passes?;
    let removed = match finding {
        FindingReport::Difference(_) => "removed from the failing input",
        FindingReport::Items(items) if items.items.len() != 1 => "without them",
        _ => "without it",
    };
    let is_judged = |check: &Observation| check.outcome != Outcome::Unresolved;
    let seen = check.map(|check| if is_judged(check) { details(check) } else { because(check) });
    let seen = seen.unwrap_or_default();
    let (standing, verb, seen) = match (passes, check.map(|check| check.outcome)) {
        (true, _) => (Standing::Shown, "passes", seen),
        (false, Some(Outcome::Fail)) => {
            (Standing::Doubtful, "still fails", with_reason(&seen, "there is at least one more cause"))
        }
        (false, _) => (Standing::Open, "does not pass", with_reason(&seen, "there might be other causes")),
    };
    Some(claim(standing, &format!("{removed}, the test {verb}"), seen))
}

fn because(check: &Observation) -> String {
    printable(&check.because.to_string())
}

/// `exit code 0: other items are needed too`
fn with_reason(seen: &str, reason: &str) -> String {
    if seen.is_empty() { reason.to_owned() } else { format!("{seen}: {reason}") }
}

/// The stages whose searches ended at a limit, except for the limit that the line before it names.
fn ended_early(conclusion: &Conclusion, cause: &ChangesReport) -> Option<Claim> {
    let named = conclusion.minimal.ended_after;
    let stages = cause.ended_stages.iter().filter(|ended| Some(ended.ended_after) != named);
    let stages: Vec<String> =
        stages.map(|EndedStage { stage, ended_after }| format!("{stage} after {ended_after}")).collect();
    let goes_on = if named.is_none() { "; `howcome resume --thorough` continues" } else { "" };
    let seen = format!("{}{goes_on}", stages.join(", "));
    (!stages.is_empty()).then(|| claim(Standing::Open, "searches that ended early", seen))
}

fn minimal(summary: &Summary, conclusion: &Conclusion, finding: &FindingReport) -> Claim {
    let unit = conclusion.minimal.of;
    let is_single = match finding {
        // Without its only delta, a difference is not a difference.
        FindingReport::Items(items) if items.beside.is_some() => items.items.len() < 2,
        FindingReport::Items(items) => items.items.is_empty(),
        FindingReport::Input(input) => input.is_nothing(),
        FindingReport::Difference(difference) => difference.deltas < 2,
        _ => finding.cause().is_some_and(|cause| cause.is_single(unit)),
    };
    let has_more_lines =
        unit == Unit::Hunk && finding.cause().is_some_and(|cause| !cause.is_single(Unit::Line));
    // Of a single hunk, some lines might be enough.
    let of = if is_single && unit == Unit::Hunk { Unit::Line.plural() } else { unit.plural() };
    let fails =
        if finding.cause().is_some_and(|cause| cause.fix) { "passes" } else { "fails in the same way" };
    let (standing, seen) = match (conclusion.minimal.checked, summary.ending) {
        (true, _) if is_single && has_more_lines => {
            (Standing::Open, "not checked by lines: fewer lines of the hunk might be enough".to_owned())
        }
        (true, _) if is_single => (Standing::Shown, "yes: there is nothing left to remove".to_owned()),
        (true, _) => {
            let lines = if has_more_lines { "; fewer lines of them might be enough" } else { "" };
            // Mixes that no version could have are not tested.
            let is_predicted = summary.counts.predicted > 0 && finding.cause().is_some();
            let syntax = if is_predicted { ", or its syntax is broken" } else { "" };
            (
                Standing::Shown,
                format!("yes: if any single {unit} is removed, the test no longer {fails}{syntax}{lines}"),
            )
        }
        (false, Some(Ending::Found | Ending::Undecided)) if conclusion.minimal.ended_after.is_some() => {
            let limit = conclusion.minimal.ended_after;
            // Only a search among lines ends because of mixes that cannot be judged. Its hunks can be the answer all the same.
            let is_by_lines = matches!(limit, Some(EndedAfter::UnresolvedTests(_)));
            let of = if is_by_lines { Unit::Line.plural() } else { of };
            let limit = limit.map(|limit| limit.to_string()).unwrap_or_default();
            let seen = format!(
                "not known: the search for fewer {of} ended after {limit}; `howcome resume --thorough` continues it"
            );
            (Standing::Open, seen)
        }
        (false, Some(Ending::Found)) => (Standing::Open, format!("not checked: fewer {of} might be enough")),
        (false, Some(Ending::Undecided)) => {
            (Standing::Open, format!("not known: fewer {of} might be enough, but they cannot be tested"))
        }
        (false, _) => (Standing::Open, format!("not yet: fewer {of} might be enough")),
    };
    claim(standing, "minimal", seen)
}
