//! Why a test that fails in an old revision says nothing about it.
//!
//! A test that exits with 1 whatever is wrong, and prints nothing, fails in a revision that lacks what it tests. Only the names that the test
//! uses tell.

use super::backport_patch::BackportPatch;
use super::finding::HistoryFindingBuilder;
use super::procedure::{HistorySearch, SearchEnd};
use super::silent_test::{Silence, printed_lines};
use crate::candidates::candidate::Candidate;
use crate::search::plan::SearchPlan;
use howcome_run::{Observation, Problem};

impl HistorySearch {
    /// Why it is not known that the oldest revision fails for the same reason as the newest one, if the answer would be that it never worked.
    pub(super) fn other_reason(
        &self,
        builder: &HistoryFindingBuilder<'_>,
        plan: &SearchPlan,
        printed: impl Fn(&Observation) -> Vec<u8>,
        is_by_ending: bool,
        silence: Option<Silence>,
    ) -> Result<Option<String>, Problem> {
        if !matches!(self.end, SearchEnd::NeverWorked { .. }) {
            return Ok(None);
        }
        if let Some(missing) = &self.state.missing_name {
            let revision = builder.name(missing.revision);
            return Ok(Some(format!(
                "{revision} lacks `{}`, which the test uses, and the test fails there all the same{}",
                missing.name,
                how_to_tell(silence)
            )));
        }
        let nothing_tells = silence == Some(Silence::Nothing) && !self.state.has_other_endings();
        let nothing_tells = nothing_tells
            .then(|| "it fails in every revision that was tested, but nothing tells why".to_owned());
        let oldest = self.state.outcomes.failure_of(self.state.front).map(printed).unwrap_or_default();
        // The same text from both is a reason to believe that they fail alike, unless it says nothing.
        let newest = printed_lines(&plan.failing_output);
        let is_like = !newest.is_empty() && newest == printed_lines(&oldest);
        let tells_nothing = silence.is_some() || is_by_ending && !is_like;
        let is_unknown = tells_nothing && self.state.backports.is_empty();
        let Some(names) = plan.test_names.as_ref().filter(|_| is_unknown) else {
            return Ok(nothing_tells);
        };
        let patch = self.state.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
        let line = &builder.revisions.line;
        let oldest = line.base(self.state.front).and_then(|base| patch.apply_to(&Candidate::of(base)));
        let Ok(oldest) = oldest else {
            return Ok(nothing_tells);
        };
        let rewritten = names.rewritten_since(&oldest.tree(), &builder.revisions.bad);
        let rewritten = rewritten.map_err(|error| Problem::hinted(&error, None))?;
        let rewritten = rewritten.first().map(|name| {
            format!(
                "it fails in every revision that was tested, but `{name}`, which the test uses, is in other lines in {}, and nothing tells why \
                 the test fails there{}",
                builder.name(self.state.front),
                how_to_tell(silence)
            )
        });
        Ok(rewritten.or(nothing_tells))
    }
}

/// What to do, unless what is said of a silent test says it.
fn how_to_tell(silence: Option<Silence>) -> &'static str {
    const HOW_TO_TELL: &str = "; let the test end with another exit code if what it tests is missing, or say what the failure is with --fails-when";
    if silence.is_some() { "" } else { HOW_TO_TELL }
}
