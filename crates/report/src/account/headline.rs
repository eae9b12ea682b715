//! The answer in one sentence.

use crate::Summary;
use crate::finding::FindingReport;
use crate::finding::history::HistoryReport;
use crate::finding::history::progress;
use crate::trail::sizes::{at_first, smaller};
use howcome_run::words::{count, printable, size, thousands};
use howcome_run::{Because, Ending};

/// The answer in one sentence, without the full stop.
pub(super) fn headline(summary: &Summary, finding: Option<&FindingReport>) -> String {
    if let Some(known) = what_is_known(summary, finding) {
        return known;
    }
    match (summary.ending, finding) {
        (Some(Ending::Found), Some(finding)) if is_refuted(summary, finding) => {
            format!("{}, but not when it was re-tested", finding.once())
        }
        (Some(Ending::Found), Some(finding)) => {
            format!("{}{}", finding.found(summary.conclusion.as_ref()), unusual_failure(summary, finding))
        }
        (Some(Ending::Found), None) => "Something was found, but the record does not say what".to_owned(),
        (Some(Ending::Stopped), Some(finding)) => {
            let is_list = matches!(finding, FindingReport::Items(items) if items.beside.is_none());
            let fewer = if is_list { ", perhaps fewer" } else { "" };
            format!("Stopped early: {}{}{fewer}", finding.so_far(), unusual_failure(summary, finding))
        }
        (Some(Ending::Stopped), None) => format!("Stopped early{}", in_question(summary)),
        (Some(Ending::Undecided), Some(finding)) => {
            format!("Undecided: {}, and nothing smaller can be tested", finding.so_far())
        }
        (Some(Ending::Undecided), None) => {
            format!("Undecided: only untestable candidates are left{}", in_question(summary))
        }
        (Some(Ending::Flaky), Some(_)) => {
            "The test contradicts itself, so do not trust this result".to_owned()
        }
        (Some(Ending::Flaky), None) => "The test contradicts itself, so there is no answer".to_owned(),
        (Some(Ending::Refused), _) => {
            let why = summary.why.as_ref().map(|why| printable(why.trim().trim_end_matches('.')));
            let why = why.or_else(|| both_sides(summary));
            let why = why.unwrap_or_else(|| "the two sides do not differ as they should".to_owned());
            format!("Nothing to explain: {why}")
        }
        (Some(Ending::NeverWorked), finding) => finding
            .and_then(FindingReport::history)
            .and_then(HistoryReport::never)
            .unwrap_or_else(|| "It never worked: the oldest version that was tested fails too".to_owned()),
        (None, _) => {
            format!("Not finished{}: the run is still going on, or was killed", in_question(summary))
        }
    }
}

/// What the failure is if nobody would expect it: a test for a smaller input or list can report the failure by exit code 0.
fn unusual_failure(summary: &Summary, finding: &FindingReport) -> &'static str {
    let is_part = matches!(finding, FindingReport::Items(_) | FindingReport::Input(_));
    let is_zero = summary.test.as_ref().is_some_and(|test| test.signature == Because::Exit(0).to_string());
    if is_part && is_zero { " (that is, exit with code 0)" } else { "" }
}

/// Whether the finding passed when it was re-tested. A difference need not fail alone.
pub(super) fn is_refuted(summary: &Summary, finding: &FindingReport) -> bool {
    let alone_fails = summary.conclusion.as_ref().and_then(|conclusion| conclusion.verified.alone_fails);
    alone_fails == Some(false) && !finding.is_a_difference()
}

/// What is known about versions or runs if the search between them did not finish.
fn what_is_known(summary: &Summary, finding: Option<&FindingReport>) -> Option<String> {
    let ending = summary.ending?;
    let chain = finding.and_then(FindingReport::chain);
    let begin = match ending {
        Ending::Stopped => "Stopped early",
        Ending::Undecided => "Undecided",
        // A chain without a step is not an answer, whatever the record says.
        Ending::Found if chain.is_some_and(|chain| chain.steps.is_empty()) => "Undecided",
        _ => return None,
    };
    if let Some(chain) = chain {
        return Some(format!("{begin}: {}", chain.so_far()));
    }
    let known = match finding? {
        FindingReport::History(history) => history.known(ending),
        finding => finding.cause()?.known(ending),
    };
    let known = match known {
        Some(known) => format!(": {known}"),
        None => in_question(summary),
    };
    Some(format!("{begin}{known}"))
}

/// How the two sides of a refused run ended.
fn both_sides(summary: &Summary) -> Option<String> {
    use howcome_run::Purpose::{BaselineFailing, BaselinePassing};
    let failing = summary.check(BaselineFailing)?;
    match summary.check(BaselinePassing) {
        Some(passing) if passing.because == failing.because => {
            Some(format!("both sides end in the same way ({})", printable(&failing.because.to_string())))
        }
        Some(passing) => Some(format!(
            "the passing side ends with {}, the failing side with {}",
            printable(&passing.because.to_string()),
            printable(&failing.because.to_string())
        )),
        None => Some(format!("the failing side ends with {}", printable(&failing.because.to_string()))),
    }
}

/// How far a search without a finding went.
fn in_question(summary: &Summary) -> String {
    if let Some(whole) = at_first(summary) {
        let now = smaller(summary).last().map_or(whole, |(_, bytes)| bytes);
        return format!(", with {} of {} left", size(now), size(whole));
    }
    if let Some(place) = progress::place(summary) {
        return format!(", {place}");
    }
    match summary.stages.last() {
        Some(stage) if stage.asked > 0 => format!(
            ", with {} of {} still to be searched",
            thousands(stage.left.into()),
            printable(&count(stage.deltas.into(), stage.unit.as_str()))
        ),
        _ => " before the first test of the search".to_owned(),
    }
}
