//! Of very many changes that cannot be mixed: the lines that go best with the difference of the outputs, undone in the version that fails.

use super::hunks::{HunkSearch, label};
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::evidence;
use crate::syntax::MixedSyntax;
use crate::trees::tree_error::TreeError;
use howcome_dd::{Configuration, DeltaId, Outcome, Probe};
use howcome_run::{Algorithm, Halt, Leg, Problem, Round, RoundStep, Unit, Way};
use std::sync::Arc;

/// At most this many lines are undone, each alone.
const MOST_LINES: usize = 6;

/// Among more lines, it takes too long to find those that go with the outputs.
const MOST_LINES_TO_WEIGH: u32 = 200_000;

/// How many lines before and after a line are undone with it, if it cannot be undone alone.
const AROUND: [(u32, u32); 6] = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)];

impl HunkSearch<'_> {
    /// A mix that passes because a line is undone that goes with what only one of the tests prints, and the version that fails.
    pub(super) fn without_printed_lines(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
    ) -> Result<Option<(Candidate, Candidate)>, Halt> {
        // Each cause is searched in this way once.
        let Round { cause, part: 0, leg: None } = round else { return Ok(None) };
        let Some(outputs) = self.plan.outputs.as_ref().filter(|_| self.plan.uses(Clue::Evidence)) else {
            return Ok(None);
        };
        let unreadable = |error: TreeError| Problem::hinted(&error, Some(error.hint().to_owned()));
        let lines = ChangeSet::by_lines(&low.tree(), &pair.high.tree()).map_err(unreadable)?;
        if lines.len() > MOST_LINES_TO_WEIGH {
            return Ok(None);
        }
        let all = lines.all();
        let weighed = evidence(&lines, &outputs.good, &outputs.bad);
        let (lines, syntax) = (Arc::new(lines), MixedSyntax::default());
        let space: Arc<dyn Space> = Arc::new(self.space(low, pair, &lines, None));
        let round = Round { leg: Some(Leg { way: Way::Edit, number: cause + 1 }), ..Round::default() };
        let stage = label(round, RoundStep::Lines, Algorithm::Probe, Unit::Line);
        for (line, _) in weighed.iter().take(MOST_LINES) {
            let Some(without) = without_statement(&lines, &syntax, *line) else { continue };
            match stages.search(&stage, &space, Probe::new(without.clone()), &mut |_| {}) {
                Ok(Outcome::Pass) => {
                    let mixes =
                        [&without, &all].map(|chosen| self.space(low, pair, &lines, None).version(chosen));
                    let [without, with] = mixes;
                    return Ok(Some((without, with)));
                }
                Ok(_) => {}
                Err(halt) => return Err(halt.keeping(())),
            }
        }
        Ok(None)
    }
}

/// All lines but one, and but its neighbours that are nothing without it, such as the condition above a statement.
fn without_statement(lines: &ChangeSet, syntax: &MixedSyntax, line: DeltaId) -> Option<Configuration> {
    let path = lines.describe(line)?.path;
    let is_of_file = |line: &u32| lines.describe(DeltaId(*line)).is_some_and(|other| other.path == path);
    AROUND.iter().find_map(|(before, after)| {
        let run = line.0.checked_sub(*before)?..=line.0 + after;
        let without =
            run.filter(is_of_file).fold(lines.all(), |kept, line| kept.without_delta(DeltaId(line)));
        syntax.objection(lines, &without).is_none().then_some(without)
    })
}
