//! What the two confirmations of a cause showed: added to the good version, the test fails; removed from the bad version, it
//! passes. Each is claimed only if a test showed it.

use crate::Summary;
use crate::account::details;
use crate::account::{Claim, Standing};
use crate::finding::changes::{ChangesReport, CommitWords};
use howcome_dd::Outcome;
use howcome_run::words::printable;
use howcome_run::{CommitCheck, Conclusion, Ending, Observation, Purpose};

/// The claims about a cause.
pub(crate) fn confirmations(summary: &Summary, conclusion: &Conclusion, cause: &ChangesReport) -> Vec<Claim> {
    let alone = alone(check(summary, cause, Purpose::ConfirmAlone), conclusion, cause);
    let without = without(check(summary, cause, Purpose::ConfirmWithout), conclusion, cause);
    let claims = [(conclusion.verified.alone_fails, alone), (conclusion.verified.without_passes, without)];
    claims
        .into_iter()
        // Before the end of a search there is nothing to confirm.
        .filter(|(verified, _)| verified.is_some() || summary.ending == Some(Ending::Found))
        .map(|(_, (standing, about, seen))| Claim { standing, about, seen })
        .chain(cause.at_commit.into_iter().flat_map(|check| at_commit(check, cause)))
        .collect()
}

/// What was seen at the commit that the cause comes from.
fn at_commit(check: CommitCheck, cause: &ChangesReport) -> Vec<Claim> {
    let [before, commit] = match cause.by_commit().as_slice() {
        [(Some(commit), _)] => {
            let commit = format!("commit {}", commit.short());
            match cause.in_mix {
                true => ["passes", "fails"]
                    .map(|ends| format!("the mix of {commit} and the version before it that {ends}")),
                false => [format!("the version before {commit}"), commit],
            }
        }
        _ if !cause.suspects.is_empty() => ["the version before its commit", "its commit"].map(str::to_owned),
        _ => {
            ["the mix of both versions that passes", "the mix of both versions that fails"].map(str::to_owned)
        }
    };
    let (fails, passes) = if cause.fix { ("passes", "fails") } else { ("fails", "passes") };
    let (standing, without) = match check {
        CommitCheck::Holds | CommitCheck::Decides => {
            (Standing::Shown, format!("removed from {commit}, the test {passes}"))
        }
        CommitCheck::HoldsWithOthers => (
            Standing::Shown,
            format!("removed from {commit} with other changes that need it, the test {passes}"),
        ),
        CommitCheck::Unknown => (Standing::Open, format!("removed from {commit}, the test cannot be judged")),
        CommitCheck::Refuted => {
            (Standing::Doubtful, format!("removed from {commit}, the test still {fails}"))
        }
    };
    let added = match cause.needs.is_empty() {
        true => format!("added to {before}"),
        false => format!("added to {before} with the changes it needs"),
    };
    let with = match check {
        CommitCheck::Decides => (Standing::Open, format!("{added}, the test does not {}", cause.effect())),
        _ => (Standing::Shown, format!("{added}, the test {fails}")),
    };
    [with, (standing, without)]
        .into_iter()
        .map(|(standing, about)| Claim { standing, about, seen: String::new() })
        .collect()
}

/// The test that confirms a cause. If there are several causes, the record does not say which one a test was about.
fn check<'a>(summary: &'a Summary, cause: &ChangesReport, purpose: Purpose) -> Option<&'a Observation> {
    summary.check(purpose).filter(|_| cause.further.is_empty())
}

fn alone(
    check: Option<&Observation>,
    conclusion: &Conclusion,
    cause: &ChangesReport,
) -> (Standing, String, String) {
    let added = match cause.needs.is_empty() {
        true => format!("added to {}", cause.good_version()),
        false => format!("added to {} with the changes it needs", cause.good_version()),
    };
    let (fails, fail) = if cause.fix { ("passes", "pass") } else { ("fails", "fail") };
    match (conclusion.verified.alone_fails, check) {
        (Some(true), Some(check)) => (
            Standing::Shown,
            format!("{added}, the test {fails}"),
            format!("{}, clean checkout", details(check)),
        ),
        (Some(true), None) => (Standing::Shown, format!("{added}, the test {fails}"), String::new()),
        (Some(false), Some(check)) if check.outcome == Outcome::Unresolved => {
            (Standing::Open, added, format!("the test cannot be judged: {}", because(check)))
        }
        (Some(false), Some(check)) => (
            Standing::Open,
            format!("{added}, the test does not {fail}"),
            format!("{}: other changes are needed too", because(check)),
        ),
        (Some(false), None) => {
            (Standing::Open, added, format!("the test does not {fail}, or cannot be judged"))
        }
        (None, _) => (Standing::Open, added, "not tested".to_owned()),
    }
}

fn without(
    check: Option<&Observation>,
    conclusion: &Conclusion,
    cause: &ChangesReport,
) -> (Standing, String, String) {
    let removed = format!("removed from {}", cause.taken_from());
    let (fails, passes, pass) =
        if cause.fix { ("passes", "fails", "fail") } else { ("fails", "passes", "pass") };
    match (conclusion.verified.without_passes, check) {
        (Some(true), Some(check)) if check.outcome != Outcome::Unresolved => {
            (Standing::Shown, format!("{removed}, the test {passes}"), details(check))
        }
        (Some(true), _) => (Standing::Shown, format!("{removed}, the test {passes}"), String::new()),
        (Some(false), _) if !cause.further.is_empty() => (
            Standing::Shown,
            format!("{removed}, the test does not {pass}"),
            "there are further causes".to_owned(),
        ),
        (Some(false), Some(check)) if check.outcome == Outcome::Fail => (
            Standing::Doubtful,
            format!("{removed}, the test still {fails}"),
            format!("{}: there is at least one more cause", details(check)),
        ),
        (Some(false), Some(check)) => (
            Standing::Open,
            removed,
            format!("the test cannot be judged ({}): there might be other causes", because(check)),
        ),
        (Some(false), None) => (
            Standing::Open,
            format!("{removed}, the test does not {pass}"),
            "there might be other causes".to_owned(),
        ),
        (None, _) if cause.is_covered() => (
            Standing::Open,
            format!("removed from {}", cause.bad_version()),
            match cause.bad_folder {
                Some(_) => "not tested: it cannot be undone there without other changes",
                None => {
                    "not tested: it cannot be undone there, because its lines have changed or moved since"
                }
            }
            .to_owned(),
        ),
        (None, _) => (Standing::Open, removed, "not tested".to_owned()),
    }
}

fn because(check: &Observation) -> String {
    printable(&check.because.to_string())
}
