//! From a subject to an answer: baseline, search, confirmation. The same for every question that is one search.

use crate::algorithm::Algorithm;
use crate::baseline::{self, NotReady, Ready};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::session::{Answered, Session};
use howcome_dd::{Configuration, Confirm, Confirmed, Difference, Knowledge, Outcome};
use howcome_lab::{Decision, Prepare, Repeat};
use howcome_report::{count, seconds};
use howcome_run::{
    Because, Conclusion, Ending, Entry, Minimal, Observation, Purpose, Stage, StageEnd, Stop, Verified,
};
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
    pub(crate) finding: &'a dyn Fn(&Difference) -> serde_json::Value,
    /// Makes the best candidate so far usable on disk.
    pub(crate) keep: &'a mut dyn FnMut(&Configuration),
}

/// How an investigation ends: `None` after a dry run.
pub(crate) type Investigated = Result<Option<Answered>, Failure>;

/// Finds the answer.
pub(crate) fn investigate(session: &mut Session, mut question: Question<'_>) -> Investigated {
    let two_sided = question.algorithm == Algorithm::Isolate;
    let ready = baseline::prepare(session, question.name, &question.subject, question.failure, two_sided);
    let ready = match ready {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return Ok(Some(*answered)),
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    if question.dry_run {
        estimate(session, &question, &ready);
        return Ok(None);
    }
    if ready.nothing == Outcome::Fail {
        return nothing_is_enough(session, &mut question, &ready.nothing_prints).map(Some);
    }
    let found = match search(session, &mut question)? {
        StageEnd::Done(found) => found,
        StageEnd::Stopped { why, best } => {
            return stopped(why, &question, Difference::from_nothing(best)).map(Some);
        }
    };
    (question.keep)(&found.failing);
    let confirmed = match single_removals(session, &question, &found)? {
        StageEnd::Done(confirmed) => confirmed,
        StageEnd::Stopped { why, .. } => return stopped(why, &question, found).map(Some),
    };
    let verified = match confirm(session, &question, &found)? {
        Ok(verified) => verified,
        Err(why) => return stopped(why, &question, found).map(Some),
    };
    let mut conclusion = question.conclusion(&found, &confirmed, verified);
    conclusion.confidence = confidence(session, &ready.repeat);
    let contradicts = !two_sided && confirmed.alone_fails && verified.alone_fails == Some(false);
    Ok(Some(match contradicts {
        false => Answered::found(conclusion),
        true => Answered {
            ending: Ending::Flaky,
            conclusion: Some(conclusion),
            failure: None,
            why: Some("what had failed did not fail when it was run again".to_owned()),
        },
    }))
}

impl Question<'_> {
    fn stage<'a>(&'a self, search: &'a str) -> Stage<'a> {
        let knowledge = Knowledge::none();
        Stage { subject: self.subject.as_ref(), name: self.name, search, unit: self.unit, knowledge }
    }

    fn conclusion(&self, found: &Difference, confirmed: &Confirmed, verified: Verified) -> Conclusion {
        let minimal = Minimal { of: howcome_report::plural(self.unit), checked: confirmed.is_minimal() };
        Conclusion { finding: (self.finding)(found), minimal, verified, confidence: None }
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
    println!("{} would be varied, by {}.", count(deltas.into(), question.unit), question.algorithm.name());
    println!(
        "If few of them matter: about {}, about {} one at a time.",
        count(tests as u64, "test"),
        seconds(tests * runs * ready.seconds)
    );
}

/// The failure has nothing to do with the deltas: that is an answer, but probably not the one that was hoped for.
fn nothing_is_enough(
    session: &mut Session,
    question: &mut Question<'_>,
    printed: &[String],
) -> Result<Answered, Failure> {
    let units = howcome_report::plural(question.unit);
    let printed = match printed {
        [] => String::new(),
        lines => format!("; it prints: {}", lines.join(" / ")),
    };
    session.warn(&format!(
        "the test ends in the same way without any {units}, so they do not matter; is it the right test? \
         (--fails-when says what the failure is){printed}"
    ))?;
    let nothing = Difference::from_nothing(Configuration::empty());
    (question.keep)(&nothing.failing);
    let confirmed = Confirmed { alone_fails: true, superfluous: Vec::new() };
    let verified = Verified { alone_fails: Some(true), without_passes: None };
    Ok(Answered::found(question.conclusion(&nothing, &confirmed, verified)))
}

fn search(session: &mut Session, question: &mut Question<'_>) -> Result<StageEnd<Difference>, Failure> {
    let knowledge = Knowledge::none();
    let Question { subject, name, unit, algorithm, keep, .. } = question;
    let stage = Stage { subject: subject.as_ref(), name, search: algorithm.name(), unit, knowledge };
    Ok(algorithm.run(&mut session.driver, &mut session.local, &stage, keep)?)
}

/// A finding is tested alone and by single removals before anything is claimed of it. Most of that is remembered.
fn single_removals(
    session: &mut Session,
    question: &Question<'_>,
    found: &Difference,
) -> Result<StageEnd<Confirmed>, Failure> {
    let search = Confirm::new(found.clone());
    Ok(session.driver.run(&mut session.local, &question.stage("confirm"), search, &mut |_| {})?)
}

/// Runs the finding alone, and everything but the finding, once more and afresh.
fn confirm(
    session: &mut Session,
    question: &Question<'_>,
    found: &Difference,
) -> Result<Result<Verified, Stop>, Failure> {
    let deltas = found.deltas();
    let without = Configuration::all(question.subject.deltas()).without(&deltas);
    let mut seen: Vec<Observation> = Vec::new();
    for (purpose, configuration) in [(Purpose::ConfirmAlone, deltas), (Purpose::ConfirmWithout, without)] {
        session.talk.now("confirming the answer");
        match session.driver.confirm(&mut session.local, question.name, purpose, &configuration)? {
            Ok(observation) => seen.push(observation),
            Err(stop) => return Ok(Err(stop)),
        }
    }
    Ok(Ok(Verified {
        alone_fails: Some(seen[0].outcome == Outcome::Fail),
        without_passes: Some(seen[1].outcome == Outcome::Pass),
    }))
}

/// The probability that all answers on the trail are right.
fn confidence(session: &mut Session, repeat: &Repeat) -> Option<f64> {
    let Repeat::Flaky(noise) = repeat else { return None };
    let entries = session.entries();
    let tested = entries.iter().filter_map(|entry| match entry {
        Entry::Observed { purpose: Purpose::Question, observation, .. } => Some(&observation.tally),
        _ => None,
    });
    let right = tested.map(|tally| match noise.decide(tally) {
        Decision::Believe(_, probability) => probability,
        Decision::More | Decision::Contradiction => 1.0,
    });
    Some(right.product())
}

fn stopped(why: Stop, question: &Question<'_>, best: Difference) -> Result<Answered, Failure> {
    let conclusion = question.conclusion(&best, &Confirmed::default(), Verified::default());
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
            let failure = baseline::no_verdict(&seen.because);
            let ending = if failure.code() == Exit::WrongUse { Ending::Refused } else { Ending::Stopped };
            let why = Some(seen.because.to_string());
            return Ok(Answered { ending, conclusion: Some(conclusion), failure: Some(failure), why });
        }
    };
    Ok(Answered { ending, conclusion: Some(conclusion), failure: None, why: Some(why) })
}
