//! What there is to say about a run, in the order in which one wants to hear it: the answer, the proof, what it took,
//! what to do next. The wording lives here; text, Markdown and HTML only lay it out.

pub(crate) mod exhibit;
pub(crate) mod proof;
pub(crate) mod section;

use crate::Summary;
use crate::account::exhibit::Exhibit;
use crate::account::section::Section;
use crate::finding::FindingReport;
use crate::finding::changes::ChangesReport;
use crate::finding::history::HistoryReport;
use crate::trail::sizes::{at_first, smaller};
use howcome_run::words::{compact, count, printable, seconds, shell_word, size, thousands};
use howcome_run::{Ending, QuestionName};

/// An account of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The answer in one sentence.
    pub headline: String,
    /// What the answer names.
    pub exhibits: Vec<Exhibit>,
    /// The whole patch, where the exhibits show only the lines of it, for those who can fold it away.
    pub patch: Option<Exhibit>,
    /// What there is to add: the reason of an ending, what was seen.
    pub remarks: Vec<String>,
    /// Why one may believe it.
    pub proof: Vec<Claim>,
    /// What belongs to the answer and comes after its proof.
    pub sections: Vec<Section>,
    /// What it took, on one line.
    pub tests: String,
    /// Why tests could not be judged, where some could not.
    pub unresolved: Option<String>,
    /// What one may want to do now.
    pub next: Vec<NextStep>,
}

/// Something that is claimed of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// How it stands.
    pub standing: Standing,
    /// What it is about.
    pub about: String,
    /// What was seen.
    pub seen: String,
}

/// How a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Shown by a test.
    Shown,
    /// Not tested.
    Open,
    /// A test showed otherwise.
    Doubtful,
}

/// Something to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// What for.
    pub purpose: String,
    /// The command for it.
    pub command: Option<String>,
}

impl Account {
    /// The account of a run.
    #[must_use]
    pub fn of(summary: &Summary) -> Self {
        let finding = FindingReport::of_run(summary);
        let exhibits = finding.as_ref().map(FindingReport::exhibits).unwrap_or_default();
        let mut headline = headline(summary, finding.as_ref());
        match exhibits.first() {
            // The title of a table is no sentence.
            Some(exhibit) if exhibit.is_close => {}
            Some(_) => headline.push(':'),
            None => headline.push('.'),
        }
        Self {
            headline,
            exhibits,
            patch: finding.as_ref().and_then(FindingReport::cause).and_then(ChangesReport::whole_patch),
            remarks: remarks(summary, finding.as_ref()),
            proof: proof::claims(summary, finding.as_ref()),
            sections: finding
                .as_ref()
                .and_then(FindingReport::history)
                .map(|history| history.sections(summary.ending))
                .unwrap_or_default(),
            tests: tests(summary),
            unresolved: unresolved(summary),
            next: next(summary, finding.as_ref()),
        }
    }
}

/// Without the mark at its end.
fn headline(summary: &Summary, finding: Option<&FindingReport>) -> String {
    if let Some(known) = what_is_known(summary, finding) {
        return known;
    }
    match (summary.ending, finding) {
        (Some(Ending::Found), Some(finding)) if is_refuted(summary, finding) => {
            format!("{}, but did not do so when tried again", finding.once())
        }
        (Some(Ending::Found), Some(finding)) => finding.found(summary.conclusion.as_ref()),
        (Some(Ending::Found), None) => "Found, but the record does not say what".to_owned(),
        (Some(Ending::Stopped), Some(finding)) => {
            let is_list = matches!(finding, FindingReport::Items(items) if items.beside.is_none());
            let fewer = if is_list { ", perhaps fewer" } else { "" };
            format!("Stopped early: {}{fewer}", finding.so_far())
        }
        (Some(Ending::Stopped), None) => format!("Stopped early{}", in_question(summary)),
        (Some(Ending::Undecided), Some(finding)) => {
            format!("Undecided: {}, and nothing smaller can be tested", finding.so_far())
        }
        (Some(Ending::Undecided), None) => {
            format!("Undecided: only untestable candidates are left{}", in_question(summary))
        }
        (Some(Ending::Flaky), Some(_)) => {
            "The test contradicts itself, so do not trust what it led to".to_owned()
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
            .unwrap_or_else(|| "It never worked: the oldest version that was tried fails as well".to_owned()),
        (None, _) => format!("Not finished{}; the run is going on, or was killed", in_question(summary)),
    }
}

/// Whether a test said otherwise afterwards. A difference need not fail by itself.
fn is_refuted(summary: &Summary, finding: &FindingReport) -> bool {
    let alone_fails = summary.conclusion.as_ref().and_then(|conclusion| conclusion.verified.alone_fails);
    alone_fails == Some(false) && !finding.is_a_difference()
}

/// The best that is known of versions or runs, where the search between them did not come to its end.
fn what_is_known(summary: &Summary, finding: Option<&FindingReport>) -> Option<String> {
    let ending = summary.ending?;
    let chain = finding.and_then(FindingReport::chain);
    let begin = match ending {
        Ending::Stopped => "Stopped early",
        Ending::Undecided => "Undecided",
        // Whatever the record says, that is no answer.
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
        Some(known) => format!(". What is known: {known}"),
        None => in_question(summary),
    };
    Some(format!("{begin}{known}"))
}

/// What a refused run saw on its two sides.
fn both_sides(summary: &Summary) -> Option<String> {
    use howcome_run::Purpose::{BaselineFailing, BaselinePassing};
    let failing = summary.check(BaselineFailing)?;
    match summary.check(BaselinePassing) {
        Some(passing) if passing.because == failing.because => {
            Some(format!("both sides end alike, with {}", printable(&failing.because.to_string())))
        }
        Some(passing) => Some(format!(
            "the passing side ends with {}, the failing side with {}",
            printable(&passing.because.to_string()),
            printable(&failing.because.to_string())
        )),
        None => Some(format!("the failing side ends with {}", printable(&failing.because.to_string()))),
    }
}

/// How far a search without a finding got.
fn in_question(summary: &Summary) -> String {
    if let Some(whole) = at_first(summary) {
        let now = smaller(summary).last().map_or(whole, |(_, bytes)| bytes);
        return format!(", with {} of {} left", size(now), size(whole));
    }
    if let Some(place) = crate::finding::history::progress::place(summary) {
        return format!(", {place}");
    }
    match summary.stages.last() {
        Some(stage) if stage.asked > 0 => format!(
            ", with {} of {} still in question",
            thousands(stage.left.into()),
            printable(&count(stage.deltas.into(), stage.unit.as_str()))
        ),
        _ => ", before the first test of the search".to_owned(),
    }
}

/// At most this many contradictions and reasons are told; the rest is counted.
const ENOUGH: usize = 5;

fn remarks(summary: &Summary, finding: Option<&FindingReport>) -> Vec<String> {
    // A refusal has its reason in the headline.
    // So has a chain without places.
    let is_said = match summary.ending {
        Some(Ending::Refused) => true,
        Some(Ending::Undecided) => finding.and_then(FindingReport::chain).is_some(),
        _ => false,
    };
    let why = summary.why.as_ref().filter(|_| !is_said);
    let mut remarks: Vec<String> = why.map(|why| sentence(why)).into_iter().collect();
    remarks.extend(finding.map(FindingReport::remarks).unwrap_or_default());
    if summary.ending == Some(Ending::Flaky) {
        for seen in summary.contradictions.iter().take(ENOUGH) {
            let (failed, passed) = (times(seen.tally.fail), times(seen.tally.pass));
            let unit = summary.unit(seen.stage);
            let with = match seen.configuration.len() {
                0 => format!("no {unit} at all"),
                1 => format!("{unit} {}", seen.configuration),
                _ => format!("{} {}", unit.plural(), compact(&seen.configuration, 40)),
            };
            remarks.push(format!("With {} the test failed {failed} and passed {passed}.", printable(&with)));
        }
        if summary.contradictions.len() > ENOUGH {
            let more = (summary.contradictions.len() - ENOUGH) as u64;
            remarks.push(format!("It contradicted itself on {} more.", count(more, "candidate")));
        }
    }
    remarks
}

fn unresolved(summary: &Summary) -> Option<String> {
    let reasons = summary.reasons_for_unresolved();
    let told: Vec<String> = reasons
        .iter()
        .take(ENOUGH)
        .map(|(reason, times)| format!("{} ({})", printable(reason), thousands(*times)))
        .collect();
    let more = if reasons.len() > ENOUGH { ", and others" } else { "" };
    (!told.is_empty()).then(|| format!("why unresolved: {}{more}", told.join(", ")))
}

fn times(number: u32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}

/// A lowercase fragment, as errors have them, as a sentence.
pub(crate) fn sentence(fragment: &str) -> String {
    let fragment = printable(fragment.trim());
    let mut characters = fragment.chars();
    let mut sentence: String =
        characters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    sentence.push_str(characters.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

fn tests(summary: &Summary) -> String {
    let counts = &summary.counts;
    let mut parts = match counts.told {
        // Where the two sides differ in one variable there is nothing to search.
        0 if summary.question == QuestionName::State => Vec::new(),
        0 => vec!["no test told the search anything".to_owned()],
        told => vec![format!(
            "{}: {} pass, {} fail, {} unresolved",
            count(told, "test"),
            thousands(counts.pass),
            thousands(counts.fail),
            thousands(counts.unresolved)
        )],
    };
    let beside: Vec<String> =
        [(counts.predicted, "predicted"), (counts.remembered, "remembered"), (counts.cancelled, "cancelled")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", thousands(number)))
            .collect();
    if !beside.is_empty() {
        parts.push(beside.join(", "));
    }
    if counts.executed > 0 || summary.question != QuestionName::State {
        parts.push(format!("{} in all", count(counts.executed, "run")));
    }
    let time = seconds(summary.seconds);
    parts.push(format!("{time}, {} at a time, {}", summary.jobs, printable(&summary.algorithm)));
    parts.join("; ")
}

fn next(summary: &Summary, finding: Option<&FindingReport>) -> Vec<NextStep> {
    let run = shell_word(&summary.run);
    let to =
        |purpose: &str, command: String| NextStep { purpose: purpose.to_owned(), command: Some(command) };
    let advice = |purpose: &str| NextStep { purpose: purpose.to_owned(), command: None };
    let trail = to("see how it was found, test by test", format!("howcome show {run} --trail"));
    let resume = to("go on where it stopped; nothing is tested twice", format!("howcome resume {run}"));
    let flaky = advice("make the test steadier, or ask with --flaky, which measures how often it errs");
    if finding.and_then(FindingReport::chain).is_some_and(|chain| chain.steps.is_empty())
        && matches!(summary.ending, Some(Ending::Found | Ending::Undecided))
    {
        let places = advice("look at other places, with --at FUNCTION, --at FILE:LINE or --every-function");
        let failure = advice("say what counts as the failure, with --fails-when");
        return [places, failure].into_iter().chain((summary.counts.asked > 0).then_some(trail)).collect();
    }
    match summary.ending {
        Some(Ending::Found) if finding.is_some_and(|finding| is_refuted(summary, finding)) => {
            vec![flaky, trail]
        }
        Some(Ending::Found) => {
            let mut next = match finding.and_then(FindingReport::history) {
                Some(history) => history.next(),
                None => finding.and_then(FindingReport::cause).map(ChangesReport::undo).unwrap_or_default(),
            };
            next.extend(finding.and_then(FindingReport::chain).and_then(|chain| chain.deeper(&run)));
            if summary.counts.asked > 0 {
                next.push(trail);
                if matches!(finding, Some(FindingReport::Input(_))) {
                    next.push(to("go back to a larger one", format!("howcome show {run} --history")));
                }
                // A test of a state is a process that was altered on its way: there is nothing to rebuild.
                if !matches!(finding, Some(FindingReport::Chain(_))) {
                    next.push(to("try test N by hand", format!("howcome show {run} --test N --into DIR")));
                }
            }
            next
        }
        Some(Ending::Stopped) | None => {
            let mut next = vec![resume, to("see what was tested", format!("howcome show {run} --trail"))];
            if summary.counts.fail > 0
                && !matches!(summary.question, QuestionName::History | QuestionName::State)
            {
                let best = printable(&format!("{}/best", summary.run));
                next.push(advice(&format!("the best candidate so far is kept in {best}")));
            }
            next
        }
        Some(Ending::Undecided) => vec![
            to("see which tests could not be judged", format!("howcome show {run} --trail")),
            advice(
                "if some of these endings are the failure, or a pass, say so with --fails-when or --passes-when",
            ),
        ],
        Some(Ending::Flaky) => vec![flaky, to("see what was tested", format!("howcome show {run} --trail"))],
        Some(Ending::Refused) if summary.question == QuestionName::History => vec![advice(
            "run the test by hand on the failing revision; what counts as the failure can be said with --fails-when",
        )],
        Some(Ending::Refused) => vec![advice(
            "run the test by hand on both sides; what counts as the failure can be said with --fails-when",
        )],
        Some(Ending::NeverWorked) => {
            let patch = finding.and_then(FindingReport::history).map(HistoryReport::next).unwrap_or_default();
            patch.into_iter().chain([trail]).collect()
        }
    }
}
