//! From a subject to an answer: baseline, search, confirmation. The same for every question that is one search.

use crate::algorithm::Algorithm;
use crate::baseline::{self, NotReady, Ready, Sides, Terms};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{CodesOption, FailureOptions};
use crate::session::{Answered, Session};
use crate::streams::answer;
use howcome_dd::{Configuration, Confirm, Confirmed, Difference, Knowledge, Outcome};
use howcome_lab::{Prepare, Repeat};
use howcome_report::{count, seconds};
use howcome_run::{
    Because, Conclusion, Ending, Entry, Finding, How, Minimal, Observation, Purpose, Stage, StageEnd, Stop,
    TestId, Verified,
};
use std::collections::HashSet;
use std::sync::Arc;

/// What is to be found out.
pub(crate) struct Question<'a> {
    /// Its name: `items`.
    pub(crate) name: &'static str,
    /// What one delta is: `item`.
    pub(crate) unit: &'static str,
    pub(crate) subject: Arc<dyn Prepare>,
    pub(crate) failure: &'a FailureOptions,
    pub(crate) algorithm: Algorithm,
    pub(crate) dry_run: bool,
    /// The finding as the report shows it.
    pub(crate) finding: &'a dyn Fn(&Difference) -> Finding,
    /// Makes the best candidate so far usable on disk.
    pub(crate) keep: &'a mut dyn FnMut(&Configuration),
}

/// How an investigation ends: `None` after a dry run.
pub(crate) type Investigated = Result<Option<Answered>, Failure>;

/// Finds the answer.
pub(crate) fn investigate(session: &mut Session, mut question: Question<'_>) -> Investigated {
    let two_sided = question.algorithm == Algorithm::Isolate;
    let terms = Terms { lab: question.failure.terms()?, two_sided, sides: Sides::Parts, if_refused: None };
    let ready = baseline::prepare(session, question.name, &question.subject, question.failure, &terms);
    let ready = match ready {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return Ok(Some(*answered)),
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    if question.dry_run {
        estimate(session, &question, &ready);
        return Ok(None);
    }
    let is_said = !question.failure.fails_when.is_empty() || question.failure.codes == CodesOption::Bisect;
    if !is_said && ready.everything_ends == Because::Exit(0) && ready.nothing != Outcome::Fail {
        session
            .talk
            .note("note: with everything the test exits with 0, so that is the failure that is looked for");
    }
    if session.is_new() {
        (question.keep)(&Configuration::all(question.subject.deltas()));
    }
    if ready.nothing == Outcome::Fail {
        return nothing_is_enough(session, &mut question, &ready).map(Some);
    }
    let mut checked = search(session, &mut question)?;
    // Where outcomes are not monotone, what dd finds may not even fail on its own.
    if let Ok((_, confirmed)) = &checked
        && !confirmed.alone_fails
        && question.algorithm != Algorithm::Balanced
    {
        let name = question.algorithm.name();
        session.warn(&format!(
            "what {name} found does not fail on its own, so balanced was used to find what does"
        ))?;
        question.algorithm = Algorithm::Balanced;
        checked = search(session, &mut question)?;
    }
    let (found, confirmed) = match checked {
        Ok(checked) => checked,
        Err((why, best)) => return stopped(why, &question, best).map(Some),
    };
    (question.keep)(&found.failing);
    let verified = match confirm(session, &question, &found, &ready.nothing_ends)? {
        Ok(verified) => verified,
        Err(why) => return stopped(why, &question, found).map(Some),
    };
    let mut conclusion = question.conclusion(&found, &confirmed, verified);
    conclusion.confidence = confidence(session, &ready.repeat);
    let (ending, why) = if !two_sided && confirmed.alone_fails && verified.alone_fails == Some(false) {
        conclusion.minimal.checked = false;
        (Ending::Flaky, Some("what had failed did not fail when it was run again".to_owned()))
    } else if two_sided && nothing_was_resolved(session, &found, &question) {
        conclusion.minimal.checked = false;
        (Ending::Undecided, Some("none of the tests between the two sides could be judged".to_owned()))
    } else {
        (Ending::Found, None)
    };
    let answer = Some(found.deltas());
    Ok(Some(Answered { ending, conclusion: Some(conclusion), answer, failure: None, why }))
}

/// Whether an isolation is where it began, because it could not learn anything.
fn nothing_was_resolved(session: &mut Session, found: &Difference, question: &Question<'_>) -> bool {
    let is_all = found.deltas().len() == question.subject.deltas() as usize && found.deltas().len() > 1;
    let resolved = |entry: &Entry| matches!(entry, Entry::Told { how: How::Tested, outcome, .. } if *outcome != Outcome::Unresolved);
    is_all && !session.entries().iter().any(resolved)
}

impl Question<'_> {
    fn conclusion(&self, found: &Difference, confirmed: &Confirmed, verified: Verified) -> Conclusion {
        let minimal = Minimal { of: howcome_report::plural(self.unit), checked: confirmed.is_minimal() };
        Conclusion { finding: (self.finding)(found).into(), minimal, verified, confidence: None }
    }
}

fn estimate(session: &Session, question: &Question<'_>, ready: &Ready) {
    let deltas = question.subject.deltas();
    let tests = question.algorithm.estimate(deltas);
    let runs = match ready.repeat {
        Repeat::Times(times) => f64::from(times),
        Repeat::Flaky(noise) => noise.expected_runs(),
    };
    session.talk.finish();
    answer!("{} would be varied, by {}.\n", count(deltas.into(), question.unit), question.algorithm.name());
    answer!(
        "If few of them matter: about {}, about {} one at a time.\n",
        count(tests as u64, "test"),
        seconds(tests * runs * ready.seconds)
    );
}

/// The failure has nothing to do with the deltas: that is an answer, but probably not the one that was hoped for.
fn nothing_is_enough(
    session: &mut Session,
    question: &mut Question<'_>,
    ready: &Ready,
) -> Result<Answered, Failure> {
    let units = howcome_report::plural(question.unit);
    let printed = match ready.nothing_prints.as_slice() {
        [] => String::new(),
        lines => format!("; it prints: {}", howcome_report::printable(&lines.join(" / "))),
    };
    session.warn(&format!(
        "the test ends in the same way ({}) without any {units}, so they do not matter; is it the right test? \
         (--fails-when says what the failure is){printed}",
        ready.nothing_ends
    ))?;
    let nothing = Difference::from_nothing(Configuration::empty());
    (question.keep)(&nothing.failing);
    let confirmed = Confirmed { alone_fails: true, superfluous: Vec::new() };
    let verified = Verified { alone_fails: Some(true), without_passes: None };
    let conclusion = Some(question.conclusion(&nothing, &confirmed, verified));
    Ok(Answered {
        ending: Ending::Found,
        conclusion,
        answer: Some(nothing.failing),
        failure: None,
        why: None,
    })
}

/// A finding that was tested alone and by single removals, or why there is none and what is best so far.
type Checked = Result<(Difference, Confirmed), (Stop, Difference)>;

fn search(session: &mut Session, question: &mut Question<'_>) -> Result<Checked, Failure> {
    let Question { subject, name, unit, algorithm, keep, .. } = question;
    let stage =
        |search| Stage { subject: subject.as_ref(), name, search, unit, knowledge: Knowledge::none() };
    let (driver, local) = (&mut session.driver, &mut session.local);
    let found = match algorithm.run(driver, local, &stage(algorithm.name()), keep)? {
        StageEnd::Done(found) => found,
        StageEnd::Stopped { why, best } => return Ok(Err((why, best))),
    };
    // Most of what this asks is remembered.
    Ok(match driver.run(local, &stage("confirm"), Confirm::new(found.clone()), &mut |_| {})? {
        StageEnd::Done(confirmed) => Ok((found, confirmed)),
        StageEnd::Stopped { why, .. } => Err((why, found)),
    })
}

/// Runs the finding alone, and everything but the finding, once more and afresh.
fn confirm(
    session: &mut Session,
    question: &Question<'_>,
    found: &Difference,
    nothing_ends: &Because,
) -> Result<Result<Verified, Stop>, Failure> {
    let deltas = found.deltas();
    let without = Configuration::all(question.subject.deltas()).without(&deltas);
    let mut seen: Vec<Observation> = Vec::new();
    for (purpose, configuration) in [(Purpose::ConfirmAlone, deltas), (Purpose::ConfirmWithout, without)] {
        session.talk.now("confirming the answer");
        match session.driver.confirm(&mut session.local, question.name, purpose, &configuration, None)? {
            Ok(observation) => seen.push(observation),
            Err(stop) => return Ok(Err(stop)),
        }
    }
    // Where only the failure is known, whatever is not it counts as a pass; to claim one takes more.
    let passes = |seen: &Observation| {
        let two_sided = question.algorithm == Algorithm::Isolate;
        seen.outcome == Outcome::Pass && (two_sided || seen.because == *nothing_ends)
    };
    Ok(Ok(Verified {
        alone_fails: Some(seen[0].outcome == Outcome::Fail),
        without_passes: Some(passes(&seen[1])),
    }))
}

/// The probability that all answers on the trail are right.
pub(crate) fn confidence(session: &mut Session, repeat: &Repeat) -> Option<f64> {
    if !matches!(repeat, Repeat::Flaky(_)) {
        return None;
    }
    let entries = session.entries();
    let told: HashSet<TestId> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Told { how: How::Tested, test, .. } => *test,
            _ => None,
        })
        .collect();
    let confidence = |entry: &Entry| match entry {
        Entry::Observed { test, observation, .. } if told.contains(test) => observation.confidence,
        _ => None,
    };
    Some(entries.iter().filter_map(confidence).product())
}

fn stopped(why: Stop, question: &Question<'_>, best: Difference) -> Result<Answered, Failure> {
    let conclusion = question.conclusion(&best, &Confirmed::default(), Verified::default());
    let (ending, why, failure) = why_stopped(why);
    Ok(Answered {
        ending,
        conclusion: Some(conclusion),
        answer: Some(best.deltas()),
        failure,
        why: Some(why),
    })
}

/// How a run ends that was stopped, why in words, and the error if it is one.
pub(crate) fn why_stopped(why: Stop) -> (Ending, String, Option<Failure>) {
    let mut failure = None;
    let (ending, why) = match why {
        Stop::MaxTests(tests) => {
            (Ending::Stopped, format!("the budget of {} is used up", count(tests, "test")))
        }
        Stop::MaxTime(time) => {
            (Ending::Stopped, format!("the {} that it was given are over", howcome_report::duration(time)))
        }
        Stop::Interrupted => (Ending::Stopped, "interrupted".to_owned()),
        Stop::NoVerdict(seen) if seen.because == Because::Contradiction => {
            let tally = seen.tally;
            let why = format!(
                "of {} of the same candidate {} failed, {} passed and {} could not be judged",
                count(tally.runs().into(), "run"),
                tally.fail,
                tally.pass,
                tally.unresolved
            );
            (Ending::Flaky, why)
        }
        Stop::NoVerdict(seen) => {
            // It could be started when the baseline was run, so it is not the command line that is wrong.
            failure = Some(baseline::no_verdict(&seen.because).exit(Exit::Stopped));
            (Ending::Stopped, seen.because.to_string())
        }
    };
    (ending, why, failure)
}
