//! Sentences after the answer: why the run ended, what else was seen.

use crate::Summary;
use crate::account::sentence::sentence;
use crate::finding::FindingReport;
use howcome_run::Ending;
use howcome_run::words::{compact, count, printable};

/// More contradictions are only counted.
const ENOUGH: usize = 5;

pub(super) fn remarks(summary: &Summary, finding: Option<&FindingReport>) -> Vec<String> {
    // The headline gives the reason of a refusal and of a chain without steps.
    let is_said = match summary.ending {
        Some(Ending::Refused) => true,
        Some(Ending::Undecided) => finding.and_then(FindingReport::chain).is_some(),
        _ => false,
    };
    let why = summary.why.as_ref().filter(|_| !is_said);
    let mut remarks: Vec<String> = why.map(|why| sentence(why)).into_iter().collect();
    remarks.extend(finding.map(|finding| finding.remarks(summary.conclusion.as_ref())).unwrap_or_default());
    if summary.ending == Some(Ending::Flaky) {
        for seen in summary.contradictions.iter().take(ENOUGH) {
            let (failed, passed) = (times(seen.tally.fail), times(seen.tally.pass));
            let unit = summary.unit(seen.stage);
            let with = match seen.configuration.len() {
                0 => format!("no {unit}"),
                1 => format!("{unit} {}", seen.configuration),
                _ => format!("{} {}", unit.plural(), compact(&seen.configuration, 40)),
            };
            remarks.push(format!("With {} the test failed {failed} and passed {passed}.", printable(&with)));
        }
        if summary.contradictions.len() > ENOUGH {
            let more = (summary.contradictions.len() - ENOUGH) as u64;
            remarks.push(format!("It contradicted itself with {} more.", count(more, "candidate")));
        }
    }
    remarks
}

fn times(number: u32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}
