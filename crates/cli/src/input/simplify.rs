//! From a failing input to the smallest that still fails: one pass after another, until none finds anything any more.

use super::finding::finding;
use super::others::{LooksOut, Others};
use super::output::Place;
use super::request::Request;
use super::{dry_run, formatted, keep, slip, source};
use crate::baseline::{self, NotReady, Ready, Sides, Terms};
use crate::exit::Exit;
use crate::failure::{Failure, plain};
use crate::investigate::{confidence, why_stopped};
use crate::options::CodesOption;
use crate::session::{Answered, Session};
use howcome_dd::{Configuration, Knowledge, Outcome};
use howcome_input::{Candidates, Delta, Document, Given, Plan};
use howcome_lab::Prepare;
use howcome_run::{
    Because, Conclusion, Ending, Finding, Minimal, Purpose, Stage, StageEnd, Stop, Subject, Verified,
};
use std::fs;
use std::sync::Arc;

/// The subject of the baseline: the whole input, or nothing of it.
const WHOLE: &str = "whole";
/// The subject of the confirmation: what was found.
const ANSWER: &str = "answer";
/// The same after a formatter.
const LAID_OUT: &str = "laid out";

/// What came of a search.
struct Reduced {
    document: Document,
    /// Why it may not be the smallest that there is.
    stop: Option<Stop>,
    /// The finest unit of which no single one can go.
    minimal_in: Option<&'static str>,
    /// What was seen beside the failure in question.
    others: Others,
}

pub(crate) fn answer(
    mut session: Session,
    request: &Request,
    original: &Document,
    is_dry_run: bool,
) -> Result<Exit, Failure> {
    let given = Arc::new(request.given());
    let place = Place::now(session.dir(), request, request.output());
    let ready = match look_at_both(&mut session, request, original, &given) {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return session.end(*answered),
        Err(NotReady::Failed(failure)) if failure.code() == Exit::WrongUse && session.is_new() => {
            return session.forget().and(Err(failure));
        }
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    if is_dry_run {
        dry_run::tell(&session, request, original, &ready);
        return session.forget().map(|()| Exit::Found);
    }
    announce(&mut session, WHOLE, &Candidates::new(original.clone(), &[], Arc::clone(&given)))?;
    say_what_is_looked_for(&session, request, &ready);
    let is_new = session.is_new();
    if let Some(best) = session.dir().map(|dir| dir.join(BEST)).filter(|best| is_new || !best.exists()) {
        keep::save(original, &best)?;
    }
    let mut reduced = match ready.nothing {
        Outcome::Fail => nothing_is_enough(&mut session, original, &given, &ready)?,
        _ => reduce(&mut session, request, original, &given, &ready)?,
    };
    let mut alone_fails = None;
    if reduced.stop.is_none() {
        match confirm(&mut session, ANSWER, request, &reduced.document, &given, &ready)? {
            Ok(fails) => alone_fails = Some(fails),
            Err(stop) => reduced.stop = Some(stop),
        }
    }
    if alone_fails == Some(true)
        && let Some(laid_out) = formatted::document(&mut session, request, &reduced.document)?
    {
        match confirm(&mut session, LAID_OUT, request, &laid_out, &given, &ready)? {
            Ok(true) if laid_out.size() > original.size() => {
                session.warn(
                    "laid out by the formatter it is larger than the input, so it is as it was found",
                )?;
            }
            // Of what was found, not of its layout, something is known.
            Ok(true) => (reduced.document, reduced.minimal_in) = (laid_out, None),
            Ok(false) => {
                session.warn("laid out by the formatter it does not fail, so it is as it was found")?
            }
            Err(stop) => reduced.stop = Some(stop),
        }
    }
    conclude(session, request, original, &ready, reduced, alone_fails, &place)
}

/// Writes the answer down, in the record and where the user wants it.
fn conclude(
    mut session: Session,
    request: &Request,
    original: &Document,
    ready: &Ready,
    reduced: Reduced,
    alone_fails: Option<bool>,
    place: &Place,
) -> Result<Exit, Failure> {
    let Reduced { document, stop, minimal_in, others } = reduced;
    keep_answer(&mut session, request, &document, place)?;
    let format = request.format.as_deref().map(source::Format::of).transpose()?;
    if let Some(changed) = source::what_changed(&request.files(), original, format.as_ref()) {
        session.warn(&format!("{changed} since the run began; the answer is about what it was then"))?;
    }
    let summary = session.summary();
    let run = session.dir().map(ToOwned::to_owned);
    let finding = finding(run.as_deref(), request, [original, &document], others, &summary)?;
    let is_minimal = stop.is_none() && minimal_in.is_some() && alone_fails != Some(false);
    let conclusion = Conclusion {
        finding: Finding::Input(Box::new(finding)).into(),
        minimal: Minimal {
            of: minimal_in.map_or_else(|| "bytes".to_owned(), howcome_report::plural),
            checked: is_minimal,
        },
        verified: Verified { alone_fails, without_passes: None },
        confidence: confidence(&mut session, &ready.repeat),
    };
    let (ending, why, failure) = match stop {
        None if alone_fails == Some(false) => {
            (Ending::Flaky, Some("what had failed did not fail when it was run again".to_owned()), None)
        }
        None => (Ending::Found, None, None),
        Some(stop) => {
            let (ending, why, failure) = why_stopped(stop);
            (ending, Some(why), failure)
        }
    };
    session.end(Answered { ending, conclusion: Some(conclusion), answer: None, failure, why })
}

/// The folder of a run that holds the best candidate so far.
pub(crate) const BEST: &str = "best";

fn look_at_both(
    session: &mut Session,
    request: &Request,
    original: &Document,
    given: &Arc<Given>,
) -> Result<Ready, NotReady> {
    let terms =
        Terms { lab: request.failure.terms()?, two_sided: false, sides: Sides::Parts, if_refused: None };
    let nothing = [original.nothing()];
    let whole: Arc<dyn Prepare> = Arc::new(Candidates::new(original.clone(), &nothing, Arc::clone(given)));
    let mut ready = baseline::prepare(session, WHOLE, &whole, &request.failure, &terms)?;
    if !request.also.is_empty() {
        let conditions = request.also_conditions()?;
        ready.judge = Arc::new(LooksOut { judge: Arc::clone(&ready.judge), conditions });
    }
    Ok(ready)
}

fn say_what_is_looked_for(session: &Session, request: &Request, ready: &Ready) {
    let is_said = !request.failure.fails_when.is_empty() || request.failure.codes == CodesOption::Bisect;
    if !is_said && ready.everything_ends == Because::Exit(0) && ready.nothing != Outcome::Fail {
        session.talk.note("note: the test exits with 0 for the whole input, so that is what is looked for");
    }
}

/// The smallest document, and why it may not be the smallest that there is.
fn reduce(
    session: &mut Session,
    request: &Request,
    original: &Document,
    given: &Arc<Given>,
    ready: &Ready,
) -> Result<Reduced, Failure> {
    let mut document = original.clone();
    let mut plan = Plan::new(request.passes(), &document);
    let mut others = Others::default();
    let mut saved = keep::Saved::new(session.dir().map(|dir| dir.join(BEST)), original.size());
    while let Some(planned) = plan.next(&document) {
        let deltas: &[Delta] = &planned.proposals.deltas;
        let candidates = Arc::new(Candidates::new(document.clone(), deltas, Arc::clone(given)));
        let subject: Arc<dyn Prepare> = Arc::<Candidates>::clone(&candidates);
        session.local.set_experiment(Arc::clone(&subject), Arc::clone(&ready.judge), ready.repeat);
        let stage = Stage {
            subject: candidates.as_ref(),
            name: &planned.name,
            search: "balanced",
            unit: planned.pass.card().unit,
            knowledge: Knowledge::none(),
        };
        let mut keep = |left: &Configuration| saved.keep(&candidates.document(left));
        let told = session.driver.told();
        let search = planned.search(&document);
        let (left, stop) = match session.driver.run(&mut session.local, &stage, search, &mut keep)? {
            StageEnd::Done(found) => (found.failing, None),
            StageEnd::Stopped { why, best } => (best.failing, Some(why)),
        };
        let after = candidates.document(&left);
        others.see(&candidates, session.driver.take_noticed());
        if stop.is_some() {
            let document = if after.size() <= document.size() { after } else { document };
            return Ok(Reduced { document, stop, minimal_in: None, others });
        }
        document = plan.tell(&planned, document, &left, after, session.driver.told() - told);
    }
    Ok(Reduced { document, stop: None, minimal_in: plan.minimal_in(), others })
}

/// The failure has nothing to do with the input: that is an answer, but probably not the one that was hoped for.
fn nothing_is_enough(
    session: &mut Session,
    original: &Document,
    given: &Arc<Given>,
    ready: &Ready,
) -> Result<Reduced, Failure> {
    let printed = match ready.nothing_prints.as_slice() {
        [] => String::new(),
        lines => format!("; it prints: {}", howcome_report::printable(&lines.join(" / "))),
    };
    session.warn(&format!(
        "the test ends in the same way ({}) when the input is empty, so it does not matter; is it the right test, and does it \
         read the candidate? (`{{}}` is its path, --fails-when says what the failure is){printed}",
        ready.nothing_ends
    ))?;
    let nothing = Candidates::new(original.clone(), &[original.nothing()], Arc::clone(given));
    let document = nothing.document(&Configuration::empty());
    Ok(Reduced { document, stop: None, minimal_in: Some("byte"), others: Others::default() })
}

/// Runs what was found once more and afresh. Whether it fails.
fn confirm(
    session: &mut Session,
    name: &str,
    request: &Request,
    document: &Document,
    given: &Arc<Given>,
    ready: &Ready,
) -> Result<Result<bool, Stop>, Failure> {
    session.talk.now("confirming the answer");
    let found = Arc::new(Candidates::new(document.clone(), &[], Arc::clone(given)));
    let subject: Arc<dyn Prepare> = Arc::<Candidates>::clone(&found);
    session.local.set_experiment(subject, Arc::clone(&ready.judge), ready.repeat);
    announce(session, name, &found)?;
    let everything = Configuration::empty();
    let content = found.content(&everything);
    let local = &mut session.local;
    let seen = session.driver.confirm(local, name, Purpose::ConfirmAlone, &everything, content)?;
    let seen = match seen {
        Ok(seen) => seen,
        Err(stop) => return Ok(Err(stop)),
    };
    // What ends with 0 is a test that says itself what is interesting.
    let is_told_by_ending = request.failure.says_nothing() && ready.everything_ends != Because::Exit(0);
    let log = session.dir().zip(seen.log.as_ref()).map(|(dir, log)| dir.join("log").join(log));
    if let Some(log) = log.filter(|_| is_told_by_ending && !request.failure.any_message)
        && let Ok(log) = fs::read(log)
        && let Some(warning) = slip::warning(&ready.seen[0], &String::from_utf8_lossy(&log))
    {
        session.warn(&warning)?;
    }
    Ok(Ok(seen.outcome == Outcome::Fail))
}

/// Says in the record what is tested without any search, so that a later session knows it by the same name.
fn announce(session: &mut Session, name: &str, subject: &Candidates) -> Result<(), Failure> {
    let knowledge = Knowledge::none();
    Ok(session.driver.begin(&Stage { subject, name, search: "confirm", unit: "byte", knowledge })?)
}

/// Writes the answer to where the user wants it. What somebody has written there meanwhile is not lost.
fn keep_answer(
    session: &mut Session,
    request: &Request,
    document: &Document,
    place: &Place,
) -> Result<(), Failure> {
    if let Some(best) = session.dir().map(|dir| dir.join(BEST))
        && let Err(error) = keep::replace(document, &best)
    {
        session.warn(&format!("{} could not be written: {}", best.display(), plain(&error)))?;
    }
    let path = request.output();
    if document.size() == 0 && place.is_taken() {
        return session.warn(&format!(
            "{} is left as it is: that nothing is enough is hardly the answer that was wanted",
            path.display()
        ));
    }
    if !place.may_be_written() {
        let best = session.dir().map(|dir| dir.join(BEST).display().to_string()).unwrap_or_default();
        return session.warn(&format!(
            "{} has been changed by somebody else, so the answer is only in {best}",
            path.display()
        ));
    }
    if let Err(error) = keep::write_answer(document, path) {
        session.warn(&format!("{} could not be written: {}", path.display(), plain(&error)))?;
    }
    Ok(())
}
