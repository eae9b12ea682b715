//! What to do next.

use crate::Summary;
use crate::account::NextStep;
use crate::account::headline::is_refuted;
use crate::finding::FindingReport;
use crate::finding::history::HistoryReport;
use howcome_run::words::{printable, shell_word};
use howcome_run::{Ending, QuestionName};

pub(super) fn next_steps(summary: &Summary, finding: Option<&FindingReport>) -> Vec<NextStep> {
    let run = shell_word(&summary.run);
    let to =
        |purpose: &str, command: String| NextStep { purpose: purpose.to_owned(), command: Some(command) };
    let advice = |purpose: &str| NextStep { purpose: purpose.to_owned(), command: None };
    let trail = to("see how it was found, test by test", format!("howcome show {run} --trail"));
    let resume = to("continue where it stopped; no test is repeated", format!("howcome resume {run}"));
    let flaky = advice("make the test reliable, or use --flaky, which measures how often it errs");
    if finding.and_then(FindingReport::chain).is_some_and(|chain| chain.steps.is_empty())
        && matches!(summary.ending, Some(Ending::Found | Ending::Undecided))
    {
        let recorded = finding.and_then(FindingReport::chain).map_or(&[][..], |chain| &chain.advice);
        let known = recorded.iter().map(|known| NextStep {
            purpose: printable(&known.purpose),
            command: known.command.as_deref().map(printable),
        });
        let places = advice("try other places with --at FUNCTION, --at FILE:LINE or --every-function");
        let failure = advice("define the failure with --fails-when");
        let trail = (summary.counts.asked > 0).then_some(trail);
        return known.chain([places, failure]).chain(trail).collect();
    }
    match summary.ending {
        Some(Ending::Found) if finding.is_some_and(|finding| is_refuted(summary, finding)) => {
            vec![flaky, trail]
        }
        Some(Ending::Found) => {
            let mut next = match finding.and_then(FindingReport::history) {
                Some(history) => history.next(),
                None => finding
                    .and_then(FindingReport::cause)
                    .map(|cause| cause.undo(summary.conclusion.as_ref()))
                    .unwrap_or_default(),
            };
            next.extend(finding.and_then(FindingReport::chain).and_then(|chain| chain.deeper(&run)));
            if summary.counts.asked > 0 {
                next.push(trail);
                if matches!(finding, Some(FindingReport::Input(_))) {
                    next.push(to("see the larger inputs that fail", format!("howcome show {run} --history")));
                }
                // A test of `state` is an altered process, which cannot be rebuilt in a folder.
                if !matches!(finding, Some(FindingReport::Chain(_))) {
                    next.push(to("try test N by hand", format!("howcome show {run} --test N --into DIR")));
                }
            }
            next
        }
        Some(Ending::Stopped) | None => {
            let mut next = vec![resume, to("see what was tested", format!("howcome show {run} --trail"))];
            if summary.counts.executed == 0 {
                next.push(advice("if the test hangs, limit its time with --timeout SECONDS"));
            }
            if summary.counts.fail > 0
                && !matches!(summary.question, QuestionName::History | QuestionName::State)
            {
                let best = printable(&format!("{}/best", summary.run));
                next.push(advice(&format!("the best candidate so far is in {best}")));
            }
            next
        }
        Some(Ending::Undecided) => vec![
            to("see which tests could not be judged", format!("howcome show {run} --trail")),
            advice(
                "if one of these endings is the failure or a pass, define it with --fails-when or --passes-when",
            ),
        ],
        Some(Ending::Flaky) => {
            let one = advice(
                "if tests disturb each other, for example because they use the same port or file, run one at a time: -j 1",
            );
            let trail = to("see what was tested", format!("howcome show {run} --trail"));
            (summary.jobs > 1).then_some(one).into_iter().chain([flaky, trail]).collect()
        }
        Some(Ending::Refused) if summary.question == QuestionName::History => {
            vec![advice("run the test by hand on the failing revision; --fails-when defines the failure")]
        }
        Some(Ending::Refused) => {
            vec![advice("run the test by hand on both sides; --fails-when defines the failure")]
        }
        Some(Ending::NeverWorked) => {
            let patch = finding.and_then(FindingReport::history).map(HistoryReport::next).unwrap_or_default();
            patch.into_iter().chain([trail]).collect()
        }
    }
}
