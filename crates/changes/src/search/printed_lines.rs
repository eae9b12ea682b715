//! Of very many changes that cannot be mixed: the lines whose text only the failing test prints, undone in the version that fails.

use super::hunks::{HunkSearch, label};
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::evidence;
use crate::syntax::MixedSyntax;
use crate::trees::tree_error::TreeError;
use howcome_dd::{Configuration, DeltaId, Narrow, SearchLimit, StopEarly};
use howcome_run::{Algorithm, Halt, Leg, Problem, Round, RoundStep, Unit, Way};
use std::sync::Arc;

/// At most this many lines are undone, each alone.
const MOST_LINES: usize = 6;

/// At most this many tests look for a line without which the test passes.
const MOST_TESTS: u32 = 10;

impl HunkSearch<'_> {
    /// A mix that passes because some of the lines are undone that print what only the failing test prints, and the version that fails.
    pub(super) fn without_printed_lines(
        &self,
        stages: &mut impl TreeStages,
        cause: u32,
        pair: &VersionPair,
        low: &Candidate,
    ) -> Result<Option<(Candidate, Candidate)>, Halt> {
        let Some(outputs) = self.plan.outputs.as_ref().filter(|_| self.plan.uses(Clue::Evidence)) else {
            return Ok(None);
        };
        let unreadable = |error: TreeError| Problem::hinted(&error, Some(error.hint().to_owned()));
        let lines = ChangeSet::by_lines(&low.tree(), &pair.high.tree()).map_err(unreadable)?;
        let all = lines.all();
        let weighed = evidence(&lines, &outputs.good, &outputs.bad);
        let suggested: Vec<Configuration> =
            weighed.iter().take(MOST_LINES).map(|(line, _)| without_statement(&lines, *line)).collect();
        if suggested.is_empty() {
            return Ok(None);
        }
        let lines = Arc::new(lines);
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &lines, None));
        let round = Round { leg: Some(Leg { way: Way::Edit, number: cause + 1 }), ..Round::default() };
        let stage = label(round, RoundStep::Lines, Algorithm::Narrow, Unit::Line);
        let search =
            Narrow::new(all.clone()).isolating().trying_first(suggested).only_if_a_suggestion_is_resolved();
        let search = StopEarly::new(search, SearchLimit::of_progress(MOST_TESTS));
        let found = match stages.search(&stage, &space, search, &mut |_| {}) {
            Ok(within) => within.found,
            Err(halt) => return Err(halt.keeping(())),
        };
        if found.passing.is_empty() || found.deltas().len() > MOST_LINES {
            return Ok(None);
        }
        let [without, with] = [&found.passing, &found.failing]
            .map(|chosen| self.space(low, pair, &lines, None).version(chosen));
        Ok(Some((without, with)))
    }
}

/// All lines but one, and but those that are nothing without it, such as the condition above a statement.
fn without_statement(lines: &ChangeSet, line: DeltaId) -> Configuration {
    let (syntax, fewer) = (MixedSyntax::default(), lines.all().without_delta(line));
    if syntax.objection(lines, &fewer).is_none() {
        return fewer;
    }
    let repairs = syntax.repairs(lines, &fewer).into_iter();
    let smaller = repairs.filter(|repair| repair.is_subset(&fewer));
    smaller.max_by_key(Configuration::len).unwrap_or(fewer)
}
