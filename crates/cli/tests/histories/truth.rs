//! What is true of a history.

use super::plan::{Plan, Region};
use super::source::Files;
use super::version::Version;
use std::collections::BTreeMap;

/// The known answer. Lines are written as `path: +line` and `path: -line`, in order.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The newest revision that passes, with the patch; `None` if it never worked.
    pub passing: Option<usize>,
    /// The revision after it that can be built.
    pub failing: usize,
    /// The revisions at which a patch must be made on the way back, the newest first.
    pub patched: Vec<usize>,
    /// What the passing revision, or the oldest one, needs.
    pub backported: Vec<String>,
    pub cause: Vec<String>,
    /// The files of the passing revision, or of the oldest one, with the patch; and those with the cause as well.
    pub with_patch: Files,
    pub with_cause: Files,
    /// The patch that fixes the newest revision, and its files with that patch.
    pub forward: Vec<String>,
    pub fixed: Files,
}

impl Truth {
    pub fn new(plan: &Plan, versions: &[Version]) -> Self {
        let passing = plan.cause.and_then(|cause| plan.builds_before(cause));
        let failing = plan.builds_from(plan.cause.unwrap_or(0));
        let at = passing.unwrap_or(failing);
        let with_patch = versions[at].with_what_is_needed();
        let cause_rewritten = versions[failing].cause_rewritten;
        let with_cause = Version { cause: true, cause_rewritten, ..with_patch.clone() };
        let newest = &versions[plan.newest()];
        let fixed = Version { cause: false, second_cause: false, ..newest.clone() };
        let mut needing = vec![plan.feature];
        needing.extend(plan.second_feature);
        // Until the feature is gone, there is no patch that could be in the way.
        let in_the_way = |(revision, region): &(usize, Region)| {
            *region == Region::Around && *revision < plan.feature && !plan.driver
        };
        needing.extend(plan.region.filter(in_the_way).map(|(revision, _)| revision));
        needing.sort_unstable_by(|one, other| other.cmp(one));
        let lacking = needing.iter().filter_map(|revision| plan.builds_before(*revision));
        Self {
            passing,
            failing,
            patched: lacking.filter(|revision| *revision >= at).collect(),
            backported: difference(&versions[at].files(), &with_patch.files()),
            cause: difference(&with_patch.files(), &with_cause.files()),
            with_patch: with_patch.files(),
            with_cause: with_cause.files(),
            forward: difference(&newest.files(), &fixed.files()),
            fixed: fixed.files(),
        }
    }
}

/// The lines that differ, if no line is only moved: as many of each text as there are more on one side.
pub fn difference(before: &Files, after: &Files) -> Vec<String> {
    let mut lines = Vec::new();
    for path in before.keys().chain(after.keys().filter(|path| !before.contains_key(*path))) {
        let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
        for (files, sign) in [(before, -1), (after, 1)] {
            for line in files.get(path).map_or("", String::as_str).lines() {
                *counts.entry(line).or_default() += sign;
            }
        }
        for (line, count) in counts {
            let sign = if count < 0 { '-' } else { '+' };
            (0..count.abs()).for_each(|_| lines.push(format!("{path}: {sign}{line}")));
        }
    }
    lines.sort();
    lines
}
