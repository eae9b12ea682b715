//! Why a test that fails in an old revision says nothing about it.
//!
//! A test that exits with 1 whatever is wrong, and prints nothing, fails in a revision that lacks what it tests. Only the names that the test
//! uses tell.

use super::backport_patch::BackportPatch;
use super::finding::HistoryFindingBuilder;
use super::procedure::{HistorySearch, SearchEnd};
use crate::candidates::candidate::Candidate;
use crate::search::plan::SearchPlan;
use howcome_run::{Observation, Problem};
use std::collections::BTreeSet;

impl HistorySearch {
    /// Why it is not known that the oldest revision fails for the same reason as the newest one, if the answer would be that it never worked.
    pub(super) fn other_reason(
        &self,
        builder: &HistoryFindingBuilder<'_>,
        plan: &SearchPlan,
        printed: impl Fn(&Observation) -> Vec<u8>,
        is_by_ending: bool,
    ) -> Result<Option<String>, Problem> {
        if !matches!(self.end, SearchEnd::NeverWorked { .. }) {
            return Ok(None);
        }
        if let Some(missing) = &self.state.missing_name {
            let revision = builder.name(missing.revision);
            return Ok(Some(format!(
                "{revision} lacks `{}`, which the test uses, and the test fails there all the same; {HOW_TO_TELL}",
                missing.name
            )));
        }
        let oldest = self.state.outcomes.failure_of(self.state.front).map(printed).unwrap_or_default();
        let lines = |printed: &[u8]| -> BTreeSet<Vec<u8>> {
            let lines = printed.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            let is_text = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"--- standard ");
            lines.filter(is_text).map(<[u8]>::to_vec).collect()
        };
        // The same text from both is a reason to believe that they fail alike.
        let newest = lines(&plan.failing_output);
        let is_silent = newest.is_empty() || newest != lines(&oldest);
        let tells_nothing = is_by_ending || newest.iter().any(|line| is_bare_assertion(line));
        let is_unknown = tells_nothing && is_silent && self.state.backports.is_empty();
        let Some(names) = plan.test_names.as_ref().filter(|_| is_unknown) else {
            return Ok(None);
        };
        let patch = self.state.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
        let line = &builder.revisions.line;
        let oldest = line.base(self.state.front).and_then(|base| patch.apply_to(&Candidate::of(base)));
        let Ok(oldest) = oldest else {
            return Ok(None);
        };
        let rewritten = names.rewritten_since(&oldest.tree(), &builder.revisions.bad);
        let rewritten = rewritten.map_err(|error| Problem::hinted(&error, None))?;
        Ok(rewritten.first().map(|name| {
            format!(
                "it fails in every revision that was tested, but `{name}`, which the test uses, is in other lines in {}, and nothing tells why \
                 the test fails there; {HOW_TO_TELL}",
                builder.name(self.state.front)
            )
        }))
    }
}

/// Whether a line reports an assertion without the values that it has compared.
fn is_bare_assertion(line: &[u8]) -> bool {
    const BARE: [&[u8]; 4] = [
        b"AssertionError",
        b"AssertionError: False is not true",
        b"AssertionError: True is not false",
        b"AssertionError: unexpectedly None",
    ];
    BARE.contains(&line)
}

const HOW_TO_TELL: &str = "let the test end with another exit code if what it tests is missing, or say what the failure is with --fails-when";
