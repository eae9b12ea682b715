//! The tests of a run, in numbers.

use crate::{AheadCounts, Summary};
use howcome_dd::Outcome;
use howcome_run::words::{count, printable, seconds, thousands};
use howcome_run::{Because, Purpose, QuestionName};

/// More endings are not listed.
const ENOUGH: usize = 5;

/// `11 tests (8 passed, 2 failed, 1 did not build) in 3.4 s; 2 predicted; 15 runs in all, 2 at a time, balanced`
pub(super) fn tests(summary: &Summary) -> String {
    let counts = &summary.counts;
    let time = seconds(summary.seconds);
    let mut parts = vec![match counts.told {
        0 => format!("no tests in {time}"),
        told => {
            let outcomes: Vec<String> = outcomes(summary).into_iter().map(|(_, words)| words).collect();
            format!("{} ({}) in {time}", count(told, "test"), outcomes.join(", "))
        }
    }];
    let others: Vec<String> =
        [(counts.predicted, "predicted"), (counts.remembered, "remembered"), (counts.cancelled, "cancelled")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", thousands(number)))
            .collect();
    if !others.is_empty() {
        parts.push(others.join(", "));
    }
    let runs = match summary.question {
        // If the two runs differ in a single variable, there is nothing to search.
        QuestionName::State if counts.executed == 0 => String::new(),
        _ => format!("{} in all, ", count(counts.executed, "run")),
    };
    parts.push(format!("{runs}{} at a time, {}", summary.jobs, printable(&summary.algorithm)));
    if let Some(AheadCounts { used, unused, cancelled, busy }) = summary.ahead {
        let [used, unused, cancelled] = [used, unused, cancelled].map(thousands);
        parts.push(format!(
            "of the tests started ahead {used} were used, {unused} were not, {cancelled} were cancelled; {busy:.1} ran at a time on average"
        ));
    }
    parts.join("; ")
}

/// `8 passed`, `2 failed`, `1 did not build`
pub(super) fn outcomes(summary: &Summary) -> Vec<(Outcome, String)> {
    let counts = &summary.counts;
    let mut outcomes = vec![
        (Outcome::Pass, counts.pass, "passed".to_owned()),
        (Outcome::Fail, counts.fail, "failed".to_owned()),
    ];
    let plain = summary.reasons_for_unresolved().into_iter().filter(|(reason, _)| is_plain(reason));
    outcomes.extend(plain.map(|(reason, times)| (Outcome::Unresolved, times, reason)));
    let named: u64 = outcomes.iter().map(|(_, times, _)| times).sum();
    let others = counts.told.saturating_sub(named);
    outcomes.push((Outcome::Unresolved, others, "ended differently".to_owned()));
    let outcomes = outcomes.into_iter().filter(|(_, times, _)| *times > 0);
    outcomes.map(|(outcome, times, what)| (outcome, format!("{} {what}", thousands(times)))).collect()
}

/// Whether a reason says why a test neither passed nor failed. The others are endings: `exit code 2`.
fn is_plain(reason: &str) -> bool {
    ["did not apply", "did not build", "timed out"].contains(&reason)
}

/// `ended differently: exit code 2 (3), signal SEGV (1), exit code 0 with other output (1)`
pub(super) fn unresolved(summary: &Summary) -> Option<String> {
    let mut endings = summary.reasons_for_unresolved();
    endings.retain(|(ending, _)| !is_plain(ending));
    let listed: Vec<String> = endings
        .iter()
        .take(ENOUGH)
        .map(|(ending, times)| {
            // What it prints decides, if both sides end like that.
            let other = if both_sides_end_with(summary, ending) { " with other output" } else { "" };
            format!("{}{other} ({})", printable(ending), thousands(*times))
        })
        .collect();
    let more = if endings.len() > ENOUGH { ", and others" } else { "" };
    (!listed.is_empty()).then(|| format!("ended differently: {}{more}", listed.join(", ")))
}

fn both_sides_end_with(summary: &Summary, ending: &str) -> bool {
    [Purpose::BaselinePassing, Purpose::BaselineFailing].into_iter().all(|side| {
        let is_exit =
            |because: &Because| matches!(because, Because::Exit(_)) && because.to_string() == ending;
        summary.check(side).is_some_and(|seen| is_exit(&seen.because))
    })
}
