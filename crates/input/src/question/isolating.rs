//! The smallest difference between a passing and a failing input: from the baseline to the answer.

use super::output::{AnswerPath, passing_output};
use super::request::InputRequest;
use super::storage::{BEST, BEST_PASSING, replace_folder, write_answer};
use crate::Mixture;
use howcome_dd::{Configuration, Difference, Outcome};
use howcome_lab::inquiry::{
    BaselineResult, BaselineTerms, CheckedFinding, Concluded, Response, Session, SideNames, confidence,
    nothing_was_resolved, prepare, search_and_confirm, verify,
};
use howcome_lab::{Lab, LeftOutFolders, Prepare, Repeat};
use howcome_run::words::{count, seconds};
use howcome_run::{
    Algorithm, Because, Conclusion, DifferenceFinding, Ending, Finding, Halt, Minimal, Observation, Problem,
    StageName, Subject, Unit, Verified, plain_error,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const STAGE: StageName = StageName::Isolation;
const UNIT: Unit = Unit::Token;

/// Finds the smallest difference between the two inputs of a mixture.
pub(super) fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &InputRequest,
    mixture: Arc<Mixture>,
    runs: &Path,
    dry_run: bool,
) -> Result<Response, Halt> {
    let isolating = Isolating { request, mixture };
    let baseline = isolating.test_both_sides(session, lab)?;
    isolating.note_passing_exit_code(session, &baseline);
    if dry_run {
        return Ok(Response::DryRun(isolating.estimate(&baseline)));
    }
    let sides = BothSides::look(session, request, runs);
    Ok(isolating.search_and_conclude(session, lab, &baseline, &sides)?.into())
}

/// One question.
struct Isolating<'a> {
    request: &'a InputRequest,
    mixture: Arc<Mixture>,
}

impl Isolating<'_> {
    fn test_both_sides(&self, session: &mut Session, lab: &mut dyn Lab) -> Result<BaselineResult, Halt> {
        let failure = &self.request.failure;
        let is_empty = self.mixture.document(&Configuration::empty()).size() == 0;
        let if_refused = is_empty.then(|| "name an input that passes after --pass".to_owned());
        let judging = failure.terms()?;
        let terms = BaselineTerms {
            judging,
            two_sided: true,
            sides: SideNames::Inputs,
            command: self.request.test.words(),
            held: Vec::new(),
            left_out: LeftOutFolders::default(),
            if_alike: None,
            in_copy: self.mixture.is_in_copy(),
            if_refused,
            is_tentative: false,
            search_learns_rates: false,
        };
        let subject: Arc<dyn Prepare> = Arc::<Mixture>::clone(&self.mixture);
        prepare(session, lab, &STAGE, &subject, failure, &terms)
    }

    fn note_passing_exit_code(&self, session: &Session, baseline: &BaselineResult) {
        let is_zero = |ends: &Because| *ends == Because::Exit(0);
        if !is_zero(&baseline.nothing_ends) && !is_zero(&baseline.everything_ends) {
            session.listener.note(&format!(
                "note: the passing side ends with {}, so that counts as a pass, and exit code 0 does not; if exit code 0 should count, \
                 name an input after --pass for which the test exits with 0",
                baseline.nothing_ends
            ));
        }
    }

    fn estimate(&self, baseline: &BaselineResult) -> String {
        let deltas = self.mixture.deltas();
        let tests = f64::from(deltas.max(2)).log2().ceil();
        format!(
            "{} differ between the two inputs.\nIf most mixes can be judged: about {}, which take about {} one at a time.\n",
            count(deltas.into(), UNIT.as_str()),
            count(tests as u64, "test"),
            seconds(tests * baseline.seconds)
        )
    }

    fn search_and_conclude(
        &self,
        session: &mut Session,
        lab: &mut dyn Lab,
        baseline: &BaselineResult,
        sides: &BothSides,
    ) -> Result<Concluded, Halt> {
        let mixture = &*self.mixture;
        if session.is_new() {
            let everything = Configuration::all(mixture.deltas());
            sides.keep_best(mixture, &Difference { passing: Configuration::empty(), failing: everything });
        }
        if !matches!(baseline.repeat, Repeat::Flaky(_)) {
            session.driver.foresee_both_proofs(mixture.deltas());
        }
        let stage = (&STAGE, UNIT, mixture as &dyn Subject);
        let searched =
            search_and_confirm(session, lab, stage, Algorithm::Isolate, |driver, executor, stage| {
                let mut keep = |failing: &Configuration| sides.keep_failing(mixture, failing);
                driver.run(executor, stage, mixture.search(), &mut keep)
            });
        let CheckedFinding { found, confirmed } = match searched {
            Ok(checked) => checked,
            Err(halt) => return self.stopped(session, halt, sides),
        };
        sides.keep_best(mixture, &found);
        sides.keep_answer(session, mixture, &found)?;
        let passes = |seen: &Observation| seen.outcome == Outcome::Pass;
        let verified = match verify(session, lab, &STAGE, mixture.deltas(), &found, passes) {
            Ok(verified) => verified,
            Err(Halt::Stopped { why, .. }) => {
                let conclusion = self.conclusion(&found, false, Verified::default(), sides);
                return Ok(Concluded::stopped(why, Some(conclusion)).with_answer(found));
            }
            Err(other) => return Err(other),
        };
        if nothing_was_resolved(session, &found, mixture.deltas()) {
            let conclusion = self.conclusion(&found, false, verified, sides);
            return Ok(Concluded::new(Ending::Undecided, Some(conclusion))
                .because("none of the tests between the two sides could be judged")
                .with_answer(found));
        }
        let mut conclusion = self.conclusion(&found, confirmed.is_minimal(), verified, sides);
        conclusion.confidence = confidence(session, &baseline.repeat);
        Ok(Concluded::new(Ending::Found, Some(conclusion)).with_answer(found))
    }

    /// The best so far is the answer.
    fn stopped(
        &self,
        session: &mut Session,
        halt: Halt<Difference>,
        sides: &BothSides,
    ) -> Result<Concluded, Halt> {
        let (why, best) = match halt {
            Halt::Stopped { why, best } => (why, best),
            other => return Err(other.into()),
        };
        sides.keep_best(&self.mixture, &best);
        sides.keep_answer(session, &self.mixture, &best)?;
        let conclusion = self.conclusion(&best, false, Verified::default(), sides);
        Ok(Concluded::stopped(why, Some(conclusion)).with_answer(best))
    }

    fn conclusion(
        &self,
        found: &Difference,
        checked: bool,
        verified: Verified,
        sides: &BothSides,
    ) -> Conclusion {
        let finding = Finding::Difference(Box::new(DifferenceFinding {
            passing: sides.passing.path.to_string_lossy().into_owned(),
            failing: sides.failing.path.to_string_lossy().into_owned(),
            difference: self.mixture.decisive(found),
            deltas: found.deltas().len() as u64,
            of: self.mixture.deltas().into(),
            unit: UNIT,
            passing_side: self.request.passing_side.clone(),
        }));
        let minimal = Minimal::new(UNIT, checked);
        Conclusion { finding: finding.into(), minimal, verified, confidence: None }
    }
}

/// Where both sides are written: the answer, and the best so far.
struct BothSides {
    run: Option<PathBuf>,
    passing: AnswerPath,
    failing: AnswerPath,
}

impl BothSides {
    fn look(session: &Session, request: &InputRequest, runs: &Path) -> Self {
        let run = session.dir();
        let look = |path: &Path| AnswerPath::look(path, request, run, runs);
        Self {
            passing: look(&passing_output(request.output())),
            failing: look(request.output()),
            run: run.map(Path::to_owned),
        }
    }

    fn keep_failing(&self, mixture: &Mixture, failing: &Configuration) {
        self.keep(mixture, failing, BEST);
    }

    fn keep_best(&self, mixture: &Mixture, best: &Difference) {
        self.keep(mixture, &best.failing, BEST);
        self.keep(mixture, &best.passing, BEST_PASSING);
    }

    fn keep(&self, mixture: &Mixture, applied: &Configuration, name: &str) {
        if let Some(run) = &self.run {
            // The answer is written in any case, and the user is told if it cannot be.
            let _ = replace_folder(&mixture.document(applied), &run.join(name));
        }
    }

    fn keep_answer(
        &self,
        session: &mut Session,
        mixture: &Mixture,
        found: &Difference,
    ) -> Result<(), Problem> {
        if !self.failing.can_be_written() || !self.passing.can_be_written() {
            return session.warn(&format!(
                "another program has changed {} or {}, so the answer is only in the folder of the run",
                self.failing.path.display(),
                self.passing.path.display()
            ));
        }
        for (applied, side) in [(&found.failing, &self.failing), (&found.passing, &self.passing)] {
            let path = &side.path;
            if let Err(error) = write_answer(&mixture.document(applied), path) {
                session.warn(&format!("{} could not be written: {}", path.display(), plain_error(&error)))?;
            }
        }
        Ok(())
    }
}
