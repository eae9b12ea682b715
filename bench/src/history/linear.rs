//! The method of the paper, by calculation: one revision after another, with ddmin over lines whenever something
//! changes.

use super::histories::{Files, History, difference};
use howcome_dd::{Configuration, Ddmin, DeltaId, Knowledge, Outcome, drive};

/// The number of builds until the cause or the start of history is reached, without the walk forward.
pub(crate) fn tests(history: &History) -> u64 {
    let (plan, truth, versions) = (&history.plan, &history.truth, &history.versions);
    let last = truth.passing.unwrap_or(0);
    // Each revision once, and revisions that do not build once more without the patch.
    let mut tests = (plan.newest() - last) as u64;
    tests += plan.broken.iter().filter(|index| **index >= last).count() as u64;
    for revision in &truth.patched {
        let newer = &versions[plan.builds_from(revision + 1)];
        let needed = versions[*revision].with_what_is_needed().files();
        tests += ddmin(&versions[*revision].files(), &newer.files(), &needed);
    }
    if let Some(passing) = truth.passing {
        let failing = versions[truth.failing].with_what_is_needed().files();
        tests += ddmin(&versions[passing].with_what_is_needed().files(), &failing, &truth.with_cause);
    }
    tests
}

/// The number of tests of ddmin between two versions if exactly the lines that lead to a third version are needed.
fn ddmin(before: &Files, after: &Files, with_what_is_needed: &Files) -> u64 {
    let lines = difference(before, after);
    let mut wanted = difference(before, with_what_is_needed);
    let mut needed = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if let Some(at) = wanted.iter().position(|wanted| wanted == line) {
            wanted.swap_remove(at);
            needed.push(DeltaId(number as u32));
        }
    }
    let (all, needed) = (Configuration::all(lines.len() as u32), Configuration::from_iter(needed));
    let outcome = |tried: &Configuration| match needed.is_subset(tried) {
        true => Outcome::Fail,
        false => Outcome::Unresolved,
    };
    drive(Ddmin::new(all.clone()), &all, &Knowledge::none(), outcome).told.len() as u64
}

#[cfg(test)]
mod tests {
    use super::super::histories::Plan;
    use super::*;

    #[test]
    fn one_by_one_takes_a_test_for_each_revision_and_more() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Plan::never_worked(40, 0), folder.path()).unwrap();
        assert_eq!(tests(&history), 39);
        let folder = tempfile::tempdir().unwrap();
        let history =
            History::new(Plan { broken: vec![20], ..Plan::new(40, 24, 12) }, folder.path()).unwrap();
        assert!(tests(&history) > 29 + 20, "{}", tests(&history));
    }
}
