//! Tests that will probably follow the present stage, for workers of a cluster that are idle until then: the proofs of the answer, and the
//! search for the next cause.

use super::cause_part::{CausePart, undoing};
use super::commits::CommitSearch;
use super::proof::Prover;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, TreeStages, as_subject};
use howcome_run::{ForeseenTest, KnownContents, Purpose, Round, RoundStep, StageForesight, first_questions};

/// How probable it is that an answer stays as it was found, so that its proofs are needed.
const PROOFS: f64 = 0.9;

/// How probable it is that there is a further cause.
const FURTHER_CAUSE: f64 = 0.5;

/// What follows when the commit of a cause is known.
pub(super) struct TestsAhead<'a> {
    pub(super) commits: CommitSearch<'a>,
    pub(super) prover: Prover<'a>,
    /// The number of the cause, counted from 0.
    pub(super) cause: u32,
}

impl TestsAhead<'_> {
    /// Tells what will probably be tested after these parts were found.
    pub(super) fn foresee(&self, stages: &mut impl TreeStages, parts: &[CausePart]) {
        if !stages.looks_further() || stages.rates().is_some() {
            return;
        }
        let tests = self.proofs(parts);
        let next = self.next_cause(parts);
        let foresight: StageForesight<dyn Space> = Box::new(move |number, known| {
            let mut all = tests.clone();
            if let Some(next) = &next {
                all.extend(next(number, known));
            }
            all.truncate(number);
            all
        });
        stages.foresee(foresight);
    }

    /// The tests that confirm an answer. Those that only repeat what is known belong at the end of the run.
    fn proofs(&self, parts: &[CausePart]) -> Vec<ForeseenTest<dyn Space>> {
        let of = |part| Round { cause: self.cause, part, leg: None };
        let alone = (of(0), RoundStep::Alone, self.prover.version_with(parts));
        let without = (of(parts.len() as u32), RoundStep::Without, self.prover.version_without(parts));
        let planned = [alone, without].into_iter().filter_map(|(round, step, version)| {
            let planned = self.prover.planned(round, step, version).ok()?;
            let (stage, subject) = (planned.stage.name, planned.space);
            let (configuration, purpose) = (planned.configuration, planned.purpose);
            Some(ForeseenTest { stage, subject, configuration, purpose, chance: PROOFS })
        });
        planned.collect()
    }

    /// The first questions of the search for the next cause, with these parts undone.
    fn next_cause(&self, parts: &[CausePart]) -> Option<NextQuestions> {
        if !self.commits.plan.all {
            return None;
        }
        let undone = self.commits.undone.0.iter().cloned().chain(undoing(parts)).collect();
        let undone = PatchSeries(undone);
        let commits = CommitSearch { undone: &undone, ..self.commits };
        let round = Round { cause: self.cause + 1, ..Round::default() };
        let (stage, space, search) = commits.first_stage(round)?;
        Some(Box::new(move |number, known| {
            let questions = first_questions(&search, as_subject(&*space), number, known);
            let test = |(configuration, chance): (_, f64)| ForeseenTest {
                stage: stage.name.clone(),
                subject: space.clone(),
                configuration,
                purpose: Purpose::Question,
                chance: chance * FURTHER_CAUSE,
            };
            questions.into_iter().map(test).collect()
        }))
    }
}

/// Names the first questions of a search.
type NextQuestions = Box<dyn Fn(usize, KnownContents<'_>) -> Vec<ForeseenTest<dyn Space>>>;
