//! The smallest input that still fails: from the baseline to the answer.

use super::best_view::{LastRound, first_lines};
use super::estimate::estimate;
use super::finding::reduced_finding;
use super::formatter::format_document;
use super::inputs::describe_change;
use super::other_failures::{NoticingJudge, keep_noticed};
use super::output::AnswerPath;
use super::request::InputRequest;
use super::storage::{BEST, BestOnDisk, replace_folder, write_answer};
use crate::{Candidates, Delta, Document, InputTest, Reduced, reduce};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::inquiry::{
    BaselineResult, BaselineTerms, Concluded, LiveStages, Response, SeenCandidate, Session, SideNames,
    confidence, prepare,
};
use howcome_lab::{Lab, LeftOutFolders, Prepare};
use howcome_run::words::{printable, shell_word, size};
use howcome_run::{
    Algorithm, Because, Conclusion, Ending, Finding, Halt, Minimal, Problem, Purpose, StageLabel, StageName,
    StageRunner, Stop, Unit, Verified, plain_error,
};
use std::path::Path;
use std::sync::Arc;

/// A reduction, and whether its document failed when it was tested once more.
#[derive(Default)]
struct CheckedReduction {
    reduced: Reduced,
    alone_fails: Option<bool>,
}

/// Makes the failing input as small as possible.
pub(super) fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &InputRequest,
    (original, test): (&Document, Arc<InputTest>),
    runs: &Path,
    dry_run: bool,
) -> Result<Response, Halt> {
    let reducing = Reducing { request, original, test };
    let answer_path = AnswerPath::look(request.output(), request, session.dir(), runs);
    let baseline = reducing.test_both_sides(session, lab)?;
    if dry_run {
        return Ok(Response::DryRun(estimate(request, original, &baseline)));
    }
    // If the user did not say what the failure is, the test is probably broken, or does not read the candidate.
    if baseline.nothing == Outcome::Fail && request.failure.is_by_comparison() {
        reducing.warn_that_nothing_matters(session, &baseline)?;
        let why = format!("the test ends in the same way ({}) with an empty input", baseline.nothing_ends);
        return Ok(Concluded::new(Ending::Refused, None).because(why).into());
    }
    let checked = reducing.reduce_and_check(session, lab, &baseline);
    session.driver.end_later(lab)?;
    let concluded = match checked {
        Ok(checked) => reducing.conclude(session, &baseline, checked, None, &answer_path)?,
        Err(Halt::Stopped { why, best }) => {
            reducing.conclude(session, &baseline, best, Some(why), &answer_path)?
        }
        Err(other) => return Err(other.keeping(())),
    };
    Ok(concluded.into())
}

/// One question.
struct Reducing<'a> {
    request: &'a InputRequest,
    original: &'a Document,
    test: Arc<InputTest>,
}

impl Reducing<'_> {
    /// The whole input, and nothing of it.
    fn test_both_sides(&self, session: &mut Session, lab: &mut dyn Lab) -> Result<BaselineResult, Halt> {
        let failure = &self.request.failure;
        let terms = BaselineTerms {
            judging: failure.terms()?,
            two_sided: false,
            sides: SideNames::Parts,
            command: self.request.test.words(),
            held: Vec::new(),
            left_out: LeftOutFolders::default(),
            if_alike: None,
            in_copy: self.test.folder.is_copy(),
            if_refused: None,
            is_tentative: false,
            search_learns_rates: false,
        };
        let whole: Arc<dyn Prepare> = Arc::new(self.candidates(&[Delta::everything(self.original)]));
        let mut baseline = prepare(session, lab, &StageName::WholeInput, &whole, failure, &terms)?;
        if !self.request.also.is_empty() {
            let conditions = self.request.also_conditions()?;
            baseline.judge = Arc::new(NoticingJudge { judge: Arc::clone(&baseline.judge), conditions });
        }
        Ok(baseline)
    }

    fn candidates(&self, deltas: &[Delta]) -> Candidates {
        Candidates::new(self.original.clone(), deltas, Arc::clone(&self.test))
    }

    /// Reduces the input and tests what was found once more, then formats it if the user wants that.
    fn reduce_and_check(
        &self,
        session: &mut Session,
        lab: &mut dyn Lab,
        baseline: &BaselineResult,
    ) -> Result<CheckedReduction, Halt<CheckedReduction>> {
        // A later session knows the baseline by the name of this stage.
        session.driver.begin(&confirmation(StageName::WholeInput).over(&self.candidates(&[])))?;
        self.note_exit_code_0(session, baseline);
        let is_new = session.is_new();
        let best = session.dir().map(|dir| dir.join(BEST)).filter(|best| is_new || !best.exists());
        if let Some(best) = best {
            keep_best(session, self.original, &best)?;
        }
        let reduced = match baseline.nothing {
            Outcome::Fail => self.accept_nothing(session, baseline)?,
            _ => self
                .reduce(session, lab, baseline)
                .map_err(|halt| halt.map_best(|reduced| CheckedReduction { reduced, alone_fails: None }))?,
        };
        let mut checked = CheckedReduction { reduced, alone_fails: None };
        match self.check(session, lab, baseline, StageName::FoundInput, &checked.reduced.document) {
            Ok(fails) => checked.alone_fails = Some(fails),
            Err(halt) => return Err(halt.keeping(checked)),
        }
        if checked.alone_fails == Some(true)
            && let Some(formatted) = format_document(session, lab, self.request, &checked.reduced.document)?
        {
            match self.check(session, lab, baseline, StageName::FormattedInput, &formatted) {
                Ok(true) if formatted.size() > self.original.size() => {
                    session.warn(
                        "the formatted answer is larger than the input, so the answer is not formatted",
                    )?;
                }
                // The answer is known to be minimal, but not the formatted answer.
                Ok(true) => (checked.reduced.document, checked.reduced.minimal_in) = (formatted, None),
                Ok(false) => {
                    session.warn("the formatted answer does not fail, so the answer is not formatted")?;
                }
                Err(halt) => return Err(halt.keeping(checked)),
            }
        }
        Ok(checked)
    }

    fn reduce(
        &self,
        session: &mut Session,
        lab: &mut dyn Lab,
        baseline: &BaselineResult,
    ) -> Result<Reduced, Halt<Reduced>> {
        let best = session.dir().map(|dir| dir.join(BEST));
        let mut best = BestOnDisk::new(best, self.original.size());
        let passes = self.request.passes();
        let view = session.listener.candidate_view();
        let mut rounds = LastRound::new(self.request.passes());
        let mut stages = live_stages(session, lab, baseline);
        reduce(&mut stages, passes, self.original, &self.test, self.request.until_size, &mut |document| {
            best.keep(document);
            if let Some(view) = &view {
                view(SeenCandidate { lines: first_lines(document), tests_left: rounds.tests(document) });
            }
        })
    }

    fn note_exit_code_0(&self, session: &Session, baseline: &BaselineResult) {
        let is_zero = baseline.everything_ends == Because::Exit(0) && baseline.nothing != Outcome::Fail;
        if is_zero && !self.request.failure.names_the_failure() {
            session.listener.note(
                "note: the test exits with 0 for the whole input, so exit code 0 counts as the failure",
            );
        }
    }

    /// The test also fails with an empty input. If the user says that this is the failure, it is an answer.
    fn accept_nothing(&self, session: &mut Session, baseline: &BaselineResult) -> Result<Reduced, Problem> {
        self.warn_that_nothing_matters(session, baseline)?;
        let nothing = self.candidates(&[Delta::everything(self.original)]);
        let document = nothing.document(&Configuration::empty());
        Ok(Reduced { document, minimal_in: Some(Unit::Byte), ..Reduced::default() })
    }

    fn warn_that_nothing_matters(
        &self,
        session: &mut Session,
        baseline: &BaselineResult,
    ) -> Result<(), Problem> {
        let printed = match baseline.nothing_prints.as_slice() {
            [] => String::new(),
            lines => format!("; it prints: {}", printable(&lines.join(" / "))),
        };
        let hint = match self.request.names_the_candidate() {
            true => "is it the right test, and does it read the candidate? (--fails-when says what the failure is)".to_owned(),
            false => format!(
                "nothing in the test names the candidate: write {{}} where its path belongs, as in `-- {}`, or use --stdin",
                with_candidate(&self.request.test.words())
            ),
        };
        session.warn(&format!(
            "the test ends in the same way ({}) with an empty input, so the input does not matter; {hint}{printed}",
            baseline.nothing_ends
        ))
    }

    /// Whether a document fails when it is tested once more, from a clean start.
    fn check(
        &self,
        session: &mut Session,
        lab: &mut dyn Lab,
        baseline: &BaselineResult,
        name: StageName,
        document: &Document,
    ) -> Result<bool, Halt> {
        session.listener.now("confirming the answer");
        let found = Arc::new(Candidates::new(document.clone(), &[], Arc::clone(&self.test)));
        let checks = [(Purpose::ConfirmAlone, Configuration::empty())];
        let seen = live_stages(session, lab, baseline).check(&confirmation(name), &found, &checks)?;
        let Some(seen) = seen.first() else { return Ok(false) };
        Ok(seen.outcome == Outcome::Fail)
    }

    /// Writes the answer to the output and to the record.
    fn conclude(
        &self,
        session: &mut Session,
        baseline: &BaselineResult,
        CheckedReduction { reduced, alone_fails }: CheckedReduction,
        stop: Option<Stop>,
        answer_path: &AnswerPath,
    ) -> Result<Concluded, Problem> {
        keep_answer(session, &reduced.document, answer_path)?;
        if let Some(changed) = describe_change(self.request, self.original) {
            session.warn(&format!(
                "{changed} since the run began; the answer is about the input at that time"
            ))?;
        }
        let kept = keep_noticed(&reduced.noticed, session.dir(), &self.request.also)?;
        let finding = reduced_finding(self.request, self.original, &reduced, kept);
        let is_minimal = stop.is_none() && reduced.minimal_in.is_some() && alone_fails != Some(false);
        let conclusion = Conclusion {
            finding: Finding::Input(Box::new(finding)).into(),
            minimal: Minimal::new(reduced.minimal_in.unwrap_or(Unit::Byte), is_minimal),
            verified: Verified { alone_fails, without_passes: None },
            confidence: confidence(session, &baseline.repeat),
        };
        Ok(match stop {
            Some(stop) => Concluded::stopped(stop, Some(conclusion)),
            None if alone_fails == Some(false) => Concluded::new(Ending::Flaky, Some(conclusion))
                .because("what had failed did not fail when it was run again"),
            None if reduced.is_small_enough => {
                let until = size(self.request.until_size.unwrap_or_default());
                Concluded::new(Ending::Found, Some(conclusion))
                    .because(format!("the search ended because {until} is small enough (--until-size)"))
            }
            None => Concluded::new(Ending::Found, Some(conclusion)),
        })
    }
}

/// A stage that tests a document without any search.
pub(super) fn confirmation(name: StageName) -> StageLabel {
    StageLabel { name, search: Algorithm::Confirm, unit: Unit::Byte }
}

fn live_stages<'a>(
    session: &'a mut Session,
    lab: &'a mut dyn Lab,
    baseline: &BaselineResult,
) -> LiveStages<'a, Candidates> {
    let prepare = |candidates: &Arc<Candidates>| -> Arc<dyn Prepare> { Arc::<Candidates>::clone(candidates) };
    LiveStages {
        session,
        lab,
        judge: Arc::clone(&baseline.judge),
        repeat: baseline.repeat,
        rates: None,
        prepare: Arc::new(prepare),
    }
}

/// Writes the answer to the output, unless another program has changed the output since the session began.
/// Keeps a candidate in the folder of the run, which can be full: then the run goes on without.
fn keep_best(session: &mut Session, document: &Document, best: &Path) -> Result<(), Problem> {
    match replace_folder(document, best) {
        Ok(()) => Ok(()),
        Err(error) => {
            session.warn(&format!("{} could not be written: {}", best.display(), plain_error(&error)))
        }
    }
}

fn keep_answer(session: &mut Session, document: &Document, answer_path: &AnswerPath) -> Result<(), Problem> {
    if let Some(best) = session.dir().map(|dir| dir.join(BEST)) {
        keep_best(session, document, &best)?;
    }
    let path = &answer_path.path;
    if document.size() == 0 && answer_path.is_taken() {
        return session.warn(&format!(
            "{} is not replaced: an empty input is probably not the answer that you want",
            path.display()
        ));
    }
    if !answer_path.can_be_written() {
        let best = session.dir().map(|dir| dir.join(BEST).display().to_string()).unwrap_or_default();
        return session.warn(&format!(
            "another program has changed {}, so the answer is only in {best}",
            path.display()
        ));
    }
    if let Err(error) = write_answer(document, path) {
        session.warn(&format!("{} could not be written: {}", path.display(), plain_error(&error)))?;
    }
    Ok(())
}

/// The words of a test with `{}` at their end, as a user would type them. In a script for a shell, that is the end of the script.
fn with_candidate(words: &[String]) -> String {
    let quoted = |words: &[String]| words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
    match words {
        [shell, flag, script] if flag == "-c" => {
            format!("{} -c {}", shell_word(shell), shell_word(&format!("{script} {{}}")))
        }
        words => format!("{} {{}}", quoted(words)),
    }
}
